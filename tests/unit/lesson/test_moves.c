/*
 * What lessons read of moves and of the checker: at moments of a move whose figures are known, and
 * for ways that the checker is known to find.
 */
#include "helpers.h"

/* A lesson over the quiet story with one step for each text. */
static struct player *open_steps(const char *folder, const char *const *steps, size_t count,
                                 struct err *err)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_add(&text, "return lesson { id = \"81_moves\", part = 8, title = \"T\", minutes = 1,\n"
                   "  world = \"story-quiet\", steps = {\n");
    for (size_t i = 0; i < count; i++) {
        str_addf(&text, "{ id = \"s%d\", title = \"t\", %s },\n", (int)i, steps[i]);
    }
    str_add(&text, "} }\n");
    write_file(&path, folder, "81_moves.lua", text.text);
    struct player *p = player_open(path.text, 1, err);
    str_free(&path);
    str_free(&text);
    return p;
}

static struct player *open_all(const char *folder, const char *const *steps, size_t count)
{
    struct err err = {""};
    struct player *p = open_steps(folder, steps, count, &err);
    if (p == NULL) {
        fail_msg("%s", err.text);
    }
    return p;
}

/* The file of one such step is refused with these words. */
static void assert_refused(const char *folder, const char *step, const char *part)
{
    struct err err = {""};
    struct player *p = open_steps(folder, &step, 1, &err);
    if (p != NULL) {
        player_close(p);
    }
    assert_contains(err.text, part);
}

static void assert_says(struct player *p, const char *said)
{
    assert_string_equal(player_page(p)->say, said);
}

static void next_says(struct player *p, const char *said)
{
    struct err err = {""};
    if (player_forward(p, &err) != PLAYER_MOVED) {
        fail_msg("%s", err.text);
    }
    assert_says(p, said);
}

static void finish_says_after(struct player *p, const char *said)
{
    struct err err = {""};
    if (!player_finish_run(p, &err)) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(player_page(p)->after, said);
}

#define M "{w:move_of(12067)."
#define BEGIN                                                                                      \
    "enter = function(w) w:add_shard() w:flow(\"like\", \"likes:{p9}\", 200) "                     \
    "w:command(\"migrate 12067 S4 20MB 10MB\") w:play_for(1) end, "

static void a_move_is_read_phase_by_phase(void **state)
{
    static const char *const steps[] = {
        "say = [[" M "phase} " M "source} " M "accepts} " M "pause_ms} " M
        "copied} {w:move_of(\"likes:{p9}\").begun_at}|]]",
        BEGIN "say = [[" M "phase} " M "source} " M "target} " M "bytes} " M "copied} " M
              "speed} " M "accepts} " M "lost} " M "entries} " M "begun_at} " M "copied_at}|]]",
        "run = function(w) w:play_until_phase(12067, \"tailing\") end, say = \"-\", "
        "after = [[" M "phase} " M "copied} " M "copy_ms} " M "caught_up} {w:clock()} "
        "{tostring("
        "w:move_of(12067).compared and w:move_of(12067).alike)}]]",
        "run = function(w) w:play_for(0.5) w:command(\"fence 12067\") w:play_for(0.008) end, "
        "say = \"-\", after = [[" M "phase} " M "accepts} " M "pause_ms} " M "lost} " M
        "fenced_at} {w:table(\"S2\", 12067)} {w:table(\"S4\", 12067)}]]",
        "run = function(w) w:play_until_phase(12067, \"committed\") end, say = \"-\", after = [[" M
        "phase} " M "accepts} " M "pause_ms} " M "lost} {w:table(\"S2\", 12067)}]]",
        "run = function(w) w:play_until_phase(12067, \"moved\") w:command(\"cleanup 12067\") end, "
        "say = \"-\", after = [[" M "phase} " M "accepts} {w:table(\"S2\", 12067)} "
        "{w:owner(12067)} {w:table(\"S0\", 12067)}]]",
    };
    struct player *p = open_all(*state, steps, 6);
    assert_says(p, "none none S2 0 0 |");
    next_says(p, "copying S2 S4 20,000,000 10,000,000 10,000,000 S2 0 200 20:00:00.000 |");
    next_says(p, "-");
    finish_says_after(p, "tailing 20,000,000 2,000 400 20:00:02.000 true");
    next_says(p, "-");
    finish_says_after(p, "fenced nobody 8 0 20:00:02.500 migrating receiving");
    next_says(p, "-");
    finish_says_after(p, "committed S4 13 0 migrating");
    next_says(p, "-");
    finish_says_after(p, "deleted S4 moved S4 absent");
    player_close(p);
}

