/*
 * What lessons read of systems that people run.
 */
#include "steps.h"

static void a_system_its_parts_and_keys_are_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:system(\"kinesis\") == nil and \"off\"} {w:system_parts(\"kafka\") == nil and "
        "\"off\"} {w:placed(\"kinesis\", \"p9\", 8)} {w:placed(\"kafka\", \"likes:{p9}\", 8)} "
        "{w:placed(\"REDIS\", \"p9\", 16384)} {w:slot(\"p9\")}]]",
        "enter = function(w) w:command(\"system kinesis on\") w:command(\"flow like likes:{p9} "
        "500\") w:play_for(2) end,\n"
        "say = [[{w:system(\"kinesis\").title} {w:system(\"kinesis\").parts} "
        "{w:system(\"kinesis\").part} {w:system(\"kinesis\").second.writes} "
        "{w:system(\"kinesis\").second.ok} {w:system(\"kinesis\").throttled} "
        "{w:system(\"kinesis\").settings.pack} {w:system(\"kinesis\").settings.order}]]",
        "say = [[{w:system_of(\"kinesis\", \"p9\").number} {w:system_of(\"kinesis\", \"p9\").pct} "
        "{w:system_of(\"kinesis\", \"p9\").keys[1]} {w:system_of(\"kinesis\", \"p9\").state} "
        "{w:system_key(\"kinesis\", \"p9\").part} {w:system_key(\"kinesis\", \"p9\").writes} "
        "{w:system_key(\"kinesis\", \"p9\").at > 0.75 and \"high\"} "
        "{#w:system_parts(\"kinesis\")} {w:system_part(\"kinesis\", 0).first_text} "
        "{w:system_part(\"kinesis\", 1).first}]]",
        "enter = function(w) w:command(\"system kinesis cut 3\") w:play_for(1) end,\n"
        "say = [[{w:system_part(\"kinesis\", 3).state} {w:system_part(\"kinesis\", 3).children[1]} "
        "{w:system_part(\"kinesis\", 3).children[2]} {w:system_part(\"kinesis\", 5).parents[1]} "
        "{w:system(\"kinesis\").parts} {w:system(\"kinesis\").closed} "
        "{w:system(\"kinesis\").splits} {w:system_part(\"kinesis\", 5).first}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 4);
    assert_string_equal(player_page(p)->say, "off off 6 2 12,067 12,067");
    next_says(p, "Kinesis 4 shard 500 500 0 1 parents");
    next_says(p, "3 50 p9 open 3 500 high 4 0 0.25");
    next_says(p, "closed 4 5 3 5 1 1 0.875");
    player_close(p);
}

static void machines_readers_and_cards_are_read(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"system kafka on 6 3\") w:command(\"system kafka set "
        "reader 1000\") w:command(\"system kafka set members 3\") w:play_for(3) end,\n"
        "say = [[{#w:system_machines(\"kafka\")} {w:system_machines(\"kafka\")[1].leads} "
        "{w:system_machines(\"kafka\")[3].down and \"down\" or \"up\"} "
        "{#w:system_group(\"kafka\").members} {#w:system_group(\"kafka\").members[1].parts} "
        "{w:system_group(\"kafka\").members[3].gone and \"gone\" or \"there\"} "
        "{w:system_group(\"kafka\").of} {w:system_group(\"kafka\").rate}]]",
        "enter = function(w) w:command(\"system kafka down 2\") w:play_for(0.1) end,\n"
        "say = [[{w:system_machines(\"kafka\")[3].down and \"down\" or \"up\"} "
        "{w:system(\"kafka\").up} {w:system_parts(\"kafka\")[3].away and \"away\"}]]",
        "say = [[{w:system_card(\"kafka\").title}: {w:system_card(\"kafka\").placement}; "
        "{#w:system_card(\"kafka\").documented > 0 and \"sources\"} "
        "{#w:system_card(\"redis\").leaves_out > 0 and \"what is left out\"}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 3);
    assert_string_equal(player_page(p)->say, "3 2 up 3 2 there 6 1,000");
    next_says(p, "down 2 away");
    next_says(p, "Kafka: murmur2 of the key, modulo the partitions; sources what is left out");
    player_close(p);
}

