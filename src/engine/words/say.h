/*
 * say: pieces of sentences that trace_say and trace_why share. Keys are made safe to show.
 */
#ifndef HOTSHARD_ENGINE_SAY_H
#define HOTSHARD_ENGINE_SAY_H

#include "engine/world.h"

/* "like likes:{p9}" */
void say_request(const struct world *w, const struct trace_record *r, struct str *out);
/* "slot 12067" or "slots 0-4095", the numbers taken from operands 0 and 1 */
void say_slots(const struct trace_record *r, struct str *out);
const char *say_work(int64_t work); /* "write" or "read" */

/* How a module of the engine puts its records into words. */
struct say_module {
    void (*say)(const struct world *w, const struct trace_record *r, struct str *out);
    void (*label)(const struct world *w, const struct trace_record *r, struct str *out);
    void (*why)(const struct world *w, const struct trace_record *r, struct str *out);
};

/* The module that left a record: by the record's kind, its command, or its reason; NULL: none, the
 * record is of the ROUTE loop. In a reply the module's `say` adds to what is said anyway. */
const struct say_module *say_module(const struct trace_record *r);

#endif
