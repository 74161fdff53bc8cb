/*
 * Breaking a protocol: the session as a value, and its screen: what a rule that is off comes to,
 * walking the steps, the rules put back, searches that are stopped, any key at any size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/check/check_screen.h"
#include "base/alloc.h"
#include "base/prng.h"
#include "check/models.h"
#include "drive.h"
#include "engine/world.h"
#include "golden.h"
#include "sanitized.h"

#define RANDOM_KEYS (BRIEF ? 75 : 500)

static const struct drive_size usual = {80, 24, GLYPHS_UTF8};

static uint32_t rule_of(const struct check_model *model, const char *name)
{
    uint32_t bit = 0;
    assert_true(check_rule_by_name(model, name, &bit));
    return bit;
}

static struct check_session open_without(const struct check_model *model, const char *rule)
{
    struct check_session s;
    check_session_open(&s, model, rule ? rule_of(model, rule) : 0, false);
    assert_true(check_session_found(&s));
    return s;
}

static bool says(void (*say)(const struct check_session *s, struct str *out),
                 const struct check_session *s, const char *text)
{
    struct str out = STR_EMPTY;
    say(s, &out);
    bool found = strstr(str_text(&out), text) != NULL;
    if (!found) {
        print_error("\"%s\" is not in: %s\n", text, str_text(&out));
    }
    str_free(&out);
    return found;
}

static bool step_says(const struct check_session *s, const char *text)
{
    struct str out = STR_EMPTY;
    check_session_say_step(s, true, &out);
    bool found = strstr(str_text(&out), text) != NULL;
    if (!found) {
        print_error("\"%s\" is not in: %s\n", text, str_text(&out));
    }
    str_free(&out);
    return found;
}

/* --- the session -------------------------------------------------------------------------------
 */

static void with_every_rule_nothing_fails(void **state)
{
    (void)state;
    for (size_t i = 0; check_model_at(i); i++) {
        struct check_session s = open_without(check_model_at(i), NULL);
        assert_int_equal(s.found.result.verdict, CHECK_HOLDS);
        assert_int_equal(check_session_steps(&s), 0);
        assert_false(check_session_go(&s, 1));
        check_session_put_back(&s, true);
        assert_false(s.back);
        assert_null(check_session_world(&s));
        assert_true(says(check_session_say_verdict, &s, "With every rule nothing breaks"));
        check_session_close(&s);
    }
}

static void a_rule_that_is_off_is_missed(void **state)
{
    (void)state;
    struct check_told told;
    struct check_session s = open_without(&model_fence_and_flip, "fence");
    uint32_t steps = check_session_steps(&s);
    assert_true(check_session_fails(&s));
    assert_int_equal(steps, s.found.result.depth);
    assert_true(says(check_session_say_seen, &s, "shortest failure: 8 steps"));
    assert_true(says(check_session_say_verdict, &s, "Without *fence*: a read lacks a write"));
    assert_int_equal(s.step, 0);
    assert_true(step_says(&s, "Nothing has happened yet"));
    assert_int_equal(check_session_marks(&s, 1), 0);
    for (uint32_t step = 1; step <= steps; step++) {
        assert_true(check_session_go(&s, step));
        check_session_tell(&s, step, &told);
        assert_true(*told.actor && *told.action && *told.detail);
        unsigned marks = check_session_marks(&s, step);
        assert_int_equal(marks & STEP_BROKEN, step == steps ? STEP_BROKEN : 0);
        assert_int_equal(marks & STEP_PARTS, step == 4 ? STEP_PARTS : 0);
        assert_int_equal(marks & (STEP_NOW | STEP_TAKEN), STEP_NOW | STEP_TAKEN);
    }
    assert_false(check_session_go(&s, steps + 1));
    assert_int_equal(s.step, steps);
    assert_true(step_says(&s, "*Broken:* a read lacks a write"));
    assert_true(says(check_session_explain_step, &s, "a read returned 0, though 1 had been"));
    check_session_close(&s);
}

static void with_the_rules_back_it_stops_where_they_part(void **state)
{
    (void)state;
    struct check_told told;
    struct check_session s = open_without(&model_fence_and_flip, "fence");
    check_session_put_back(&s, true);
    assert_true(s.back);
    assert_int_equal(s.step, 4);
    assert_int_equal(check_session_steps(&s), 5);
    check_session_tell(&s, 4, &told);
    assert_string_equal(told.actor, "the directory");
    assert_true(step_says(&s, "This does not take place. *fence*: The source stops serving"));
    assert_true(says(check_session_say_seen, &s, "step 4 does not take place"));
    const struct world *stopped = check_session_world(&s);
    assert_true(check_session_go(&s, s.step + 1));
    assert_true(check_session_marks(&s, s.step) & STEP_END);
    assert_true(step_says(&s, "nothing is lost"));
    assert_true(world_now(check_session_world(&s)) > world_now(stopped));
    check_session_put_back(&s, false);
    assert_int_equal(s.step, 4);
    assert_ptr_equal(check_session_world(&s), s.found.less.film[s.step]);
    check_session_close(&s);
}

