/*
 * The progress log: lines, the fold, and what must never lose a line.
 */
#include "study/progress.h"

#include "base/file.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NOON INT64_C(1796040000) /* 2026-11-30T12:00:00Z */

struct place {
    char folder[40];
    char path[60];
};

static int set_up(void **state)
{
    struct place *at = calloc(1, sizeof *at);
    *state = at;
    if (at == NULL) {
        return -1;
    }
    strcpy(at->folder, "/tmp/hotshard-test-XXXXXX");
    bool made = mkdtemp(at->folder) != NULL;
    snprintf(at->path, sizeof at->path, "%s/state/progress", at->folder);
    return made ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[160];
    snprintf(command, sizeof command, "chmod -R u+w %s; rm -r %s", ((struct place *)*state)->folder,
             ((struct place *)*state)->folder);
    int status = system(command);
    free(*state);
    return status;
}

static struct progress *load(const struct place *at)
{
    struct err err = {""};
    struct progress *p = progress_load(at->path, &err);
    if (p == NULL) {
        print_error("%s\n", err.text);
    }
    assert_non_null(p);
    return p;
}

static void add(struct progress *p, struct progress_event e)
{
    struct err err = {""};
    if (!progress_add(p, &e, NOON, &err)) {
        print_error("%s\n", err.text);
        fail();
    }
}

static void write_text(const struct place *at, const char *text, size_t length)
{
    struct err err = {""};
    assert_true(file_make_folders_for(at->path, &err));
    assert_true(file_replace(at->path, text, length, &err));
}

static struct str read_text(const struct place *at)
{
    struct str text = STR_EMPTY;
    struct err err = {""};
    assert_true(file_read(at->path, 1 << 20, &text, &err));
    return text;
}

static void a_line_has_its_form(void **state)
{
    (void)state;
    struct str line = STR_EMPTY;
    struct err err = {""};
    struct progress_event e = {"answer", "01_what", "calm", "p1-one", "wrong", "12 067%\n"};
    assert_true(progress_line(&e, NOON, &line, &err));
    static const char first[] = "1 2026-11-30T12:00:00Z answer 01_what calm p1-one wrong "
                                "12%20067%25%0A ";
    assert_int_equal(line.length, strlen(first) + 8);
    assert_memory_equal(line.text, first, strlen(first));
    assert_true(progress_line_good(line.text, line.length));
    e = (struct progress_event){"step", "01_what", "calm", NULL, "", NULL};
    assert_true(progress_line(&e, NOON, &line, &err));
    static const char second[] = "1 2026-11-30T12:00:00Z step 01_what calm - - - ";
    assert_memory_equal(line.text, second, strlen(second));
    e.step = "Not An Id";
    assert_false(progress_line(&e, NOON, &line, &err));
    str_free(&line);
}

static void a_long_detail_is_kept_in_whole_characters(void **state)
{
    char detail[PROGRESS_DETAIL_MAX + 9], start[PROGRESS_DETAIL_MAX + 1];
    struct progress_step s;
    struct progress *p = load(*state);
    for (size_t i = 0; i < PROGRESS_DETAIL_MAX; i += 2) {
        memcpy(detail + i, "\xC3\xA9", 3); /* each byte escaped */
    }
    add(p, (struct progress_event){"answer", "a", "b", "c", "self", detail});
    progress_free(p);
    p = load(*state);
    assert_int_equal(progress_skipped_lines(p), 0);
    assert_true(progress_step_of(p, "a", "b", &s));
    assert_string_equal(s.answer, detail);
    memset(detail, 'x', PROGRESS_DETAIL_MAX - 1);
    memcpy(start, detail, PROGRESS_DETAIL_MAX - 1);
    start[PROGRESS_DETAIL_MAX - 1] = '\0';
    snprintf(detail + PROGRESS_DETAIL_MAX - 1, 10, "\xE2\x82\xACy"); /* across the limit */
    add(p, (struct progress_event){"answer", "a", "b", "c", "self", detail});
    progress_free(p);
    p = load(*state);
    assert_true(progress_step_of(p, "a", "b", &s));
    assert_string_equal(s.answer, start);
    progress_free(p);
}

