/*
 * check_replay_failover: replicas that elect leaders, in a world: A is N1, B is N2 and so on, of
 * the group P1.
 *
 * No replica reaches another one, but in the steps in which a message arrives: then the network is
 * whole between the two, and their answers pass until the cut is back, or are lost by it. Followers
 * are patient: they stand when they are told to. That a leader sends what it has is set off by a
 * client's read, which it may answer only when a majority still follows it; that a candidate asks
 * for a vote, by the operator, who has it ask again. Leaders begin no term with an empty entry: the
 * model knows none.
 *
 * What is cut otherwise in the engine than in the model:
 *   - a client hears of its OK a leg after its leader found the write committed;
 *   - a leader sends what is new; a replica that lacks what is before it says so, and is sent that
 *     as well.
 */
#include "app/check/check_replay_inside.h"
#include "check/failover.h"
#include "check/models.h"
#include "engine/copies/copies.h"
#include <stdio.h>
#include <string.h>

#define GROUP 0
#define PATIENCE_MS 600000
#define TO_IT REPLAY_LEG_US           /* from a client or the operator to a replica */
#define THERE (2 * REPLAY_LEG_US)     /* and from there to another */
#define BACK (3 * REPLAY_LEG_US)      /* and its answer */
#define ONCE_MORE (5 * REPLAY_LEG_US) /* what was lacking, and the answer to that */
#define HALF (REPLAY_LEG_US / 2)

static struct failover_action action_at(const struct replay *r, uint32_t step)
{
    return failover_action_of(r->result->action[step - 1]);
}

/* --- planning ----------------------------------------------------------------------------------
 */

/* The cut: every replica alone, but for two; those behind the third are alike and on one side. */
static void cue_apart(struct replay *r, int64_t at, unsigned a, unsigned b)
{
    char sides[48];
    size_t length = 0;
    unsigned replicas = failover_world_of(&r->scope)->replicas;
    if (a != b && (a < 3 || b < 3)) {
        length = (size_t)snprintf(sides, sizeof sides, " N%u N%u", a + 1, b + 1);
    }
    for (unsigned i = 0; i < 3 && i < replicas; i++) {
        if (a == b || (i != a && i != b)) {
            length += (size_t)snprintf(sides + length, sizeof sides - length, "%s N%u",
                                       length > 0 ? " /" : "", i + 1);
        }
    }
    replay_cue(r, at, CUE_COMMAND, "split%s", sides);
}

/* Two reach each other until then. */
static void plan_meeting(struct replay *r, struct failover_action a, int64_t at, int64_t for_us)
{
    cue_apart(r, at, a.at, a.from);
    cue_apart(r, at + for_us, 0, 0);
}

/* The other lacks what is before the newest: the leader must send twice. */
static bool lacks(const struct replay *r, struct failover_action a)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct failover *now = (const void *)state;
    replay_state(r, r->step - 1, state);
    return failover_agreed(now, a.at, a.from) < now->replica[a.from].length;
}

static void plan_send(struct replay *r, struct failover_action a, int64_t at)
{
    bool lost = a.step == FAILOVER_SEND_LOST;
    int64_t there = lacks(r, a) ? ONCE_MORE - REPLAY_LEG_US : THERE;
    plan_meeting(r, a, at, lost ? there + HALF : ONCE_MORE + HALF);
    replay_cue(r, at, CUE_COMMAND, "look P1 via N%u", a.from + 1u);
}

static void plan_vote(struct replay *r, struct failover_action a, int64_t at)
{
    bool lost = a.step == FAILOVER_VOTE_LOST;
    plan_meeting(r, a, at, (lost ? THERE : BACK) - TO_IT + HALF);
    replay_cue(r, at, CUE_COMMAND, "stand P1 N%u again", a.from + 1u);
}

static bool plan_step(struct replay *r, struct failover_action a, unsigned *writes, struct err *err)
{
    int64_t at = replay_next_us(r);
    switch (a.step) {
    case FAILOVER_WRITE:
    case FAILOVER_WRITE_ACK:
        replay_cue(r, at, CUE_COMMAND, "append P1 %u via N%u", ++*writes, a.at + 1u);
        break;
    case FAILOVER_SEND:
    case FAILOVER_SEND_OLD:
    case FAILOVER_SEND_LOST:
    case FAILOVER_DEPOSE:
        plan_send(r, a, at);
        break;
    case FAILOVER_STAND:
    case FAILOVER_STAND_ALONE:
        replay_cue(r, at, CUE_COMMAND, "stand P1 N%u", a.at + 1u);
        break;
    case FAILOVER_VOTE:
    case FAILOVER_VOTE_SHORT:
    case FAILOVER_VOTE_OLD:
    case FAILOVER_VOTE_TWICE:
    case FAILOVER_VOTE_LOST:
    case FAILOVER_NO_VOTE:
        plan_vote(r, a, at);
        break;
    case FAILOVER_RESTART:
    case FAILOVER_RESTART_FORGETS:
        replay_cue(r, at, CUE_COMMAND, "node N%u down", a.at + 1u);
        replay_cue(r, at + HALF, CUE_COMMAND, "node N%u up", a.at + 1u);
        break;
    case FAILOVER_STEPS:
        return err_set(err, "step %u cannot be played", (unsigned)r->step);
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
    return true;
}

static bool plan(struct replay *r, struct err *err)
{
    unsigned replicas = failover_world_of(&r->scope)->replicas;
    unsigned writes = 0;
    char members[32] = "";
    for (unsigned i = 0; i < replicas; i++) {
        size_t length = strlen(members);
        (void)snprintf(members + length, sizeof members - length, " N%u", i + 1);
    }
    r->key = "";
    r->step = 0;
    r->config.nodes_max = (uint16_t)replicas;
    r->config.groups_max = 1;
    r->config.node_messages_max = 256;
    replay_cue(r, REPLAY_START_US + 100, CUE_COMMAND, "node add a %u", replicas);
    replay_cue(r, REPLAY_START_US + 200, CUE_COMMAND, "group P1%s patience %d empty off", members,
               PATIENCE_MS);
    cue_apart(r, REPLAY_START_US + 1000, 0, 0);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        if (!plan_step(r, action_at(r, r->step), &writes, err)) {
            return false;
        }
    }
    return true;
}