static void a_rule_that_is_not_missed_alone_says_who_does_its_work(void **state)
{
    (void)state;
    const struct check_model *model = &model_fence_and_flip;
    struct check_session s = open_without(model, "compare-before-fence");
    assert_int_equal(s.found.result.verdict, CHECK_HOLDS);
    assert_int_equal(s.found.instead, rule_of(model, "snapshot-position"));
    assert_true(says(check_session_say_verdict, &s,
                     "*compare-before-fence* alone is not missed in the small world: "
                     "*snapshot-position* does its work. Switch that off as well."));
    if (!BRIEF) {
        check_session_size(&s, true);
        assert_int_equal(s.found.scope.size, model->size_large);
        assert_true(says(check_session_say_verdict, &s, "not missed in the larger world either"));
    }
    check_session_toggle(&s, 4);
    assert_int_equal(check_session_without(&s),
                     rule_of(model, "snapshot-position") | rule_of(model, "compare-before-fence"));
    assert_true(check_session_fails(&s));
    assert_false(s.larger);
    check_session_close(&s);
}

/* Of each rule of each model: all of the way and of the way back can be told, and the world is
 * there wherever a film is. */
static void every_rule_can_be_walked(void **state)
{
    (void)state;
    for (size_t i = 0; check_model_at(i); i++) {
        const struct check_model *model = check_model_at(i);
        for (size_t rule = 0; model->rule[rule].name && (!BRIEF || rule < 2); rule++) {
            struct check_session s = open_without(model, model->rule[rule].name);
            assert_true(check_session_fails(&s) || s.found.instead != 0);
            assert_int_equal(s.found.filmed, check_session_fails(&s) && check_replay_can(model));
            for (int back = 0; back < 2 && check_session_fails(&s); back++) {
                check_session_put_back(&s, back == 1);
                for (uint32_t step = 0; step <= check_session_steps(&s); step++) {
                    struct str out = STR_EMPTY;
                    check_session_go(&s, step);
                    check_session_say_step(&s, false, &out);
                    check_session_explain_step(&s, &out);
                    assert_true(out.length > 40);
                    assert_int_equal(check_session_world(&s) != NULL, s.found.filmed);
                    str_free(&out);
                }
            }
            if (s.found.part.first.step > 0) { /* one rule was off: it is this one */
                assert_int_equal(s.found.stoppers, UINT32_C(1) << rule);
            }
            check_session_close(&s);
        }
    }
}

static bool is_same(const struct world *a, const struct world *b)
{
    return digest_equal(world_digest(a), world_digest(b));
}

static void assert_same_found(const struct check_found *a, const struct check_found *b)
{
    assert_int_equal(a->result.verdict, b->result.verdict);
    assert_int_equal(a->result.states, b->result.states);
    assert_int_equal(a->result.depth, b->result.depth);
    assert_int_equal(a->part.first.step, b->part.first.step);
    assert_int_equal(a->part.last.step, b->part.last.step);
    assert_int_equal(a->stoppers, b->stoppers);
    assert_int_equal(a->instead, b->instead);
    assert_int_equal(a->filmed, b->filmed);
    if (a->result.verdict == CHECK_FAILS) {
        assert_memory_equal(a->result.action, b->result.action,
                            a->result.depth * sizeof *a->result.action);
    }
    for (uint32_t i = 0; a->filmed && i < a->less.steps + 2; i++) {
        assert_true(is_same(a->less.film[i], b->less.film[i]));
        assert_true(is_same(a->full.film[i], b->full.film[i]));
    }
}

static void a_thread_finds_the_same(void **state)
{
    (void)state;
    static const char *const rules[] = {"fence", "slot-table-check", "compare-before-fence"};
    for (size_t i = 0; i < (BRIEF ? 1 : sizeof rules / sizeof *rules); i++) {
        struct check_session here = open_without(&model_fence_and_flip, rules[i]);
        struct check_session there;
        check_session_open(&there, &model_fence_and_flip, ~here.rules, true);
        check_session_wait(&there);
        assert_false(check_session_searches(&there));
        assert_same_found(&here.found, &there.found);
        check_session_close(&here);
        check_session_close(&there);
    }
}

