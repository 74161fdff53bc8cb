/* Rendezvous: the highest number owns the key, the next one takes over. */
#include "placings.h"

static void the_highest_owns_and_the_next_waits(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    tried_new(&t, "rendezvous", 0, 5, 6, 1000);
    t.placing.lookup = "k42";
    scene_goldens(&t.scene, "rendezvous", &v, "rendezvous");
    tried_golden(&t, "rendezvous", "rendezvous", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&t.scene, "rendezvous", &v);
    assert_contains(told, "highest: owns it\n");
    assert_contains(told, "next: takes over if S0 leaves\n");
    assert_plain(told, 78);
    free(told);
    tried_free(&t);
}

/* The promise that is drawn: whoever is marked as next owns the key once the owner has left. */
static void the_next_one_does_take_over(void **state)
{
    (void)state;
    struct tried t;
    struct view_state v = {.argument = ""};
    struct err err = {{0}};
    tried_new(&t, "rendezvous", 0, 5, 5, 50);
    struct layout *without = layout_copy(t.trial->after);
    for (int i = 0; i < 50; i++) {
        char key[16], line[64];
        (void)snprintf(key, sizeof key, "k%d", i);
        t.placing.lookup = key;
        uint32_t owner = layout_owner(t.trial->after, bytes_of(key));
        layout_free(without);
        without = layout_copy(t.trial->after);
        assert_true(layout_remove(without, owner, &err));
        (void)snprintf(line, sizeof line, "next: takes over if S%u leaves", (unsigned)owner);
        char *told = scene_told(&t.scene, "rendezvous", &v);
        char *at = strstr(told, line);
        assert_non_null(at);
        while (at > told && at[-1] != '\n') {
            at--;
        }
        assert_int_equal((uint32_t)strtoul(at + 1, NULL, 10), layout_owner(without, bytes_of(key)));
        free(told);
    }
    layout_free(without);
    tried_free(&t);
}

static void a_shard_that_left_is_told(void **state)
{
    (void)state;
    struct tried t;
    tried_new(&t, "rendezvous", 0, 5, REMOVES | 0, 1000);
    t.placing.lookup = "k42";
    tried_golden(&t, "rendezvous", "rendezvous_leaves", 56, 25, GLYPHS_UTF8);
    tried_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_owns_and_the_next_waits),
        cmocka_unit_test(the_next_one_does_take_over),
        cmocka_unit_test(a_shard_that_left_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
