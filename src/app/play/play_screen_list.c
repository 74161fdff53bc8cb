/*
 * play_screen_list: the controls as a list, and what each is about. See play_screen.h.
 */
#include "app/play/play_screen.h"
#include "base/num.h"
#include "base/utf8.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SETTINGS_ROWS 24
#define STATES_FROM 34 /* from here on there is room for the states below the settings */

static const struct row {
    const char *name;
    enum play_control control;
    enum action key; /* whose key stands at the end; ACT_NONE: none */
    const char *about;
} rows[ROW_COUNT] = {
    [ROW_WORKLOAD] = {"workload", PLAY_WORKLOAD, ACT_WORKLOAD, NULL},
    [ROW_SCHEME] = {"scheme", PLAY_SCHEME, ACT_SCHEME, NULL},
    [ROW_TOKENS] = {"tokens", PLAY_TOKENS, ACT_TOKENS,
                    "Points of a shard on the ring. More of them even out what each owns."},
    [ROW_SHARDS] = {"shards", PLAY_SHARD_ADD, ACT_MORE_SHARDS,
                    "One joins, or the selected one leaves. What moves depends on the scheme."},
    [ROW_SHARD] = {"selected", PLAY_SHARD_REMOVE, ACT_NONE,
                   "The shard that leaves next, and whose weight is turned."},
    [ROW_WEIGHT] = {"weight", PLAY_WEIGHT, ACT_NONE,
                    "200 is a machine twice as large: twice the ceilings, and twice the keys where "
                    "the scheme knows weights."},
    [ROW_RATE] = {"writes/s", PLAY_RATE, ACT_NONE,
                  "Of all clients together; there are two reads for each write. A shard takes "
                  "1,000 writes and 3,000 reads."},
    [ROW_SALT] = {"salt", PLAY_SALT, ACT_NONE,
                  "The hottest key becomes so many sub-keys, with places of their own. Each read "
                  "of it then asks them all."},
    [ROW_PREAGG] = {"preagg", PLAY_PREAGG, ACT_NONE,
                    "Routers add up the hottest key's writes and send a sum every 500 ms."},
    [ROW_CACHE] = {"cache", PLAY_CACHE, ACT_NONE,
                   "Routers keep the hottest key's answer: fresh for 1 s, at most 3 s old."},
    [ROW_COPIES] = {"copies", PLAY_COPIES, ACT_NONE,
                    "Of each shard, its leader among them: all answer reads, which may be a little "
                    "old. Writes gain nothing."},
    [ROW_DATABASE_CACHE] = {"db-cache", PLAY_DATABASE_CACHE, ACT_NONE,
                            "The shards become a database behind cache servers placed by the same "
                            "scheme, which answer this share of the reads. Keys that move are "
                            "cold."},
};

static void add_sentence(struct str *out, const char *text)
{
    if (*text) {
        str_addc(out, text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 32) : text[0]);
        str_addf(out, "%s. ", text + 1);
    }
}

void play_list_about(const struct play_screen *p, struct str *out)
{
    const struct play_settings *s = session_now(p->session);
    if (p->row == ROW_WORKLOAD) {
        add_sentence(out, play_workload_about(s->workload));
    } else if (p->row == ROW_SCHEME) {
        add_sentence(out, s->scheme->about);
        str_add(out, "It cannot ");
        str_addf(out, "%s.", s->scheme->cannot);
    } else {
        str_add(out, rows[p->row].about);
    }
    if (p->row == ROW_TOKENS && !play_scheme_has_tokens(s->scheme)) {
        str_addf(out, " The scheme %s has none.", s->scheme->name);
    }
    if (p->row == ROW_WEIGHT && !play_scheme_has_weights(s->scheme)) {
        str_addf(out, " The scheme %s knows none.", s->scheme->name);
    }
}

/* Settings that make no difference now. */
static bool is_idle(const struct play_settings *s, enum play_row row)
{
    return (row == ROW_TOKENS && !play_scheme_has_tokens(s->scheme)) ||
           (row == ROW_WEIGHT && !play_scheme_has_weights(s->scheme));
}

static void add_value(const struct play_screen *p, enum play_row row, struct str *out)
{
    const struct play_settings *s = session_now(p->session);
    const struct play_result *r = session_result(p->session);
    if (row == ROW_SHARDS) {
        str_addf(out, "%" PRIu32, r->shards);
        return;
    }
    play_say_control(s, rows[row].control, p->shard, out);
    if (row == ROW_SALT && s->salt > 1) {
        str_add(out, " sub-keys");
    }
}