/* --- reading the world -------------------------------------------------------------------------
 */

static struct group_entry entry_of(const struct replay *r, unsigned replica, unsigned position)
{
    struct group_entry entry = {0};
    (void)world_group_entry(r->world, GROUP, replica, position, &entry);
    return entry;
}

static const char *replica_differs(const struct replay *r, const struct failover_replica *due,
                                   const struct replica_info *is, unsigned replica)
{
    if (is->term != due->term || is->vote != due->vote) {
        return is->term != due->term ? "the term that a replica is in" : "whom a replica voted for";
    }
    if (is->role != due->role) {
        return "whether a replica follows, stands or leads";
    }
    if (is->last != due->length || is->commit != due->commit) {
        return is->last != due->length ? "how long a log is" : "how far a log is committed";
    }
    for (unsigned p = 1; p <= due->length; p++) {
        struct group_entry entry = entry_of(r, replica, p);
        if (entry.term != due->log[p - 1] >> 4 || entry.value != (due->log[p - 1] & 15u)) {
            return "what is in a log";
        }
    }
    return NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct failover *now = state;
    struct group_info g = world_group(r->world, GROUP);
    uint64_t acked = 0;
    (void)step; /* all is known at every step */
    for (unsigned i = 0; i < g.replicas; i++) {
        const char *what = replica_differs(r, &now->replica[i], &g.replica[i], i);
        if (what) {
            return what;
        }
    }
    for (unsigned w = 0; w < now->taken; w++) {
        acked += now->write[w].acked != 0;
    }
    return acked != g.acked ? "how many clients were told OK" : NULL;
}

/* --- what is broken ----------------------------------------------------------------------------
 */

/* An acknowledged entry that a leader of a later term lacks. */
static bool one_lacks(const struct replay *r, const struct group_info *g, char *text, size_t room)
{
    for (unsigned i = 0; i < g->replicas; i++) {
        for (unsigned p = 1; p <= g->replica[i].last; p++) {
            struct group_entry entry = entry_of(r, i, p);
            for (unsigned j = 0; j < g->replicas && entry.acked; j++) {
                const struct replica_info *leader = &g->replica[j];
                struct group_entry has = entry_of(r, j, p);
                if (leader->role != TERM_LEADER || leader->term <= entry.by ||
                    (has.term == entry.term && has.value == entry.value)) {
                    continue;
                }
                (void)snprintf(text, room,
                               "N%u leads term %u without write %u, whose client was told OK",
                               leader->node + 1u, (unsigned)leader->term, (unsigned)entry.value);
                return true;
            }
        }
    }
    return false;
}

static bool two_differ(const struct replay *r, const struct group_info *g, char *text, size_t room)
{
    for (unsigned i = 0; i < g->replicas; i++) {
        for (unsigned j = 0; j < i; j++) {
            const struct replica_info *a = &g->replica[j];
            const struct replica_info *b = &g->replica[i];
            for (unsigned p = 1; p <= a->commit && p <= b->commit; p++) {
                struct group_entry x = entry_of(r, j, p);
                struct group_entry y = entry_of(r, i, p);
                if (x.term != y.term || x.value != y.value) {
                    (void)snprintf(text, room,
                                   "N%u holds write %u at position %u and N%u write %u, and both "
                                   "take it for committed",
                                   a->node + 1u, (unsigned)x.value, p, b->node + 1u,
                                   (unsigned)y.value);
                    return true;
                }
            }
        }
    }
    return false;
}

static bool fails(const struct replay *r, char *text, size_t room)
{
    struct group_info g = world_group(r->world, GROUP);
    if (g.two_leaders != 0) {
        (void)snprintf(text, room, "two replicas led term %u", (unsigned)g.two_leaders);
        return true;
    }
    if (g.late != 0) {
        (void)snprintf(text, room,
                       "a leader that was replaced acknowledged entry %u, which it took after that",
                       (unsigned)g.late);
        return true;
    }
    return one_lacks(r, &g, text, room) || two_differ(r, &g, text, room);
}

/* Writes of which a client was told, and that no replica has. */
static uint64_t lost(const struct replay *r)
{
    struct group_info g = world_group(r->world, GROUP);
    uint64_t held = 0;
    for (unsigned write = 1; write <= FAILOVER_WRITES_MAX; write++) {
        bool found = false;
        for (unsigned i = 0; i < g.replicas; i++) {
            for (unsigned p = 1; p <= g.replica[i].last; p++) {
                struct group_entry entry = entry_of(r, i, p);
                found = found || (entry.acked && entry.value == write);
            }
        }
        held += found;
    }
    return g.acked > held ? g.acked - held : 0;
}

static const char about[] =
    "A is N1, B is N2 and so on, of the group P1. The network is cut between all of them, but in\n"
    "the steps in which a message arrives; a client's read has the leader send what it has.\n";

const struct replay_way replay_way_failover = {.model = &model_failover,
                                               .about = about,
                                               .plan = plan,
                                               .differs = differs,
                                               .fails = fails,
                                               .lost = lost};
