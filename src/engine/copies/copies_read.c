/*
 * copies_read: what others see of groups.
 */
#include "engine/copies/copies_inside.h"
#include <string.h>

uint32_t world_groups(const struct world *w)
{
    return w->copies.count;
}

bool world_group_find(const struct world *w, struct bytes name, uint32_t *index)
{
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const char *own = groups_in(w)[i].name;
        if (strlen(own) == name.length && memcmp(own, name.at, name.length) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

static struct replica_info replica_info_of(const struct world *w, const struct group_row *g,
                                           uint16_t place)
{
    const struct replica *r = &g->replica[place];
    const struct copy_made *c = &g->copy;
    bool behind = c->under_way && c->catching_up && c->place == place;
    bool gone = (w->copies.declared >> r->node & 1) != 0;
    return (struct replica_info){
        .node = r->node,
        .state = gone ? REPLICA_GONE : REPLICA_VOTES,
        .role = r->core.role,
        .up = replica_up(w, r),
        .term = r->core.term,
        .last = r->core.last,
        .last_term = r->core.last_term,
        .commit = log_known(r),
        .vote = r->core.vote == VOTE_GONE ? 0 : r->core.vote,
        .value = log_value(r, client_read_position(g, r)),
        .copied = behind ? again_copied(w, g) : 0,
        .bytes = behind ? c->bytes : 0,
    };
}

static void add_copy(const struct world *w, const struct group_row *g, struct group_info *info)
{
    const struct copy_made *c = &g->copy;
    if (!c->under_way || c->catching_up) {
        return;
    }
    info->replica[info->replicas++] = (struct replica_info){.node = c->node,
                                                            .state = REPLICA_COPYING,
                                                            .role = TERM_FOLLOWER,
                                                            .up = node_up(w, c->node),
                                                            .copied = again_copied(w, g),
                                                            .bytes = c->bytes};
}

struct group_info world_group(const struct world *w, uint32_t index)
{
    CHECK(index < w->copies.count);
    const struct group_row *g = groups_in(w) + index;
    bool led = g->leaderless_since_us < 0;
    struct group_info info = {
        .acks = g->acks,
        .bytes = g->bytes,
        .replicas = g->of,
        .leader = group_leader(w, g),
        .asked = g->asked,
        .acked = g->acked,
        .failed = g->failed,
        .lost = g->lost,
        .looks = g->looks,
        .stale = g->stale,
        .elections = g->elections,
        .looked = g->looked,
        .last_leaderless_us = g->last_leaderless_us,
        .leaderless_us = g->leaderless_us + (led ? 0 : w->now_us - g->leaderless_since_us),
        .leaderless_since_us = g->leaderless_since_us,
        .two_leaders = g->broken == COPIES_TWO_LEADERS ? g->broken_term : 0,
        .late = g->broken == COPIES_LATE ? g->broken_at : 0,
    };
    memcpy(info.name, g->name, sizeof info.name);
    for (uint16_t i = 0; i < g->of; i++) {
        const struct replica *r = &g->replica[i];
        info.replica[i] = replica_info_of(w, g, i);
        info.leaders += replica_leads(w, r);
        info.term = r->core.term > info.term ? r->core.term : info.term;
        info.committed = log_known(r) > info.committed ? log_known(r) : info.committed;
    }
    add_copy(w, g, &info);
    return info;
}

bool world_group_entry(const struct world *w, uint32_t group, uint32_t replica, uint64_t position,
                       struct group_entry *out)
{
    CHECK(group < w->copies.count);
    const struct group_row *g = groups_in(w) + group;
    if (replica >= g->of) {
        return false;
    }
    uint64_t entry = position == 0 ? 0 : log_entry(&g->replica[replica], position);
    bool empty = ENTRY_IS_EMPTY(entry);
    *out = (struct group_entry){
        .term = ENTRY_TERM(entry), .value = empty ? 0 : ENTRY_VALUE(entry), .empty = empty};
    uint16_t leader = group_leader(w, g);
    for (uint32_t i = 0; i < GROUP_ACKED && entry != 0; i++) {
        const struct acked_entry *a = &g->acked_entry[i];
        if (a->position == position && a->entry == entry) {
            out->acked = true;
            out->by = a->by;
            out->lost = leader != NOBODY && !log_has(&g->replica[leader], position, entry) &&
                        g->replica[leader].core.term > a->by;
        }
    }
    return entry != 0;
}

struct node_holds world_node_holds(const struct world *w, uint32_t node)
{
    struct node_holds holds = {0};
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct group_row *g = groups_in(w) + i;
        uint16_t place = group_place(g, node);
        holds.replicas += place != NOBODY;
        holds.leads += place != NOBODY && group_leader(w, g) == place;
        holds.copying += g->copy.under_way && g->copy.node == node;
    }
    return holds;
}

struct recopy_info world_recopy(const struct world *w)
{
    const struct copies_state *c = &w->copies;
    bool ever = c->began_us > 0;
    uint64_t bytes = c->bytes;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct group_row *g = groups_in(w) + i;
        bytes += g->copy.under_way ? again_copied(w, g) : 0;
    }
    return (struct recopy_info){.on = c->on,
                                .budget = c->budget,
                                .under_way = c->under_way,
                                .done = c->done,
                                .bytes = bytes,
                                .began_us = ever ? c->began_us : -1,
                                .ended_us = ever ? c->ended_us : -1};
}
