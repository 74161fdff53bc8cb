/*
 * check_screen: opening, searching, walking and leaving. See check_screen.h; drawing is in
 * screen_check.c, a run's time in check_run.c.
 */
#include "app/check/check_screen.h"
#include "app/check/check_run.h"
#include "base/alloc.h"
#include "base/near.h"
#include "check/models.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORDS_COLUMNS 74
#define BLINK_MS 120 /* a search that is over by then is not shown on its way */

bool check_screen_has_picture(const struct check_screen *s)
{
    return check_session_fails(&s->session);
}

bool check_screen_shows_world(const struct check_screen *s)
{
    return check_screen_has_picture(s) && !(s->rules && s->session.step == 0);
}

struct check_sight check_screen_sight(const struct check_screen *s)
{
    return (struct check_sight){.session = &s->session, .world = s->run.world};
}

/* --- searching ---------------------------------------------------------------------------------
 */

/* What follows from a step, a switch or the end of a search. */
static void settle(struct check_screen *s)
{
    check_run_drop(&s->run);
    s->scroll = 0;
    check_pictures_choose(&s->pictures, &s->session);
    if (!check_screen_has_picture(s)) {
        s->whole = false;
    }
}

/* What is not missed in the small world may be in the larger one. */
static void offer_larger(struct ui *ui)
{
    struct str key = STR_EMPTY;
    keymap_say(&ui->keymap, ACT_LARGER, IN_RULES, &key);
    ui_say(ui, STYLE_MESSAGE, "Nothing fails here. %s searches the larger world.", str_text(&key));
    str_free(&key);
}

/* Where the rules have the focus: how to get on. */
static void say_found(struct ui *ui)
{
    const struct check_screen *s = ui->check;
    if (s->rules && check_session_fails(&s->session)) {
        struct str key = STR_EMPTY;
        keymap_say(&ui->keymap, ACT_RULES, IN_RULES, &key);
        ui_say(ui, STYLE_MESSAGE, "It fails. %s leads to the steps.", str_text(&key));
        str_free(&key);
    } else if (s->rules && check_session_found(&s->session) && !s->session.larger &&
               check_session_without(&s->session) != 0) {
        offer_larger(ui);
    }
}

/* A search is over: where it begins with the steps of a failure and there is none, with the rules.
 */
static void found(struct ui *ui)
{
    struct check_screen *s = ui->check;
    bool none = check_session_found(&s->session) && !check_session_fails(&s->session);
    s->rules = s->rules || (s->opening && none);
    s->opening = s->opening && check_session_searches(&s->session);
    settle(s);
    say_found(ui);
}

/* A search was asked for. Where nobody watches it is waited for; else when all keys that wait are
 * handled: of many in a row the last one alone is searched. */
static void await(struct ui *ui)
{
    struct check_screen *s = ui->check;
    s->awaits = !ui->options.script && !ui->options.no_motion;
    if (!s->awaits) {
        check_session_wait(&s->session);
    }
    found(ui);
}

void check_screen_await(struct ui *ui)
{
    struct check_screen *s = ui->check;
    const struct timespec ms = {.tv_nsec = 1000000};
    if (ui->screen != SCREEN_CHECK || !s->awaits) {
        return;
    }
    s->awaits = false;
    for (int i = 0; i < BLINK_MS && check_session_searches(&s->session); i++) {
        if (!check_session_poll(&s->session)) {
            nanosleep(&ms, NULL);
        }
    }
    found(ui);
}

bool check_screen_works_on(const struct ui *ui)
{
    const struct check_screen *s = ui->check;
    return ui->screen == SCREEN_CHECK && (check_session_searches(&s->session) || s->run.playing);
}

void check_screen_tick(struct ui *ui, int64_t wall_us)
{
    struct check_screen *s = ui->check;
    ui->dirty = true;
    if (check_session_searches(&s->session)) {
        if (check_session_poll(&s->session)) {
            found(ui);
        }
    } else if (s->run.playing && !check_run_play(&s->run, &s->session, wall_us)) {
        ui_say(ui, STYLE_DIM, "Nothing more will happen.");
    }
}

void check_screen_wait(struct ui *ui)
{
    struct check_screen *s = ui->check;
    if (ui->screen == SCREEN_CHECK && check_session_searches(&s->session)) {
        check_session_wait(&s->session);
        found(ui);
        ui->dirty = true;
    }
    while (ui->screen == SCREEN_CHECK && s->run.playing) {
        check_screen_tick(ui, INT64_C(100000));
    }
}