static void a_search_that_is_stopped_promises_nothing(void **state)
{
    (void)state;
    struct check_session s;
    check_session_open(&s, &model_fence_and_flip, 0, true);
    check_session_size(&s, true); /* the one before is called off */
    assert_true(check_session_searches(&s));
    check_session_cancel(&s);
    assert_false(check_session_searches(&s));
    assert_int_equal(s.found.result.verdict, CHECK_CUT);
    assert_int_equal(s.found.result.cut, CUT_CANCELLED);
    assert_true(says(check_session_say_verdict, &s, "that is no promise"));
    assert_true(says(check_session_say_seen, &s, "stopped at"));
    assert_int_equal(check_session_steps(&s), 0);
    check_session_close(&s);
}

/* --- the screen --------------------------------------------------------------------------------
 */

/* Opening one reads all lessons: two serve all tests. */
struct screens {
    struct ui *utf8, *ascii;
};

static struct ui *open_home(struct drive_size size)
{
    drive_fresh_home();
    return drive_open(size);
}

static int open_screens(void **state)
{
    struct screens *s = xcalloc(1, sizeof *s);
    s->utf8 = open_home(usual);
    s->ascii = open_home((struct drive_size){80, 24, GLYPHS_ASCII});
    *state = s;
    return 0;
}

static int close_screens(void **state)
{
    struct screens *s = *state;
    drive_close(s->utf8);
    drive_close(s->ascii);
    free(s);
    return 0;
}

/* The course, and nothing was opened before. */
static struct ui *fresh(void **state, struct drive_size size)
{
    struct screens *s = *state;
    struct ui *ui = size.glyphs == GLYPHS_ASCII ? s->ascii : s->utf8;
    while (ui->popups > 0) {
        popup_close(ui);
    }
    check_screen_free(ui->check);
    ui->check = NULL;
    ui->screen = SCREEN_HOME;
    ui->quit = false;
    ui->options.no_motion = true;
    drive_input(ui, (struct term_input){
                        .kind = TERM_INPUT_RESIZE, .columns = size.columns, .rows = size.rows});
    return ui;
}

static void press_all(struct ui *ui, const char *ascii)
{
    for (; *ascii; ascii++) {
        drive_press(ui, *ascii == '\n' ? LKEY_ENTER : (uint32_t)(unsigned char)*ascii);
    }
}

static void open_protocol(struct ui *ui, const char *name)
{
    press_all(ui, "c");
    for (int i = 0; i < 30 && strcmp(ui->check->session.model->name, name) != 0; i++) {
        press_all(ui, "m");
    }
    assert_string_equal(ui->check->session.model->name, name);
}

static void golden_screen(struct ui *ui, const char *name)
{
    struct str dump = STR_EMPTY;
    ui_draw(ui);
    canvas_dump(ui->canvas, &dump);
    golden_text(name, str_text(&dump));
    str_free(&dump);
}

static void it_looks_like_this(void **state)
{
    static const char fence[] = "fence-and-flip", reads[] = "coalesce";
    static const struct {
        struct drive_size size;
        const char *protocol, *keys, *name;
    } screens[] = {
        {{80, 24, GLYPHS_UTF8}, fence, "", "check_open_80x24_utf8"},
        {{80, 24, GLYPHS_UTF8}, fence, " ", "check_rules_80x24_utf8"},
        {{80, 24, GLYPHS_UTF8}, fence, " \n    ", "check_step_80x24_utf8"},
        {{80, 24, GLYPHS_ASCII}, fence, " \nG", "check_broken_80x24_ascii"},
        {{80, 24, GLYPHS_UTF8}, fence, " \np ", "check_back_80x24_utf8"},
        {{80, 24, GLYPHS_UTF8}, reads, " \nG\t\t", "check_lanes_80x24_utf8"},
        {{80, 24, GLYPHS_ASCII}, reads, " \np\t\t", "check_lanes_back_80x24_ascii"},
        {{80, 24, GLYPHS_UTF8}, fence, "jjjjj ", "check_redundant_80x24_utf8"},
        {{100, 30, GLYPHS_UTF8}, fence, " \n    o", "check_run_100x30_utf8"},
        {{100, 30, GLYPHS_UTF8}, fence, " \n    ", "check_step_100x30_utf8"},
        {{200, 60, GLYPHS_UTF8}, reads, " \nG", "check_coalesce_200x60_utf8"},
        {{200, 60, GLYPHS_ASCII}, reads, "j \nG\t\t", "check_lanes_200x60_ascii"},
    };
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
        struct ui *ui = fresh(state, screens[i].size);
        open_protocol(ui, screens[i].protocol);
        press_all(ui, screens[i].keys);
        golden_screen(ui, screens[i].name);
    }
}

