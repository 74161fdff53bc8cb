/*
 * scenes: small worlds and pages for the tests of views, and drawing them.
 */
#ifndef HOTSHARD_TESTS_SCENES_H
#define HOTSHARD_TESTS_SCENES_H

#include "golden.h"
#include "story/story.h"
#include "view/view.h"
#include <stdint.h>

struct stage {
    struct world *world, *before;
    struct rates *rates;
    struct page page;
    struct scene scene;
};

static inline void stage_do(struct stage *st, const char *words)
{
    struct command command;
    struct err err = {{0}};
    if (!command_parse(words, &command, &err) || !world_apply(st->world, &command, &err)) {
        fail_msg("%s: %s", words, err.text);
    }
}

static inline void stage_answered(struct stage *st)
{
    assert_true(world_run_until_answered(st->world, 10 * US_PER_SECOND));
}

static inline void stage_refresh(struct stage *st)
{
    st->scene = (struct scene){
        .world = st->world, .before = st->before, .rates = st->rates, .page = &st->page};
}

static inline void stage_measure(struct stage *st)
{
    struct world *scratch = world_copy(st->world);
    st->rates = st->rates != NULL ? st->rates : calloc(1, sizeof *st->rates);
    assert_non_null(st->rates);
    rates_at(st->world, scratch, st->rates);
    world_free(scratch);
    stage_refresh(st);
}

static inline void stage_new(struct stage *st, const char *world)
{
    *st = (struct stage){.page = {.lesson_id = "01_test",
                                  .lesson_title = "Test",
                                  .step_id = "step",
                                  .step_title = "A step",
                                  .steps = 14,
                                  .step = 2,
                                  .key = "",
                                  .breaks = RULE_COUNT}};
    struct err err = {{0}};
    if (world != NULL) {
        st->world = story_world_by_name(world, 1, &err);
        assert_non_null(st->world);
        st->before = world_copy(st->world);
    }
    stage_refresh(st);
}

static inline void stage_free(struct stage *st)
{
    world_free(st->world);
    world_free(st->before);
    free(st->rates);
}

/* Four shards, R5 deaf, then slot 12067 moved to a fifth shard; a read through R5 took an extra hop
 * before that and R5 is old now. */
static inline void stage_stale(struct stage *st)
{
    stage_new(st, "story-quiet");
    st->page.key = "post:{p9}";
    st->page.router = 5;
    stage_do(st, "request like likes:{p9} via R3");
    stage_do(st, "request read post:{p9} via R5");
    stage_answered(st);
    stage_do(st, "shard add c");
    stage_do(st, "deaf R5 on");
    world_copy_into(st->before, st->world);
    stage_do(st, "move 12067-12067 S4");
    world_run_until(st->world, world_now(st->world) + 20 * US_PER_MS);
    stage_refresh(st);
}

/* p9 as at 20:02: one shard far over both ceilings. */
static inline void stage_hot(struct stage *st)
{
    stage_new(st, "story");
    stage_do(st, "flow like likes:{p9} 2400 scattered");
    stage_do(st, "flow read post:{p9} 9000 scattered");
    stage_measure(st);
}

/* --- drawing ------------------------------------------------------------------------------- */

static inline void scene_draw(const struct scene *s, const struct view *view,
                              const struct view_state *state, struct canvas *c, bool focused)
{
    canvas_clear(c);
    view->draw(c, s, state, focused);
}

/* Compares with tests/screen/NAME_WxH_utf8.txt or _ascii. */
static inline void scene_golden(const struct scene *s, const char *view_name,
                                const struct view_state *state, const char *name, int columns,
                                int rows, enum glyphs glyphs)
{
    char file[128];
    const struct view *view = view_by_name(view_name);
    struct str dump = STR_EMPTY;
    struct canvas *c = canvas_new(columns, rows);
    assert_non_null(view);
    canvas_set_glyphs(c, glyphs);
    scene_draw(s, view, state, c, true);
    canvas_dump(c, &dump);
    canvas_free(c);
    (void)snprintf(file, sizeof file, "%s_%dx%d_%s", name, columns, rows,
                   glyphs == GLYPHS_UTF8 ? "utf8" : "ascii");
    golden_text(file, str_text(&dump));
    str_free(&dump);
}

/* Sizes of the panes beside the text at 80x24 (two stacked, one alone), 100x30 and 200x60. */
static inline void scene_goldens(const struct scene *s, const char *view_name,
                                 const struct view_state *state, const char *name)
{
    scene_golden(s, view_name, state, name, 40, 8, GLYPHS_UTF8);
    scene_golden(s, view_name, state, name, 40, 19, GLYPHS_UTF8);
    scene_golden(s, view_name, state, name, 40, 19, GLYPHS_ASCII);
    scene_golden(s, view_name, state, name, 56, 25, GLYPHS_UTF8);
    scene_golden(s, view_name, state, name, 122, 28, GLYPHS_UTF8);
    scene_golden(s, view_name, state, name, 122, 28, GLYPHS_ASCII);
}

/* What is drawn, as plain lines. */
static inline char *scene_text(const struct scene *s, const char *view_name,
                               const struct view_state *state, int columns, int rows, bool focused)
{
    struct str out = STR_EMPTY;
    struct canvas *c = canvas_new(columns, rows);
    scene_draw(s, view_by_name(view_name), state, c, focused);
    canvas_dump_text(c, &out);
    canvas_free(c);
    return str_take(&out);
}

/* What a view tells, for assert_text. */
static inline char *scene_told(const struct scene *s, const char *view_name,
                               const struct view_state *state)
{
    struct str out = STR_EMPTY;
    view_by_name(view_name)->tell(&out, s, state);
    return str_take(&out);
}

static inline void assert_contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in:\n%s", part, text);
    }
}

/* Lines of at most `columns`, no control characters but newlines, nothing but complete lines. */
static inline void assert_plain(const char *text, int columns)
{
    size_t length = strlen(text);
    assert_true(length == 0 || text[length - 1] == '\n');
    while (*text != '\0') {
        size_t line = strcspn(text, "\n");
        int shown = 0;
        for (size_t i = 0; i < line; i++) {
            assert_true((unsigned char)text[i] >= ' ');
            shown += ((unsigned char)text[i] & 0xC0u) != 0x80u;
        }
        if (shown > columns) {
            fail_msg("wider than %d: %.*s", columns, (int)line, text);
        }
        text += line + 1;
    }
}

#endif
