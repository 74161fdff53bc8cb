/*
 * cmd_check: what `hotshard check` was asked, what it found, and how that is told.
 */
#ifndef HOTSHARD_APP_CMD_CHECK_H
#define HOTSHARD_APP_CMD_CHECK_H

#include "app/check/check_replay_print.h"
#include "app/cmd/cli.h"
#include "check/search.h"

struct check_job {
    const struct cli *cli;
    const struct check_model *model;
    struct check_scope scope;
    struct check_result result;
    struct check_options options;
    bool sized;                /* by --size */
    const char *apart;         /* why another world than the smallest is shown; NULL: it is not */
    struct check_parting part; /* from the full protocol, of a result that fails */
    uint32_t instead;          /* rules that do the work of those left out, a bit each */
    double seconds;
    /* --replay, of a result that fails: without the rules, and with every one. */
    bool replays;
    struct replay_pair pair;
};

/* For people: text; for scripts: a JSON object in a line. */
void check_job_text(const struct check_job *job);
void check_job_json(const struct check_job *job);

#endif
