/*
 * move_stage: a stage on which slot 12067 moves from S2 to S4, for the tests of its pictures.
 */
#ifndef HOTSHARD_TESTS_MOVE_STAGE_H
#define HOTSHARD_TESTS_MOVE_STAGE_H

#include "engine/moves/moves.h"
#include "engine/shifts/shifts.h"
#include "scenes.h"

#define MOVED_SLOT 12067

enum moving_at {
    MOVING_COPY,   /* 7 MB of 20 */
    MOVING_TAIL,   /* half a second behind the copy */
    MOVING_FENCE,  /* 1.5 ms behind it */
    MOVING_NEWS,   /* S4 has it, S2 has not heard */
    MOVING_MOVED,  /* 30 ms later */
    MOVING_CLEANED /* S2's copy is deleted */
};

static inline void stage_on(struct stage *st, int64_t us)
{
    world_run_until(st->world, world_now(st->world) + us);
    stage_refresh(st);
}

/* S4 has joined; p9 was edited three times, and is liked and commented on. */
static inline void stage_liked(struct stage *st)
{
    stage_new(st, "story-quiet");
    st->page.key = "post:{p9}";
    stage_do(st, "shard add");
    for (int i = 0; i < 3; i++) {
        stage_do(st, "request edit post:{p9} via R0");
        stage_answered(st);
    }
    stage_do(st, "request read comments:{p9} via R0");
    stage_do(st, "flow like likes:{p9} 300");
    stage_do(st, "flow like comments:{p9} 40");
    stage_do(st, "flow read post:{p9} 400");
    stage_on(st, 100 * US_PER_MS);
}

static inline struct move_info stage_move(const struct stage *st)
{
    struct move_info m;
    assert_true(moves_info_of(st->world, MOVED_SLOT, &m));
    return m;
}

static inline void stage_moving(struct stage *st, enum moving_at at, bool reverse)
{
    stage_liked(st);
    stage_do(st, reverse ? "migrate 12067 S4 20MB 10MB reverse" : "migrate 12067 S4 20MB 10MB");
    stage_on(st, 700 * US_PER_MS);
    if (at >= MOVING_TAIL) {
        stage_on(st, 1801 * US_PER_MS);
    }
    if (at >= MOVING_FENCE) {
        stage_do(st, "deaf R5 on");
        stage_do(st, "fence 12067");
        stage_on(st, 1500);
    }
    while (at >= MOVING_NEWS && stage_move(st).committed_us == MOVE_NEVER) {
        stage_on(st, 100);
    }
    stage_on(st, at >= MOVING_MOVED ? 30 * US_PER_MS : 0);
    if (at >= MOVING_CLEANED) {
        stage_do(st, "cleanup 12067");
        stage_on(st, 1000);
    }
}

/* Six keys of the slot with one to three edits each; S4 has joined. */
static inline void stage_edited(struct stage *st)
{
    static const char *const keys[] = {"post:{p9}",  "comments:{p9}", "media:{p9}",
                                       "views:{p9}", "tags:{p9}",     "author:{p9}"};
    stage_new(st, "story-quiet");
    st->page.key = "post:{p9}";
    stage_do(st, "shard add");
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 6 - round; i++) {
            char words[64];
            (void)snprintf(words, sizeof words, "request edit %s via R0", keys[i]);
            stage_do(st, words);
            stage_answered(st);
        }
    }
    stage_refresh(st);
}

/* How often a piece of text occurs. */
static inline int count_in(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* What a view tells, as one line: where it is broken is another matter. */
static inline char *scene_said(const struct scene *s, const char *view,
                               const struct view_state *state)
{
    char *text = scene_told(s, view, state), *to = text;
    assert_plain(text, 72);
    for (const char *at = text; *at != '\0'; at++) {
        char c = *at == '\n' ? ' ' : *at;
        if (c != ' ' || (to > text && to[-1] != ' ')) {
            *to++ = c;
        }
    }
    *to = '\0';
    return text;
}

/* From the least pane to the largest: nothing is drawn but lines, and the same twice. */
static inline void assert_all_sizes(const struct scene *s, const char *view)
{
    static const int sizes[][2] = {{30, 6},  {31, 7},  {40, 8},  {40, 9},  {40, 12}, {48, 10},
                                   {56, 15}, {83, 17}, {84, 12}, {84, 16}, {122, 9}, {200, 60}};
    struct view_state v = {.argument = ""};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *drawn = scene_text(s, view, &v, sizes[i][0], sizes[i][1], true);
        assert_true(strlen(drawn) > 0);
        free(drawn);
    }
}

#endif
