/*
 * Commands: what they change, and what is impossible here and why.
 */
#include "play.h"

#include "engine/state.h"

static void what_does_not_exist_is_named_with_what_does(void **state)
{
    (void)state;
    struct world *w = play_world();
    play_refused(w, "request like x via R9", "no router R9: this world has R0 to R5");
    play_refused(w, "request like x via R0 from d", "no zone d: this world has a to c");
    play_refused(w, "deaf R6 on", "no router R6: this world has R0 to R5");
    play_refused(w, "reload R77", "no router R77: this world has R0 to R5");
    play_refused(w, "move 5 S4", "no shard S4: this world has S0 to S3");
    play_refused(w, "freeze 5 S9 on", "no shard S9: this world has S0 to S3");
    play_refused(w, "ceiling S4 1 1", "no shard S4: this world has S0 to S3");
    play_refused(w, "move 0-16384 S1",
                 "no slots 0-16384: this world has 0 to 16383, the smaller number first");
    play_refused(w, "move 9-8 S1",
                 "no slots 9-8: this world has 0 to 16383, the smaller number first");
    play_refused(w, "shard add d", "no zone d: this world has a to c");
    play_refused(w, "flow like x 1000001",
                 "a flow has a rate of 0 to 1000000 a second, steady, scattered or poisson");
    play_refused(w, "ceiling S1 10000001 5",
                 "a ceiling is 0 (none) to 10000000 a second, a queue 0 to 1000000");
    world_free(w);
}

static void a_command_of_no_kind_is_refused(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct err err = {{0}};
    struct command c = {.kind = COMMAND_KINDS};
    assert_false(world_apply(w, &c, &err));
    c = (struct command){.kind = COMMAND_RULE, .rule = RULE_COUNT};
    assert_false(world_apply(w, &c, &err));
    assert_non_null(strstr(err.text, "no rule of number"));
    c = command_request(OP_READ, bytes_of("x"), 0);
    c.op = OP_KINDS;
    assert_false(world_apply(w, &c, &err));
    c = command_flow(OP_READ, bytes_of("x"), 5, (enum arrivals)3);
    assert_false(world_apply(w, &c, &err));
    world_free(w);
}

static void shards_join_empty_in_the_next_zone_or_the_named_one(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "shard add");
    play(w, "shard add b");
    assert_int_equal(world_shards(w), 6);
    assert_int_equal(world_zone(w, (struct node){NODE_SHARD, 4}), 2);
    assert_int_equal(world_zone(w, (struct node){NODE_SHARD, 5}), 1);
    assert_int_equal(world_slot_rows(w, 4), 0);
    struct slot_row row = world_slot_row(w, 4, 77);
    assert_int_equal(row.state, SLOT_ABSENT);
    assert_int_equal(row.first, 0);
    assert_int_equal(row.last, 16383);
    assert_int_equal(world_map_version(w), 7); /* nothing of the plan changed */
    play(w, "shard add");
    play(w, "shard add");
    play_refused(w, "shard add", "this world has room for 8 shards and has as many");
    play_holds(w);
    world_free(w);
}

static void a_move_changes_plan_and_tables_at_once(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "move 4000-4200 S2"); /* 96 slots of S0, 105 of S1 */
    assert_int_equal(world_map_version(w), 8);
    assert_int_equal(world_slot_row(w, 0, 4000).state, SLOT_MOVED);
    assert_int_equal(world_slot_row(w, 0, 4000).other, 2);
    assert_int_equal(world_slot_row(w, 1, 4200).state, SLOT_MOVED);
    struct slot_row row = world_slot_row(w, 2, 4100);
    assert_int_equal(row.first, 4000);
    assert_int_equal(row.last, 4200); /* two owners before, one row now */
    assert_int_equal(row.epoch, 8);
    assert_int_equal(row.state, SLOT_OWNED);
    assert_int_equal(world_slot_row(w, 0, 3999).last, 3999);
    play_holds(w);

    play(w, "move 4100-4300 S2"); /* of these, S2 has the first 101 already */
    assert_int_equal(world_epoch(w, 4100), 8);
    assert_int_equal(world_epoch(w, 4201), 8);
    assert_int_equal(world_slot_row(w, 2, 4100).last, 4300);
    play_refused(w, "move 4000-4300 S2", "S2 owns all of slots 4000-4300 already");
    play(w, "move 4000 S0");
    assert_int_equal(world_epoch(w, 4000), 9);
    assert_int_equal(world_slot_row(w, 0, 4000).state, SLOT_OWNED);
    assert_int_equal(world_slot_row(w, 2, 4000).other, 0);
    play_holds(w);
    world_free(w);
}