static void any_flipped_bit_is_noticed(void **state)
{
    (void)state;
    struct str line = STR_EMPTY;
    struct err err = {""};
    struct progress_event e = {"answer", "01_what", "calm", "p1-one", "right", "2"};
    assert_true(progress_line(&e, NOON, &line, &err));
    for (size_t i = 0; i < line.length * 8; i++) {
        line.text[i / 8] ^= (char)(1 << i % 8);
        assert_false(progress_line_good(line.text, line.length));
        line.text[i / 8] ^= (char)(1 << i % 8);
    }
    for (size_t length = 0; length < line.length; length++) {
        assert_false(progress_line_good(line.text, length));
    }
    str_free(&line);
}

static void a_new_learner_has_done_nothing(void **state)
{
    struct progress *p = load(*state);
    uint32_t answered = 9, right = 9;
    assert_null(progress_last_place(p));
    assert_null(progress_last_step(p, "01_what"));
    assert_false(progress_done(p, "01_what"));
    progress_item(p, "p1-one", &answered, &right);
    assert_int_equal(answered + right, 0);
    assert_int_equal(progress_skipped_lines(p), 0);
    assert_false(file_exists(((struct place *)*state)->path));
    progress_free(p);
    write_text(*state, "", 0);
    progress_free(load(*state));
}

static void assert_state(const struct progress *p)
{
    uint32_t answered = 0, right = 0;
    assert_string_equal(progress_last_place(p), "02_key");
    assert_string_equal(progress_last_step(p, "01_what"), "end");
    assert_string_equal(progress_last_step(p, "02_key"), "start");
    assert_true(progress_done(p, "01_what"));
    assert_false(progress_done(p, "02_key"));
    progress_item(p, "p1-one", &answered, &right);
    assert_int_equal(answered, 2);
    assert_int_equal(right, 1);
    progress_item(p, "drill-moved", &answered, &right);
    assert_int_equal(answered, 1);
    assert_int_equal(right, 1);
    progress_item(p, "p1-skipped", &answered, &right);
    assert_int_equal(answered, 0);
}

static void the_state_is_a_fold_over_the_lines(void **state)
{
    struct progress *p = load(*state);
    add(p, (struct progress_event){"step", "01_what", "calm", NULL, NULL, NULL});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-one", "wrong", "1"});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-one", "right", "2"});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-skipped", "skipped", NULL});
    add(p, (struct progress_event){"goal", "01_what", "act", NULL, "met", NULL});
    add(p, (struct progress_event){"step", "01_what", "end", NULL, NULL, NULL});
    add(p, (struct progress_event){"done", "01_what", NULL, NULL, NULL, NULL});
    add(p, (struct progress_event){"drill", "modn", "one", "drill-moved", "right", "81"});
    add(p, (struct progress_event){"step", "02_key", "start", NULL, NULL, NULL});
    assert_state(p);
    progress_free(p);
    p = load(*state);
    assert_state(p);
    assert_int_equal(progress_skipped_lines(p), 0);
    progress_free(p);
}

static void assert_acts(const struct progress *p, const char *step, const char *wanted)
{
    struct progress_step s;
    struct str all = STR_EMPTY;
    assert_true(progress_step_of(p, "01_what", step, &s));
    for (size_t i = 0; i < s.acts; i++) {
        str_addf(&all, "%s|", s.act[i]);
    }
    assert_string_equal(str_text(&all), wanted);
    str_free(&all);
}

