/*
 * log_command: which arguments of a Redis command are keys, and whether it reads or writes.
 *
 * A table of the commands of Redis 7, and of the memcached operations of public cache traces where
 * their names are others. A command that is not in it is unknown, and its keys are not guessed.
 * Source: the commands' key specifications in the Redis documentation (COMMAND DOCS).
 */
#ifndef HOTSHARD_TOOLS_LOG_COMMAND_H
#define HOTSHARD_TOOLS_LOG_COMMAND_H

#include "base/str.h"
#include <stdint.h>

enum log_use {
    LOG_READ,
    LOG_WRITE,
    LOG_EITHER /* not known, or both may be: scripts */
};

enum log_keys {
    LOG_KEYS_NONE,
    LOG_KEYS_RANGE,   /* arguments first, first + step, ... to last; below 0 from the end */
    LOG_KEYS_COUNTED, /* argument first says how many follow it; `last` 1: argument 1 as well */
    LOG_KEYS_STREAMS, /* the first half of what follows the word STREAMS */
    LOG_KEYS_STORE,   /* argument 1, and what follows the last STORE or STOREDIST */
    LOG_KEYS_CLUSTER  /* sent by the cluster's own nodes and tools: no client's traffic */
};

struct log_command {
    const char *name; /* lower case */
    enum log_keys keys;
    enum log_use use;
    int8_t first, last, step;
};

const struct log_command *log_command_at(size_t index); /* by name, ascending; NULL past the end */
/* Any case; NULL: unknown. */
const struct log_command *log_command_find(struct bytes name);
/* The keys among argument 0 (the name) to args-1, into `key` with room for `args`; returns how
 * many. A command with too few arguments has none: a server would refuse it. */
size_t log_command_keys(const struct log_command *command, const struct bytes *argument,
                        size_t args, struct bytes *key);

#endif
