/*
 * trace_fold: how the last request is shown where not everything has room.
 *
 * What a request went through is one story: its beginning explains its end. So earlier requests go
 * first, then what else happened meanwhile (told by "older" in the heading), and only then hops of
 * the request itself: those that say least are folded to a line that tells how many. Never folded
 * are the first hop, the last, and, as long as there is room, each answer that is not plainly OK.
 */
#include "base/alloc.h"
#include "view/trace_parts.h"
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 128 /* a longer story is no longer one: the newest records are shown */
#define ROWS_MAX 64
#define ROWS_MIN 4 /* first, fold, answer, last */

/* What it costs not to show a record; of the request's own more than of all others. */
enum weight {
    WEIGHT_BESIDE = 1, /* no part of the request */
    WEIGHT_FOLD = 3,   /* a line without a hop on it */
    WEIGHT_HOP = 100,
    WEIGHT_ASKED = 120, /* who was asked */
    WEIGHT_NOTABLE = 5000,
    WEIGHT_END = 200000
};

enum way {
    WAY_NONE,
    WAY_SHOW,
    WAY_FOLD, /* a line of its own begins */
    WAY_MORE, /* on the line of the fold before */
    WAY_SKIP
};

bool trace_notable(const struct trace_record *r)
{
    bool answer = r->kind == TRACE_ANSWER || r->kind == TRACE_REPLY;
    bool plain = r->outcome == OUTCOME_OK;
    bool stray = r->reason == REASON_NOT_CHECKED && r->operand[0] != SLOT_OWNED;
    return (answer && !plain) || stray || r->reason == REASON_DEAF || r->kind == TRACE_FAULT ||
           (r->kind == TRACE_WAIT && r->reason == REASON_TIMEOUT);
}

static uint64_t last_request(const struct trace_record *const found[], int count)
{
    for (int i = 0; i < count; i++) {
        if (found[i]->request != 0) {
            return found[i]->request;
        }
    }
    return 0;
}

int trace_request_span(const struct trace_record *const found[], int count)
{
    uint64_t request = last_request(found, count);
    int span = 0;
    for (int i = 0; i < count && request != 0; i++) {
        span = found[i]->request == request ? i + 1 : span;
    }
    return span;
}

/* Whether the newest `shown` records begin amid a request. */
static bool cuts(const struct trace_record *const found[], int count, int shown)
{
    for (int i = 0; i < shown; i++) {
        for (int j = shown; j < count && found[i]->request != 0; j++) {
            if (found[j]->request == found[i]->request) {
                return true;
            }
        }
    }
    return false;
}

/* As many of the newest as have room; fewer, where that leaves out half a request. */
static void show_newest(struct trace_window *out, const struct trace_record *const found[],
                        int count, int rows)
{
    int shown = count < rows ? count : rows, whole = shown;
    while (whole > 0 && cuts(found, count, whole)) {
        whole--;
    }
    if (2 * whole >= shown) { /* else many overlap, and each cut is as good */
        shown = whole;
    }
    for (int i = 0; i < shown; i++) {
        out->record[i] = found[shown - 1 - i];
    }
    out->count = shown;
    out->older = shown < count;
}

static int weight_of(const struct trace_record *r, uint64_t request)
{
    if (r->request != request) {
        bool counts = trace_notable(r) || r->kind == TRACE_PLAN || r->kind == TRACE_TABLE;
        return counts || r->kind == TRACE_REPLY ? 10 * WEIGHT_BESIDE : WEIGHT_BESIDE;
    }
    if (trace_notable(r)) {
        return WEIGHT_NOTABLE;
    }
    return r->kind == TRACE_ROUTE || r->kind == TRACE_ANSWER ? WEIGHT_ASKED : WEIGHT_HOP;
}

/* One way to be at a number of lines, the last of them a fold or not. */
struct path {
    int cost; /* of all that is not shown so far; -1: there is no such way */
    enum way way;
    bool from_fold; /* the line before was one */
};

