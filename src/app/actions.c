/*
 * actions: what each action of the key table needs, and who does it. See ui.h.
 */
#include "app/ui.h"

static bool question_open(const struct page *page)
{
    return page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN &&
           !page->running;
}

static bool has_hint(const struct page *page)
{
    if (question_open(page)) {
        return page->question.hints_shown < page->question.hints;
    }
    return course_waits(page) && page->task_hints_shown < page->task_hints;
}

static bool choice_asked(const struct page *page)
{
    enum question_kind kind = page->question.kind;
    bool chosen = kind == QUESTION_CHOICE || kind == QUESTION_SEVERAL;
    return (chosen && question_open(page)) || course_marks(page);
}

static bool line_asked(const struct ui *ui, const struct page *page)
{
    enum question_kind kind = page->question.kind;
    return (kind == QUESTION_TEXT || kind == QUESTION_EXPLAIN) && question_open(page) &&
           course_field_mode(ui) == FIELD_NONE;
}

/* What the page offers for acting on its cluster. */
static bool cluster_works(const struct ui *ui, const struct page *page, enum action action)
{
    if (page->running || *page->visiting || !player_world(ui->course.player)) {
        return false;
    }
    switch ((unsigned)action) {
    case ACT_ROUTE:
        return cluster_offers(page, ACTION_ROUTE);
    case ACT_STALE:
        return cluster_offers(page, ACTION_STALE);
    case ACT_RELOAD:
        return cluster_offers(page, ACTION_RELOAD);
    case ACT_MOVE:
        return cluster_offers(page, ACTION_MOVE);
    case ACT_KEY:
        return cluster_offers(page, ACTION_KEY);
    case ACT_BREAK:
        return cluster_offers(page, ACTION_BREAK) && page->breaks < RULE_COUNT &&
               !page->protocol.name; /* there the same key breaks the protocol */
    case ACT_ROUTER:
        return cluster_offers(page, ACTION_ROUTE) || cluster_offers(page, ACTION_STALE) ||
               cluster_offers(page, ACTION_RELOAD);
    default:
        return true;
    }
}

static bool lesson_works(const struct ui *ui, const struct page *page, enum action action)
{
    switch ((unsigned)action) {
    case ACT_BACK:
        return page->step > 0 || page->check || *page->visiting;
    case ACT_PLACE:
        return page->can_place && !page->running && !*page->visiting;
    case ACT_VISIT:
        return course_at_row(ui);
    case ACT_CHOOSE:
        return choice_asked(page);
    case ACT_ANSWER:
        return line_asked(ui, page);
    case ACT_HINT:
        return has_hint(page);
    case ACT_SHOW_ME:
        return course_waits(page) && !page->running && !*page->visiting;
    case ACT_ROUTE:
    case ACT_ROUTER:
    case ACT_STALE:
    case ACT_RELOAD:
    case ACT_MOVE:
    case ACT_BREAK:
    case ACT_KEY:
    case ACT_COMMAND:
        return cluster_works(ui, page, action);
    case ACT_MORE_SHARDS:
    case ACT_FEWER_SHARDS:
    case ACT_TOKENS:
    case ACT_SCHEME:
    case ACT_WEIGHT:
    case ACT_CAP:
    case ACT_TURN_KEY:
    case ACT_SALT:
    case ACT_ROUTERS:
    case ACT_SIZE:
    case ACT_CHOICE:
        return knobs_work(page, action);
    case ACT_UNDO:
        return player_can_undo(ui->course.player);
    case ACT_REDO:
        return player_can_redo(ui->course.player);
    case ACT_PLAY:
    case ACT_EVENT:
        return play_possible(ui);
    case ACT_EVENT_BACK:
        return player_world(ui->course.player) != NULL;
    case ACT_SLOWER:
    case ACT_FASTER:
        return play_running(ui) || ui->course.paused;
    case ACT_DIFF:
        return picture_shown(page, "slot_map");
    case ACT_INSPECT:
        return page->shows > 0 && player_world(ui->course.player);
    case ACT_UP:
    case ACT_DOWN:
        return ui->course.focus > 0 || ui->course.text_rows > ui->course.text_height;
    case ACT_ZOOM_IN:
    case ACT_ZOOM_OUT:
    case ACT_DESCRIBE:
    case ACT_FOCUS_NEXT:
    case ACT_FOCUS_BEFORE:
        return page->shows > 0;
    case ACT_CLOSE:
        return *page->visiting; /* nothing else is open over the lesson */
    default:
        return true;
    }
}

