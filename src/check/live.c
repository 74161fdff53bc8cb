/*
 * live: from which states something finished can still be reached.
 *
 * The steps are not kept, so what leads to a state is not known. Instead the states are gone
 * through from the last to the first, again and again until nothing changes: a state that is
 * finished can finish, and so can one with a step to a state that can. Most steps lead to states
 * that were found later, so few rounds are needed, and each looks only at what is left.
 */
#include "check/inside.h"
#include <string.h>

static bool leads_to_live(struct search *s, struct check_out *out, const void *state)
{
    out_clear(out);
    s->model->next(s->scope, state, out);
    for (size_t i = 0; i < out->count; i++) {
        if (s->model->canon) {
            s->model->canon(s->scope, out_at(out, i));
        }
        uint32_t at = store_find(&s->store, out_at(out, i));
        if (at != STORE_NONE && live_at(s, at)) {
            return true;
        }
    }
    return false;
}

static uint64_t round_of(struct search *s, struct check_out *out)
{
    uint64_t found = 0;
    for (uint32_t at = s->store.count; at-- > 0;) {
        if (at % SEARCH_ASKS_EACH == 0 && search_ends(s, true)) {
            return 0;
        }
        const void *state = store_at(&s->store, at);
        if (!live_at(s, at) &&
            (s->model->finished(s->scope, state) || leads_to_live(s, out, state))) {
            s->alive[at / 8] |= (unsigned char)(1u << at % 8);
            found++;
        }
    }
    return found;
}

/* The first state of each level knows where the level before starts. */
static void stand_at_level_of(struct search *s, uint32_t position)
{
    while (s->from > position) {
        s->to = s->from;
        s->from = s->store.cost[s->from];
        s->depth--;
    }
}

uint64_t live_count(struct search *s)
{
    struct check_out out;
    uint64_t dead = s->store.count;
    uint64_t found = 0;
    out_open(&out, s->model, CHECK_STEPS_MAX);
    do {
        found = round_of(s, &out);
        dead -= found;
    } while (found > 0 && dead > 0);
    out_close(&out);
    if (s->ends != ENDS_NOT) {
        return 0;
    }
    for (uint32_t at = 0; dead > 0 && at < s->store.count; at++) {
        if (!live_at(s, at)) {
            stand_at_level_of(s, at);
            break;
        }
    }
    return dead;
}
