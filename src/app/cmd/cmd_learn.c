/*
 * cmd_learn: `hotshard` and `hotshard learn [LESSON]`: the screens, and what they need around them:
 * a terminal (or a script, or --plain), the journal, and the signal that ended it.
 */
#include "app/cmd/cmd_learn.h"
#include "app/cmd/text_run.h"
#include "app/folders.h"
#include "app/loop.h"
#include "base/alloc.h"
#include "base/file.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lesson of the last step that was reached, else the first. NULL: there is none at all. */
static const struct lesson_entry *entry_where_left(const struct ui *ui)
{
    const char *last = ui->progress ? progress_last_place(ui->progress) : NULL;
    const struct lesson_entry *first = NULL;
    for (size_t i = 0; i < ui->index->count; i++) {
        const struct lesson_entry *entry = &ui->index->entry[i];
        if (last && strcmp(entry->id, last) == 0) {
            return entry;
        }
        if (!entry->drill && !first) {
            first = entry;
        }
    }
    return first;
}

static bool open_wanted(struct ui *ui, const struct learn_wish *wish, struct err *err)
{
    if (wish->home) {
        return true;
    }
    if (wish->check) {
        return check_screen_open(ui, NULL, err);
    }
    if (!wish->name) {
        const struct lesson_entry *entry = entry_where_left(ui);
        return !entry || course_open(ui, entry, true, err);
    }
    char *path = folders_lesson_path(ui->index, wish->name, wish->drill, err);
    bool opened = path && course_open_path(ui, path, err);
    free(path);
    return opened;
}

static bool write_journal(struct ui *ui, struct err *err)
{
    const char *path = ui->options.journal;
    if (ui->course.player) {
        player_journal_mark(ui->course.player);
    }
    const char *text = ui->course.player ? player_journal(ui->course.player) : ui->journal;
    if (!path || !text) {
        return true;
    }
    return file_replace(path, text, strlen(text), err);
}

static int run_screens(struct cli *cli, const struct learn_wish *wish, struct term *term,
                       int *signal_number)
{
    struct err err;
    struct ui *ui = ui_new(&cli->options, term);
    int status = CLI_CANNOT;
    bool good = open_wanted(ui, wish, &err);
    if (good) {
        status = cli->options.script ? script_run(ui, cli->options.script, &err) : loop_run(ui);
        good = status != CLI_CANNOT && write_journal(ui, &err);
    }
    *signal_number = ui->end_signal;
    struct err lost;
    bool kept = play_screen_keep(ui, &lost);
    ui_free(ui);
    term_close(term); /* before a word is written to the terminal */
    if (!kept) {
        cli_note("the playground is not kept: %s", lost.text);
    }
    return good ? status : cli_fail(&err);
}

static int run_on_terminal(struct cli *cli, const struct learn_wish *wish)
{
    struct err err;
    const struct options *o = &cli->options;
    struct term_options wanted = {.color = o->color, .ascii = o->ascii};
    struct term *term = NULL;
    if (o->script) {
        term = term_null_open(o->columns, o->rows, o->ascii ? GLYPHS_ASCII : GLYPHS_UTF8);
    } else if (term_possible(&err)) {
        term = term_open(&wanted, &err);
    }
    if (!term) {
        return cli_fail(&err);
    }
    int signal_number = 0;
    int status = run_screens(cli, wish, term, &signal_number);
    if (signal_number > 0) {
        /* Everything is kept and the terminal is as it was: now end as the signal demands. */
        cli_finish(status);
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
    return status;
}

static int run_in_lines(struct cli *cli, const struct learn_wish *wish)
{
    struct err err;
    struct lesson_index *index = folders_load_index();
    struct text_run run = {.options = &cli->options, .answers = TEXT_ANSWERS_ASK};
    char *path = NULL;
    if (wish->name) {
        path = folders_lesson_path(index, wish->name, wish->drill, &err);
    } else {
        const struct lesson_entry *entry = text_run_where_left(index, &err);
        path = entry ? xstrdup(entry->path) : NULL;
    }
    lesson_index_free(index);
    int status = path ? text_run_play(&run, path) : cli_fail(&err);
    free(path);
    return status;
}

int learn_no_journal(const struct cli *cli)
{
    return cli->options.journal
               ? cli_usage(cli, "option '--journal' applies to the full screen only, not to lines")
               : CLI_YES;
}

int learn_run(struct cli *cli, const struct learn_wish *wish)
{
    if (!cli->options.plain || cli->options.script) {
        return run_on_terminal(cli, wish);
    }
    return learn_no_journal(cli) == CLI_YES ? run_in_lines(cli, wish) : CLI_CANNOT;
}

static int run_learn(struct cli *cli)
{
    struct learn_wish wish = {.home = !cli->command};
    if (cli->arguments > 1) {
        return cli_usage(cli, "learn takes one lesson");
    }
    if (cli->options.json) {
        return cli_usage(cli, "the screens have no --json; hotshard run has");
    }
    wish.name = cli->arguments > 0 ? cli->argument[0] : NULL;
    return learn_run(cli, &wish);
}

const struct cli_command command_learn = {
    .name = "learn",
    .arguments = "[LESSON]",
    .about = "take a lesson, on the full screen (or with --plain in lines)",
    .help =
        "Opens LESSON, named by file (01_what_a_shard_is), number (1) or path, where you left\n"
        "it; without LESSON the one you took last. Keys are shown in the bottom line, ? lists\n"
        "all of them. Progress is kept in $XDG_STATE_HOME/hotshard/progress, your own keys are\n"
        "read from $XDG_CONFIG_HOME/hotshard/keys (\"ACTION KEY...\" a line).",
    .run = run_learn,
    .screens = true,
};
