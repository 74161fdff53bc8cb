/*
 * What readout promises: each line has the shape of a line that the real tools print (files of
 * tests/data/readouts), what it says of a world is so, and what cannot be told is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "place/ring.h"
#include "story/story.h"
#include "tools/readout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of commands, parted by newlines; "+300" lets 300 ms pass. */
static struct world *played(const char *lines)
{
    struct err err;
    struct world *w = story_world(1, false, &err);
    assert_non_null(w);
    while (*lines != '\0') {
        char line[160];
        struct command c;
        int length = (int)strcspn(lines, "\n");
        (void)snprintf(line, sizeof line, "%.*s", length, lines);
        if (line[0] == '+') {
            world_run_until(w, world_now(w) + strtol(line + 1, NULL, 10) * US_PER_MS);
        } else if (!command_parse(line, &c, &err) || !world_apply(w, &c, &err)) {
            fail_msg("%s: %s", line, err.text);
        }
        lines += length + (lines[length] == '\n');
    }
    return w;
}

static char *said(const struct world *w, const char *what)
{
    struct readout_wish wish;
    struct str out = STR_EMPTY;
    struct err err;
    if (!readout_parse(what, &wish, &err) || !readout_say(w, &wish, &out, &err)) {
        fail_msg("%s: %s", what, err.text);
    }
    return str_take(&out);
}

static void has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

static void lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) {
        fail_msg("\"%s\" is in:\n%s", part, text);
    }
}

static void says(const struct world *w, const char *what, const char *part)
{
    char *text = said(w, what);
    has(text, part);
    free(text);
}

/* --- shapes --- */

static size_t run_of_hex(const char *at)
{
    return strspn(at, "0123456789abcdef");
}

/* Takes one thing from `*at`: an id is H, the start of one h, a number, address or list of slots 9.
 */
static void take(const char **at, struct str *out)
{
    size_t hex = run_of_hex(*at);
    if (hex == 40 || (hex == 8 && strncmp(*at + 8, "...", 3) == 0)) {
        str_addc(out, hex == 40 ? 'H' : 'h');
        *at += hex;
        return;
    }
    if (!isdigit((unsigned char)**at)) {
        str_addc(out, *(*at)++);
        return;
    }
    str_addc(out, '9');
    *at += strspn(*at, "0123456789");
    while ((**at == '.' || **at == '-' || **at == ',') && isdigit((unsigned char)(*at)[1])) {
        *at += 1 + strspn(*at + 1, "0123456789");
    }
}

/* "a,b" of one kind are one: lists of slots, ranges in brackets, slots in a row. */
static void join(struct str *s, const char *twice, const char *once)
{
    char *found;
    while (s->length > 0 && strcmp(twice, once) != 0 && (found = strstr(s->text, twice)) != NULL) {
        size_t more = strlen(twice) - strlen(once);
        memcpy(found, once, strlen(once));
        memmove(found + strlen(once), found + strlen(twice), strlen(found + strlen(twice)) + 1);
        s->length -= more;
    }
}

static void host_name(const char **at)
{
    if (strncmp(*at, ",hostname", 9) == 0 || (strncmp(*at, ",s", 2) == 0 && isdigit((*at)[2]))) {
        *at += 1 + strcspn(*at + 1, " ");
    }
}

static char *shape_of(const char *line, size_t length)
{
    struct str out = STR_EMPTY;
    for (const char *at = line; at < line + length;) {
        bool bus = out.length > 0 && strncmp(out.text + out.length - 1, "9", 1) == 0;
        if (bus) {
            host_name(&at);
        }
        if (at < line + length) {
            take(&at, &out);
        }
    }
    join(&out, "disconnected", "connected"); /* either is seen with any flag */
    join(&out, "[9],[9]", "[9]");
    join(&out, "connected 9 9", "connected 9");
    join(&out, "-<-", "->-"); /* a line of theirs has one of each */
    join(&out, "[9->-H] [9->-H]", "[9->-H]");
    join(&out, "myself,master", "master");
    return str_take(&out);
}

