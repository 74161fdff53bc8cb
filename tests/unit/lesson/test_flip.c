/*
 * The drill fence-and-flip, act by act: the best way, each wrong act where it can be chosen with
 * what the checker and the world show of it, ways that are dearer, and the score.
 */
#include "helpers.h"

#define DRILL "lessons/drills/fence-and-flip.lua"

static struct player *p;

/* '?' stands for any character: the source is another shard with each seed. */
static bool begins_with(const char *text, const char *begins)
{
    for (; *begins != '\0'; text++, begins++) {
        if (*text == '\0' || (*text != *begins && *begins != '?')) {
            return false;
        }
    }
    return true;
}

/* Chooses what begins so, and watches to the end. */
static void choose(const char *begins)
{
    struct err err = {""};
    const struct page_question *q = &player_page(p)->question;
    char number[12] = "";
    for (size_t i = 0; i < q->choices; i++) {
        if (begins_with(q->choice[i].text, begins)) {
            snprintf(number, sizeof number, "%d", (int)i + 1);
        }
    }
    if (number[0] == '\0') {
        fail_msg("no choice '%s' in step %s", begins, player_page(p)->step_id);
    }
    if (!player_answer(p, number, &err) || !player_finish_run(p, &err)) {
        fail_msg("%s: %s", begins, err.text);
    }
}

static void go_on(void)
{
    struct err err = {""};
    if (player_forward(p, &err) != PLAYER_MOVED) {
        fail_msg("%s: %s", player_page(p)->step_id, err.text);
    }
}

static void rightly(const char *begins)
{
    choose(begins);
    if (!player_page(p)->question.right) {
        fail_msg("'%s' is not right in step %s", begins, player_page(p)->step_id);
    }
    go_on();
}

static bool tells(const char *text, const char *part)
{
    while (*text != '\0' && !begins_with(text, part)) {
        text++;
    }
    return *text != '\0';
}

/* A wrong act has this many steps of the checker to harm, and so much of it is seen in the world;
 * afterwards all is as before it. */
static void wrongly(const char *begins, const char *last_step, const char *seen)
{
    struct digest before = player_digest(p);
    choose(begins);
    const struct page *page = player_page(p);
    if (page->question.right) {
        fail_msg("'%s' is right in step %s", begins, page->step_id);
    }
    assert_string_not_equal(page->question.belief, "");
    assert_true(tells(page->after, last_step));
    assert_contains(page->after, seen);
    go_on();
    struct digest after = player_digest(p);
    assert_memory_equal(&before, &after, sizeof before);
}

static void open_drill(uint64_t seed)
{
    p = open_good(DRILL, seed);
}

static void score_says(const char *part)
{
    assert_string_equal(player_page(p)->step_id, "score");
    assert_contains(player_page(p)->say, part);
}

static void the_best_way_has_seven_acts(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        open_drill(seed);
        rightly("copy from the leader");
        rightly("let the tail run on");
        rightly("fence S?: writes and reads");
        rightly("let S4 apply on");
        rightly("commit now");
        rightly("tell ");
        rightly("delete ");
        score_says("as safe and as short as can be");
        score_says("lost by acts that were taken back: *0*");
        player_close(p);
    }
}

#define LOST "In this world: writes lost: "
#define UNSEEN "In this world: "

static void each_wrong_act_is_shown_from_where_it_is(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        open_drill(seed);
        wrongly("let S4 serve, copy", "*6* S4 answers r1.", UNSEEN);
        wrongly("stop ", "You stand before it again.", "");
        rightly("copy from the leader");
        wrongly("commit: S4 has a copy", "*7* S4 answers r1.", LOST);
        rightly("fence S?: writes and reads");
        wrongly("commit now", "*5* S4 answers r1.", LOST);
        wrongly("let S? answer reads", "*8* S? answers r1.", UNSEEN);
        rightly("let S4 apply on");
        wrongly("let S4 serve, commit", "*6* S? answers r1.", UNSEEN);
        wrongly("let S? answer reads", "*7* S? answers r1.", UNSEEN);
        rightly("commit now");
        wrongly("let S? take what", "*5* S4 answers r1.", LOST);
        wrongly("abort", "*6* S? answers r1.", LOST);
        rightly("tell ");
        rightly("delete ");
        score_says("9 of your acts would have done harm");
        player_close(p);
    }
}

/* A copy with a wrong stamp has to go; whoever fences it all the same loses what it lacks. */
static void a_copy_from_a_follower_is_found_out(void **state)
{
    (void)state;
    open_drill(2);
    rightly("copy from a follower");
    assert_contains(player_page(p)->say, "*differ*");
    wrongly("fence S?: writes and reads", "S4 answers r1.", LOST);
    rightly("let the tail run on");
    assert_contains(player_page(p)->say, "*differ*");
    rightly("abort");
    rightly("copy from the leader");
    rightly("let the tail run on");
    rightly("fence S?: writes and reads");
    rightly("let S4 apply on");
    rightly("commit now");
    rightly("tell ");
    rightly("delete ");
    score_says("1 of your acts would have done harm");
    player_close(p);
}

static void what_is_dearer_is_counted(void **state)
{
    (void)state;
    open_drill(4);
    rightly("copy from the leader");
    rightly("abort");
    rightly("copy from the leader");
    rightly("compare both sides once more");
    rightly("fence S?: writes and reads"); /* the tail is long still */
    rightly("let S4 apply on");
    rightly("commit now");
    rightly("tell ");
    rightly("delete ");
    score_says("safe, at a price");
    player_close(p);
}

/* All turns used up on mistakes. */
static void who_does_not_come_to_the_end_is_told_so(void **state)
{
    (void)state;
    open_drill(1);
    while (strcmp(player_page(p)->step_id, "score") != 0) {
        choose("stop ");
        go_on();
    }
    score_says("not finished");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_way_has_seven_acts),
        cmocka_unit_test(each_wrong_act_is_shown_from_where_it_is),
        cmocka_unit_test(a_copy_from_a_follower_is_found_out),
        cmocka_unit_test(what_is_dearer_is_counted),
        cmocka_unit_test(who_does_not_come_to_the_end_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
