/*
 * steps: a lesson made of texts, one a step, for tests of what scripts can read.
 */
#ifndef HOTSHARD_TESTS_LESSON_STEPS_H
#define HOTSHARD_TESTS_LESSON_STEPS_H

#include "helpers.h"

/* A lesson in a world of that name, with one step for each text. */
static inline struct player *open_steps_in(const char *folder, const char *world,
                                           const char *const *steps, size_t count)
{
    struct str path = STR_EMPTY, text = STR_EMPTY;
    str_addf(&text,
             "return lesson { id = \"33_steps\", part = 9, title = \"T\", minutes = 1,\n"
             "  world = \"%s\", steps = {\n",
             world);
    for (size_t i = 0; i < count; i++) {
        str_addf(&text, "{ id = \"s%d\", title = \"t\", %s },\n", (int)i, steps[i]);
    }
    str_add(&text, "} }\n");
    write_file(&path, folder, "33_steps.lua", text.text);
    struct player *p = open_good(path.text, 1);
    str_free(&path);
    str_free(&text);
    return p;
}

/* Goes on by a step, which then says so. */
static inline void next_says(struct player *p, const char *said)
{
    struct err err = {""};
    if (player_forward(p, &err) != PLAYER_MOVED) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(player_page(p)->say, said);
}

#endif
