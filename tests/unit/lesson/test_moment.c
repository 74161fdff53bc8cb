/*
 * The player's world in time: however much traffic there is, nobody waits for long.
 */
#include "lesson/inside.h"

#include "helpers.h"

/* A lesson of these steps over the story's world. */
static struct player *open_steps(const char *folder, const char *steps)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"some\", part = 1, title = \"T\", minutes = 3,\n"
             "  world = \"story\", steps = {\n%s\n} }\n",
             steps);
    write_file(&path, folder, "some.lua", text.text);
    struct player *p = open_good(path.text, 1);
    str_free(&path);
    str_free(&text);
    return p;
}

static const char busy[] = "{ id = \"a\", title = \"A\", say = \"x\",\n"
                           " enter = function(w) w:flow(\"read\", \"user:1\", 1000000) end,\n"
                           " run = function(w) w:play_for(0.1)\n w:play_for(0.1) end },\n"
                           "{ id = \"b\", title = \"B\", say = \"y\" }";

/* However fast time is to pass, a frame handles no more than it was given; in the end the world is
 * the same. */
static void a_tick_keeps_to_its_events(void **state)
{
    struct err err = {""};
    struct player *p = open_steps(*state, busy), *other = open_steps(*state, busy);
    int64_t start = world_now(player_world(p));
    size_t frames = 0;
    while (player_page(p)->running) {
        uint64_t before = world_events(player_world(p));
        assert_true(player_play(p, 10000000, 50000, &err));
        assert_in_range(world_events(player_world(p)) - before, 1, 50000);
        frames++;
    }
    assert_true(frames > 5);
    assert_int_equal(world_now(player_world(p)), start + 200000);
    assert_true(player_finish_run(other, &err));
    assert_true(digest_equal(player_digest(p), player_digest(other)));
    uint64_t before = world_events(player_world(p));
    int64_t now = world_now(player_world(p));
    assert_true(player_play(p, 10000000, 50000, &err)); /* freely, after the run */
    assert_int_equal(world_events(player_world(p)) - before, 50000);
    assert_true(world_now(player_world(p)) < now + 10000000);
    player_close(p);
    player_close(other);
}

/* Going back is replaying: from a place nearby, however much went before. */
static void one_event_back_is_played_from_nearby(void **state)
{
    struct err err = {""};
    struct player *p = open_steps(*state, busy);
    assert_true(player_finish_run(p, &err));
    assert_true(player_tick(p, 300000, &err));
    uint64_t end = world_events(player_world(p));
    assert_true(end > 1000000);
    assert_true(p->marks == MARKS_MAX);
    assert_in_range(end - world_events(p->mark[MARKS_MAX - 1]), 0, 50000);
    assert_in_range(end - world_events(p->mark[0]), 300000, 50000 * MARKS_MAX);
    struct world *again = world_copy(p->mark[0]);
    for (uint64_t n = 1; n <= 3000; n++) {
        assert_true(player_event_back(p));
        assert_int_equal(world_events(player_world(p)), end - n);
        if (n > 1 && end - n > world_events(p->near)) { /* the second press is shorter */
            assert_in_range(end - n - world_events(p->near), 1, 1000);
        }
    }
    while (world_events(again) < end - 3000) {
        assert_true(world_step(again));
    }
    assert_true(digest_equal(world_digest(again), player_digest(p)));
    world_free(again);
    player_close(p);
}

/* What a run may play in all, said with the line of the wait. */
static void a_run_ends_when_it_plays_too_much(void **state)
{
    struct err err = {""};
    struct player *p =
        open_steps(*state, "{ id = \"z\", title = \"Z\", say = \"z\" },\n"
                           "{ id = \"a\", title = \"A\", say = \"x\",\n"
                           " enter = function(w) w:flow(\"read\", \"user:1\", 1000000) end,\n"
                           " run = function(w)\n for i = 1, 300 do\n w:play_for(5) end end },\n"
                           "{ id = \"b\", title = \"B\", say = \"y\" }");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_true(player_page(p)->running);
    assert_false(player_finish_run(p, &err));
    assert_contains(err.text,
                    "some.lua:8: too much traffic: one run plays at most 3,000,000 events");
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    assert_string_equal(player_page(p)->step_id, "b");
    player_close(p);
}

static void a_fault_of_the_first_run_is_told_once(void **state)
{
    struct err err = {""};
    struct player *p = open_steps(*state, "{ id = \"a\", title = \"A\", say = \"x\",\n"
                                          " run = function(w) error(\"boom\") end },\n"
                                          "{ id = \"b\", title = \"B\", say = \"y\" }");
    assert_true(player_fault(p, &err));
    assert_contains(err.text, "some.lua:4: boom");
    assert_false(player_fault(p, &err));
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    player_close(p);
    p = open_good(GOOD_LESSON, 1);
    assert_false(player_fault(p, &err));
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_tick_keeps_to_its_events, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(one_event_back_is_played_from_nearby, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_run_ends_when_it_plays_too_much, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_fault_of_the_first_run_is_told_once, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