/* A text that says what comes next; the help may lie over it. */
static bool offers_to_open(const struct ui *ui)
{
    bool offers = false;
    for (size_t i = 0; i < ui->popups; i++) {
        offers = offers || (ui->popup[i].kind == POPUP_TEXT && ui->popup[i].purpose == ACT_OPEN);
    }
    return offers;
}

bool action_works(const struct ui *ui, enum action action, enum context where)
{
    const struct page *page = course_page(ui);
    if (where == IN_LESSON) {
        return page && lesson_works(ui, page, action);
    }
    if (where == IN_PLAY) {
        return play_screen_works(ui, action);
    }
    if (where == IN_GLOSSARY || where == IN_SEARCH) {
        return glossary_screen_works(ui, action, where);
    }
    if (where == IN_CHECK || where == IN_RULES || where == IN_RUN) {
        return check_screen_works(ui, action);
    }
    bool of_question = action == ACT_HINT || action == ACT_SHOW_ME || action == ACT_PLACE;
    if (where == IN_FIELD && of_question) {
        return ui->popups == 0 && page && lesson_works(ui, page, action);
    }
    if (where == IN_FIELD && ui->popups == 0) { /* the answer's field */
        return page &&
               (page->shows > 0 || (action != ACT_FOCUS_NEXT && action != ACT_FOCUS_BEFORE));
    }
    if (where == IN_TEXT && action == ACT_OPEN) {
        return offers_to_open(ui);
    }
    if (where == IN_FIELD) {
        return action != ACT_FOCUS_NEXT && action != ACT_FOCUS_BEFORE && action != ACT_GLOSSARY;
    }
    return true;
}

static void do_everywhere(struct ui *ui, enum action action)
{
    if (action == ACT_HELP && ui_context(ui) == IN_COMMAND) {
        command_line_help(ui, "");
    } else if (action == ACT_HELP) {
        popup_open_help(ui);
    } else if (action == ACT_KEY_LINE) {
        ui->key_line_hidden = !ui->key_line_hidden;
    } else if (action == ACT_REDRAW) {
        ui->full = true;
    } else if (action == ACT_SUSPEND) {
        term_suspend(ui->term);
        ui->full = true;
    }
}

static void open_playground(struct ui *ui)
{
    struct err err;
    if (!play_screen_open(ui, NULL, &err)) {
        ui_say_err(ui, &err);
    }
}

static void open_glossary(struct ui *ui)
{
    struct err err;
    if (!glossary_screen_open(ui, &err)) {
        ui_say_err(ui, &err);
    }
}

static void open_check(struct ui *ui)
{
    struct err err;
    const struct page *page = course_page(ui);
    if (!check_screen_open(ui, page ? &page->protocol : NULL, &err)) {
        ui_say_err(ui, &err);
    }
}

static void leave_playground(struct ui *ui)
{
    struct err err;
    ui->screen = SCREEN_HOME;
    if (play_screen_keep(ui, &err)) {
        ui_say(ui, STYLE_MESSAGE, "The playground stays as it is.");
    } else {
        ui_say_err(ui, &err);
    }
}

/* Out of the lesson or playground to the course, and from there out of the program. Nothing is
 * unsaved. */
static void leave(struct ui *ui)
{
    if (ui->screen == SCREEN_PLAY) {
        leave_playground(ui);
    } else if (ui->screen == SCREEN_LESSON) {
        ui->screen = SCREEN_HOME;
        screen_home_enter(ui);
        course_close(ui);
        ui_say(ui, STYLE_MESSAGE, "Kept. The lesson goes on where you left it.");
    } else {
        ui->quit = true;
    }
}

/* Keys of the answer's field that are not characters. */
static void do_in_field(struct ui *ui, enum action action)
{
    struct prompt *field = &ui->course.field;
    if (action == ACT_ACCEPT) {
        course_answer(ui);
    } else if (action == ACT_CLOSE) {
        ui->course.field_left = true;
        struct str key = STR_EMPTY;
        keymap_say(&ui->keymap, ACT_ANSWER, IN_LESSON, &key);
        ui_say(ui, STYLE_DIM, "Keys are commands now; %s goes on typing.", str_text(&key));
        str_free(&key);
    } else if (action == ACT_HINT) {
        course_hint(ui);
    } else if (action == ACT_SHOW_ME) {
        course_show_me(ui);
    } else if (action == ACT_PLACE) {
        course_place(ui);
    } else if (action == ACT_ERASE && field->length == 0) {
        course_back(ui);
    } else if (action == ACT_FOCUS_NEXT || action == ACT_FOCUS_BEFORE) {
        picture_action(ui, action);
    } else {
        prompt_edit(field, action);
    }
}

