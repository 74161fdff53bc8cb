/* The text pane: the question stays in sight, the learner's answer stays beside the truth. */
#include "scenes.h"
#include "view/lesson_text.h"

static const char say[] =
    "R5 keeps its *own copy* of the [[map]]. Slot 12067 moved while R5 was deaf, "
    "so its copy says `S2` where the directory says `S4`.\n\n"
    "Somebody reads `post:{p9}` through R5 now.";

static struct page question_page(void)
{
    struct page page = {.say = say, .after = "", .task = "", .key = "post:{p9}", .steps = 14};
    page.question = (struct page_question){
        .id = "p1-extra-hop",
        .kind = QUESTION_CHOICE,
        .state = QUESTION_OPEN,
        .ask = "How many shards does the request touch?",
        .unit = "",
        .choice = {{.text = "One."},
                   {.text = "Two: the old owner first, then the one that it names."},
                   {.text = "None. R5 answers from its map."}},
        .choices = 3,
        .answer = "",
        .hint = {"Who finds out first that the map is old?", "S2 has a row for the slot."},
        .hints = 2,
    };
    return page;
}

static void judge(struct page *page, size_t chosen)
{
    struct page_question *q = &page->question;
    q->state = QUESTION_ANSWERED;
    q->judged = true;
    q->choice[chosen].chosen = true;
    q->choice[1].holds = true;
    q->right = chosen == 1;
    q->answer = chosen == 0 ? "1" : "2";
    q->truth = "2";
    q->feedback = q->right ? "S2's row says moved to S4, and R5 asks there."
                           : "R5 looks the slot up in its own copy, and that copy is old.";
    q->belief = q->right ? "" : "a router always knows";
    page->after = "The request took *one extra hop*. The next one takes none.";
    page->task = "Send another read through R5 and see.";
}

static void check(const struct page *page, const struct text_field *field, int scroll,
                  const char *name, int columns, int rows, enum glyphs glyphs)
{
    char file[128];
    struct str dump = STR_EMPTY;
    struct canvas *c = canvas_new(columns, rows);
    canvas_set_glyphs(c, glyphs);
    int lines = lesson_text_draw(c, page, field, scroll);
    assert_int_equal(lines, lesson_text_rows(page, field, columns));
    canvas_dump(c, &dump);
    canvas_free(c);
    (void)snprintf(file, sizeof file, "text_%s_%dx%d_%s", name, columns, rows,
                   glyphs == GLYPHS_UTF8 ? "utf8" : "ascii");
    golden_text(file, str_text(&dump));
    str_free(&dump);
}

static void an_open_question(void **state)
{
    (void)state;
    struct page page = question_page();
    check(&page, NULL, -1, "open", 36, 19, GLYPHS_UTF8);
    check(&page, NULL, -1, "open", 54, 25, GLYPHS_UTF8);
    check(&page, NULL, -1, "open", 120, 25, GLYPHS_UTF8);
    page.question.hints_shown = 2;
    check(&page, NULL, -1, "hints", 36, 19, GLYPHS_UTF8);
    check(&page, NULL, 0, "hints_top", 36, 19, GLYPHS_ASCII);
}

static void the_ask_stays_in_sight_however_small_the_pane(void **state)
{
    (void)state;
    struct page page = question_page();
    page.question.hints_shown = 2;
    for (int rows = 3; rows < 30; rows++) {
        struct str dump = STR_EMPTY;
        struct canvas *c = canvas_new(36, rows);
        lesson_text_draw(c, &page, NULL, -1);
        canvas_dump_text(c, &dump);
        assert_contains(str_text(&dump), "How many shards does the request");
        str_free(&dump);
        canvas_free(c);
    }
}

static void a_wrong_answer_beside_the_truth(void **state)
{
    (void)state;
    struct page page = question_page();
    judge(&page, 0);
    check(&page, NULL, -1, "wrong", 36, 19, GLYPHS_UTF8);
    check(&page, NULL, -1, "wrong", 54, 25, GLYPHS_UTF8);
    check(&page, NULL, -1, "wrong", 54, 25, GLYPHS_ASCII);
    check(&page, NULL, 3, "wrong_up", 36, 12, GLYPHS_UTF8);
}

static void a_right_answer_and_a_met_task(void **state)
{
    (void)state;
    struct page page = question_page();
    judge(&page, 1);
    page.task_met = true;
    page.last = true;
    check(&page, NULL, -1, "right", 54, 25, GLYPHS_UTF8);
    page.task_met = false;
    page.task_skipped = true;
    check(&page, NULL, -1, "skipped_task", 54, 25, GLYPHS_UTF8);
}

static void a_typed_answer(void **state)
{
    (void)state;
    struct page page = question_page();
    page.question.kind = QUESTION_NUMBER;
    page.question.ask = "Which slot is `post:{p9}` in?";
    page.question.unit = "slot";
    page.question.choices = 0;
    struct text_field field = {.text = "1206", .cursor = 2, .active = true};
    check(&page, &field, -1, "typing", 36, 19, GLYPHS_UTF8);

    struct canvas *c = canvas_new(36, 19);
    int x = -1, y = -1;
    lesson_text_draw(c, &page, &field, -1);
    assert_true(canvas_cursor_at(c, &x, &y));
    assert_int_equal(x, 5); /* behind "12" of the line that starts with the mark */
    canvas_free(c);

    page.question.state = QUESTION_ANSWERED;
    page.question.judged = true;
    page.question.answer = "12,068";
    page.question.truth = "12,067";
    page.question.feedback = "CRC16 of the tag, mod 16384.";
    page.question.belief = "";
    check(&page, NULL, -1, "typed_wrong", 36, 19, GLYPHS_ASCII);
}

