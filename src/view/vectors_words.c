/*
 * vectors_words: a search among vectors, in sentences.
 */
#include "base/alloc.h"
#include "view/vectors_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_BITS 32
#define TOLD_BEYOND 3 /* parts that were not probed, and are told */
#define TOLD_PARTS 16
#define TOLD_HOPS 24

/* --- the search ---------------------------------------------------------------------------- */

int64_t vectors_selection(uint32_t shard, int64_t item)
{
    return (int64_t)((uint64_t)shard << ITEM_BITS | (uint64_t)item);
}

static void select_item(struct vectors_search *x, const struct view_state *v, uint32_t shards)
{
    uint64_t selected = v->has_selection && v->selected >= 0 ? (uint64_t)v->selected : 0;
    uint32_t shard = (uint32_t)(selected >> ITEM_BITS);
    x->shard = shard < shards ? shard : shards - 1;
    x->at = (int64_t)(selected & UINT32_MAX);
    x->selected = v->has_selection;
}

static void search(struct vectors_search *x, const struct view_state *v)
{
    const struct page_vectors *p = x->page;
    select_item(x, v, p->graph != NULL ? graph_params_of(p->graph)->shards : 1);
    if (x->asked) {
        x->exacts = corpus_near(x->corpus, p->query, p->k, x->exact);
        x->items = (int64_t)x->exacts;
    }
    const struct neighbour *found = x->exact;
    size_t count = x->exacts;
    if (p->ivf != NULL) {
        x->items = ivf_parts(p->ivf);
        for (uint32_t i = 0; i < ivf_parts(p->ivf); i++) {
            x->order[i] = (struct neighbour){0, i};
        }
    }
    if (p->ivf != NULL && x->asked) {
        ivf_rank(p->ivf, p->query, x->order);
        ivf_search(p->ivf, p->query, x->order, p->probe, p->k, &x->in_parts);
        found = x->in_parts.found;
        count = x->in_parts.count;
    }
    if (p->graph != NULL && x->asked) {
        const struct graph_ask ask = {p->query, p->k, p->width};
        graph_search(p->graph, &ask, &x->in_graph);
        x->hops = graph_path(p->graph, x->shard, &ask, x->hop, VECTORS_HOPS_MAX);
        found = x->in_graph.found;
        count = x->in_graph.count;
        x->items = x->open ? 0 : (int64_t)x->hops;
    }
    for (size_t i = 0; i < x->exacts; i++) {
        x->found[i] = vectors_common(&x->exact[i], 1, found, count) > 0;
        x->common += x->found[i];
    }
    if (p->graph != NULL && !v->has_selection) {
        x->at = x->items - 1; /* the whole way */
    }
    x->at = view_clamp(x->at, 0, x->items > 0 ? x->items - 1 : 0);
}

struct vectors_search *vectors_search_of(const struct scene *s, const struct view_state *v)
{
    const struct page_vectors *p = s->page != NULL ? s->page->vectors : NULL;
    if (p == NULL || p->corpus == NULL) {
        return NULL;
    }
    struct vectors_search *x = xcalloc(1, sizeof *x);
    x->page = p;
    x->corpus = p->corpus;
    x->asked = p->asked;
    x->open = view_question_open(s);
    x->flat = corpus_dims(p->corpus) == 2;
    search(x, v);
    return x;
}

uint32_t vectors_root(uint32_t square)
{
    uint32_t root = 0;
    for (uint32_t bit = 1u << 15; bit > 0; bit >>= 1) {
        uint32_t more = root + bit;
        root = (uint64_t)more * more <= square ? more : root;
    }
    return square - root * root > root ? root + 1 : root;
}

size_t vectors_near_in(const struct vectors_search *x, uint32_t part, size_t *found)
{
    size_t count = 0;
    *found = 0;
    for (size_t i = 0; i < x->exacts; i++) {
        if (ivf_part_of(x->page->ivf, x->exact[i].id) == part) {
            count++;
            *found += x->found[i];
        }
    }
    return count;
}

uint32_t vectors_rank_of(const struct vectors_search *x, uint32_t part)
{
    uint32_t rank = 0;
    while (x->order[rank].id != part) {
        rank++;
    }
    return rank;
}

/* --- sentences ----------------------------------------------------------------------------- */

static void add_count(struct str *out, uint64_t count, const char *what)
{
    str_addf(out, "%s %s%s", num_grouped((int64_t)count).text, what, view_plural(count));
}

void vectors_say_made(struct str *out, const struct vectors_search *x)
{
    const struct page_vectors *p = x->page;
    add_count(out, corpus_points(x->corpus), "vector");
    str_addf(out, " of %u dimensions", corpus_dims(x->corpus));
    if (p->ivf != NULL) {
        str_addf(out, " in %u part%s", ivf_parts(p->ivf), view_plural(ivf_parts(p->ivf)));
    }
    if (p->graph != NULL) {
        const struct graph_params *g = graph_params_of(p->graph);
        if (g->shards == 1) {
            str_addf(out, " in one graph, %u links a vector", g->links);
        } else {
            str_addf(out, " in %u graphs, one a shard, %u links a vector", g->shards, g->links);
        }
    }
    str_addc(out, '.');
}

