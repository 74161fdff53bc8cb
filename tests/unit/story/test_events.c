/*
 * The table of events: whole, in order, in plain lines, and the same in docs/story.md; and that the
 * commands and moments belong to it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/num.h"
#include "engine/command.h"
#include "story/events.h"
#include "story/scenes.h"
#include "story/story.h"
#include <stdlib.h>
#include <string.h>

#define LINE_COLUMNS 80

static void ids_are_found_and_others_refused(void **state)
{
    (void)state;
    struct err err = {{0}};
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        assert_ptr_equal(story_event_find(e->id, &err), e); /* so no id is there twice */
    }
    assert_null(story_event_find("7d", &err));
    assert_string_equal(err.text,
                        "\"7d\" is no event of the story; `hotshard story --events` lists them");
    assert_null(story_event_find("", &err));
    char digits[600];
    memset(digits, '9', sizeof digits);
    digits[sizeof digits - 1] = '\0';
    assert_null(story_event_find(digits, &err));
    assert_non_null(strstr(err.text, "...\" is no event of the story; `hotshard"));
    assert_true(strlen(err.text) < 120);
}

static void the_main_line_goes_forward(void **state)
{
    (void)state;
    int64_t before = STORY_START_US;
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        int64_t at = story_event_time(e);
        assert_in_range(at, STORY_START_US, STORY_END_US);
        if (!e->copy) {
            assert_true(at >= before);
            before = at;
        }
    }
}

static void is_a_line(const char *text)
{
    size_t length = strlen(text);
    assert_in_range(length, 1, LINE_COLUMNS);
    for (size_t i = 0; i < length; i++) {
        assert_in_range((unsigned char)text[i], ' ', '~');
    }
}

static void each_event_is_told_in_one_line(void **state)
{
    (void)state;
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        is_a_line(e->what);
        char last = e->what[strlen(e->what) - 1];
        assert_true(last == '.' || last == '?');
        if (e->moment != NULL) {
            is_a_line(e->moment);
        }
    }
}

static void each_event_can_be_opened(void **state)
{
    (void)state;
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        assert_true(scene_exists(e->id));
    }
    assert_false(scene_exists("7d"));
}

static void commands_are_in_order_and_belong_to_the_main_line(void **state)
{
    (void)state;
    int64_t before = STORY_START_US;
    size_t count = 0;
    for (const struct story_command *c = story_commands(); c->at != NULL; c++) {
        int64_t at = 0;
        struct err err = {{0}};
        struct command command;
        assert_true(num_parse_clock(c->at, &at, &err));
        assert_in_range(at, before, STORY_END_US);
        before = at;
        const struct story_event *event = story_event_find(c->event, &err);
        assert_non_null(event);
        assert_false(event->copy);
        if (!command_parse(c->text, &command, &err)) {
            fail_msg("%s: %s", c->text, err.text);
        }
        count++;
    }
    assert_in_range(count, 30, 100);
}

static void moments_are_events(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct story_moment *m = story_moments(); m->name != NULL; m++) {
        const struct story_event *event = story_event_find(m->event, NULL);
        assert_non_null(event);
        assert_string_equal(event->at, m->at);
        assert_int_equal(event->copy, m->copy);
        assert_true(event->moment != NULL && strncmp(event->moment, m->name, 2) == 0);
        count++;
    }
    assert_int_equal(count, 6);
}

/* The page of the story, below the folder that HOTSHARD_TESTS is in. */
static void read_page(struct str *out)
{
    const char *tests = getenv("HOTSHARD_TESTS");
    struct str path = STR_EMPTY;
    struct err err = {{0}};
    str_addf(&path, "%s/../docs/story.md", tests != NULL && *tests != '\0' ? tests : "tests");
    if (!file_read(str_text(&path), 1 << 20, out, &err)) {
        fail_msg("%s", err.text);
    }
    str_free(&path);
}

static void the_page_of_the_story_says_the_same(void **state)
{
    (void)state;
    struct str page = STR_EMPTY;
    struct str row = STR_EMPTY;
    read_page(&page);
    const char *rest =
        strstr(str_text(&page), "| id | time | what | look at |\n|---|---|---|---|\n");
    assert_non_null(rest);
    rest = strstr(rest, "---|\n") + strlen("---|\n");
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        str_clear(&row);
        str_addf(&row, "| %s | %s%s | %s | %s |\n", e->id, e->at, e->copy ? ", copy" : "", e->what,
                 e->moment != NULL ? e->moment : "");
        if (strncmp(rest, str_text(&row), row.length) != 0) {
            fail_msg("docs/story.md must have here: %s", str_text(&row));
        }
        rest += row.length;
    }
    assert_int_equal(*rest, '\n'); /* and no event more */
    str_free(&row);
    str_free(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_found_and_others_refused),
        cmocka_unit_test(the_main_line_goes_forward),
        cmocka_unit_test(each_event_is_told_in_one_line),
        cmocka_unit_test(each_event_can_be_opened),
        cmocka_unit_test(commands_are_in_order_and_belong_to_the_main_line),
        cmocka_unit_test(moments_are_events),
        cmocka_unit_test(the_page_of_the_story_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
