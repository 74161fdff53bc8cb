/*
 * Systems that people run, in words: their commands there and back, what errors suggest, and a
 * line, a label and a reason for each of their records.
 */
#include "system_play.h"

#include "engine/systems/systems_inside.h"
#include "engine/words/command_help.h"

/* --- commands --- */

static void assert_said(const char *words, const char *expected)
{
    struct command c;
    struct err err = {{0}};
    struct str out = STR_EMPTY;
    if (!command_parse(words, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    command_say(&c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void every_form_reads_back_as_it_was_said(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "system kinesis on",
        "system kafka on 8",
        "system cassandra on 64 4",
        "system vitess on 0 3",
        "system all on",
        "system all off",
        "system kinesis parts 8",
        "system kinesis cut 3",
        "system kinesis cut 0",
        "system cockroachdb cut 2 p9",
        "system cockroachdb cut 2 a%20b",
        "system kinesis join 0 1",
        "system redis grow",
        "system mongodb move 3 0",
        "system all balance",
        "system kafka down 0",
        "system kafka up 0",
        "system kinesis set pack 9",
        "system kinesis set order any",
        "system dynamodb set items growing",
        "system dynamodb set capacity 0",
        "system all set level quorum",
        "series t 800",
        "series order 0",
        "series t 800 bytes 100",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        assert_said(forms[i], forms[i]);
    }
    assert_said("system KAFKA on", "system kafka on");
    assert_said("SYSTEM CockroachDB grow", "system cockroachdb grow");
    assert_said("series t 5 bytes 2KB", "series t 5 bytes 2000");
    assert_said("SYSTEM KAFKA ON 4 3", "system kafka on 4 3");
    assert_said("System All Set level quorum", "system all set level quorum");
}

static void every_verb_is_read_as_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum system_verb verb;
        uint32_t count, first;
    } verbs[] = {
        {"system hbase on 5 2", SYSTEM_VERB_ON, 5, 2},
        {"system hbase off", SYSTEM_VERB_OFF, 0, 0},
        {"system hbase parts 6", SYSTEM_VERB_PARTS, 6, 0},
        {"system hbase cut 7", SYSTEM_VERB_CUT, 7, 0},
        {"system hbase join 1 2", SYSTEM_VERB_JOIN, 1, 2},
        {"system hbase grow", SYSTEM_VERB_GROW, 0, 0},
        {"system hbase move 4 1", SYSTEM_VERB_MOVE, 4, 1},
        {"system hbase balance", SYSTEM_VERB_BALANCE, 0, 0},
        {"system hbase down 3", SYSTEM_VERB_DOWN, 3, 0},
        {"system hbase up 3", SYSTEM_VERB_UP, 3, 0},
        {"system hbase set splits load", SYSTEM_VERB_SET, 0, 0},
    };
    assert_int_equal(sizeof verbs / sizeof *verbs, SYSTEM_VERBS);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        struct command c;
        assert_true(command_parse(verbs[i].text, &c, NULL));
        assert_int_equal(c.kind, COMMAND_SYSTEM);
        assert_int_equal(c.pick, SYSTEM_HBASE);
        assert_int_equal(c.mode, verbs[i].verb);
        assert_int_equal(c.count, verbs[i].count);
        assert_int_equal(c.first, verbs[i].first);
    }
}