static void without_a_fence_writes_are_lost(void **state)
{
    static const char *const steps[] = {
        BEGIN "say = \"-\"",
        "run = function(w) w:play_until_phase(12067, \"tailing\") w:set_rule(\"fence\", false) "
        "w:command(\"fence 12067\") w:play_until_phase(12067, \"moved\") end, say = \"-\", "
        "after = [[" M "accepts} " M "pause_ms} {"
        "w:move_of(12067).lost > 0 and 1 or 0} {w:broken():match(\"^[a-z-]+\")}]]",
    };
    struct player *p = open_all(*state, steps, 2);
    next_says(p, "-");
    finish_says_after(p, "S4 0 1 nothing-lost");
    player_close(p);
}

/* Event by event and at once the same is reached; a phase that cannot come is told. */
static void phases_are_waited_for(void **state)
{
    static const char *const steps[] = {
        BEGIN "with = { at = function(w) local f = w:fork() f:play_until_phase(12067, \"tailing\") "
              "return f:clock() end, "
              "never = function(w) local f = w:fork() f:command(\"abort 12067\") "
              "local good, why = pcall(f.play_until_phase, f, 12067, \"fenced\") "
              "return good and \"?\" or why:gsub(\"^.-: \", \"\") end, "
              "late = function(w) local f = w:fork() "
              "local good, why = pcall(f.play_until_phase, f, 12067, \"tailing\", 0.5) "
              "return good and \"?\" or why:gsub(\"^.-: \", \"\") end, "
              "other = function(w) local good, why = pcall(w.play_until_phase, w:fork(), 12067, "
              "\"fence\") return good and \"?\" or why:gsub(\"^.-: \", \"\") end }, "
              "say = [[{at(w)}, {never(w)}, {late(w)}, {other(w)}]]",
        "run = function(w) w:play_until_phase(12067, \"tailing\") end, say = \"-\", "
        "after = [[{w:clock()}]]",
    };
    struct err err = {""};
    struct player *p = open_all(*state, steps, 2);
    assert_says(p,
                "20:00:02.000, w:play_until_phase: slot 12067 cannot come to the phase 'fenced', "
                "w:play_until_phase: slot 12067 is not by then in the phase 'tailing', "
                "there is no phase fence; did you mean fenced?");
    next_says(p, "-");
    for (int i = 0; player_page(p)->running && i < 1000000; i++) {
        assert_true(player_event(p, &err));
    }
    assert_string_equal(player_page(p)->after, "20:00:02.000");
    player_close(p);
}

/* A target that follows slowly is caught up later than its copy is there. */
static void a_long_tail_is_waited_for(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:add_shard() w:command(\"applies S4 500\") "
        "w:flow(\"like\", \"likes:{p9}\", 200) w:command(\"migrate 12067 S4 20MB 10MB\") "
        "w:play_until_phase(12067, \"tailing\") end, "
        "say = [[{w:clock()} {w:move_of(12067).tail} {w:move_of(12067).behind_ms > 1900 and 1}]]",
        "run = function(w) w:play_until_phase(12067, \"caught-up\") end, say = \"-\", "
        "after = [[{w:clock()} {w:move_of(12067).behind_ms < 24 and 1} " M "tail}]]",
    };
    struct player *p = open_all(*state, steps, 2);
    assert_says(p, "20:00:02.000 400 1");
    next_says(p, "-");
    finish_says_after(p, "20:00:03.314 1 5");
    player_close(p);
}

