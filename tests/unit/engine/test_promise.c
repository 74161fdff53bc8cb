/*
 * Promises about events: what breaks them is noted when it happens, and the first note stays.
 */
#include "play.h"

#include "engine/state.h"
#include "engine/store.h"
#include "engine/table.h"

static struct world *liked_world(void)
{
    struct world *w = play_world();
    for (int i = 0; i < 3; i++) {
        play_request(w, "request like likes:{p9} via R0");
    }
    play_request(w, "request read likes:{p9} via R1");
    play_holds(w);
    return w;
}

static void set_value(struct world *w, uint64_t value)
{
    store_put(w, 2, play_key(w, "likes:{p9}"))->value = value;
}

static void a_read_returns_what_was_acknowledged_before_it(void **state)
{
    (void)state;
    struct world *w = liked_world();
    set_value(w, 2);
    play_request(w, "request read likes:{p9} via R1");
    set_value(w, 3); /* the world is right again, the read was not */
    play_breaks(w, "read-all-acked: request 5 read 2 where 3 were acknowledged, or read by others, "
                   "before it was asked");
    world_free(w);
}

/* A like that nobody was told of yet may be read; from then on it must be. */
static void a_read_returns_no_less_than_the_read_before_it(void **state)
{
    (void)state;
    struct world *w = liked_world();
    play(w, "request like likes:{p9} via R0");
    world_run_until(w, world_now(w) + 2000); /* it is in the store, the answer on its way */
    assert_int_equal(world_acked(w, play_key(w, "likes:{p9}")), 3);
    world_run_until(w, world_now(w) + 1000);
    keys_of(w)[play_key(w, "likes:{p9}")].told = 4; /* as if somebody had read it */
    play(w, "request read likes:{p9} via R1");
    set_value(w, 3);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    set_value(w, 4);
    play_breaks(w, "read-all-acked: request 6 read 3 where 4 were");
    world_free(w);
}

static void a_read_returns_nothing_that_nobody_liked(void **state)
{
    (void)state;
    struct world *w = liked_world();
    set_value(w, 9);
    play_request(w, "request read likes:{p9} via R1");
    set_value(w, 3);
    play_breaks(w, "read-only-likes: request 5 read 9, but only 3 likes were ever applied");
    world_free(w);
}

static void moved_names_a_newer_epoch_than_was_asked_with(void **state)
{
    (void)state;
    struct world *w = liked_world();
    play_holds(w);
    struct slot_row *row = NULL;
    for (uint32_t i = 0; row == NULL; i++) {
        struct slot_row *at = table_rows(w, 2) + i;
        row = at->first <= 12067 && 12067 <= at->last ? at : NULL;
    }
    row->state = SLOT_MOVED; /* a row that sends away without anything to tell */
    row->other = 3;
    play(w, "request read likes:{p9} via R1");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    row->state = SLOT_OWNED;
    row->other = SHARD_NONE;
    play_breaks(w, "moved-teaches: request 5 asked by epoch 7 and was sent away by a row of epoch "
                   "7: it could go round for ever");
    world_free(w);
}

static void the_first_note_stays(void **state)
{
    (void)state;
    struct world *w = liked_world();
    promise_broken(w, PROMISE_ONE_FETCH, 7, 0, 1, 2);
    promise_broken(w, PROMISE_AGE, 8, 0, 10, 20);
    play_breaks(w, "one-fetch: request 7 made its router fetch what it was fetching already");
    struct world *copy = world_copy(w);
    play_breaks(copy, "one-fetch: request 7");
    world_free(copy);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_returns_what_was_acknowledged_before_it),
        cmocka_unit_test(a_read_returns_no_less_than_the_read_before_it),
        cmocka_unit_test(a_read_returns_nothing_that_nobody_liked),
        cmocka_unit_test(moved_names_a_newer_epoch_than_was_asked_with),
        cmocka_unit_test(the_first_note_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
