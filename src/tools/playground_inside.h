/*
 * playground_inside: what the files of the playground share. Only src/tools/playground*.c include
 * it.
 */
#ifndef HOTSHARD_TOOLS_PLAYGROUND_INSIDE_H
#define HOTSHARD_TOOLS_PLAYGROUND_INSIDE_H

#include "tools/playground.h"

/* The id of the shard that a further change makes is the highest plus one. */
bool play_shard_add(struct play_settings *s, struct err *err);
bool play_shard_remove(struct play_settings *s, uint32_t id, struct err *err);
bool play_change_room(const struct play_settings *s, struct err *err);

/* A clause of a line of settings, its words cut out one by one. */
#define CLAUSE_BYTES 512
#define CLAUSES_MAX 32 /* a bit each */
struct clause {
    char text[CLAUSE_BYTES];
    const char *name;
    char *rest;
};
struct clause_form {
    const char *name;
    enum play_control control;
    bool (*read)(struct clause *c, struct play_settings *s, struct err *err);
    void (*say)(const struct play_settings *s, struct str *out); /* NULL: only typed */
};
const struct clause_form *clause_form_at(size_t index); /* NULL beyond the last */
char *clause_next_word(struct clause *c);               /* NULL at the end */
/* "no scheme "rings", did you mean ring? There are ..." */
bool clause_refuse_name(const char *what, const char *word, const char *const *names, size_t count,
                        struct err *err);

/* The world of a result (its settings, keys and trial are there already), run until it is steady.
 * Of cold keys, one flag a key, all reads get to the shards; NULL: none are. NULL when the world
 * had to stop. */
struct world *play_world(const struct play_result *r, const bool *cold, struct err *err);
/* Reads a second that clients ask and that the database cache leaves to the shards. */
uint64_t play_reads_left(const struct play_result *r, const bool *cold);

#endif
