/*
 * across_stage: stages with queries, transactions, catalogs and nodes, from lines of the command
 * language, for the tests of their pictures.
 */
#ifndef HOTSHARD_TESTS_ACROSS_STAGE_H
#define HOTSHARD_TESTS_ACROSS_STAGE_H

#include "move_stage.h"
#include <string.h>

static const struct view_state across_plain = {.argument = ""};

/* Lines of commands, parted by newlines; "+300" lets 300 ms pass. */
static inline void stage_play(struct stage *st, const char *lines)
{
    while (*lines != '\0') {
        char line[160];
        size_t length = strcspn(lines, "\n");
        assert_true(length < sizeof line);
        memcpy(line, lines, length);
        line[length] = '\0';
        if (line[0] == '+') {
            stage_on(st, strtol(line + 1, NULL, 10) * US_PER_MS);
        } else {
            stage_do(st, line);
        }
        lines += length + (lines[length] == '\n');
    }
    struct err err;
    assert_false(world_stopped(st->world, &err));
    stage_refresh(st);
}

static inline void stage_of(struct stage *st, const char *lines)
{
    stage_new(st, "story-quiet");
    stage_play(st, lines);
}

static inline char *across_said(const struct stage *st, const char *view)
{
    return scene_said(&st->scene, view, &across_plain);
}

/* What it says, of this moment, has each of these parts. */
static inline void assert_says(const struct stage *st, const char *view, const char *part)
{
    char *text = across_said(st, view);
    assert_contains(text, part);
    free(text);
}

/* ... and this it does not say. */
static inline void assert_silent(const struct stage *st, const char *view, const char *part)
{
    char *text = across_said(st, view);
    assert_int_equal(count_in(text, part), 0);
    free(text);
}

/* What is drawn in a small pane has this line's part. */
static inline void assert_draws(const struct stage *st, const char *view, int columns, int rows,
                                const char *part)
{
    char *text = scene_text(&st->scene, view, &across_plain, columns, rows, false);
    assert_contains(text, part);
    free(text);
}

#define SIX_NODES                                                                                  \
    "node add a\nnode add b\nnode add c\nnode add a\nnode add b\nnode add c\n"                     \
    "group P1 N1 N3 N5\ngroup P2 N2 N3 N6\ngroup P3 N4 N2 N6\n+300\n"

#endif
