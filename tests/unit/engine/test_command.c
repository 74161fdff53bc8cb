/*
 * Commands as text: every kind there and back, and what the errors say.
 */
#include "play.h"

/* One of each kind at least. */
static const char *const forms[] = {
    "request read post:{p9} via R0",
    "request like likes:{p9} via R3 from c",
    "request edit a%20b%25%00%FF via R65534 from d",
    "flow like likes:{p9} 2400",
    "flow read post:{p9} 9000 scattered",
    "flow edit x 0 poisson",
    "rule slot-table-check off",
    "rule reload-on-moved on",
    "deaf R5 on",
    "deaf R5 off",
    "reload R5",
    "move 12067 S4",
    "move 0-65535 S4",
    "freeze 1-2 S2 on",
    "freeze 7 S2 off",
    "shard add",
    "shard add b",
    "ceiling S2 1000 3000",
    "ceiling S2 0 3000 50",
    "flow read user:* 800 over 1000",
    "reads post:{p9} cached",
    "replicas S2 3",
    "writes likes:{p9} salted 8",
    "rebuild likes:{p9}",
    "index likes:{p9} idx:{nova}",
    "account acct:{a} 4 0",
    "sweep acct:{a}",
    "lease api:{t} 1000 100",
    "limit key likes:{p9} 600",
    "tenant nova likes:{p9}",
    "clients none",
    "breaker off",
    "shed 8",
    "share nova 25",
    "sample 100 5000",
    "migrate 12067 S4 200000000 3000000",
    "fence 12067",
    "cleanup 12067",
    "abort 12067",
    "rollback 12067",
    "budget 3000000",
    "disk S2 200000000",
    "applies S4 400",
    "dual 12067 S4",
    "switch 12067 reads",
    "shift 12067 S4 50",
    "shift 12067 S4 open",
    "query trending top 10 of likes:* bytes 20000",
    "query all sum of likes:*",
    "query all hedge 10",
    "query all ask 3",
    "query all ask all",
    "gather trending via R3",
    "gather trending 1000 steady",
    "popular trending zone a every 1000",
    "times all 3 7 slow 1 50 200",
    "times S2 off",
    "row acct:{alice} 100",
    "txn 2pc via R2 take acct:{alice} 30 give acct:{bob} 30",
    "txn saga via R2 claim users@ana give n 1 free users@bob",
    "coordinator dies voted 3000",
    "coordinator lives",
    "catalog riders async 500",
    "catalog riders local",
    "put riders 7 rome via R0",
    "find riders rome via R0",
    "capacity 2500",
    "gossip 100 from R0",
    "gossip off",
    "zone a down 3000",
    "zone a up",
    "system kinesis on",
    "series t 100",
    "node add a 3",
    "split N1 / N2 N3",
    "heal",
    "group P1 N1 N3 N5 bytes 1000 acks one patience 500",
    "group P1 N1 N3 N5 empty off",
    "append P1 7 via N3",
    "append P1 rate 10",
    "look P1 via N3 weak",
    "stand P1 N3 again",
    "recopy on 100000000",
    "recopy P1 N2",
    "store cart 3 2 2",
    "store cart 5 3 3 sloppy",
    "store cart hints off",
    "store cart repair before",
    "store cart versions last",
    "set cart p9 7 via N1",
    "get cart p9 via N16",
    "beats 1000 timeout 1500",
    "beats 0.5 phi 8",
    "beats off",
    "network calm",
    "crash R4 100",
    "hold 3 50",
    "patience 20",
    "directory off",
};

static void every_form_reads_back_as_it_was_said(void **state)
{
    (void)state;
    bool kinds[COMMAND_KINDS] = {false};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct command c;
        struct err err = {{0}};
        struct str out = STR_EMPTY;
        if (!command_parse(forms[i], &c, &err)) {
            fail_msg("%s: %s", forms[i], err.text);
        }
        kinds[c.kind] = true;
        command_say(&c, &out);
        assert_string_equal(str_text(&out), forms[i]);
        str_free(&out);
    }
    for (int kind = 0; kind < COMMAND_KINDS; kind++) {
        assert_true(kinds[kind]);
    }
}

