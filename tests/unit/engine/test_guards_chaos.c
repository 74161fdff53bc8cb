/*
 * Everything at once: guards that come and go while messages are lost and routers die. Whatever
 * happens, what routers have in hand is let go in the end, repeats stay within their budget, every
 * record can be told, and a copy goes on to the same world.
 */
#include "hot.h"

#include "base/prng.h"

#define SEEDS 150
#define STEPS 12

static const char *const commands[] = {
    "limit key likes:{p9} 60",
    "limit tenant nova 90",
    "tenant nova post:{p9}",
    "tenant other post:{p9}",
    "tenant nova likes:{p9}",
    "clients none",
    "clients at-once times 3 budget 10",
    "clients backoff 5 times 7 jitter budget 10",
    "clients backoff 2 times 3 budget 10",
    "breaker on 50 100 50",
    "breaker off",
    "shed 3",
    "shed 30",
    "share nova 40",
    "sample 3 50",
    "sample 100 200",
    "sample off",
    "crash R4 30",
    "crash S2 40",
    "network loss 5% double 5% delay 10% 3",
    "network calm",
    "ceiling S2 50 100",
    "ceiling S2 200 200 50",
    "ceiling S2 0 0",
};

static struct world *chaos_world(uint64_t seed)
{
    struct world_config c = hot_config();
    c.seed = seed;
    c.requests_max = 2048;
    c.events_max = 8192;
    c.watch_max = 3;
    c.timeout_us = 12000;
    c.client_timeout_us = 40000;
    c.recent_max = 256; /* far more than come while one is sent again and again */
    struct world *w = play_new(&c);
    play(w, "flow like likes:{p9} 300 poisson");
    play(w, "flow read post:{p9} 500 poisson");
    play(w, "flow like likes:{p1} 100 scattered");
    play(w, "flow read post:{p4} 100");
    return w;
}

/* A command of the list, if it is possible now. */
static void try_one(struct world *w, struct prng *chance)
{
    struct command c;
    const char *words = commands[prng_below(chance, sizeof commands / sizeof *commands)];
    struct err err = {{0}};
    if (!command_parse(words, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    (void)world_apply(w, &c, &err);
}

static void tell_everything(const struct world *w)
{
    struct str out = STR_EMPTY;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++) {
        const struct trace_record *r = trace_get(w, i);
        size_t before = out.length;
        trace_say(w, r, &out);
        trace_label(w, r, &out);
        assert_true(out.length > before + 20);
        before = out.length;
        trace_why(w, r, &out);
        assert_true(out.length > before + 20);
    }
    str_free(&out);
}

static void calm_down(struct world *w)
{
    play(w, "flow like likes:{p9} 0");
    play(w, "flow read post:{p9} 0");
    play(w, "flow like likes:{p1} 0");
    play(w, "flow read post:{p4} 0");
    play(w, "network calm");
    run_for(w, 5 * US_PER_SECOND);
}

static void whatever_happens_hands_are_empty_in_the_end(void **state)
{
    (void)state;
    uint64_t repeats = 0;
    uint64_t turned = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct prng chance = prng_seeded(seed, "guards chaos");
        struct world *w = chaos_world(seed);
        for (int i = 0; i < STEPS; i++) {
            try_one(w, &chance);
            run_for(w, (int64_t)prng_below(&chance, 100000));
            play_holds(w);
        }
        tell_everything(w);
        struct world *copy = world_copy(w);
        run_for(w, 50000);
        run_for(copy, 50000);
        assert_true(digest_equal(world_digest(w), world_digest(copy)));
        world_free(copy);
        calm_down(w);
        assert_true(world_all_quiet(w));
        for (uint16_t router = 0; router < 6; router++) {
            struct guard_router_info info = guards_router(w, router);
            assert_int_equal(info.in_hand, 0);
            for (int why = 0; why < TURNED_KINDS; why++) {
                turned += info.turned[why];
            }
        }
        for (uint32_t tenant = 0; tenant < guards_tenants(w); tenant++) {
            assert_int_equal(guards_tenant(w, tenant).in_hand, 0);
        }
        struct guard_load load = guards_load_all(w);
        assert_true(load.repeats * 10 <= load.firsts);
        assert_int_equal(load.repeats, guards_clients(w).repeats);
        assert_true(load.turned_firsts <= load.firsts && load.turned_repeats <= load.repeats);
        repeats += load.repeats;
        world_free(w);
    }
    assert_true(repeats > SEEDS); /* it did happen */
    assert_true(turned > SEEDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_happens_hands_are_empty_in_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
