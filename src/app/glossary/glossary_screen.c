/*
 * glossary_screen: opening, moving and leaving. See glossary_screen.h.
 */
#include "app/glossary/glossary_screen.h"
#include "app/folders.h"
#include "base/alloc.h"
#include "view/plain.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORDS_COLUMNS 74
#define TICK_NS INT64_C(25000000) /* of a frame: keys are not kept waiting */

/* --- the list ----------------------------------------------------------------------------------
 */

bool glossary_has_headings(const struct glossary_screen *s)
{
    return s->heres > 0 && s->search.length == 0;
}

/* "On this step", its terms, a blank, "All terms" and these. */
size_t glossary_line_of(const struct glossary_screen *s, size_t row)
{
    if (!glossary_has_headings(s)) {
        return row;
    }
    return row < s->heres ? row + 1 : row + 3;
}

size_t glossary_lines(const struct glossary_screen *s)
{
    return s->rows > 0 ? glossary_line_of(s, s->rows - 1) + 1 : 0;
}

const struct glossary_entry *glossary_selected(const struct glossary_screen *s)
{
    return s->selected < s->rows ? &s->glossary->entry[s->row[s->selected]] : NULL;
}

static void make_rows(struct glossary_screen *s)
{
    const struct glossary *g = s->glossary;
    s->rows = 0;
    for (size_t i = 0; glossary_has_headings(s) && i < s->heres; i++) {
        s->row[s->rows++] = s->here[i];
    }
    for (size_t i = 0; i < g->count; i++) {
        if (glossary_matches(&g->entry[i], s->search.text)) {
            s->row[s->rows++] = i;
        }
    }
}

/* The entry that a search means most: the one of that name, else the first that begins so. */
static size_t meant(const struct glossary_screen *s)
{
    size_t named = glossary_find(s->glossary, s->search.text);
    for (size_t i = 0; named == GLOSSARY_NONE && i < s->rows; i++) {
        const char *term = s->glossary->entry[s->row[i]].term;
        if (strncasecmp(term, s->search.text, s->search.length) == 0) {
            named = s->row[i];
        }
    }
    return named;
}

/* After a change of the search: the same term stays selected when it is still there. */
static void search_changed(struct glossary_screen *s, size_t entry)
{
    make_rows(s);
    s->selected = 0;
    for (size_t i = s->rows; i > 0; i--) { /* the last one: among all terms */
        if (s->row[i - 1] == entry) {
            s->selected = i - 1;
            break;
        }
    }
}

static size_t selected_entry(const struct glossary_screen *s)
{
    return s->selected < s->rows ? s->row[s->selected] : GLOSSARY_NONE;
}

static void select_entry(struct glossary_screen *s, size_t entry)
{
    prompt_set(&s->search, "");
    s->searching = false;
    search_changed(s, entry);
}

/* The selected entry's picture is begun, if it is not the one in hand. */
static void follow_selection(struct glossary_screen *s)
{
    size_t entry = selected_entry(s);
    if (entry == s->shown || entry == GLOSSARY_NONE) {
        return;
    }
    s->shown = entry;
    s->why.text[0] = '\0';
    if (glossary_stage_begin(s->stage, &s->glossary->entry[entry], &s->why)) {
        s->view = (struct view_state){.argument = glossary_stage_argument(s->stage)};
    }
}

/* A picture that is made at once is there with the text. */
static void make_quick(struct glossary_screen *s)
{
    follow_selection(s);
    while (glossary_stage_is_quick(s->stage)) {
        glossary_stage_work(s->stage, &s->why);
    }
}

/* --- opening -----------------------------------------------------------------------------------
 */

static void add_text(struct str *out, const char *text)
{
    if (text != NULL && *text != '\0') {
        str_add(out, text);
        str_add(out, "\n\n");
    }
}

/* What of a page can be read now. */
static void visible_text(const struct page *page, struct str *out)
{
    const struct page_question *q = &page->question;
    add_text(out, page->step_title);
    add_text(out, page->say);
    add_text(out, q->kind != QUESTION_NONE ? q->ask : "");
    for (size_t i = 0; q->kind != QUESTION_NONE && i < q->choices; i++) {
        add_text(out, q->choice[i].text);
    }
    for (size_t i = 0; q->kind != QUESTION_NONE && i < q->hints_shown; i++) {
        add_text(out, q->hint[i]);
    }
    if (q->kind != QUESTION_NONE && q->judged) {
        add_text(out, q->feedback);
    }
    add_text(out, page->after);
    add_text(out, page->task);
    for (size_t i = 0; i < page->task_hints_shown; i++) {
        add_text(out, page->task_hint[i]);
    }
}

static void find_here(struct ui *ui, struct glossary_screen *s)
{
    struct str text = STR_EMPTY;
    const struct page *page = course_page(ui);
    s->heres = 0;
    if (page) {
        visible_text(page, &text);
        s->heres = glossary_in_text(s->glossary, str_text(&text), s->here, GLOSSARY_HERE_MAX);
    }
    str_free(&text);
}