static void shifts_and_versions_are_read(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:add_shard() w:send(\"edit\", \"post:{p9}\", \"R0\") "
        "w:send(\"edit\", \"likes:{p9}\", \"R0\") w:play_answered() "
        "w:command(\"dual 12067 S4\") w:send(\"edit\", \"post:{p9}\", \"R0\") w:play_answered() "
        "end, say = [[{w:shift_of(12067).kind} {w:shift_of(12067).phase} {w:shift_of(12067).here} "
        "{w:shift_of(12067).there} {w:shift_of(12067).doubled} {w:versions(\"post:{p9}\").S2} "
        "{w:versions(\"post:{p9}\").S4} {w:versions(\"likes:{p9}\").S4} "
        "{w:versions(\"nobody\").S4}]]",
        "run = function(w) w:command(\"dual 12067 S4 backfill 100\") "
        "w:play_until_phase(12067, \"filled\") w:command(\"switch 12067 reads\") end, say = \"-\", "
        "after = [[{w:shift_of(12067).phase} {w:shift_of(12067).differ} "
        "{w:versions(\"likes:{p9}\").S4}]]",
        "run = function(w) w:command(\"switch 12067 done\") w:play_until_phase(12067, \"none\") "
        "end, say = \"-\", after = [[{w:shift_of(12067).kind} {w:owner(12067)}]]",
        "run = function(w) w:command(\"shift 12067 S0 100\") w:play_until_phase(12067, \"empty\") "
        "end, say = \"-\", after = [[{w:shift_of(12067).kind} {w:shift_of(12067).phase} "
        "{w:shift_of(12067).here} {w:shift_of(12067).there} {w:table(\"S4\", 12067)} "
        "{w:table(\"S0\", 12067)}]]",
    };
    struct player *p = open_all(*state, steps, 4);
    assert_says(p, "dual double 2 1 1 2 2 0 0");
    next_says(p, "-");
    finish_says_after(p, "switched 0 1");
    next_says(p, "-");
    finish_says_after(p, "none S4");
    next_says(p, "-");
    finish_says_after(p, "ask open 0 2 leaving arriving");
    player_close(p);
}

/* --- the checker --- */

static void a_protocol_is_searched(void **state)
{
    static const char *const steps[] = {
        "with = { r = check.search(\"fence-and-flip\", { without = { \"fence\" } }) }, "
        "say = [[{r.depth} {#r.steps} {#r.before} {r.refused} {r.broken} "
        "{r.holds and 1 or 0} {r.redundant and 1 or 0} {r.states > 0 and 1}]]",
        "with = { r = check.search(\"fence-and-flip\") }, "
        "say = [[{r.holds and 1 or 0} {r.redundant and 1 or 0} {#r.steps} {r.broken}|"
        "{r.refused == nil and 1}]]",
        "with = { r = check.search(\"fence-and-flip\", { without = { \"snapshot-position\" } }) }, "
        "say = [[{r.holds and 1 or 0} {r.redundant and 1 or 0}]]",
        "with = { r = check.rules(\"fence-and-flip\") }, say = [[{#r} {r[1].name}: "
        "{r[1].demands}]]",
        "with = { r = check.search(\"coalesce\", { size = \"large\" }) }, say = [[{r.holds and "
        "1}]]",
    };
    struct player *p = open_all(*state, steps, 5);
    assert_says(p, "8 8 0 4 a read lacks a write that was acknowledged before the read was issued "
                   "0 0 1");
    next_says(p, "1 0 0 |1");
    next_says(p, "1 1");
    next_says(p, "10 fence: The source stops serving the slot before the directory commits.");
    next_says(p, "1");
    player_close(p);
}

/* The steps of a shortest way, given one after the other, are followed by the rest of it. */
static void a_search_goes_on_from_steps_in_words(void **state)
{
    static const char *const steps[] = {
        "with = { f = function() local less = { without = { \"drain-to-fence\" } } "
        "local r = check.search(\"fence-and-flip\", less) local given, out = {}, {} "
        "for i = 1, r.depth do out[#out + 1] = check.after(\"fence-and-flip\", less, given).depth "
        "given[i] = r.steps[i].actor .. \" \" .. r.steps[i].action end "
        "return table.concat(out, \" \") end }, say = [[{f()}]]",
        "with = { r = check.after(\"fence-and-flip\", { without = { \"drain-to-fence\" } }, { "
        "\"the mover copies the slot to B\", \"a client asks R0 to write: w1\", "
        "\"shard A accepts w1\", \"shard A appends the fence to its log\", "
        "\"the directory commits: the slot is B's\" }) }, "
        "say = [[{r.depth} {#r.before} {r.before[3].action} {r.refused} {r.steps[r.depth].actor} "
        "{r.steps[r.depth].action}]]",
        "with = { r = function(words) return "
        "check.steps(\"fence-and-flip\", {}, { \"a client asks R0 to write: w1\", "
        "\"shard A accepts w1\", \"the mover copies the slot to B\" .. words }) end, "
        "has = function(list) for _, s in ipairs(list) do if s.action:find(\"applies\") then "
        "return 1 end end return 0 end }, "
        "say = [[{has(r(\"\"))} {has(r(\" | From a follower\"))} {has(r(\" | all of the log\"))}]]",
    };
    struct player *p = open_all(*state, steps, 3);
    assert_says(p, "9 8 7 6 5 4 3 2 1");
    next_says(p, "4 5 accepts w1 0 shard B answers r1");
    next_says(p, "1 1 0");
    player_close(p);
}

