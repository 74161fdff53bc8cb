/*
 * search: see search.h.
 *
 * A worker leaves states in batches: their successors are gathered and hashed, and the memory that
 * the table will read is asked for, long before the first of them is looked up. Waiting for memory
 * is nearly all the time there is. Two workers share a level by a counter and meet at its end.
 */
#include "check/search.h"
#include "base/alloc.h"
#include "check/inside.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BATCH (2 * (size_t)CHECK_STEPS_MAX)
#define CHUNK 64u          /* states that a worker takes at a time */
#define SHARED_LEVEL 4096u /* a level below is done before a second worker has started */
#define WORKERS_MAX 2

struct worker {
    struct search *search;
    struct check_out out;
    uint64_t hash[BATCH];
    uint64_t generated;
};

void out_open(struct check_out *out, const struct check_model *model, size_t states)
{
    *out = (struct check_out){.state_size = model->state_size, .room = states};
    out->state = xmalloc(states * model->state_size);
    out->action = xcalloc(states, sizeof *out->action);
}

void out_close(struct check_out *out)
{
    free(out->state);
    free(out->action);
}

void out_clear(struct check_out *out)
{
    out->count = 0;
}

static void add(struct search *s, const void *state, uint64_t hash)
{
    enum store_found found = store_add(&s->store, state, hash);
    if (found == STORE_OLD) {
        return;
    }
    if (found == STORE_FULL) {
        atomic_store_explicit(&s->full, true, memory_order_relaxed);
    }
    if (s->model->check(s->scope, state) != 0) {
        atomic_store_explicit(&s->broken, true, memory_order_relaxed);
    }
}

static void flush(struct worker *w)
{
    struct search *s = w->search;
    for (size_t i = 0; i < w->out.count; i++) {
        store_fetch_state(&s->store, w->hash[i]);
    }
    for (size_t i = 0; i < w->out.count; i++) {
        add(s, out_at(&w->out, i), w->hash[i]);
    }
    out_clear(&w->out);
}

/* Hashes what was put from `first` on, and drops what is no new state at all. */
static void gather(struct worker *w, const void *from, size_t first)
{
    struct search *s = w->search;
    size_t kept = first;
    for (size_t i = first; i < w->out.count; i++) {
        unsigned char *state = out_at(&w->out, i);
        if (s->model->canon) {
            s->model->canon(s->scope, state);
        }
        if (store_same(&s->store, state, from)) {
            continue;
        }
        if (kept != i) {
            memcpy(out_at(&w->out, kept), state, w->out.state_size);
        }
        w->hash[kept] = store_hash(&s->store, state);
        store_fetch_slot(&s->store, w->hash[kept]);
        kept++;
    }
    w->out.count = kept;
}

static void leave(struct worker *w, const void *state)
{
    struct search *s = w->search;
    if (w->out.count + CHECK_STEPS_MAX > BATCH) {
        flush(w);
    }
    size_t first = w->out.count;
    s->model->next(s->scope, state, &w->out);
    size_t put = w->out.count - first;
    CHECK(put <= CHECK_STEPS_MAX);
    w->generated += put;
    if (put == 0 && !s->model->finished(s->scope, state)) {
        atomic_store_explicit(&s->stuck, true, memory_order_relaxed);
    }
    gather(w, state, first);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct search *s = w->search;
    for (;;) {
        uint32_t at = atomic_fetch_add_explicit(&s->taken, CHUNK, memory_order_relaxed);
        if (at >= s->to) {
            break;
        }
        uint32_t end = s->to - at < CHUNK ? s->to : at + CHUNK;
        for (; at < end; at++) {
            leave(w, store_at(&s->store, at));
        }
    }
    flush(w);
    atomic_fetch_add_explicit(&s->generated, w->generated, memory_order_relaxed);
    w->generated = 0;
    return NULL;
}

/* A second thread that cannot be had is done without: the result is the same. */
static void leave_level(struct search *s, struct worker *worker, unsigned threads)
{
    pthread_t second;
    atomic_store(&s->taken, s->from);
    bool shared = threads > 1 && s->to - s->from >= SHARED_LEVEL &&
                  pthread_create(&second, NULL, work, &worker[1]) == 0;
    work(&worker[0]);
    if (shared) {
        CHECK(pthread_join(second, NULL) == 0);
    }
}

static void start(struct search *s, struct worker *w)
{
    s->model->init(s->scope, &w->out);
    CHECK(w->out.count > 0);
    s->generated = w->out.count;
    for (size_t i = 0; i < w->out.count; i++) {
        if (s->model->canon) {
            s->model->canon(s->scope, out_at(&w->out, i));
        }
        w->hash[i] = store_hash(&s->store, out_at(&w->out, i));
    }
    flush(w);
    s->to = atomic_load(&s->store.count);
}

static bool is_full(const struct search *s)
{
    return s->full || s->store.count > s->store.capacity;
}