static void any_bytes_can_be_a_key(void **state)
{
    (void)state;
    char key[KEY_BYTES_MAX];
    for (int from = 0; from < 256; from += KEY_BYTES_MAX) {
        for (int i = 0; i < KEY_BYTES_MAX; i++) {
            key[i] = (char)(unsigned char)(from + i);
        }
        struct bytes bytes = {.at = key, .length = sizeof key};
        struct command said = command_request(OP_READ, bytes, 1);
        struct command read;
        struct str out = STR_EMPTY;
        command_say(&said, &out);
        assert_true(command_parse(str_text(&out), &read, NULL));
        assert_int_equal(read.key_length, KEY_BYTES_MAX);
        assert_memory_equal(read.key, key, sizeof key);
        str_free(&out);
    }
}

static void blanks_around_words_do_not_matter(void **state)
{
    (void)state;
    struct command c;
    assert_true(command_parse("  move\t12067   S4 ", &c, NULL));
    assert_int_equal(c.kind, COMMAND_MOVE);
    assert_int_equal(c.first, 12067);
    assert_int_equal(c.last, 12067);
    assert_int_equal(c.shard, 4);
}

static void errors_name_the_word_and_what_is_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *sentence;
    } wrong[] = {
        {"", "the command is missing; write: a command and its words"},
        {"mvoe 1 S1", "\"mvoe\" is no command; did you mean move?"},
        {"request lik x via R1", "\"lik\" is no operation; use read, like or edit"},
        {"request like", "the key is missing; write: request read|like|edit KEY via R3 [from a]"},
        {"request like x R1",
         "\"via\" is missing; write: request read|like|edit KEY via R3 [from a]"},
        {"request like x via S1", "\"S1\" is no router; write R and its number, as in R3"},
        {"request like x via R1 from e", "\"e\" is no zone; zones are a to d"},
        {"request like x%2 via R1", "key \"x%2\": % needs two hexadecimal digits, as in %20"},
        {"flow like x fast",
         "the rate: \"fast\" is not a whole number; give one from 0 to 4294967295"},
        {"flow like x 5 bursty", "\"bursty\" is one word too many; write: flow read|like|edit KEY "
                                 "RATE [steady|scattered|poisson] [over N]"},
        {"rule slot-check off",
         "\"slot-check\" is no rule, nor near to one; slot-table-check is one"},
        {"rule slot-table-chekc off",
         "\"slot-table-chekc\" is no rule; did you mean slot-table-check?"},
        {"rule slot-table-check maybe", "\"maybe\" is neither on nor off"},
        {"deaf R5", "\"on\" or \"off\" is missing; write: deaf R5 on|off"},
        {"move 5-x S1", "\"5-x\" is no slot or run of slots; write 12067 or 0-4095"},
        {"move 70000 S1", "\"70000\" is no slot or run of slots; write 12067 or 0-4095"},
        {"move", "the slot is missing; write: move FIRST-LAST S4"},
        {"fence S2", "\"S2\" is no slot; write its number, as in 12067"},
        {"migrate 12067 S4 5XB",
         "the size in bytes: \"5XB\" is no number of bytes; write 200000000, "
         "or 200MB (KB, MB, GB)"},
        {"budget 5GB", "the budget: 5GB is too much; give at most 4294967295 bytes"},
        {"like x", "\"like\" alone is no command here; write: request like KEY via R3"},
        {"reat x", "\"reat\" is no command; did you mean read?"},
        {"move 5 4", "\"4\" is no shard; write S and its number, as in S2"},
        {"shard remove", "\"add\" is missing; write: shard add [a]"},
        {"ceiling S1 5", "the ceiling of reads is missing; write: ceiling S2 WRITES READS [QUEUE]"},
        {"a b c d e f g h i j k l m n o p q", "no command has more than 16 words"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct command c;
        struct err err = {{0}};
        assert_false(command_parse(wrong[i].text, &c, &err));
        assert_string_equal(err.text, wrong[i].sentence);
    }
}

