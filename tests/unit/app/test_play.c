/*
 * Heavy traffic at high speed: time passes more slowly than was asked for, the keys do not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"
#include "drive.h"

#define CTRL_U 21
#define FRAME 33333        /* microseconds */
#define FRAME_EVENTS 50000 /* what one frame may handle */

static const struct drive_size usual = {100, 30, GLYPHS_UTF8};

static void command(struct ui *ui, const char *line)
{
    drive_press(ui, ':');
    drive_press(ui, CTRL_U);
    drive_type(ui, line);
    drive_press(ui, LKEY_ENTER);
}

/* A task's step, in which a flow of this many reads a second runs as fast as can be asked for. */
static struct ui *flowing(const char *rate)
{
    struct str line = STR_EMPTY;
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    drive_lesson(ui);
    drive_to(ui, "write-a-tag");
    ui->options.no_motion = false;
    str_addf(&line, "flow read user:1 %s", rate);
    command(ui, str_text(&line));
    drive_press(ui, 'p');
    for (int i = 0; i < 20; i++) {
        drive_press(ui, ']');
    }
    assert_true(play_running(ui));
    str_free(&line);
    return ui;
}

static void test_a_frame_handles_only_so_much(void **state)
{
    (void)state;
    struct ui *ui = flowing("1000000");
    const struct world *w = player_world(ui->course.player);
    for (int frame = 0; frame < 20; frame++) {
        uint64_t events = world_events(w);
        int64_t now = world_now(w);
        play_tick(ui, FRAME);
        assert_in_range(world_events(w) - events, 1, FRAME_EVENTS);
        assert_true(world_now(w) > now);
    }
    assert_true(drive_shows(ui, "up to 100x")); /* asked for, not reached */
    drive_press(ui, 'p');
    assert_false(play_running(ui));
    assert_false(drive_shows(ui, "up to"));
    drive_close(ui);
}

static void test_light_traffic_keeps_its_speed(void **state)
{
    (void)state;
    struct ui *ui = flowing("50");
    const struct world *w = player_world(ui->course.player);
    int64_t now = world_now(w);
    play_tick(ui, FRAME);
    assert_int_equal(world_now(w), now + 100 * FRAME);
    assert_true(drive_shows(ui, "100x"));
    assert_false(drive_shows(ui, "up to"));
    drive_close(ui);
}

/* The copies that going back starts from are near, so a press is handled among other keys. */
static void test_back_and_forth_in_heavy_traffic(void **state)
{
    (void)state;
    struct ui *ui = flowing("1000000");
    const struct world *w = player_world(ui->course.player);
    for (int frame = 0; frame < 30; frame++) {
        play_tick(ui, FRAME);
    }
    uint64_t events = world_events(w);
    assert_true(events > 1000000);
    drive_type(ui, ",,,,,,,,,,");
    assert_int_equal(world_events(w), events - 10);
    drive_type(ui, "..........");
    assert_int_equal(world_events(w), events);
    drive_close(ui);
}

/* What goes wrong in the first run is said, as in any later one, and the lesson goes on. */
static void test_a_fault_of_the_first_run_is_shown(void **state)
{
    (void)state;
    static const char lesson[] =
        "return lesson { id = \"odd\", part = 1, title = \"T\", minutes = 3, steps = {\n"
        "{ id = \"a\", title = \"A\", say = \"x\", run = function() error(\"boom\") end },\n"
        "{ id = \"b\", title = \"B\", say = \"the second step\" } } }\n";
    struct err err = {.text = ""};
    struct str path = STR_EMPTY;
    drive_fresh_home();
    str_addf(&path, "%s/odd.lua", getenv("XDG_STATE_HOME"));
    assert_true(file_replace(str_text(&path), lesson, strlen(lesson), &err));
    struct ui *ui = drive_open(usual);
    assert_true(course_open_path(ui, str_text(&path), &err));
    assert_true(drive_shows(ui, "odd.lua:2: boom"));
    drive_press(ui, LKEY_ESCAPE); /* a long message is a box */
    course_forward(ui);
    assert_true(drive_shows(ui, "the second step"));
    str_free(&path);
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_frame_handles_only_so_much),
        cmocka_unit_test(test_light_traffic_keeps_its_speed),
        cmocka_unit_test(test_a_fault_of_the_first_run_is_shown),
        cmocka_unit_test(test_back_and_forth_in_heavy_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
