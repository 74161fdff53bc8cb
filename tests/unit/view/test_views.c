/* What every view keeps at any size and in any state: no crash, nothing outside its frame, a
 * selection that exists, the same picture twice, and words that are plain. */
#include "across_stage.h"
#include "base/prng.h"
#include "placings.h"
#include "sanitized.h"
#include "story/play.h"
#include "view/help.h"
#include "view/inspect.h"
#include "view/lesson_text.h"
#include "view/plain.h"

#define ROUNDS 400
#define PLACED 6       /* the first view that draws scene.placing */
#define STORY_VIEWS 12 /* the first of those for the story's turns, and for the page's figures */
#define MOVE_VIEWS 21  /* the first of those for a slot on its way, to the last */
#define ACROSS_VIEWS                                                                               \
    27                   /* the first of those for what goes across shards and nodes, to the last  \
                          */
#define SYSTEMS_VIEWS 36 /* the first of those for systems that people run, to the last */
#define OUTSIDE 0x2588u  /* a full block, which no view draws as text */

static void the_table_is_complete(void **state)
{
    (void)state;
    const char *names[] = {"slot_map", "bars",      "trace",   "crc16",      "maps",    "grid",
                           "ring",     "ranges",    "maglev",  "rendezvous", "schemes", "layouts",
                           "top",      "waterfall", "cache",   "latency",    "bucket",  "counter",
                           "system",   "table",     "heat",    "move",       "log",     "tables",
                           "copies",   "dual",      "ask",     "scatter",    "zones",   "catalog",
                           "txn",      "replicas",  "nodes",   "store",      "phi",     "fleet",
                           "systems",  "parts",     "lineage", "machines",   "group",   "card",
                           "readout",  "workers",   "vectors", "worksheet",  "cheat"};
    size_t count = 0;
    for (; view_at(count) != NULL; count++) {
        const struct view *view = view_at(count);
        assert_ptr_equal(view_by_name(view->name), view);
        assert_true(view->min_rows >= 6 && view->title[0] != '\0');
    }
    assert_int_equal(count, sizeof names / sizeof names[0]);
    for (size_t i = 0; i < count; i++) {
        assert_non_null(view_by_name(names[i]));
    }
    assert_null(view_by_name("circle"));
}

static struct view_state random_state(struct prng *p)
{
    static const char *const arguments[] = {"",  "post:{p9}", "12067", "R5",   "S2", "1",
                                            "2", "99",        "R999",  "a{}b", NULL};
    struct view_state v = {.argument = arguments[prng_below(p, 11)]};
    v.has_selection = prng_chance(p, 1, 2);
    v.selected = (int64_t)prng_below(p, 70000) - 2000;
    if (prng_chance(p, 1, 20)) {
        v.selected = prng_chance(p, 1, 2) ? INT64_MAX : INT64_MIN;
    }
    v.scroll = (int64_t)prng_below(p, 3000) - 100;
    v.zoom = (int)prng_below(p, 6) - 1;
    v.diff = prng_chance(p, 1, 3);
    return v;
}

static bool subject_is_real(const struct scene *s, struct subject subject)
{
    struct str title = STR_EMPTY;
    inspect_title(&title, s, subject);
    bool real =
        subject.kind == SUBJECT_NONE || strcmp(str_text(&title), "Nothing is selected") != 0;
    str_free(&title);
    return real;
}

