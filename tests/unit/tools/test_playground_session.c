/*
 * Sessions of the playground: states one after another, two futures, recordings of them, and
 * somebody's own keys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/playground_session.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct digest digest_of(const struct play_session *session)
{
    return world_digest(session_result(session)->world);
}

/* --- sessions --- */

static void change(struct play_session *session, const char *line)
{
    struct err err = {.text = ""};
    struct play_settings s = *session_now(session);
    if (!play_parse_more(line, &s, &err) || !session_change(session, &s, &err)) {
        fail_msg("%s: %s", line, err.text);
    }
}

static struct play_session *open_session(void)
{
    struct play_settings s = play_settings_default();
    struct play_session *session = session_new(&s, NULL, NULL);
    assert_non_null(session);
    return session;
}

static void test_two_futures_from_one_past(void **state)
{
    (void)state;
    struct play_session *session = open_session();
    change(session, "workload celebrity");
    struct digest common = digest_of(session);
    assert_false(session_switch(session));
    assert_false(session_join(session));
    assert_true(session_fork(session));
    assert_false(session_fork(session));
    assert_true(digest_equal(digest_of(session), common));
    change(session, "salt 8");
    assert_true(session_switch(session));
    assert_true(digest_equal(digest_of(session), common)); /* A has not moved */
    change(session, "add");
    struct str told = STR_EMPTY;
    play_tell_differences(&session->future[0].result->settings,
                          &session->future[1].result->settings, &told);
    assert_string_equal(str_text(&told), "salt off or 8\nshards S0 S1 S2 S3 S4 or S0 S1 S2 S3");
    str_free(&told);
    assert_true(session_switch(session));
    assert_true(session_undo(session)); /* B goes back as far as their past */
    assert_true(digest_equal(digest_of(session), common));
    assert_true(session_redo(session));
    assert_true(session_join(session)); /* B stays, and is A */
    assert_int_equal(session_now(session)->salt, 8);
    assert_int_equal(session->futures, 1);
    session_free(session);
}

static void test_a_change_drops_what_was_undone(void **state)
{
    (void)state;
    struct play_session *session = open_session();
    change(session, "scheme ring");
    change(session, "tokens 64");
    assert_true(session_undo(session));
    change(session, "tokens 64"); /* the same is a state of its own: it was dropped */
    assert_false(session_redo(session));
    assert_int_equal(session->future[0].states, 3);
    change(session, "tokens 64"); /* no change is no state */
    assert_int_equal(session->future[0].states, 3);
    struct err err;
    struct play_settings s = *session_now(session);
    s.tokens = 0;
    assert_false(session_change(session, &s, &err)); /* refused: all as it was */
    assert_int_equal(session->future[0].states, 3);
    assert_int_equal(session_now(session)->tokens, 64);
    session_free(session);
}

static void test_recordings_open_again(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct play_session *session = open_session();
    change(session, "workload celebrity, scheme ring");
    change(session, "add");
    session_fork(session);
    change(session, "salt 8");
    struct str text = STR_EMPTY;
    struct str again = STR_EMPTY;
    session_write(session, &text);
    assert_true(session_is_recording(str_text(&text)));
    struct play_session *opened = session_read(str_text(&text), "a.txt", &err);
    assert_string_equal(err.text, "");
    assert_true(digest_equal(digest_of(opened), digest_of(session)));
    session_write(opened, &again);
    assert_string_equal(str_text(&again), str_text(&text));
    assert_true(session_undo(opened));
    assert_true(session_switch(opened));
    assert_int_equal(session_now(opened)->salt, 1);
    session_free(opened);
    session_free(session);
    str_free(&text);
    str_free(&again);
}