/* Whether some line of the files has this shape. */
static bool real(const char *shape, const char *const *files)
{
    bool found = false;
    for (; *files != NULL && !found; files++) {
        char path[120];
        struct str text = STR_EMPTY;
        struct err err;
        (void)snprintf(path, sizeof path, "tests/data/readouts/%s.txt", *files);
        if (!file_read(path, (size_t)1 << 20, &text, &err)) {
            fail_msg("%s", err.text);
        }
        for (const char *at = str_text(&text); *at != '\0' && !found;) {
            size_t line = strcspn(at, "\n");
            char *other = shape_of(at, line);
            found = strcmp(other, shape) == 0;
            free(other);
            at += line + (at[line] == '\n');
        }
        str_free(&text);
    }
    return found;
}

static void all_real(const char *text, const char *const *files)
{
    for (const char *at = text; *at != '\0';) {
        size_t line = strcspn(at, "\n");
        char *shape = shape_of(at, line);
        if (line > 0 && !real(shape, files)) {
            fail_msg("no tool was seen to print a line like\n%.*s\n%s", (int)line, at, shape);
        }
        free(shape);
        at += line + (at[line] == '\n');
    }
}

static const char *const node_files[] = {"nodes-open-slots", "nodes-failed", "nodes-hostnames",
                                         NULL};
static const char *const check_files[] = {"check-open-slots", "check-uncovered", NULL};

static void shapes_are_those_of_the_real_tools(void **state)
{
    (void)state;
    struct world *w = played("replicas S1 2\nmove 12067 S1\nshift 93 S2 open\nshift 12000 S3 open\n"
                             "shard add\n+100\n");
    for (int i = 0; i < 5; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "cluster-nodes:S%d", i);
        char *text = said(w, what);
        all_real(text, node_files);
        free(text);
        (void)snprintf(what, sizeof what, "cluster-check:S%d", i);
        text = said(w, what);
        lacks(text, "migrating state 93,");
        free(text);
    }
    world_free(w);
    w = played("replicas S1 2\ncrash S2 60000\n+15500\n");
    char *text = said(w, "cluster-nodes:S0");
    has(text, "master,fail? - 1");
    all_real(text, node_files);
    free(text);
    world_free(w);
    w = played("replicas S1 2\ndual 93 S2\nfreeze 7000 S1 on\nshard add\n+100\n");
    text = said(w, "cluster-check");
    has(text, "importing state 93.");
    all_real(text, check_files);
    free(text);
    world_free(w);
}

/* --- what is said --- */

static void a_node_tells_of_itself_what_its_table_says(void **state)
{
    (void)state;
    struct world *w = played("move 100-199 S1\nshift 93 S2 open\nfreeze 7103 S1 on\n+100\n");
    char id[READOUT_ID_SIZE], line[160];
    struct readout_node node;
    struct err err;
    readout_id(2, 0, id);
    assert_int_equal(strlen(id), 40);
    (void)snprintf(line, sizeof line, "0-99 200-4095 [93->-%s]", id);
    says(w, "cluster-nodes:S0", line);
    says(w, "cluster-nodes:S1", "100-199 4096-7102 7104-8191\n");
    says(w, "cluster-nodes:S0", " 100-199 4096-8191\n"); /* it did not hear that one was frozen */
    assert_true(readout_node(w, 1, &node, &err));
    assert_int_equal(node.slots, 100 + 4096 - 1);
    assert_int_equal(node.epoch, 5);
    assert_true(readout_node(w, 0, &node, &err));
    assert_int_equal(node.migrating, 1);
    assert_int_equal(node.epoch, 1);
    assert_true(readout_node(w, 2, &node, &err));
    assert_int_equal(node.importing, 1);
    assert_false(readout_node(w, 4, &node, &err));
    assert_string_equal(err.text, "there is no shard S4 here; name S0 to S3");
    world_free(w);
}

