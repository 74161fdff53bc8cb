/*
 * models: see models.h.
 */
#include "check/models.h"
#include <string.h>

static const struct check_model *const models[] = {
    &model_fence_and_flip, &model_ask,      &model_dual_write,      &model_preagg,
    &model_micro_cache,    &model_coalesce, &model_striped_balance, &model_commit,
    &model_saga,           &model_failover, &model_scatter,
};

const struct check_model *check_model_at(size_t index)
{
    return index < sizeof models / sizeof models[0] ? models[index] : NULL;
}

const struct check_model *check_model_by_name(const char *name)
{
    for (size_t i = 0; check_model_at(i); i++) {
        if (strcmp(models[i]->name, name) == 0) {
            return models[i];
        }
    }
    return NULL;
}

size_t check_rules(const struct check_model *model)
{
    size_t count = 0;
    while (model->rule[count].name) {
        count++;
    }
    return count;
}

bool check_rule_by_name(const struct check_model *model, const char *name, uint32_t *bit)
{
    for (size_t i = 0; model->rule[i].name; i++) {
        if (strcmp(model->rule[i].name, name) == 0) {
            *bit = UINT32_C(1) << i;
            return true;
        }
    }
    return false;
}