static bool threads(const struct ui *ui)
{
    return !ui->options.script && !ui->options.no_motion;
}

/* --- opening -----------------------------------------------------------------------------------
 */

void check_screen_free(struct check_screen *s)
{
    if (s) {
        check_run_drop(&s->run);
        check_session_close(&s->session);
        free(s);
    }
}

static void begin(struct ui *ui, const struct check_model *model, uint32_t without)
{
    struct check_screen *s = ui->check;
    check_run_drop(&s->run);
    check_session_close(&s->session);
    check_session_open(&s->session, model, without, threads(ui));
    s->pictures = (struct check_pictures){0};
    s->whole = false;
    s->rules = without == 0;
    s->opening = true;
    await(ui);
}

static bool read_protocol(const struct page_protocol *protocol, const struct check_model **model,
                          uint32_t *without, struct err *err)
{
    *model = check_model_by_name(protocol->name);
    if (!*model) {
        return err_set(err,
                       "this step is about the protocol \"%s\", and there is none of that "
                       "name; hotshard check --list names all",
                       err_word(protocol->name, 40).text);
    }
    for (size_t i = 0; i < protocol->rules_off; i++) {
        uint32_t bit = 0;
        if (!check_rule_by_name(*model, protocol->without[i], &bit)) {
            return err_set(err, "%s has no rule \"%s\"; hotshard check --list names all",
                           (*model)->name, err_word(protocol->without[i], 40).text);
        }
        *without |= bit;
    }
    return true;
}

/* The step of the lesson has a question that is still open: the steps shall not answer it. */
static bool asks(const struct ui *ui, const struct page_protocol *protocol)
{
    const struct page *page = protocol ? course_page(ui) : NULL;
    return page && page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN;
}

bool check_screen_open(struct ui *ui, const struct page_protocol *protocol, struct err *err)
{
    const struct check_model *model = check_model_at(0);
    uint32_t without = 0;
    if (protocol && !read_protocol(protocol, &model, &without, err)) {
        return false;
    }
    bool kept = ui->check && !protocol; /* as it was left */
    bool veil = asks(ui, protocol);
    enum ui_screen from = ui->screen;
    ui->check = ui->check ? ui->check : xcalloc(1, sizeof *ui->check);
    ui->check->from = from;
    ui->screen = SCREEN_CHECK;
    ui->dirty = true;
    if (!kept) {
        begin(ui, model, without);
    }
    if (veil) {
        check_session_veil(&ui->check->session);
    }
    return true;
}

/* A search that nobody waits for any more is called off. */
static void leave(struct ui *ui)
{
    struct check_screen *s = ui->check;
    check_session_cancel(&s->session);
    settle(s);
    ui->screen = s->from;
    ui->dirty = true;
}

static void next_protocol(struct ui *ui)
{
    size_t at = 0;
    while (check_model_at(at) && check_model_at(at) != ui->check->session.model) {
        at++;
    }
    at = check_model_at(at) && check_model_at(at + 1) ? at + 1 : 0;
    begin(ui, check_model_at(at), 0);
}

/* --- keys --------------------------------------------------------------------------------------
 */

static void say_no_failure(struct ui *ui)
{
    const struct check_screen *s = ui->check;
    struct str key = STR_EMPTY;
    if (check_session_searches(&s->session)) {
        keymap_say(&ui->keymap, ACT_CLOSE, IN_CHECK, &key);
        ui_say(ui, STYLE_DIM, "The search goes on; %s stops it.", str_text(&key));
    } else {
        keymap_say(&ui->keymap, s->rules ? ACT_SWITCH : ACT_RULES, s->rules ? IN_RULES : IN_CHECK,
                   &key);
        ui_say(ui, STYLE_DIM, "Nothing fails, so there are no steps: switch a rule off (%s).",
               str_text(&key));
    }
    str_free(&key);
}

static void say_why_not(struct ui *ui, enum action action)
{
    const struct check_session *session = &ui->check->session;
    if (action == ACT_LARGER || action == ACT_SMALLER) {
        ui_say(ui, STYLE_DIM,
               session->larger                   ? "This is the larger world already."
               : check_session_can_grow(session) ? "This is the small world already."
                                                 : "This protocol has one world.");
    } else if (!check_session_fails(session)) {
        say_no_failure(ui);
    } else if (action == ACT_FOCUS_NEXT || action == ACT_FOCUS_BEFORE) {
        ui_say(ui, STYLE_DIM, "There is no other picture here.");
    } else {
        ui_say(ui, STYLE_DIM, "No world plays these steps, so there is no time in them.");
    }
}

