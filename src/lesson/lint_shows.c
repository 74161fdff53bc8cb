/*
 * lint_shows: whether each picture of a step has something to show: a world, a placing of a scheme
 * that it can draw, a table, a heat map, grids, an experiment.
 */
#include "base/num.h"
#include "lesson/lint_inside.h"
#include "place/kinesis.h"
#include "place/layout.h"
#include "place/maglev.h"
#include "place/range.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include <stdlib.h>
#include <string.h>

static bool among(const char *const *names, const char *name)
{
    for (; *names != NULL; names++) {
        if (strcmp(*names, name) == 0) {
            return true;
        }
    }
    return false;
}

/* --- pictures of placement --- */

static bool is_ring(const struct layout *layout)
{
    size_t points = 0;
    return layout_ring(layout, &points) != NULL && points > 0;
}

static bool has_ranges(const struct layout *layout)
{
    size_t numbers = 0;
    return layout_ranges(layout) > 0 || layout_kinesis(layout, &numbers) != NULL;
}

static bool is_maglev(const struct layout *layout)
{
    size_t entries = 0;
    return layout_maglev(layout, &entries) != NULL && entries > 0;
}

static bool is_rendezvous(const struct layout *layout)
{
    return layout_scheme(layout) == &scheme_rendezvous;
}

struct drawn {
    const char *view;
    bool (*fits)(const struct layout *layout); /* NULL: any */
};
static const struct drawn drawn[] = {{"ring", is_ring},
                                     {"ranges", has_ranges},
                                     {"maglev", is_maglev},
                                     {"rendezvous", is_rendezvous},
                                     {"schemes", NULL}};

static void check_placing(struct pass *a, const struct page *page, const struct drawn *d,
                          const char *argument)
{
    uint64_t number = 1;
    if (page->placings == 0) {
        lint_find(a, lint_line(a), LINT_ERROR, "the picture '%s' needs 'placing'", d->view);
        return;
    }
    if (argument[0] != '\0' && (d->fits == NULL || !num_parse_u64(argument, "placing", 1,
                                                                  page->placings, &number, NULL))) {
        lint_find(a, lint_line(a), LINT_ERROR,
                  d->fits == NULL
                      ? "the picture '%s:%.40s': it shows all placings and takes no number"
                      : "the picture '%s:%.40s': there are placings 1 to %d",
                  d->view, argument, (int)page->placings);
        return;
    }
    for (size_t i = 0; i < page->knobs; i++) {
        if (strcmp(page->knob[i].name, "scheme") == 0) {
            return; /* what it turns to may have no such picture, which then says so */
        }
    }
    const struct trial *t = page->placing[number - 1].trial;
    bool before_shows = page->question.kind != QUESTION_NONE; /* while it is open */
    if (d->fits != NULL && (!d->fits(t->after) || (before_shows && !d->fits(t->before)))) {
        const struct layout *odd = d->fits(t->after) ? t->before : t->after;
        lint_find(a, lint_line(a), LINT_ERROR,
                  "the picture '%s' cannot draw placing %d, whose scheme is %s", d->view,
                  (int)number, layout_scheme(odd)->name);
    }
}

/* --- the others --- */

static void needs(struct pass *a, const char *view, const char *what, bool there)
{
    if (!there) {
        lint_find(a, lint_line(a), LINT_ERROR, "the picture '%s' needs %s", view, what);
    }
}

static void check_grid(struct pass *a, const struct page *page, const char *argument)
{
    uint64_t number = 0;
    needs(a, "grid", "'grids'", page->grids > 0);
    if (page->grids > 0 && argument[0] != '\0' &&
        !num_parse_u64(argument, "grid", 1, page->grids, &number, NULL)) {
        lint_find(a, lint_line(a), LINT_ERROR, "the picture 'grid:%.40s': there are grids 1 to %d",
                  argument, (int)page->grids);
    }
}

void lint_pictures(struct pass *a, const struct page *page)
{
    static const char *const of_world[] = {
        "slot_map", "bars",   "trace", "maps", "top",    "cache",  "waterfall", "latency", "bucket",
        "counter",  "system", "move",  "log",  "tables", "copies", "dual",      "ask",     NULL};
    for (size_t i = 0; i < page->shows; i++) {
        const char *view = page->show[i].view, *argument = page->show[i].argument;
        for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++) {
            if (strcmp(view, drawn[k].view) == 0) {
                check_placing(a, page, &drawn[k], argument);
            }
        }
        if (strcmp(view, "table") == 0) {
            needs(a, view, "'table'", page->table != NULL);
        } else if (strcmp(view, "heat") == 0) {
            needs(a, view, "'heat'", page->heat != NULL);
        } else if (strcmp(view, "layouts") == 0) {
            needs(a, view, "'experiment'", page->experiment != NULL);
        } else if (strcmp(view, "grid") == 0) {
            check_grid(a, page, argument);
        } else if (among(of_world, view)) {
            needs(a, view, "a world", a->p->world[0] != NULL);
        }
    }
}
