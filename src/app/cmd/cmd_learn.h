/*
 * cmd_learn: opening the screens, for every command that has one.
 */
#ifndef HOTSHARD_APP_CMD_LEARN_H
#define HOTSHARD_APP_CMD_LEARN_H

#include "app/cmd/cli.h"

struct learn_wish {
    bool home;        /* the course itself */
    bool check;       /* breaking a protocol */
    bool drill;       /* `name` is a drill */
    const char *name; /* NULL: the lesson where the learner left */
};

/* For what is done in lines: a usage error when a journal was asked for, else CLI_YES. */
int learn_no_journal(const struct cli *cli);
int learn_run(struct cli *cli, const struct learn_wish *wish); /* the exit status */

#endif