/* Draws into a frame in the middle of a marked canvas and looks at the margin afterwards. */
static void draw_inside(const struct scene *s, const struct view *view, const struct view_state *v,
                        struct prng *p)
{
    int columns = (int)prng_below(p, 300) + 1, rows = (int)prng_below(p, 100) + 1;
    if (prng_chance(p, 1, 3)) {
        columns = columns % 12 + 1;
        rows = rows % 6 + 1;
    }
    struct canvas *c = canvas_new(columns + 2, rows + 2);
    struct str first = STR_EMPTY, second = STR_EMPTY;
    canvas_set_glyphs(c, prng_chance(p, 1, 2) ? GLYPHS_UTF8 : GLYPHS_ASCII);
    bool focused = prng_chance(p, 1, 2);
    for (int i = 0; i < 2; i++) {
        canvas_clear(c);
        canvas_fill(c, (struct rect){0, 0, columns + 2, rows + 2}, STYLE_LIMIT, OUTSIDE);
        canvas_fill(c, (struct rect){1, 1, columns, rows}, STYLE_TEXT, ' ');
        canvas_push(c, (struct rect){1, 1, columns, rows});
        view->draw(c, s, v, focused);
        canvas_pop(c);
        canvas_dump(c, i == 0 ? &first : &second);
    }
    assert_string_equal(str_text(&first), str_text(&second));
    for (int y = 0; y < rows + 2; y++) {
        for (int x = 0; x < columns + 2; x++) {
            struct canvas_cell cell;
            bool margin = x == 0 || y == 0 || x == columns + 1 || y == rows + 1;
            canvas_cell_at(c, x, y, &cell);
            if (margin) {
                assert_int_equal(cell.style, STYLE_LIMIT);
            }
        }
    }
    str_free(&first);
    str_free(&second);
    canvas_free(c);
}

static void try_view(const struct scene *s, const struct view *view, struct prng *p)
{
    struct view_state v = random_state(p);
    draw_inside(s, view, &v, p);
    int columns = (int)prng_below(p, 120), rows = (int)prng_below(p, 40);
    for (int i = 0; i < 12; i++) {
        enum verb verb = (enum verb)prng_below(p, VERB_ZOOM_OUT + 1);
        struct view_state was = v;
        bool changed = view->move(&v, s, verb, columns, rows);
        assert_true(subject_is_real(s, view->subject(&v, s)));
        if (verb == VERB_NONE) {
            assert_false(changed);
            assert_int_equal(was.selected, v.selected);
        }
    }
    draw_inside(s, view, &v, p);
    struct str told = STR_EMPTY;
    view->tell(&told, s, &v);
    assert_true(told.length > 0);
    assert_plain(str_text(&told), 78);
    str_free(&told);
}

static void fill_grid(struct page_grid *g, struct prng *p)
{
    g->title = "two layouts of some keys";
    g->keys = prng_below(p, PAGE_GRID_KEYS_MAX) + 1;
    g->shards_before = 5;
    g->shards_after = 60;
    g->hidden = prng_chance(p, 1, 3);
    g->moved = 0;
    for (size_t i = 0; i < g->keys; i++) {
        g->before[i] = (uint16_t)prng_below(p, 5);
        g->after[i] = (uint16_t)prng_below(p, 60);
        g->moved += g->before[i] != g->after[i];
    }
}

/* Every scheme once, from few keys or none to many, growing, shrinking or as it was. */
static void placings_of_all_schemes(struct prng *p)
{
    for (size_t i = 0; scheme_at(i) != NULL; i++) {
        const char *scheme = scheme_at(i)->name;
        struct tried t;
        uint32_t tokens = strcmp(scheme, "maglev") == 0 ? 251 : (uint32_t)prng_below(p, 40) + 1;
        uint32_t from = (uint32_t)prng_below(p, 60) + 2, joining = (uint32_t)prng_below(p, 3);
        uint32_t to = prng_chance(p, 1, 3) ? REMOVES | (from - 1) : from + joining;
        tried_new(&t, scheme, tokens, from, to, prng_chance(p, 1, 6) ? 0 : prng_below(p, 3000));
        t.placing.hidden = prng_chance(p, 1, 3);
        t.placing.lookup = prng_chance(p, 1, 2) ? "k7" : "";
        for (int round = 0; round < ROUNDS / 20; round++) {
            try_view(&t.scene, view_at(PLACED + prng_below(p, 5)), p);
        }
        tried_free(&t);
    }
}

