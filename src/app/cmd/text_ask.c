/*
 * text_ask: a lesson in lines, with a person who answers. See text_run.h.
 *
 * One line in, one answer out. Words that are no answers: `hint`, `show` (show me), `back`,
 * `again`, `quit`, `help`, `help COMMAND`, `open 3` (the run behind a table's row), `leave`,
 * `place` (the placement check), `undo`, `redo`, `glossary TERM`; an empty line goes on. Where an
 * explanation is asked, `help` and `glossary` need a command or a term that there is: "help comes
 * from the map" explains. After an explanation digits mark its points. While the cluster may be
 * acted on, a line is a command ("like likes:{p9} via R5", "deaf R5 on"). Prompts appear only when
 * standard input is a terminal; its end is as good as `quit`.
 */
#include "app/cmd/cli.h"
#include "app/cmd/cmd_glossary.h"
#include "app/cmd/text_run.h"
#include "app/notes.h"
#include "base/file.h"
#include "base/num.h"
#include "draw/prose.h"
#include "engine/words/command_help.h"
#include "view/plain.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES_MAX 4096
#define LINE_COLUMNS 80

struct talk {
    const struct options *options;
    struct player *player;
    struct progress *progress;
    struct line_reader *in;
    struct str out, line, told;
    bool prompts, warned;
};

static const struct page *page_of(const struct talk *t)
{
    return player_page(t->player);
}

static void say_err(const struct err *err)
{
    (void)cli_fail(err);
}

/* Once a session; it goes on without. */
static void kept_or_warned(struct talk *t, bool kept, const struct err *err)
{
    if (!kept && !t->warned) {
        t->warned = true;
        cli_note("progress is not kept: %s", err->text);
    }
}

/* Time that was let pass before what comes next. */
static void keep_time(struct talk *t)
{
    struct err err;
    kept_or_warned(t, notes_add_wait(t->progress, t->player, options_now(t->options), &err), &err);
}

static void keep(struct talk *t, enum note note)
{
    struct err err;
    keep_time(t);
    bool kept = notes_add(t->progress, note, page_of(t), options_now(t->options), &err);
    kept_or_warned(t, kept, &err);
}

static void keep_words(struct talk *t, const char *act)
{
    struct err err;
    keep_time(t);
    bool kept = notes_add_act(t->progress, act, page_of(t), options_now(t->options), &err);
    kept_or_warned(t, kept, &err);
}

static void keep_act(struct talk *t, const struct command *command)
{
    struct str words = STR_EMPTY;
    command_say(command, &words);
    keep_words(t, str_text(&words));
    str_free(&words);
}

static bool question_open(const struct page *page)
{
    return page->question.kind != QUESTION_NONE && page->question.state == QUESTION_OPEN;
}

static bool explains(const struct page *page)
{
    return page->question.kind == QUESTION_EXPLAIN && question_open(page);
}

/* An explanation was given, and its points can be marked. */
static bool marks(const struct page *page)
{
    const struct page_question *q = &page->question;
    return q->kind == QUESTION_EXPLAIN && q->state == QUESTION_ANSWERED && q->judged;
}

static bool task_open(const struct page *page)
{
    return *page->task && !page->task_met && !page->task_skipped;
}

/* The next line into t->line; false at the end. */
static bool ask(struct talk *t)
{
    struct bytes line;
    struct err err;
    const struct page *page = page_of(t);
    if (t->prompts) {
        fputs(*page->visiting       ? "enter or leave leads back (or again, quit): "
              : explains(page)      ? "say it, then enter; or type it (or hint, show, back, quit): "
              : question_open(page) ? "your answer (or hint, show, back, quit): "
              : task_open(page)     ? "do it (or hint, show, back, quit): "
              : marks(page)   ? "digits mark what was in yours, enter goes on (or back, quit): "
              : page->replays ? "enter plays it again (or back, quit): "
                              : "enter goes on (or back, quit): ",
              stdout);
    }
    fflush(stdout);
    int got = line_reader_next(t->in, &line, &err);
    if (got < 0) {
        say_err(&err);
    }
    str_clear(&t->line);
    if (got > 0) {
        size_t from = 0;
        size_t end = line.length;
        while (from < end && strchr(" \t\r", line.at[from])) {
            from++;
        }
        while (end > from && strchr(" \t\r", line.at[end - 1])) {
            end--;
        }
        str_addn(&t->line, line.at + from, end - from);
    }
    return got > 0;
}

