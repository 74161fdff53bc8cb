/*
 * What lessons read of nodes, and of partitions with copies on them.
 */
#include "steps.h"

static void groups_are_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:nodes()} {w:group(\"P1\") == nil and \"none\"} "
        "{w:recopy().took_ms == nil and \"never\"}]]",
        "enter = function(w)\n"
        "  w:command(\"node add a 5\") w:command(\"group P1 N1 N3 N5\")\n"
        "  w:command(\"append P1 7\") w:play_answered() end,\n"
        "say = [[{w:nodes()} {w:group(\"P1\").leader} {w:group(\"P1\").acked} "
        "{w:group(\"P1\").replicas[2].node} {w:group(\"P1\").replicas[1].role} "
        "{w:group(\"P1\").replicas[3].state} {w:entries(\"P1\", \"N1\")[1].value} "
        "{w:entries(\"P1\", \"N1\")[1].acked and \"OK\"} {w:node(\"N1\").leads} "
        "{w:node(\"N2\").replicas} {w:node(\"N3\").zone}]]",
        "enter = function(w) w:command(\"split N1 N2\") w:play_for(4) end,\n"
        "say = [[{w:group(\"P1\").leaders} {w:group(\"P1\").term >= 2 and \"later\"} "
        "{w:node(\"N1\").cut_off and \"cut off\"} {w:node(\"N4\").side} "
        "{w:group(\"P1\").led and \"led\"} "
        "{w:group(\"P1\").last_leaderless_ms > 800 and \"a while\"}]]",
        "enter = function(w) w:command(\"heal\") w:command(\"recopy on 100MB\")\n"
        "  w:play_for(2) w:command(\"node N1 down\") w:command(\"recopy now N1\")\n"
        "  w:play_for(5) end,\n"
        "say = [[{w:recopy().under_way} {w:recopy().budget} "
        "{w:group(\"P1\").replicas[4].state} {w:group(\"P1\").replicas[4].node} "
        "{w:group(\"P1\").replicas[4].copied > 1e8 and \"some\"} "
        "{w:group(\"P1\").replicas[1].state} {w:group(\"P1\").replicas[1].up and 1 or 0} "
        "{w:node(\"N2\").load}]]",
        "enter = function(w) w:play_for(8) w:command(\"look P1\") w:play_answered() end,\n"
        "say = [[{w:recopy().done} {#w:group(\"P1\").replicas} {w:group(\"P1\").looked} "
        "{w:group(\"P1\").stale}]]",
    };
    struct player *p = open_steps_in(*state, "story-near", steps, 5);
    assert_string_equal(player_page(p)->say, "0 none never");
    next_says(p, "5 N1 1 N3 leader votes 7 OK 1 0 a");
    next_says(p, "2 later cut off 0 led a while");
    next_says(p, "1 100,000,000 copying N2 some gone 0 80");
    next_says(p, "1 3 7 0");
    player_close(p);
}

static void what_is_not_there_is_told(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"node add a 2\") end,\n"
        "say = [[{(select(2, pcall(w.node, w, \"N3\")):gsub(\"^.-: \", \"\"))} "
        "{(select(2, pcall(w.node, w, \"x\")):gsub(\"^.-: \", \"\"))} "
        "{#w:entries(\"P1\", \"N1\")}]]"};
    struct player *p = open_steps_in(*state, "story-near", steps, 1);
    assert_string_equal(player_page(p)->say,
                        "no node N3; this world has 2 nodes, and N1 is the first "
                        "no node x; this world has 2 nodes, and N1 is the first 0");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(groups_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_told, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
