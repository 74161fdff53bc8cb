/*
 * models: the protocols that can be checked, by name, and their rules as bits.
 */
#ifndef HOTSHARD_CHECK_MODELS_H
#define HOTSHARD_CHECK_MODELS_H

#include "check/model.h"

extern const struct check_model model_fence_and_flip;
extern const struct check_model model_ask;
extern const struct check_model model_dual_write;
extern const struct check_model model_preagg;
extern const struct check_model model_micro_cache;
extern const struct check_model model_coalesce;
extern const struct check_model model_striped_balance;
extern const struct check_model model_commit;
extern const struct check_model model_saga;
extern const struct check_model model_failover;
extern const struct check_model model_scatter;
/* Not among those by name: what others have counted, to measure the search by. */
extern const struct check_model model_two_phase_yardstick;

const struct check_model *check_model_at(size_t index); /* NULL past the last */
const struct check_model *check_model_by_name(const char *name);
size_t check_rules(const struct check_model *model);
/* The bit of a rule; false when the model has none of that name. */
bool check_rule_by_name(const struct check_model *model, const char *name, uint32_t *bit);

#endif