static void do_in_lesson(struct ui *ui, enum action action, uint32_t key)
{
    switch ((unsigned)action) {
    case ACT_FORWARD:
        course_forward(ui);
        break;
    case ACT_VISIT:
        course_visit(ui);
        break;
    case ACT_CLOSE:
        course_leave_visit(ui);
        break;
    case ACT_PLACE:
        course_place(ui);
        break;
    case ACT_BACK:
        course_back(ui);
        break;
    case ACT_CHOOSE:
        course_choose(ui, key);
        break;
    case ACT_ANSWER:
        ui->course.focus = 0;
        ui->course.field_left = false;
        break;
    case ACT_HINT:
        course_hint(ui);
        break;
    case ACT_SHOW_ME:
        course_show_me(ui);
        break;
    case ACT_ROUTE:
    case ACT_ROUTER:
    case ACT_STALE:
    case ACT_RELOAD:
    case ACT_MOVE:
    case ACT_BREAK:
    case ACT_KEY:
    case ACT_COMMAND:
        cluster_start(ui, action);
        break;
    case ACT_MORE_SHARDS:
    case ACT_FEWER_SHARDS:
    case ACT_TOKENS:
    case ACT_SCHEME:
    case ACT_WEIGHT:
    case ACT_CAP:
    case ACT_TURN_KEY:
    case ACT_SALT:
    case ACT_ROUTERS:
    case ACT_SIZE:
    case ACT_CHOICE:
        knobs_turn(ui, action);
        break;
    case ACT_UNDO:
        cluster_undo(ui);
        break;
    case ACT_REDO:
        cluster_redo(ui);
        break;
    case ACT_PLAY:
    case ACT_SLOWER:
    case ACT_FASTER:
    case ACT_EVENT:
    case ACT_EVENT_BACK:
        play_action(ui, action);
        break;
    default:
        picture_action(ui, action);
        break;
    }
}

static const char *why_not(const struct ui *ui, enum action action)
{
    const struct page *page = course_page(ui);
    if (page && page->running) {
        return "not while the step runs";
    }
    if (page && *page->visiting) {
        return "leave this run with esc first";
    }
    if (action == ACT_UNDO || action == ACT_REDO) {
        return "there is nothing to undo or do again";
    }
    if (action == ACT_PLAY || action == ACT_EVENT) {
        return "nothing is waiting to happen";
    }
    if (action == ACT_BACK) {
        return "this is the first step";
    }
    return "not on this step";
}

void action_do(struct ui *ui, enum action action, uint32_t key)
{
    enum context where = ui_context(ui);
    ui->dirty = true;
    if (action == ACT_HELP || action == ACT_KEY_LINE || action == ACT_REDRAW ||
        action == ACT_SUSPEND) {
        do_everywhere(ui, action);
    } else if (ui->popups > 0) {
        popup_action(ui, action);
    } else if (ui->screen == SCREEN_GLOSSARY) {
        glossary_screen_action(ui, action, key);
    } else if (action == ACT_GLOSSARY) {
        open_glossary(ui);
    } else if (ui->screen == SCREEN_CHECK) {
        check_screen_action(ui, action);
    } else if (action == ACT_CHECK) {
        open_check(ui);
    } else if (action == ACT_LEAVE) {
        leave(ui);
    } else if (action == ACT_PLAYGROUND) {
        open_playground(ui);
    } else if (ui->screen == SCREEN_HOME) {
        screen_home_action(ui, action);
    } else if (ui->screen == SCREEN_PLAY) {
        play_screen_action(ui, action);
    } else if (where == IN_FIELD) {
        do_in_field(ui, action);
    } else if (action_works(ui, action, IN_LESSON)) {
        do_in_lesson(ui, action, key);
    } else if (action != ACT_CLOSE && action != ACT_UP && action != ACT_DOWN) {
        ui_say(ui, STYLE_DIM, "That key has nothing to do: %s.", why_not(ui, action));
    }
}
