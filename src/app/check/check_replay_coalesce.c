/*
 * check_replay_coalesce: coalesced reads in a world: one shard, two routers, a key whose home is
 * R0.
 *
 * Request 0 is the write, 1 and 2 are the readers'. Queries and answers are held up by the number
 * of the router's own request, known once a reader waits for it.
 */
#include "app/check/check_replay_inside.h"
#include "check/coalesce.h"
#include "check/models.h"

#define KEY "likes:{p1}"
#define SHARD 0

static struct coalesce_action action_at(const struct replay *r, uint32_t step)
{
    return coalesce_action_of(r->result->action[step - 1]);
}

static uint8_t reader_op(unsigned reader)
{
    return (uint8_t)(1 + reader);
}

/* The reader who has begun a query (or joined it, if its beginner is gone), before this step. */
static uint8_t waiting_op(const struct replay *r, uint32_t step, struct coalesce_action a)
{
    _Alignas(16) unsigned char state[CHECK_STATE_MAX];
    const struct coalesce *now = (const void *)state;
    replay_state(r, step - 1, state);
    for (unsigned i = 0; i < COALESCE_READERS; i++) {
        const struct coalesce_reader *reader = &now->reader[i];
        if (reader->stage == COALESCE_WAITING && reader->router == a.router &&
            reader->query == a.which) {
            return reader_op(i);
        }
    }
    CHECK(false && "a query that nobody waits for");
    return 0;
}

/* Whether a read begins a query, and so does not join one. */
static bool begins(const struct replay *r, uint32_t step, struct coalesce_action a)
{
    _Alignas(16) unsigned char before[CHECK_STATE_MAX];
    _Alignas(16) unsigned char after[CHECK_STATE_MAX];
    replay_state(r, step - 1, before);
    replay_state(r, step, after);
    return ((const struct coalesce *)(const void *)before)->flying[a.router] !=
           ((const struct coalesce *)(const void *)after)->flying[a.router];
}

static void plan_step(struct replay *r)
{
    struct coalesce_action a = action_at(r, r->step);
    int64_t at = replay_next_us(r);
    uint8_t op = 0;
    switch (a.step) {
    case COALESCE_SEND_WRITE:
        replay_cue(r, at, CUE_ASK, "request like %s via R%u", KEY, (unsigned)a.router);
        replay_cue(r, at + REPLAY_ROUTED_US, CUE_HOLD, "%s", "");
        break;
    case COALESCE_APPLY_WRITE:
        replay_cue(r, at + 1, CUE_HOLD, "%s", "");
        break;
    case COALESCE_READ:
        op = reader_op(a.which);
        replay_cue(r, at, CUE_ASK, "request read %s via R%u", KEY, (unsigned)a.router)->op = op;
        r->op[op].read = true;
        if (begins(r, r->step, a)) {
            replay_cue(r, at + REPLAY_ROUTED_US, CUE_HOLD_QUERY, "%s", "")->op = op;
        }
        break;
    case COALESCE_ANSWER:
        op = waiting_op(r, r->step, a);
        replay_cue(r, at + 1, CUE_HOLD_QUERY, "%s", "")->op = op;
        break;
    case COALESCE_ACKNOWLEDGE:
    case COALESCE_RETURN:
        break;
    }
    replay_step_at(r, at, REPLAY_SETTLE_US);
}

/* The step in which the message that a step has sent arrives, 0 if that never comes. */
static uint32_t arrival_of(const struct replay *r, const struct cue *cue)
{
    for (uint32_t step = cue->step + 1; step <= r->result->depth; step++) {
        struct coalesce_action a = action_at(r, step);
        bool write = a.step == COALESCE_APPLY_WRITE || a.step == COALESCE_ACKNOWLEDGE;
        bool query = a.step == COALESCE_ANSWER || a.step == COALESCE_RETURN;
        if (cue->kind == CUE_HOLD ? write : query && waiting_op(r, step, a) == cue->op) {
            return step;
        }
    }
    return 0;
}

