/*
 * What must always be true, under random commands; and that each check can fail.
 */
#include "play.h"

#include "engine/apply.h"
#include "engine/store.h"
#include "engine/table.h"
#include <stdio.h>

enum {
    SEEDS = 300,
    COMMANDS = 300,
    SLOTS = 24,
    KEYS = 10
};

static struct world *small_world(uint64_t seed)
{
    struct world_config c = play_config();
    c.seed = seed;
    c.slots = SLOTS;
    c.write_ceiling = seed % 3 == 0 ? 200 : 0;
    c.read_ceiling = seed % 5 == 0 ? 300 : 0;
    c.queue = (uint32_t)(seed % 7);
    c.changes_max = 512;
    c.trace_max = 16;
    return play_new(&c);
}

static struct bytes any_key(struct prng *chance, char text[8])
{
    (void)snprintf(text, 8, "k%u", (unsigned)prng_below(chance, KEYS));
    return bytes_of(text);
}

static struct command any_command(struct prng *chance)
{
    char text[8];
    struct bytes key = any_key(chance, text);
    uint16_t router = (uint16_t)prng_below(chance, 7); /* one that does not exist, too */
    enum op_kind op = (enum op_kind)prng_below(chance, OP_KINDS);
    uint64_t kind = prng_below(chance, 20);
    struct command c = {.kind = COMMAND_KINDS};
    if (kind < 9) {
        return command_request(op, key, router);
    }
    if (kind < 11) {
        uint32_t rate = (uint32_t)prng_below(chance, 3) * 150;
        return command_flow(op, key, rate, (enum arrivals)prng_below(chance, 3));
    }
    static const enum command_kind rest[] = {COMMAND_DEAF,   COMMAND_DEAF,      COMMAND_RELOAD,
                                             COMMAND_MOVE,   COMMAND_MOVE,      COMMAND_FREEZE,
                                             COMMAND_FREEZE, COMMAND_SHARD_ADD, COMMAND_CEILING};
    c.kind = rest[kind - 11];
    c.router = router;
    c.shard = (uint16_t)prng_below(chance, 8);
    c.first = (uint32_t)prng_below(chance, SLOTS);
    c.last = c.first + (uint32_t)prng_below(chance, 6);
    c.on = prng_chance(chance, 1, 2);
    c.zone = ZONE_ANY;
    c.writes = (uint32_t)prng_below(chance, 3) * 100;
    c.reads = (uint32_t)prng_below(chance, 3) * 100;
    c.queue = (uint32_t)prng_below(chance, 4);
    if (c.kind == COMMAND_FREEZE && !c.on) { /* whatever it froze */
        c.first = 0;
        c.last = SLOTS - 1;
    }
    return c;
}

static void end_flows(struct world *w)
{
    char text[8];
    for (unsigned key = 0; key < KEYS; key++) {
        (void)snprintf(text, sizeof text, "k%u", key);
        for (unsigned op = 0; op < OP_KINDS; op++) {
            struct command c = command_flow((enum op_kind)op, bytes_of(text), 0, ARRIVALS_STEADY);
            (void)world_apply(w, &c, NULL);
        }
    }
}

/* Random commands; after each event `check` looks. False as soon as it is not content. */
static bool ride(struct world *w, uint64_t seed, bool (*check)(const struct world *, struct err *),
                 struct err *err)
{
    struct prng chance = prng_seeded(seed, "invariant test");
    for (int i = 0; i < COMMANDS; i++) {
        struct command c = any_command(&chance);
        (void)world_apply(w, &c, NULL);
        if (!check(w, err)) {
            return false;
        }
        for (uint64_t steps = prng_below(&chance, 6); steps > 0 && world_step(w); steps--) {
            if (!check(w, err)) {
                return false;
            }
        }
        assert_false(world_stopped(w, err));
    }
    return true;
}

static void they_hold_after_every_event_of_any_run(void **state)
{
    (void)state;
    uint64_t acked = 0;
    uint64_t moved = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world *w = small_world(seed);
        struct err err = {{0}};
        if (!ride(w, seed, invariant_hold, &err)) {
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        }
        end_flows(w);
        while (world_step(w)) {
        }
        play_holds(w); /* and at rest every like is with its owner */
        assert_true(world_all_quiet(w));
        for (uint32_t key = 0; key < world_keys(w); key++) {
            uint16_t owner = world_owner(w, world_key_slot(w, key));
            assert_int_equal(world_value(w, owner, key), world_acked(w, key));
            acked += world_acked(w, key);
        }
        for (uint16_t shard = 0; shard < world_shards(w); shard++) {
            moved += world_shard(w, shard).moved;
        }
        world_free(w);
    }
    assert_true(acked > 5000); /* the runs did something */
    assert_true(moved > 500);
}

