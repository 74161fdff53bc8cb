/*
 * The rows of figures.tsv that no program can compute: the sources state them and give nothing that
 * they follow from. And those that count the states of another search of the same protocol. With
 * the reason, which test_figures.c prints. And of which parts every row is ours or among these.
 * Part of test_figures.c.
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
    {"d4.detect", "how long others take to declare a node dead and to elect, quoted as ranges"},
    {"d3.defaults", "settings of other programs, quoted"},
    {"d3.widget_spec", "the source does not say it; what we take for it is in the widget's rows"},
    {"snap.clock", "when the story's evening is, its author decides"},
    {"move.pause", "it follows from delays of messages, which the source does not give"},
    {"move.version", "it follows from how many changes came before, which the source leaves open"},
    {"size.events", "the source's table of events is lost, and with it how many there were"},
    {"d4.c4_p99", "latencies that the source tells of, with nothing they follow from"},
    {"d4.c5_400", "it hangs on how many of the reads fail and come again, which is not said"},
    {"d4.canary_hash", "the source names no hash"},
    {"d4.stripe", "what a company published of itself"},
    {"d4.notion", "what a company published of itself"},
    {"d4.figma", "what a company published of itself"},
    {"move.stamp", "when the story's evening is, its author decides"},
};

/* The depths of these searches, what is broken in them and how soon are figures_by_checker.h's. */
#define ANOTHER_CUT "counts the states of another cut of the same steps; see fence_and_flip.h"

static const struct figure_not_ours another_cut[] = {
    {"move.on_2w1r_states", ANOTHER_CUT},
    {"move.on_2w1r_pause", ANOTHER_CUT},
    {"move.on_2w2r_states", ANOTHER_CUT},
    {"move.on_2w2r_pause", ANOTHER_CUT},
    {"move.on_3w1r_states", ANOTHER_CUT},
    {"move.on_3w1r_pause", ANOTHER_CUT},
    {"move.on_3w2r_states", ANOTHER_CUT},
    {"move.on_3w2r_pause", ANOTHER_CUT},
    {"move.on_2w1r_lost_states", ANOTHER_CUT},
    {"move.on_2w1r_lost_pause", ANOTHER_CUT},
    {"move.on_3w1r_2m_states", ANOTHER_CUT},
    {"move.on_3w1r_2m_pause", ANOTHER_CUT},
    {"move.on_2w1r_3m_states", ANOTHER_CUT},
    {"move.on_2w1r_3m_pause", ANOTHER_CUT},
    {"move.off_fence_states", ANOTHER_CUT},
    {"move.off_drain_states", ANOTHER_CUT},
    {"move.off_old_owner_check_states", ANOTHER_CUT},
    {"move.off_target_waits_states", ANOTHER_CUT},
    {"move.off_snapshot_states", ANOTHER_CUT},
    {"move.off_atomic_check_states", ANOTHER_CUT},
    {"move.off_fence_reads_states", ANOTHER_CUT},
};

/* Parts 0 to 5, 7 to 10 and 12, and, of the chapter on consistent hashing, its opening, symbols,
 * sections 1, 6, 8, 9 and 11 to 15, its summary, and of 7 and 10 what is about maps and systems. */
static const char *const whole_parts[] = {
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "7",
    "8",
    "doc004 start",
    "doc004 symbols",
    "doc004 1",
    "doc004 1.1",
    "doc004 1.3",
    "9",
    "10",
    "doc004 6",
    "doc004 6.1",
    "doc004 6.4",
    "doc004 6.5",
    "doc004 7.4",
    "doc004 7.5",
    "doc004 8.1",
    "doc004 8.2",
    "doc004 8.3",
    "doc004 9",
    "doc004 10.2",
    "doc004 10.3",
    "doc004 10.4",
    "doc004 10.5",
    "doc004 13",
    "doc004 13.1",
    "doc004 13.2",
    "doc004 13.3",
    "doc004 13.4",
    "12",
    "doc004 11.1",
    "doc004 11.2",
    "doc004 11.3",
    "doc004 11.5",
    "doc004 12.1",
    "doc004 12.2",
    "doc004 12.3",
    "doc004 12.4",
    "doc004 14.1",
    "doc004 14.2",
    "doc004 case 1",
    "doc004 case 2",
    "doc004 case 3",
    "doc004 case 4",
    "doc004 case 5",
    "doc004 case 6",
    "doc004 case 7",
    "doc004 case 8",
    "doc004 case 9",
    "doc004 summary",
};

#endif