static void errors_say_what_is_missing_or_near(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *sentence;
    } wrong[] = {
        {"system kafak on", "\"kafak\" is no system here; did you mean kafka?"},
        {"system mongo on", "\"mongo\" is no system here; did you mean mongodb?"},
        {"system oracle on",
         "\"oracle\" is no system here; there are dynamodb, kinesis, kafka, cassandra, "
         "cockroachdb, hbase, mongodb, redis, vitess, or all of those that are on"},
        {"system kafka grwo", "no system knows \"grwo\"; did you mean grow?"},
        {"system kafka explode", "no system knows \"explode\"; ask for on, off, parts, cut, join, "
                                 "grow, move, balance, down, up or set"},
        {"system kafka parts", "the number of parts is missing; write: system NAME parts N"},
        {"system kafka move 3", "the machine's number is missing; write: system NAME move PART "
                                "MACHINE"},
        {"system kafka off 3", "\"3\" is one word too many; write: system NAME off"},
        {"system kafka down N1",
         "the machine's number: \"N1\" is not a whole number; give one from 0 to 4294967295"},
        {"system kafka set acks", "the value is missing; write: system NAME set WHAT VALUE"},
        {"system kafka set ack one", "Kafka has no setting \"ack\"; did you mean acks?"},
        {"system kafka set acks al", "acks of Kafka cannot be \"al\"; did you mean all?"},
        {"system kafka set acks thrice", "acks of Kafka cannot be \"thrice\"; it is one or all"},
        {"system redis set x 1", "Redis Cluster has no settings here; its card says what it does"},
        {"system all set colour red",
         "no system knows set colour red; name one, and it says what it knows"},
        {"series orders1 5", "\"orders1\" is too long; a series' name has at most 6 bytes"},
        {"SYSTEM KAFKA GRWO", "no system knows \"grwo\"; did you mean grow?"},
        {"series t", "writes a second is missing; write: series NAME RATE [bytes N]"},
        {"series t 20001", "writes a second: 20001 is out of range; give a number from 0 to 20000"},
        {"series t 4294967296",
         "writes a second: 4294967296 is out of range; give a number from 0 to 20000"},
        {"series t 5 bytes 0",
         "bytes of a write: 0 is too little; give 1 to 1000000, or leave it out for 1024"},
        {"series t 5 bytes 1000001",
         "bytes of a write: 1000001 is too much; give at most 1000000 bytes"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct command c;
        struct err err = {{0}};
        assert_false(command_parse(wrong[i].text, &c, &err));
        assert_string_equal(err.text, wrong[i].sentence);
    }
}

static void a_number_of_a_setting_has_its_bounds(void **state)
{
    (void)state;
    struct command c;
    struct err err = {{0}};
    assert_false(command_parse("system kinesis set pack 0", &c, &err));
    assert_true(str_starts(err.text, "pack of Kinesis: "));
    assert_true(command_parse("system kinesis set pack 9", &c, &err));
    assert_int_equal(c.key_length, 4);
    assert_memory_equal(c.other, "9", 1);
}

/* --- records --- */

static struct trace_record record_of(enum system_id id, enum systems_reason reason,
                                     const int64_t operands[3])
{
    struct trace_record r = {.kind = TRACE_SYSTEM,
                             .from = {.kind = NODE_SYSTEM, .index = (uint16_t)id},
                             .key = KEY_NONE_ID,
                             .reason = (uint16_t)reason,
                             .target = 3,
                             .time_us = EIGHT_PM};
    memcpy(r.operand, operands, sizeof r.operand);
    return r;
}

static void assert_line(const struct world *w, enum system_id id, enum systems_reason reason,
                        const int64_t operands[3], const char *line, const char *label)
{
    struct trace_record r = record_of(id, reason, operands);
    struct str out = STR_EMPTY;
    systems_say(w, &r, &out);
    assert_string_equal(str_text(&out), line);
    str_clear(&out);
    trace_label(w, &r, &out);
    assert_string_equal(str_text(&out), label);
    str_free(&out);
}

