/*
 * What lessons read of hot keys, counts and guards, at moments of the story whose figures are
 * known.
 */
#include "helpers.h"
#include "story/story.h"

/* A lesson over the story with one step for each text, which is filled in after `enter`. */
static struct player *open_steps(const char *folder, const char *const *steps, size_t count)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_add(&text, "return lesson { id = \"31_reads\", part = 3, title = \"T\", minutes = 1,\n"
                   "  world = \"story\", steps = {\n");
    for (size_t i = 0; i < count; i++) {
        str_addf(&text, "{ id = \"s%d\", title = \"t\", %s },\n", (int)i, steps[i]);
    }
    str_add(&text, "} }\n");
    write_file(&path, folder, "31_reads.lua", text.text);
    struct player *p = open_good(path.text, 1);
    str_free(&path);
    str_free(&text);
    return p;
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

static void the_story_is_played_to_its_moments(void **state)
{
    static const char *const steps[] = {
        "say = [[{S2.writes} {S2.reads} {w:asked(\"likes:{p9}\").writes} "
        "{w:asked(\"post:{p9}\").reads} {w:asked(\"post:{p9}\").writes}]]",
        "enter = function(w) w:event(4) end, say = [[{w:clock()} {S2.writes} {S2.reads} "
        "{w:asked(\"likes:{p9}\").writes} {w:asked(\"post:{p9}\").reads} {w:amplification()} "
        "{S2.write_ceiling} {S2.read_ceiling} {S2.zone} {R0.zone}]]",
        "enter = function(w) w:event(7) w:play_for(2) end, say = [[{S2.writes} {S2.reads} "
        "{w:asked(\"post:{p9}\").reads} {w:reads_of(\"post:{p9}\").mode} "
        "{w:limit(\"likes:{p9}\")} {w:limit(\"post:{p9}\")}]]",
        "enter = function(w) w:event(\"8\") w:play_for(2) end, say = [[{S2.writes} {S0.writes} "
        "{S1.writes} {w:count(\"likes:{p9}\").mode} {w:count(\"likes:{p9}\").salts} "
        "{w:asked(\"likes:{p9}\").writes} {w:asked(\"likes:{p9#3}\").writes}]]",
        "enter = function(w) w:event(9) w:play_for(5) end, say = [[{S2.writes} {S2.reads} "
        "{w:asked(\"likes:{p9}\").writes} {w:asked(\"likes:{p9}:r4\").writes} "
        "{w:count(\"likes:{p9}\").mode}]]",
    };
    struct player *p = open_steps(*state, steps, 5);
    assert_says(p, "200 400 50 100 0");
    next_says(p, "20:02:00.000 2,550 9,300 2,400 9,000 1 1,000 3,000 c a");
    next_says(p, "2,550 306 6 cached 600 0");
    next_says(p, "750 800 800 salted 8 2,400 300");
    next_says(p, "162 306 12 2 summed");
    player_close(p);
}

/* Key by key the same is counted as shard by shard, also in the moment in which all changes. */
static void what_is_asked_adds_up(void **state)
{
    static const char *const steps[] = {
        "with = { all = function(w) local reads, writes = 0, 0\n"
        "  for i = 1, 16 do writes = writes + w:asked(\"likes:{p\" .. i .. \"}\").writes\n"
        "    reads = reads + w:asked(\"post:{p\" .. i .. \"}\").reads end\n"
        "  return (writes == w.cluster.writes and reads == w.cluster.reads) and \"yes\" or writes "
        ".. \" \" .. reads end },\n"
        "enter = function(w) w:event(6) end, say = \"{all(w)}\"",
        "with = { all = function(w) local writes = 0\n"
        "  for i = 1, 16 do writes = writes + w:asked(\"likes:{p\" .. i .. \"}\").writes end\n"
        "  local g = w:fork() g:command(\"reads post:{p1} copies 3\") g:play_for(1)\n"
        "  local n = g:asked(\"post:{p1}\").reads\n"
        "  for i = 1, 3 do n = n + g:asked(\"post:{p1~\" .. i .. \"}\").reads end\n"
        "  return (writes == w.cluster.writes) and n or writes end },\n"
        "enter = function(w) w:event(8) end, say = \"{all(w)}\"",
    };
    struct player *p = open_steps(*state, steps, 2);
    assert_says(p, "yes");
    next_says(p, "100");
    player_close(p);
}