static void walk(struct ui *ui, bool back)
{
    struct check_screen *s = ui->check;
    struct check_session *session = &s->session;
    if (!check_session_fails(session)) {
        say_no_failure(ui);
        return;
    }
    uint32_t step = back ? session->step - (session->step > 0) : session->step + 1;
    bool moved = check_session_go(session, step);
    if (moved || s->run.world) {
        check_run_drop(&s->run);
    } else {
        ui_say(ui, STYLE_DIM, back ? "Nothing has happened yet." : "That was the last step.");
    }
}

static void put_back(struct ui *ui)
{
    struct check_screen *s = ui->check;
    if (!check_session_fails(&s->session)) {
        say_no_failure(ui);
        return;
    }
    if (!check_session_may_put_back(&s->session)) {
        ui_say(ui, STYLE_MESSAGE, "Walk to the last step first: that is what you are asked.");
        return;
    }
    check_session_put_back(&s->session, !s->session.back);
    check_run_drop(&s->run);
    s->rules = false;
    ui_say(ui, STYLE_MESSAGE,
           s->session.back ? "The rules are back: the same steps, with every rule."
                           : "The rules are off again.");
}

static void explain(struct ui *ui)
{
    struct check_screen *s = ui->check;
    struct str body = STR_EMPTY;
    char title[64];
    if (s->rules || !check_session_fails(&s->session)) {
        check_session_explain_rule(&s->session, &body);
        popup_open_text(ui, s->session.model->rule[s->session.selected].name, &body, true);
        return;
    }
    check_session_explain_step(&s->session, &body);
    snprintf(title, sizeof title, s->session.step == 0 ? "Before the first step" : "Step %u",
             (unsigned)s->session.step);
    popup_open_text(ui, title, &body, true);
}

static void describe(struct ui *ui)
{
    struct check_screen *s = ui->check;
    struct str body = STR_EMPTY;
    struct check_sight sight = check_screen_sight(s);
    if (check_screen_has_picture(s)) {
        check_pictures_tell(&s->pictures, s->pictures.shown, &sight, &body);
        popup_open_text(ui, check_pictures_title(&s->pictures, s->pictures.shown), &body, false);
    } else {
        check_session_say_promises(&s->session, &body);
        popup_open_text(ui, s->session.model->name, &body, true);
    }
}

static void change_size(struct ui *ui, bool larger)
{
    struct check_screen *s = ui->check;
    check_session_size(&s->session, larger);
    await(ui);
}

static void toggle(struct ui *ui)
{
    struct check_screen *s = ui->check;
    check_session_toggle(&s->session, s->session.selected);
    await(ui);
}

static void select_rule(struct check_screen *s, enum action action)
{
    size_t last = check_rules(s->session.model) - 1;
    size_t *at = &s->session.selected;
    switch ((unsigned)action) {
    case ACT_UP:
        *at -= *at > 0;
        break;
    case ACT_DOWN:
        *at += *at < last;
        break;
    case ACT_FIRST:
        *at = 0;
        break;
    case ACT_LAST:
        *at = last;
        break;
    default:
        break;
    }
}

/* To the first or last step. */
static void move_in_steps(struct ui *ui, enum action action)
{
    struct check_session *session = &ui->check->session;
    if (action == ACT_FIRST || action == ACT_LAST) {
        check_session_go(session, action == ACT_FIRST ? 0 : check_session_steps(session));
        check_run_drop(&ui->check->run);
    }
}

static enum verb verb_of(enum action action)
{
    static const struct {
        enum action action;
        enum verb verb;
    } table[] = {
        {ACT_UP, VERB_UP},           {ACT_DOWN, VERB_DOWN},
        {ACT_LEFT, VERB_LEFT},       {ACT_RIGHT, VERB_RIGHT},
        {ACT_PAGE_UP, VERB_PAGE_UP}, {ACT_PAGE_DOWN, VERB_PAGE_DOWN},
        {ACT_FIRST, VERB_FIRST},     {ACT_LAST, VERB_LAST},
        {ACT_ZOOM_IN, VERB_ZOOM_IN}, {ACT_ZOOM_OUT, VERB_ZOOM_OUT},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].action == action) {
            return table[i].verb;
        }
    }
    return VERB_NONE;
}

