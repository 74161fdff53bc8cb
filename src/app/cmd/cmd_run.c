/*
 * cmd_run: `hotshard run LESSON`: a lesson without a screen.
 */
#include "app/cmd/cli.h"
#include "app/cmd/text_run.h"
#include "app/folders.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_answers(const struct cli *cli, enum text_answers *answers, struct err *err)
{
    const char *text = cli_value(cli, "answers");
    const struct options *o = &cli->options;
    if (!text) {
        bool person = o->plain && !o->no_input && !o->json && isatty(STDIN_FILENO) == 1;
        *answers = person ? TEXT_ANSWERS_ASK : TEXT_ANSWERS_NONE;
    } else if (strcmp(text, "right") == 0) {
        *answers = TEXT_ANSWERS_RIGHT;
    } else if (strcmp(text, "wrong") == 0) {
        *answers = TEXT_ANSWERS_WRONG;
    } else if (strcmp(text, "none") == 0) {
        *answers = TEXT_ANSWERS_NONE;
    } else {
        return err_set(err, "--answers takes right, wrong or none, not \"%s\"",
                       err_word(text, 40).text);
    }
    return true;
}

static int run_run(struct cli *cli)
{
    struct err err;
    struct text_run run = {.options = &cli->options};
    if (cli->arguments != 1) {
        return cli_usage(cli, "run takes one lesson");
    }
    if (!read_answers(cli, &run.answers, &err)) {
        return cli_usage(cli, "%s", err.text);
    }
    struct lesson_index *index = folders_is_path(cli->argument[0]) ? NULL : folders_load_index();
    char *path = folders_lesson_path(index, cli->argument[0], false, &err);
    lesson_index_free(index);
    int status = path ? text_run_play(&run, path) : cli_fail(&err);
    free(path);
    return status;
}

static const struct cli_option run_options[] = {
    {"answers", "HOW", "right, wrong (each mistake is explained) or none (the default)"},
    {NULL, NULL, NULL},
};

const struct cli_command command_run = {
    .name = "run",
    .arguments = "LESSON",
    .about = "a lesson as text, without a screen",
    .help =
        "Plays LESSON (file name, number or path) from its first step to its last and prints\n"
        "each step: text, pictures in words, question, answer, what came of it. With --plain on\n"
        "a terminal, and without --answers, you are asked for the answers.\n"
        "\n"
        "JSON, one line a step: lesson, step, title, text, views, prediction, answered, correct,\n"
        "belief, and more. With --answers wrong, one line for each mistake.",
    .option = run_options,
    .run = run_run,
};
