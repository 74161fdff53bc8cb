/*
 * What people are told about commands: the help names all of them and fits a screen; after a
 * command, what comes next.
 */
#include "play.h"

#include "engine/words/command_help.h"
#include "engine/words/command_words.h"

static void assert_fits(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length > HELP_COLUMNS || text[length] != '\n') {
            fail_msg("a line of %zu columns: %.*s", length, (int)length, text);
        }
        text += length + 1;
    }
}

static bool named(const char *name)
{
    const char *at;
    for (size_t i = 0; (at = command_name_at(i)) != NULL; i++) {
        if (strcmp(at, name) == 0) {
            return true;
        }
    }
    return false;
}

static void the_help_has_every_command_with_its_form_and_a_line(void **state)
{
    (void)state;
    struct str help = STR_EMPTY;
    command_help(&help);
    assert_fits(str_text(&help));
    for (int kind = 0; kind < COMMAND_KINDS; kind++) {
        const struct command_form *form = command_form_of((enum command_kind)kind);
        if (!named(form->name)) {
            fail_msg("%s is not in the help", form->name);
        }
        if (strstr(str_text(&help), form->about) == NULL) {
            fail_msg("not in one line: %s", form->about);
        }
    }
    for (int op = 0; op < OP_ASKABLE; op++) {
        assert_true(named(command_form_short((enum op_kind)op)->name));
    }
    static const char *const lines[] = {
        "\nRequests and traffic\n",
        "\nHot reads\n",
        "\nHot writes\n",
        "\nBudgets and accounts\n",
        "\nGuards\n",
        "\nMoves\n",
        "\nFaults\n",
        "  help [COMMAND]\n",
        "  like KEY\n      one like: the count grows by 1\n",
        "  dual SLOT S4 [parallel]\n  dual SLOT S4 backfill RATE [absent]\n  dual SLOT stop\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (strstr(str_text(&help), lines[i]) == NULL) {
            fail_msg("not in the help: %s", lines[i]);
        }
    }
    str_free(&help);
}

static void the_help_of_each_command_fits_too(void **state)
{
    (void)state;
    const char *name;
    for (size_t i = 0; (name = command_name_at(i)) != NULL; i++) {
        struct err err = {{0}};
        struct str help = STR_EMPTY;
        if (!command_help_of(name, &help, &err)) {
            fail_msg("%s", err.text);
        }
        assert_fits(str_text(&help));
        assert_non_null(strstr(str_text(&help), name));
        str_free(&help);
    }
}

static void the_help_of_one_command_tells_its_words(void **state)
{
    (void)state;
    struct err err = {{0}};
    struct str help = STR_EMPTY;
    assert_true(command_help_of("Migrate", &help, &err));
    assert_non_null(strstr(str_text(&help), "migrate SLOT S4 BYTES [RATE] [reverse]\n"));
    assert_non_null(strstr(str_text(&help), "RATE: bytes a second"));
    assert_non_null(strstr(str_text(&help), "may be left out after `budget`\n"));
    str_clear(&help);
    assert_true(command_help_of("limit", &help, &err));
    assert_non_null(strstr(str_text(&help), "RATE: requests a second, over all routers"));
    assert_false(command_help_of("migrat", &help, &err));
    assert_string_equal(err.text, "\"migrat\" is no command; did you mean migrate?");
    str_free(&help);
}