static const struct {
    enum system_id id;
    enum systems_reason reason;
    int64_t operand[3];
    const char *line, *label;
} lines[] = {
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_ON,
     {4, 3, 0},
     "is asked from now on what clients ask here, with 4 partitions on 3 brokers",
     "Kafka: on"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_OFF,
     {0, 0, 0},
     "is asked no more; what it held is gone",
     "Kafka: off"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_THROTTLING,
     {1001, 1000, 0},
     "shard 3 is asked for more than 1,000 records or KB a second: what is over it is turned away",
     "Kinesis: shard 3 over its limit"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_THROTTLING,
     {1001, 1000, 1},
     "broker 3 is asked for more than 1,000 a second: requests wait, those that would wait for "
     "longer than 2 s are late",
     "Kafka: broker 3 over its limit"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_CALM,
     {5500, 0, 0},
     "shard 3 keeps up again; 5,500 were not served since it began",
     "Kinesis: shard 3 keeps up"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_SPLIT_HAND,
     {5, 6, 0},
     "shard 3 closes; shards 5 and 6 take its range",
     "Kinesis: shard 3 is cut"},
    {SYSTEM_COCKROACHDB,
     REASON_SYSTEMS_SPLIT_LOAD,
     {3, 7, 2600},
     "range 3 is cut in two: 3 and 7, for 2,600 requests a second",
     "CockroachDB: range 3 is cut by load"},
    {SYSTEM_HBASE,
     REASON_SYSTEMS_SPLIT_SIZE,
     {3, 4, 256000000},
     "region 3 is cut in two: 3 and 4, for its size of 256 MB",
     "HBase: region 3 is cut by size"},
    {SYSTEM_DYNAMODB,
     REASON_SYSTEMS_NO_SPLIT,
     {NO_SPLIT_ONE_ITEM, 2550, 1},
     "partition 3 is hot, 2,550 requests a second, mostly p9, and stays whole: it is one key's "
     "load",
     "DynamoDB: partition 3 stays whole"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_JOINED,
     {0, 1, 8},
     "shards 0 and 1 become one, shard 8",
     "Kinesis: joined"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_CLOSED,
     {4000, 1200, 0},
     "shard 3 closes, with 4,000 records, 1,200 unread",
     "Kinesis: shard 3 closes"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_EXPIRED,
     {1, 0, 0},
     "shard 3 expires, with 1 record, 0 unread",
     "Kinesis: shard 3 expires"},
    {SYSTEM_MONGODB,
     REASON_SYSTEMS_MOVE_BEGINS,
     {0, 2, 128500000},
     "range 3 moves from shard 0 to 2: 128.5 MB",
     "MongoDB: range 3 moves"},
    {SYSTEM_MONGODB,
     REASON_SYSTEMS_MOVED,
     {0, 2, 2000000},
     "range 3 is on shard 2 now, after 2 s",
     "MongoDB: range 3 has moved"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_LEADER,
     {0, 2, LEADER_DIED},
     "partition 3 is led by broker 2 now, was 0",
     "Kafka: partition 3 has a new leader"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_GROWN,
     {4, 0, 0},
     "broker 4 joins; no partition goes to it by itself",
     "Kafka: broker 4 joins"},
    {SYSTEM_CASSANDRA,
     REASON_SYSTEMS_GROWN,
     {4, 16, 0},
     "node 4 joins; 16 token ranges go to it",
     "Cassandra: node 4 joins"},
    {SYSTEM_HBASE,
     REASON_SYSTEMS_GROWN,
     {4, 0, 0},
     "server 4 joins; nothing goes to it yet; its balancer looks every 300 s",
     "HBase: server 4 joins"},
    {SYSTEM_HBASE,
     REASON_SYSTEMS_DIED,
     {1, 1, 2},
     "server 1 is dead: it served 1 region", /* its files are in HDFS: it kept no copies */
     "HBase: server 1 is dead"},
    {SYSTEM_DYNAMODB,
     REASON_SYSTEMS_NO_MACHINES,
     {0, 0, 0},
     "has no machines that anybody outside could add",
     "DynamoDB: no machines to add"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_DIED,
     {1, 1, 3},
     "broker 1 is dead: it led 1 partition and kept copies of 3",
     "Kafka: broker 1 is dead"},
    {SYSTEM_CASSANDRA,
     REASON_SYSTEMS_BACK,
     {1, 2000, 0},
     "node 1 is back; 2,000 hints are handed over to it",
     "Cassandra: node 1 is back"},
    {SYSTEM_REDIS,
     REASON_SYSTEMS_LOST,
     {12, 1, 0},
     "12 writes that clients were told of went with master 1",
     "Redis Cluster: lost"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_KEPT,
     {9, 1, 2},
     "nothing that a client was told of went with broker 1; 2 writes that nobody was told of "
     "did",
     "Kafka: nothing lost"},
    {SYSTEM_DYNAMODB,
     REASON_SYSTEMS_BOOST,
     {250, 1000, 1},
     "partition 3 may take 1,000 a second for now, was 250: adaptive capacity",
     "DynamoDB: partition 3 may take more"},
    {SYSTEM_DYNAMODB,
     REASON_SYSTEMS_SPENT,
     {250, 0, 0},
     "partition 3 has used up what it had saved: 250 a second from now",
     "DynamoDB: partition 3 has used it up"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_ORDER,
     {0, 1, 7},
     "out of order: a record of p9 is read in shard 3, while 7 older ones are unread in 1",
     "Kinesis: out of order"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_REBALANCE,
     {2, 6, 2000000},
     "the readers share the partitions anew: 2 of 6 pause for 2 s",
     "Kafka: readers share anew"},
    {SYSTEM_KINESIS,
     REASON_SYSTEMS_SETTING,
     {0, 9, 1},
     "pack is 9 now, was 1",
     "Kinesis: set pack"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_SETTING,
     {0, 1, 0},
     "acks is all now, was one",
     "Kafka: set acks"},
    {SYSTEM_KAFKA,
     REASON_SYSTEMS_PARTS,
     {4, 8, 0},
     "has 8 partitions from now on, had 4",
     "Kafka: 8 partitions from now"},
    {SYSTEM_CASSANDRA,
     REASON_SYSTEMS_OVERDUE,
     {NO_SPLIT_FULL, 0, 0},
     "there is no room for more parts in the model",
     "Cassandra: refused"},
};