void vectors_say_effort(struct str *out, const struct vectors_search *x)
{
    const struct page_vectors *p = x->page;
    uint32_t all = corpus_points(x->corpus);
    if (!x->asked) {
        return;
    }
    if (p->ivf != NULL && x->open) {
        str_add(out, "The search probes the ");
        if (p->probe > 1) {
            str_addf(out, "%u ", p->probe);
        }
        str_addf(out, "nearest of %u part%s.", ivf_parts(p->ivf), view_plural(ivf_parts(p->ivf)));
    } else if (p->ivf != NULL) {
        str_addf(out, "Probed %u of %u parts: scanned %s of %s vectors, %s%%.", p->probe,
                 ivf_parts(p->ivf), num_grouped(x->in_parts.scanned).text, num_grouped(all).text,
                 num_ratio((int64_t)x->in_parts.scanned, all, 1).text);
    } else if (p->graph != NULL && x->open) {
        str_addf(out, "The search keeps the %u nearest that it has seen.", p->width);
    } else if (p->graph != NULL) {
        str_addf(out, "Width %u: looked at %s of %s vectors, %s%%, in %s hops.", p->width,
                 num_grouped(x->in_graph.looked).text, num_grouped(all).text,
                 num_ratio((int64_t)x->in_graph.looked, all, 1).text,
                 num_grouped(x->in_graph.hops).text);
    } else if (!x->open) {
        str_addf(out, "All %s vectors are looked at.", num_grouped(all).text);
    }
}

/* As many parts as hold all of the nearest. */
static uint32_t probe_for_all(const struct vectors_search *x)
{
    uint32_t most = 0;
    for (size_t i = 0; i < x->exacts; i++) {
        uint32_t rank = vectors_rank_of(x, ivf_part_of(x->page->ivf, x->exact[i].id));
        most = rank > most ? rank : most;
    }
    return most + 1;
}

void vectors_say_found(struct str *out, const struct vectors_search *x)
{
    if (x->exacts == 0 || x->open || (x->page->ivf == NULL && x->page->graph == NULL)) {
        return;
    }
    int decimals = x->common * 100 % x->exacts == 0 ? 0 : 1;
    str_addf(out, "Found %zu of the %zu nearest: recall %s%%.", x->common, x->exacts,
             num_ratio((int64_t)x->common, (int64_t)x->exacts, decimals).text);
    if (x->common < x->exacts && x->page->ivf != NULL) {
        str_addf(out, " Probing %u would find all.", probe_for_all(x));
    }
}

struct nth {
    char text[16];
};
static struct nth nth(uint32_t n)
{
    struct nth out;
    const char *end = n % 100 >= 11 && n % 100 <= 13 ? "th"
                      : n % 10 == 1                  ? "st"
                      : n % 10 == 2                  ? "nd"
                      : n % 10 == 3                  ? "rd"
                                                     : "th";
    snprintf(out.text, sizeof out.text, "%u%s ", n, end);
    return out;
}

static void say_part(struct str *out, const struct vectors_search *x)
{
    const struct ivf *ix = x->page->ivf;
    uint32_t part = x->order[x->at].id, size = ivf_size(ix, part);
    str_addf(out, "part %u: ", part);
    add_count(out, size, "vector");
    if (!x->asked) {
        return;
    }
    str_addf(out, ", %s%s, %s", x->at == 0 ? "" : nth((uint32_t)x->at + 1).text, "nearest",
             x->at < (int64_t)x->page->probe ? "probed" : "not probed");
    if (!x->open) {
        size_t found = 0, near = vectors_near_in(x, part, &found);
        str_addf(out, ", %zu of the %zu nearest", near, x->exacts);
    }
}

static void say_hop(struct str *out, const struct vectors_search *x)
{
    const struct graph_hop *h = &x->hop[x->at];
    uint32_t shards = graph_params_of(x->page->graph)->shards;
    if (shards > 1) {
        str_addf(out, "S%u of %u shards, ", x->shard, shards);
    }
    str_addf(out, "hop %d of %zu, layer %u: v%u at %u", (int)x->at + 1, x->hops, h->layer, h->id,
             vectors_root(h->distance));
    if (h->from != h->id) {
        str_addf(out, ", from v%u", h->from);
    }
}

static void say_neighbour(struct str *out, const struct vectors_search *x)
{
    const struct neighbour *n = &x->exact[x->at];
    str_addf(out, "nearest %d of %zu: v%u at %u", (int)x->at + 1, x->exacts, n->id,
             vectors_root(n->distance));
}

