/*
 * The other direction: what a live move does in random worlds is among what the model of the
 * checker can do. After each event the world is projected to what can be seen of a state of the
 * model; the set of states that the world may be in is followed along the model's steps, and must
 * never become empty. With a rule off in the world and on in the model, it does.
 *
 * Cut otherwise in the engine, and so not compared: a target owns the slot together with the
 * commit; a request that was told "migrating, retry" goes where its router's map says by then, so
 * after the commit the source may count as closed already.
 */
#include "base/alloc.h"
#include "base/num.h"
#include "base/prng.h"
#include "check/fence_and_flip.h"
#include "check/models.h"
#include "engine/moves/moves.h"
#include "engine/world.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KEY "likes:{p9}"
#define SLOT 12067
#define SEEDS 200
#define SET_MAX 4096
#define DEEP 5 /* a copy that is complete applies all that was written meanwhile at once */
#define SPAN_US 60000
#define REQUESTS (writes_of() + reads_of())

static const struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = FLIP_3W2R};

static unsigned writes_of(void)
{
    return flip_world_of(&scope)->writes;
}

static unsigned reads_of(void)
{
    return flip_world_of(&scope)->reads;
}

/* What can be seen of a world, in the model's terms. */
struct seen {
    uint8_t phase, source, target, owner;
    uint8_t pending, has[2];
    uint8_t router[FLIP_ROUTERS];
    uint8_t stage[FLIP_OPS], at[FLIP_OPS]; /* FLIP_IDLE, FLIP_SENT, FLIP_DONE */
};

struct run {
    struct world *world;
    struct prng prng;
    struct seen seen;
    uint64_t number[FLIP_OPS]; /* the request that is this one of the model */
    unsigned issued[2];        /* writes, reads */
    uint64_t told;
    struct fence_and_flip set[SET_MAX];
    size_t count;
    unsigned followed; /* changes of what was seen */
};

/* --- what is seen ------------------------------------------------------------------------------
 */

static unsigned op_of(struct run *r, const struct trace_record *t)
{
    bool read = t->op == OP_READ;
    unsigned first = read ? writes_of() : 0;
    for (unsigned i = first; i < first + r->issued[read]; i++) {
        if (r->number[i] == t->request) {
            return i;
        }
    }
    unsigned op = first + r->issued[read]++;
    assert_true(op < (read ? REQUESTS : writes_of()));
    r->number[op] = t->request;
    return op;
}

static void see_requests(struct run *r)
{
    for (; r->told < trace_next(r->world); r->told++) {
        const struct trace_record *t = trace_get(r->world, r->told);
        bool served = t->kind == TRACE_ANSWER &&
                      (t->outcome == OUTCOME_OK || t->outcome == OUTCOME_OK_RELOAD);
        if (t->kind == TRACE_ROUTE) {
            unsigned op = op_of(r, t);
            r->seen.stage[op] = FLIP_SENT;
            r->seen.at[op] = (uint8_t)t->to.index;
        } else if (served) {
            unsigned op = op_of(r, t);
            r->seen.stage[op] = FLIP_DONE;
            r->seen.at[op] = 0;
        }
    }
}

static uint8_t row(const struct world *w, uint16_t shard)
{
    uint8_t state = world_slot_row(w, shard, SLOT).state;
    return state == SLOT_ABSENT ? SLOT_MOVED : state;
}

static void see(struct run *r)
{
    const struct world *w = r->world;
    uint32_t key = 0;
    struct move_info move = {.phase = MOVE_BEGUN};
    bool moving = moves_info_of(w, SLOT, &move);
    bool known = world_find_key(w, bytes_of(KEY), &key);
    bool tail = move.phase == MOVE_TAILING || move.phase == MOVE_FENCED;
    see_requests(r);
    r->seen.phase = (uint8_t)move.phase;
    r->seen.pending = moving && tail ? (uint8_t)(move.end - move.applied) : 0;
    r->seen.source = row(w, 0);
    r->seen.target = row(w, 1);
    r->seen.owner = (uint8_t)world_owner(w, SLOT);
    for (uint16_t i = 0; i < 2; i++) {
        r->seen.has[i] = known ? (uint8_t)world_value(w, i, key) : 0;
        r->seen.router[i] = (uint8_t)world_router_owner(w, i, SLOT);
    }
}

/* --- the model ---------------------------------------------------------------------------------
 */