static void show_step(struct talk *t)
{
    if (t->prompts) { /* measured times are for people */
        player_measure(t->player);
    }
    struct scene scene = text_scene(t->player);
    text_step_before(&t->out, &scene, &t->told);
    if (!question_open(page_of(t))) {
        text_step_after(&t->out, &scene, &t->told);
        if (*page_of(t)->task) {
            plain_task(&t->out, &scene, 0);
        }
    }
    if (page_of(t)->can_place && t->prompts) {
        puts("Do you know this part? `place` asks a few questions, and the lesson goes on further "
             "along.");
    }
    text_print(&t->out);
}

/* The run goes to its end, and what came of it is told. */
static bool finish(struct talk *t, struct err *err)
{
    if (page_of(t)->running && !player_finish_run(t->player, err)) {
        return false;
    }
    struct scene scene = text_scene(t->player);
    text_step_after(&t->out, &scene, &t->told);
    if (task_open(page_of(t))) {
        plain_task(&t->out, &scene, 0);
    }
    text_print(&t->out);
    return true;
}

static void tell_hint(struct talk *t)
{
    if (!player_hint(t->player)) {
        puts("There is no further hint.");
        return;
    }
    const struct page *page = page_of(t);
    const char *hint = question_open(page) ? page->question.hint[page->question.hints_shown - 1]
                                           : page->task_hint[page->task_hints_shown - 1];
    str_add(&t->out, "Hint\n");
    prose_plain(&t->out, hint, LINE_COLUMNS, 2);
    text_print(&t->out);
}

/* What the trace gained since `from`, a line a record. */
static void tell_trace(struct talk *t, uint64_t from)
{
    const struct world *w = player_world(t->player);
    for (uint64_t sequence = from; sequence < trace_next(w); sequence++) {
        const struct trace_record *record = trace_get(w, sequence);
        if (record) {
            trace_say(w, record, &t->out);
            str_addc(&t->out, '\n');
        }
    }
    text_print(&t->out);
}

static bool play_until_answered(struct talk *t, bool request, struct err *err)
{
    const struct world *w = player_world(t->player);
    struct request_info info;
    uint64_t number = world_last_request(w);
    for (int i = 0; i < 1000000; i++) {
        if (request ? !world_request(w, number, &info) || info.done : world_all_answered(w)) {
            return true;
        }
        if (!player_event(t->player, err)) {
            return false;
        }
    }
    return true;
}

/* What the pictures and the texts say now. */
static void show_state(struct talk *t)
{
    struct scene scene = text_scene(t->player);
    text_pictures(&t->out, &scene, &t->told);
    if (*page_of(t)->after) {
        plain_after(&t->out, &scene, 0);
    }
    text_knobs(&t->out, page_of(t));
    text_print(&t->out);
}

static bool turn_knob(struct talk *t, const char *name, const char *value, struct err *err)
{
    struct str words = STR_EMPTY;
    if (!player_turn(t->player, name, value, err)) {
        return false;
    }
    str_addf(&words, "knob %s %s", name, value);
    keep_words(t, str_text(&words));
    str_free(&words);
    show_state(t);
    return true;
}

static bool act(struct talk *t, struct err *err)
{
    struct command command;
    char name[KNOB_WORD_MAX], value[KNOB_WORD_MAX];
    if (player_knob_line(t->player, str_text(&t->line), name, value)) {
        return turn_knob(t, name, value, err);
    }
    if (!player_world(t->player)) {
        return err_set(err, "there is no cluster to act on here; an empty line goes on");
    }
    uint64_t from = trace_next(player_world(t->player));
    if (!command_parse_typed(str_text(&t->line), page_of(t)->router, &command, err) ||
        !player_act(t->player, &command, err)) {
        return false;
    }
    keep_act(t, &command);
    if (!play_until_answered(t, command.kind == COMMAND_REQUEST, err)) {
        return false;
    }
    tell_trace(t, from);
    if (command_told(player_world(t->player), &command, &t->out)) {
        str_addc(&t->out, '\n');
        text_print(&t->out);
    }
    return true;
}

enum turn {
    TURN_STAY,
    TURN_STEP, /* another step is shown */
    TURN_QUIT,
    TURN_END
};

/* The pictures of another world. */
static void show_pictures(struct talk *t)
{
    struct scene scene = text_scene(t->player);
    text_pictures(&t->out, &scene, &t->told);
    text_print(&t->out);
}

static void tell_done(struct talk *t, bool was_open)
{
    if (was_open && !task_open(page_of(t))) {
        puts("Done. The lesson goes on.");
        keep(t, NOTE_GOAL);
    }
}

/* "open 3" */
static void open_row(struct talk *t, const char *number)
{
    struct err err;
    uint64_t row = 0;
    bool was_open = task_open(page_of(t));
    if (!num_parse_u64(number, "the row", 1, PAGE_TABLE_ROWS_MAX, &row, &err) ||
        !player_visit(t->player, (size_t)row - 1, &err)) {
        say_err(&err);
        return;
    }
    str_addf(&t->out, "The run of \"%s\"; `leave` leads back.\n", page_of(t)->visiting);
    show_pictures(t);
    tell_done(t, was_open);
}

