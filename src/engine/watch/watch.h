/*
 * watch: heartbeats of nodes, and who is believed dead.
 *
 * Each node tells the directory that it lives, once a period. The directory suspects a node by a
 * timeout (nothing for so long), or by how unusual its silence is (phi: minus the decimal logarithm
 * of the chance that a heartbeat comes this late or later, from the gaps seen so far). Suspected
 * long enough, it is declared dead: the copies that it held are made anew elsewhere (copies.h). A
 * heartbeat of a node that is busy with such copies comes late: the link is shared. So a node may
 * be declared dead that lives, which makes more copies, which makes more heartbeats late. A node
 * that is heard again is alive again; the copies made meanwhile stay.
 *
 * phi after N. Hayashibara et al., "The phi accrual failure detector" (2004), with a normal
 * distribution of gaps, in whole numbers (base/fixlog.h). The gaps are those between the last
 * BEATS_KEPT heartbeats; their spread is taken as a fourth of the period at least, so that an even
 * row of beats does not make the next late one a death. A node that restarts begins without gaps:
 * as if there had been one of a period.
 *
 * The directory knows when it would declare each node, and does so then: nobody polls. While it is
 * down itself it hears nothing and declares nobody; when it is back all nodes have their full time
 * again.
 */
#ifndef HOTSHARD_ENGINE_WATCH_H
#define HOTSHARD_ENGINE_WATCH_H

#include "base/digest.h"
#include "base/err.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

struct world;

#define BEATS_KEPT 32
#define BEATS_SHOWN 16
#define WATCH_PHI_MAX 9999 /* hundredths */

enum watch_reason {
    REASON_WATCH_LATE = REASON_WATCH_FIRST, /* a heartbeat: 0 us after the one before, 1 period,
                                               2 thousandths of its link that copies take */
    REASON_WATCH_TIMEOUT,                   /* declared dead: 0 us of silence, 1 timeout, 2 the
                                               same; value 1: the node is up */
    REASON_WATCH_PHI,                       /* the same, 1 hundredths of phi that is enough */
    REASON_WATCH_AGAIN,                     /* it was declared dead, and is heard: 0 us ago */
    REASON_WATCH_END
};
_Static_assert((int)REASON_WATCH_END <= (int)REASON_WATCH_LAST + 1, "reasons have their range");

struct watch_state {
    uint32_t count;                /* 1 while beats are on */
    int64_t period_us, timeout_us; /* timeout 0: by phi */
    uint32_t phi;                  /* hundredths, from which on a node is declared dead */
    uint32_t turn;                 /* of the timers: how often the command was given */
    uint32_t known;                /* nodes that beat */
    uint64_t declared, falsely, returned;
    int64_t detect_us; /* of the last true death; -1 */
};

struct beat_info {
    bool declared;              /* believed dead */
    int64_t heard_us;           /* the last heartbeat; -1: none */
    int64_t mean_us, spread_us; /* of the gaps */
    uint32_t phi;               /* hundredths, now */
    int64_t declared_us;        /* -1 */
    int64_t due_us;             /* when it is declared if nothing comes before; -1: it is */
    uint64_t beats, late; /* heard; of them, later than twice the period after the one before */
};
struct beat_info world_beat(const struct world *w, uint32_t node);
struct watch_info {
    bool on;
    int64_t period_us, timeout_us;
    uint32_t phi;
    uint64_t declared, falsely; /* deaths; of them, of nodes that were up */
    uint64_t returned;          /* heard again after */
    int64_t detect_us;          /* how long the last true death took to be declared; -1 */
};
/* When the last heartbeats of a node came, oldest first; how many. */
uint32_t world_beat_times(const struct world *w, uint32_t node, int64_t out[BEATS_SHOWN]);
struct watch_info world_watch(const struct world *w);

struct node_message;
void watch_heard(struct world *w, const struct node_message *m);
void watch_node_died(struct world *w, uint32_t node);
void watch_node_back(struct world *w, uint32_t node);

bool watch_apply(struct world *w, const struct command *c, struct err *err);
void watch_handle(struct world *w, const struct event *event); /* JOB_WATCH */
bool watch_hold(const struct world *w, struct err *err);       /* invariants */
void watch_lay_out(struct world *plan, uint64_t *end);
void watch_feed(struct digest *d, const struct world *w);
void watch_say(const struct world *w, const struct trace_record *r, struct str *out);
void watch_label(const struct world *w, const struct trace_record *r, struct str *out);
void watch_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
