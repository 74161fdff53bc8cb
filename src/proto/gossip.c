/*
 * gossip: see gossip.h.
 */
#include "proto/gossip.h"

#include "base/check.h"
#include <string.h>

static void tell(uint8_t *knows, uint32_t from, uint32_t to)
{
    if (knows[from] == GOSSIP_KNOWS && knows[to] == GOSSIP_NOT) {
        knows[to] = GOSSIP_HEARS;
    }
}

uint32_t gossip_round(uint8_t *knows, uint32_t nodes, enum gossip_way way, struct prng *prng)
{
    CHECK(nodes >= 2);
    for (uint32_t i = 0; i < nodes; i++) {
        if (way == GOSSIP_PUSH && knows[i] != GOSSIP_KNOWS) {
            continue;
        }
        uint32_t other = (uint32_t)prng_below(prng, nodes - 1);
        other += other >= i;
        tell(knows, i, other);
        if (way == GOSSIP_PUSH_PULL) {
            tell(knows, other, i);
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        if (knows[i] == GOSSIP_HEARS) {
            knows[i] = GOSSIP_KNOWS;
        }
        count += knows[i] == GOSSIP_KNOWS;
    }
    return count;
}

uint32_t gossip_rounds(uint8_t *knows, uint32_t nodes, enum gossip_way way, struct prng *prng)
{
    memset(knows, GOSSIP_NOT, nodes);
    knows[0] = GOSSIP_KNOWS;
    uint32_t rounds = 0;
    do {
        rounds++;
    } while (gossip_round(knows, nodes, way, prng) < nodes);
    return rounds;
}