static void each_record_has_a_line_in_the_words_of_its_system(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on");
    play(w, "request like likes:{p9} via R0"); /* so that a key is known, as number 0 */
    bool met[REASON_SYSTEMS_END - REASON_SYSTEMS_FIRST] = {false};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_line(w, lines[i].id, lines[i].reason, lines[i].operand, lines[i].line,
                    lines[i].label);
        met[lines[i].reason - REASON_SYSTEMS_FIRST] = true;
    }
    for (size_t i = 0; i < sizeof met; i++) {
        assert_true(met[i]);
    }
    world_free(w);
}

static uint32_t sentences_in(const char *text)
{
    uint32_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '.' && (text[1] == ' ' || text[1] == '\0');
    }
    return count;
}

/* Of every system, whatever its words: one to three whole sentences, and no number of a part that
 * is none. */
static void each_record_has_a_reason_of_one_to_three_sentences(void **state)
{
    (void)state;
    struct world *w = system_world("system all on");
    for (int id = 0; id < SYSTEMS; id++) {
        for (int reason = REASON_SYSTEMS_FIRST; reason < REASON_SYSTEMS_END; reason++) {
            struct trace_record r = record_of((enum system_id)id, (enum systems_reason)reason,
                                              (const int64_t[3]){0, 1, 0});
            struct str why = STR_EMPTY;
            if (reason == REASON_SYSTEMS_SETTING && system_setting((enum system_id)id, 0) == NULL) {
                continue;
            }
            trace_why(w, &r, &why);
            if (sentences_in(str_text(&why)) < 1 || sentences_in(str_text(&why)) > 3 ||
                strstr(str_text(&why), "(null)") != NULL || strstr(str_text(&why), "..") != NULL ||
                str_text(&why)[why.length - 1] != '.') {
                fail_msg("%s, reason %d: %s", system_words((enum system_id)id)->title,
                         reason - REASON_SYSTEMS_FIRST, str_text(&why));
            }
            str_free(&why);
        }
    }
    world_free(w);
}

