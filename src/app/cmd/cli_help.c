/*
 * cli_help: see cli_help.h.
 */
#include "app/cmd/cli_help.h"
#include <stdio.h>
#include <string.h>

#define OPTION_COLUMN 26

static const struct cli_command *const commands[] = {
    &command_learn, &command_run,    &command_drill,    &command_slot,
    &command_plan,  &command_play,   &command_glossary, &command_cheat,
    &command_hot,   &command_story,  &command_snapshot, &command_check,
    &command_size,  &command_lesson, &command_bench,    &command_replay,
};

static const struct cli_option options_of_all[] = {
    {"help", NULL, "this help (also -h)"},
    {"version", NULL, "name and version (also -V)"},
    {"json", NULL, "one JSON object a line, for scripts"},
    {"plain", NULL, "lines of text instead of a full screen"},
    {"no-input", NULL, "never ask anything"},
    {"color", "WHEN", "auto, always or never; beats NO_COLOR"},
    {"ascii", NULL, "draw with ASCII characters only"},
    {"no-motion", NULL, "no animation: changes appear at once"},
    {"seed", "N", "random numbers from this seed (default 1)"},
    {"now", "TIME", "the date for the progress log, 2026-11-30T20:00:00Z"},
    {NULL, NULL, NULL},
};

static const struct cli_option options_of_screens[] = {
    {"script", "FILE", "drive the full screen in memory with the keys in FILE"},
    {"size", "COLSxROWS", "the size of that screen (default 100x30)"},
    {"journal", "FILE", "write the run's journal there at the end, for replay"},
    {NULL, NULL, NULL},
};

const struct cli_command *cli_command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

const struct cli_option *cli_options_of_all(void)
{
    return options_of_all;
}

const struct cli_option *cli_options_of_screens(void)
{
    return options_of_screens;
}

static void print_options(const struct cli_option *option)
{
    for (; option && option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", option->name, option->value ? " " : "",
                 option->value ? option->value : "");
        printf("  %-*s%s\n", OPTION_COLUMN, left, option->about);
    }
}

static void print_program_help(void)
{
    puts("Usage: hotshard [COMMAND] [ARGUMENT...] [OPTION...]\n"
         "\n"
         "Learn sharding, hot keys and rebalancing on a cluster that runs in your terminal.\n"
         "Without a command the course opens where you left it.\n"
         "\n"
         "Commands:");
    for (size_t i = 0; cli_command_at(i); i++) {
        printf("  %-*s%s\n", OPTION_COLUMN, cli_command_at(i)->name, cli_command_at(i)->about);
    }
    puts("\nOptions of all commands:");
    print_options(options_of_all);
    puts("\nOptions of the full screen (no command, or one that opens it):");
    print_options(options_of_screens);
    puts("\nhotshard help COMMAND, or COMMAND --help, says more about one of them.\n"
         "\n"
         "Environment: NO_COLOR, TERM, LC_ALL, LANG, XDG_STATE_HOME, XDG_CONFIG_HOME,\n"
         "XDG_DATA_HOME, SOURCE_DATE_EPOCH, HOTSHARD_LESSONS (a folder of lessons),\n"
         "HOTSHARD_PLAIN, HOTSHARD_ASCII, HOTSHARD_NO_MOTION (1 switches on).\n"
         "\n"
         "Exit status: 0 done, 1 the answer is no, 2 it could not be done.");
}

void cli_print_help(const struct cli_command *command)
{
    if (!command) {
        print_program_help();
        return;
    }
    printf("Usage: hotshard %s%s%s [OPTION...]\n\n%s\n", command->name,
           *command->arguments ? " " : "", command->arguments, command->help);
    if (command->help_more) {
        command->help_more();
    }
    if (command->option && command->option->name) {
        puts("\nOptions:");
        print_options(command->option);
    }
    if (command->screens) {
        puts("\nOptions of the full screen:");
        print_options(options_of_screens);
    }
    puts("\nOptions of all commands: --json --plain --no-input --color --ascii --no-motion\n"
         "--seed --now --version --help; see hotshard --help.");
}
