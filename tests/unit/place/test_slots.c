/* slots: who gives and who takes, held against the rule acted out slot by slot. */
#include "place/layout.h"

#include "base/alloc.h"
#include "base/prng.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The rule as one would play it with cards: owners by id, every choice made anew. */
struct cards {
    uint32_t slots;
    uint32_t owner[512];
    uint32_t ids[64];
    uint32_t shards;
};

static uint32_t held_by(const struct cards *c, uint32_t id)
{
    uint32_t held = 0;
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        held += c->owner[slot] == id;
    }
    return held;
}

static void cards_add(struct cards *c)
{
    uint32_t id = c->ids[c->shards - 1] + 1;
    for (uint32_t taken = 0; taken < c->slots / (c->shards + 1); taken++) {
        uint32_t donor = c->ids[0];
        for (uint32_t i = 1; i < c->shards; i++) {
            donor = held_by(c, c->ids[i]) > held_by(c, donor) ? c->ids[i] : donor;
        }
        uint32_t last = c->slots;
        while (c->owner[--last] != donor) {
        }
        c->owner[last] = id;
    }
    c->ids[c->shards++] = id;
}

static void cards_remove(struct cards *c, uint32_t index)
{
    uint32_t id = c->ids[index];
    memmove(c->ids + index, c->ids + index + 1, (c->shards - index - 1) * sizeof c->ids[0]);
    c->shards--;
    for (uint32_t slot = 0; slot < c->slots; slot++) {
        if (c->owner[slot] != id) {
            continue;
        }
        uint32_t taker = c->ids[0];
        for (uint32_t i = 1; i < c->shards; i++) {
            taker = held_by(c, c->ids[i]) < held_by(c, taker) ? c->ids[i] : taker;
        }
        c->owner[slot] = taker;
    }
}

static struct layout *dealt(uint32_t slots, uint32_t shards, enum slots_deal deal)
{
    struct layout_params params = layout_defaults(&scheme_slots);
    params.slots = slots;
    params.deal = deal;
    struct layout *layout = layout_new(&scheme_slots, &params, shards, NULL);
    assert_non_null(layout);
    return layout;
}

static void a_random_life_follows_the_rule(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {64, 100, 509, 512};
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct prng random = prng_seeded(seed, "slots");
        enum slots_deal deal = seed % 2 == 0 ? SLOTS_DEAL_ROUND_ROBIN : SLOTS_DEAL_RANGES;
        struct cards c = {.slots = sizes[seed % 4], .shards = 1 + (uint32_t)prng_below(&random, 9)};
        struct layout *layout = dealt(c.slots, c.shards, deal);
        for (uint32_t i = 0; i < c.shards; i++) {
            c.ids[i] = i;
        }
        for (uint32_t slot = 0; slot < c.slots; slot++) {
            c.owner[slot] = layout_slot_owner(layout, slot);
        }
        for (int turn = 0; turn < 25; turn++) {
            if (c.shards == 1 || (c.shards < 30 && prng_chance(&random, 3, 5))) {
                cards_add(&c);
                assert_true(layout_add(layout, NULL));
            } else {
                uint32_t index = (uint32_t)prng_below(&random, c.shards);
                assert_true(layout_remove(layout, c.ids[index], NULL));
                cards_remove(&c, index);
            }
            for (uint32_t slot = 0; slot < c.slots; slot++) {
                assert_int_equal(layout_slot_owner(layout, slot), c.owner[slot]);
            }
        }
        layout_free(layout);
    }
}

static void dealing_in_turn_is_the_remainder(void **state)
{
    (void)state;
    struct layout *layout = dealt(1000, 7, SLOTS_DEAL_ROUND_ROBIN);
    assert_int_equal(layout_slot_count(layout), 1000);
    for (uint32_t slot = 0; slot < 1000; slot++) {
        assert_int_equal(layout_slot_owner(layout, slot), slot % 7);
        assert_int_equal(layout_owner_of_hash(layout, slot + 5000), slot % 7);
    }
    layout_free(layout);
}

