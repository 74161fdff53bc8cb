/*
 * lint_shows: whether each picture of a step has something to show: a world, a placing of a scheme
 * that it can draw, a table, a heat map, grids, an experiment.
 */
#include "base/num.h"
#include "engine/nodes/nodes.h"
#include "engine/systems/systems.h"
#include "lesson/lint_inside.h"
#include "place/kinesis.h"
#include "place/layout.h"
#include "place/maglev.h"
#include "place/range.h"
#include "place/rendezvous.h"
#include "place/ring.h"
#include "tools/readout.h"
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

static bool is_number_after(const char *text, char letter, uint64_t least, uint64_t most)
{
    uint64_t number = 0;
    return text[0] == letter && num_parse_u64(text + 1, "number", least, most, &number, NULL);
}

static bool is_router(const char *argument)
{
    return is_number_after(argument, 'R', 0, UINT16_MAX - 1); /* how many a world has: its run */
}

static bool is_node(const char *argument)
{
    return is_number_after(argument, 'N', 1, NODES_MAX);
}

static bool is_transaction(const char *argument)
{
    uint64_t number = 0;
    return num_parse_u64(argument, "number", 1, UINT64_MAX, &number, NULL);
}

/* A trace follows a key too, of any letters; but whoever writes N99 means a node. */
static bool is_followed(const char *argument)
{
    bool node = argument[0] == 'N' && argument[1] != '\0' &&
                argument[1 + strspn(argument + 1, "0123456789")] == '\0';
    return !node || is_node(argument);
}

static size_t name_length(const char *argument)
{
    return strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
}

static bool is_name(const char *argument)
{
    size_t length = name_length(argument);
    return length > 0 && argument[length] == '\0';
}

static bool is_name_and_key(const char *argument)
{
    size_t length = name_length(argument);
    return length > 0 && (argument[length] == '\0' || argument[length] == ':');
}

static bool is_system(const char *argument)
{
    uint8_t id = SYSTEM_ALL;
    return system_by_name(argument, &id) && id != SYSTEM_ALL;
}

static bool is_readout(const char *argument)
{
    struct readout_wish wish;
    struct err err;
    return readout_parse(argument, &wish, &err);
}

/* An argument that no world could ever have. Whether this one has it is seen when it plays. */
static void check_argument(struct pass *a, const char *view, const char *argument)
{
    static const char a_name[] = "a name has letters, digits, '-' and '_'";
    static const char a_system[] = "systems are named as in commands: kinesis, kafka ...";
    static const struct {
        const char *view;
        bool (*fits)(const char *argument);
        const char *wanted;
    } views[] = {
        {"nodes", is_node, "a node is N1 to N64"},
        {"phi", is_node, "a node is N1 to N64"},
        {"trace", is_followed, "a node is N1 to N64"},
        {"fleet", is_router, "a router is R and its number"},
        {"txn", is_transaction, "a transaction is a number from 1 on"},
        {"scatter", is_name, a_name},
        {"zones", is_name, a_name},
        {"catalog", is_name, a_name},
        {"replicas", is_name, a_name},
        {"store", is_name_and_key, a_name},
        {"parts", is_system, a_system},
        {"lineage", is_system, a_system},
        {"machines", is_system, a_system},
        {"group", is_system, a_system},
        {"card", is_system, a_system},
        {"readout", is_readout, "as in readout:cluster-check or readout:cluster-nodes:S2"}};
    _Static_assert(NODES_MAX == 64, "as the sentences say");
    for (size_t i = 0; argument[0] != '\0' && i < sizeof views / sizeof *views; i++) {
        if (strcmp(view, views[i].view) == 0 && !views[i].fits(argument)) {
            lint_find(a, lint_line(a), LINT_ERROR, "the picture '%s:%.40s': %s", view, argument,
                      views[i].wanted);
        }
    }
}

void lint_pictures(struct pass *a, const struct page *page)
{
    static const char *const of_world[] = {
        "slot_map", "bars",     "trace",   "maps",    "top",   "cache",   "waterfall",
        "latency",  "bucket",   "counter", "system",  "move",  "log",     "tables",
        "copies",   "dual",     "ask",     "scatter", "zones", "catalog", "txn",
        "replicas", "nodes",    "store",   "phi",     "fleet", "systems", "parts",
        "lineage",  "machines", "group",   "card",    NULL};
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
        } else if (strcmp(view, "cheat") == 0) {
            needs(a, view, "a 'card' of the lesson", page->card != NULL);
        } else if (strcmp(view, "worksheet") == 0) {
            needs(a, view, "'worksheet'", page->worksheet != NULL);
        } else if (strcmp(view, "workers") == 0) {
            needs(a, view, "'workers'", page->workers != NULL);
        } else if (strcmp(view, "vectors") == 0) {
            needs(a, view, "'vectors'", page->vectors != NULL);
            if (argument[0] != '\0' && strcmp(argument, "all") != 0) {
                lint_find(a, lint_line(a), LINT_ERROR,
                          "the picture 'vectors:%.40s': it takes 'all' or nothing", argument);
            }
        } else if (strcmp(view, "layouts") == 0) {
            needs(a, view, "'experiment'", page->experiment != NULL);
        } else if (strcmp(view, "grid") == 0) {
            check_grid(a, page, argument);
        } else if (strcmp(view, "readout") == 0) {
            needs(a, view, "a world, or a 'placing'", a->p->world[0] != NULL || page->placings > 0);
            check_argument(a, view, argument);
        } else if (among(of_world, view)) {
            needs(a, view, "a world", a->p->world[0] != NULL);
            check_argument(a, view, argument);
        }
    }
}
