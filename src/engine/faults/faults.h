/*
 * faults: what a network and machines do to a protocol, each by its name and counted.
 *
 * Messages are lost, doubled or held up (and so overtaken) when they are about to be delivered, by
 * the world's own random numbers; each message meets its fate once. Timers (time-outs, flushes,
 * jobs) are nobody's message and never suffer. The copy of a doubled message comes up to delay_us
 * later (a millisecond without a delay).
 *
 * The messages of a single request can be held up on purpose (command `hold`, see
 * command_faults.c), for as long as is said: HOLDS_MAX requests at a time.
 *
 * A node that is down takes no message. A router that dies loses what it held in memory, and the
 * requests in its hands fail; it comes back with its old map and fetches the newest. A shard that
 * dies loses its queue and its buckets; its store, its slot table and its log are durable. Who asks
 * a node that is down waits until he loses patience (config.timeout_us, client_timeout_us); where
 * patience has no end, he is told at once that it failed. The command `patience` changes it for all
 * requests from then on; those asked before keep what they were asked with.
 *
 * A shard remembers the last config.recent_max operations of each key that it has applied, and so
 * applies one that comes again only once (RULE_ONCE_PER_OPERATION). What was forgotten by then is
 * applied twice: the memory must be longer than the slowest message is slow.
 */
#ifndef HOTSHARD_ENGINE_FAULTS_H
#define HOTSHARD_ENGINE_FAULTS_H

#include "base/digest.h"
#include "base/err.h"
#include "base/prng.h"
#include "base/str.h"
#include "engine/command.h"
#include "engine/event.h"
#include "engine/trace.h"

#define MILLION 1000000u
#define HOLDS_MAX 8

struct world;
struct request;

enum fault {
    FAULT_LOSS,
    FAULT_DOUBLE,
    FAULT_DELAY,
    FAULT_ROUTER_DOWN, /* a router died */
    FAULT_SHARD_DOWN,  /* a shard died */
    FAULT_KINDS
};

struct held_request {
    uint64_t number; /* 0: free, or over */
    int64_t until_us;
};

struct faults_state {
    bool
        on; /* some node or the directory is down, or messages suffer: deliveries ask faults_take */
    uint32_t held; /* rows of hold in use */
    struct held_request hold[HOLDS_MAX];
    uint32_t down; /* nodes that are, the directory not counted */
    bool directory_down;
    uint32_t ppm[FAULT_DELAY + 1]; /* of a million messages */
    int32_t delay_us;              /* at most, for those held up */
    uint64_t count[FAULT_KINDS];
    /* `patience` was changed: */
    uint64_t endless_to;           /* requests up to this number may wait for ever; 0: none */
    int64_t old_patience_until_us; /* those asked before are over by then */
    struct prng prng;
};

bool faults_apply(struct world *w, const struct command *c, struct err *err);

/* A message or timer is due. True: it is not delivered now (lost, held up, its node is down). */
bool faults_take(struct world *w, const struct event *event);
/* EVENT_JOB: a node comes back. */
void faults_handle(struct world *w, const struct event *event);

/* A router or shard goes down, or is back, for as long as somebody else says (fleet.h). */
void faults_take_down(struct world *w, struct node node);
void faults_bring_back(struct world *w, struct node node);

/* Whether this shard remembers that it applied this operation to this key. */
bool faults_seen(const struct world *w, uint16_t shard, uint32_t key, uint32_t operation);
void faults_remember(struct world *w, uint16_t shard, uint32_t key, uint32_t operation);
/* What `from` remembers of a key goes along with its data to `to`, which has an entry for it. */
void faults_copy(struct world *w, uint16_t from, uint16_t to, uint32_t key);

/* Whether the directory is down (command `directory`): it answers nobody and commits nothing. */
bool world_directory_down(const struct world *w);
/* False, with a sentence, when it is: then no slot changes its owner. */
bool faults_directory_up(const struct world *w, struct err *err);

/* How often each kind of fault has struck so far. */
uint64_t world_faults(const struct world *w, enum fault fault);
const char *fault_name(enum fault fault);

void faults_lay_out(struct world *plan, uint64_t *end);
void faults_feed(struct digest *d, const struct world *w);

void faults_say(const struct world *w, const struct trace_record *r, struct str *out);
void faults_label(const struct world *w, const struct trace_record *r, struct str *out);
void faults_why(const struct world *w, const struct trace_record *r, struct str *out);

#endif
