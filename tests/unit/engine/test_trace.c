/*
 * Labels and reasons: short words on an arrow, and sentences that answer "why".
 */
#include "play.h"

#include "engine/table.h"

/* The last record of this kind and reason. */
static const struct trace_record *last(const struct world *w, enum trace_kind kind,
                                       enum reason reason)
{
    for (uint64_t i = trace_next(w) - 1; i >= trace_first(w); i--) {
        const struct trace_record *r = trace_get(w, i);
        if (r->kind == kind && r->reason == reason) {
            return r;
        }
    }
    fail_msg("no record of kind %d with reason %d", (int)kind, (int)reason);
    return NULL;
}

static void expect_label(const struct world *w, enum trace_kind kind, enum reason reason,
                         const char *expected)
{
    struct str out = STR_EMPTY;
    trace_label(w, last(w, kind, reason), &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

static void expect_why(const struct world *w, enum trace_kind kind, enum reason reason,
                       const char *expected)
{
    struct str out = STR_EMPTY;
    trace_why(w, last(w, kind, reason), &out);
    assert_string_equal(str_text(&out), expected);
    str_free(&out);
}

/* A world in which every reason has come up, bar those of rules that are off. */
static struct world *eventful(void)
{
    struct world *w = play_world();
    play_request(w, "request like likes:{p9} via R3");
    play(w, "deaf R5 on");
    play(w, "move 12067 S3");
    play_request(w, "request like likes:{p9} via R5");
    play(w, "freeze 5 S0 on");
    play_request(w, "request read {k5} via R1");
    return w;
}

static void labels_fit_on_an_arrow(void **state)
{
    (void)state;
    struct world *w = eventful();
    expect_label(w, TRACE_ASK, REASON_OPERATOR, "read k5");
    expect_label(w, TRACE_ANSWER, REASON_ROW_MOVED, "MOVED S3 e8");
    expect_label(w, TRACE_FETCH, REASON_RELOAD_RULE, "map?");
    expect_label(w, TRACE_MAP, REASON_FETCHED, "map v8");
    expect_label(w, TRACE_MAP, REASON_PUSHED, "map v8");
    expect_label(w, TRACE_MAP, REASON_DEAF, "map v8 unheard");
    expect_label(w, TRACE_PLAN, REASON_OPERATOR, "v8: S3 e8");
    expect_label(w, TRACE_TABLE, REASON_OPERATOR, "migrating e7");
    play_request(w, "request like likes:{p9} via R5");
    expect_label(w, TRACE_ROUTE, REASON_MAP_SAYS, "like p9");
    expect_label(w, TRACE_ANSWER, REASON_OWNED, "OK 3");
    expect_label(w, TRACE_REPLY, REASON_NONE, "OK 3");
    play_request(w, "request edit likes:{p9} via R5");
    expect_label(w, TRACE_REPLY, REASON_NONE, "OK");
    play_request(w, "request read user:1234567890123456789 via R5");
    expect_label(w, TRACE_ASK, REASON_OPERATOR, "read user:12345678901");
    world_free(w);
}

static void labels_of_what_goes_wrong(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 1 0");
    play_request(w, "request like likes:{p9} via R5");
    play_request(w, "request like likes:{p9} via R5");
    expect_label(w, TRACE_ANSWER, REASON_NO_TOKEN, "refused");
    expect_label(w, TRACE_REPLY, REASON_NO_TOKEN, "refused");
    play(w, "freeze 12067 S2 on");
    play_request(w, "request like likes:{p9} via R5");
    expect_label(w, TRACE_ANSWER, REASON_MIGRATING, "retry");
    expect_label(w, TRACE_WAIT, REASON_BACK_OFF, "wait 640 ms");
    expect_label(w, TRACE_REPLY, REASON_GAVE_UP, "failed");
    world_free(w);
}

static void the_operators_deeds_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *prose;
        const char *label;
    } deeds[] = {
        {"flow like likes:{p9} 2400",
         "20:00:00.000000  operator  clients now ask: like likes:{p9}, 2,400 a second, evenly "
         "spaced\n",
         "2,400 a second"},
        {"flow like likes:{p9} 0", "20:00:00.000000  operator  clients stop: like likes:{p9}\n",
         "0 a second"},
        {"rule reload-on-moved off",
         "20:00:00.000000  operator  the rule reload-on-moved is now off\n", "rule off"},
        {"deaf R5 on", "20:00:00.000000  operator -> R5  hears no news of the map from now on\n",
         "deaf on"},
        {"deaf R5 off", "20:00:00.000000  operator -> R5  hears news of the map again\n",
         "deaf off"},
        {"shard add", "20:00:00.000000  operator -> S4  joins in zone c, without slots\n", "joins"},
        {"ceiling S2 1000 0 20",
         "20:00:00.000000  operator -> S2  now takes 1,000 writes and any number of reads a "
         "second, "
         "and 20 may wait\n",
         "ceiling"},
    };
    struct world *w = play_world();
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        uint64_t from = trace_next(w);
        play(w, deeds[i].words);
        play_expect(w, from, deeds[i].prose);
        expect_label(w, TRACE_COMMAND, REASON_OPERATOR, deeds[i].label);
        expect_why(w, TRACE_COMMAND, REASON_OPERATOR,
                   "The operator decided it; no rule of the cluster did.");
    }
    world_free(w);
}