static void random_placings(void **state)
{
    (void)state;
    struct prng p = prng_seeded(4, "placings");
    struct page_experiment e = {.title = "many", .groups = PAGE_GROUPS_MAX};
    struct scene s = {.experiment = &e};
    placings_of_all_schemes(&p);
    for (int round = 0; round < ROUNDS / 4; round++) {
        e.groups = prng_below(&p, PAGE_GROUPS_MAX) + 1;
        for (size_t i = 0; i < e.groups; i++) {
            struct page_group *g = &e.group[i];
            g->label = "1,000 tokens";
            g->total = prng_below(&p, PAGE_LAYOUTS_MAX) + 1;
            g->done = prng_below(&p, g->total + 1);
            for (size_t j = 0; j < g->done; j++) {
                g->value[j] = 1000 + (uint32_t)prng_below(&p, 9000);
            }
        }
        try_view(&s, &view_layouts, &p);
    }
    for (size_t i = 0; view_at(i) != NULL; i++) { /* with nothing at all to show */
        s = (struct scene){0};
        try_view(&s, view_at(i), &p);
    }
}

static void random_sizes_states_and_verbs(void **state)
{
    (void)state;
    struct prng p = prng_seeded(2, "views");
    struct stage stage[3];
    stage_stale(&stage[0]);
    stage_measure(&stage[0]);
    stage_do(&stage[0], "request read post:{p9} via R5");
    stage_hot(&stage[1]);
    stage[1].page.key = "likes:{p9}";
    world_run_until(stage[1].world, world_now(stage[1].world) + 300 * US_PER_MS);
    stage_new(&stage[2], NULL);
    struct page_grid *grids = calloc(2, sizeof *grids);
    assert_non_null(grids);
    for (int i = 0; i < 2; i++) {
        fill_grid(&grids[i], &p);
        stage[2].page.grid[i] = &grids[i];
    }
    stage[2].page.grids = 2;
    for (int round = 0; round < ROUNDS; round++) {
        const struct scene *s = &stage[prng_below(&p, 3)].scene;
        size_t index = prng_below(&p, 6);
        try_view(s, view_at(index), &p);
    }
    for (int i = 0; i < 3; i++) {
        stage_free(&stage[i]);
    }
    free(grids);
}

static void fill_table_and_heat(struct page_table *t, struct page_heat *h, struct prng *p)
{
    t->columns = prng_below(p, PAGE_TABLE_COLUMNS_MAX) + 1;
    t->rows = prng_below(p, PAGE_TABLE_ROWS_MAX) + 1;
    t->hidden = prng_chance(p, 1, 3);
    h->rows = prng_below(p, PAGE_HEAT_ROWS_MAX) + 1;
    h->columns = prng_below(p, PAGE_HEAT_COLUMNS_MAX) + 1;
    for (size_t i = 0; i < t->columns; i++) {
        static const char *const words[] = {"", "a fix", "12,067", "what it needs, in some words",
                                            NULL};
        t->column[i] = words[prng_below(p, 5)];
        t->number[i] = prng_chance(p, 1, 2);
        for (size_t row = 0; row < t->rows; row++) {
            t->row[row].label = words[prng_below(p, 5)];
            t->row[row].cell[i] = words[prng_below(p, 5)];
            t->row[row].opens = prng_chance(p, 1, 2);
        }
    }
    for (size_t row = 0; row < h->rows; row++) {
        for (size_t column = 0; column < h->columns; column++) {
            h->value[row][column] = (uint16_t)prng_below(p, 1001);
        }
    }
}

