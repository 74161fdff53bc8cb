/* Workers at a barrier: bars on one scale, who is slowest, and no times while a question is open.
 */
#include "scenes.h"

static void add_deal(struct page_workers *w, const char *label, struct keyset *items,
                     struct deal_params params)
{
    struct err err = {""};
    struct page_deal *one = &w->deal[w->deals++];
    one->label = label;
    params.hash = HASH_MURMUR3;
    if (!deal_make(&one->deal, items, params, &err)) {
        fail_msg("%s", err.text);
    }
}

static struct keyset *files(void)
{
    struct keyset *items = keyset_new();
    struct err err;
    struct deal_work work = {
        .count = 800, .low = 10, .high = 20, .long_pct = 10, .longer = 10, .run = 40, .seed = 3};
    assert_true(deal_work(items, work, &err));
    return items;
}

static void stage_two(struct stage *st, struct page_workers *w)
{
    struct keyset *items = files();
    stage_new(st, NULL);
    *w = (struct page_workers){.title = "An epoch of 800 files", .unit = "MB"};
    add_deal(w, "by rows", items, (struct deal_params){.by = DEAL_ROWS, .workers = 8});
    add_deal(w, "who is free", items,
             (struct deal_params){.by = DEAL_STEAL, .workers = 8, .pieces = 160});
    keyset_free(items);
    st->page.workers = w;
}

static void one_waits_for_the_slowest(void **state)
{
    (void)state;
    static struct page_workers w;
    struct stage st;
    stage_two(&st, &w);
    struct view_state v = {.argument = ""};
    scene_goldens(&st.scene, "workers", &v, "workers");
    scene_golden(&st.scene, "workers", &v, "workers", 30, 6, GLYPHS_ASCII);
    char *told = scene_told(&st.scene, "workers", &v);
    assert_contains(told,
                    "An epoch of 800 files\nby rows: 800 items, 8 workers; in all 20,046 MB;");
    assert_contains(told, "barrier at 7,729 MB,\n  67.6% waiting.\n");
    assert_contains(told, "  W2: 100 items, done at 7,729 MB, the slowest.\n");
    assert_contains(told, "  W3: 100 items, done at 1,472 MB, waits 6,257.\n");
    assert_contains(told, "who is free: 800 items in 160 pieces, 8 workers;");
    assert_plain(told, 78);
    free(told);
    stage_free(&st);
}

/* The bar of half the work is half as long, on whichever deal: read off the cells. */
static void bars_have_one_scale(void **state)
{
    (void)state;
    static struct page_workers w;
    struct stage st;
    stage_two(&st, &w);
    struct view_state v = {.argument = ""};
    struct canvas *c = canvas_new(100, 25);
    scene_draw(&st.scene, &view_workers, &v, c, false);
    int rows = 0;
    for (int y = 0; y < 25; y++) {
        struct canvas_cell cell;
        canvas_cell_at(c, 0, y, &cell);
        if (strcmp(cell.text, "W") != 0 || y == 24) {
            continue;
        }
        const struct deal *d = &w.deal[rows / 8].deal;
        int full = 0, idle = 0;
        for (int x = 4; x < 100; x++) {
            canvas_cell_at(c, x, y, &cell);
            full += strcmp(cell.text, "█") == 0;
            idle += strcmp(cell.text, "░") == 0;
        }
        int bar = 100 - 4 - 6; /* beside "7,729" */
        uint64_t finish = d->worker[rows % 8].finish;
        int wanted = (int)(finish * (uint64_t)(bar - 1) / w.deal[0].deal.barrier);
        assert_in_range(full, wanted - 1, wanted + 1);
        int waits = (int)((d->barrier - finish) * (uint64_t)(bar - 1) / w.deal[0].deal.barrier);
        assert_in_range(idle + 1, waits, waits + 2);
        rows++;
    }
    assert_int_equal(rows, 16);
    canvas_free(c);
    stage_free(&st);
}

static void no_times_before_the_answer(void **state)
{
    (void)state;
    static struct page_workers w;
    struct stage st;
    stage_two(&st, &w);
    w.hidden = true;
    struct view_state v = {.argument = ""};
    scene_golden(&st.scene, "workers", &v, "workers_open", 40, 19, GLYPHS_UTF8);
    char *told = scene_told(&st.scene, "workers", &v);
    assert_null(strstr(told, "barrier"));
    assert_null(strstr(told, "slowest"));
    assert_null(strstr(told, "waits"));
    assert_contains(told, "  W2: 100 items.\n");
    assert_contains(told, "  W2: takes the next piece when it is free.\n");
    free(told);
    for (int columns = 30; columns <= 122; columns += 46) {
        char *text = scene_text(&st.scene, "workers", &v, columns, 19, true);
        assert_null(strstr(text, "7,729"));
        assert_null(strstr(text, "█"));
        free(text);
    }
    stage_free(&st);
}

/* Each worker of each deal can be reached and is then in sight, however small the pane. */
static void every_worker_can_be_reached(void **state)
{
    (void)state;
    static struct page_workers w;
    struct stage st;
    struct keyset *items = files();
    stage_new(&st, NULL);
    w = (struct page_workers){.title = "t", .unit = ""};
    for (int i = 0; i < PAGE_DEALS_MAX; i++) {
        add_deal(&w, "so", items, (struct deal_params){.by = DEAL_TURN, .workers = 20});
    }
    keyset_free(items);
    st.page.workers = &w;
    struct view_state v = {.argument = ""};
    assert_true(view_workers.move(&v, &st.scene, VERB_FIRST, 40, 12));
    for (int deal = 0; deal < PAGE_DEALS_MAX; deal++) {
        int seen = 0;
        do {
            char wanted[16];
            char *text = scene_text(&st.scene, "workers", &v, 40, 12, true);
            snprintf(wanted, sizeof wanted, "W%d ", ++seen);
            assert_contains(text, wanted);
            free(text);
        } while (view_workers.move(&v, &st.scene, VERB_DOWN, 40, 12));
        assert_int_equal(seen, 20);
        view_workers.move(&v, &st.scene, VERB_FIRST, 40, 12);
        assert_int_equal(view_workers.move(&v, &st.scene, VERB_RIGHT, 40, 12),
                         deal + 1 < PAGE_DEALS_MAX);
    }
    stage_free(&st);
}

static void a_page_without_any(void **state)
{
    (void)state;
    struct stage st;
    stage_new(&st, NULL);
    struct view_state v = {.argument = ""};
    char *told = scene_told(&st.scene, "workers", &v);
    assert_string_equal(told, "Nothing is dealt on this page.\n");
    free(told);
    assert_false(view_workers.move(&v, &st.scene, VERB_DOWN, 40, 12));
    stage_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_waits_for_the_slowest),  cmocka_unit_test(bars_have_one_scale),
        cmocka_unit_test(no_times_before_the_answer), cmocka_unit_test(every_worker_can_be_reached),
        cmocka_unit_test(a_page_without_any),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