static void the_course_is_as_it_was(void **state)
{
    struct ui *ui = fresh(state, usual);
    struct str before = STR_EMPTY;
    struct str after = STR_EMPTY;
    canvas_dump(ui->canvas, &before);
    press_all(ui, "c ");
    assert_true(drive_shows(ui, "shortest failure: 8 steps"));
    drive_press(ui, LKEY_ESCAPE); /* the rules, then the screen */
    assert_int_equal(ui->screen, SCREEN_CHECK);
    drive_press(ui, LKEY_ESCAPE);
    assert_int_equal(ui->screen, SCREEN_HOME);
    ui_draw(ui);
    canvas_dump(ui->canvas, &after);
    assert_string_equal(str_text(&before), str_text(&after));
    press_all(ui, "c"); /* as it was left */
    assert_true(drive_shows(ui, "without: fence"));
    press_all(ui, "q");
    assert_int_equal(ui->screen, SCREEN_HOME);
    str_free(&before);
    str_free(&after);
}

static void a_step_names_its_protocol_and_rules(void **state)
{
    struct err err = {.text = ""};
    struct page_protocol protocol = {
        .name = "fence-and-flip", .without = {"drain-to-fence"}, .rules_off = 1};
    struct ui *ui = fresh(state, usual);
    assert_true(check_screen_open(ui, &protocol, &err));
    assert_true(drive_shows(ui, "without: drain-to-fence"));
    assert_true(drive_shows(ui, "Nothing has happened yet."));
    press_all(ui, "q");
    protocol = (struct page_protocol){.name = "fence-and-flop"};
    assert_false(check_screen_open(ui, &protocol, &err));
    assert_non_null(strstr(err.text, "\"fence-and-flop\", and there is none of that name"));
    assert_int_equal(ui->screen, SCREEN_HOME);
    protocol = (struct page_protocol){.name = "ask", .without = {"fence"}, .rules_off = 1};
    assert_false(check_screen_open(ui, &protocol, &err));
    assert_non_null(strstr(err.text, "ask has no rule \"fence\""));
}

static void a_run_goes_on_and_back(void **state)
{
    struct ui *ui = fresh(state, usual);
    press_all(ui, "c \n    o");
    const struct check_screen *s = ui->check;
    int64_t at = world_now(check_session_world(&s->session));
    assert_true(s->whole);
    press_all(ui, ".");
    assert_true(world_now(s->run.world) >= at);
    struct world *first = world_copy(s->run.world);
    press_all(ui, ".");
    assert_false(is_same(s->run.world, first));
    press_all(ui, ",");
    assert_true(is_same(s->run.world, first));
    world_free(first);
    press_all(ui, ",");
    press_all(ui, ",");
    assert_true(drive_shows(ui, "This is where the step has ended."));
    press_all(ui, ". ");
    assert_null(s->run.world);
    assert_int_equal(s->session.step, 5);
    press_all(ui, "\t\t\t\t\t\t"); /* the schedule itself */
    drive_press(ui, LKEY_ESCAPE);
    assert_false(s->whole);
}

static void time_goes_on_in_a_run(void **state)
{
    struct ui *ui = fresh(state, usual);
    press_all(ui, "c \n    o");
    ui->options.no_motion = false;
    int64_t at = world_now(check_session_world(&ui->check->session));
    press_all(ui, "p");
    assert_true(play_running(ui));
    play_tick(ui, 33000);
    assert_true(world_now(ui->check->run.world) > at);
    press_all(ui, "p");
    assert_false(play_running(ui));
}

static void words_tell_what_the_picture_shows(void **state)
{
    struct ui *ui = fresh(state, usual);
    press_all(ui, "cD");
    assert_true(drive_shows(ui, "Each rule forbids something."));
    drive_press(ui, LKEY_ESCAPE);
    press_all(ui, " \nG");
    drive_press(ui, LKEY_SHIFT_TAB); /* to the schedule itself */
    press_all(ui, "D");
    assert_true(drive_shows(ui, "3. the mover copies the slot to B."));
    drive_press(ui, LKEY_ESCAPE);
    press_all(ui, "e");
    assert_true(drive_shows(ui, "What happened in the world that plays it"));
    drive_press(ui, LKEY_ESCAPE);
    press_all(ui, "re");
    assert_true(drive_shows(ui, "It is switched off."));
}

