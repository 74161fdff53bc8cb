/*
 * The shapes of trouble can be told apart on the heat map: a reader that sees drawn signs only, or
 * roles of colour only, or told lines only names the shape that the drill's cluster was put
 * through.
 */
#include "lesson/player.h"
#include "scenes.h"

#define DRILL "lessons/drills/read-the-dashboard.lua"
#define SEEDS 60
#define LINES_MAX 64
#define COLUMNS_MAX 130

/* What somebody sees: how bright each place is, in thousandths, and nothing else. */
struct seen {
    int w, h;
    int at[LINES_MAX][COLUMNS_MAX];
};

enum shape {
    ONE_KEY,
    TIME_IN_THE_KEY,
    ONE_TENANT,
    BATCH,
    SCAN,
    EVERYBODY,
    SPLIT,
    SHAPES,
    NO_SHAPE
};
/* As the drill's choices begin. */
static const char *const said[SHAPES] = {"One key went viral", "The time leads",  "One tenant",
                                         "A job runs",         "One client read", "All came at one",
                                         "A shard was cut"};
static const char *const names[SHAPES] = {"one_key", "time_in_the_key", "one_tenant", "batch",
                                          "scan",    "everybody",       "split"};

/* --- a reader ------------------------------------------------------------------------------- */

struct line { /* its bright stretches: how many, and the first */
    int runs, from, end;
};

static bool bright(const struct seen *s, int x, int y)
{
    return s->at[y][x] >= 400;
}

static struct line read_line(const struct seen *s, int y)
{
    struct line out = {0};
    for (int x = 0; x < s->w; x++) {
        if (bright(s, x, y) && (x == 0 || !bright(s, x - 1, y))) {
            out.from = out.runs == 0 ? x : out.from;
            out.runs++;
        }
        out.end = bright(s, x, y) && out.runs == 1 ? x + 1 : out.end;
    }
    return out;
}

static int mean(const struct seen *s, int y, int from, int end)
{
    int sum = 0;
    for (int x = from; x < end; x++) {
        sum += s->at[y][x];
    }
    return sum / (end - from);
}

static enum shape read_shape(const struct seen *s)
{
    int lit = 0, again = 0, rising = 0, together = 0, lasting = 0, empty = 0, halved = 0;
    struct line first = {0}, before = {0};
    for (int y = 0; y < s->h; y++) {
        struct line line = read_line(s, y);
        if (line.runs == 0) {
            continue;
        }
        first = lit++ == 0 ? line : first;
        again += line.runs >= 3;
        together += line.from == first.from && line.end - line.from <= s->w / 8;
        lasting += line.end == s->w;
        rising += lit > 1 && line.from > before.from;
        empty += line.from > 0 && mean(s, y, 0, line.from) == 0;
        halved +=
            line.from == 0 && mean(s, y, 0, s->w / 4) > 850 && mean(s, y, s->w * 3 / 4, s->w) < 650;
        before = line;
    }
    if (lit == 0) {
        return NO_SHAPE;
    }
    if (again == lit) {
        return BATCH;
    }
    if (halved > 0) {
        return SPLIT;
    }
    if (lit == s->h && together == lit) {
        return EVERYBODY;
    }
    if (lit == s->h && rising >= s->h / 2 - 1) {
        return empty >= s->h - 1 ? TIME_IN_THE_KEY : SCAN;
    }
    return lasting < lit ? NO_SHAPE : 5 * lit <= s->h ? ONE_KEY : ONE_TENANT;
}

/* --- ways to see ---------------------------------------------------------------------------- */

static int by_sign(const char *text)
{
    static const char *const blocks[] = {" ", "·", "░", "▒", "▓", "█"};
    static const int values[] = {0, 60, 250, 500, 750, 1000};
    static const char signs[] = " .:-=+*#%@";
    for (int i = 0; i < 6; i++) {
        if (strcmp(text, blocks[i]) == 0) {
            return values[i];
        }
    }
    const char *at = strchr(signs, text[0]);
    assert_non_null(at);
    return (int)(at - signs) * 111;
}

static int by_role(enum style style)
{
    static const int values[] = {60, 250, 500, 750, 1000};
    return style >= STYLE_HEAT_1 && style <= STYLE_HEAT_5 ? values[style - STYLE_HEAT_1] : 0;
}

/* The places of the map: where a line has cells of heat, from the first such column on. */
static void look(struct seen *out, struct canvas *c, const struct page_heat *h, bool roles)
{
    int columns = canvas_columns(c), rows = canvas_rows(c);
    int room = columns - 2, lines = rows - 3;
    *out = (struct seen){.w = room / (int)h->columns * (int)h->columns,
                         .h = lines / (int)h->rows * (int)h->rows};
    out->w = out->w > 0 ? out->w : room;
    out->h = out->h > 0 ? out->h : lines;
    assert_true(out->w <= COLUMNS_MAX && out->h <= LINES_MAX);
    for (int y = 0; y < out->h; y++) {
        for (int x = 0; x < out->w; x++) {
            struct canvas_cell cell;
            canvas_cell_at(c, x + 2, y + 1, &cell);
            out->at[y][x] = roles ? by_role(cell.style) : by_sign(cell.text);
        }
    }
}