static void leave_row(struct talk *t)
{
    bool left = player_leave(t->player);
    puts(left ? "Back in the lesson." : "No run is open here.");
    if (left && !text_is_lazy(page_of(t))) {
        show_pictures(t);
    }
}

static enum turn place(struct talk *t)
{
    struct err err;
    if (!player_place(t->player, &err)) {
        say_err(&err);
        return TURN_STAY;
    }
    return TURN_STEP;
}

static enum turn go_on(struct talk *t)
{
    struct err err;
    const char *step = page_of(t)->step_id;
    if (*page_of(t)->visiting) {
        leave_row(t);
        return TURN_STAY;
    }
    switch (player_forward(t->player, &err)) {
    case PLAYER_MOVED:
        if (page_of(t)->step_id != step) {
            return TURN_STEP;
        }
        if (!finish(t, &err)) {
            say_err(&err);
        }
        return TURN_STAY;
    case PLAYER_ASKS:
        puts("An answer first; `hint` gives a hint, `show` shows you.");
        return TURN_STAY;
    case PLAYER_END:
        keep(t, NOTE_DONE);
        return TURN_END;
    case PLAYER_FAULT:
        say_err(&err);
        return TURN_STEP;
    }
    return TURN_STAY;
}

/* As the keys u and U do it on the screen. */
static void take_back(struct talk *t, bool undo)
{
    bool was_open = task_open(page_of(t));
    if (!(undo ? player_undo(t->player) : player_redo(t->player))) {
        puts(undo ? "There is nothing to undo." : "There is nothing to do again.");
        return;
    }
    keep_words(t, undo ? "undo" : "redo");
    puts(undo ? "Undone." : "Done again.");
    show_state(t);
    tell_done(t, was_open);
}

static enum turn take_answer(struct talk *t, bool show)
{
    struct err err;
    bool was_task = !question_open(page_of(t));
    bool was_open = task_open(page_of(t));
    bool good = show       ? player_skip(t->player, &err)
                : was_task ? act(t, &err)
                           : player_answer(t->player, str_text(&t->line), &err);
    if (!good || ((!was_task || show) && !finish(t, &err))) {
        say_err(&err);
        return TURN_STAY;
    }
    if (!was_task) {
        keep(t, NOTE_QUESTION);
    }
    tell_done(t, was_task && was_open);
    return TURN_STAY;
}

/* "1 3": these points were in it, or after all were not. */
static enum turn mark(struct talk *t)
{
    struct err err;
    for (const char *at = str_text(&t->line); *at; at++) {
        if (*at != ' ' && *at != ',' && !player_mark(t->player, (size_t)(*at - '1'), &err)) {
            say_err(&err);
            return TURN_STAY;
        }
    }
    keep(t, NOTE_QUESTION);
    struct scene scene = text_scene(t->player);
    plain_feedback(&t->out, &scene, 0);
    text_print(&t->out);
    return TURN_STAY;
}

/* "help migrate": one command; "help": all, and what else a line may be, where it is seen last. */
static void tell_help(struct talk *t, const char *name)
{
    struct err err;
    if (*name != '\0') {
        if (!command_help_of(name, &t->out, &err)) {
            say_err(&err);
        }
        text_print(&t->out);
        return;
    }
    if (player_world(t->player)) {
        str_add(&t->out, "Where you may act, a line may be a command:\n\n");
        command_help(&t->out);
        str_addc(&t->out, '\n');
        text_print(&t->out);
    }
    puts("An empty line goes on. `hint`, `show` (show me), `back`, `again` (this step once more),\n"
         "`undo`, `redo` (what you did), `quit`. After an explanation digits mark its points.\n"
         "`open 3` opens the run behind a row of a table, `leave` leads back.\n"
         "`glossary slot` says what a term means, `glossary` lists them.");
}

/* "help", "?", "help migrate": what stands behind it, NULL if the line is something else. */
static const char *after_help(const char *line)
{
    size_t length = *line == '?' ? 1 : str_starts(line, "help") ? 4 : 0;
    if (length == 0 || (line[length] != '\0' && line[length] != ' ')) {
        return NULL;
    }
    return line + length + strspn(line + length, " ");
}

/* "glossary", "glossary hash slot", in the same way. */
static const char *after_glossary(const char *line)
{
    size_t length = strlen("glossary");
    if (!str_starts(line, "glossary") || (line[length] != '\0' && line[length] != ' ')) {
        return NULL;
    }
    return line + length + strspn(line + length, " ");
}

