/*
 * What a newcomer tripped over: keys that work from every pane, what is offered when, and what is
 * said of time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drive.h"

#define CTRL_U 21

static const struct drive_size usual = {100, 30, GLYPHS_UTF8};

static struct ui *lesson_at(const char *step_id)
{
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    drive_lesson(ui);
    drive_to(ui, step_id);
    return ui;
}

static void command(struct ui *ui, const char *line)
{
    drive_press(ui, ':');
    drive_press(ui, CTRL_U);
    drive_type(ui, line);
    drive_press(ui, LKEY_ENTER);
}

static bool offered(const struct ui *ui, enum action action)
{
    struct shown_rows rows;
    shown_for_line(ui, ui_context(ui), &rows);
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.action[i] == action) {
            return true;
        }
    }
    return false;
}

static bool title_says(const struct ui *ui, const char *text)
{
    struct str row = STR_EMPTY;
    for (int x = 0; x < canvas_columns(ui->canvas); x++) {
        struct canvas_cell cell;
        canvas_cell_at(ui->canvas, x, 0, &cell);
        str_add(&row, cell.text);
    }
    bool says = strstr(str_text(&row), text) != NULL;
    str_free(&row);
    return says;
}

/* --- digits --- */

static void test_a_choice_is_taken_from_every_pane(void **state)
{
    (void)state;
    for (size_t focus = 0; focus < 2; focus++) {
        struct ui *ui = lesson_at("one-of-four");
        drive_press(ui, LKEY_TAB);
        drive_press(ui, focus == 0 ? LKEY_ESCAPE : LKEY_TAB);
        drive_choose_right(ui);
        assert_true(course_page(ui)->question.right);
        drive_close(ui);
    }
}

static void test_several_are_marked_and_sent_from_every_pane(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("the-tag");
    drive_press(ui, LKEY_TAB);
    drive_press(ui, '1');
    assert_int_equal(ui->course.focus, 0); /* where the marks are */
    drive_press(ui, LKEY_TAB);
    drive_press(ui, '3');
    drive_press(ui, '5');
    assert_string_equal(ui->course.field.text, "1 3 5");
    drive_press(ui, LKEY_ENTER);
    assert_true(course_page(ui)->question.right);
    drive_close(ui);
}

static void test_a_digit_comes_to_the_number_from_every_pane(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("to-a-number");
    drive_press(ui, LKEY_TAB);
    assert_int_equal(ui->course.focus, 1);
    drive_press(ui, '9');
    assert_int_equal(ui->course.focus, 0);
    drive_press(ui, LKEY_ESCAPE); /* takes it back */
    drive_press(ui, LKEY_ESCAPE);
    drive_type(ui, "12");
    drive_press(ui, LKEY_TAB);
    drive_type(ui, "067");
    assert_string_equal(ui->course.field.text, "12067");
    drive_press(ui, LKEY_ENTER);
    assert_true(course_page(ui)->question.right);
    drive_press(ui, LKEY_TAB);
    drive_press(ui, '1'); /* answered: digits are no answer any more */
    assert_int_equal(ui->course.focus, 1);
    drive_close(ui);
}

/* --- why --- */

static void test_only_a_record_has_a_why(void **state)
{
    (void)state;
    struct err err;
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    assert_true(course_open_path(ui, "tests/data/lessons/13_look.lua", &err));
    play_settle(ui);
    assert_string_equal(course_page(ui)->show[0].view, "maps");
    drive_press(ui, 'i'); /* a row of the maps */
    assert_int_equal(ui->popups, 1);
    assert_false(course_page(ui)->task_met);
    drive_press(ui, LKEY_ESCAPE);
    while (strcmp(course_page(ui)->show[ui->course.focus - 1].view, "trace") != 0) {
        drive_press(ui, LKEY_TAB);
    }
    drive_press(ui, 'i');
    assert_true(course_page(ui)->task_met);
    drive_close(ui);
}

/* --- time --- */

static void test_without_motion_a_second_passes_at_once(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    ui->options.no_motion = true;
    drive_press(ui, '3');
    command(ui, "flow like likes:{p9} 50");
    const struct world *w = player_world(ui->course.player);
    int64_t before = world_now(w);
    drive_press(ui, 'p');
    assert_int_equal(world_now(w), before + 1000000);
    assert_false(play_running(ui));
    assert_true(drive_shows(ui, "1 s passed."));
    drive_press(ui, 'p');
    assert_int_equal(world_now(w), before + 2000000);
    drive_close(ui);
}

