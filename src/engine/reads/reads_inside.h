/*
 * reads_inside: the table of treated keys and the spots; for reads*.c alone.
 *
 * Who waits for a fetch is a list: request.next of the fetch is the first, request.link of each the
 * next. A fetch that reads the count beside its key, too, has `many` and `spare`; its answer brings
 * the count in `value`, and in `which` whether that is all of it. A request in the list counts that
 * place in `flying`, so that it stays until the fetch is back, even when its client has given up.
 */
#ifndef HOTSHARD_ENGINE_READS_INSIDE_H
#define HOTSHARD_ENGINE_READS_INSIDE_H

#include "engine/reads/reads.h"
#include "engine/state.h"
#include "engine/steps.h"

#define READS_PAST_MAX 128 /* changes of a key that its followers have yet to apply */

/* What a counter was until a while ago. */
struct past {
    int64_t until_us;
    uint64_t value;
};

struct hot_read {
    uint32_t key;
    uint8_t mode; /* enum reads_mode; READS_PLAIN: a free row */
    uint8_t copies;
    bool by_key;
    int64_t fresh_us, stale_us; /* edge: both are the TTL */
    struct prng prng;           /* which copy is read */
    uint64_t copies_written;
    uint32_t beside;                 /* cached: a count in the same slot, or KEY_NONE_ID */
    uint32_t copy[READS_COPIES_MAX]; /* keys */
    int64_t since_us;                /* treated like this */
    uint32_t past_from, past_count;  /* ring */
    struct past past[READS_PAST_MAX];
};

/* One router's, or one edge's, for one row. */
struct read_spot {
    struct fill_core fill; /* cached, edge; its `since` tells an earlier treatment's fetches */
    struct flight_core flight;
    uint64_t value; /* held */
    uint64_t count; /* held beside it, if `counted` */
    bool counted;
    int64_t sent_us;  /* when its fetch was sent: `fill.born_us` by the rule age-from-read */
    uint32_t current; /* the fetch that may be waited for, or query that may be joined */
    uint32_t tail;    /* the last who waits for it */
    uint64_t hits, stale_hits, waits, fetches;
    int64_t oldest_us;
    int64_t wrote_us; /* the last write that this router saw completed; -1: none */
};

WORLD_PART(hot_reads, struct hot_read)
WORLD_PART(read_spots, struct read_spot) /* reads_places of them a row */

/* Places that keep spots: the routers, then the edge of each zone. */
static inline uint32_t reads_places(const struct world *w)
{
    return w->config.routers + ZONES_MAX;
}

static inline struct hot_read *reads_row(struct world *w, uint32_t key)
{
    return hot_reads_of(w) + (keys_in(w)[key].reads - 1);
}

static inline struct read_spot *reads_spot(struct world *w, const struct hot_read *row,
                                           uint32_t place)
{
    size_t at = (size_t)(row - hot_reads_in(w));
    return read_spots_of(w) + at * reads_places(w) + place;
}

static inline bool reads_is_edge(const struct world *w, uint32_t place)
{
    return place >= w->config.routers;
}

/* Who keeps the spot: a router, or a zone's edge, which sits with its clients. */
static inline struct node reads_node(const struct world *w, uint32_t place)
{
    return reads_is_edge(w, place) ? node_of(NODE_CLIENT, place - w->config.routers)
                                   : node_of(NODE_ROUTER, place);
}

/* --- reads.c --- */

/* A record of a decision at a place, about a request of the key. */
struct trace_record *reads_note(struct world *w, uint32_t place, uint32_t request,
                                enum reads_reason reason);
/* Answers a client's read from a place. */
struct trace_record *reads_answer(struct world *w, uint32_t place, uint32_t request,
                                  enum outcome outcome, uint64_t value);
/* A fetch of the row's key for this place, the one to be waited for; NO_INDEX: the world stopped.
 * `reader` is the client's request that made it needed. */
uint32_t reads_begin(struct world *w, struct hot_read *row, uint32_t place, uint32_t reader);
/* Sends it. It may be over when this returns. */
void reads_send(struct world *w, uint32_t fetch);
/* This request waits for the spot's current fetch. */
void reads_wait(struct world *w, struct read_spot *spot, uint32_t request);
/* A request is about to get what was asked for at sent_us: no write was seen since (promise.h). */
void reads_came_after(struct world *w, const struct read_spot *spot, uint32_t request,
                      int64_t sent_us);
/* A spot without memory of what was before. */
void reads_clear(struct world *w, struct read_spot *spot);

/* --- reads_beside.c --- */

/* The fetch is to read the count of its row, if it has one. */
void beside_ask(struct world *w, const struct hot_read *row, uint32_t fetch);

/* --- reads_cache.c --- */

void cache_take(struct world *w, struct hot_read *row, uint32_t place, uint32_t request);
/* The fetch is back; whether it is kept, or what became of it. */
enum reads_reason cache_landed(struct world *w, struct hot_read *row, uint32_t place,
                               uint32_t fetch, bool ok, uint64_t value);
void cache_edited(struct world *w, struct hot_read *row, uint16_t router);

/* --- reads_coalesce.c --- */

bool coalesce_take(struct world *w, struct hot_read *row, uint16_t router, uint32_t request);
void coalesce_landed(struct world *w, struct hot_read *row, uint16_t router, uint32_t query);
void coalesce_wrote(struct world *w, struct hot_read *row, uint16_t router);

/* --- reads_copies.c --- */

void copies_pick(struct world *w, struct hot_read *row, uint32_t request);
void copies_write(struct world *w, struct hot_read *row, uint32_t request);
void copies_landed(struct world *w, uint32_t write, enum outcome outcome, uint64_t value);
/* The router that writes it is gone. */
void copies_let_go(struct world *w, uint32_t write);
/* The name of copy `number` (from 1): the number stands inside the tag, or there would be one slot
 * for all: "post:{p9~1}", or "x~1" for a key without a tag. Gives its length; 0: too long. */
uint8_t copies_name(const char *key, uint8_t length, uint32_t number, char out[KEY_BYTES_MAX]);

#endif
