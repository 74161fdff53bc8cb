/*
 * What lessons read of readouts.
 */
#include "steps.h"

static void a_node_and_its_texts_are_read(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"replicas S2 3\") w:command(\"shift 93 S2 open\") "
        "w:move(100, 199, \"S1\") w:play_for(0.1) end,\n"
        "say = [[{w:readout_node(\"S2\").address} {w:readout_node(\"S2\").host} "
        "{w:readout_node(\"S2\").replicas} {w:readout_node(\"S2\").importing} "
        "{w:readout_node(\"S0\").migrating} {w:readout_node(\"S1\").slots} "
        "{w:readout_node(\"S1\").epoch} {#w:readout_node(\"S1\").id} "
        "{w:readout_node(\"S1\").down and \"down\" or \"up\"} {w:readout_host(2)}]]",
        "say = [[{select(2, w:readout(\"cluster-check\", \"S3\"))} / "
        "{string.match(w:readout(\"cluster-check\"), \"migrating state %d+\")} / "
        "{string.match(w:readout(\"cluster-nodes\", \"S1\"), \"myself[^\\n]*\")}]]",
        "say = [[{select(2, w:readout(\"slot-stats\", \"S1\", { limit = 2, by = \"cpu-usec\" }))} "
        "/ "
        "{string.match(w:readout(\"slot-stats\", \"S1\", { limit = 2 }), \"2%) 1%) %(.*\")} / "
        "{select(2, layout(\"ring\", { shards = 3, tokens = 2 }):readout(\"nodetool-ring\", { "
        "replicas = 2 }))}]]",
        "enter = function(w) w:command(\"crash S3 60000\") w:play_for(17) end,\n"
        "say = [[{w:readout_node(\"S3\").failed and \"failed\"} "
        "{w:readout_node(\"S3\").suspected and \"suspected\" or \"agreed\"} "
        "{w:readout_node(\"S3\").down and \"down\"}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 4);
    assert_string_equal(player_page(p)->say,
                        "10.0.0.12:6379 10.0.0.12 2 1 1 4,196 5 40 up 10.1.0.12");
    next_says(p,
              "redis-cli --cluster check 10.0.0.13:6379 / migrating state 93 / myself,master - 0 "
              "0 5 connected 100-199 4096-8191");
    next_says(p, "redis-cli -h 10.0.0.11 CLUSTER SLOT-STATS ORDERBY key-count LIMIT 2 DESC / 2) 1) "
                 "(integer) 101\n   2) 1) \"key-count\"\n      2) (integer) 0\n / nodetool ring "
                 "story");
    next_says(p, "failed agreed down");
    player_close(p);
}

static void a_wrong_wish_is_an_error(void **state)
{
    static const struct {
        const char *call, *said;
    } wrong[] = {
        {"w:readout(\"cluster-node\")", "there is no readout cluster-node; did you mean "
                                        "cluster-nodes?"},
        {"w:readout(\"cluster-nodes\", \"S9\")", "'S9' is no shard here: \"S0\" to \"S3\""},
        {"w:readout(\"nodetool-ring\")", "w:readout: Cassandra is off here"},
        {"w:readout(\"slot-stats\", \"S1\", { limit = 0 })", "'limit' is a whole number from 1 to "
                                                             "100"},
        {"w:readout(\"slot-stats\", \"S1\", { by = \"keys\" })",
         "there is no metric of slots keys"},
        {"w:readout(\"slot-stats\", \"S1\", { zebra = 5 })", "option of a readout called zebra"},
        {"w:readout_node(\"R1\").id", "'R1' is no shard here"},
        {"layout(\"ketama\", { shards = 64 }):readout(\"nodetool-ring\", { replicas = 3 })",
         "one text 64 KB"},
        {"w:readout_host(-1)", "w:readout_host takes the number of a node"},
        {"layout(\"jump\", { shards = 3 }):readout(\"nodetool-ring\")",
         "l:readout: scheme jump has "
         "no tokens"},
        {"layout(\"ring\", { shards = 3 }):readout(\"slot-stats\")",
         "l:readout: slot-stats is of a "
         "cluster"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct str path = STR_EMPTY, text = STR_EMPTY;
        struct err err = {""};
        str_addf(&text,
                 "return lesson { id = \"33_readouts\", part = 11, title = \"T\", minutes = 1,\n"
                 "  world = \"story-quiet\", steps = { { id = \"s\", title = \"t\", say = \"x\", "
                 "enter = function(w) local x = %s end } } }\n",
                 wrong[i].call);
        write_file(&path, *state, "33_readouts.lua", text.text);
        if (player_open(path.text, 1, &err) != NULL) {
            fail_msg("no error of %s", wrong[i].call);
        }
        assert_contains(err.text, wrong[i].said);
        str_free(&path);
        str_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_node_and_its_texts_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_wrong_wish_is_an_error, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
