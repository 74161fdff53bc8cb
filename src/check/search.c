/*
 * search: see search.h.
 *
 * A worker leaves states in batches: their successors are gathered and hashed, and the memory that
 * the table will read is asked for, long before the first of them is looked up. Waiting for memory
 * is nearly all the time there is. Two workers share a level by a counter and meet at its end.
 *
 * Situations are told of whole levels alone: which states of a level are kept when there is no room
 * for all depends on who comes first.
 */
#include "check/search.h"
#include "base/alloc.h"
#include "check/inside.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH (2 * (size_t)CHECK_STEPS_MAX)
#define CHUNK 64u          /* states that a worker takes at a time */
#define SHARED_LEVEL 4096u /* a level below is done before a second worker has started */
#define WORKERS_MAX 2

struct worker {
    struct search *search;
    struct check_out out;
    uint64_t hash[BATCH];
    uint64_t generated;
    uint32_t reached;
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

static uint32_t situations_of(const struct search *s, const void *state)
{
    return s->model->situations ? s->model->situations(s->scope, state) : 0;
}

static void leave(struct worker *w, const void *state)
{
    struct search *s = w->search;
    w->reached |= situations_of(s, state);
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

/* No result but CUT_TIME depends on it. */
static uint64_t milliseconds(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void say_how_far(struct search *s)
{
    if (s->progress) {
        uint32_t count = atomic_load_explicit(&s->store.count, memory_order_relaxed);
        count = count < s->store.capacity ? count : s->store.capacity;
        uint32_t depth = s->depth + (s->before ? s->before->steps : 0);
        atomic_store_explicit(&s->progress->states, count, memory_order_relaxed);
        atomic_store_explicit(&s->progress->depth, depth, memory_order_relaxed);
    }
}

bool search_ends(struct search *s, bool at_its_time)
{
    if (atomic_load_explicit(&s->ends, memory_order_relaxed) != ENDS_NOT) {
        return true;
    }
    int ends = ENDS_NOT;
    if (s->progress) {
        say_how_far(s);
        ends = atomic_load_explicit(&s->progress->cancel, memory_order_relaxed) ? ENDS_CANCELLED
                                                                                : ENDS_NOT;
    }
    if (ends == ENDS_NOT && at_its_time && s->ms_end != 0 && milliseconds() >= s->ms_end) {
        ends = ENDS_TIME;
    }
    if (ends != ENDS_NOT) {
        atomic_store_explicit(&s->ends, ends, memory_order_relaxed);
    }
    return ends != ENDS_NOT;
}

/* A failure that was found is worth the time that it takes to be told. */
static bool level_ends(struct search *s)
{
    bool failed = atomic_load_explicit(&s->broken, memory_order_relaxed) ||
                  atomic_load_explicit(&s->stuck, memory_order_relaxed);
    return search_ends(s, !failed);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct search *s = w->search;
    while (!level_ends(s)) {
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
    atomic_fetch_or_explicit(&s->reached, w->reached, memory_order_relaxed);
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
    s->left = s->to;
}

static void start(struct search *s, struct worker *w)
{
    if (s->before) {
        memcpy(check_put(&w->out, s->before->start), s->before->state, s->model->state_size);
    } else {
        s->model->init(s->scope, &w->out);
    }
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
        if (s->ends != ENDS_NOT) {
            return CHECK_CUT;
        }
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
        say_how_far(s);
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

/* Situations of what was found and not left. */
static uint32_t all_reached(const struct search *s)
{
    uint32_t reached = s->reached;
    uint32_t count = is_full(s) ? s->left : atomic_load(&s->store.count);
    for (uint32_t at = s->left; s->model->situations && at < count; at++) {
        reached |= situations_of(s, store_at(&s->store, at));
    }
    return reached;
}

/* The way to the failure, or for ever to what is finished: unless somebody ends it. */
static void look_back(struct search *s, struct check_result *result, bool live)
{
    uint32_t whole = s->depth;
    if (result->verdict == CHECK_FAILS) {
        shortest_way(s, s->stuck ? WAY_TO_STUCK : WAY_TO_BROKEN, result);
    } else if (result->verdict == CHECK_HOLDS && live) {
        result->dead = live_count(s);
        if (result->dead > 0) {
            result->verdict = CHECK_FAILS;
            result->depth = s->depth;
            shortest_way(s, WAY_TO_DEAD, result);
        }
    }
    if (s->ends != ENDS_NOT) {
        result->verdict = CHECK_CUT;
        result->depth = whole;
        result->dead = 0;
    }
    result->cut = s->ends == ENDS_TIME        ? CUT_TIME
                  : s->ends == ENDS_CANCELLED ? CUT_CANCELLED
                                              : CUT_ROOM;
}

static struct check_result search(const struct check_model *model, const struct check_scope *scope,
                                  const struct check_options *options, const struct before *before)
{
    CHECK(model->state_size <= CHECK_STATE_MAX);
    CHECK(options->threads >= 1 && options->threads <= WORKERS_MAX);
    uint32_t capacity = capacity_of(model, options);
    struct search s = {
        .model = model, .scope = scope, .progress = options->progress, .before = before};
    struct worker worker[WORKERS_MAX] = {{.search = &s}, {.search = &s}};
    s.ms_end = options->ms_max > 0 ? milliseconds() + options->ms_max : 0;
    store_open(&s.store, model->state_size, capacity);
    size_t live_bytes = options->live ? capacity / 8 + STORE_SPARE : 0;
    s.alive = options->live ? xcalloc(live_bytes, 1) : NULL;
    s.store.hash_mask = options->hashes_collide ? 0 : UINT64_MAX;
    for (unsigned i = 0; i < options->threads; i++) {
        out_open(&worker[i].out, model, BATCH);
    }
    struct check_result result = {0};
    result.verdict = run(&s, worker, options->threads, &result.depth);
    say_how_far(&s);
    uint32_t count = atomic_load(&s.store.count);
    result.states = count < capacity ? count : capacity;
    result.generated = s.generated;
    result.reached = all_reached(&s);
    result.bytes =
        ((uint64_t)capacity + STORE_SPARE) * store_bytes_each(model->state_size) + live_bytes;
    look_back(&s, &result, options->live);
    for (unsigned i = 0; i < options->threads; i++) {
        out_close(&worker[i].out);
    }
    store_close(&s.store);
    free(s.alive);
    return result;
}

struct check_result check_search(const struct check_model *model, const struct check_scope *scope,
                                 const struct check_options *options)
{
    return search(model, scope, options, NULL);
}

bool check_search_from(const struct check_model *model, const struct check_scope *scope,
                       const struct check_options *options, uint16_t start_action,
                       const uint16_t *action, uint32_t steps, struct check_result *result)
{
    struct before before = {.start = start_action, .last = steps > 0 ? action[steps - 1] : 0};
    before.steps = steps;
    if (!replay_start(model, scope, start_action, before.state) ||
        check_replay(model, scope, start_action, action, steps, before.state) < steps) {
        return false;
    }
    *result = search(model, scope, options, &before);
    if (result->verdict == CHECK_FAILS) {
        uint16_t *whole = xcalloc((size_t)steps + result->depth + 1, sizeof *whole);
        if (steps > 0) {
            memcpy(whole, action, steps * sizeof *whole);
        }
        memcpy(whole + steps, result->action, result->depth * sizeof *whole);
        free(result->action);
        result->action = whole;
    }
    result->depth += steps;
    return true;
}

void check_result_free(struct check_result *result)
{
    free(result->action);
    result->action = NULL;
}