static void assert_steps(const struct progress *p)
{
    struct progress_step calm, act, s;
    assert_false(progress_step_of(p, "01_what", "nowhere", &s));
    assert_false(progress_step_of(p, "02_other", "calm", &s));
    assert_true(progress_step_of(p, "01_what", "calm", &calm));
    assert_true(progress_step_of(p, "01_what", "act", &act));
    assert_true(act.entered > calm.entered && calm.entered > 0);
    assert_string_equal(calm.item, "p1-one");
    assert_string_equal(calm.answer, "12 067%-"); /* the last, unescaped */
    assert_false(calm.skipped);
    assert_int_equal(calm.acts_before, 1);
    assert_acts(p, "calm", "deaf R5 on|like a b|");
    assert_true(act.skipped);
    assert_null(act.answer);
    assert_acts(p, "act", "move 12067 S3|undo|redo||skip|");
    assert_acts(p, "open", "met|");
    assert_true(progress_step_of(p, "01_what", "open", &s));
    assert_int_equal(s.entered, 0);
    assert_string_equal(s.item, "");
    assert_null(s.answer);
}

static void what_was_done_in_a_step_is_known(void **state)
{
    char line[PROGRESS_DETAIL_MAX + 60];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    struct progress *p = load(*state);
    add(p, (struct progress_event){"step", "01_what", "calm", NULL, NULL, NULL});
    add(p, (struct progress_event){"act", "01_what", "calm", NULL, NULL, "deaf R5 on"});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-old", "wrong", "1"});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-one", "wrong", "12 067%-"});
    add(p, (struct progress_event){"step", "01_what", "calm", NULL, NULL, NULL}); /* opened anew */
    add(p, (struct progress_event){"act", "01_what", "calm", NULL, NULL, "like a b"});
    add(p, (struct progress_event){"step", "01_what", "act", NULL, NULL, NULL});
    add(p, (struct progress_event){"answer", "01_what", "act", "p1-two", "right", "2"});
    add(p, (struct progress_event){"answer", "01_what", "act", "p1-two", "skipped", NULL});
    add(p, (struct progress_event){"act", "01_what", "act", NULL, NULL, "move 12067 S3"});
    add(p, (struct progress_event){"act", "01_what", "act", NULL, NULL, "undo"});
    add(p, (struct progress_event){"act", "01_what", "act", NULL, NULL, "redo"});
    add(p, (struct progress_event){"act", "01_what", "act", NULL, NULL, line}); /* too long */
    add(p, (struct progress_event){"goal", "01_what", "act", NULL, "skipped", NULL});
    add(p, (struct progress_event){"goal", "01_what", "open", NULL, "met", NULL});
    assert_steps(p);
    progress_free(p);
    p = load(*state);
    assert_steps(p);
    assert_int_equal(progress_skipped_lines(p), 0);
    progress_free(p);
}

/* Who comes back to a step finds it as it was entered: its answer stays, its acts are gone. */
static void acts_end_where_a_step_is_entered_again(void **state)
{
    struct progress_step s;
    struct progress *p = load(*state);
    add(p, (struct progress_event){"step", "01_what", "calm", NULL, NULL, NULL});
    add(p, (struct progress_event){"act", "01_what", "calm", NULL, NULL, "reload R5"});
    add(p, (struct progress_event){"answer", "01_what", "calm", "p1-one", "right", "2"});
    add(p, (struct progress_event){"step", "01_what", "act", NULL, NULL, NULL});
    add(p, (struct progress_event){"step", "02_other", "calm", NULL, NULL, NULL});
    assert_acts(p, "calm", "reload R5|");
    add(p, (struct progress_event){"step", "01_what", "calm", NULL, NULL, NULL});
    assert_acts(p, "calm", "");
    assert_true(progress_step_of(p, "01_what", "calm", &s));
    assert_string_equal(s.answer, "2");
    assert_int_equal(s.acts_before, 0);
    progress_free(p);
}

static void an_act_is_kept_whole_or_not_at_all(void **state)
{
    (void)state;
    char act[PROGRESS_DETAIL_MAX + 3];
    struct str line = STR_EMPTY;
    struct err err = {""};
    memset(act, 'x', sizeof act);
    act[PROGRESS_DETAIL_MAX + 1] = '\0';
    struct progress_event e = {"act", "a", "b", NULL, NULL, act};
    assert_true(progress_line(&e, NOON, &line, &err));
    assert_non_null(strstr(line.text, " a b - - - "));
    act[PROGRESS_DETAIL_MAX] = '\0';
    assert_true(progress_line(&e, NOON, &line, &err));
    assert_non_null(strstr(line.text, act));
    str_free(&line);
}

