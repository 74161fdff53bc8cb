/*
 * The glossary on the screen and its pictures: opened from the course and from a step, which is as
 * it was afterwards; terms of the step first; pictures made piece by piece and only once; any key
 * at any size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/glossary/glossary_screen.h"
#include "base/prng.h"
#include "drive.h"
#include "golden.h"
#include <sys/stat.h>

#define RANDOM_KEYS 300

static const struct drive_size usual = {80, 24, GLYPHS_UTF8};

static const char text[] =
    "term: slot\nalso: hash slot, bucket\npart: 1\n"
    "say: One of the equal pieces into which a hash divides all keys. A slot has one owner at a\n"
    "  time, and moves as a whole.\nsee: shard, stale map\nshow: slot_map\n\n"
    "term: shard\nalso: partition\npart: 1\nsay: It holds a part of all rows. Its capacity is a "
    "ceiling.\nsee: slot\nshow: bars\nat: 3\n\n"
    "term: stale map\nalso: old map\npart: 1\nsay: A router's map that has missed a change. The "
    "first [[shard]] asked says so.\nsee: slot\nshow: trace\ndo: deaf R5 on\ndo: move 12067 S3\n"
    "do: request read post:{p9} via R5\n\n"
    "term: token\nalso: vnode\npart: 77\nsay: A point on the ring. It belongs to a shard.\n"
    "show: ring\nsettings: scheme ring, tokens 16, shards 4 +4\n\n"
    "term: zone\npart: 1\nsay: A place of machines. They fail together.\nshow: system\ndo: wait "
    "1\n";

/* Lessons come from the tree, the glossary from beside a folder of the test's own. */
static void write_glossary(const char *content)
{
    char path[600];
    struct err err = {.text = ""};
    drive_fresh_home();
    snprintf(path, sizeof path, "%s/lessons", getenv("XDG_STATE_HOME"));
    assert_int_equal(mkdir(path, 0700), 0);
    setenv("HOTSHARD_LESSONS", path, 1);
    snprintf(path, sizeof path, "%s/assets", getenv("XDG_STATE_HOME"));
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/assets/glossary.txt", getenv("XDG_STATE_HOME"));
    if (!file_replace(path, content, strlen(content), &err)) {
        fail_msg("%s", err.text);
    }
}

static struct ui *open_home(struct drive_size size)
{
    write_glossary(text);
    return drive_open(size);
}

static void golden_screen(struct ui *ui, const char *name)
{
    struct str dump = STR_EMPTY;
    ui_draw(ui);
    canvas_dump(ui->canvas, &dump);
    golden_text(name, str_text(&dump));
    str_free(&dump);
}

static const char *selected(const struct ui *ui)
{
    const struct glossary_entry *e = glossary_selected(ui->glossary);
    return e ? e->term : "";
}

static void it_looks_like_this(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_press(ui, 'w');
    drive_press(ui, 'j');
    golden_screen(ui, "glossary_80x24_utf8");
    drive_close(ui);
    ui = open_home((struct drive_size){80, 24, GLYPHS_ASCII});
    assert_true(course_open_path(ui, "tests/data/lessons/10_good.lua", NULL));
    drive_press(ui, 'w');
    golden_screen(ui, "glossary_lesson_80x24_ascii");
    drive_close(ui);
}

static void it_leads_back_to_the_very_place(void **state)
{
    (void)state;
    static const uint32_t ways[] = {LKEY_ESCAPE, 'q', 'w', LKEY_F1 + 4};
    struct ui *ui = open_home(usual);
    drive_press(ui, 'j');
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        drive_press(ui, 'w');
        assert_int_equal(ui->screen, SCREEN_GLOSSARY);
        assert_true(drive_shows(ui, "5 terms"));
        assert_false(drive_shows(ui, "On this step"));
        drive_press(ui, ways[i]);
        assert_int_equal(ui->screen, SCREEN_HOME);
        assert_int_equal(ui->home.selected, 1);
    }
    drive_lesson(ui);
    drive_to(ui, "the-map");
    ui->course.scroll = 2;
    ui_draw(ui);
    const char *step = course_page(ui)->step_id;
    struct digest before = player_digest(ui->course.player);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        drive_press(ui, 'w');
        drive_press(ui, 'j');
        drive_press(ui, LKEY_TAB);
        drive_press(ui, LKEY_TAB);
        drive_press(ui, ways[i]);
        assert_int_equal(ui->screen, SCREEN_LESSON);
        assert_ptr_equal(course_page(ui)->step_id, step);
        assert_int_equal(ui->course.scroll, 2);
        assert_true(digest_equal(before, player_digest(ui->course.player)));
    }
    drive_close(ui);
}

