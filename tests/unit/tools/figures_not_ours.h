/*
 * The rows of figures.tsv that no program can compute: the sources state them and give nothing that
 * they follow from. With the reason, which test_figures.c prints. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_NOT_OURS_H
#define HOTSHARD_TESTS_FIGURES_NOT_OURS_H

#include "figures.h"

static const struct figure_not_ours not_ours[] = {
    {"size.busy20", "the opening's table is 20% busy because its author says so"},
    {"snap.nova_creators", "who wrote the posts is given for nova's four only"},
    {"size.per_key_limits", "the source's table of limits is lost, so there is nothing to compare"},
    {"salt.loops_S", "a habit of other designs, quoted without a reckoning"},
    {"count.rebuild_minutes", "how often a count is rebuilt is a choice; nothing follows from it"},
    {"d3.routing_ms", "the delay of other people's proxies, quoted"},
    {"d3.redis_ops", "what another program does on another machine, quoted"},
    {"d3.pg_writes", "what another program does on another machine, quoted"},
    {"d3.defaults", "settings of other programs, quoted"},
    {"d3.widget_spec", "the source does not say it; what we take for it is in the widget's rows"},
};

#endif