/* Turns of the story, looked at by the views that were made for them. */
static void random_story_views(void **state)
{
    (void)state;
    static struct page_table t;
    static struct page_heat h;
    static const char *const arguments[] = {"",      "post:{p9}", "likes:{p9}", "nova",
                                            "reads", "p",         NULL};
    static const char *const acts[] = {NULL,
                                       "reads post:{p9} cached",
                                       "reads post:{p9} forget",
                                       "reads post:{p9} edge",
                                       "reads post:{p9} coalesced",
                                       "writes likes:{p9} salted 64",
                                       "crash R2 100",
                                       "writes likes:{p9} summed"};
    struct prng p = prng_seeded(5, "story views");
    struct story_play play;
    struct err err;
    assert_true(story_play_start(&play, 1, &err));
    for (size_t i = 0; story_events()[i].id != NULL; i++) {
        const struct story_event *event = &story_events()[i];
        if (event->copy || story_event_time(event) > STORY_START_US + 150 * US_PER_SECOND) {
            continue;
        }
        struct stage st;
        stage_new(&st, NULL);
        assert_true(story_play_until(&play, story_event_time(event), &err));
        st.world = world_copy(play.world);
        st.page.table = &t;
        st.page.heat = &h;
        for (size_t act = 0; act < sizeof acts / sizeof acts[0]; act++) {
            struct command command; /* not each can be done at each turn */
            if (acts[act] != NULL && command_parse(acts[act], &command, &err)) {
                (void)world_apply(st.world, &command, &err);
            }
            world_run_until(st.world, world_now(st.world) + (int64_t)prng_below(&p, 40000));
            fill_table_and_heat(&t, &h, &p);
            stage_measure(&st);
            for (size_t view = STORY_VIEWS; view < MOVE_VIEWS; view++) {
                st.page.key = arguments[1 + prng_below(&p, 2)];
                try_view(&st.scene, view_at(view), &p);
                struct view_state v = random_state(&p);
                v.argument = arguments[prng_below(&p, 7)];
                draw_inside(&st.scene, view_at(view), &v, &p);
            }
        }
        stage_free(&st);
    }
    story_play_end(&play);
}

/* A slot that moves in this way and that, looked at by the views that were made for it. */
static void random_move_views(void **state)
{
    (void)state;
    static const char *const acts[] = {"migrate 12067 S4 1MB 10MB",
                                       "migrate 12067 S4 1MB 10MB reverse",
                                       "fence 12067",
                                       "abort 12067",
                                       "rollback 12067",
                                       "cleanup 12067",
                                       "shift size tags:{p9} 40MB",
                                       "shift size media:{p9} 300MB",
                                       "shift 12067 S4 100",
                                       "shift 12067 stop",
                                       "shift 12067 finish",
                                       "dual 12067 S4",
                                       "dual 12067 S4 parallel",
                                       "dual 12067 S4 backfill 50",
                                       "dual 12067 stop",
                                       "switch 12067 reads",
                                       "switch 12067 done",
                                       "crash S2 20",
                                       "crash S4 20",
                                       "deaf R5 on",
                                       "request edit tags:{p9} via R5"};
    struct prng p = prng_seeded(6, "move views");
    struct stage st;
    stage_edited(&st);
    for (int round = 0; round < (SANITIZED ? ROUNDS / 8 : ROUNDS); round++) {
        struct command command;
        struct err err;
        const char *act = acts[prng_below(&p, sizeof acts / sizeof acts[0])];
        if (command_parse(act, &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each can be done now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 30000));
        size_t view = MOVE_VIEWS + prng_below(&p, 6);
        st.page.key = prng_chance(&p, 1, 2) ? "post:{p9}" : "";
        try_view(&st.scene, view_at(view), &p);
    }
    stage_free(&st);
}

