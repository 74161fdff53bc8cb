/*
 * cmd_learn: opening the screens, for every command that has one.
 */
#ifndef HOTSHARD_APP_CMD_LEARN_H
#define HOTSHARD_APP_CMD_LEARN_H

#include "app/cli.h"

struct learn_wish {
    bool home;        /* the course itself */
    bool drill;       /* `name` is a drill */
    const char *name; /* NULL: the lesson where the learner left */
};

int learn_run(struct cli *cli, const struct learn_wish *wish); /* the exit status */

#endif