/* --- a search under way ------------------------------------------------------------------------
 */

/* The largest search there is, on a thread: long enough to be met on its way. */
static struct ui *search_in(struct ui *ui)
{
    open_protocol(ui, "ask");
    ui->options.no_motion = false;
    ui->check->session.threads = true;
    press_all(ui, "+");
    assert_true(check_session_searches(&ui->check->session));
    assert_true(play_running(ui));
    return ui;
}

static void resize(struct ui *ui, int columns, int rows)
{
    drive_input(ui,
                (struct term_input){.kind = TERM_INPUT_RESIZE, .columns = columns, .rows = rows});
    play_tick(ui, 33000);
    ui_draw(ui);
}

static void a_search_can_be_resized_and_stopped(void **state)
{
    struct ui *ui = search_in(fresh(state, usual));
    assert_true(drive_shows(ui, "searching: "));
    resize(ui, 20, 5);
    resize(ui, 200, 60);
    resize(ui, 1, 1);
    resize(ui, 80, 24);
    press_all(ui, " "); /* on a rule: another search takes its place */
    while (check_session_searches(&ui->check->session)) {
        play_tick(ui, 33000);
    }
    assert_true(drive_shows(ui, "shortest failure"));
    press_all(ui, " +");
    drive_press(ui, LKEY_ESCAPE);
    assert_false(check_session_searches(&ui->check->session));
    assert_int_equal(ui->screen, SCREEN_CHECK);
    assert_true(drive_shows(ui, "The search was stopped."));
    assert_true(drive_shows(ui, "is no promise."));
    press_all(ui, "+"); /* once more */
    assert_true(check_session_searches(&ui->check->session));
    press_all(ui, "q");
    assert_int_equal(ui->screen, SCREEN_HOME);
    assert_false(play_running(ui));
}

static void leaving_the_program_ends_a_search(void **state)
{
    (void)state;
    drive_close(search_in(open_home(usual)));
}

static void any_key_at_any_size(void **state)
{
    static const char keys[] = "  \n\n\n\tbrrjkepoom+-,.[]pDGgxhlLw?q/c";
    static const struct drive_size sizes[] = {{80, 24, GLYPHS_UTF8},
                                              {20, 5, GLYPHS_UTF8},
                                              {100, 30, GLYPHS_ASCII},
                                              {81, 25, GLYPHS_ASCII},
                                              {200, 60, GLYPHS_UTF8}};
    struct prng random = prng_seeded(8, "keys");
    struct ui *ui = fresh(state, usual);
    press_all(ui, "c");
    for (int i = 0; i < RANDOM_KEYS; i++) {
        if (i % 25 == 0) {
            const struct drive_size *size = &sizes[i / 25 % 5];
            resize(ui, size->columns, size->rows);
        }
        if (ui->screen == SCREEN_HOME) {
            ui->quit = false;
            while (ui->popups > 0) {
                popup_close(ui);
            }
            press_all(ui, "c");
        }
        uint32_t key = prng_below(&random, 12) == 0
                           ? LKEY_ESCAPE
                           : (uint32_t)(unsigned char)keys[prng_below(&random, sizeof keys - 1)];
        if (key != '+' || prng_below(&random, 8) == 0) { /* it is the dearest by far */
            press_all(ui, (char[]){(char)key, '\0'});
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_every_rule_nothing_fails),
        cmocka_unit_test(a_rule_that_is_off_is_missed),
        cmocka_unit_test(with_the_rules_back_it_stops_where_they_part),
        cmocka_unit_test(a_rule_that_is_not_missed_alone_says_who_does_its_work),
        cmocka_unit_test(every_rule_can_be_walked),
        cmocka_unit_test(a_thread_finds_the_same),
        cmocka_unit_test(a_search_that_is_stopped_promises_nothing),
        cmocka_unit_test(it_looks_like_this),
        cmocka_unit_test(the_course_is_as_it_was),
        cmocka_unit_test(a_step_names_its_protocol_and_rules),
        cmocka_unit_test(a_run_goes_on_and_back),
        cmocka_unit_test(time_goes_on_in_a_run),
        cmocka_unit_test(words_tell_what_the_picture_shows),
        cmocka_unit_test(a_search_can_be_resized_and_stopped),
        cmocka_unit_test(leaving_the_program_ends_a_search),
        cmocka_unit_test(any_key_at_any_size),
    };
    return cmocka_run_group_tests(tests, open_screens, close_screens);
}