static void why_a_shard_answers_as_it_does(void **state)
{
    (void)state;
    struct world *w = eventful();
    play_request(w, "request like likes:{p9} via R5");
    expect_why(
        w, TRACE_ANSWER, REASON_OWNED,
        "S3 looked into its slot table before serving (rule slot-table-check): slot 12067 is "
        "owned, at epoch 8. The request named epoch 8, so the router's map is new enough. "
        "MOVED is for a slot that went away, retry for one on its way; neither is so. S3 has "
        "no ceiling for writes, so it need not refuse.");
    expect_why(
        w, TRACE_ANSWER, REASON_ROW_MOVED,
        "S2 looked into its slot table before serving (rule slot-table-check): slot 12067 "
        "moved to S3 at epoch 8. What it once held may be old by now, so it does not serve. "
        "Retry would be right only while the slot is on its way, and the ceiling is not asked "
        "for what is not served.");
    const struct trace_record *r = last(w, TRACE_ANSWER, REASON_ROW_MOVED);
    assert_int_equal(r->rejected, 1u << OUTCOME_OK | 1u << OUTCOME_RETRY | 1u << OUTCOME_REFUSED);
    play(w, "rule slot-table-check off");
    play(w, "deaf R5 on");
    play(w, "move 12067 S0");
    play_request(w, "request like likes:{p9} via R5");
    expect_why(
        w, TRACE_ANSWER, REASON_NOT_CHECKED,
        "The rule slot-table-check is off: S3 serves whatever reaches it, from its own store. "
        "Had it looked, its slot table would have said that the slot moved away (epoch 9).");
    world_free(w);
}

static void why_a_shard_refuses(void **state)
{
    (void)state;
    struct world *w = play_world();
    play(w, "ceiling S2 20 0 1");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    play(w, "request like likes:{p9} via R5");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    expect_why(
        w, TRACE_ANSWER, REASON_NO_TOKEN,
        "A shard refuses what is beyond its ceiling: S2 takes 20 writes a second, whatever "
        "their keys, and those of this moment are used up. The one place to wait is taken. It "
        "does own the key's slot, so MOVED and retry would be untrue.");
    expect_why(w, TRACE_REPLY, REASON_NO_TOKEN,
               "S2 refused, since it is at its ceiling. The router passes that on: asking again at "
               "once would only add to what S2 is asked.");
    world_free(w);
}

static void why_a_router_does_what_it_does(void **state)
{
    (void)state;
    struct world *w = eventful();
    expect_why(
        w, TRACE_FETCH, REASON_RELOAD_RULE,
        "A router that is told MOVED fetches the map before it goes on (rule "
        "reload-on-moved): slot 12067 is at epoch 8 now, which map version 7 of R5 does not "
        "know. Following MOVED without the map would work once, and need the extra hop again "
        "for each later request.");
    expect_why(
        w, TRACE_MAP, REASON_DEAF,
        "R5 is deaf: news of map version 8 does not reach it. It goes on with version 7 until "
        "a shard tells it that this is old.");
    play(w, "rule reload-on-moved off");
    play(w, "move 12067 S0");
    play_request(w, "request like likes:{p9} via R5");
    expect_why(w, TRACE_ROUTE, REASON_MOVED_SAYS,
               "MOVED named S0 at epoch 9. The rule reload-on-moved is off, so R5 asks there and "
               "keeps its old map, version 8; the next request for this slot will go wrong again.");
    play(w, "freeze 12067 S0 on");
    play_request(w, "request like likes:{p9} via R0");
    expect_why(
        w, TRACE_WAIT, REASON_BACK_OFF,
        "S0 said that slot 12067 is migrating. Nobody serves it for the moment, so asking at "
        "once, or asking another shard, would be for nothing: R0 waits 640 ms (wait 7, each "
        "twice as long as the one before) and looks into its map again.");
    expect_why(w, TRACE_REPLY, REASON_GAVE_UP,
               "A router tries a request at most 8 times. This one had 8 tries and no shard served "
               "it, so the client is told, and can decide.");
    world_free(w);
}

/* Every record of a varied run can be said, labelled and explained, in whole sentences. */
static void everything_can_be_said(void **state)
{
    (void)state;
    struct world *w = eventful();
    play(w, "flow like likes:{p9} 500 poisson");
    play(w, "flow edit post:{p9} 100 scattered");
    play(w, "ceiling S3 100 100 2");
    play(w, "reload R4");
    world_run_until(w, world_now(w) + 300000);
    play(w, "move 12067 S2");
    play(w, "move 12067 S3");
    play_request(w, "request read a%1Bb%FF via R5");
    world_run_until(w, world_now(w) + 300000);
    uint64_t said = 0;
    for (uint64_t i = trace_first(w); i < trace_next(w); i++, said++) {
        const struct trace_record *r = trace_get(w, i);
        struct str prose = STR_EMPTY;
        struct str label = STR_EMPTY;
        struct str why = STR_EMPTY;
        trace_say(w, r, &prose);
        trace_label(w, r, &label);
        trace_why(w, r, &why);
        assert_true(prose.length > 20 && label.length > 0 && label.length < 60);
        assert_int_equal(why.text[why.length - 1], '.');
        for (size_t k = 0; k < prose.length; k++) {
            assert_true((unsigned char)prose.text[k] >= ' ');
        }
        str_free(&prose);
        str_free(&label);
        str_free(&why);
    }
    assert_true(said > 500);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_fit_on_an_arrow),
        cmocka_unit_test(labels_of_what_goes_wrong),
        cmocka_unit_test(the_operators_deeds_are_told),
        cmocka_unit_test(why_a_shard_answers_as_it_does),
        cmocka_unit_test(why_a_shard_refuses),
        cmocka_unit_test(why_a_router_does_what_it_does),
        cmocka_unit_test(everything_can_be_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