static void values_move_with_their_slots(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (int i = 0; i < 5; i++) {
        play_request(w, "request like likes:{p9} via R0");
    }
    play_request(w, "request like likes:{p1} via R0");
    uint32_t p9 = play_key(w, "likes:{p9}");
    uint32_t p1 = play_key(w, "likes:{p1}");
    assert_int_equal(world_key_slot(w, p9), 12067);
    play(w, "move 12067 S0");
    assert_int_equal(world_value(w, 0, p9), 5);
    assert_int_equal(world_value(w, 0, p1), 0); /* another slot */
    assert_int_equal(world_value(w, 2, p9), 5); /* the source keeps its copy */
    assert_int_equal(world_shard(w, 0).keys, 1);
    play_request(w, "request like likes:{p9} via R0");
    play(w, "move 12067 S2");
    assert_int_equal(world_value(w, 2, p9), 6); /* and the copy is replaced */
    play_holds(w);
    world_free(w);
}

static void a_frozen_slot_does_not_move(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "freeze 100-200 S0 on");
    assert_int_equal(world_slot_row(w, 0, 150).state, SLOT_MIGRATING);
    assert_int_equal(world_slot_row(w, 0, 99).state, SLOT_OWNED);
    play_holds(w);
    play_refused(w, "move 50-120 S1",
                 "slot 100 is frozen at S0; end that first: freeze 100-200 S0 off");
    play_refused(w, "freeze 120-130 S0 on", "S0 has no slot of 120-130 that is owned");
    play_refused(w, "freeze 500-600 S0 off", "S0 has no slot of 500-600 that is migrating");
    play_refused(w, "freeze 500-600 S1 on", "S1 has no slot of 500-600 that is owned");
    play(w, "move 50-99 S1");
    play(w, "freeze 150-300 S0 off"); /* those of it that are frozen */
    assert_int_equal(world_slot_row(w, 0, 120).state, SLOT_MIGRATING);
    assert_int_equal(world_slot_row(w, 0, 160).state, SLOT_OWNED);
    play(w, "freeze 0-16383 S0 off");
    play(w, "move 50-120 S2");
    play_holds(w);
    world_free(w);
}

static void tables_without_room_refuse_and_change_nothing(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.rows_max = 2;
    struct world *w = play_new(&c);
    play_refused(w, "move 5 S1", "the slot table of S0 has room for 2 rows, too few for this move");
    play_refused(w, "freeze 5 S0 on", "the slot table of S0 has room for 2 rows, too few for this");
    play(w, "move 0-4 S1");
    play_refused(w, "move 4095 S1",
                 "the slot table of S0 has room for 2 rows, too few for this move");
    play_holds(w);
    world_free(w);

    c = play_config();
    c.store_max = 2;
    w = play_new(&c);
    play_request(w, "request like likes:{p9} via R0");
    play_request(w, "request like post:{p9} via R0");
    play_refused(w, "move 12067 S1", "the shards have room for 2 counters; this move needs 2 more");
    world_free(w);
}