/* "help comes from the map" is an explanation, where one is asked. */
static bool is_explanation(const struct talk *t, const char *line)
{
    struct err err;
    const char *help = after_help(line), *term = after_glossary(line);
    if (!explains(page_of(t)) || *page_of(t)->visiting) {
        return false;
    }
    if (help && *help != '\0') {
        struct str told = STR_EMPTY;
        bool known = command_help_of(help, &told, &err);
        str_free(&told);
        return !known;
    }
    return (term && *term != '\0' && !glossary_has(term)) ||
           (str_starts(line, "open ") && line[5 + strspn(line + 5, "0123456789")] != '\0');
}

static enum turn take_line(struct talk *t)
{
    const char *line = str_text(&t->line);
    bool open = question_open(page_of(t)) || task_open(page_of(t));
    if (strcmp(line, "quit") == 0) {
        return TURN_QUIT;
    }
    if (strcmp(line, "back") == 0) {
        if (!player_back(t->player)) {
            puts("This is the first step.");
        }
        return TURN_STEP;
    }
    if (strcmp(line, "place") == 0 && page_of(t)->can_place) {
        return place(t);
    }
    if (is_explanation(t, line)) {
        return take_answer(t, false);
    }
    if (page_of(t)->table && str_starts(line, "open ")) {
        open_row(t, line + strlen("open "));
    } else if (page_of(t)->table && strcmp(line, "leave") == 0) {
        leave_row(t);
    } else if (strcmp(line, "again") == 0) {
        show_step(t);
    } else if (strcmp(line, "undo") == 0 || strcmp(line, "redo") == 0) {
        take_back(t, *line == 'u');
    } else if (after_help(line)) {
        tell_help(t, after_help(line));
    } else if (after_glossary(line)) {
        (void)glossary_tell(after_glossary(line), false);
    } else if (strcmp(line, "hint") == 0) {
        tell_hint(t);
    } else if (strcmp(line, "show") == 0 && open) {
        return take_answer(t, true);
    } else if (!*line && !(explains(page_of(t)) && !*page_of(t)->visiting)) {
        return go_on(t);
    } else if (*line && marks(page_of(t)) && line[strspn(line, "0123456789 ,")] == '\0') {
        return mark(t);
    } else {
        return take_answer(t, false);
    }
    return TURN_STAY;
}

static enum turn talk_all(struct talk *t)
{
    enum turn turn = TURN_STEP;
    while (turn == TURN_STAY || turn == TURN_STEP) {
        if (turn == TURN_STEP) {
            if (!page_of(t)->check) { /* no place to go on at */
                keep(t, NOTE_STEP);
            }
            show_step(t);
        }
        turn = ask(t) ? take_line(t) : TURN_QUIT;
    }
    return turn;
}

/* Where the learner left it; drills always start anew. */
static void resume(struct talk *t)
{
    struct err err;
    const struct page *page = page_of(t);
    if (t->progress && !page->drill && !progress_done(t->progress, page->lesson_id) &&
        !player_resume(t->player, t->progress, &err)) {
        say_err(&err);
    }
}

int text_ask_play(const struct text_run *run, struct player *player)
{
    struct err err;
    struct talk t = {.options = run->options, .player = player};
    t.prompts = isatty(STDIN_FILENO) == 1;
    t.in = line_reader_open("-", LINE_BYTES_MAX, &err);
    if (!t.in) {
        return cli_fail(&err);
    }
    t.progress = progress_load(NULL, &err);
    kept_or_warned(&t, t.progress != NULL, &err);
    if (t.progress && progress_skipped_lines(t.progress) > 0) {
        struct str words = STR_EMPTY;
        notes_say_skipped(t.progress, &words);
        cli_note("%s", str_text(&words));
        str_free(&words);
    }
    resume(&t);
    if (talk_all(&t) == TURN_QUIT) {
        puts(t.prompts ? "Kept. The lesson goes on where you left it." : "");
    }
    if (t.progress) {
        progress_free(t.progress);
    }
    line_reader_close(t.in);
    str_free(&t.told);
    str_free(&t.line);
    str_free(&t.out);
    return CLI_YES;
}

const struct lesson_entry *text_run_where_left(const struct lesson_index *index, struct err *err)
{
    const struct lesson_entry *found = NULL;
    struct progress *progress = progress_load(NULL, NULL);
    const char *last = progress ? progress_last_place(progress) : NULL;
    for (size_t i = 0; i < index->count; i++) {
        const struct lesson_entry *entry = &index->entry[i];
        if (last && strcmp(entry->id, last) == 0) {
            found = entry;
            break;
        }
        if (!entry->drill && !found) {
            found = entry;
        }
    }
    if (progress) {
        progress_free(progress);
    }
    if (!found) {
        err_set(err, "no lessons were found; set HOTSHARD_LESSONS to their folder");
    }
    return found;
}