static void listen(struct seen *out, const char *told)
{
    const char *line = strstr(told, "a dot nothing.\n");
    assert_non_null(line);
    line = strchr(line, '\n') + 1;
    *out = (struct seen){0};
    while (strspn(line, ".0123456789") > 8) {
        out->w = (int)strspn(line, ".0123456789");
        assert_true(out->w <= COLUMNS_MAX && out->h < LINES_MAX);
        for (int x = 0; x < out->w; x++) {
            out->at[out->h][x] = line[x] == '.' ? 0 : line[x] == '0' ? 50 : (line[x] - '0') * 111;
        }
        out->h++;
        line = strchr(line, '\n') + 1;
    }
}

/* --- the drill's maps ----------------------------------------------------------------------- */

static struct player *open_map(uint64_t seed, struct scene *s, enum shape *truth)
{
    struct err err = {""};
    struct str answer = STR_EMPTY;
    struct player *p = player_open(DRILL, seed, &err);
    if (p == NULL || !player_right_answer(p, &answer, &err)) {
        fail_msg("%s", err.text);
    }
    const struct page *page = player_page(p);
    assert_non_null(page->heat);
    const char *right = page->question.choice[atoi(str_text(&answer)) - 1].text;
    *truth = NO_SHAPE;
    for (int i = 0; i < SHAPES; i++) {
        *truth = strncmp(right, said[i], strlen(said[i])) == 0 ? (enum shape)i : *truth;
    }
    assert_int_not_equal(*truth, NO_SHAPE);
    *s = (struct scene){.page = page};
    str_free(&answer);
    return p;
}

static void assert_read(const struct seen *seen, enum shape truth, uint64_t seed, const char *how)
{
    enum shape read = read_shape(seen);
    if (read != truth) {
        for (int y = 0; y < seen->h; y++) {
            for (int x = 0; x < seen->w; x++) {
                print_error("%c", seen->at[y][x] == 0 ? '.' : '0' + seen->at[y][x] * 9 / 1000);
            }
            print_error("\n");
        }
        fail_msg("seed %d, %s: read as %s, and it is %s", (int)seed, how,
                 read < SHAPES ? names[read] : "nothing", names[truth]);
    }
}

static void each_shape_is_read_off_the_cells(void **state)
{
    (void)state;
    static const struct {
        int columns, rows;
    } panes[] = {{40, 19}, {40, 8}, {56, 25}, {122, 28}};
    static struct seen seen;
    int met[SHAPES] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s;
        enum shape truth;
        struct view_state v = {.argument = ""};
        struct player *p = open_map(seed, &s, &truth);
        met[truth]++;
        for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
            struct canvas *c = canvas_new(panes[i].columns, panes[i].rows);
            for (int glyphs = 0; glyphs < 2; glyphs++) {
                char how[64];
                canvas_set_glyphs(c, glyphs == 0 ? GLYPHS_UTF8 : GLYPHS_ASCII);
                scene_draw(&s, &view_heat, &v, c, false);
                (void)snprintf(how, sizeof how, "%s in %dx%d", glyphs == 0 ? "blocks" : "ASCII",
                               panes[i].columns, panes[i].rows);
                look(&seen, c, s.page->heat, false);
                assert_read(&seen, truth, seed, how);
                look(&seen, c, s.page->heat, true);
                assert_read(&seen, truth, seed, "colour alone");
            }
            canvas_free(c);
        }
        char *told = scene_told(&s, "heat", &v);
        listen(&seen, told);
        assert_read(&seen, truth, seed, "told");
        free(told);
        player_close(p);
    }
    for (int i = 0; i < SHAPES; i++) {
        assert_true(met[i] > 0);
    }
}

static void how_each_looks(void **state)
{
    (void)state;
    bool done[SHAPES] = {false};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct scene s;
        enum shape truth;
        struct view_state v = {.argument = ""};
        struct player *p = open_map(seed, &s, &truth);
        if (!done[truth]) {
            char name[64];
            (void)snprintf(name, sizeof name, "heat_%s", names[truth]);
            scene_golden(&s, "heat", &v, name, 40, 19, GLYPHS_UTF8);
            scene_golden(&s, "heat", &v, name, 40, 19, GLYPHS_ASCII);
            char *told = scene_told(&s, "heat", &v);
            (void)snprintf(name, sizeof name, "heat_%s_told", names[truth]);
            golden_text(name, told);
            assert_plain(told, 78);
            free(told);
            done[truth] = true;
        }
        player_close(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shape_is_read_off_the_cells),
        cmocka_unit_test(how_each_looks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