static void changes_are_remembered_while_a_router_needs_them(void **state)
{
    (void)state;
    struct world_config c = play_config();
    c.changes_max = 3;
    struct world *w = play_new(&c);
    play(w, "deaf R5 on");
    play(w, "move 1 S1");
    play(w, "move 2 S1");
    play(w, "move 1 S2");
    play_refused(w, "move 1 S3",
                 "the directory remembers 3 changes, too few with routers this far behind; let the "
                 "stale ones reload first");
    assert_int_equal(world_router_owner(w, 5, 1), 0);
    assert_int_equal(world_router_epoch(w, 5, 1), 7);
    assert_int_equal(world_owner(w, 1), 2);
    assert_int_equal(world_epoch(w, 1), 9);
    play(w, "reload R5");
    world_run_until(w, EIGHT_PM + 10000);
    play(w, "move 1 S3");
    play(w, "move 5 S3");
    assert_int_equal(world_router_owner(w, 5, 1), 2);
    assert_int_equal(world_router_owner(w, 5, 5), 0);
    assert_int_equal(world_router_owner(w, 5, 2), 1);
    assert_int_equal(world_router_owner(w, 0, 5), 0); /* its news is on the way */
    world_free(w);
}

/* A router's map by versions, against whole copies of the plan. */
static void a_stale_map_is_the_plan_of_its_version(void **state)
{
    (void)state;
    enum {
        SLOTS = 50,
        MOVES = 40
    };
    struct world_config c = play_config();
    c.slots = SLOTS;
    c.changes_max = 4096;
    struct world *w = play_new(&c);
    struct prng chance = prng_seeded(3, "directory test");
    uint16_t owners[MOVES + 1][SLOTS];
    uint32_t epochs[MOVES + 1][SLOTS];
    play(w, "deaf R5 on");
    for (uint32_t move = 0;; move++) {
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            owners[move][slot] = world_owner(w, slot);
            epochs[move][slot] = world_epoch(w, slot);
        }
        if (move == MOVES) {
            break;
        }
        struct command move_some = {.kind = COMMAND_MOVE};
        do {
            move_some.first = (uint32_t)prng_below(&chance, SLOTS);
            move_some.last =
                move_some.first + (uint32_t)prng_below(&chance, SLOTS - move_some.first);
            move_some.shard = (uint16_t)prng_below(&chance, 4);
        } while (!world_apply(w, &move_some, NULL));
    }
    assert_int_equal(world_map_version(w), 7 + MOVES);
    for (uint32_t version = 7; version <= 7 + MOVES; version++) {
        routers_of(w)[5].map_version = version;
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            assert_int_equal(world_router_owner(w, 5, slot), owners[version - 7][slot]);
            assert_int_equal(world_router_epoch(w, 5, slot), epochs[version - 7][slot]);
        }
    }
    world_free(w);
}

static void rules_are_switched_by_name(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (int i = 0; i < RULE_COUNT; i++) {
        enum rule found;
        assert_true(world_rule(w, (enum rule)i));
        assert_true(rule_by_name(rule_name((enum rule)i), &found));
        assert_int_equal(found, i);
        assert_true(strlen(rule_about((enum rule)i)) > 20);
    }
    play(w, "rule slot-table-check off");
    assert_false(world_rule(w, RULE_SLOT_TABLE_CHECK));
    assert_true(world_rule(w, RULE_RELOAD_ON_MOVED));
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_exist_is_named_with_what_does),
        cmocka_unit_test(a_command_of_no_kind_is_refused),
        cmocka_unit_test(shards_join_empty_in_the_next_zone_or_the_named_one),
        cmocka_unit_test(a_move_changes_plan_and_tables_at_once),
        cmocka_unit_test(values_move_with_their_slots),
        cmocka_unit_test(a_frozen_slot_does_not_move),
        cmocka_unit_test(tables_without_room_refuse_and_change_nothing),
        cmocka_unit_test(changes_are_remembered_while_a_router_needs_them),
        cmocka_unit_test(a_stale_map_is_the_plan_of_its_version),
        cmocka_unit_test(rules_are_switched_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