static void what_cannot_be_searched_is_told(void **state)
{
    assert_refused(*state, "with = { r = check.search(\"fence-and-flop\") }, say = \"x\"",
                   "did you mean fence-and-flip?");
    assert_refused(
        *state, "with = { r = check.search(\"ask\", { without = { \"asking\" } }) }, say = \"x\"",
        "there is no rule asking; did you mean asking-needed?");
    assert_refused(*state, "with = { r = check.search(\"ask\", { sizes = 1 }) }, say = \"x\"",
                   "did you mean size?");
    assert_refused(*state, "with = { r = check.after(\"ask\", {}, { \"B sleeps\" }) }, say = \"x\"",
                   "step 1, 'B sleeps', cannot come then; there are: ");
    assert_refused(*state,
                   "with = { r = function() check.search = 1 end }, "
                   "enter = function() check.search = 1 end, say = \"x\"",
                   "'check' is read-only");
}

/* More states than a call may look at: no result, for it would be none; the next call begins anew.
 */
static void a_call_looks_at_so_many_states(void **state)
{
    static const char *const steps[] = {
        "say = [[{check.search(\"coalesce\").holds and 1}]]",
        ("with = { f = function() for _, name in ipairs { \"fence-and-flip\", \"micro-cache\" } do "
         "check.search(name, { size = \"large\" }) end return 1 end }, say = [[{f()}]]"),
        "say = [[{check.search(\"micro-cache\").holds and 1}]]",
    };
    struct err err = {""};
    struct player *p = open_all(*state, steps, 3);
    assert_says(p, "1");
    assert_int_equal(player_forward(p, &err), PLAYER_FAULT);
    assert_contains(err.text, "was cut; all searches of one call may find 400000 states");
    next_says(p, "1");
    player_close(p);
}

static void a_step_names_its_protocol(void **state)
{
    static const char *const steps[] = {
        "protocol = { name = \"fence-and-flip\", without = { \"fence\", \"drain-to-fence\" } }, "
        "say = \"x\"",
        "say = \"y\"",
    };
    struct player *p = open_all(*state, steps, 2);
    const struct page_protocol *protocol = &player_page(p)->protocol;
    assert_string_equal(protocol->name, "fence-and-flip");
    assert_int_equal(protocol->rules_off, 2);
    assert_string_equal(protocol->without[0], "fence");
    assert_string_equal(protocol->without[1], "drain-to-fence");
    next_says(p, "y");
    assert_null(player_page(p)->protocol.name);
    player_close(p);
    assert_refused(*state, "protocol = { name = \"fence\" }, say = \"x\"",
                   "step 's0': 'protocol': there is no protocol 'fence'");
    assert_refused(*state, "protocol = { name = \"ask\", without = { \"fence\" } }, say = \"x\"",
                   "there is no rule of ask 'fence'");
    assert_refused(*state, "protocol = { without = {} }, say = \"x\"", "'name' is missing");
    assert_refused(*state, "protocol = { name = \"ask\", rules = {} }, say = \"x\"",
                   "there is no field 'rules'");
    assert_refused(*state,
                   "protocol = { name = \"fence-and-flip\", without = { \"fence\", "
                   "\"durable-fence\", \"check-and-append\", \"drain-to-fence\", "
                   "\"snapshot-position\" } }, say = \"x\"",
                   "at most 4 rules");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_move_is_read_phase_by_phase, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(without_a_fence_writes_are_lost, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(phases_are_waited_for, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_long_tail_is_waited_for, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(shifts_and_versions_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_protocol_is_searched, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_search_goes_on_from_steps_in_words, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_searched_is_told, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_call_looks_at_so_many_states, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(a_step_names_its_protocol, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