static void assert_why(const struct world *w, enum system_id id, enum systems_reason reason,
                       const int64_t operands[3], const char *part)
{
    struct trace_record r = record_of(id, reason, operands);
    struct str why = STR_EMPTY;
    trace_why(w, &r, &why);
    if (strstr(str_text(&why), part) == NULL) {
        fail_msg("\"%s\" is not in: %s", part, str_text(&why));
    }
    str_free(&why);
}

static void a_part_that_stays_whole_says_which_rule_kept_it(void **state)
{
    (void)state;
    struct world *w = system_world("system all on");
    play(w, "request like likes:{p9} via R0");
    assert_why(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_ONE_ITEM, 2550, 1},
               "Nearly all that is asked of it is for p9. A cut goes between keys");
    assert_why(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_GROWING, 2550, 1}, "the upper half would have them all");
    assert_why(w, SYSTEM_DYNAMODB, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_INDEX, 2550, 1}, "a local secondary index");
    assert_why(w, SYSTEM_KINESIS, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_HAND, 2550, 1},
               "a hot shard stays as it is until somebody acts");
    assert_why(w, SYSTEM_HBASE, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_BYTES, 2550, 1},
               "HBase looks at how much a region holds, not at how often it is asked");
    assert_why(w, SYSTEM_CASSANDRA, REASON_SYSTEMS_NO_SPLIT,
               (const int64_t[3]){NO_SPLIT_FULL, 2550, 1},
               "The model has room for 80 token ranges");
    assert_why(w, SYSTEM_CASSANDRA, REASON_SYSTEMS_DIED, (const int64_t[3]){1, 4, 12},
               "No copy leads here");
    assert_why(w, SYSTEM_KAFKA, REASON_SYSTEMS_DIED, (const int64_t[3]){1, 1, 3},
               "nobody serves until another copy leads");
    assert_why(w, SYSTEM_KAFKA, REASON_SYSTEMS_REBALANCE, (const int64_t[3]){6, 6, 2000000},
               "All of them pause");
    assert_why(w, SYSTEM_KAFKA, REASON_SYSTEMS_REBALANCE, (const int64_t[3]){2, 6, 2000000},
               "Only those that change hands pause");
    world_free(w);
}

static void a_line_of_the_trace_begins_with_the_system(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on");
    uint64_t from = trace_next(w);
    play(w, "system kinesis cut 3");
    struct str prose = play_prose(w, from);
    assert_non_null(strstr(str_text(&prose), "Kinesis  shard 3 closes; shards 4 and 5 take its "
                                             "range\n"));
    assert_non_null(strstr(str_text(&prose), "operator -> Kinesis  cut part 3\n"));
    str_free(&prose);
    world_free(w);
}

/* --- what is told after a command --- */