static const char *const across_acts[] = {"query trending top 3 of likes:* bytes 20KB",
                                          "query trending hedge 3",
                                          "query trending timeout 8",
                                          "query total sum of likes:*",
                                          "gather trending via R3",
                                          "gather total via R1",
                                          "gather trending 500",
                                          "gather trending 0",
                                          "popular trending zone b every 20",
                                          "popular trending off",
                                          "times all 1 30",
                                          "times all off",
                                          "row alice 100",
                                          "txn 2pc via R2 take alice 30 give bob 30",
                                          "txn saga via R1 take alice 30 give bob 30 claim seat",
                                          "txn plain via R0 take alice 30 give bob 30",
                                          "coordinator dies voted 50",
                                          "coordinator dies told-one 50",
                                          "catalog riders async 30",
                                          "catalog riders local",
                                          "catalog riders unique",
                                          "put riders 1 rome via R0",
                                          "put riders 2 rome via R1",
                                          "put riders 1 a.longer@example.org via R2",
                                          "find riders rome via R0",
                                          "append P1 7 via N1",
                                          "append P1 8 via N3",
                                          "look P1 via N5 weak",
                                          "node N1 down",
                                          "node N1 up",
                                          "node N3 down",
                                          "node N3 up",
                                          "split N1 N2",
                                          "split N1 / N2 N3",
                                          "heal",
                                          "stand P2 N3",
                                          "beats 10 timeout 50",
                                          "beats 10 phi 8",
                                          "beats off",
                                          "recopy on",
                                          "recopy off",
                                          "node link 10MB",
                                          "store cart 3 2 2 sloppy",
                                          "set cart x 1 via N1",
                                          "set cart x 2 via N4",
                                          "get cart x via N2",
                                          "capacity 100",
                                          "gossip 20",
                                          "flow read post:{p9} 2000",
                                          "zone a down 30",
                                          "zone a up",
                                          "crash S2 20",
                                          "crash R2 20"};

/* Queries, transactions, catalogs, nodes, copies and routers, in any order, and cut short. */
static void random_across_views(void **state)
{
    (void)state;
    static const char *const arguments[] = {"",  "trending", "riders", "P2",   "cart:x",
                                            "2", "cart",     "N3",     "none", NULL};
    struct prng p = prng_seeded(7, "across views");
    struct stage st;
    stage_of(&st, "request like likes:{p1} via R0\n" SIX_NODES);
    for (int round = 0; round < (SANITIZED ? ROUNDS / 8 : 2 * ROUNDS); round++) {
        struct command command;
        struct err err;
        const char *act = across_acts[prng_below(&p, sizeof across_acts / sizeof across_acts[0])];
        if (command_parse(act, &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each can be done now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 40000));
        size_t view = ACROSS_VIEWS + prng_below(&p, 9);
        try_view(&st.scene, view_at(view), &p);
        struct view_state v = random_state(&p);
        v.argument = arguments[prng_below(&p, sizeof arguments / sizeof arguments[0])];
        draw_inside(&st.scene, view_at(view), &v, &p);
        draw_inside(&st.scene, &view_trace, &v, &p);
    }
    stage_free(&st);
}

static const char *const systems_acts[] = {"system all on",
                                           "system kinesis on 2",
                                           "system kafka on 12 5",
                                           "system all off",
                                           "system cassandra on",
                                           "system kinesis cut 0",
                                           "system kinesis cut 3",
                                           "system kinesis cut 5",
                                           "system kinesis join 0 1",
                                           "system kinesis join 2 4",
                                           "system kinesis parts 4",
                                           "system kinesis parts 8",
                                           "system kafka parts 24",
                                           "system kafka set members 9",
                                           "system kafka set members 2",
                                           "system all grow",
                                           "system all balance",
                                           "system all down 1",
                                           "system all down 3",
                                           "system all up 1",
                                           "system all up 3",
                                           "system all cut 1",
                                           "system all move 0 2",
                                           "system kinesis set reader 300",
                                           "system kafka set reader 900",
                                           "system kinesis set order any",
                                           "series zz 900",
                                           "series a 300 bytes 50000",
                                           "series a 0",
                                           "flow like likes:{p9} 3000",
                                           "flow read post:{nova} 2000"};

