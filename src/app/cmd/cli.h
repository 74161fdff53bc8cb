/*
 * cli: commands as data, and the parsing of their arguments.
 *
 * A command is a constant: its name, its options, its help, its function. Parsing is the same for
 * all: options of every command plus its own, in any order, `--` ends them. A command's function
 * reads what was given with cli_value and cli_values and returns the exit status: CLI_YES, CLI_NO
 * (a check failed, an answer is wrong) or, through cli_fail and cli_usage, CLI_CANNOT. Nothing but
 * main ends the program.
 */
#ifndef HOTSHARD_APP_CLI_H
#define HOTSHARD_APP_CLI_H

#include "app/cmd/options.h"
#include <stddef.h>
#include <stdio.h>

enum {
    CLI_YES = 0,
    CLI_NO = 1,
    CLI_CANNOT = 2
};

struct cli;

struct cli_option {
    const char *name;  /* without the dashes; NULL ends a list */
    const char *value; /* what its value is called in the help; NULL: it takes none */
    const char *about;
};

struct cli_command {
    const char *name;
    const char *arguments; /* for the usage line: "[KEY...]" */
    const char *about;     /* one line */
    const char *help;      /* what more there is to say; lines */
    const struct cli_option *option;
    int (*run)(struct cli *cli);
    void (*help_more)(void); /* prints what the help can only find out: lines; NULL: nothing */
    bool screens;            /* it has the full screen, and so --script, --size and --journal */
};

struct cli_given {
    const struct cli_option *option;
    const char *value; /* "" for an option without one */
};

struct cli {
    struct options options;
    const struct cli_command *command; /* NULL: none was named */
    struct cli_given *given;
    size_t given_count;
    char **argument; /* what is left beside options */
    size_t arguments;
};

extern const struct cli_command command_learn;
extern const struct cli_command command_run;
extern const struct cli_command command_drill;
extern const struct cli_command command_play;
extern const struct cli_command command_slot;
extern const struct cli_command command_plan;
extern const struct cli_command command_hot;
extern const struct cli_command command_size;
extern const struct cli_command command_lesson;
extern const struct cli_command command_check;
extern const struct cli_command command_story;
extern const struct cli_command command_snapshot;
extern const struct cli_command command_bench;
extern const struct cli_command command_replay;
extern const struct cli_command command_glossary;
extern const struct cli_command command_cheat;

int cli_main(int argc, char **argv);

/* The last value of an option, NULL if it was not given; and the n-th of a repeated one. */
const char *cli_value(const struct cli *cli, const char *name);
const char *cli_values(const struct cli *cli, const char *name, size_t n);
bool cli_has(const struct cli *cli, const char *name);
/* A whole number within bounds; `otherwise` when the option was not given. */
bool cli_number(const struct cli *cli, const char *name, uint64_t low, uint64_t high,
                uint64_t otherwise, uint64_t *out, struct err *err);

/* Everything that goes out for people goes through these: controls and whatever else steers a
 * terminal are spelt out, whosever words they were; newlines stay. */
void cli_write(FILE *to, const char *text, size_t length);
void cli_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One line on standard error; both return CLI_CANNOT. cli_usage points to the command's --help. */
int cli_fail(const struct err *err);
int cli_usage(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line on standard error that is no error: "hotshard: note: ...". */
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Standard output is flushed and was written in full; otherwise the sentence and CLI_CANNOT. */
int cli_finish(int status);

#endif
