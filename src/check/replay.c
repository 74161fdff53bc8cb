/*
 * replay: the steps of a way taken one by one, see search.h.
 */
#include "check/inside.h"
#include <string.h>

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

bool replay_start(const struct check_model *model, const struct check_scope *scope, uint16_t start,
                  void *state)
{
    struct check_out out;
    out_open(&out, model, CHECK_STEPS_MAX);
    model->init(scope, &out);
    bool found = take_step(model, &out, start, state);
    out_close(&out);
    return found;
}

size_t check_replay(const struct check_model *model, const struct check_scope *scope,
                    uint16_t start, const uint16_t *action, size_t steps, void *state)
{
    struct check_out out;
    CHECK(replay_start(model, scope, start, state));
    out_open(&out, model, CHECK_STEPS_MAX);
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