/* Level by level until something is decided; a failure is `depth` steps from the start. */
static enum check_verdict run(struct search *s, struct worker *worker, unsigned threads,
                              uint32_t *depth)
{
    start(s, &worker[0]);
    *depth = 0;
    if (s->broken || is_full(s)) {
        return s->broken ? CHECK_FAILS : CHECK_CUT;
    }
    for (;;) {
        leave_level(s, worker, threads);
        *depth = s->depth;
        if (s->stuck) {
            return CHECK_FAILS;
        }
        if (s->broken) {
            (*depth)++;
            return CHECK_FAILS;
        }
        uint32_t count = atomic_load(&s->store.count);
        if (is_full(s)) {
            return CHECK_CUT;
        }
        if (count == s->to) {
            return CHECK_HOLDS;
        }
        s->store.cost[s->to] = s->from; /* the way back for shortest_way */
        s->from = s->to;
        s->to = count;
        s->depth++;
    }
}

static uint32_t capacity_of(const struct check_model *model, const struct check_options *options)
{
    /* live_count takes a bit more for each state. */
    uint64_t bits = 8 * store_bytes_each(model->state_size) + (options->live ? 1 : 0);
    uint64_t fit =
        options->bytes_max < UINT64_MAX / 8 ? 8 * options->bytes_max / bits : UINT64_MAX / bits;
    fit = fit > STORE_SPARE ? fit - STORE_SPARE : 0;
    uint64_t capacity = options->states_max < fit ? options->states_max : fit;
    uint64_t most = UINT32_MAX / 4;
    capacity = capacity < most ? capacity : most;
    return capacity > 0 ? (uint32_t)capacity : 1;
}

struct check_options check_interactive(void)
{
    return (struct check_options){
        .states_max = 1000000, .bytes_max = (uint64_t)64 << 20, .threads = 1, .live = true};
}

static void look_for_dead_ends(struct search *s, struct check_result *result)
{
    result->dead = live_count(s);
    if (result->dead > 0) {
        result->verdict = CHECK_FAILS;
        result->depth = s->depth;
        shortest_way(s, WAY_TO_DEAD, result);
    }
}

struct check_result check_search(const struct check_model *model, const struct check_scope *scope,
                                 const struct check_options *options)
{
    CHECK(model->state_size <= CHECK_STATE_MAX);
    CHECK(options->threads >= 1 && options->threads <= WORKERS_MAX);
    uint32_t capacity = capacity_of(model, options);
    struct search s = {.model = model, .scope = scope};
    struct worker worker[WORKERS_MAX] = {{.search = &s}, {.search = &s}};
    store_open(&s.store, model->state_size, capacity);
    size_t live_bytes = options->live ? capacity / 8 + STORE_SPARE : 0;
    s.alive = options->live ? xcalloc(live_bytes, 1) : NULL;
    s.store.hash_mask = options->hashes_collide ? 0 : UINT64_MAX;
    for (unsigned i = 0; i < options->threads; i++) {
        out_open(&worker[i].out, model, BATCH);
    }
    struct check_result result = {0};
    result.verdict = run(&s, worker, options->threads, &result.depth);
    uint32_t count = atomic_load(&s.store.count);
    result.states = count < capacity ? count : capacity;
    result.generated = s.generated;
    result.bytes =
        ((uint64_t)capacity + STORE_SPARE) * store_bytes_each(model->state_size) + live_bytes;
    if (result.verdict == CHECK_FAILS) {
        shortest_way(&s, s.stuck ? WAY_TO_STUCK : WAY_TO_BROKEN, &result);
    } else if (result.verdict == CHECK_HOLDS && options->live) {
        look_for_dead_ends(&s, &result);
    }
    for (unsigned i = 0; i < options->threads; i++) {
        out_close(&worker[i].out);
    }
    store_close(&s.store);
    free(s.alive);
    return result;
}

void check_result_free(struct check_result *result)
{
    free(result->action);
    result->action = NULL;
}

static bool take_step(const struct check_model *model, struct check_out *out, uint16_t action,
                      void *state)
{
    for (size_t i = 0; i < out->count; i++) {
        if (out->action[i] == action) {
            memcpy(state, out_at(out, i), model->state_size);
            return true;
        }
    }
    return false;
}

size_t check_replay(const struct check_model *model, const struct check_scope *scope,
                    uint16_t start_action, const uint16_t *action, size_t steps, void *state)
{
    struct check_out out;
    out_open(&out, model, BATCH);
    model->init(scope, &out);
    CHECK(take_step(model, &out, start_action, state));
    size_t taken = 0;
    for (; taken < steps; taken++) {
        out_clear(&out);
        model->next(scope, state, &out);
        if (!take_step(model, &out, action[taken], state)) {
            break;
        }
    }
    out_close(&out);
    return taken;
}