static struct glossary_screen *load(struct err *err)
{
    char *path = folders_glossary_path(err);
    struct glossary *g = path ? glossary_load(path, err) : NULL;
    free(path);
    if (!g || !glossary_good(g, err)) {
        glossary_free(g);
        return NULL;
    }
    struct glossary_screen *s = xcalloc(1, sizeof *s);
    s->glossary = g;
    s->stage = glossary_stage_new();
    s->row = xcalloc(g->count + GLOSSARY_HERE_MAX, sizeof *s->row);
    s->shown = GLOSSARY_NONE;
    return s;
}

void glossary_screen_free(struct glossary_screen *s)
{
    if (s) {
        glossary_stage_free(s->stage);
        glossary_free(s->glossary);
        free(s->row);
        free(s);
    }
}

bool glossary_screen_open(struct ui *ui, struct err *err)
{
    ui->glossary = ui->glossary ? ui->glossary : load(err);
    struct glossary_screen *s = ui->glossary;
    if (!s) {
        return false;
    }
    size_t last = selected_entry(s); /* as it was left, unless the step has terms of its own */
    s->from = ui->screen;
    s->trails = 0;
    s->whole = false;
    find_here(ui, s);
    select_entry(s, last);
    s->selected = s->heres > 0 ? 0 : s->selected;
    make_quick(s);
    ui->screen = SCREEN_GLOSSARY;
    ui->dirty = true;
    return true;
}

static void leave(struct ui *ui)
{
    ui->screen = ui->glossary->from;
    ui->dirty = true;
}

/* --- the picture -------------------------------------------------------------------------------
 */

bool glossary_screen_works_on(const struct ui *ui)
{
    const struct glossary_screen *s = ui->glossary;
    return ui->screen == SCREEN_GLOSSARY &&
           (glossary_stage_state(s->stage) == STAGE_WORKS ||
            (selected_entry(s) != s->shown && selected_entry(s) != GLOSSARY_NONE));
}

void glossary_screen_tick(struct ui *ui)
{
    struct glossary_screen *s = ui->glossary;
    int64_t end = clock_ns() + TICK_NS;
    follow_selection(s);
    do {
        glossary_stage_work(s->stage, &s->why);
    } while (glossary_stage_state(s->stage) == STAGE_WORKS && clock_ns() < end);
    ui->dirty = true;
}

static void finish_picture(struct ui *ui)
{
    while (glossary_screen_works_on(ui)) {
        glossary_screen_tick(ui);
    }
}

static void describe(struct ui *ui)
{
    struct glossary_screen *s = ui->glossary;
    finish_picture(ui);
    if (glossary_stage_state(s->stage) != STAGE_READY) {
        ui_say(ui, STYLE_WARN, "There is no picture to put into words.");
        return;
    }
    struct str body = STR_EMPTY;
    plain_pictures(&body, glossary_stage_scene(s->stage), WORDS_COLUMNS);
    popup_open_text(ui, "The picture in words", &body, false);
}

static bool move_picture(struct ui *ui, enum verb verb)
{
    struct glossary_screen *s = ui->glossary;
    const struct view *view = glossary_stage_view(s->stage);
    bool ready = glossary_stage_state(s->stage) == STAGE_READY;
    if (!ready || !view->move || s->pane.w < 1 || verb == VERB_NONE) {
        return false;
    }
    return view->move(&s->view, glossary_stage_scene(s->stage), verb, s->pane.w, s->pane.h);
}

/* --- keys --------------------------------------------------------------------------------------
 */

