/*
 * What lessons read of stores without leaders, and of heartbeats.
 */
#include "steps.h"

static void a_store_is_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:store(\"cart\") == nil and \"none\"} {w:beats().on and 1 or 0}]]",
        "enter = function(w)\n"
        "  for _, zone in ipairs { \"a\", \"b\", \"c\", \"a\", \"b\" } do w:command(\"node add \" "
        ".. zone) end\n"
        "  w:command(\"store cart 3 2 2 sloppy\") w:command(\"set cart cart 4 via N3\")\n"
        "  w:play_answered() end,\n"
        "say = [[{w:store(\"cart\").n} {w:store(\"cart\").sets_ok} {w:store(\"cart\").repair} "
        "{w:held(\"cart\", \"cart\")[1].node} {w:held(\"cart\", \"cart\")[3].values[1]} "
        "{#w:held(\"cart\", \"nobody\")} {w:history(\"cart\")[1].op} "
        "{w:history(\"cart\")[1].acks} {w:linearizable(\"cart\") and \"yes\"}]]",
        "enter = function(w) w:command(\"split N1 N2\") w:command(\"set cart cart 5 via N1\")\n"
        "  w:play_answered() w:play_for(0.1) end,\n"
        "say = [[{w:store(\"cart\").sets_ok} {w:store(\"cart\").hints} "
        "{w:held(\"cart\", \"cart\")[4].node} {w:held(\"cart\", \"cart\")[4].hint_for} "
        "{w:held(\"cart\", \"cart\")[1].behind and \"behind\"} "
        "{w:history(\"cart\")[2].stand_ins}]]",
        "enter = function(w) w:command(\"get cart cart via N4\") w:play_answered() end,\n"
        "say = [[{w:history(\"cart\")[3].value} {w:history(\"cart\")[3].stale and \"stale\"} "
        "{w:linearizable(\"cart\") and \"yes\" or \"no\"} {w:store(\"cart\").stale}]]",
    };
    struct player *p = open_steps_in(*state, "story-near", steps, 4);
    assert_string_equal(player_page(p)->say, "none 0");
    next_says(p, "3 1 off N3 4 0 set 2 yes");
    next_says(p, "2 2 N1 N3 behind 2");
    next_says(p, "4 stale no 1"); /* nobody saw 5 that was told OK: no single copy does so */
    player_close(p);
}

static void heartbeats_are_read(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"node add a 3\") w:command(\"beats 1000 timeout 1500\")\n"
        "  w:play_for(5) w:command(\"node N3 down\") w:play_for(5) end,\n"
        "say = [[{w:beats().period_ms} {w:beats().timeout_ms} {w:beats().declared} "
        "{w:beats().falsely} {w:beats().detect_ms > 0 and w:beats().detect_ms <= 1500 and "
        "\"soon\"} "
        "{w:node(\"N3\").declared and \"declared\"} {w:node(\"N1\").late} {w:node(\"N1\").gap_ms} "
        "{w:node(\"N3\").phi > 8 and \"unusual\"}]]",
    };
    struct player *p = open_steps_in(*state, "story-near", steps, 1);
    assert_string_equal(player_page(p)->say, "1,000 1,500 1 0 soon declared 0 1,000 unusual");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_store_is_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(heartbeats_are_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