static void assert_told(struct world *w, const char *words, const char *expected)
{
    struct command c;
    struct err err = {{0}};
    struct str told = STR_EMPTY;
    if (!command_parse(words, &c, &err) || !world_apply(w, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    world_run_until(w, world_now(w) + 4 * US_PER_MS); /* as the screen does */
    assert_true(command_told(w, &c, &told));
    assert_string_equal(str_text(&told), expected);
    str_free(&told);
}

static void after_a_command_people_are_told_what_it_began(void **state)
{
    (void)state;
    struct world *w = system_world("system kinesis on");
    system_run(w, 10);
    assert_told(w, "system kafka on",
                "Kafka: is asked from now on what clients ask here, with 4 partitions on 4 "
                "brokers");
    system_run(w, 10);
    assert_told(w, "system kafka parts 8", "Kafka: has 8 partitions from now on, had 4");
    assert_told(w, "system kinesis set pack 9", "Kinesis: pack is 9 now, was 1");
    assert_told(w, "series t 100", "series: goes to the systems that are on: 2");
    assert_told(w, "series t 0", "series: no more writes");
    assert_told(w, "system kafka down 1",
                "Kafka: broker 1 is dead: it led 2 partitions and kept copies of 4; then: system "
                "kafka up 1");
    world_free(w);
}

static void the_help_tells_both(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct str help = STR_EMPTY;
    assert_true(command_help_of("system", &help, &err));
    assert_non_null(strstr(str_text(&help), "system NAME cut PART [KEY]\n"));
    assert_non_null(strstr(str_text(&help), "KEY: the first key of the upper part"));
    str_clear(&help);
    assert_true(command_help_of("series", &help, &err));
    assert_non_null(strstr(str_text(&help), "1024 if left out"));
    str_free(&help);
}

static void bytes_are_said_in_their_unit(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        const char *text;
    } rows[] = {{0, "0 bytes"},          {1, "1 byte"},
                {999, "999 bytes"},      {1000, "1 KB"},
                {1500, "1.5 KB"},        {999999, "999.9 KB"},
                {128000000, "128 MB"},   {10000000000, "10 GB"},
                {2000000000000, "2 TB"}, {2500000000000000, "2,500 TB"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str out = STR_EMPTY;
        system_say_bytes(rows[i].bytes, &out);
        assert_string_equal(str_text(&out), rows[i].text);
        str_free(&out);
    }
}

static void a_key_is_placed_among_even_parts(void **state)
{
    (void)state;
    uint32_t part = 99;
    assert_true(system_placed(SYSTEM_KINESIS, bytes_of("likes:{p9}"), 8, &part));
    assert_int_equal(part, 6);
    assert_true(system_placed(SYSTEM_KINESIS, bytes_of("p9"), 1, &part));
    assert_int_equal(part, 0);
    assert_true(system_placed(SYSTEM_KAFKA, bytes_of("p9"), 4, &part));
    assert_int_equal(part, 2);
    assert_true(system_placed(SYSTEM_KAFKA, bytes_of("p9"), 8, &part));
    assert_int_equal(part, 2);
    assert_true(system_placed(SYSTEM_REDIS, bytes_of("post:{p9}"), 16384, &part));
    assert_int_equal(part, 12067); /* as the slot of the story */
    assert_false(system_placed(SYSTEM_CASSANDRA, bytes_of("p9"), 4, &part));
    assert_false(system_placed(SYSTEM_MONGODB, bytes_of("p9"), 4, &part));
}

/* What a world says of itself agrees. */
static void a_placed_key_is_where_a_fresh_system_has_it(void **state)
{
    (void)state;
    static const enum system_id even[] = {SYSTEM_DYNAMODB, SYSTEM_KINESIS, SYSTEM_KAFKA,
                                          SYSTEM_REDIS, SYSTEM_VITESS};
    struct world *w = system_world("system all on");
    for (size_t i = 0; i < sizeof even / sizeof *even; i++) {
        uint32_t parts = world_system(w, even[i]).parts;
        for (int post = 1; post <= 16; post++) {
            char key[16];
            uint32_t part = 0;
            (void)snprintf(key, sizeof key, "p%d", post);
            assert_true(system_placed(even[i], bytes_of(key), parts, &part));
            assert_int_equal(system_key(w, even[i], key).part, part);
        }
    }
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_reads_back_as_it_was_said),
        cmocka_unit_test(every_verb_is_read_as_its_own),
        cmocka_unit_test(errors_say_what_is_missing_or_near),
        cmocka_unit_test(a_number_of_a_setting_has_its_bounds),
        cmocka_unit_test(each_record_has_a_line_in_the_words_of_its_system),
        cmocka_unit_test(each_record_has_a_reason_of_one_to_three_sentences),
        cmocka_unit_test(a_part_that_stays_whole_says_which_rule_kept_it),
        cmocka_unit_test(a_line_of_the_trace_begins_with_the_system),
        cmocka_unit_test(after_a_command_people_are_told_what_it_began),
        cmocka_unit_test(the_help_tells_both),
        cmocka_unit_test(bytes_are_said_in_their_unit),
        cmocka_unit_test(a_key_is_placed_among_even_parts),
        cmocka_unit_test(a_placed_key_is_where_a_fresh_system_has_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