static unsigned writes_in(unsigned set)
{
    unsigned count = 0;
    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

static bool tables_match(const struct seen *s, const struct move_core *m)
{
    unsigned source = m->source == SLOT_ABSENT ? SLOT_MOVED : m->source;
    unsigned target = m->target == SLOT_ABSENT ? SLOT_MOVED : m->target;
    bool committed = m->phase == MOVE_COMMITTED;
    bool closed_soon = committed && source == SLOT_MOVED && s->source == SLOT_MIGRATING;
    bool owned_at_once = committed && s->target == SLOT_OWNED;
    return (s->source == source || closed_soon) && (s->target == target || owned_at_once);
}

static bool matches(const struct seen *s, const struct fence_and_flip *now)
{
    const struct move_core *m = &now->move;
    bool tail = m->phase == MOVE_TAILING || m->phase == MOVE_FENCED;
    bool well = s->phase == m->phase && s->owner == flip_owner(now->version) &&
                s->pending == (tail ? m->end - m->applied : 0) && tables_match(s, m);
    for (unsigned i = 0; well && i < 2; i++) {
        well = s->has[i] == writes_in(now->has[i]) && s->router[i] == flip_owner(now->router[i]);
    }
    for (unsigned i = 0; well && i < REQUESTS; i++) {
        well = s->stage[i] == now->op[i].stage &&
               (s->stage[i] != FLIP_SENT || s->at[i] == now->op[i].shard);
    }
    return well;
}

static bool among(const struct fence_and_flip *set, size_t count, const struct fence_and_flip *one)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&set[i], one, sizeof *one) == 0) {
            return true;
        }
    }
    return false;
}

/* Every state that a few steps lead to, the set's own included: the place behind the last. */
static size_t spread(struct fence_and_flip *set, size_t from, size_t to)
{
    unsigned char states[CHECK_STEPS_MAX * sizeof(struct fence_and_flip)];
    uint16_t actions[CHECK_STEPS_MAX];
    size_t end = to;
    for (size_t i = from; i < to; i++) {
        struct check_out out = {.state = states,
                                .action = actions,
                                .state_size = sizeof(struct fence_and_flip),
                                .room = CHECK_STEPS_MAX};
        model_fence_and_flip.next(&scope, &set[i], &out);
        for (size_t j = 0; j < out.count; j++) {
            struct fence_and_flip next;
            memcpy(&next, states + j * sizeof next, sizeof next);
            if (end < SET_MAX && !among(set, end, &next)) {
                set[end++] = next;
            }
        }
    }
    return end;
}

/* The world has changed: the states it may be in now. False when there is none. */
static bool follow(struct run *r)
{
    size_t from = 0;
    size_t to = r->count;
    size_t kept = 0;
    for (unsigned deep = 0; deep < DEEP && kept == 0 && to > from; deep++) {
        size_t end = spread(r->set, from, to);
        for (size_t i = to; i < end && kept == 0; i++) {
            kept += matches(&r->seen, &r->set[i]);
        }
        from = to;
        to = end;
    }
    kept = 0;
    for (size_t i = 0; i < to; i++) {
        if (matches(&r->seen, &r->set[i])) {
            r->set[kept++] = r->set[i];
        }
    }
    r->count = kept;
    r->followed++;
    return kept > 0;
}

/* --- a run -------------------------------------------------------------------------------------
 */

static int64_t below(struct run *r, uint64_t bound)
{
    return (int64_t)prng_below(&r->prng, bound);
}

static struct world *random_world(struct run *r, const char *rule_off)
{
    struct err err = {{0}};
    struct world_config c = world_config_default();
    c.shards = 1;
    c.shards_max = 2;
    c.zones = 3;
    memcpy(c.shard_zone, (const uint8_t[16]){0, 1}, 16);
    memcpy(c.router_zone, (const uint8_t[16]){0, 2}, 16);
    c.directory_zone = (uint8_t)below(r, 3);
    for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
            c.delay_us[from][to] = (int32_t)(1 + below(r, below(r, 4) == 0 ? 20000 : 2000));
        }
    }
    c.query_us = (int32_t)(1 + below(r, 5000));
    c.apply_us = (int32_t)(1 + below(r, 15000));
    c.commit_us = (int32_t)(1 + below(r, 5000));
    c.trace_max = 4096;
    struct world *w = world_new(&c, &err);
    assert_non_null(w);
    struct command command;
    assert_true(command_parse("shard add b", &command, &err));
    assert_true(world_apply(w, &command, &err));
    if (rule_off) {
        char words[80];
        (void)snprintf(words, sizeof words, "rule %s off", rule_off);
        assert_true(command_parse(words, &command, &err));
        assert_true(world_apply(w, &command, &err));
    }
    return w;
}