/* Three masters of Redis Cluster hold 0-5460, 5461-10922 and 10923-16383. */
static void ranges_are_cut_where_redis_cuts(void **state)
{
    (void)state;
    struct layout *three = dealt(SLOT_COUNT, 3, SLOTS_DEAL_RANGES);
    for (uint32_t slot = 0; slot < SLOT_COUNT; slot++) {
        assert_int_equal(layout_slot_owner(three, slot), slot <= 5460 ? 0 : slot <= 10922 ? 1 : 2);
    }
    layout_free(three);
}

static void ranges_are_contiguous_and_even(void **state)
{
    (void)state;
    for (uint32_t shards = 1; shards <= 130; shards++) {
        struct layout *layout = dealt(130, shards, SLOTS_DEAL_RANGES);
        uint32_t held[130] = {0};
        uint32_t last = 0;
        for (uint32_t slot = 0; slot < 130; slot++) {
            uint32_t owner = layout_slot_owner(layout, slot);
            assert_true(owner == last || owner == last + 1);
            held[owner]++;
            last = owner;
        }
        assert_int_equal(last, shards - 1);
        for (uint32_t i = 0; i < shards; i++) {
            assert_in_range(held[i], 130 / shards, (130 + shards - 1) / shards);
        }
        layout_free(layout);
    }
}

static void any_number_of_slots_takes_any_hash(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 4096, 4097, SLOT_COUNT, LAYOUT_SLOTS_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct layout *layout = dealt(counts[i], 1, SLOTS_DEAL_RANGES);
        (void)layout_add(layout, NULL); /* one slot cannot be shared */
        struct prng random = prng_seeded(i, "hash");
        for (int draw = 0; draw < 1000; draw++) {
            uint64_t hash = prng_next(&random);
            assert_int_equal(layout_owner_of_hash(layout, hash),
                             layout_slot_owner(layout, (uint32_t)(hash % counts[i])));
        }
        layout_free(layout);
    }
}

/* A new shard takes and nobody else gains; a leaving one gives and nobody else loses. */
static void only_the_slots_that_must_move_do(void **state)
{
    (void)state;
    struct layout *before = dealt(4096, 9, SLOTS_DEAL_ROUND_ROBIN);
    for (int turn = 0; turn < 40; turn++) {
        struct layout *after = layout_copy(before);
        bool add = turn % 3 != 2;
        uint32_t gone = layout_shard_id(before, (uint32_t)turn % layout_shards(before));
        assert_true(add ? layout_add(after, NULL) : layout_remove(after, gone, NULL));
        uint32_t came = layout_shard_id(after, layout_shards(after) - 1);
        uint32_t moved = 0;
        for (uint32_t slot = 0; slot < 4096; slot++) {
            uint32_t old = layout_slot_owner(before, slot);
            uint32_t now = layout_slot_owner(after, slot);
            moved += old != now;
            assert_true(old == now || (add ? now == came : old == gone));
        }
        if (add) {
            assert_int_equal(moved, 4096 / layout_shards(after));
        }
        layout_free(before);
        before = after;
    }
    layout_free(before);
}

/* A guard against a rule that costs slots times shards: this size must stay a matter of moments. */
static void a_million_slots_on_a_thousand_shards_is_fine(void **state)
{
    (void)state;
    struct layout *layout = dealt(1u << 20, 1000, SLOTS_DEAL_ROUND_ROBIN);
    for (int i = 0; i < 10; i++) {
        assert_true(layout_add(layout, NULL));
    }
    for (uint32_t id = 100; id < 110; id++) {
        assert_true(layout_remove(layout, id, NULL));
    }
    uint32_t *held = xcalloc(1010, sizeof *held);
    for (uint32_t slot = 0; slot < 1u << 20; slot++) {
        held[layout_slot_owner(layout, slot)]++;
    }
    for (uint32_t id = 0; id < 1010; id++) {
        if (id < 100 || id >= 110) {
            assert_in_range(held[id], (1u << 20) / 1010, (1u << 20) / 1000 + 1);
        }
    }
    free(held);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_life_follows_the_rule),
        cmocka_unit_test(dealing_in_turn_is_the_remainder),
        cmocka_unit_test(ranges_are_cut_where_redis_cuts),
        cmocka_unit_test(ranges_are_contiguous_and_even),
        cmocka_unit_test(any_number_of_slots_takes_any_hash),
        cmocka_unit_test(only_the_slots_that_must_move_do),
        cmocka_unit_test(a_million_slots_on_a_thousand_shards_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
