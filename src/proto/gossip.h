/*
 * gossip: news that nodes tell each other in step, until all of them know.
 *
 * In each round every node that has something to say calls one other node, drawn at random. Push:
 * who knows, tells whom it calls. Push and pull: every node calls, and the two tell each other what
 * either knew when the round began. What is heard in a round is passed on from the next one on.
 *
 * After A. Demers and others, "Epidemic Algorithms for Replicated Database Maintenance" (1987).
 * B. Pittel, "On Spreading a Rumor" (1987): push takes about log2 n + ln n rounds. R. Karp and
 * others, "Randomized Rumor Spreading" (2000): push and pull about log3 n, and a little more.
 */
#ifndef HOTSHARD_PROTO_GOSSIP_H
#define HOTSHARD_PROTO_GOSSIP_H

#include "base/prng.h"

enum gossip_way {
    GOSSIP_PUSH,
    GOSSIP_PUSH_PULL
};

enum gossip_knows { /* a byte a node */
    GOSSIP_NOT,
    GOSSIP_HEARS, /* in this round: it tells from the next one on */
    GOSSIP_KNOWS
};

/* Plays a round among `nodes`, at least two; nobody hears at its beginning or end. Returns how many
 * know after it. */
uint32_t gossip_round(uint8_t *knows, uint32_t nodes, enum gossip_way way, struct prng *prng);
/* Rounds until all know what the first node alone knows at the beginning; `knows` is filled. */
uint32_t gossip_rounds(uint8_t *knows, uint32_t nodes, enum gossip_way way, struct prng *prng);

#endif
