/*
 * play_screen: opening, keeping and changing the playground on the screen. See play_screen.h.
 */
#include "app/play/play_screen.h"
#include "base/alloc.h"
#include "base/file.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_FILE "playground"
#define ASIDE_MAX 99
#define RECORDING_BYTES_MAX ((size_t)1 << 22)

/* --- opening and keeping -----------------------------------------------------------------------
 */

void play_screen_free(struct play_screen *p)
{
    if (!p) {
        return;
    }
    play_picture_forget(p);
    session_free(p->session);
    free(p);
}

/* Takes the session. The busiest shard is selected: it is the one to look at. */
static void open_session(struct ui *ui, struct play_session *session)
{
    struct play_screen *p = xcalloc(1, sizeof *p);
    const struct play_result *r = session_result(session);
    p->session = session;
    p->shard = r->shard[r->busiest].id;
    p->measures = !ui->options.script;
    play_screen_free(ui->play);
    ui->play = p;
    ui->screen = SCREEN_PLAY;
    ui->dirty = true;
}

/* A file that cannot be read, from a newer version perhaps, is not written over. */
static void set_aside(struct ui *ui, const char *path, const struct err *why)
{
    struct str aside = STR_EMPTY;
    for (int i = 1; i <= ASIDE_MAX && (i == 1 || file_exists(str_text(&aside))); i++) {
        str_clear(&aside);
        str_addf(&aside, "%s.unread%d", path, i);
    }
    if (rename(path, str_text(&aside)) == 0) {
        ui_say(ui, STYLE_WARN, "%s. It is kept as %s; this is a new start.", why->text,
               str_text(&aside));
    } else {
        ui_say(ui, STYLE_WARN, "%s. This is a new start.", why->text);
    }
    str_free(&aside);
}

/* What was kept, if it is there and can be read. */
static struct play_session *kept_session(struct ui *ui)
{
    struct err err;
    struct str text = STR_EMPTY;
    struct play_session *session = NULL;
    char *path = NULL;
    if (file_home_path(FILE_HOME_STATE, STATE_FILE, &path, &err) && file_exists(path)) {
        if (file_read(path, RECORDING_BYTES_MAX, &text, &err)) {
            session = session_read(str_text(&text), path, &err);
        }
        if (!session) {
            set_aside(ui, path, &err);
        }
    }
    free(path);
    str_free(&text);
    return session;
}

bool play_screen_open(struct ui *ui, struct play_session *session, struct err *err)
{
    if (ui->play && !session) {
        ui->screen = SCREEN_PLAY;
        return true;
    }
    if (session) {
        open_session(ui, session);
        return true;
    }
    session = kept_session(ui);
    if (!session) {
        struct play_settings usual = play_settings_default();
        session = session_new(&usual, NULL, err);
    }
    if (!session) {
        return false;
    }
    open_session(ui, session);
    return true;
}

bool play_screen_keep(struct ui *ui, struct err *err)
{
    struct str text = STR_EMPTY;
    char *path = NULL;
    if (!ui->play || ui->play->session->future[0].states < 2) {
        return true; /* nothing was done */
    }
    session_write(ui->play->session, &text);
    bool kept = file_home_path(FILE_HOME_STATE, STATE_FILE, &path, err) &&
                file_make_folders_for(path, err) &&
                file_replace(path, str_text(&text), text.length, err);
    free(path);
    str_free(&text);
    return kept;
}

/* --- changing ----------------------------------------------------------------------------------
 */

/* After anything that may have changed the result in hand. */
static void changed(struct play_screen *p)
{
    const struct play_settings *s = session_now(p->session);
    const struct play_result *r = session_result(p->session);
    play_picture_forget(p);
    if (!play_has_shard(s, p->shard)) {
        p->shard = r->shard[r->busiest].id;
    }
}

