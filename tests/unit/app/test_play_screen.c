/*
 * The playground on the screen: keys turn settings, steps go back, futures stand side by side, at
 * every size, in colour's absence and in ASCII; what was done is there when it is opened again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/play/play_screen.h"
#include "base/prng.h"
#include "base/utf8.h"
#include "drive.h"
#include "golden.h"
#include "sanitized.h"

#define RANDOM_KEYS (BRIEF ? 40 : 150)

static const struct drive_size usual = {100, 30, GLYPHS_UTF8};

static struct play_session *session_of(const char *line)
{
    struct err err = {.text = ""};
    struct play_settings s;
    struct play_session *session = NULL;
    if (!play_parse(line, &s, &err) || !(session = session_new(&s, NULL, &err))) {
        fail_msg("%s: %s", line, err.text);
    }
    return session;
}

/* Opened as by a script: what is measured on this machine stays out of sight. */
static struct ui *open_play(struct drive_size size, const char *line)
{
    drive_fresh_home();
    struct ui *ui = drive_open(size);
    ui->options.script = "-";
    assert_true(play_screen_open(ui, line ? session_of(line) : NULL, NULL));
    ui_draw(ui);
    return ui;
}

static const struct play_settings *settings(const struct ui *ui)
{
    return session_now(ui->play->session);
}

static void press_times(struct ui *ui, uint32_t key, int times)
{
    while (times-- > 0) {
        drive_press(ui, key);
    }
}

static void golden_screen(struct ui *ui, const char *name)
{
    struct str dump = STR_EMPTY;
    ui_draw(ui);
    canvas_dump(ui->canvas, &dump);
    golden_text(name, str_text(&dump));
    str_free(&dump);
}

static void test_it_looks_like_this(void **state)
{
    (void)state;
    static const struct {
        struct drive_size size;
        const char *name;
    } screens[] = {
        {{80, 24, GLYPHS_UTF8}, "play_80x24_utf8"},
        {{80, 24, GLYPHS_ASCII}, "play_80x24_ascii"},
        {{100, 30, GLYPHS_UTF8}, "play_100x30_utf8"},
    };
    for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++) {
        struct ui *ui = open_play(screens[i].size, "workload celebrity");
        drive_press(ui, '+');
        golden_screen(ui, screens[i].name);
        drive_close(ui);
    }
}

static void test_two_futures_look_like_this(void **state)
{
    (void)state;
    static const struct {
        struct drive_size size;
        const char *name;
    } screens[] = {
        {{80, 24, GLYPHS_ASCII}, "play_fork_80x24_ascii"},
        {{100, 30, GLYPHS_UTF8}, "play_fork_100x30_utf8"},
    };
    for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++) {
        struct ui *ui = open_play(screens[i].size, "workload celebrity");
        drive_press(ui, 'f');
        press_times(ui, 'j', ROW_SALT);
        press_times(ui, LKEY_RIGHT, 3);
        assert_int_equal(settings(ui)->salt, 8);
        golden_screen(ui, screens[i].name);
        assert_true(drive_shows(ui, "Future A"));
        assert_true(drive_shows(ui, "A or B: salt off or"));
        drive_close(ui);
    }
}

static void test_home_opens_it_and_it_stays(void **state)
{
    (void)state;
    drive_fresh_home();
    struct ui *ui = drive_open(usual);
    assert_true(drive_shows(ui, "playground"));
    drive_press(ui, 'y');
    assert_int_equal(ui->screen, SCREEN_PLAY);
    drive_press(ui, 'w');
    drive_press(ui, 's');
    drive_press(ui, 'q');
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_false(ui->quit);
    drive_press(ui, 'y');
    assert_int_equal(settings(ui)->workload, WORKLOAD_CELEBRITY);
    assert_int_equal(ui->play->session->future[0].states, 3);
    drive_close(ui);
    ui = drive_open(usual); /* another day: the state folder has it */
    drive_press(ui, 'y');
    assert_int_equal(settings(ui)->workload, WORKLOAD_CELEBRITY);
    drive_press(ui, 'u');
    drive_press(ui, 'u');
    assert_int_equal(settings(ui)->workload, WORKLOAD_POPULAR);
    drive_close(ui);
}

static void test_it_is_kept_however_it_was_opened(void **state)
{
    (void)state;
    struct ui *ui = open_play(usual, "scheme ring");
    drive_press(ui, '+');
    drive_press(ui, 'q');
    drive_close(ui);
    ui = drive_open(usual);
    drive_press(ui, 'y');
    assert_string_equal(settings(ui)->scheme->name, "ring");
    assert_true(play_has_shard(settings(ui), 4));
    drive_close(ui);
}

