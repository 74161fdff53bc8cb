/*
 * command_help: what people are told about commands: before they type one, and after it is done.
 *
 * The words are those of the commands' own forms (command_words.h). Lines have at most
 * HELP_COLUMNS columns, each ended by a line break.
 */
#ifndef HOTSHARD_ENGINE_COMMAND_HELP_H
#define HOTSHARD_ENGINE_COMMAND_HELP_H

#include "engine/command.h"

struct world;

#define HELP_COLUMNS 74

/* Every command, by what it is for: its form, and what it does in a line. */
void command_help(struct str *out);
/* One command, with what each of its words means. */
bool command_help_of(const char *name, struct str *out, struct err *err);
/* Every first word, in the order of the help, and `help` itself; NULL beyond the last. */
const char *command_name_at(size_t index);

/* After a command was applied: what it has begun, and what comes next. Nothing when that is plain;
 * then false. */
bool command_told(const struct world *w, const struct command *c, struct str *out);

#endif