static void draw_row(struct ui *ui, int y, enum play_row row)
{
    struct canvas *c = ui->canvas;
    struct play_screen *p = ui->play;
    const struct play_settings *s = session_now(p->session);
    bool selected = row == p->row;
    bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
    int w = canvas_width(c);
    enum style style = selected ? STYLE_SELECTED : is_idle(s, row) ? STYLE_DIM : STYLE_TEXT;
    struct str value = STR_EMPTY;
    struct str key = STR_EMPTY;
    if (selected) {
        canvas_fill(c, (struct rect){0, y, w, 1}, STYLE_SELECTED, ' ');
    }
    canvas_text(c, 1, y, style, selected ? (ascii ? ">" : "▸") : " ");
    canvas_text(c, 3, y, style, rows[row].name);
    add_value(p, row, &value);
    if (rows[row].key != ACT_NONE) {
        keymap_say(&ui->keymap, rows[row].key, IN_PLAY, &key);
        if (row == ROW_SHARDS) {
            str_addc(&key, ' ');
            keymap_say(&ui->keymap, ACT_FEWER_SHARDS, IN_PLAY, &key);
        }
        canvas_text_right(c, w - 1, y, selected ? STYLE_SELECTED : STYLE_KEYCAP, str_text(&key));
    }
    canvas_text_fit(c, 13, y, w - 13 - (int)key.length - 2, style, str_text(&value));
    if (selected) {
        canvas_cursor(c, 1, y);
    }
    str_free(&value);
    str_free(&key);
}

/* A line between what concerns the keys, the shards and the hottest key, where there is room. */
static int gap_before(enum play_row row, int room)
{
    return room >= ROW_COUNT + 3 && (row == ROW_SHARDS || row == ROW_RATE || row == ROW_SALT);
}

static void draw_settings(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    struct rect inside = draw_pane(c, area, "Settings", true);
    struct str about = STR_EMPTY;
    struct prose prose;
    play_list_about(ui->play, &about);
    prose_wrap(&prose, str_text(&about), inside.w - 2);
    int lines = (int)prose.line_count;
    int room = inside.h - lines - 1;
    int y = 0;
    canvas_push(c, inside);
    for (int row = 0; row < ROW_COUNT; row++) {
        y += gap_before((enum play_row)row, room);
        draw_row(ui, y++, (enum play_row)row);
    }
    y += inside.h - lines > y; /* a blank line between, if there is room for it */
    prose_draw(c, &prose, 1, y, 0, inside.h - y);
    canvas_pop(c);
    prose_free(&prose);
    str_free(&about);
}

/* The states of the future in hand, one a line, the newest that fit; where it stands is marked. */
static void draw_states(struct ui *ui, struct rect area)
{
    struct canvas *c = ui->canvas;
    const struct play_session *session = ui->play->session;
    const struct play_future *f = &session->future[session->now];
    struct rect inside = draw_pane(c, area, "States", false);
    bool ascii = canvas_glyphs(c) == GLYPHS_ASCII;
    size_t fits = inside.h > 0 ? (size_t)inside.h : 1;
    size_t first = f->states > fits ? f->states - fits : 0;
    first = f->at < first ? f->at : first;
    canvas_push(c, inside);
    for (size_t i = first; i < f->states && i - first < fits; i++) {
        struct str text = STR_EMPTY;
        int y = (int)(i - first);
        bool here = i == f->at;
        if (i == 0) {
            str_add(&text, "the beginning");
        } else {
            play_tell_step(&f->state[i - 1], &f->state[i], &text);
        }
        canvas_text(c, 1, y, STYLE_FOCUS, here ? (ascii ? ">" : "▸") : " ");
        canvas_textf(c, 3, y, STYLE_DIM, "%3zu", i + 1);
        canvas_text_fit(c, 7, y, inside.w - 8, here ? STYLE_STRONG : STYLE_TEXT, str_text(&text));
        str_free(&text);
    }
    canvas_pop(c);
}

void play_list_draw(struct ui *ui, struct rect area)
{
    struct rect states;
    if (area.h < STATES_FROM) {
        draw_settings(ui, area);
        return;
    }
    draw_settings(ui, rect_cut_top(area, SETTINGS_ROWS, &states));
    draw_states(ui, states);
}
