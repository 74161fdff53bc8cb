/*
 * faults_apply: the commands of faults: what the network does, who is held up, how long one waits.
 */
#include "engine/apply.h"
#include "engine/faults/faults_inside.h"

bool faults_endless(const struct world *w, const struct request *r)
{
    return r->number <= w->faults.endless_to;
}

/* Whether whoever waits for a message that is lost will ask again. */
static bool survives_loss(const struct world *w, struct err *err)
{
    if (w->config.timeout_us == 0 || w->config.client_timeout_us == 0) {
        return err_set(err, "routers and clients of this world wait for ever: after a lost message "
                            "a request would hang; first give them patience: patience 20");
    }
    for (uint32_t i = 0; w->faults.endless_to > 0 && i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number > 0 && !r->ended && faults_endless(w, r)) {
            return err_set(err, "requests that were asked before `patience` are under way and "
                                "would hang if they were lost; let time run until they are over");
        }
    }
    return true;
}

static bool network_apply(struct world *w, const struct command *c, struct err *err)
{
    struct faults_state *f = &w->faults;
    if (c->amount > MILLION || c->count > MILLION || c->rate > MILLION) {
        return err_set(err, "no more than 100%% of all messages can suffer");
    }
    if (c->rate == 0 && c->bound_us > 0) {
        return err_set(err, "a delay of 0%% of all messages holds none of them up; write a larger "
                            "percentage, or leave the delay out");
    }
    if (c->bound_us < 0 || c->bound_us > NETWORK_DELAY_MAX_US ||
        (c->rate > 0 && c->bound_us == 0)) {
        return err_set(err, "messages are held up for more than 0 and at most %lld ms",
                       (long long)(NETWORK_DELAY_MAX_US / US_PER_MS));
    }
    if (c->amount > 0 && !survives_loss(w, err)) {
        return false;
    }
    f->ppm[FAULT_LOSS] = (uint32_t)c->amount;
    f->ppm[FAULT_DOUBLE] = c->count;
    f->ppm[FAULT_DELAY] = c->rate;
    f->delay_us = (int32_t)c->bound_us;
    faults_decide(f);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), (int64_t)c->amount,
               (int64_t)c->count << 32 | c->rate);
    return true;
}

static bool under_way(const struct world *w, uint64_t number)
{
    for (uint32_t i = 0; number > 0 && i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number == number) {
            return !r->ended;
        }
    }
    return false;
}

/* The row of this request, else a free one; NULL: none. */
static struct held_request *hold_row(struct world *w, uint64_t number)
{
    struct held_request *free = NULL;
    for (uint32_t i = 0; i < HOLDS_MAX; i++) {
        struct held_request *row = &w->faults.hold[i];
        if (row->number == number) {
            return row;
        }
        if (row->number == 0 || row->until_us <= w->now_us) {
            free = free == NULL ? row : free;
        }
    }
    return free;
}

static bool hold_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->period_us < 1 || c->period_us > NETWORK_DELAY_MAX_US) {
        return err_set(err, "messages are held up for more than 0 and at most %lld ms",
                       (long long)(NETWORK_DELAY_MAX_US / US_PER_MS));
    }
    if (!under_way(w, c->amount)) {
        return err_set(err,
                       "no request of number %llu is under way; requests are numbered as they "
                       "come, from 1, and the last one has number %llu",
                       (unsigned long long)c->amount, (unsigned long long)w->last_number);
    }
    struct held_request *row = hold_row(w, c->amount);
    if (row == NULL) {
        return err_set(err, "%d requests are held up already; wait until one of them goes on",
                       HOLDS_MAX);
    }
    w->faults.held += row->number == 0;
    *row = (struct held_request){.number = c->amount, .until_us = w->now_us + c->period_us};
    w->faults.on = true;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), c->period_us, (int64_t)c->amount);
    return true;
}

/* Routers that wait for the map would wait for ever: from now on they ask again. */
static void watch_fetches(struct world *w)
{
    for (uint16_t i = 0; i < w->config.routers; i++) {
        const struct router *router = routers_in(w) + i;
        if (router->fetching && !router->down) {
            router_watch_fetch(w, i);
        }
    }
}

static bool patience_apply(struct world *w, const struct command *c, struct err *err)
{
    struct faults_state *f = &w->faults;
    int64_t of_router = c->period_us;
    int64_t of_client = c->bound_us;
    if (of_router < 0 || of_router > PATIENCE_MAX_US || of_client < 0 ||
        of_client > PATIENCE_MAX_US) {
        return err_set(err, "patience is 0 (for ever) to %lld ms, for clients as for routers",
                       (long long)(PATIENCE_MAX_US / US_PER_MS));
    }
    if (f->ppm[FAULT_LOSS] > 0 && (of_router == 0 || of_client == 0)) {
        return err_set(err, "the network loses messages, and who waits for ever for a lost one "
                            "hangs; first: network calm");
    }
    if (!apply_event_room(w, w->config.routers, err)) {
        return false;
    }
    bool endless = w->config.timeout_us == 0 || w->config.client_timeout_us == 0;
    bool fetches_endless = w->config.timeout_us == 0;
    int64_t old = w->config.client_timeout_us;
    int64_t until = w->now_us + (old > 0 ? old : READS_SETTLED_US);
    f->endless_to = endless ? w->last_number : f->endless_to;
    f->old_patience_until_us = until > f->old_patience_until_us ? until : f->old_patience_until_us;
    w->config.timeout_us = (int32_t)of_router;
    w->config.client_timeout_us = (int32_t)of_client;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_NONE, 0), of_router, of_client);
    if (fetches_endless && of_router > 0) {
        watch_fetches(w);
    }
    return true;
}

bool faults_apply(struct world *w, const struct command *c, struct err *err)
{
    if (c->kind == COMMAND_HOLD) {
        return hold_apply(w, c, err);
    }
    if (c->kind == COMMAND_PATIENCE) {
        return patience_apply(w, c, err);
    }
    if (c->kind == COMMAND_DIRECTORY) {
        return directory_apply(w, c, err);
    }
    return c->kind == COMMAND_NETWORK ? network_apply(w, c, err) : crash_apply(w, c, err);
}
