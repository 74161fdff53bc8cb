/*
 * cli_help: the list of commands, the options of all of them, and the help made from both.
 */
#ifndef HOTSHARD_APP_CLI_HELP_H
#define HOTSHARD_APP_CLI_HELP_H

#include "app/cmd/cli.h"

const struct cli_command *cli_command_at(size_t index); /* NULL beyond the last */
const struct cli_option *cli_options_of_all(void);
const struct cli_option *cli_options_of_screens(void); /* of commands with a full screen */
/* To standard output; NULL: of the program as a whole. */
void cli_print_help(const struct cli_command *command);

#endif
