/*
 * sim_copies: partitions with copies under deaths, cuts, slow nodes, and whatever else the network
 * does; replicas stand, copies are made anew.
 *
 * Followers have little patience, so that there are elections within a seed. In the end all nodes
 * are up, the network is whole, and every group has a leader whose log all replicas have.
 */
#include "sim_ops.h"

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include <stdio.h>

#define NODES_SEEN 7
#define GROUPS_SEEN 2

static void draw(struct sim *s)
{
    struct world_config *c = &s->config;
    c->nodes_max = c->nodes_max > NODES_SEEN ? c->nodes_max : NODES_SEEN;
    c->node_messages_max = c->node_messages_max > 1024 ? c->node_messages_max : 1024;
    c->groups_max = GROUPS_SEEN;
}

static uint32_t nodes(const struct sim *s)
{
    uint32_t count = world_nodes(s->world);
    return count < NODES_SEEN ? count : NODES_SEEN;
}

static uint32_t some_node(struct sim *s)
{
    return 1 + more_below(s, nodes(s));
}

static uint32_t some_group(struct sim *s)
{
    return more_below(s, GROUPS_SEEN);
}

/* A group on nodes that follow each other, from any of them on. */
static bool begin_group(struct sim *s)
{
    static const uint32_t sizes[] = {3, 3, 3, 5, 5, 4, 2, 1, 7};
    static const char *const acks[] = {"", "", "", "", " acks all", " acks one", " acks majority"};
    char members[64];
    size_t length = 0;
    uint32_t wanted = sizes[more_below(s, sizeof sizes / sizeof *sizes)];
    uint32_t count = wanted < nodes(s) ? wanted : nodes(s);
    uint32_t first = more_below(s, nodes(s));
    for (uint32_t i = 0; i < count; i++) {
        length += (size_t)snprintf(members + length, sizeof members - length, " N%u",
                                   1 + (first + i) % nodes(s));
    }
    /* One draw a statement: the order of arguments is each compiler's own. */
    const char *ack = acks[more_below(s, sizeof acks / sizeof *acks)];
    uint32_t bytes = 1 + more_below(s, 100000000);
    uint32_t group = some_group(s);
    return sim_do(s, "group G%u%s bytes %u%s patience 200", group, members, bytes, ack);
}

static bool write_or_read(struct sim *s)
{
    uint32_t group = some_group(s);
    switch (more_below(s, 8)) {
    case 0:
        return sim_do(s, "append G%u", group);
    case 1:
        return sim_do(s, "look G%u", group);
    case 2:
        return sim_do(s, "look G%u via N%u", group, some_node(s));
    case 3:
        return sim_do(s, "look G%u via N%u weak", group, some_node(s));
    case 4:
        return sim_do(s, "append G%u rate %u", group,
                      more_below(s, 3) == 0 ? 10 + more_below(s, 200) : 0);
    default:
        return sim_do(s, "append G%u via N%u", group, some_node(s));
    }
}

static bool cut_or_heal(struct sim *s)
{
    char sides[64];
    size_t length = 0;
    if (more_below(s, 3) == 0) {
        return sim_do(s, "heal");
    }
    uint32_t bits = 1 + more_below(s, (1u << nodes(s)) - 1);
    uint32_t more_sides = 0;
    for (uint32_t i = 0; i < nodes(s); i++) {
        if ((bits >> i & 1) != 0) {
            bool another = length > 0 && more_sides < 2 && more_below(s, 4) == 0;
            more_sides += another;
            length += (size_t)snprintf(sides + length, sizeof sides - length, "%s N%u",
                                       another ? " /" : "", i + 1);
        }
    }
    return sim_do(s, "heal") && length < 30 && sim_do(s, "split%s", sides);
}

static bool recopy_to_some(struct sim *s)
{
    uint32_t node = some_node(s);
    uint32_t group = some_group(s);
    return sim_do(s, "recopy G%u N%u", group, node);
}

static bool let_stand(struct sim *s)
{
    uint32_t node = some_node(s);
    uint32_t group = some_group(s);
    return sim_do(s, "stand G%u N%u", group, node);
}

static bool disturb_node(struct sim *s)
{
    static const uint32_t slow[] = {1, 1, 10, 400, 1000};
    uint32_t node = some_node(s);
    switch (more_below(s, 6)) {
    case 0:
        return sim_do(s, "node N%u slow %u", node, slow[more_below(s, 5)]);
    case 1:
    case 2: /* for an instant */
        return sim_do(s, "node N%u down", node) && sim_do(s, "node N%u up", node);
    case 3:
        return sim_do(s, "node N%u down", node);
    default:
        return sim_do(s, "node N%u up", node);
    }
}

static bool copy_anew(struct sim *s)
{
    switch (more_below(s, 8)) {
    case 0:
        return sim_do(s, "recopy on %u", more_below(s, 2) == 0 ? 0 : 1000000000u);
    case 1:
        return more_below(s, 4) == 0 && sim_do(s, "recopy off");
    case 2:
        return sim_do(s, "node link %u", 100000000u + more_below(s, 1000000000));
    case 3:
        return recopy_to_some(s);
    default:
        return sim_do(s, "recopy now N%u", some_node(s));
    }
}

static bool act(struct sim *s)
{
    if (nodes(s) < 3 || (nodes(s) < NODES_SEEN && more_below(s, 40) == 0)) {
        return sim_do(s, "node add any %u", 3 + more_below(s, 3));
    }
    if (world_groups(s->world) == 0 || more_below(s, 60) == 0) {
        return begin_group(s);
    }
    switch (more_below(s, 16)) {
    case 0:
    case 1:
        return cut_or_heal(s);
    case 2:
    case 3:
    case 4:
        return disturb_node(s);
    case 5:
    case 6:
        return copy_anew(s);
    case 7:
    case 8:
        return let_stand(s);
    default:
        return write_or_read(s);
    }
}

static void calm(struct sim *s)
{
    sim_do(s, "heal");
    for (uint32_t i = 0; i < world_nodes(s->world); i++) {
        sim_do(s, "node N%u up", i + 1);
        sim_do(s, "node N%u slow 1", i + 1);
    }
    sim_do(s, "recopy off");
    sim_do(s, "node link 1000000000000"); /* who was away too long is copied in no time */
    for (uint32_t i = 0; i < world_groups(s->world); i++) {
        sim_do(s, "append %s rate 0", world_group(s->world, i).name);
    }
}

static bool rests(struct sim *s)
{
    for (uint32_t i = 0; i < world_groups(s->world); i++) {
        struct group_info g = world_group(s->world, i);
        if (g.leader == UINT16_MAX || g.leaders != 1 || g.leaderless_since_us >= 0) {
            return err_set(&s->err, "group-is-led: all is quiet, and %s has %u leaders", g.name,
                           g.leaders);
        }
        for (uint32_t j = 0; j < g.replicas; j++) {
            const struct replica_info *r = &g.replica[j];
            if (r->term != g.term || r->last < g.replica[g.leader].last) {
                return err_set(&s->err,
                               "group-is-alike: all is quiet, and N%u of %s is not where its "
                               "leader is",
                               r->node + 1u, g.name);
            }
        }
    }
    return true;
}

const struct sim_extra sim_extra_copies = {
    .name = "copies", .draw = draw, .act = act, .calm = calm, .rests = rests};