static void assert_said(bool typed, const char *text, const char *expected)
{
    struct command c;
    struct err err = {{0}};
    struct str out = STR_EMPTY;
    if (!(typed ? command_parse_typed(text, 3, &c, &err) : command_parse(text, &c, &err))) {
        fail_msg("%s: %s", text, err.text);
    }
    command_say(&c, &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void the_first_word_may_be_in_capitals(void **state)
{
    (void)state;
    assert_said(false, "MOVE 12067 S4", "move 12067 S4");
    assert_said(false, "Request like Likes:{P9} via R1", "request like Likes:{P9} via R1");
    assert_said(true, "Like x", "request like x via R3");
}

static void bytes_may_have_a_unit(void **state)
{
    (void)state;
    assert_said(false, "migrate 12067 S4 200MB 3MB", "migrate 12067 S4 200000000 3000000");
    assert_said(false, "migrate 12067 S4 1GB reverse", "migrate 12067 S4 1000000000 reverse");
    assert_said(false, "budget 64KB", "budget 64000");
    assert_said(false, "budget 0", "budget 0");
    assert_said(false, "shift size x 3MB", "shift size x 3000000");
}

static void what_people_type_may_be_short(void **state)
{
    (void)state;
    assert_said(true, "read post:{p9}", "request read post:{p9} via R3");
    assert_said(true, "like likes:{p9} via R5 from b", "request like likes:{p9} via R5 from b");
    assert_said(true, "edit x from a", "request edit x via R3 from a");
    assert_said(true, "credit acct:{a} 7", "request credit acct:{a} 7 via R3");
    assert_said(true, "take api:{t}", "request take api:{t} via R3");
    assert_said(true, "deaf R5 on", "deaf R5 on");

    struct command c;
    struct err err = {{0}};
    assert_false(command_parse_typed("like", 3, &c, &err));
    assert_string_equal(err.text, "the key is missing; write: like KEY");
    assert_false(command_parse_typed("like x y", 3, &c, &err));
    assert_string_equal(err.text, "\"y\" is one word too many; write: like KEY");
    assert_false(command_parse_typed("hlep", 3, &c, &err));
    assert_string_equal(err.text, "\"hlep\" is no command; did you mean help?");
    assert_false(command_parse_typed("abracadabra", 3, &c, &err));
    assert_non_null(
        strstr(err.text, "commands are read, like, edit, credit, debit, take, request"));
    assert_non_null(strstr(err.text, "; help tells what they do"));
}

static void a_key_that_is_too_long_is_an_error(void **state)
{
    (void)state;
    struct command c;
    struct err err = {{0}};
    struct str text = STR_EMPTY;
    str_add(&text, "request read ");
    str_pad(&text, 'k', KEY_BYTES_MAX + 1);
    str_add(&text, " via R1");
    assert_false(command_parse(str_text(&text), &c, &err));
    assert_string_equal(err.text, "key \"kkkkkkkkkkkkkkkkkkkk...\" has 65 bytes; a key has at most "
                                  "64");
    str_clear(&text);
    str_add(&text, "request read ");
    str_pad(&text, 'k', 1000);
    assert_false(command_parse(str_text(&text), &c, &err));
    assert_string_equal(err.text, "the word \"kkkkkkkkkkkkkkkkkkkk...\" is too long; a word has at "
                                  "most 192 bytes");
    str_free(&text);

    struct world *w = play_world();
    char long_key[300];
    memset(long_key, 'x', sizeof long_key);
    c = command_flow(OP_LIKE, (struct bytes){.at = long_key, .length = sizeof long_key}, 5,
                     ARRIVALS_STEADY);
    assert_false(world_apply(w, &c, &err));
    assert_string_equal(err.text, "a key has 1 to 64 bytes");
    c = command_request(OP_LIKE, (struct bytes){.at = long_key, .length = 0}, 0);
    assert_false(world_apply(w, &c, &err));
    assert_string_equal(err.text, "a key has 1 to 64 bytes");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_reads_back_as_it_was_said),
        cmocka_unit_test(any_bytes_can_be_a_key),
        cmocka_unit_test(blanks_around_words_do_not_matter),
        cmocka_unit_test(errors_name_the_word_and_what_is_allowed),
        cmocka_unit_test(the_first_word_may_be_in_capitals),
        cmocka_unit_test(bytes_may_have_a_unit),
        cmocka_unit_test(what_people_type_may_be_short),
        cmocka_unit_test(a_key_that_is_too_long_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