static void test_bad_recordings_name_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "r.txt:1"},
        {"scheme ring\n", "r.txt:1"},
        {"hotshard-play 2\nscheme ring\n", "r.txt:1"},
        {"hotshard-play 1\n", "no state of future A"},
        {"hotshard-play 1\nscheme ring\nscheme rong\n", "r.txt:3: no scheme"},
        {"hotshard-play 1\nfuture B\nscheme ring\n", "r.txt:2"},
        {"hotshard-play 1\nscheme ring\nfuture B\n", "no state of future B"},
        {"hotshard-play 1\nworkload log\n", "r.txt:2"},
        {"hotshard-play 1\nlog /nowhere/at/all\nscheme ring\n", "/nowhere/at/all"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct err err = {.text = ""};
        assert_null(session_read(bad[i].text, "r.txt", &err));
        if (!strstr(err.text, bad[i].says)) {
            fail_msg("recording %zu is refused with: %s", i, err.text);
        }
    }
}

/* --- somebody's own keys --- */

struct log_file {
    char path[64];
};

static struct log_file log_of(const char *text, size_t length)
{
    struct log_file file = {.path = "/tmp/playground-XXXXXX"};
    int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    close(fd);
    return file;
}

static void test_a_log_of_few_keys(void **state)
{
    (void)state;
    static const char text[] = "user:{1}:a\nuser:{1}:b\nplain\nplain\nplain\nodd key with blanks\n";
    struct err err = {.text = ""};
    struct log_file file = log_of(text, sizeof text - 1);
    struct play_settings s;
    assert_true(play_parse("workload log, scheme slots, rate 600, salt 4", &s, &err));
    struct play_session *session = session_new(&s, file.path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(session->log->requests, 6);
    assert_int_equal(session->log->distinct, 4);
    const struct play_result *r = session_result(session);
    assert_int_equal(r->rates.cluster.writes, 600);
    assert_int_equal(keyset_load(r->keys->all, r->keys->hot), 300); /* plain: 3 of 6 */
    /* Redis' slots count tags: both keys of user 1 are on one shard. */
    assert_int_equal(trial_owner_after(r->trial, 0), trial_owner_after(r->trial, 1));
    struct str recording = STR_EMPTY;
    session_write(session, &recording);
    struct play_session *again = session_read(str_text(&recording), "r", &err);
    assert_string_equal(err.text, "");
    assert_true(digest_equal(digest_of(session), digest_of(again)));
    session_free(again);
    session_free(session);
    str_free(&recording);
    unlink(file.path);
}

static void test_a_log_of_many_keys_is_cut_down_and_loses_nothing(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct str text = STR_EMPTY;
    for (int i = 0; i < 5000; i++) {
        str_addf(&text, "key-%d\n", i);
        if (i % 50 == 0) {
            str_addf(&text, "key-%d\nkey-%d\n", i, i); /* a hundred are hotter */
        }
    }
    struct log_file file = log_of(str_text(&text), text.length);
    struct play_log *log = play_log_read(file.path, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(log->distinct, 5000);
    assert_int_equal(log->requests, 5200);
    assert_int_equal(keyset_count(log->keys), PLAY_KEYS_MAX);
    uint64_t sum = 0;
    size_t hot = 0;
    for (size_t i = 0; i < keyset_count(log->keys); i++) {
        sum += keyset_load(log->keys, i);
        hot += keyset_load(log->keys, i) == 3;
    }
    assert_int_equal(sum, 5200);
    assert_int_equal(hot, 100);
    play_log_free(log);
    unlink(file.path);
    str_free(&text);
}

static void test_logs_that_are_none(void **state)
{
    (void)state;
    struct err err;
    struct log_file file = log_of("", 0);
    assert_null(play_log_read(file.path, &err));
    assert_non_null(strstr(err.text, file.path));
    unlink(file.path);
    assert_null(play_log_read("/nowhere/log", &err));
    assert_non_null(strstr(err.text, "/nowhere/log"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_futures_from_one_past),
        cmocka_unit_test(test_a_change_drops_what_was_undone),
        cmocka_unit_test(test_recordings_open_again),
        cmocka_unit_test(test_bad_recordings_name_the_line),
        cmocka_unit_test(test_a_log_of_few_keys),
        cmocka_unit_test(test_a_log_of_many_keys_is_cut_down_and_loses_nothing),
        cmocka_unit_test(test_logs_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