/* Applies it, and compares what is told then; NULL: nothing. */
static void assert_told(struct world *w, const char *words, const char *expected)
{
    struct command c;
    struct err err = {{0}};
    struct str told = STR_EMPTY;
    if (!command_parse(words, &c, &err) || !world_apply(w, &c, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
    assert_int_equal(command_told(w, &c, &told), expected != NULL);
    assert_string_equal(str_text(&told), expected == NULL ? "" : expected);
    str_free(&told);
}

static void pass(struct world *w, int64_t ms)
{
    world_run_until(w, world_now(w) + ms * US_PER_MS);
}

static struct world *moving_world(void)
{
    struct world_config c = play_config();
    c.moves_max = 4;
    c.tail_max = 64;
    c.commit_us = 1000;
    c.apply_us = 1000;
    struct world *w = play_new(&c);
    play(w, "request like likes:{p9} via R4");
    assert_true(world_run_until_answered(w, US_PER_SECOND));
    return w;
}

static void a_move_tells_its_next_step(void **state)
{
    (void)state;
    struct world *w = moving_world();
    assert_told(w, "migrate 12067 S3 200MB 3MB",
                "migrate: the copy takes 66.7 s; then: fence 12067");
    assert_told(w, "abort 12067", "abort: the new copy is dropped; slot 12067 stays on S2");
    assert_told(w, "budget 1MB", NULL);
    assert_told(w, "migrate 12067 S3 1KB", "migrate: the copy takes 1 ms; then: fence 12067");
    pass(w, 100);
    assert_told(w, "fence 12067",
                "fence: the commit follows by itself; then: cleanup 12067, or rollback 12067");
    pass(w, 100);
    assert_told(w, "rollback 12067", "rollback begun; when its copy is done: fence 12067");
    pass(w, 100);
    play(w, "fence 12067");
    pass(w, 100);
    assert_int_equal(world_owner(w, 12067), 2);
    assert_told(w, "cleanup 12067", "cleanup: the old copy is deleted; S2 alone has slot 12067");
    assert_told(w, "migrate 12067 S3 0 reverse",
                "migrate: the copy takes no time; then: fence 12067");
    pass(w, 100);
    play(w, "fence 12067");
    pass(w, 100);
    assert_told(w, "rollback 12067", "rollback begun; it needs no copy; next: fence 12067");
    world_free(w);
}

static void other_commands_tell_what_is_not_plain(void **state)
{
    (void)state;
    struct world *w = moving_world();
    assert_told(w, "rule vote-after-prepare off",
                "rule: vote-after-prepare is off; nothing here follows it yet: it is for "
                "transactions by 2pc");
    assert_told(w, "rule vote-after-prepare on", NULL);
    assert_told(w, "rule fence off", NULL);
    assert_told(w, "rule fence on", NULL);
    assert_told(w, "crash R4", "crash: R4 is down for 1 s");
    assert_told(w, "crash S1 250", "crash: S1 is down for 250 ms");
    assert_told(w, "deaf R5 on", NULL);
    assert_told(
        w, "patience 20",
        "patience: routers wait 20 ms, clients 200 ms. What a client sends again may count twice: "
        "no shard here remembers");
    assert_told(w, "patience 0 0", "patience: routers wait for ever, clients for ever");
    assert_told(w, "dual 7 S3", "dual: writes go to S3 too; next: dual 7 S3 backfill RATE");
    assert_told(w, "dual 7 S3 backfill 1000",
                "backfill begun; when both hold the same: switch 7 reads");
    pass(w, 2000);
    assert_told(w, "switch 7 reads", "the new shard answers reads; then: switch 7 done, or back");
    assert_told(w, "switch 7 back", "the old shard answers reads again; both are still written");
    play(w, "switch 7 reads");
    pass(w, 100);
    assert_told(w, "switch 7 done", NULL);
    pass(w, 100);
    assert_told(w, "shift 6 S1 open", "the slot is open at both shards; keys go with: shift 6 S1");
    assert_told(w, "shift 5 S1", "keys go one by one; when none is left: shift 5 finish");
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_help_has_every_command_with_its_form_and_a_line),
        cmocka_unit_test(the_help_of_each_command_fits_too),
        cmocka_unit_test(the_help_of_one_command_tells_its_words),
        cmocka_unit_test(a_move_tells_its_next_step),
        cmocka_unit_test(other_commands_tell_what_is_not_plain),
    };
    return cmocka_run_group_tests_name("command_help", tests, NULL, NULL);
}