static void terms_of_the_step_come_first(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_lesson(ui);
    drive_to(ui, "the-map");
    size_t words = 0, found[8];
    drive_press(ui, 'w');
    const struct glossary_screen *s = ui->glossary;
    ui->screen = SCREEN_LESSON;
    words = glossary_in_text(s->glossary, course_page(ui)->say, found, 8);
    ui->screen = SCREEN_GLOSSARY;
    assert_true(words > 0);
    assert_true(s->heres >= words);
    assert_int_equal(s->rows, s->heres + 5);
    assert_int_equal(s->selected, 0);
    assert_true(drive_shows(ui, "On this step"));
    assert_true(drive_shows(ui, "All terms"));
    drive_press(ui, 'G');
    assert_string_equal(selected(ui), "zone");
    drive_press(ui, 'g');
    assert_int_equal(s->selected, 0);
    drive_close(ui);
}

static void a_search_filters_by_any_name(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_press(ui, 'w');
    drive_press(ui, '/');
    drive_type(ui, "Vnod");
    assert_string_equal(selected(ui), "token");
    assert_int_equal(ui->glossary->rows, 1);
    drive_type(ui, "q"); /* letters are letters here */
    assert_string_equal(selected(ui), "");
    assert_true(drive_shows(ui, "No term has that name."));
    drive_press(ui, LKEY_TAB);
    drive_press(ui, LKEY_ENTER);
    drive_press(ui, LKEY_ENTER);
    drive_press(ui, LKEY_TAB);
    drive_press(ui, 'D');
    drive_press(ui, LKEY_ESCAPE); /* out of what the last key said, or of the search */
    drive_press(ui, LKEY_ESCAPE);
    ui->screen = SCREEN_GLOSSARY;
    drive_press(ui, '/');
    drive_press(ui, LKEY_BACKSPACE);
    drive_type(ui, "s");
    drive_press(ui, LKEY_DOWN);
    drive_press(ui, LKEY_UP);
    drive_type(ui, "ta");
    assert_string_equal(selected(ui), "stale map");
    drive_press(ui, LKEY_ENTER); /* the list stays filtered */
    assert_int_equal(ui->glossary->rows, 1);
    drive_press(ui, LKEY_ESCAPE); /* and is whole again, at the same term */
    assert_int_equal(ui->screen, SCREEN_GLOSSARY);
    assert_int_equal(ui->glossary->rows, 5);
    assert_string_equal(selected(ui), "stale map");
    drive_close(ui);
}

static void see_leads_on_and_back(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_press(ui, 'w');
    drive_press(ui, 'j');
    assert_string_equal(selected(ui), "slot");
    drive_press(ui, '2');
    assert_string_equal(selected(ui), "stale map");
    drive_press(ui, LKEY_RIGHT);
    assert_string_equal(selected(ui), "slot");
    drive_press(ui, LKEY_ENTER);
    assert_string_equal(selected(ui), "shard");
    drive_press(ui, LKEY_LEFT);
    drive_press(ui, 'b');
    drive_press(ui, LKEY_BACKSPACE);
    assert_string_equal(selected(ui), "slot");
    drive_press(ui, 'b');
    assert_string_equal(selected(ui), "slot");
    drive_press(ui, 'G');
    drive_press(ui, LKEY_ENTER);
    assert_true(drive_shows(ui, "No term stands under See here."));
    for (int i = 0; i < 2 * GLOSSARY_TRAIL_MAX; i++) {
        drive_press(ui, i == 0 ? 'g' : '1');
    }
    assert_int_equal(ui->glossary->trails, GLOSSARY_TRAIL_MAX);
    drive_close(ui);
}