static void a_wrong_name_is_an_error_with_a_guess(void **state)
{
    static const struct {
        const char *call, *said;
    } wrong[] = {
        {"w:system(\"kafak\")", "there is no system kafak; did you mean kafka?"},
        {"w:system(\"all\")", "there is no system all"},
        {"w:placed(\"mongodb\", \"p9\", 4)", "ranges of MongoDB are never even"},
        {"w:placed(\"kafka\", \"p9\", 0)", "w:placed takes 1 to 65535 partitions of Kafka"},
        {"w:placed(\"redis\", \"p9\", 16385)", "takes 1 to 16384 runs of slots of Redis Cluster"},
        {"w:placed(\"redis\", \"p9\")", "w:placed takes a number of parts after the key, not no "
                                        "value"},
        {"w:placed(\"redis\", nil, 2)", "w:placed takes a key after the name, as \"p9\", not nil"},
        {"w:system(nil)", "w:system takes the name of a system, as \"kinesis\", not nil"},
        {"w:system_card({})",
         "w:system_card takes the name of a system, as \"kinesis\", not table"},
        {"w:system(\"KAFAK\")", "there is no system kafak; did you mean kafka?"},
        {"w:system(\"kafka\\0x\")", "w:system: the name of a system has no zero byte"},
        {"w:system_of(\"redis\")", "w:system_of takes a key after the name"},
        {"w:system_key(\"redis\", {})", "w:system_key takes a key after the name"},
        {"w:system_part(\"redis\", \"x\")", "w:system_part takes a part's number after the name, "
                                            "not string"},
        {"w:gossip_rounds(1000, \"pul\", 40)", "there is no way of gossip pul"},
        {"w:gossip_rounds(1, \"push\", 40)", "w:gossip_rounds takes 2 to 4096 nodes"},
        {"w:system_part(\"redis\", 99).name", "Redis Cluster has no run of slots 99"},
        {"w:command(\"system kafka move 0 99\")", "99"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct str path = STR_EMPTY, text = STR_EMPTY;
        struct err err = {""};
        str_addf(&text,
                 "return lesson { id = \"33_systems\", part = 7, title = \"T\", minutes = 1,\n"
                 "  world = \"story-quiet\", steps = { { id = \"s\", title = \"t\", say = \"x\", "
                 "enter = function(w) w:command(\"system all on\") local x = %s end } } }\n",
                 wrong[i].call);
        write_file(&path, *state, "33_systems.lua", text.text);
        struct player *p = player_open(path.text, 1, &err);
        if (p != NULL) {
            fail_msg("no error of %s", wrong[i].call);
        }
        assert_contains(err.text, wrong[i].said);
        str_free(&path);
        str_free(&text);
    }
}

static void gossip_takes_rounds(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:gossip_rounds(2, \"push\", 1).median} "
        "{w:gossip_rounds(1000, \"push\", 40).median} "
        "{w:gossip_rounds(1000, \"push-pull\", 40).median} "
        "{w:gossip_rounds(1000, \"push\", 40, 7).low >= 16 and 1} "
        "{w:gossip_rounds(1000, \"push\", 40, 7).high <= 22 and 1}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 1);
    assert_string_equal(player_page(p)->say, "1 18 9 1 1");
    player_close(p);
}

/* What a task wants inspected may be a part of a system, by the system's name. */
static void a_part_can_be_what_a_task_wants_inspected(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"system kinesis on\") end, say = \"x\",\n"
        "try = { ask = \"?\", opened = \"inspect\", of = \"kinesis shard 3\" }",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 1);
    player_opened(p, "inspect", "Kafka: partition 3");
    player_opened(p, "inspect", "Kinesis: shard 2");
    assert_false(player_page(p)->task_met);
    player_opened(p, "inspect", "Kinesis: shard 3");
    assert_true(player_page(p)->task_met);
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_system_its_parts_and_keys_are_read, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(machines_readers_and_cards_are_read, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(gossip_takes_rounds, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_part_can_be_what_a_task_wants_inspected, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_wrong_name_is_an_error_with_a_guess, make_folder,
                                        remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