static void move_selection(struct glossary_screen *s, enum action action)
{
    size_t last = s->rows > 0 ? s->rows - 1 : 0;
    size_t page = s->height > 2 ? (size_t)s->height - 1 : 1;
    size_t *at = &s->selected;
    switch ((unsigned)action) {
    case ACT_UP:
        *at -= *at > 0;
        break;
    case ACT_DOWN:
        *at += *at < last;
        break;
    case ACT_PAGE_UP:
        *at -= *at > page ? page : *at;
        break;
    case ACT_PAGE_DOWN:
        *at = *at + page < last ? *at + page : last;
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

/* To the n-th term under See, counted from 0. */
static void see(struct ui *ui, size_t n)
{
    struct glossary_screen *s = ui->glossary;
    const struct glossary_entry *e = glossary_selected(s);
    size_t from = selected_entry(s);
    if (!e || n >= e->see.count) {
        ui_say(ui, STYLE_DIM,
               e && e->see.count > 0 ? "There are fewer terms under See."
                                     : "No term stands under See here.");
        return;
    }
    if (s->trails == GLOSSARY_TRAIL_MAX) {
        memmove(s->trail, s->trail + 1, (GLOSSARY_TRAIL_MAX - 1) * sizeof s->trail[0]);
        s->trails--;
    }
    s->trail[s->trails++] = from;
    select_entry(s, glossary_find(s->glossary, e->see.item[n]));
}

static void see_before(struct ui *ui)
{
    struct glossary_screen *s = ui->glossary;
    if (s->trails > 0) {
        select_entry(s, s->trail[--s->trails]);
    } else {
        ui_say(ui, STYLE_DIM, "No term led here.");
    }
}

const struct lesson_entry *glossary_part(const struct ui *ui, int part)
{
    for (size_t i = 0; i < ui->index->count; i++) {
        if (!ui->index->entry[i].drill && ui->index->entry[i].part == part) {
            return &ui->index->entry[i];
        }
    }
    return NULL;
}

/* The lesson under way is kept, as by leaving it; when it is that very part nothing is opened. */
static void open_part(struct ui *ui)
{
    struct err err;
    const struct glossary_entry *e = glossary_selected(ui->glossary);
    const struct lesson_entry *part = e ? glossary_part(ui, e->part) : NULL;
    bool there = ui->glossary->from == SCREEN_LESSON && part && ui->course.id &&
                 strcmp(part->id, ui->course.id) == 0;
    if (!part) {
        ui_say(ui, STYLE_WARN, "The part that teaches it is not here.");
    } else if (there) {
        leave(ui);
    } else if (!course_open(ui, part, true, &err)) {
        ui_say_err(ui, &err);
    }
}

/* The topmost thing first: the whole picture, the search, the glossary. */
static void close(struct ui *ui)
{
    struct glossary_screen *s = ui->glossary;
    if (s->whole) {
        s->whole = false;
    } else if (s->searching || s->search.length > 0) {
        select_entry(s, selected_entry(s));
    } else {
        leave(ui);
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

static void do_in_list(struct ui *ui, enum action action, uint32_t key)
{
    struct glossary_screen *s = ui->glossary;
    switch ((unsigned)action) {
    case ACT_RIGHT:
        see(ui, 0);
        break;
    case ACT_CHOOSE:
        see(ui, key > '0' && key <= '9' ? (size_t)(key - '1') : 0);
        break;
    case ACT_LEFT:
        see_before(ui);
        break;
    case ACT_OPEN:
        open_part(ui);
        break;
    case ACT_SEARCH:
        s->searching = true;
        break;
    case ACT_ZOOM_IN:
    case ACT_ZOOM_OUT:
        move_picture(ui, verb_of(action));
        break;
    default:
        move_selection(s, action);
        break;
    }
}

static void do_in_search(struct ui *ui, enum action action)
{
    struct glossary_screen *s = ui->glossary;
    size_t entry = selected_entry(s);
    if (action == ACT_ACCEPT) {
        s->searching = false;
    } else if (action == ACT_UP || action == ACT_DOWN) {
        move_selection(s, action);
    } else if (prompt_edit(&s->search, action)) {
        search_changed(s, entry);
    }
}

bool glossary_screen_searches(const struct ui *ui)
{
    return ui->glossary->searching;
}

bool glossary_screen_whole(const struct ui *ui)
{
    return ui->glossary->whole;
}

size_t glossary_screen_sees(const struct ui *ui)
{
    const struct glossary_entry *e = glossary_selected(ui->glossary);
    size_t count = e ? e->see.count : 0;
    return count < GLOSSARY_SEE_MAX ? count : GLOSSARY_SEE_MAX;
}

void glossary_screen_type(struct ui *ui, uint32_t point)
{
    struct glossary_screen *s = ui->glossary;
    prompt_insert(&s->search, point);
    make_rows(s);
    search_changed(s, meant(s));
    make_quick(s);
}

void glossary_screen_action(struct ui *ui, enum action action, uint32_t key)
{
    struct glossary_screen *s = ui->glossary;
    ui->dirty = true;
    if (action == ACT_GLOSSARY || action == ACT_LEAVE) {
        leave(ui);
        return;
    }
    if (action == ACT_CLOSE) {
        close(ui);
    } else if (s->searching) {
        do_in_search(ui, action);
    } else if (action == ACT_DESCRIBE) {
        describe(ui);
    } else if (action == ACT_FOCUS_NEXT) {
        s->whole = !s->whole && s->rows > 0;
    } else if (s->whole) {
        move_picture(ui, verb_of(action));
    } else {
        do_in_list(ui, action, key);
    }
    make_quick(s);
}

bool glossary_screen_works(const struct ui *ui, enum action action, enum context where)
{
    const struct glossary_screen *s = ui->glossary;
    const struct glossary_entry *e = glossary_selected(s);
    if (where == IN_SEARCH) {
        return true;
    }
    switch ((unsigned)action) {
    case ACT_RIGHT:
        return s->whole || (e && e->see.count > 0);
    case ACT_CHOOSE:
        return !s->whole && e && e->see.count > 1;
    case ACT_LEFT:
        return s->whole || s->trails > 0;
    case ACT_OPEN:
        return !s->whole && e && glossary_part(ui, e->part);
    case ACT_SEARCH:
        return !s->whole;
    case ACT_FOCUS_NEXT:
    case ACT_DESCRIBE:
        return e != NULL;
    default:
        return true;
    }
}