/* Cut anywhere: every whole line counts, at most the last is skipped. And the next line written
 * stands apart. */
static void a_torn_log_loses_its_last_line_only(void **state)
{
    struct progress *p = load(*state);
    add(p, (struct progress_event){"step", "a", "one", NULL, NULL, NULL});
    add(p, (struct progress_event){"step", "a", "two", NULL, NULL, NULL});
    progress_free(p);
    struct str whole = read_text(*state);
    size_t first = strcspn(whole.text, "\n");
    for (size_t cut = 0; cut <= whole.length; cut++) {
        write_text(*state, whole.text, cut);
        p = load(*state);
        const char *last = progress_last_step(p, "a");
        const char *wanted = cut + 1 >= whole.length ? "two" : cut >= first ? "one" : NULL;
        assert_true(wanted == NULL ? last == NULL : last != NULL && strcmp(last, wanted) == 0);
        bool torn = cut != 0 && cut != first && cut != first + 1 && cut + 1 < whole.length;
        assert_int_equal(progress_skipped_lines(p), torn);
        add(p, (struct progress_event){"step", "a", "three", NULL, NULL, NULL});
        progress_free(p);
        p = load(*state);
        assert_string_equal(progress_last_step(p, "a"), "three");
        assert_int_equal(progress_skipped_lines(p), torn);
        progress_free(p);
    }
    str_free(&whole);
}

static void strange_lines_are_skipped_and_counted(void **state)
{
    static const char text[] = "hello\n\n1 2 3\n\0\0\0\n\xff\xfe\n";
    write_text(*state, text, sizeof text - 1);
    struct progress *p = load(*state);
    assert_int_equal(progress_skipped_lines(p), 4);
    progress_free(p);
}

static void a_newer_programs_log_is_left_alone(void **state)
{
    struct str text = STR_EMPTY;
    str_add(&text, "2 2026-11-30T12:00:00Z something new here");
    str_addf(&text, " %08x\n", crc32_of(text.text, text.length));
    write_text(*state, text.text, text.length);
    struct err err = {""};
    assert_null(progress_load(((struct place *)*state)->path, &err));
    assert_non_null(strstr(err.text, "newer"));
    assert_non_null(strstr(err.text, "progress"));
    struct str after = read_text(*state);
    assert_string_equal(after.text, text.text);
    str_free(&after);
    str_free(&text);
}