static void test_every_row_turns_both_ways(void **state)
{
    (void)state;
    struct ui *ui = open_play(usual, "scheme ring");
    for (int row = 0; row < ROW_COUNT; row++) {
        drive_press(ui, LKEY_HOME);
        press_times(ui, LKEY_DOWN, row);
        assert_int_equal(ui->play->row, row);
        struct play_settings before = *settings(ui);
        uint32_t shard = ui->play->shard;
        drive_press(ui, LKEY_RIGHT);
        bool turned = !play_same(&before, settings(ui)) || ui->play->shard != shard;
        assert_true(turned);
        drive_press(ui, LKEY_LEFT);
    }
    drive_press(ui, LKEY_END);
    assert_int_equal(ui->play->row, ROW_COUNT - 1);
    drive_close(ui);
}

static void test_the_selected_shard_leaves(void **state)
{
    (void)state;
    struct ui *ui = open_play(usual, "scheme ring, shards 5");
    while (ui->play->shard != 2) {
        drive_press(ui, 'n');
    }
    drive_press(ui, '-');
    assert_false(play_has_shard(settings(ui), 2));
    assert_true(drive_shows(ui, "S2 left"));
    assert_true(play_has_shard(settings(ui), ui->play->shard)); /* another one is selected */
    drive_press(ui, '+');
    assert_int_equal(ui->play->shard, 5); /* the one that joined */
    drive_close(ui);
}

static void test_steps_go_back_and_forth(void **state)
{
    (void)state;
    struct ui *ui = open_play(usual, NULL);
    drive_press(ui, 'u');
    assert_true(drive_shows(ui, "first state"));
    drive_press(ui, '+');
    drive_press(ui, '+');
    struct digest there = world_digest(session_result(ui->play->session)->world);
    drive_press(ui, 'b');
    drive_press(ui, LKEY_BACKSPACE);
    assert_true(drive_shows(ui, "state 1 of 3"));
    drive_press(ui, 'U');
    drive_press(ui, 18); /* ctrl-r */
    assert_true(digest_equal(there, world_digest(session_result(ui->play->session)->world)));
    drive_press(ui, 'U');
    assert_true(drive_shows(ui, "nothing to do again"));
    drive_close(ui);
}

static void test_settings_are_typed(void **state)
{
    (void)state;
    struct ui *ui = open_play(usual, NULL);
    drive_press(ui, ':');
    drive_type(ui, "scheme rign");
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "did you mean ring?"));
    drive_press(ui, LKEY_ESCAPE); /* were it a box */
    drive_press(ui, ':');
    drive_type(ui, "scheme ring, tokens 64, add");
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(settings(ui)->tokens, 64);
    assert_int_equal(ui->play->session->future[0].states, 2); /* one line, one state */
    drive_close(ui);
}

static void test_states_are_written_to_a_file(void **state)
{
    (void)state;
    char path[512];
    struct str text = STR_EMPTY;
    struct err err = {.text = ""};
    struct ui *ui = open_play(usual, "workload zipf");
    drive_press(ui, '+');
    snprintf(path, sizeof path, "%s/recording", getenv("XDG_STATE_HOME"));
    for (int twice = 0; twice < 2; twice++) { /* over itself, too */
        drive_press(ui, 'W');
        drive_press(ui, 21);
        drive_type(ui, path);
        drive_press(ui, LKEY_ENTER);
        assert_true(drive_shows(ui, "Written"));
    }
    assert_true(file_read(path, 10000, &text, &err));
    struct play_session *again = session_read(str_text(&text), path, &err);
    assert_non_null(again);
    assert_true(play_same(session_now(again), settings(ui)));
    session_free(again);
    assert_true(file_replace(path, "mine\n", 5, &err));
    drive_press(ui, 'W');
    drive_press(ui, 21);
    drive_type(ui, path);
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "no recording")); /* somebody's file is not written over */
    str_free(&text);
    drive_close(ui);
}

static void test_a_name_is_what_is_typed_and_can_be_read(void **state)
{
    (void)state;
    char path[512];
    struct ui *ui = open_play(usual, "workload zipf");
    snprintf(path, sizeof path, "%s/named", getenv("XDG_STATE_HOME"));
    drive_press(ui, 'W');
    assert_true(drive_shows(ui, "Typing replaces this name"));
    drive_type(ui, path);
    drive_press(ui, ' ');
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "begin or end with a blank"));
    assert_false(file_exists(path));
    drive_press(ui, 'W');
    drive_type(ui, path);
    drive_press(ui, 0x202E); /* turns what follows around, unseen */
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "control or invisible"));
    drive_press(ui, 'W');
    drive_type(ui, path);
    drive_press(ui, LKEY_ENTER);
    assert_true(file_exists(path));
    drive_press(ui, 'W');
    drive_press(ui, LKEY_LEFT);
    drive_type(ui, "x");
    assert_true(drive_shows(ui, "playground.txxt"));
    drive_close(ui);
}