static void caches_and_counts_are_seen(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:event(9) w:play_for(10.2) end, with = { c = function(w) return "
        "w:count(\"likes:{p9}\") end },\n"
        "say = [[{c(w).told - c(w).buffered - c(w).on_way - c(w).unheard >= 0 and 1 or 0} "
        "{c(w).durable - c(w).shown == c(w).buffered + c(w).on_way + c(w).unheard and 1 or 0} "
        "{c(w).lost} "
        "{c(w).fix} {c(w).rebuilding and 1 or 0} {w:buffered(\"likes:{p9}\") == c(w).buffered and "
        "1 "
        "or 0} {w:buffered(\"likes:{p9}\", \"R4\") > 0 and 1 or 0} {#w:subkeys(\"likes:{p9}\")} "
        "{w:subkeys(\"likes:{p9}\")[2].key} {w:subkeys(\"likes:{p9}\")[2].shard} "
        "{w:subkeys(\"likes:{p9}\")[2].slot}]]",
        "say = [[{w:reads_of(\"post:{p9}\", \"R0\").hits > 0 and 1 or 0} "
        "{w:reads_of(\"post:{p9}\").hits == (function() local n = 0 for i = 0, 5 do n = n + "
        "w:reads_of(\"post:{p9}\", \"R\" .. i).hits end return n end)() and 1 or 0} "
        "{w:reads_of(\"post:{p1}\").mode} {w:reads_of(\"post:{p1}\").held_ms} "
        "{w:reads_of(\"nobody\").hits} {w:count(\"likes:{p1}\").mode} "
        "{w:count(\"likes:{p1}\").shown == w:value(\"likes:{p1}\") and 1 or 0} "
        "{w:count(\"nobody\").shown} {#w:subkeys(\"likes:{p1}\")}]]",
        "enter = function(w) w:command(\"reads post:{p1} edge 500\") w:play_for(2) end,\n"
        "say = [[{w:reads_of(\"post:{p1}\").mode} {w:reads_of(\"post:{p1}\", \"a\").fetches} "
        "{w:reads_of(\"post:{p1}\").fetches} {w:asked(\"post:{p1}\").reads}]]",
    };
    struct player *p = open_steps(*state, steps, 3);
    assert_says(p, "1 1 0 0 0 1 1 15 likes:{p9#0} S3 15,527");
    next_says(p, "1 1 plain -1 0 plain 1 0 0");
    next_says(p, "edge 4 12 6");
    player_close(p);
}

static void guards_are_seen(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:event(5) w:play_for(0.1) end,\n"
        "say = [[{w:hot(1)[1].key} {w:hot(1)[1].shard} {#w:hot(3)} {w:report()[1].key} "
        "{w:report()[1].kind} {w:report()[1].share >= 90 and 1 or 0} {w:report().from} "
        "{w:report().to} {R0.sampled > 0 and 1 or 0}]]",
        "enter = function(w) w:event(6) w:play_for(5) end,\n"
        "say = [[{w:limit(\"likes:{p9}\")} {w:tenant(\"nova\").rate} {w:turned().limit_key > 0 and "
        "1 or 0} {w:turned(\"R0\").all == R0.turned and 1 or 0} {S2.writes_ok + S2.reads_ok} "
        "{S2.writes_refused} "
        "{S2.turned > 7000 and 1 or 0} {w:pressure(\"S2\") < 1 and 1 or 0} {w:clients().repeats}]]",
        "enter = function(w) w:command(\"limit key likes:{p9} none\") "
        "w:command(\"clients at-once times 3\") w:command(\"breaker on\") w:play_for(3) end,\n"
        "say = [[{w:amplification() > 1 and 1 or 0} {w:clients().repeats > 0 and 1 or 0} "
        "{w:clients().given_up > 0 and 1 or 0} {w:breaker(\"R0\", \"S1\")} "
        "{w:in_flight(\"S2\") >= 0 and 1 or 0} {w:limit(\"likes:{p9}\")}]]",
        "enter = function(w) w:command(\"shed 50\") w:play_for(1) end,\n"
        "say = [[{R0.most_in_hand > 0 and R0.most_in_hand <= 50 and 1 or 0} {R0.in_hand <= 50 and "
        "1 or 0}]]",
    };
    struct player *p = open_steps(*state, steps, 4);
    assert_says(p, "post:{p9} S2 3 post:{p9} both 1 20:02:00.000 20:02:05.000 1");
    next_says(p, "600 2,500 1 1 2,950 0 1 1 0");
    next_says(p, "1 1 1 closed 1 0");
    next_says(p, "1 1");
    player_close(p);
}