static void a_view_can_be_out_of_date(void **state)
{
    (void)state;
    struct world *w = played("move 5000 S3\n+100\ndeaf R0 on\nmove 12067 S1\n+100\n");
    says(w, "cluster-nodes:S0", " 3 connected 8192-12287\n");
    says(w, "cluster-nodes:S0", " 2 connected 4096-4999 5001-8191\n");
    says(w, "cluster-nodes:S1", " 0 0 6 connected 4096-4999 5001-8191 12067\n");
    says(w, "cluster-nodes:S3", " 6 connected 4096-4999 5001-8191 12067\n");
    says(w, "cluster-nodes:S3", " 5 connected 5000 12288-16383\n");
    says(w, "cluster-check:S2", "[ERR] Nodes don't agree about configuration!\n");
    says(w, "cluster-check:S2", "[OK] All 16384 slots covered.\n");
    world_free(w);
    w = played("deaf R0 on\nmove 12067 S1\n+100\nreload R0\n+100\n");
    says(w, "cluster-check:S2", "[OK] All nodes agree about slots configuration.\n");
    world_free(w);
}

static void a_silent_node_is_suspected_and_then_failed(void **state)
{
    (void)state;
    struct world *w = played("crash S2 60000\n+14000\n");
    says(w, "cluster-nodes:S0", " disconnected 8192-12287\n");
    char *text = said(w, "cluster-nodes:S0");
    lacks(text, "fail");
    free(text);
    world_free(w);
    w = played("crash S2 60000\n+16500\n");
    says(w, "cluster-nodes:S0", "master,fail - ");
    says(w, "cluster-check:S0",
         "Could not connect to Redis at 10.0.0.12:6379: Connection refused\n10.0.0.10:6379 (");
    says(w, "cluster-check:S0", "in 3 masters.\n");
    says(w, "cluster-check:S0", "[OK] All nodes agree about slots configuration.\n");
    says(w, "cluster-check:S0", "[ERR] Not all 16384 slots are covered by nodes.\n\n");
    text = said(w, "cluster-nodes:S2");
    assert_string_equal(text, "Could not connect to Redis at 10.0.0.12:6379: Connection refused\n");
    free(text);
    world_free(w);
    w = played("crash S2 60000\ncrash S3 60000\n+30000\n"); /* two of four are no majority */
    says(w, "cluster-nodes:S0", "master,fail? - ");
    text = said(w, "cluster-nodes:S0");
    lacks(text, "fail -");
    free(text);
    world_free(w);
}

static void a_calm_cluster_is_told_whole(void **state)
{
    (void)state;
    struct world *w =
        played("request like likes:{p9} via R0\nrequest read post:{p9} via R0\n+100\n");
    char *text = said(w, "cluster-check:S1");
    assert_string_equal(text, "10.0.0.11:6379 (5b3dcac3...) -> 0 keys | 4096 slots | 0 slaves.\n"
                              "10.0.0.10:6379 (99394c6b...) -> 0 keys | 4096 slots | 0 slaves.\n"
                              "10.0.0.12:6379 (795489f7...) -> 2 keys | 4096 slots | 0 slaves.\n"
                              "10.0.0.13:6379 (4974300b...) -> 0 keys | 4096 slots | 0 slaves.\n"
                              "[OK] 2 keys in 4 masters.\n"
                              "0.00 keys per slot on average.\n"
                              ">>> Performing Cluster Check (using node 10.0.0.11:6379)\n"
                              "M: 5b3dcac3fc03ccd575ee0f583104f9e811fbc2e0 10.0.0.11:6379\n"
                              "   slots:[4096-8191] (4096 slots) master\n"
                              "M: 99394c6b34f46dd77542407288a914574da37967 10.0.0.10:6379\n"
                              "   slots:[0-4095] (4096 slots) master\n"
                              "M: 795489f7fc4c5f4f45b0bf10f687503ec6468f00 10.0.0.12:6379\n"
                              "   slots:[8192-12287] (4096 slots) master\n"
                              "M: 4974300b2e96c77e1dac077ccbad856ce81324bb 10.0.0.13:6379\n"
                              "   slots:[12288-16383] (4096 slots) master\n"
                              "[OK] All nodes agree about slots configuration.\n"
                              ">>> Check for open slots...\n"
                              ">>> Check slots coverage...\n"
                              "[OK] All 16384 slots covered.\n");
    free(text);
    world_free(w);
}