struct fold {
    const struct trace_record *item[ITEMS_MAX]; /* oldest first */
    int weight[ITEMS_MAX];
    int count, rows;
    uint64_t request;
    struct path path[ITEMS_MAX + 1][ROWS_MAX + 1][2]; /* before each item, and at the end */
};

static void path_try(struct path *to, const struct path *from, int cost, enum way way,
                     bool from_fold)
{
    if (to->cost < 0 || from->cost + cost < to->cost) {
        *to = (struct path){.cost = from->cost + cost, .way = way, .from_fold = from_fold};
    }
}

/* All ways to go on from one state before item i. */
static void paths_on(struct fold *f, int i, int rows, bool folding)
{
    const struct path *from = &f->path[i][rows][folding];
    struct path(*to)[2] = f->path[i + 1];
    int weight = f->weight[i];
    if (from->cost < 0) {
        return;
    }
    if (rows < f->rows) {
        path_try(&to[rows + 1][0], from, 0, WAY_SHOW, folding);
    }
    if (f->item[i]->request != f->request) {
        path_try(&to[rows][folding], from, weight, WAY_SKIP, folding);
    } else if (folding) {
        path_try(&to[rows][1], from, weight, WAY_MORE, true);
    } else if (rows < f->rows) {
        path_try(&to[rows + 1][1], from, weight + WEIGHT_FOLD, WAY_FOLD, false);
    }
}

/* The way that leaves out the least, from its end back to the window's lines. */
static void fold_trace_back(const struct fold *f, struct trace_window *out, int rows, bool folding)
{
    out->count = rows;
    for (int i = f->count - 1; i >= 0; i--) {
        const struct path *at = &f->path[i + 1][rows][folding];
        if (at->way == WAY_SKIP) {
            out->older = true;
            continue;
        }
        out->record[rows - 1] = at->way == WAY_SHOW ? f->item[i] : NULL;
        out->folded[rows - 1] += at->way == WAY_SHOW ? 0 : 1;
        rows -= at->way == WAY_MORE ? 0 : 1;
        folding = at->from_fold;
    }
}

static void fold_run(struct fold *f, struct trace_window *out)
{
    memset(f->path, 0xff, sizeof f->path); /* no way yet: each cost is -1 */
    f->path[0][0][0].cost = 0;
    for (int i = 0; i < f->count; i++) {
        for (int rows = 0; rows <= f->rows; rows++) {
            paths_on(f, i, rows, false);
            paths_on(f, i, rows, true);
        }
    }
    int best_rows = 0;
    bool best_folding = false;
    const struct path *best = &f->path[f->count][0][0];
    for (int state = 1; state < 2 * (f->rows + 1); state++) {
        const struct path *at = &f->path[f->count][state / 2][state % 2];
        if (at->cost >= 0 && (best->cost < 0 || at->cost < best->cost)) {
            best = at;
            best_rows = state / 2;
            best_folding = state % 2 == 1;
        }
    }
    fold_trace_back(f, out, best_rows, best_folding);
}

bool trace_fold(struct trace_window *out, const struct trace_record *const found[], int count,
                int rows)
{
    int span = trace_request_span(found, count);
    if (span == 0 || rows < ROWS_MIN || (span > rows && (span > ITEMS_MAX || rows > ROWS_MAX))) {
        return false;
    }
    if (span <= rows) {
        show_newest(out, found, count, rows);
        return true;
    }
    struct fold *f = xcalloc(1, sizeof *f);
    *f = (struct fold){.count = span, .rows = rows, .request = last_request(found, count)};
    for (int i = 0; i < span; i++) {
        f->item[i] = found[span - 1 - i];
        f->weight[i] = weight_of(f->item[i], f->request);
    }
    f->weight[0] = WEIGHT_END;
    f->weight[span - 1] = WEIGHT_END;
    fold_run(f, out);
    out->older = out->older || span < count;
    free(f);
    return true;
}