static void o_opens_the_part(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_press(ui, 'w');
    drive_press(ui, 'o');
    assert_int_equal(ui->screen, SCREEN_LESSON);
    assert_string_equal(ui->course.id, DRIVE_LESSON);
    course_forward(ui);
    const char *step = course_page(ui)->step_id;
    drive_press(ui, 'w'); /* this very part: back to the step */
    drive_press(ui, 'o');
    assert_ptr_equal(course_page(ui)->step_id, step);
    drive_press(ui, 'w');
    while (strcmp(selected(ui), "token") != 0) {
        drive_press(ui, 'j');
    }
    drive_press(ui, 'o');
    assert_true(drive_shows(ui, "The part that teaches it is not here."));
    drive_close(ui);
}

static void the_picture_has_the_whole_screen(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    drive_press(ui, 'w');
    drive_press(ui, 'j');
    drive_press(ui, 'j');
    drive_press(ui, LKEY_TAB);
    assert_true(drive_shows(ui, "stale map: Trace"));
    assert_false(drive_shows(ui, "5 terms in"));
    int64_t at = ui->glossary->view.selected;
    drive_press(ui, LKEY_UP);
    assert_int_not_equal(ui->glossary->view.selected, at);
    drive_press(ui, 'D');
    assert_true(drive_shows(ui, "The picture in words"));
    drive_press(ui, LKEY_ESCAPE);
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->screen, SCREEN_GLOSSARY);
    assert_false(ui->glossary->whole);
    drive_close(ui);
}

/* Time of a lesson stands meanwhile; the picture comes while nothing else goes on. */
static void pictures_are_made_in_pieces(void **state)
{
    (void)state;
    struct ui *ui = open_home(usual);
    ui->options.no_motion = false;
    drive_press(ui, 'w'); /* shard: a minute of the story */
    assert_true(play_running(ui));
    assert_true(drive_shows(ui, "The story plays to 20:01:00"));
    for (int i = 0; i < 2000 && play_running(ui); i++) {
        play_tick(ui, 33333);
    }
    assert_false(play_running(ui));
    assert_true(drive_shows(ui, "S0"));
    drive_press(ui, 'j'); /* a quiet world: there at once */
    assert_false(play_running(ui));
    drive_press(ui, 'k'); /* the story is kept */
    assert_false(play_running(ui));
    drive_press(ui, 'w');
    assert_false(play_running(ui));
    drive_close(ui);
}

static void one_way_to_a_picture(void **state)
{
    (void)state;
    struct err err = {.text = ""};
    struct glossary *g = glossary_parse(text, strlen(text), "t");
    struct glossary_stage *s = glossary_stage_new(), *again = glossary_stage_new();
    assert_true(glossary_good(g, &err));
    glossary_judge_pictures(g, &(struct glossary_judge){glossary_stage_can_show, s});
    assert_int_equal(g->faults, 0);
    for (size_t i = 0; i < g->count; i++) { /* in another order, from what is kept or not */
        const struct glossary_entry *e = &g->entry[g->count - 1 - i];
        struct str a = STR_EMPTY, b = STR_EMPTY;
        struct view_state v = {.argument = ""};
        assert_true(glossary_stage_can_show(s, e, &err));
        assert_true(glossary_stage_can_show(again, e, &err));
        glossary_stage_view(s)->tell(&a, glossary_stage_scene(s), &v);
        glossary_stage_view(s)->tell(&b, glossary_stage_scene(again), &v);
        assert_true(a.length > 0);
        assert_string_equal(str_text(&a), str_text(&b));
        str_free(&a);
        str_free(&b);
    }
    glossary_stage_free(s);
    glossary_stage_free(again);
    glossary_free(g);
}