static void accounts_are_seen(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:command(\"account cash 4 0\") for i = 1, 8 do w:command(\"request "
        "credit "
        "cash 5 via R\" .. i % 6) end w:play_for(1) w:command(\"lease budget 100 10\") end,\n"
        "say = [[{w:account(\"cash\").kind} {w:account(\"cash\").striped} "
        "{w:account(\"cash\").main} {w:account(\"cash\").total} {w:account(\"budget\").kind} "
        "{w:account(\"budget\").rate} {w:account(\"nobody\").kind}]]",
    };
    struct player *p = open_steps(*state, steps, 1);
    assert_says(p, "balance 40 0 40 budget 100 none");
    player_close(p);
}

/* Ceil of the rank among those answered OK, in time order; every one of them once. */
static void latency_is_what_clients_saw(void **state)
{
    static const char *const steps[] = {
        "enter = function(w) w:play_for(1) end,\n"
        "say = [[{w:latency(\"read\", 0)} {w:latency(\"read\", 100)} "
        "{select(2, w:latency(\"like\", 50, \"likes:{p9}\")) > 0 and 1 or 0} "
        "{w:latency(\"read\", 10) <= w:latency(\"read\", 90) and 1 or 0}]]",
        "enter = function(w) w:command(\"request edit post:{p2} via R1\") w:play_answered() end,\n"
        "say = [[{w:latency(\"edit\", 99, \"post:{p2}\") == last.ms and 1 or 0} "
        "{select(2, w:latency(\"edit\", 50))}]]",
        /* The slow one was asked thousands of records ago. */
        "enter = function(w) w:command(\"ceiling S2 1000 3000 1500\")\n"
        "  w:flow(\"read\", \"post:{p9}\", 9000) w:play_for(1.5)\n"
        "  w:flow(\"read\", \"post:{p9}\", 0) w:play_for(0.45) end,\n"
        "say = [[{w:latency(\"read\", 100, \"post:{p9}\") > 450 and 1 or 0}]]",
        /* A salted like is answered by its sub-key, a read by a copy. */
        "enter = function(w) w:command(\"ceiling S2 1000 3000\") w:play_for(1)\n"
        "  w:command(\"writes likes:{p9} salted 8\") w:command(\"reads post:{p9} copies 4\")\n"
        "  w:command(\"request like likes:{p9} via R1\") w:play_answered()\n"
        "  w:command(\"request read post:{p9} via R1\") w:play_answered() end,\n"
        "say = [[{w:latency(\"like\", 100, \"likes:{p9}\") >= 6 and 1 or 0} "
        "{select(2, w:latency(\"read\", 100, \"post:{p9}\"))}]]",
        /* An edge fetches by itself: nobody's request. */
        "enter = function(w) w:command(\"reads post:{p9} edge\")\n"
        "  w:command(\"request read post:{p9} via R1\") w:play_answered() end,\n"
        "say = [[{select(2, w:latency(\"read\", 100, \"post:{p9}\"))}]]",
    };
    struct player *p = open_steps(*state, steps, 5);
    assert_says(p, "6 6.5 1 1");
    next_says(p, "1 1");
    next_says(p, "1");
    next_says(p, "1 1");
    next_says(p, "1");
    player_close(p);
}

