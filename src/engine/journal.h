/*
 * journal: a run as its configuration's name, its seed and its commands, with digests.
 *
 * Text, one line an entry:
 *   hotshard-journal 1 world=story seed=1
 *   EVENTS TIME_US command words      the command was applied after that many events, at that time
 *   EVENTS TIME_US digest HEX         the world's digest at that point
 * A replay applies each command at exactly the same point and compares every digest; it stops at
 * the first difference and names the line. A journal owns its text.
 */
#ifndef HOTSHARD_ENGINE_JOURNAL_H
#define HOTSHARD_ENGINE_JOURNAL_H

#include "engine/world.h"

struct journal {
    struct str text;
    size_t entries;
};

void journal_start(struct journal *j, const char *world_name, uint64_t seed);
void journal_command(struct journal *j, const struct world *w, const struct command *c);
void journal_digest(struct journal *j, const struct world *w);
/* Forgets everything after the first `length` bytes (stepping back). */
void journal_truncate(struct journal *j, size_t length);
void journal_free(struct journal *j);

struct journal_header {
    char world_name[32];
    uint64_t seed;
};
bool journal_header(const char *text, struct journal_header *out, struct err *err);
/* Replays onto a fresh world of that name and seed. */
bool journal_replay(const char *text, struct world *w, struct err *err);

#endif
