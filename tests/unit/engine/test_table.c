/*
 * A slot table against the plainest model of one: an array with an entry for each slot.
 */
#include "play.h"

#include "engine/table.h"

#define SLOTS 40

static struct world *small_world(uint32_t rows_max)
{
    struct world_config c = world_config_default();
    c.slots = SLOTS;
    c.rows_max = rows_max;
    return play_new(&c);
}

static struct slot_row row_of(uint32_t first, uint32_t last, enum slot_state state, uint32_t epoch,
                              uint16_t other)
{
    return (struct slot_row){.first = (uint16_t)first,
                             .last = (uint16_t)last,
                             .other = other,
                             .state = (uint8_t)state,
                             .epoch = epoch};
}

static bool same(const struct slot_row *a, const struct slot_row *b)
{
    return a->state == b->state && a->epoch == b->epoch && a->other == b->other;
}

/* The rows say what the model says, and no two neighbours could be one row. */
static void agrees(const struct world *w, const struct slot_row model[SLOTS])
{
    uint32_t runs = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        struct slot_row row = world_slot_row(w, 0, slot);
        assert_true(row.first <= slot && slot <= row.last);
        assert_true(same(&row, &model[slot]));
        runs += model[slot].state != SLOT_ABSENT &&
                (slot == 0 || !same(&model[slot], &model[slot - 1]));
    }
    assert_int_equal(world_slot_rows(w, 0), runs);
}

static void any_changes_leave_the_rows_sorted_and_joined(void **state)
{
    (void)state;
    struct prng chance = prng_seeded(1, "table test");
    struct world *w = small_world(SLOTS);
    struct slot_row model[SLOTS];
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        model[slot] = world_slot_row(w, 0, slot);
        if (slot >= 10) {
            assert_int_equal(model[slot].state, SLOT_ABSENT);
        }
    }
    agrees(w, model);
    for (int i = 0; i < 20000; i++) {
        uint32_t first = (uint32_t)prng_below(&chance, SLOTS);
        uint32_t last =
            first + (uint32_t)prng_below(&chance, prng_chance(&chance, 1, 2) ? 3 : SLOTS);
        last = last < SLOTS ? last : SLOTS - 1;
        enum slot_state said = (enum slot_state)prng_below(&chance, 4);
        uint16_t other = SHARD_NONE;
        uint32_t epoch = 0;
        if (said != SLOT_ABSENT) {
            epoch = 1 + (uint32_t)prng_below(&chance, 2);
        }
        if (said == SLOT_MOVED) {
            other = (uint16_t)(1 + prng_below(&chance, 2));
        }
        struct slot_row row = row_of(first, last, said, epoch, other);
        uint32_t before = world_slot_rows(w, 0);
        uint32_t more = table_more(w, 0, &row);
        assert_true(table_set(w, 0, &row));
        uint32_t after = world_slot_rows(w, 0);
        assert_int_equal(more, after > before ? after - before : 0);
        for (uint32_t slot = first; slot <= last; slot++) {
            model[slot] = row;
        }
        agrees(w, model);
    }
    world_free(w);
}

static void a_full_table_refuses_and_stays_as_it_was(void **state)
{
    (void)state;
    struct world *w = small_world(2);
    struct slot_row middle = row_of(4, 5, SLOT_MOVED, 2, 1);
    struct digest before = world_digest(w);
    assert_false(table_set(w, 0, &middle)); /* would make three rows of one */
    assert_true(digest_equal(before, world_digest(w)));
    struct slot_row end = row_of(8, 9, SLOT_MOVED, 2, 1);
    assert_true(table_set(w, 0, &end));
    assert_int_equal(world_slot_rows(w, 0), 2);
    world_free(w);
}

static void the_last_slot_of_65536_has_a_row(void **state)
{
    (void)state;
    struct world_config c = world_config_default();
    c.slots = 65536;
    struct world *w = play_new(&c);
    struct slot_row row = world_slot_row(w, 3, 65535);
    assert_int_equal(row.first, 49152);
    assert_int_equal(row.last, 65535);
    play(w, "move 65535 S0");
    assert_int_equal(world_slot_row(w, 0, 65535).state, SLOT_OWNED);
    assert_int_equal(world_slot_row(w, 3, 65535).other, 0);
    play_holds(w);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_changes_leave_the_rows_sorted_and_joined),
        cmocka_unit_test(a_full_table_refuses_and_stays_as_it_was),
        cmocka_unit_test(the_last_slot_of_65536_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