static void assert_fault(const char *folder, const char *say, const char *part)
{
    struct err err = {""};
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"31_reads\", part = 3, title = \"T\", minutes = 1,\n"
             "  world = \"story\", steps = { { id = \"a\", title = \"t\",\n%s } } }\n",
             say);
    write_file(&path, folder, "31_reads.lua", text.text);
    struct player *p = player_open(path.text, 1, &err);
    assert_null(p);
    assert_contains(err.text, "31_reads.lua:3:");
    assert_contains(err.text, part);
    str_free(&path);
    str_free(&text);
}

static void wrong_names_are_told(void **state)
{
    assert_fault(*state, "say = \"{w:reads_off('a')}\"", "did you mean reads_of?");
    assert_fault(*state, "say = \"{w:reads_of('nobody', 'R9').hits}\"", "'R9' is no router here");
    assert_fault(*state, "say = \"{w:tenant('x').rate}\"", "there is no tenant 'x'");
    assert_fault(*state, "say = \"{w:latency('reed', 5)}\"", "did you mean read?");
    assert_fault(*state, "say = \"{w:latency('read', 101)}\"", "0 to 100 percent");
    assert_fault(*state, "say = \"{w:latency('edit', 50)}\"", "remembers no edit");
    assert_fault(*state, "say = \"{w:hot(0)}\"", "1 to 1024 keys");
    assert_fault(*state, "say = \"{S2.writes_okay}\"", "did you mean writes_ok?");
    assert_fault(*state, "say = \"{R2.in_hands}\"", "did you mean in_hand?");
    assert_fault(*state, "say = \"{w:event(4)}\"", "w:event is for enter and run");
    assert_fault(*state, "say = \"x\", enter = function(w) w:event(99) end", "is no event");
    assert_fault(*state, "say = \"x\", enter = function(w) w:event('7a') end", "tried on a copy");
    assert_fault(*state, "say = \"x\", enter = function(w) w:event(4) w:event(3) end",
                 "event 3 was at 20:01:00, and it is 20:02:00.000 here");
}

/* What is read on a fork belongs to the fork, and the lesson's world does not move. */
static void forks_have_events_of_their_own(void **state)
{
    static const char *const steps[] = {
        "say = [[{(function() local f = w:fork() f:event(4) return f.S2.reads end)()} {S2.reads} "
        "{(function() local f = w:fork() f:event(4) f:command(\"reads post:{p9} coalesced "
        "by-key\") "
        "f:play_for(1) return f:asked(\"post:{p9}\").reads < 300 and 1 or 0 end)()} {w:clock()}]]"};
    struct player *p = open_steps(*state, steps, 1);
    assert_says(p, "9,300 400 1 20:00:00.000");
    player_close(p);
}

/* The journal of a lesson that plays events replays to the same digest. */
static void events_are_journaled(void **state)
{
    static const char *const steps[] = {"enter = function(w) w:event(4) end, say = \"x\"",
                                        "enter = function(w) w:event(6) end, say = \"y\""};
    struct err err = {""};
    struct player *p = open_steps(*state, steps, 2);
    assert_int_equal(player_forward(p, &err), PLAYER_MOVED);
    player_journal_mark(p);
    struct world *w = story_world_by_name("story", 1, &err);
    if (!journal_replay(player_journal(p), w, &err)) {
        fail_msg("%s", err.text);
    }
    assert_true(digest_equal(world_digest(w), player_digest(p)));
    world_free(w);
    assert_true(player_back(p));
    assert_says(p, "x");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_story_is_played_to_its_moments, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(what_is_asked_adds_up, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(caches_and_counts_are_seen, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(guards_are_seen, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(accounts_are_seen, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(latency_is_what_clients_saw, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(wrong_names_are_told, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(forks_have_events_of_their_own, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(events_are_journaled, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
