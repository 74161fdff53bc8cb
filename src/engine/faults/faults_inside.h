/*
 * faults_inside: what the files of faults share.
 */
#ifndef HOTSHARD_ENGINE_FAULTS_INSIDE_H
#define HOTSHARD_ENGINE_FAULTS_INSIDE_H

#include "engine/steps.h"

WORLD_PART(recent, uint32_t)

#define CRASH_DEFAULT_US INT64_C(1000000)
#define CRASH_MAX_US (INT64_C(3600) * 1000000)
#define NETWORK_DELAY_MAX_US INT64_C(60000000)
#define PATIENCE_MAX_US INT64_C(600000000)
#define CLIENT_PATIENCE_TIMES 10 /* more than a router's tries take */

/* A record of a message's fate, for the caller to add operands. */
struct trace_record *fault_note(struct world *w, const struct event *event, enum reason reason);
/* A node, the network or a hold has changed: whether deliveries have to ask. */
void faults_decide(struct faults_state *f);
/* Whether the event's node is down and cannot take it; if so, whoever has to know is told. */
bool crash_turns_away(struct world *w, const struct event *event);
/* Whether this request was asked when patience had no end. */
bool faults_endless(const struct world *w, const struct request *r);
bool crash_apply(struct world *w, const struct command *c, struct err *err);

/* --- faults_directory.c --- */

/* The same of the directory, which is down. */
bool directory_turns_away(struct world *w, const struct event *event);
bool directory_apply(struct world *w, const struct command *c, struct err *err);
void directory_feed(struct digest *d, const struct world *w);

#endif