/* --- slots --- */

static void slots_are_counted(void **state)
{
    (void)state;
    struct world *w =
        played("request like likes:{p9} via R0\nrequest like likes:{p3} via R0\n+100\n");
    char *text = said(w, "slot-stats:S2::1"); /* nobody counts yet */
    assert_string_equal(text, "1) 1) (integer) 12067\n"
                              "   2) 1) \"key-count\"\n"
                              "      2) (integer) 1\n");
    free(text);
    world_free(w);
    w = played("system redis on\nflow like likes:{p9} 200 steady\nflow read post:{p9} 300 steady\n"
               "+2000\nflow like likes:{p9} 0\nflow read post:{p9} 0\n+100\n");
    text = said(w, "slot-stats:S2:network-bytes-in:1");
    /* 400 writes of 1 ms and 600 reads of a third; INCR likes:{p9} has 31 bytes, GET post:{p9} 28,
     * the answers 6 and 1,033. */
    assert_string_equal(text, "1) 1) (integer) 12067\n"
                              "   2) 1) \"key-count\"\n"
                              "      2) (integer) 2\n"
                              "      3) \"cpu-usec\"\n"
                              "      4) (integer) 599999\n"
                              "      5) \"network-bytes-in\"\n"
                              "      6) (integer) 29200\n"
                              "      7) \"network-bytes-out\"\n"
                              "      8) (integer) 622200\n");
    free(text);
    says(w, "slot-stats:S2:cpu-usec:12", "\n12) 1) (integer) 8202\n    2) 1) \"key-count\"\n");
    world_free(w);
}

/* --- rings --- */

static void a_ring_is_told_line_by_line(void **state)
{
    (void)state;
    struct err err;
    struct str out = STR_EMPTY;
    struct layout_params params = layout_defaults(&scheme_cassandra);
    params.tokens = 1;
    params.token_rule = TOKENS_CHOSEN;
    struct layout *layout = layout_new(&scheme_cassandra, &params, 4, &err);
    struct readout_wish wish = readout_wish(READOUT_RING, 0);
    assert_non_null(layout);
    wish.replicas = 2;
    assert_true(readout_layout(layout, &wish, &out, &err));
    has(str_text(&out),
        "\nDatacenter: datacenter1\n==========\n"
        "Address    Rack        Status State   Load            Owns                Token\n");
    has(str_text(&out), "  rack1       Up     Normal  ?               ");
    lacks(str_text(&out), "Warning"); /* a token a node */
    str_clear(&out);
    wish.kind = READOUT_STATUS;
    assert_true(readout_layout(layout, &wish, &out, &err));
    has(str_text(&out), "Datacenter: datacenter1\n=======================\nStatus=Up/Down\n"
                        "|/ State=Normal/Leaving/Joining/Moving\n"
                        "--  Address    Load  Owns (effective)  Host ID");
    has(str_text(&out), "\nUN  10.1.0.10  ?     ");
    wish.kind = READOUT_CLUSTER_NODES;
    assert_false(readout_layout(layout, &wish, &out, &err));
    has(err.text, "cluster-nodes is of a cluster, and a layout is none");
    layout_free(layout);
    layout =
        layout_new(scheme_by_name("jump"), &(struct layout_params){.hash = HASH_MIX64}, 4, &err);
    wish.kind = READOUT_RING;
    assert_false(readout_layout(layout, &wish, &out, &err));
    has(err.text, "scheme jump has no tokens");
    layout_free(layout);
    str_free(&out);
}

/* The copies of all nodes together are three of everything. */
static void all_own_three_copies(void **state)
{
    (void)state;
    for (int nodes = 3; nodes <= 6; nodes++) {
        char line[64];
        (void)snprintf(line, sizeof line, "system cassandra on %d %d\n+10\n", 3 * nodes, nodes);
        struct world *w = played(line);
        char *text = said(w, "nodetool-status");
        long tenths = 0, tokens = 0;
        for (const char *at = text; (at = strstr(at, "\nUN  ")) != NULL; at++) {
            long whole, tenth, of;
            assert_int_equal(sscanf(at, "\nUN %*s %*s %*s %ld %ld.%ld%%", &of, &whole, &tenth), 3);
            tenths += 10 * whole + tenth;
            tokens += of;
        }
        assert_in_range(tenths, 3000 - nodes, 3000 + nodes);
        assert_int_equal(tokens, 3 * nodes);
        free(text);
        world_free(w);
    }
}