static void test_a_task_for_commands_says_which_key_takes_them(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("write-a-tag"); /* has keys of its own */
    assert_true(*course_page(ui)->task && course_page(ui)->actions > 0);
    assert_false(offered(ui, ACT_COMMAND));
    drive_close(ui);
    struct err err = {.text = ""};
    drive_fresh_home();
    ui = drive_open((struct drive_size){80, 24, GLYPHS_UTF8});
    assert_true(course_open_path(ui, "lessons/08_moving_data_live.lua", &err));
    drive_to(ui, "last-open");
    assert_true(drive_shows(ui, ": command"));
    assert_true(offered(ui, ACT_COMMAND));
    assert_true(player_skip(ui->course.player, &err));
    course_changed(ui);
    assert_false(offered(ui, ACT_COMMAND)); /* it is done */
    drive_close(ui);
}

static void test_play_is_offered_when_something_can_happen(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    assert_false(offered(ui, ACT_PLAY) || offered(ui, ACT_EVENT));
    drive_press(ui, 'p');
    assert_false(play_running(ui));
    assert_true(drive_shows(ui, "nothing is waiting to happen"));
    ui->options.no_motion = false;
    drive_press(ui, '3');
    assert_true(offered(ui, ACT_PLAY) && offered(ui, ACT_EVENT)); /* a run */
    play_settle(ui);
    assert_false(offered(ui, ACT_PLAY));
    command(ui, "flow like likes:{p9} 50");
    assert_true(offered(ui, ACT_PLAY)); /* traffic */
    int64_t before = world_now(player_world(ui->course.player));
    drive_press(ui, 'p');
    play_tick(ui, 33333);
    assert_true(world_now(player_world(ui->course.player)) > before);
    drive_press(ui, 'p');
    assert_false(play_running(ui));
    drive_close(ui);
}

static void test_free_play_ends_when_nothing_is_left(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("write-a-tag");
    ui->options.no_motion = false;
    command(ui, "flow like likes:{p9} 50");
    drive_press(ui, 'p');
    play_tick(ui, 33333);
    command(ui, "flow like likes:{p9} 0");
    int frames = 0;
    for (; play_running(ui) && frames < 1000; frames++) {
        play_tick(ui, 33333);
    }
    assert_true(frames < 1000);
    drive_close(ui);
}

static void test_the_speed_is_right_after_single_events(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("write-a-tag");
    assert_true(title_says(ui, "1x"));
    command(ui, "read post:{p10}");
    assert_true(title_says(ui, "1x"));
    drive_press(ui, ',');
    assert_true(title_says(ui, "■ 1x"));
    drive_press(ui, '.');
    drive_press(ui, '.');
    assert_true(drive_shows(ui, "nothing is waiting to happen"));
    drive_press(ui, ',');
    ui->options.no_motion = false;
    drive_press(ui, 'p'); /* the hop is shown slowly, and then it is over */
    assert_true(title_says(ui, "▶ 5 ms/s"));
    play_settle(ui);
    ui_draw(ui);
    assert_true(title_says(ui, "■ 1x"));
    drive_close(ui);
}

static void test_looking_for_an_earlier_event_holds_up_no_run(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    drive_press(ui, ',');
    assert_true(drive_shows(ui, "Nothing earlier"));
    assert_false(ui->course.paused);
    ui->options.no_motion = false;
    drive_press(ui, '3');
    assert_true(play_running(ui));
    drive_close(ui);
}

/* --- acts --- */

static void test_news_has_arrived_when_an_act_is_drawn(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("yourself");
    const struct world *w = player_world(ui->course.player);
    uint32_t before = world_map_version(w);
    drive_press(ui, 'm');
    drive_press(ui, CTRL_U);
    drive_type(ui, "S1");
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(world_map_version(w), before + 1);
    assert_int_equal(world_router(w, 0).map_version, before + 1);
    assert_int_equal(world_router(w, 4).map_version, before + 1);
    drive_close(ui);
}

static void test_the_command_line_takes_requests_in_short(void **state)
{
    (void)state;
    static const struct {
        const char *line, *key;
        enum op_kind op;
        int router;
    } short_forms[] = {
        {"like likes:{p9}", "likes:{p9}", OP_LIKE, -1},
        {"read post:{p10} via R2", "post:{p10}", OP_READ, 2},
        {"edit post:{p9}", "post:{p9}", OP_EDIT, -1},
        {"request read a%20b via R3", "a b", OP_READ, 3},
    };
    struct ui *ui = lesson_at("write-a-tag");
    uint64_t last = world_last_request(player_world(ui->course.player));
    for (size_t i = 0; i < sizeof short_forms / sizeof short_forms[0]; i++) {
        struct request_info r;
        const struct world *w = player_world(ui->course.player);
        command(ui, short_forms[i].line);
        assert_true(world_request(w, world_last_request(w), &r));
        assert_true(r.number > last);
        last = r.number;
        assert_int_equal(r.op, short_forms[i].op);
        assert_true(bytes_equal(world_key(w, r.key), bytes_of(short_forms[i].key)));
        assert_true(short_forms[i].router < 0 || r.router == short_forms[i].router);
        assert_string_equal(course_page(ui)->key, short_forms[i].key); /* pictures follow it */
        assert_true(r.done);
    }
    command(ui, "fly R5");
    assert_true(drive_shows(ui, "fly"));
    drive_close(ui);
}

