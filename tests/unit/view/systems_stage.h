/*
 * systems_stage: stages with systems that people run, for the tests of their pictures.
 */
#ifndef HOTSHARD_TESTS_SYSTEMS_STAGE_H
#define HOTSHARD_TESTS_SYSTEMS_STAGE_H

#include "across_stage.h"
#include "engine/systems/systems.h"

/* The story's quiet traffic, and then p9 with 2,400 likes and 9,000 reads a second more. */
#define HOT_P9 "flow like likes:{p9} 2400 scattered\nflow read post:{p9} 9000 scattered\n+3000\n"

static inline void systems_stage(struct stage *st, const char *lines)
{
    stage_new(st, "story");
    stage_play(st, lines);
}

static inline struct view_state systems_state(const char *argument)
{
    return (struct view_state){.argument = argument};
}

/* Lines are broken where they are full: their sentences on one line. */
static inline void systems_unwrap(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; at++) {
        char c = *at == '\n' ? ' ' : *at;
        if (c != ' ' || to == text || to[-1] != ' ') {
            *to++ = c;
        }
    }
    *to = '\0';
}

/* A picture of one system says this, or does not. */
static inline bool systems_says(const struct stage *st, const char *view, const char *argument,
                                const char *part)
{
    struct view_state v = systems_state(argument);
    char *text = scene_told(&st->scene, view, &v);
    systems_unwrap(text);
    bool says = strstr(text, part) != NULL;
    if (!says) {
        print_message("%s", text);
    }
    free(text);
    return says;
}

/* It is drawn, in a pane of this size. */
static inline bool systems_draws(const struct stage *st, const char *view, const char *argument,
                                 int columns, int rows, const char *part)
{
    struct view_state v = systems_state(argument);
    char *text = scene_text(&st->scene, view, &v, columns, rows, false);
    systems_unwrap(text);
    bool draws = strstr(text, part) != NULL;
    free(text);
    return draws;
}

static inline void systems_goldens(const struct stage *st, const char *view, const char *argument,
                                   const char *name)
{
    struct view_state v = systems_state(argument);
    scene_goldens(&st->scene, view, &v, name);
    scene_golden(&st->scene, view, &v, name, 30, 6, GLYPHS_ASCII);
    scene_golden(&st->scene, view, &v, name, 122, 56, GLYPHS_UTF8);
}

#endif
