/*
 * asked: what became of the requests in the trace's window: when each was asked, when and how it
 * was answered, and which query it waited for.
 *
 * The trace keeps a few thousand records, which in a hot second is some hundredths of it. A request
 * whose first record is gone has no `ask`; its reply still tells how long it took. Queries and
 * fetches that a router sends for others are in the list, too: `own`.
 */
#ifndef HOTSHARD_VIEW_ASKED_H
#define HOTSHARD_VIEW_ASKED_H

#include "view/inside.h"

struct asked {
    uint64_t number;     /* of the request */
    uint64_t query;      /* the query that answers it: its own number if it asks a shard itself */
    uint64_t ask, reply; /* sequences of the records that begin and end it; 0: none is kept */
    int64_t asked_us;    /* when it was sent, and when its answer arrives */
    int64_t answered_us; /* INT64_MAX: nobody answered yet */
    uint32_t key;
    struct node at;      /* its router, or the clients of the zone whose edge answers */
    uint16_t shard;      /* asked last; SHARD_NONE */
    uint8_t zone;        /* of its client */
    uint8_t op, outcome; /* enum op_kind, enum outcome */
    uint16_t reason;     /* of its reply */
    bool own;            /* a router's (or edge's) query, for others */
    bool background;     /* nobody waits for it: it makes a stale answer fresh */
};

struct asked_list {
    struct asked *item; /* in the order of their numbers' first records */
    size_t count, room;
    int64_t from_us, to_us; /* of the window's first record, and now */
    uint32_t *place;        /* hash: index + 1 */
    size_t places;
};

void asked_open(struct asked_list *out, const struct world *w);
void asked_close(struct asked_list *l);
/* NULL: there is none with this number. */
const struct asked *asked_find(const struct asked_list *l, uint64_t number);
/* A client's, of which all is known from its first record on. */
bool asked_of_client(const struct asked *a);
/* A client's that was answered: how long it took is known even where its first record is gone. */
bool asked_was_answered(const struct asked_list *l, const struct asked *a);
bool asked_is_over(const struct asked_list *l, const struct asked *a); /* its answer is there */

#endif