static void two_programs_lose_no_line_of_each_other(void **state)
{
    enum {
        WRITERS = 3,
        LINES = 60
    };
    struct progress *p = load(*state);
    pid_t child[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0) {
            char place[16];
            snprintf(place, sizeof place, "p%d", i);
            bool good = true;
            for (int n = 0; n < LINES; n++) {
                struct progress_event e = {"answer", place, "s", place, "right", "an answer"};
                good = good && progress_add(p, &e, NOON, NULL);
            }
            _exit(good ? 0 : 1);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = 1;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    progress_free(p);
    p = load(*state);
    assert_int_equal(progress_skipped_lines(p), 0);
    for (int i = 0; i < WRITERS; i++) {
        char place[16];
        uint32_t answered = 0, right = 0;
        snprintf(place, sizeof place, "p%d", i);
        progress_item(p, place, &answered, &right);
        assert_int_equal(answered, LINES);
    }
    progress_free(p);
}

/* Two logs merge as the union of their lines: the fold of both is the fold of the union, and a line
 * that both have is one line. */
static void logs_merge_by_their_lines(void **state)
{
    struct place *at = *state;
    struct place other = *at;
    snprintf(other.path, sizeof other.path, "%s/other", at->folder);
    struct progress *p = load(at), *q = load(&other);
    struct progress_event shared = {"answer", "a", "one", "item", "right", "1"};
    add(p, shared);
    add(q, shared);
    add(p, (struct progress_event){"answer", "a", "one", "item", "wrong", "2"});
    add(q, (struct progress_event){"done", "b", NULL, NULL, NULL, NULL});
    progress_free(p);
    progress_free(q);
    char command[400];
    snprintf(command, sizeof command, "sort -u %s %s > %s.new && mv %s.new %s", at->path,
             other.path, at->path, at->path, at->path);
    assert_int_equal(system(command), 0);
    p = load(at);
    uint32_t answered = 0, right = 0;
    progress_item(p, "item", &answered, &right);
    assert_int_equal(answered, 2);
    assert_int_equal(right, 1);
    assert_true(progress_done(p, "b"));
    assert_int_equal(progress_skipped_lines(p), 0);
    progress_free(p);
}

static void a_log_that_cannot_be_written_does_not_stop_the_session(void **state)
{
    struct place *at = *state;
    struct err err = {""};
    snprintf(at->path, sizeof at->path, "%s/a-file/progress", at->folder);
    char command[120];
    snprintf(command, sizeof command, "touch %s/a-file", at->folder);
    assert_int_equal(system(command), 0);
    struct progress *p = load(at);
    struct progress_event e = {"step", "a", "one", NULL, NULL, NULL};
    assert_false(progress_add(p, &e, NOON, &err));
    assert_string_not_equal(err.text, "");
    assert_string_equal(progress_last_step(p, "a"), "one");
    progress_free(p);
}

static void without_a_path_it_is_in_the_state_folder(void **state)
{
    struct place *at = *state;
    struct err err = {""};
    assert_int_equal(setenv("XDG_STATE_HOME", at->folder, 1), 0);
    struct progress *p = progress_load(NULL, &err);
    assert_non_null(p);
    char wanted[80];
    snprintf(wanted, sizeof wanted, "%s/hotshard/progress", at->folder);
    assert_string_equal(progress_path(p), wanted);
    progress_free(p);
    unsetenv("XDG_STATE_HOME");
}

static void a_log_that_is_too_large_is_to_be_moved_away(void **state)
{
    struct place *at = *state;
    struct err err = {""};
    write_text(at, "", 0);
    assert_int_equal(truncate(at->path, (off_t)1 << 40), 0); /* a hole: it takes no space */
    assert_null(progress_load(at->path, &err));
    assert_non_null(strstr(err.text, at->path));
    assert_non_null(strstr(err.text, "move it away"));
}

static void a_fifo_in_its_place_holds_up_nobody(void **state)
{
    struct place *at = *state;
    struct err err = {""};
    assert_true(file_make_folders_for(at->path, &err));
    assert_int_equal(mkfifo(at->path, 0600), 0);
    (void)alarm(20); /* only against hanging */
    assert_null(progress_load(at->path, &err));
    (void)alarm(0);
    assert_non_null(strstr(err.text, "is not a regular file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_its_form),
        cmocka_unit_test_setup_teardown(a_long_detail_is_kept_in_whole_characters, set_up,
                                        tear_down),
        cmocka_unit_test(any_flipped_bit_is_noticed),
        cmocka_unit_test_setup_teardown(a_new_learner_has_done_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_state_is_a_fold_over_the_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_done_in_a_step_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(acts_end_where_a_step_is_entered_again, set_up, tear_down),
        cmocka_unit_test(an_act_is_kept_whole_or_not_at_all),
        cmocka_unit_test_setup_teardown(a_torn_log_loses_its_last_line_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strange_lines_are_skipped_and_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_newer_programs_log_is_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_programs_lose_no_line_of_each_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(logs_merge_by_their_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_log_that_cannot_be_written_does_not_stop_the_session,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_log_that_is_too_large_is_to_be_moved_away, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_fifo_in_its_place_holds_up_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_path_it_is_in_the_state_folder, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
