/*
 * check_replay_seen: whether a world is where the model of a move is.
 */
#include "app/check/check_replay_flip.h"
#include "engine/moves/moves.h"

static unsigned writes_in(uint8_t set)
{
    unsigned count = 0;
    for (; set != 0; set &= (uint8_t)(set - 1)) {
        count++;
    }
    return count;
}

static const char *request_differs(const struct replay *r, const struct fence_and_flip *now,
                                   uint8_t op)
{
    struct request_info info;
    const struct flip_op *o = &now->op[op];
    uint64_t number = r->op[op].number;
    const struct trace_record *sent = replay_record(r, number, TRACE_ROUTE, REASON_NONE);
    bool served = number != 0 && replay_served(r, number) != NULL;
    switch ((enum flip_stage)o->stage) {
    case FLIP_IDLE:
        return number != 0 ? "a request is there too early" : NULL;
    case FLIP_SENT:
        if (served || !sent) {
            return served ? "a request is served already" : "a request has not been sent on";
        }
        return sent->to.index != o->shard ? "a request went to the other shard" : NULL;
    case FLIP_PASSED:
        return served ? "the write was checked and appended at once" : NULL;
    case FLIP_LOST:
        return "no reply is lost in a world";
    case FLIP_DONE:
        break;
    }
    if (!served || !replay_done(r, op, &info)) {
        return "a request has not been served";
    }
    return replay_stale(r, op) != (o->need != 0) ? "a read returned something else" : NULL;
}

/* "moved" and no row at all are the same to who asks. */
static unsigned plain_row(unsigned state)
{
    return state == SLOT_ABSENT ? (unsigned)SLOT_MOVED : state;
}

static const char *tables_differ(const struct replay *r, const struct fence_and_flip *now)
{
    unsigned source = world_slot_row(r->world, REPLAY_SOURCE_SHARD, REPLAY_SLOT).state;
    unsigned target = world_slot_row(r->world, REPLAY_TARGET, REPLAY_SLOT).state;
    const struct move_core *m = &now->move;
    if (plain_row(source) != plain_row(m->source)) {
        return "the source's slot table";
    }
    bool ahead = m->phase == MOVE_COMMITTED && target == SLOT_OWNED;
    bool begun = m->phase == MOVE_BEGUN; /* in the world the copy may have begun */
    return !ahead && !begun && plain_row(target) != plain_row(m->target) ? "the target's slot table"
                                                                         : NULL;
}

static const char *move_differs(const struct replay *r, const struct fence_and_flip *now)
{
    struct move_info info = {.phase = MOVE_BEGUN};
    const struct move_core *m = &now->move;
    bool known = moves_info_of(r->world, REPLAY_SLOT, &info);
    if (m->phase == MOVE_BEGUN) {
        return NULL;
    }
    if (!known || info.phase != (enum move_phase)m->phase) {
        return "how far the move is";
    }
    bool tail = m->phase == MOVE_TAILING || m->phase == MOVE_FENCED;
    return tail && info.end - info.applied != m->end - m->applied
               ? "how much of the log the target has yet to apply"
               : NULL;
}

static const char *data_differs(const struct replay *r, const struct fence_and_flip *now)
{
    bool begun = now->move.phase == MOVE_BEGUN;
    if (replay_value(r, REPLAY_SOURCE_SHARD) != writes_in(now->has[REPLAY_SOURCE_SHARD])) {
        return "what the source holds";
    }
    return !begun && replay_value(r, REPLAY_TARGET) != writes_in(now->has[REPLAY_TARGET])
               ? "what the target holds"
               : NULL;
}

static const char *maps_differ(const struct replay *r, const struct fence_and_flip *now)
{
    for (uint16_t router = 0; router < FLIP_ROUTERS; router++) {
        if (world_router_owner(r->world, router, REPLAY_SLOT) != flip_owner(now->router[router])) {
            return "a router's map";
        }
    }
    /* A move that was dropped after its commit: the engine's directory takes it back. */
    bool back = now->move.phase == MOVE_ABORTED && now->version > 0;
    return !back && world_owner(r->world, REPLAY_SLOT) != flip_owner(now->version)
               ? "the directory's map"
               : NULL;
}

static const char *all_differs(const struct replay *r, const struct fence_and_flip *now)
{
    const char *(*const parts[])(const struct replay *, const struct fence_and_flip *) = {
        tables_differ, move_differs, data_differs, maps_differ};
    const char *what = NULL;
    for (uint8_t op = 0; !what && op < flip_ops(flip_world_of(&r->scope)); op++) {
        what = request_differs(r, now, op);
    }
    for (size_t i = 0; !what && i < sizeof parts / sizeof *parts; i++) {
        what = parts[i](r, now);
    }
    return what;
}

const char *replay_flip_differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct fence_and_flip *now = state;
    if (step == REPLAY_ALL) {
        return all_differs(r, now);
    }
    struct flip_action a = replay_flip_action(r, step);
    switch (a.step) {
    case FLIP_SERVE: {
        const struct trace_record *t = replay_served(r, r->op[a.op].number);
        return t && t->from.index == a.shard ? request_differs(r, now, a.op)
                                             : "this shard has not served it";
    }
    case FLIP_ISSUE:
    case FLIP_RETRY:
    case FLIP_MOVED:
    case FLIP_PASS:
    case FLIP_LAND:
    case FLIP_RESEND:
    case FLIP_LOSE:
        return request_differs(r, now, a.op);
    case FLIP_RELOAD:
    case FLIP_EARLY:
    case FLIP_COMMIT:
        return maps_differ(r, now);
    case FLIP_SNAPSHOT:
    case FLIP_APPLY:
        return move_differs(r, now);
    case FLIP_FENCE:
    case FLIP_OWN:
    case FLIP_CLOSE:
    case FLIP_ABORT:
    case FLIP_RESTART:
        return tables_differ(r, now);
    case FLIP_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return NULL;
}