/* --- going back --- */

static void test_the_key_line_says_that_a_run_is_played_again(void **state)
{
    (void)state;
    struct ui *ui = lesson_at("one-of-four");
    drive_press(ui, '3');
    drive_press(ui, ' ');
    drive_press(ui, 'b');
    assert_true(course_page(ui)->replays);
    assert_true(drive_shows(ui, "space play again"));
    drive_press(ui, ' ');
    assert_int_equal(course_page(ui)->step, 1);
    assert_false(drive_shows(ui, "space play again"));
    drive_press(ui, ' ');
    assert_int_equal(course_page(ui)->step, 2);
    drive_close(ui);
}

/* --- the pictures in words --- */

/* Every word of the description stands whole in a row of the box. */
static void words_are_whole(struct drive_size size, bool focused)
{
    drive_fresh_home();
    struct ui *ui = drive_open(size);
    drive_lesson(ui);
    drive_to(ui, "and-then");
    if (focused) {
        drive_press(ui, LKEY_TAB);
    }
    drive_press(ui, 'D');
    assert_int_equal(ui->popups, 1);
    char *body = strdup(str_text(&ui->popup[0].body));
    struct str seen = STR_EMPTY;
    for (int i = 0; i < 60; i++) {
        ui_draw(ui);
        canvas_dump_text(ui->canvas, &seen);
        drive_press(ui, LKEY_PAGE_DOWN);
    }
    char *rest = NULL;
    size_t words = 0;
    for (char *word = strtok_r(body, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        if (!strstr(str_text(&seen), word)) {
            fail_msg("'%s' is broken at %d columns", word, size.columns);
        }
        words++;
    }
    assert_true(words > 20);
    free(body);
    str_free(&seen);
    drive_close(ui);
}

static void test_the_pictures_in_words_break_no_word(void **state)
{
    (void)state;
    static const struct drive_size sizes[] = {{80, 24, GLYPHS_UTF8}, {200, 60, GLYPHS_ASCII}};
    for (size_t i = 0; i < 2; i++) {
        words_are_whole(sizes[i], false);
        words_are_whole(sizes[i], true);
    }
}

static void test_long_lines_of_a_box_break_between_words(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = drive_open((struct drive_size){80, 24, GLYPHS_UTF8});
    struct str body = STR_EMPTY;
    for (int i = 0; i < 12; i++) {
        str_addf(&body, "%sabcdefghijk", i > 0 ? " " : "  ");
    }
    str_add(&body, "\n\nend\n");
    popup_open_text(ui, "Box", &body, false);
    assert_true(drive_shows(ui, "   abcdefghijk abcdefghijk abcdefghijk abcdefghijk abcdefghijk "
                                "abcdefghijk "));
    assert_false(drive_shows(ui, "abcdefghijk a "));
    assert_true(drive_shows(ui, "end"));
    popup_close(ui);
    str_pad(&body, 'x', 200); /* one word: cut, with nothing lost */
    str_add(&body, "y\n");
    popup_open_text(ui, "Box", &body, false);
    assert_true(drive_shows(ui, "xy"));
    drive_close(ui);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_choice_is_taken_from_every_pane),
        cmocka_unit_test(test_several_are_marked_and_sent_from_every_pane),
        cmocka_unit_test(test_a_digit_comes_to_the_number_from_every_pane),
        cmocka_unit_test(test_only_a_record_has_a_why),
        cmocka_unit_test(test_without_motion_a_second_passes_at_once),
        cmocka_unit_test(test_a_task_for_commands_says_which_key_takes_them),
        cmocka_unit_test(test_play_is_offered_when_something_can_happen),
        cmocka_unit_test(test_free_play_ends_when_nothing_is_left),
        cmocka_unit_test(test_the_speed_is_right_after_single_events),
        cmocka_unit_test(test_looking_for_an_earlier_event_holds_up_no_run),
        cmocka_unit_test(test_news_has_arrived_when_an_act_is_drawn),
        cmocka_unit_test(test_the_command_line_takes_requests_in_short),
        cmocka_unit_test(test_the_key_line_says_that_a_run_is_played_again),
        cmocka_unit_test(test_the_pictures_in_words_break_no_word),
        cmocka_unit_test(test_long_lines_of_a_box_break_between_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