static void test_pictures_take_turns(void **state)
{
    (void)state;
    struct ui *ui = open_play((struct drive_size){80, 24, GLYPHS_UTF8}, "scheme ring");
    const char *first = screen_play_picture(ui);
    assert_string_equal(first, "shards");
    int seen = 0;
    do {
        drive_press(ui, 'v');
        seen++;
    } while (strcmp(screen_play_picture(ui), first) != 0 && seen < 10);
    assert_true(seen >= 3 && seen <= PLAY_PICTURES_MAX); /* a ring, the keys, all schemes */
    drive_press(ui, 'D');
    assert_true(drive_shows(ui, "in words"));
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->popups, 0);
    drive_close(ui);
}

static void test_shards_out_of_sight_are_told(void **state)
{
    (void)state;
    struct ui *ui = open_play((struct drive_size){80, 24, GLYPHS_UTF8}, "shards 16");
    assert_true(drive_shows(ui, "of 16"));
    while (ui->play->shard != 15) {
        drive_press(ui, 'n');
    }
    assert_true(drive_shows(ui, "to S15 of 16")); /* the selected one is among those in sight */
    drive_close(ui);
}

static void test_the_help_lists_what_works(void **state)
{
    (void)state;
    struct shown_rows rows;
    struct ui *ui = open_play(usual, NULL);
    shown_for_help(ui, IN_PLAY, &rows);
    assert_true(rows.count > 20);
    for (size_t i = 0; i < rows.count; i++) {
        assert_true(rows.action[i] != ACT_UNDO && rows.action[i] != ACT_FOCUS_NEXT);
    }
    drive_press(ui, '?');
    drive_press(ui, '/');
    drive_type(ui, "two futures");
    drive_press(ui, LKEY_ENTER);
    drive_press(ui, LKEY_ENTER);
    assert_int_equal(ui->play->session->futures, 2);
    drive_close(ui);
}

/* Every row as wide as the window, ASCII where it was asked for, the keys in the last row. */
static void check_screen(struct ui *ui)
{
    struct str row = STR_EMPTY;
    int columns = canvas_columns(ui->canvas);
    int rows = canvas_rows(ui->canvas);
    for (int y = 0; y < rows; y++) {
        str_clear(&row);
        for (int x = 0; x < columns; x++) {
            struct canvas_cell cell;
            canvas_cell_at(ui->canvas, x, y, &cell);
            str_add(&row, cell.text);
        }
        assert_int_equal(utf8_columns(str_text(&row), row.length), columns);
        for (size_t i = 0; term_glyphs(ui->term) == GLYPHS_ASCII && i < row.length; i++) {
            assert_true(row.text[i] >= ' ' && row.text[i] < 127);
        }
    }
    bool keys = strstr(str_text(&row), "help") || strstr(str_text(&row), "close") ||
                strstr(str_text(&row), "done");
    if (!keys) {
        fail_msg("the last row does not say what can be pressed: %s", str_text(&row));
    }
    str_free(&row);
}

static void test_any_keys_at_any_size(void **state)
{
    (void)state;
    static const struct drive_size sizes[] = {
        {80, 24, GLYPHS_UTF8},   {100, 30, GLYPHS_ASCII}, {200, 60, GLYPHS_UTF8},
        {160, 40, GLYPHS_ASCII}, {81, 25, GLYPHS_UTF8},
    };
    static const char keys[] = "wsStT+++---nfvvvvUuublh jkGgD[],.=_";
    struct prng prng = prng_seeded(7, "keys of the playground");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ui *ui = open_play(sizes[i], "workload zipf, shards 5");
        for (int pressed = 0; pressed < RANDOM_KEYS / (int)(i + 1); pressed++) {
            uint64_t at = prng_below(&prng, sizeof keys + 1);
            uint32_t key = at < sizeof keys - 1 ? (uint32_t)(unsigned char)keys[at]
                           : at == sizeof keys  ? LKEY_TAB
                                                : LKEY_PAGE_DOWN;
            drive_press(ui, key);
            check_screen(ui);
            while (ui->popups > 0) {
                drive_press(ui, LKEY_ESCAPE);
            }
            assert_int_equal(ui->screen, SCREEN_PLAY);
            assert_true(play_has_shard(settings(ui), ui->play->shard));
        }
        drive_close(ui);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_looks_like_this),
        cmocka_unit_test(test_two_futures_look_like_this),
        cmocka_unit_test(test_home_opens_it_and_it_stays),
        cmocka_unit_test(test_it_is_kept_however_it_was_opened),
        cmocka_unit_test(test_every_row_turns_both_ways),
        cmocka_unit_test(test_the_selected_shard_leaves),
        cmocka_unit_test(test_steps_go_back_and_forth),
        cmocka_unit_test(test_settings_are_typed),
        cmocka_unit_test(test_states_are_written_to_a_file),
        cmocka_unit_test(test_a_name_is_what_is_typed_and_can_be_read),
        cmocka_unit_test(test_pictures_take_turns),
        cmocka_unit_test(test_shards_out_of_sight_are_told),
        cmocka_unit_test(test_the_help_lists_what_works),
        cmocka_unit_test(test_any_keys_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