static void without_the_slot_table_some_run_loses_a_like(void **state)
{
    (void)state;
    int broken = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *w = small_world(seed);
        struct err err = {{0}};
        play(w, "rule slot-table-check off");
        if (!ride(w, seed, invariant_hold, &err)) {
            assert_true(str_starts(err.text, "nothing-lost") ||
                        str_starts(err.text, "conservation"));
            broken++;
        }
        world_free(w);
    }
    assert_in_range(broken, 10, 20);
}

static void without_reload_on_moved_nothing_is_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *w = small_world(seed);
        struct err err = {{0}};
        play(w, "rule reload-on-moved off");
        if (!ride(w, seed, invariant_hold, &err)) {
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        }
        world_free(w);
    }
}

static void each_check_fails_on_a_world_that_is_wrong(void **state)
{
    (void)state;
    struct world *right = play_world();
    play_request(right, "request like likes:{p9} via R0");
    play_holds(right);
    struct world *w = world_copy(right);

    struct slot_row row = {.first = 12067, .last = 12067, .other = SHARD_NONE, .epoch = 7};
    row.state = SLOT_OWNED;
    assert_true(table_set(w, 3, &row));
    play_breaks(w, "one-owner: S3 says \"owned\" for slot 12067, and so does S2");

    world_copy_into(w, right);
    row.state = SLOT_ABSENT;
    row.epoch = 0;
    assert_true(table_set(w, 2, &row));
    play_breaks(w, "epochs-rise: a slot table's row of epoch 7 gave way to one of epoch 0");
    w->broken.promise = PROMISE_NONE;
    play_breaks(w, "plan-owner: 1 slots have an owner in the plan that has no row for them");

    world_copy_into(w, right);
    epochs_of(w)[12067] = 8;
    play_breaks(
        w, "plan-owner: S2 says \"owned\" for slot 12067 at epoch 7, the plan says S2 at epoch 8");

    world_copy_into(w, right);
    routers_of(w)[3].map_version = 8;
    play_breaks(w, "epochs-rise: R3 holds map v8, the directory only v7");

    world_copy_into(w, right);
    store_put(w, 2, play_key(w, "likes:{p9}"))->value = 0;
    play_breaks(w, "nothing-lost: 1 acknowledged likes of likes:{p9} are not in the store of its "
                   "owner S2");

    world_copy_into(w, right);
    store_put(w, 2, play_key(w, "likes:{p9}"))->value = 2;
    play_breaks(w, "conservation: S2 holds 2 likes of likes:{p9}, but 1 were applied");
    world_free(w);
    world_free(right);
}

static void a_shard_without_a_row_sends_to_the_directory(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct slot_row none = {.first = 12067, .last = 12067, .other = SHARD_NONE};
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    assert_true(table_set(w, 2, &none)); /* as if S2 had forgotten that it had the slot */
    for (int reload = 0; reload < 2; reload++) {
        play(w, reload ? "rule reload-on-moved on" : "rule reload-on-moved off");
        routers_of(w)[5].map_version = 7;
        uint64_t from = trace_next(w);
        struct request_info r = play_request(w, "request like likes:{p9} via R5");
        assert_int_equal(r.outcome, OUTCOME_OK);
        assert_int_equal(r.asks, 2);
        assert_int_equal(r.reloads, 1);
        struct str prose = play_prose(w, from);
        assert_non_null(strstr(str_text(&prose),
                               "S2 -> R5  MOVED: slot 12067 was never here, fetch the map\n"));
        str_free(&prose);
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_hold_after_every_event_of_any_run),
        cmocka_unit_test(without_the_slot_table_some_run_loses_a_like),
        cmocka_unit_test(without_reload_on_moved_nothing_is_lost),
        cmocka_unit_test(each_check_fails_on_a_world_that_is_wrong),
        cmocka_unit_test(a_shard_without_a_row_sends_to_the_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