static void apply(struct ui *ui, const struct play_settings *s)
{
    struct err err;
    struct play_screen *p = ui->play;
    const struct play_settings *before = session_now(p->session);
    uint32_t joined = s->changes > before->changes ? s->change[s->changes - 1].id : p->shard;
    if (!session_change(p->session, s, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    p->shard = joined;
    changed(p);
}

static void turn(struct ui *ui, enum play_control control, int by)
{
    struct err err;
    struct play_screen *p = ui->play;
    struct play_settings s = *session_now(p->session);
    if (!play_turn(&s, control, by, p->shard, p->session->log, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    apply(ui, &s);
}

static void select_shard(struct play_screen *p, int by)
{
    const struct play_result *r = session_result(p->session);
    uint32_t at = 0;
    while (at + 1 < r->shards && r->shard[at].id != p->shard) {
        at++;
    }
    at = (at + (by > 0 ? 1 : r->shards - 1)) % r->shards;
    p->shard = r->shard[at].id;
}

static void turn_row(struct ui *ui, int by)
{
    static const enum play_control control[ROW_COUNT] = {
        [ROW_WORKLOAD] = PLAY_WORKLOAD, [ROW_SCHEME] = PLAY_SCHEME,
        [ROW_TOKENS] = PLAY_TOKENS,     [ROW_WEIGHT] = PLAY_WEIGHT,
        [ROW_RATE] = PLAY_RATE,         [ROW_SALT] = PLAY_SALT,
        [ROW_PREAGG] = PLAY_PREAGG,     [ROW_CACHE] = PLAY_CACHE,
        [ROW_COPIES] = PLAY_COPIES,     [ROW_DATABASE_CACHE] = PLAY_DATABASE_CACHE,
    };
    enum play_row row = ui->play->row;
    if (row == ROW_SHARD) {
        select_shard(ui->play, by);
    } else if (row == ROW_SHARDS) {
        turn(ui, by > 0 ? PLAY_SHARD_ADD : PLAY_SHARD_REMOVE, by);
    } else {
        turn(ui, control[row], by);
    }
}

static void step(struct ui *ui, bool back)
{
    struct play_screen *p = ui->play;
    if (back ? session_undo(p->session) : session_redo(p->session)) {
        changed(p);
    } else {
        ui_say(ui, STYLE_DIM, back ? "This is the first state." : "There is nothing to do again.");
    }
}

static void fork_or_join(struct ui *ui)
{
    struct play_screen *p = ui->play;
    struct str key = STR_EMPTY;
    if (p->session->futures == 1) {
        session_fork(p->session);
        keymap_say(&ui->keymap, ACT_FOCUS_NEXT, IN_PLAY, &key);
        ui_say(ui, STYLE_MESSAGE, "Two futures from here: B is in hand, %s takes the other.",
               str_text(&key));
        str_free(&key);
    } else {
        char stays = p->session->now == 0 ? 'A' : 'B';
        session_join(p->session);
        ui_say(ui, STYLE_MESSAGE, "Future %c goes on alone.", stays);
    }
    changed(p);
}

static void switch_future(struct ui *ui)
{
    if (session_switch(ui->play->session)) {
        changed(ui->play);
    }
}

/* --- lines -------------------------------------------------------------------------------------
 */

static void write_recording(struct ui *ui, const char *path)
{
    struct err err;
    struct str there = STR_EMPTY;
    struct str text = STR_EMPTY;
    if (!session_name_good(path, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    bool ours = !file_exists(path) || (file_read(path, RECORDING_BYTES_MAX, &there, &err) &&
                                       session_is_recording(str_text(&there)));
    session_write(ui->play->session, &text);
    if (!ours) {
        ui_say(ui, STYLE_WARN,
               "That file is no recording and stays as it is; choose another name.");
    } else if (!file_replace(path, str_text(&text), text.length, &err)) {
        ui_say_err(ui, &err);
    } else {
        ui_say(ui, STYLE_GOOD, "Written; opens again with: hotshard play %s",
               err_word(path, canvas_columns(ui->canvas) - 48).text);
    }
    str_free(&there);
    str_free(&text);
}

void play_screen_accept(struct ui *ui, enum action purpose, const char *line)
{
    struct err err;
    if (purpose == ACT_RECORD) {
        write_recording(ui, line);
        return;
    }
    struct play_settings s = *session_now(ui->play->session);
    if (*line == '\0') {
        return;
    }
    if (!play_parse_more(line, &s, &err)) {
        ui_say_err(ui, &err);
        return;
    }
    apply(ui, &s);
}

static void describe(struct ui *ui)
{
    struct str body = STR_EMPTY;
    play_text_state(ui->play->session, &body);
    const char *name = screen_play_picture(ui);
    const struct view *view = view_by_name(name);
    if (view) {
        struct scene scene = play_scene(ui->play, name);
        str_addc(&body, '\n');
        view->tell(&body, &scene, &ui->play->view);
    }
    popup_open_text(ui, "The playground in words", &body, false);
}

/* --- keys --------------------------------------------------------------------------------------
 */

static void move_row(struct play_screen *p, enum action action)
{
    int at = (int)p->row;
    at = action == ACT_UP     ? at - 1
         : action == ACT_DOWN ? at + 1
         : action == ACT_LAST ? ROW_COUNT - 1
                              : 0;
    p->row = (enum play_row)(at < 0 ? 0 : at >= ROW_COUNT ? ROW_COUNT - 1 : at);
}

static void move_picture(struct ui *ui, enum action action)
{
    static const struct {
        enum action action;
        enum verb verb;
    } table[] = {
        {ACT_PAGE_UP, VERB_PAGE_UP}, {ACT_PAGE_DOWN, VERB_PAGE_DOWN}, {ACT_SLOWER, VERB_LEFT},
        {ACT_FASTER, VERB_RIGHT},    {ACT_EVENT_BACK, VERB_UP},       {ACT_EVENT, VERB_DOWN},
        {ACT_ZOOM_IN, VERB_ZOOM_IN}, {ACT_ZOOM_OUT, VERB_ZOOM_OUT},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].action == action) {
            play_picture_move(ui->play, screen_play_picture(ui), table[i].verb);
        }
    }
}

bool play_screen_works(const struct ui *ui, enum action action)
{
    const struct play_session *session = ui->play->session;
    const struct play_future *f = &session->future[session->now];
    switch ((unsigned)action) {
    case ACT_UNDO:
        return f->at > 0;
    case ACT_REDO:
        return f->at + 1 < f->states;
    case ACT_FOCUS_NEXT:
        return session->futures == 2;
    case ACT_CLOSE:
        return false; /* nothing is open over it */
    default:
        return true;
    }
}

void play_screen_action(struct ui *ui, enum action action)
{
    struct play_screen *p = ui->play;
    switch ((unsigned)action) {
    case ACT_UP:
    case ACT_DOWN:
    case ACT_FIRST:
    case ACT_LAST:
        move_row(p, action);
        break;
    case ACT_LEFT:
    case ACT_RIGHT:
        turn_row(ui, action == ACT_LEFT ? -1 : 1);
        break;
    case ACT_WORKLOAD:
        turn(ui, PLAY_WORKLOAD, 1);
        break;
    case ACT_SCHEME:
        turn(ui, PLAY_SCHEME, 1);
        break;
    case ACT_TOKENS:
        turn(ui, PLAY_TOKENS, 1);
        break;
    case ACT_MORE_SHARDS:
        turn(ui, PLAY_SHARD_ADD, 1);
        break;
    case ACT_FEWER_SHARDS:
        turn(ui, PLAY_SHARD_REMOVE, 1);
        break;
    case ACT_SELECT:
        select_shard(p, 1);
        break;
    case ACT_UNDO:
    case ACT_REDO:
        step(ui, action == ACT_UNDO);
        break;
    case ACT_FORK:
        fork_or_join(ui);
        break;
    case ACT_FOCUS_NEXT:
        switch_future(ui);
        break;
    case ACT_PICTURE:
        p->picture++;
        p->view = (struct view_state){.argument = ""};
        break;
    case ACT_DESCRIBE:
        describe(ui);
        break;
    case ACT_RECORD:
        popup_open_prompt(ui, ACT_RECORD, "Write the states up to this one to which file?",
                          "playground.txt");
        ui_say(ui, STYLE_DIM, "Typing replaces this name; an arrow key keeps it, to be changed.");
        break;
    case ACT_SETTING:
        popup_open_prompt(ui, ACT_SETTING, "Settings: scheme ring, tokens 64, add, remove S2 ...",
                          "");
        break;
    default:
        move_picture(ui, action);
        break;
    }
}
