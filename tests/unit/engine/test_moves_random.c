/*
 * Random schedules of moves under traffic: begun, fenced, dropped, rolled back, cleaned up at any
 * time, with shards that crash and messages that are lost; the invariants hold after every event,
 * and nothing that was acknowledged is missing at the end.
 */
#include "move_play.h"

#include "base/prng.h"
#include <stdio.h>

enum {
    SCHEDULES = 200,
    STEPS = 40
};

static struct world *busy_world(uint64_t seed, bool faults)
{
    struct world_config c = moving_config();
    c.seed = seed;
    c.slots = 64;
    c.tail_max = 32;
    c.trace_max = 16;
    c.recent_max = 64;
    c.requests_max = 1024;
    c.events_max = 4096;
    c.timeout_us = faults ? 60000 : 0;
    c.client_timeout_us = faults ? 400000 : 0;
    struct world *w = play_new(&c);
    play(w, "shard add");
    play(w, "flow like likes:{p9} 120 poisson");
    play(w, "flow like likes:{p9}:two 40 poisson");
    play(w, "flow read likes:{p9} 60 poisson");
    play(w, "flow like likes:{p1} 50 poisson");
    play(w, "flow edit post:{p1} 20 poisson");
    if (faults) {
        play(w, "network loss 2% double 3% delay 5% 30");
    }
    return w;
}

/* Something at random; much of it is impossible at that time, and refused. */
static void do_something(struct world *w, struct prng *chance, bool faults)
{
    char words[80];
    const char *hot = prng_below(chance, 3) == 0 ? "likes:{p1}" : P9; /* two slots, two moves */
    uint32_t slot = world_key_slot(w, play_key(w, hot));
    unsigned to = (unsigned)prng_below(chance, 5);
    switch ((int)prng_below(chance, faults ? 13 : 12)) {
    case 0:
    case 1:
    case 2:
        (void)snprintf(words, sizeof words, "migrate %u S%u 1000 %u%s", slot, to,
                       (unsigned)(1000 << prng_below(chance, 6)),
                       prng_below(chance, 2) == 0 ? " reverse" : "");
        break;
    case 3:
    case 4:
    case 5:
        (void)snprintf(words, sizeof words, "fence %u", slot);
        break;
    case 6:
        (void)snprintf(words, sizeof words, "abort %u", slot);
        break;
    case 7:
        (void)snprintf(words, sizeof words, "cleanup %u", slot);
        break;
    case 8:
        (void)snprintf(words, sizeof words, "rollback %u", slot);
        break;
    case 9:
        (void)snprintf(words, sizeof words, "deaf R%u %s", to,
                       prng_below(chance, 2) == 0 ? "on" : "off");
        break;
    case 10:
        (void)snprintf(words, sizeof words, "budget %u", (unsigned)prng_below(chance, 3) * 5000);
        break;
    case 11:
        (void)snprintf(words, sizeof words, "move %u S%u", slot, to);
        break;
    default:
        (void)snprintf(words, sizeof words, "crash S%u %u", to,
                       1 + (unsigned)prng_below(chance, 80));
        break;
    }
    struct command c;
    struct err err = {{0}};
    if (!command_parse(words, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    (void)world_apply(w, &c, &err);
}

struct counts {
    unsigned committed, aborted, cleaned;
};

static void note(const struct world *w, uint32_t slot, struct counts *counts)
{
    struct move_info m;
    if (moves_info_of(w, slot, &m)) {
        counts->committed += m.phase == MOVE_COMMITTED;
        counts->aborted += m.phase == MOVE_ABORTED;
        counts->cleaned += m.phase == MOVE_COMMITTED && m.ended;
    }
}

/* A copy that is taken at any event goes on to the same digest. */
static void copy_goes_on_alike(const struct world *w, struct world *copy)
{
    world_copy_into(copy, w);
    struct world *other = world_copy(w);
    world_run_until(copy, world_now(w) + 30000);
    world_run_until(other, world_now(w) + 30000);
    assert_true(digest_equal(world_digest(copy), world_digest(other)));
    world_free(other);
}

static void one_schedule(uint64_t seed, bool faults, struct counts *counts)
{
    struct world *w = busy_world(seed, faults);
    struct world *copy = world_copy(w);
    struct prng chance = prng_seeded(seed, "moves test");
    uint32_t slot = world_key_slot(w, play_key(w, P9));
    for (int step = 0; step < STEPS; step++) {
        run_holding(w, world_now(w) + 1 + (int64_t)prng_below(&chance, 60000));
        do_something(w, &chance, faults);
        play_holds(w);
        note(w, slot, counts);
        if (step % 8 == 0) {
            copy_goes_on_alike(w, copy);
        }
    }
    play(w, "flow like likes:{p9} 0");
    play(w, "flow like likes:{p9}:two 0");
    play(w, "flow read likes:{p9} 0");
    play(w, "flow like likes:{p1} 0");
    play(w, "flow edit post:{p1} 0");
    run_holding(w, world_now(w) + 3 * US_PER_SECOND);
    assert_true(world_all_quiet(w));
    for (uint32_t key = 0; key < world_keys(w); key++) {
        uint16_t owner = world_owner(w, world_key_slot(w, key));
        assert_int_equal(world_lost(w, key), 0);
        assert_true(world_value(w, owner, key) >= world_acked(w, key));
        if (!faults) {
            assert_int_equal(world_value(w, owner, key), world_acked(w, key));
        }
    }
    world_free(copy);
    world_free(w);
}

static void nothing_is_lost_in_any_schedule(void **state)
{
    (void)state;
    struct counts counts = {0};
    for (uint64_t seed = 1; seed <= SCHEDULES; seed++) {
        one_schedule(seed, seed % 2 == 0, &counts);
    }
    /* The schedules are worth something only if moves come to each of their ends. */
    assert_true(counts.committed > SCHEDULES);
    assert_true(counts.aborted > SCHEDULES);
    assert_true(counts.cleaned > SCHEDULES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_in_any_schedule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