/* What stands on the right: the picture, or what is promised. */
static void page(struct ui *ui, enum action action)
{
    struct check_screen *s = ui->check;
    struct check_sight sight = check_screen_sight(s);
    if (check_screen_shows_world(s)) {
        check_pictures_move(&s->pictures, &sight, verb_of(action), s->pane);
        return;
    }
    int rows = s->pane.h > 2 ? s->pane.h - 1 : 1;
    s->scroll += action == ACT_PAGE_UP ? -rows : rows;
    s->scroll = s->scroll > s->scroll_most ? s->scroll_most : s->scroll;
    s->scroll = s->scroll < 0 ? 0 : s->scroll;
}

/* The topmost thing first: the search, the whole picture, the rules, the screen. */
static void close(struct ui *ui)
{
    struct check_screen *s = ui->check;
    if (check_session_searches(&s->session)) {
        check_session_cancel(&s->session);
        settle(s);
        ui_say(ui, STYLE_MESSAGE, "The search was stopped.");
    } else if (s->whole) {
        s->whole = false;
        check_run_drop(&s->run);
    } else if (s->rules && check_session_fails(&s->session)) {
        s->rules = false;
    } else {
        leave(ui);
    }
}

static void open_run(struct ui *ui)
{
    struct check_screen *s = ui->check;
    if (!check_screen_has_picture(s)) {
        say_no_failure(ui);
        return;
    }
    s->whole = !s->whole;
    s->rules = false;
    check_run_drop(&s->run);
}

static void one_event(struct ui *ui, bool back)
{
    struct check_screen *s = ui->check;
    if (!check_session_world(&s->session)) { /* only the schedule itself: a step is an event */
        walk(ui, back);
    } else if (!check_run_event(&s->run, &s->session, back)) {
        ui_say(ui, STYLE_DIM,
               back ? "This is where the step has ended." : "Nothing more will happen.");
    }
}

static void do_in_run(struct ui *ui, enum action action)
{
    struct check_screen *s = ui->check;
    struct check_sight sight = check_screen_sight(s);
    switch ((unsigned)action) {
    case ACT_EVENT:
    case ACT_EVENT_BACK:
        one_event(ui, action == ACT_EVENT_BACK);
        break;
    case ACT_PLAY:
        s->run.playing = !s->run.playing && check_session_world(&s->session);
        break;
    case ACT_SLOWER:
    case ACT_FASTER:
        check_run_speed(&s->run, action == ACT_FASTER);
        break;
    default:
        check_pictures_move(&s->pictures, &sight, verb_of(action), s->pane);
        break;
    }
}

static void do_everywhere(struct ui *ui, enum action action)
{
    struct check_screen *s = ui->check;
    switch ((unsigned)action) {
    case ACT_FORWARD:
    case ACT_BACK:
        walk(ui, action == ACT_BACK);
        break;
    case ACT_RULES:
        s->rules = !s->rules;
        break;
    case ACT_SWITCH:
        toggle(ui);
        break;
    case ACT_PUT_BACK:
        put_back(ui);
        break;
    case ACT_EXPLAIN:
        explain(ui);
        break;
    case ACT_PROTOCOL:
        next_protocol(ui);
        break;
    case ACT_LARGER:
    case ACT_SMALLER:
        change_size(ui, action == ACT_LARGER);
        break;
    case ACT_FOCUS_NEXT:
    case ACT_FOCUS_BEFORE:
        s->pictures.shown =
            (s->pictures.shown + (action == ACT_FOCUS_NEXT ? 1 : s->pictures.count - 1)) %
            s->pictures.count;
        break;
    case ACT_PAGE_UP:
    case ACT_PAGE_DOWN:
        page(ui, action);
        break;
    default:
        if (s->rules) {
            select_rule(s, action);
        } else {
            move_in_steps(ui, action);
        }
        break;
    }
}

void check_screen_action(struct ui *ui, enum action action)
{
    struct check_screen *s = ui->check;
    ui->dirty = true;
    if (!check_screen_works(ui, action)) {
        say_why_not(ui, action);
    } else if (action == ACT_LEAVE) {
        leave(ui);
    } else if (action == ACT_CLOSE) {
        close(ui);
    } else if (action == ACT_WHOLE) {
        open_run(ui);
    } else if (action == ACT_DESCRIBE) {
        describe(ui);
    } else if (s->whole && action != ACT_FORWARD && action != ACT_BACK &&
               action != ACT_FOCUS_NEXT && action != ACT_FOCUS_BEFORE && action != ACT_EXPLAIN) {
        do_in_run(ui, action);
    } else {
        do_everywhere(ui, action);
    }
}
