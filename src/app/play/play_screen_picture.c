/*
 * play_screen_picture: what the pictures of the playground look at. See play_screen.h.
 *
 * The pictures are the ones that lessons have: the scheme's own (a ring, ranges, a table ...), the
 * keys as a grid, and the table of all schemes, for which each scheme is tried on the same keys and
 * the same change of shards.
 */
#include "app/play/play_screen.h"
#include "base/alloc.h"
#include "base/check.h"
#include "place/maglev.h"
#include "place/range.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include <stdlib.h>
#include <string.h>

#define LOOKUP_ROUNDS 5

static const char *own_picture(const struct layout *layout)
{
    size_t count = 0;
    if (layout_ring(layout, &count) != NULL) {
        return "ring";
    }
    if (layout_ranges(layout) > 0) {
        return "ranges";
    }
    if (layout_maglev(layout, &count) != NULL) {
        return "maglev";
    }
    return layout_scheme(layout) == &scheme_rendezvous ? "rendezvous" : "";
}

size_t play_pictures(const struct play_screen *p, bool with_shards,
                     const char *name[PLAY_PICTURES_MAX])
{
    const char *const wanted[] = {own_picture(session_result(p->session)->trial->after), "grid",
                                  "schemes"};
    size_t count = 0;
    if (with_shards) {
        name[count++] = "shards";
    }
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (view_by_name(wanted[i])) {
            name[count++] = wanted[i];
        }
    }
    return count;
}

void play_picture_forget(struct play_screen *p)
{
    for (size_t i = 0; i < PAGE_PLACINGS_MAX; i++) {
        trial_free(p->tried[i]);
        p->tried[i] = NULL;
    }
    p->page.placings = 0;
}

static void fill_grid(struct play_screen *p, const struct trial *trial)
{
    struct page_grid *g = &p->grid;
    size_t keys = keyset_count(trial->keys);
    CHECK(keys <= PAGE_GRID_KEYS_MAX);
    g->title = "";
    g->keys = keys;
    g->moved = (size_t)trial->moved.moved;
    g->hidden = g->moved == 0; /* then it shows whose each key is, instead of nothing that moved */
    g->shards_before = layout_shard_id(trial->before, layout_shards(trial->before) - 1) + 1;
    g->shards_after = layout_shard_id(trial->after, layout_shards(trial->after) - 1) + 1;
    for (size_t i = 0; i < keys; i++) {
        g->before[i] = (uint16_t)trial_owner_before(trial, i);
        g->after[i] = (uint16_t)trial_owner_after(trial, i);
    }
    p->page.grid[0] = g;
    p->page.grids = 1;
}

/* Nanoseconds from a key to its shard, the best of a few rounds over all keys. */
static double lookup_ns(const struct trial *trial)
{
    size_t keys = keyset_count(trial->keys);
    uint32_t *owner = xcalloc(keys, sizeof *owner);
    double best = 0;
    for (int round = 0; round < LOOKUP_ROUNDS; round++) {
        int64_t start = clock_ns();
        layout_owners(trial->after, trial->keys, owner);
        double ns = (double)(clock_ns() - start) / (double)keys;
        best = round == 0 || ns < best ? ns : best;
    }
    free(owner);
    return best;
}

/* Every scheme beside the one in hand, which comes first. */
static void try_schemes(struct play_screen *p)
{
    const struct play_result *r = session_result(p->session);
    const struct play_settings *before = session_before(p->session);
    for (size_t i = 0; scheme_at(i) && p->page.placings < PAGE_PLACINGS_MAX; i++) {
        const struct scheme *scheme = scheme_at(i);
        if (!play_offers(scheme) || scheme == r->settings.scheme) {
            continue;
        }
        size_t at = p->page.placings;
        p->tried[at] = play_trial_of(r, scheme, before);
        if (p->tried[at] != NULL) {
            p->page.placing[at] = (struct page_placing){
                .title = scheme->name, .trial = p->tried[at], .lookup = p->hottest};
            p->page.placings++;
        }
    }
    for (size_t i = 0; p->measures && i < p->page.placings; i++) {
        p->page.placing[i].lookup_ns = lookup_ns(p->page.placing[i].trial);
    }
}

/* The hottest key, whose way the pictures show. */
static void follow_hottest(struct play_screen *p, const struct play_result *r)
{
    struct bytes key = keyset_key(r->keys->all, r->keys->hot);
    size_t fits = key.length < sizeof p->hottest ? key.length : 0; /* one that is longer: nothing */
    memcpy(p->hottest, key.at, fits);
    p->hottest[fits] = '\0';
}

struct scene play_scene(struct play_screen *p, const char *picture)
{
    const struct play_result *r = session_result(p->session);
    if (p->page.placings == 0) {
        follow_hottest(p, r);
        p->page = (struct page){.lesson_id = "",
                                .lesson_title = "",
                                .step_id = "",
                                .step_title = "",
                                .say = "",
                                .after = "",
                                .task = "",
                                .notes = "",
                                .key = p->hottest,
                                .breaks = RULE_COUNT};
        p->page.placing[0] = (struct page_placing){
            .title = r->settings.scheme->name, .trial = r->trial, .lookup = p->hottest};
        p->page.placings = 1;
        fill_grid(p, r->trial);
    }
    if (strcmp(picture, "schemes") == 0 && p->page.placings == 1) {
        try_schemes(p);
    }
    return (struct scene){.world = r->world,
                          .rates = &r->rates,
                          .page = &p->page,
                          .placing = p->page.placing,
                          .placings = p->page.placings};
}

void play_picture_draw(struct ui *ui, const char *name, struct rect area)
{
    struct play_screen *p = ui->play;
    const struct view *view = view_by_name(name);
    struct rect inside = draw_pane(ui->canvas, area, view->title, false);
    struct scene scene = play_scene(p, name);
    p->pane = inside;
    canvas_push(ui->canvas, inside);
    view->draw(ui->canvas, &scene, &p->view, false);
    canvas_pop(ui->canvas);
}

bool play_picture_move(struct play_screen *p, const char *name, enum verb verb)
{
    const struct view *view = view_by_name(name);
    if (!view || !view->move || p->pane.w < 1) {
        return false;
    }
    struct scene scene = play_scene(p, name);
    return view->move(&p->view, &scene, verb, p->pane.w, p->pane.h);
}