/* Systems that are cut, joined, grown and killed in any order. */
static void random_systems_views(void **state)
{
    (void)state;
    static const char *const arguments[] = {"",          "dynamodb",    "kinesis", "kafka",
                                            "cassandra", "cockroachdb", "hbase",   "mongodb",
                                            "redis",     "vitess",      "systems", "none"};
    struct prng p = prng_seeded(8, "systems views");
    struct stage st;
    stage_of(&st, "system all on");
    for (int round = 0; round < (SANITIZED ? ROUNDS / 8 : ROUNDS); round++) {
        struct command command;
        struct err err;
        size_t acts = sizeof systems_acts / sizeof systems_acts[0];
        if (command_parse(systems_acts[prng_below(&p, acts)], &command, &err)) {
            (void)world_apply(st.world, &command, &err); /* not each can be done now */
        }
        stage_on(&st, (int64_t)prng_below(&p, 800000));
        st.page.question.kind = prng_chance(&p, 1, 4) ? QUESTION_CHOICE : QUESTION_NONE;
        size_t view = SYSTEMS_VIEWS + prng_below(&p, 6);
        try_view(&st.scene, view_at(view), &p);
        struct view_state v = random_state(&p);
        v.argument = arguments[prng_below(&p, sizeof arguments / sizeof arguments[0])];
        draw_inside(&st.scene, view_at(view), &v, &p);
        draw_inside(&st.scene, &view_trace, &v, &p);
        struct str told = STR_EMPTY;
        view_at(view)->tell(&told, &st.scene, &v);
        assert_plain(str_text(&told), 78);
        str_free(&told);
    }
    stage_free(&st);
}

/* Text, help and the key line at every small size and many large ones. */
static void text_and_help_at_any_size(void **state)
{
    (void)state;
    struct prng p = prng_seeded(3, "text");
    struct page page = {.say = "Some *words* about `post:{p9}`.\n\n  kept  as it is",
                        .after = "After.",
                        .task = "A task.",
                        .key = ""};
    page.question = (struct page_question){.kind = QUESTION_CHOICE,
                                           .ask = "Which?",
                                           .choice = {{.text = "one"}, {.text = "two"}},
                                           .choices = 2,
                                           .answer = "1",
                                           .truth = "2",
                                           .feedback = "Because.",
                                           .belief = "a belief"};
    const struct help_row rows[] = {{"space, enter", "go on", "Lesson", false},
                                    {"q", "leave", "All", true}};
    for (int round = 0; round < ROUNDS; round++) {
        int columns = (int)prng_below(&p, 90) + 1, height = (int)prng_below(&p, 30) + 1;
        struct canvas *c = canvas_new(columns, height);
        struct text_field field = {"12,067 und ü", prng_below(&p, 20), prng_chance(&p, 1, 2)};
        struct help_state at = {prng_below(&p, 4), prng_chance(&p, 1, 2) ? "" : "le"};
        page.question.kind = (enum question_kind)prng_below(&p, QUESTION_EXPLAIN + 1);
        page.question.state = (enum question_state)prng_below(&p, QUESTION_SKIPPED + 1);
        page.question.judged = page.question.state != QUESTION_OPEN && prng_chance(&p, 1, 2);
        page.running = prng_chance(&p, 1, 4);
        int lines = lesson_text_draw(c, &page, prng_chance(&p, 1, 2) ? &field : NULL,
                                     (int)prng_below(&p, 40) - 2);
        assert_true(lines >= 1);
        canvas_clear(c);
        help_draw(c, rows, 2, &at);
        assert_true(key_line_draw(c, 0, rows, 2) <= columns);
        canvas_free(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete), cmocka_unit_test(random_sizes_states_and_verbs),
        cmocka_unit_test(random_placings),       cmocka_unit_test(random_story_views),
        cmocka_unit_test(random_move_views),     cmocka_unit_test(random_across_views),
        cmocka_unit_test(random_systems_views),  cmocka_unit_test(text_and_help_at_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