static void digits_typed_mark_several_choices(void **state)
{
    (void)state;
    struct page page = question_page();
    page.question.kind = QUESTION_SEVERAL;
    struct text_field field = {.text = "1 3", .cursor = 3, .active = true};
    check(&page, &field, -1, "several", 36, 20, GLYPHS_UTF8);
}

/* Each choice is marked, also the one that was missed. */
static void a_missed_choice_is_marked(void **state)
{
    (void)state;
    struct page page = question_page();
    page.question.kind = QUESTION_SEVERAL;
    page.question.state = QUESTION_ANSWERED;
    page.question.judged = true;
    page.question.choice[0].chosen = page.question.choice[0].holds = true;
    page.question.choice[1].chosen = true;
    page.question.choice[1].holds = false;
    page.question.choice[2].chosen = false;
    page.question.choice[2].holds = true;
    page.question.feedback = "You missed 3, and 2 does not hold.";
    check(&page, NULL, -1, "missed", 36, 20, GLYPHS_UTF8);
    check(&page, NULL, -1, "missed", 36, 20, GLYPHS_ASCII);
}

/* --- explanations --- */

static struct page explanation_page(void)
{
    struct page page = question_page();
    page.question = (struct page_question){
        .id = "p1-tell",
        .kind = QUESTION_EXPLAIN,
        .state = QUESTION_OPEN,
        .ask = "Tell a colleague why the request took one more hop.",
        .unit = "",
        .choice = {{.text = "the router's copy was old"},
                   {.text = "the shard that lost the slot says who has it"}},
        .choices = 2,
        .answer = "",
        .truth = "",
        .hint = {"Begin with the router."},
        .hints = 1,
    };
    return page;
}

static void tell(struct page *page)
{
    struct page_question *q = &page->question;
    q->state = QUESTION_ANSWERED;
    q->judged = true;
    q->answer = "the map was old";
    q->truth = "R5 looked into its *own copy*, and `S2` sent it on to S4.";
    q->choice[0].chosen = true;
}

static void an_explanation_hides_its_points_until_it_is_given(void **state)
{
    (void)state;
    struct page page = explanation_page();
    check(&page, NULL, -1, "explain_open", 36, 19, GLYPHS_UTF8);
    struct text_field field = {"the map of R5 was old, and nobody had told it so far", 20, true};
    check(&page, &field, -1, "explain_typing", 36, 19, GLYPHS_UTF8);
    check(&page, &field, -1, "explain_typing", 54, 25, GLYPHS_ASCII);
    page.question.hints_shown = 1;
    check(&page, NULL, -1, "explain_hint", 36, 19, GLYPHS_UTF8);
}

static void an_explanation_is_marked_beside_a_good_one(void **state)
{
    (void)state;
    struct page page = explanation_page();
    tell(&page);
    check(&page, NULL, -1, "explain_marked", 36, 25, GLYPHS_UTF8);
    check(&page, NULL, -1, "explain_marked", 54, 25, GLYPHS_ASCII);
    page.question.answer = "";
    check(&page, NULL, -1, "explain_aloud", 36, 19, GLYPHS_UTF8);
    page.question.state = QUESTION_SKIPPED;
    page.question.choice[0].chosen = false;
    check(&page, NULL, -1, "explain_shown", 36, 25, GLYPHS_UTF8);
}

/* Any text and any width: the field takes its lines, and the cursor is on the screen. */
static void what_is_typed_takes_the_lines_it_needs(void **state)
{
    (void)state;
    struct page page = explanation_page();
    static const char text[] =
        "ab \xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80 e\xCC\x81 and more of it, to the end";
    int before = 0;
    for (int columns = 80; columns >= 3; columns--) {
        for (size_t cursor = 0; cursor <= sizeof text; cursor += 3) {
            struct text_field field = {text, cursor, true};
            struct canvas *c = canvas_new(columns, 200);
            int rows = lesson_text_draw(c, &page, &field, 0);
            assert_true(rows >= before || columns == 80);
            before = cursor + 3 > sizeof text ? rows : before;
            canvas_free(c);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_question),
        cmocka_unit_test(the_ask_stays_in_sight_however_small_the_pane),
        cmocka_unit_test(a_wrong_answer_beside_the_truth),
        cmocka_unit_test(a_right_answer_and_a_met_task),
        cmocka_unit_test(a_typed_answer),
        cmocka_unit_test(digits_typed_mark_several_choices),
        cmocka_unit_test(a_missed_choice_is_marked),
        cmocka_unit_test(an_explanation_hides_its_points_until_it_is_given),
        cmocka_unit_test(an_explanation_is_marked_beside_a_good_one),
        cmocka_unit_test(what_is_typed_takes_the_lines_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
