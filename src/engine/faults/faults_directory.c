/*
 * faults_directory: the directory is away.
 *
 * It takes no message, commits nothing, and so announces nothing. A router that wants the map gets
 * no answer: the request that waits for it is laid by (no_map), and asks again when the directory
 * is back, or earlier by its router's patience, if it has any: then the router tries once more with
 * the map that it has. A commit that was due meanwhile begins anew when the directory is back.
 */
#include "engine/apply.h"
#include "engine/faults/faults_inside.h"

bool world_directory_down(const struct world *w)
{
    return w->faults.directory_down;
}

bool faults_directory_up(const struct world *w, struct err *err)
{
    if (w->faults.directory_down) {
        return err_set(err, "the directory is down, and without it no slot moves; first: "
                            "directory on");
    }
    return true;
}

bool directory_turns_away(struct world *w, const struct event *event)
{
    if (event->kind != EVENT_FETCH) {
        return false;
    }
    if (event->request == NO_INDEX) {
        routers_of(w)[event->node].no_map = true;
    } else if (request_late(w, event)) {
        return true;
    } else {
        requests_of(w)[event->request].no_map = 1;
    }
    fault_note(w, event, REASON_FAULTS_NODE_DOWN);
    return true;
}

static bool waits_for_map(const struct request *r)
{
    return r->number != 0 && r->no_map && !r->ended;
}

/* Events that its return may bring: a wish for the map with its timer each, and the commits. */
static uint32_t events_of_return(const struct world *w)
{
    uint32_t wishes = w->config.routers;
    for (uint32_t i = 0; i < w->requests_used; i++) {
        wishes += waits_for_map(requests_in(w) + i);
    }
    return 2 * wishes + w->config.moves_max;
}

static void ask_again(struct world *w)
{
    for (uint16_t i = 0; i < w->config.routers; i++) {
        struct router *router = routers_of(w) + i;
        if (router->no_map && router->fetching && !router->down) {
            router_fetch_again(w, i, NO_INDEX);
        }
        router->no_map = false;
    }
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (waits_for_map(r)) {
            router_fetch_again(w, r->router, i);
        }
    }
}

bool directory_apply(struct world *w, const struct command *c, struct err *err)
{
    struct faults_state *f = &w->faults;
    if (c->on == !f->directory_down) {
        return err_set(err, "the directory is %s already", c->on ? "up" : "down");
    }
    if (c->on && !apply_event_room(w, events_of_return(w), err)) {
        return false;
    }
    f->directory_down = !c->on;
    faults_decide(f);
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_DIRECTORY, 0), c->on, 0);
    if (c->on) {
        ask_again(w);
        moves_directory_back(w);
    }
    return true;
}

void directory_feed(struct digest *d, const struct world *w)
{
    if (!w->faults.directory_down) { /* so that others stay as they were */
        return;
    }
    digest_u64(d, UINT64_MAX);
    for (uint32_t i = 0; i < w->config.routers; i++) {
        digest_u64(d, routers_in(w)[i].no_map);
    }
    for (uint32_t i = 0; i < w->requests_used; i++) {
        digest_u64(d, waits_for_map(requests_in(w) + i));
    }
}