static void refused(const char *rest, const char *why)
{
    struct err err = {.text = ""};
    struct str entry = STR_EMPTY;
    str_addf(&entry, "term: a\npart: 1\nsay: One. Two.\n%s\n", rest);
    struct glossary *g = glossary_parse(str_text(&entry), entry.length, "t");
    struct glossary_stage *s = glossary_stage_new();
    glossary_judge_pictures(g, &(struct glossary_judge){glossary_stage_can_show, s});
    assert_false(glossary_good(g, &err));
    if (!strstr(err.text, why)) {
        fail_msg("\"%s\" is not in \"%s\"", why, err.text);
    }
    assert_int_equal(glossary_stage_state(s), STAGE_EMPTY);
    glossary_stage_free(s);
    glossary_free(g);
    str_free(&entry);
}

static void pictures_that_cannot_be_are_refused(void **state)
{
    (void)state;
    refused("show: slotmap", "t:4: show: there is no picture \"slotmap\", did you mean slot_map?");
    refused("show: heat", "a lesson's");
    refused("show: vectors", "a lesson's");
    refused("show: ring", "say settings for it");
    refused("show: ring\nsettings: scheme slots", "does not fit the scheme slots");
    refused("show: ring\nsettings: scheme rong", "settings: ");
    refused("show: ring\nsettings: scheme ring, weight S9 200", "settings: ");
    refused("show: maps\ndo: move 12067 S63", "do: \"move 12067 S63\": ");
    refused("show: bars\ndo: flow read p:* 10000 poisson over 9000", "do: ");
}

static void faults_are_told(void **state)
{
    (void)state;
    write_glossary("term: slot\npart: 1\nsay: One.\nshow: bars\n");
    struct ui *ui = drive_open(usual);
    drive_press(ui, 'w');
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_true(drive_shows(ui, "What went wrong"));
    drive_close(ui);
    write_glossary("term: slot\npart: 1\nsay: One. Two.\nshow: nothing\n");
    ui = drive_open(usual);
    drive_press(ui, 'w');
    assert_true(drive_shows(ui, "there is no picture \"nothing\""));
    drive_press(ui, LKEY_TAB);
    drive_press(ui, 'D');
    assert_true(drive_shows(ui, "There is no picture to put into words."));
    drive_press(ui, '+');
    drive_close(ui);
}

static void any_key_at_any_size(void **state)
{
    (void)state;
    static const uint32_t keys[] = {'j',
                                    'k',
                                    'g',
                                    'G',
                                    '/',
                                    's',
                                    'z',
                                    LKEY_ENTER,
                                    'l',
                                    'h',
                                    '1',
                                    '2',
                                    LKEY_TAB,
                                    LKEY_ESCAPE,
                                    'D',
                                    '?',
                                    LKEY_DOWN,
                                    LKEY_UP,
                                    LKEY_RIGHT,
                                    LKEY_LEFT,
                                    '+',
                                    '-',
                                    LKEY_BACKSPACE,
                                    LKEY_PAGE_DOWN,
                                    LKEY_PAGE_UP,
                                    'q',
                                    'w',
                                    'o',
                                    'b'};
    static const struct drive_size sizes[] = {
        {80, 24, GLYPHS_ASCII}, {200, 60, GLYPHS_UTF8}, {1, 1, GLYPHS_UTF8}};
    struct prng random = prng_seeded(3, "glossary");
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct ui *ui = open_home(sizes[i]);
        for (int n = 0; n < RANDOM_KEYS; n++) {
            drive_press(ui, keys[prng_below(&random, sizeof keys / sizeof keys[0])]);
            ui->quit = false;
            if (ui->screen == SCREEN_HOME && ui->popups == 0) {
                drive_press(ui, 'w');
            }
        }
        drive_close(ui);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_looks_like_this),
        cmocka_unit_test(it_leads_back_to_the_very_place),
        cmocka_unit_test(terms_of_the_step_come_first),
        cmocka_unit_test(a_search_filters_by_any_name),
        cmocka_unit_test(see_leads_on_and_back),
        cmocka_unit_test(o_opens_the_part),
        cmocka_unit_test(the_picture_has_the_whole_screen),
        cmocka_unit_test(pictures_are_made_in_pieces),
        cmocka_unit_test(one_way_to_a_picture),
        cmocka_unit_test(pictures_that_cannot_be_are_refused),
        cmocka_unit_test(faults_are_told),
        cmocka_unit_test(any_key_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
