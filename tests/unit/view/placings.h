/*
 * placings: changes of placement on synthetic keys, for the tests of the pictures that draw them.
 */
#ifndef HOTSHARD_TESTS_PLACINGS_H
#define HOTSHARD_TESTS_PLACINGS_H

#include "place/layout.h"
#include "scenes.h"

struct tried {
    struct keyset *keys;
    struct trial *trial;
    struct page_placing placing;
    struct scene scene;
};

/* Shards `from` to `to`; REMOVES leaves `from` shards and takes that one away. tokens 0: usual. */
#define REMOVES UINT32_C(0x80000000)

static inline void tried_new(struct tried *t, const char *scheme, uint32_t tokens, uint32_t from,
                             uint32_t to, size_t keys)
{
    struct err err = {{0}};
    const struct scheme *found = scheme_by_name(scheme);
    assert_non_null(found);
    struct layout_params params = layout_defaults(found);
    params.tokens = tokens > 0 ? tokens : params.tokens;
    params.table = strcmp(scheme, "maglev") == 0 && tokens > 0 ? tokens : params.table;
    t->keys = keyset_synthetic(keys);
    struct layout *before = layout_new(found, &params, from, &err);
    assert_non_null(before);
    layout_observe(before, t->keys);
    struct layout *after = layout_copy(before);
    if ((to & REMOVES) != 0) {
        assert_true(layout_remove(after, to & ~REMOVES, &err));
    }
    for (uint32_t shard = from; (to & REMOVES) == 0 && shard < to; shard++) {
        assert_true(layout_add(after, &err));
    }
    t->trial = trial_new(t->keys, before, after);
    t->placing = (struct page_placing){.title = "", .trial = t->trial, .lookup = ""};
    t->scene = (struct scene){.placing = &t->placing, .placings = 1};
}

static inline void tried_free(struct tried *t)
{
    trial_free(t->trial);
    keyset_free(t->keys);
}

/* A golden of the usual start: nothing selected, from further out. */
static inline void tried_golden(const struct tried *t, const char *view, const char *name,
                                int columns, int rows, enum glyphs glyphs)
{
    struct view_state v = {.argument = ""};
    scene_golden(&t->scene, view, &v, name, columns, rows, glyphs);
}

#endif