static bool look(struct run *r)
{
    struct seen before = r->seen;
    see(r);
    return memcmp(&before, &r->seen, sizeof before) == 0 || follow(r);
}

/* Every event before a time; false at the first that the model cannot follow. */
static bool run_until(struct run *r, int64_t time)
{
    int64_t next = 0;
    while (world_next_time(r->world, &next) && next < time) {
        assert_true(world_step(r->world));
        if (!look(r)) {
            return false;
        }
    }
    world_run_until(r->world, time);
    return true;
}

static bool give(struct run *r, const char *words)
{
    struct command c;
    assert_true(command_parse(words, &c, NULL));
    (void)world_apply(r->world, &c, NULL); /* a fence may come too early, and is refused */
    return look(r);
}

/* Requests, a copy and what follows it, in a random order and at random times. */
static bool play(struct run *r)
{
    unsigned left[2] = {writes_of(), reads_of()};
    bool migrated = false;
    int64_t end = world_now(r->world) + SPAN_US * 4;
    while (world_now(r->world) < end) {
        char words[80] = "fence 12067";
        uint64_t die = (uint64_t)below(r, 12);
        bool read = die % 2 == 1;
        if (die < 4 && left[read] > 0) {
            left[read]--;
            (void)snprintf(words, sizeof words, "request %s %s via R%d", read ? "read" : "like",
                           KEY, (int)below(r, 2));
        } else if (!migrated) {
            migrated = true;
            (void)snprintf(words, sizeof words, "migrate 12067 S1 %d 1000000",
                           1 + (int)below(r, 10000));
        } else if (die >= 11) {
            (void)snprintf(words, sizeof words, "abort 12067");
        }
        if (!give(r, words) || !run_until(r, world_now(r->world) + below(r, 20000))) {
            return false;
        }
    }
    return run_until(r, world_now(r->world) + US_PER_SECOND);
}

/* The whole run of one seed; the number of changes that the model could follow. */
static bool accepted(uint64_t seed, const char *rule_off, unsigned *followed, struct seen *last)
{
    struct run *r = xcalloc(1, sizeof *r);
    char stream[40];
    (void)snprintf(stream, sizeof stream, "project %u", (unsigned)seed);
    r->prng = prng_seeded(seed, stream);
    r->world = random_world(r, rule_off);
    r->told = trace_next(r->world);
    unsigned char start[2 * sizeof(struct fence_and_flip)];
    uint16_t action[2];
    struct check_out out = {
        .state = start, .action = action, .state_size = sizeof(struct fence_and_flip), .room = 2};
    model_fence_and_flip.init(&scope, &out);
    memcpy(&r->set[0], start, sizeof r->set[0]);
    r->count = 1;
    see(r);
    assert_true(matches(&r->seen, &r->set[0]));
    bool well = play(r);
    *followed = r->followed;
    *last = r->seen;
    world_free(r->world);
    free(r);
    return well;
}

static void a_live_move_does_what_the_model_can_do(void **state)
{
    (void)state;
    unsigned changes = 0;
    unsigned ends[MOVE_PHASES] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        unsigned followed = 0;
        struct seen last;
        if (!accepted(seed, NULL, &followed, &last)) {
            fail_msg("seed %u: after %u changes the model has no state like the world",
                     (unsigned)seed, followed);
        }
        changes += followed;
        ends[last.phase]++;
    }
    assert_true(changes > SEEDS * 10);
    assert_true(ends[MOVE_COMMITTED] > SEEDS / 4 && ends[MOVE_ABORTED] > SEEDS / 20);
    print_message("    %u runs, %u changes followed: %u committed, %u aborted\n", SEEDS, changes,
                  ends[MOVE_COMMITTED], ends[MOVE_ABORTED]);
}

static void without_a_rule_it_does_more(void **state)
{
    (void)state;
    static const char *const rules[] = {"fence", "drain-to-fence", "slot-table-check"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        unsigned refused = 0;
        for (uint64_t seed = 1; seed <= SEEDS / 4; seed++) {
            unsigned followed = 0;
            struct seen last;
            refused += !accepted(seed, rules[i], &followed, &last);
        }
        if (refused == 0) {
            fail_msg("without %s nothing is ever refused", rules[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_live_move_does_what_the_model_can_do),
        cmocka_unit_test(without_a_rule_it_does_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