static bool plan(struct replay *r, struct err *err)
{
    if (r->scope.size != 2) {
        return err_set(err, "a world plays coalesce with two routers that do not tell each other");
    }
    r->key = KEY;
    r->step = 0;
    replay_cue(r, REPLAY_START_US, CUE_COMMAND, "reads %s coalesced by-key", KEY);
    for (r->step = 1; r->step <= r->result->depth; r->step++) {
        plan_step(r);
    }
    for (uint32_t i = 0; i < r->cues; i++) {
        struct cue *cue = &r->cue[i];
        if (cue->kind == CUE_HOLD || cue->kind == CUE_HOLD_QUERY) {
            uint32_t step = arrival_of(r, cue);
            cue->until_us = step != 0 ? r->at_us[step] : r->end_us[r->result->depth];
        }
    }
    return true;
}

/* --- comparing ---------------------------------------------------------------------------------
 */

static const char *write_differs(const struct replay *r, const struct coalesce *now)
{
    struct request_info info;
    uint64_t number = r->op[0].number;
    bool sent = replay_record(r, number, TRACE_ROUTE, REASON_NONE) != NULL;
    bool applied = replay_value(r, SHARD) == 1;
    bool done = replay_done(r, 0, &info);
    if (sent != (now->write >= COALESCE_SENT)) {
        return "whether the write is under way";
    }
    if (applied != (now->write >= COALESCE_APPLIED)) {
        return "whether the shard has the write";
    }
    return done != (now->write == COALESCE_ACKNOWLEDGED) ? "whether the writer was told" : NULL;
}

static const char *reader_differs(const struct replay *r, const struct coalesce *now, unsigned i)
{
    struct request_info info;
    uint8_t op = reader_op(i);
    const struct coalesce_reader *reader = &now->reader[i];
    bool done = replay_done(r, op, &info);
    if (reader->stage != COALESCE_WAITING) {
        if (done != (reader->stage == COALESCE_DONE)) {
            return "whether a reader has its answer";
        }
        return done && replay_stale(r, op) != (reader->need != 0) ? "what a reader was told" : NULL;
    }
    uint64_t query = replay_query(r, op);
    if (done || query == 0) {
        return "whether a reader waits";
    }
    if (!world_request(r->world, r->op[op].number, &info) || info.router != reader->router) {
        return "which router a reader waits at";
    }
    const struct trace_record *answer = replay_served(r, query);
    unsigned bit = 1u << reader->query;
    if ((answer != NULL) != ((now->answered[reader->router] & bit) != 0)) {
        return "whether the shard has answered a query";
    }
    return answer && answer->value != ((now->newer[reader->router] & bit) != 0) ? "what it answered"
                                                                                : NULL;
}

/* Two readers share a query, or each has its own. */
static const char *sharing_differs(const struct replay *r, const struct coalesce *now)
{
    const struct coalesce_reader *a = &now->reader[0];
    const struct coalesce_reader *b = &now->reader[1];
    if (a->stage != COALESCE_WAITING || b->stage != COALESCE_WAITING) {
        return NULL;
    }
    bool shared = a->router == b->router && a->query == b->query;
    return shared != (replay_query(r, reader_op(0)) == replay_query(r, reader_op(1)))
               ? "whether two readers share a query"
               : NULL;
}

static const char *differs(const struct replay *r, const void *state, uint32_t step)
{
    const struct coalesce *now = state;
    const char *what = NULL;
    bool readers = step == REPLAY_ALL || action_at(r, step).step >= COALESCE_READ;
    if (step == REPLAY_ALL || !readers) {
        what = write_differs(r, now);
    }
    for (unsigned i = 0; readers && !what && i < COALESCE_READERS; i++) {
        what = reader_differs(r, now, i);
    }
    return readers && !what ? sharing_differs(r, now) : what;
}

const struct replay_way replay_way_coalesce = {
    .model = &model_coalesce, .plan = plan, .differs = differs, .fails = replay_a_read_is_stale};
