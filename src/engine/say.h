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

#endif