static void a_ring_has_nodes_that_are_down_or_join(void **state)
{
    (void)state;
    struct world *w = played("system cassandra on 12 4\nseries msg 500\n+2000\n"
                             "system cassandra grow\n+1\n");
    says(w, "nodetool-status", "\nUJ  10.1.0.14  ");
    says(w, "nodetool-ring", "10.1.0.14  rack1       Up     Joining ");
    world_free(w);
    w = played("system cassandra on 12 4\n+10\nsystem cassandra down 2\n");
    says(w, "nodetool-status", "\nDN  10.1.0.12  0 bytes  3       ");
    says(w, "nodetool-ring", "10.1.0.12  rack1       Down   Normal  0 bytes         ");
    says(w, "nodetool-ring",
         "\n  Warning: \"nodetool ring\" is used to output all the tokens of a "
         "node.\n");
    world_free(w);
}

/* --- what is asked for --- */

static void asking(void **state)
{
    (void)state;
    struct readout_wish wish;
    struct str out = STR_EMPTY;
    struct err err;
    assert_true(readout_parse("slot-stats:S2:key-count:3", &wish, &err));
    readout_command(NULL, &wish, &out);
    assert_string_equal(str_text(&out),
                        "redis-cli -h 10.0.0.12 CLUSTER SLOT-STATS ORDERBY key-count LIMIT 3 DESC");
    str_clear(&out);
    assert_true(readout_parse("cluster-check", &wish, &err));
    readout_command(NULL, &wish, &out);
    assert_string_equal(str_text(&out), "redis-cli --cluster check 10.0.0.10:6379");
    str_free(&out);
    assert_false(readout_parse("cluster-knots", &wish, &err));
    has(err.text,
        "there is no readout \"cluster-knots\"; there are cluster-nodes, cluster-check, ");
    assert_false(readout_parse("cluster-nodes:R2", &wish, &err));
    has(err.text, "\"R2\" is no node");
    assert_false(readout_parse("slot-stats:S2:beauty", &wish, &err));
    assert_false(readout_parse("slot-stats:S2:cpu-usec:0", &wish, &err));
    assert_false(readout_parse("slot-stats:S2:cpu-usec:3:4", &wish, &err));
    struct world *w = played("");
    wish = readout_wish(READOUT_RING, 0);
    assert_false(readout_say(w, &wish, &out, &err));
    has(err.text, "Cassandra is off here; begin it with \"system cassandra on\"");
    wish = readout_wish(READOUT_SLOT_STATS, 7);
    assert_false(readout_say(w, &wish, &out, &err));
    world_free(w);
    struct world_config config = world_config_default();
    config.slots = 64;
    w = world_new(&config, &err);
    wish = readout_wish(READOUT_CLUSTER_CHECK, 0);
    assert_false(readout_say(w, &wish, &out, &err));
    has(err.text, "this cluster has 64 slots, and Redis Cluster has 16384");
    wish = readout_wish(READOUT_STATUS, 0);
    assert_false(readout_say(w, &wish, &out, &err));
    has(err.text, "this world has no systems");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_those_of_the_real_tools),
        cmocka_unit_test(a_node_tells_of_itself_what_its_table_says),
        cmocka_unit_test(a_view_can_be_out_of_date),
        cmocka_unit_test(a_silent_node_is_suspected_and_then_failed),
        cmocka_unit_test(a_calm_cluster_is_told_whole),
        cmocka_unit_test(slots_are_counted),
        cmocka_unit_test(a_ring_is_told_line_by_line),
        cmocka_unit_test(all_own_three_copies),
        cmocka_unit_test(a_ring_has_nodes_that_are_down_or_join),
        cmocka_unit_test(asking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
