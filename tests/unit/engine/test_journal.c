/*
 * Journals: a run written down, played again, and caught where it differs.
 */
#include "play.h"

#include "engine/journal.h"

static void act(struct journal *j, struct world *w, const char *words)
{
    struct command c;
    assert_true(command_parse(words, &c, NULL));
    journal_command(j, w, &c);
    play(w, words);
}

/* A run with commands between events of one instant, and after quiet times. */
static void record(struct journal *j, struct world *w)
{
    journal_start(j, "test", 1);
    act(j, w, "flow like likes:{p9} 900 poisson");
    act(j, w, "deaf R5 on");
    world_run_until(w, EIGHT_PM + 100000);
    act(j, w, "move 12067 S0");
    for (int i = 0; i < 37; i++) {
        assert_true(world_step(w));
    }
    act(j, w, "request edit a%20key via R5 from a");
    journal_digest(j, w);
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    act(j, w, "flow like likes:{p9} 0");
    world_run_until(w, EIGHT_PM + 3 * US_PER_SECOND);
    journal_digest(j, w);
    act(j, w, "rule slot-table-check off");
    journal_digest(j, w);
}

static void a_replay_ends_in_the_same_world(void **state)
{
    (void)state;
    struct journal j;
    struct err err = {{0}};
    struct world *w = play_world();
    record(&j, w);
    assert_int_equal(j.entries, 9);
    assert_true(str_starts(str_text(&j.text), "hotshard-journal 1 world=test seed=1\n"
                                              "0 72000000000 flow like likes:{p9} 900 poisson\n"
                                              "0 72000000000 deaf R5 on\n"));
    struct journal_header header;
    assert_true(journal_header(str_text(&j.text), &header, &err));
    assert_string_equal(header.world_name, "test");
    assert_int_equal(header.seed, 1);

    struct world *again = play_world();
    if (!journal_replay(str_text(&j.text), again, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(digest_equal(world_digest(w), world_digest(again)));
    world_free(again);
    world_free(w);
    journal_free(&j);
}

static void replay_fails(const char *text, uint64_t seed, const char *sentence)
{
    struct err err = {{0}};
    struct world_config c = play_config();
    c.seed = seed;
    struct world *w = play_new(&c);
    assert_false(journal_replay(text, w, &err));
    if (!str_starts(err.text, sentence)) {
        fail_msg("expected: %s, got: %s", sentence, err.text);
    }
    world_free(w);
}

static void a_difference_is_named_by_its_line(void **state)
{
    (void)state;
    struct journal j;
    struct world *w = play_world();
    record(&j, w);
    char *rate = strstr(j.text.text, " 900 ");
    rate[1] = '8'; /* another run from the first command on */
    replay_fails(j.text.text, 1, "line 4 of the journal: differs: ");
    rate[1] = '9';
    char *digest = strstr(j.text.text, "digest ") + 7;
    digest[0] = digest[0] == '0' ? '1' : '0';
    replay_fails(j.text.text, 1, "line 6 of the journal: differs: the journal's digest is ");
    world_free(w);
    journal_free(&j);
}

static void what_is_no_journal_is_refused(void **state)
{
    (void)state;
    replay_fails("", 1, "this is no journal; its first line should be: ");
    replay_fails("hello\n", 1, "this is no journal; its first line should be: ");
    replay_fails("hotshard-journal 2 world=x seed=1\n", 1,
                 "the journal has version \"2 world=x \"; this program reads version 1");
    replay_fails("hotshard-journal 1 world= seed=1\n", 1, "line 1 of the journal should be: ");
    replay_fails("hotshard-journal 1 world=abcdefghijabcdefghijabcdefghij12 seed=1\n", 1,
                 "line 1 of the journal should be: ");
    replay_fails("hotshard-journal 1 world=x seed=-1\n", 1, "line 1 of the journal: seed: ");
    replay_fails("hotshard-journal 1 world=x seed=1", 1, "line 1 of the journal is cut off");
    replay_fails("hotshard-journal 1 world=x seed=1\n", 2,
                 "the journal wants a fresh world of seed 1");
    replay_fails("hotshard-journal 1 world=x seed=1\n0 72000000000 shard add\n0 720000", 1,
                 "line 3 of the journal is cut off");
    replay_fails("hotshard-journal 1 world=x seed=1\nfoo\n", 1,
                 "line 2 of the journal: should be: EVENTS TIME command or digest");
    replay_fails("hotshard-journal 1 world=x seed=1\n0 72000000000 move 5 S9\n", 1,
                 "line 2 of the journal: no shard S9: this world has S0 to S3");
    replay_fails("hotshard-journal 1 world=x seed=1\n0 72000000000 fly\n", 1,
                 "line 2 of the journal: \"fly\" is no command");
    replay_fails(
        "hotshard-journal 1 world=x seed=1\n5 72000000000 shard add\n", 1,
        "line 2 of the journal: differs: expected after 5 events at 20:00:00.000, is after "
        "0 at 20:00:00.000");
}

/* A key is part of the world: another key is another world, even in the same slot. */
static void a_flipped_byte_of_a_key_is_seen(void **state)
{
    (void)state;
    static const char *const lines[] = {"request read a{b} via R0 from a",
                                        "request like user:77 via R1 from b",
                                        "flow like {tag}x 100 steady", "flow edit 9 50 poisson"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct journal j;
        struct world *w = play_world();
        journal_start(&j, "test", 1);
        act(&j, w, lines[i]);
        journal_digest(&j, w);
        char *key = strchr(j.text.text, '\n') + 1; /* EVENTS TIME flow like KEY */
        for (int words = 0; words < 4; words++) {
            key += strcspn(key, " ") + 1;
        }
        for (size_t at = 0; key[at] != ' '; at++) {
            key[at] ^= 1;
            struct world *again = play_world();
            struct err err = {{0}};
            assert_false(journal_replay(j.text.text, again, &err));
            if (!str_starts(err.text, "line 3 of the journal: differs: the journal's digest is ")) {
                fail_msg("%s", err.text);
            }
            key[at] ^= 1;
            world_free(again);
        }
        world_free(w);
        journal_free(&j);
    }
}

/* Numbers that no run reaches end at once, with the line. */
static void an_entry_beyond_all_reach_is_refused(void **state)
{
    (void)state;
    static const char flow[] = "hotshard-journal 1 world=x seed=1\n"
                               "0 72000000000 flow like a 1000000 steady\n";
    static const struct {
        const char *entry, *sentence;
    } bad[] = {
        {"18446744073709551615 72000000000 shard add\n",
         "line 3 of the journal: is 18446744073709551615 events after the entry before; at most "},
        {"50000001 72001000000 shard add\n",
         "line 3 of the journal: is 50000001 events after the entry before; at most 50000000"},
        {"40000000 72000000100 shard add\n",
         "line 3 of the journal: differs: expected after 40000000 events"},
        {"0 9223372036854775807 shard add\n",
         "line 3 of the journal: is 2562047768 hours after the entry before; at most 48"},
        {"0 71999999999 shard add\n", "line 3 of the journal: goes back: "},
        {"2 72000000001 shard add\n1 72000000001 shard add\n",
         "line 4 of the journal: goes back: "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct str text = STR_EMPTY;
        str_addf(&text, "%s%s", flow, bad[i].entry);
        replay_fails(str_text(&text), 1, bad[i].sentence);
        str_free(&text);
    }
}

static void a_cut_journal_can_go_on(void **state)
{
    (void)state;
    struct journal j;
    struct world *w = play_world();
    journal_start(&j, "test", 1);
    act(&j, w, "shard add");
    struct world *kept = world_copy(w);
    size_t length = j.text.length;
    size_t entries = j.entries;
    act(&j, w, "move 5 S4");
    journal_digest(&j, w);
    journal_truncate(&j, length);
    journal_truncate(&j, length + 100); /* nothing to forget */
    assert_int_equal(j.entries, entries);
    world_copy_into(w, kept);
    act(&j, w, "move 6 S4");
    journal_digest(&j, w);
    struct world *again = play_world();
    assert_true(journal_replay(str_text(&j.text), again, NULL));
    assert_int_equal(world_owner(again, 6), 4);
    assert_int_equal(world_owner(again, 5), 0);
    world_free(again);
    world_free(kept);
    world_free(w);
    journal_free(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replay_ends_in_the_same_world),
        cmocka_unit_test(a_difference_is_named_by_its_line),
        cmocka_unit_test(what_is_no_journal_is_refused),
        cmocka_unit_test(a_flipped_byte_of_a_key_is_seen),
        cmocka_unit_test(an_entry_beyond_all_reach_is_refused),
        cmocka_unit_test(a_cut_journal_can_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