void vectors_say_item(struct str *out, const struct vectors_search *x)
{
    if (x->page->ivf != NULL) {
        say_part(out, x);
    } else if (!x->asked || x->open) {
        return;
    } else if (x->page->graph != NULL && x->hops > 0) {
        say_hop(out, x);
    } else if (x->exacts > 0) {
        say_neighbour(out, x);
    }
}

/* --- all of it ----------------------------------------------------------------------------- */

static void add_line(struct str *out, struct str *line)
{
    if (line->length > 0) {
        view_add_wrapped(out, str_text(line), TELL_COLUMNS, 0);
        str_clear(line);
    }
}

static void tell_parts(struct str *out, const struct vectors_search *x)
{
    const struct ivf *ix = x->page->ivf;
    size_t rows = x->asked ? (size_t)x->page->probe + TOLD_BEYOND : ivf_parts(ix);
    rows = rows > TOLD_PARTS ? TOLD_PARTS : rows;
    rows = rows > ivf_parts(ix) ? ivf_parts(ix) : rows;
    str_addf(out, "%4s %5s %9s %8s%s\n", "rank", "part", "vectors", "distance",
             x->open || !x->asked ? "" : "  of the nearest");
    for (size_t i = 0; i < rows; i++) {
        uint32_t part = x->order[i].id;
        str_addf(out, "%4zu %5u %9u ", i + 1, part, ivf_size(ix, part));
        if (!x->asked) {
            str_addf(out, "%8s\n", "-");
            continue;
        }
        str_addf(out, "%8u", vectors_root(x->order[i].distance));
        if (!x->open) {
            size_t found = 0;
            str_addf(out, "  %14zu", vectors_near_in(x, part, &found));
        }
        str_add(out, i < x->page->probe ? "  probed\n" : "\n");
    }
}

static void tell_hops(struct str *out, const struct vectors_search *x)
{
    str_addf(out, "%4s %5s %7s %8s %7s %7s\n", "hop", "layer", "vector", "distance", "from",
             "looked");
    for (size_t i = 0; i < x->hops && i < TOLD_HOPS; i++) {
        const struct graph_hop *h = &x->hop[i];
        str_addf(out, "%4zu %5u %7u %8u ", i + 1, h->layer, h->id, vectors_root(h->distance));
        if (h->from == h->id) {
            str_addf(out, "%7s", "-");
        } else {
            str_addf(out, "%7u", h->from);
        }
        str_addf(out, " %7u\n", h->looked);
    }
    if (x->hops > TOLD_HOPS) {
        str_addf(out, "... and %zu hops more\n", x->hops - TOLD_HOPS);
    }
}

static void tell_shards(struct str *out, const struct vectors_search *x)
{
    uint32_t shards = graph_params_of(x->page->graph)->shards;
    for (uint32_t i = 0; i < shards; i++) {
        const struct graph_asked *a = &x->in_graph.shard[i];
        str_addf(out, "S%u: %u vectors, %u looked at, %u hops\n", i, graph_size(x->page->graph, i),
                 a->looked, a->hops);
    }
}

static void tell_nearest(struct str *out, const struct vectors_search *x)
{
    struct str line = STR_EMPTY;
    str_add(&line, "The nearest, by distance:");
    for (size_t i = 0; i < x->exacts; i++) {
        str_addf(&line, "%s v%u at %u", i > 0 ? "," : "", x->exact[i].id,
                 vectors_root(x->exact[i].distance));
        if (x->page->ivf != NULL) {
            str_addf(&line, " in part %u", ivf_part_of(x->page->ivf, x->exact[i].id));
        }
        str_add(&line, x->found[i] ? "" : " (missed)");
    }
    str_addc(&line, '.');
    add_line(out, &line);
    str_free(&line);
}

void vectors_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct vectors_search *x = vectors_search_of(s, v);
    struct str line = STR_EMPTY;
    if (x == NULL) {
        str_add(out, "This page has no vectors.\n");
        return;
    }
    if (x->page->title != NULL && x->page->title[0] != '\0') {
        str_addf(&line, "%s. ", x->page->title);
    }
    vectors_say_made(&line, x);
    add_line(out, &line);
    if (x->asked && x->flat) {
        str_addf(&line, "The query is at %d, %d.", x->page->query[0], x->page->query[1]);
        add_line(out, &line);
    }
    vectors_say_effort(&line, x);
    add_line(out, &line);
    vectors_say_found(&line, x);
    add_line(out, &line);
    if (x->page->ivf != NULL) {
        tell_parts(out, x);
    }
    if (x->page->graph != NULL && x->asked && !x->open) {
        if (graph_params_of(x->page->graph)->shards > 1) {
            tell_shards(out, x);
        }
        tell_hops(out, x);
    }
    if (x->asked && !x->open) {
        tell_nearest(out, x);
    }
    str_free(&line);
    free(x);
}
