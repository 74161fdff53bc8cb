/*
 * figures_by_checker: the rows of figures.tsv that test_figures_check.c computes, as one list, so
 * that the coverage that test_figures.c prints counts them too: it uses of each only the first
 * argument, the id. The others are the function and what it wants to know (struct figure).
 */
#ifndef HOTSHARD_TESTS_FIGURES_BY_CHECKER_H
#define HOTSHARD_TESTS_FIGURES_BY_CHECKER_H

#define SNAPSHOT "snapshot-position compare-before-fence"

#define FIGURES_BY_CHECKER(ROW)                                                                    \
    ROW("move.on_2w1r_bad", value_bad, "", FLIP_2W1R, 0)                                           \
    ROW("move.on_2w1r_owners", value_owners, "", FLIP_2W1R, 0)                                     \
    ROW("move.on_2w1r_inv", value_inside, "", FLIP_2W1R, 0)                                        \
    ROW("move.on_2w1r_depth", value_depth, "", FLIP_2W1R, 0)                                       \
    ROW("move.on_2w2r_bad", value_bad, "", FLIP_2W2R, 0)                                           \
    ROW("move.on_2w2r_owners", value_owners, "", FLIP_2W2R, 0)                                     \
    ROW("move.on_2w2r_inv", value_inside, "", FLIP_2W2R, 0)                                        \
    ROW("move.on_2w2r_depth", value_depth, "", FLIP_2W2R, 0)                                       \
    ROW("move.on_3w1r_bad", value_bad, "", FLIP_3W1R, 0)                                           \
    ROW("move.on_3w1r_owners", value_owners, "", FLIP_3W1R, 0)                                     \
    ROW("move.on_3w1r_inv", value_inside, "", FLIP_3W1R, 0)                                        \
    ROW("move.on_3w1r_depth", value_depth, "", FLIP_3W1R, 0)                                       \
    ROW("move.on_3w2r_bad", value_bad, "", FLIP_3W2R, 0)                                           \
    ROW("move.on_3w2r_owners", value_owners, "", FLIP_3W2R, 0)                                     \
    ROW("move.on_3w2r_inv", value_inside, "", FLIP_3W2R, 0)                                        \
    ROW("move.on_3w2r_depth", value_depth, "", FLIP_3W2R, 0)                                       \
    ROW("move.on_2w1r_lost_bad", value_bad, "", FLIP_2W1R_LOST, 0)                                 \
    ROW("move.on_2w1r_lost_owners", value_owners, "", FLIP_2W1R_LOST, 0)                           \
    ROW("move.on_2w1r_lost_inv", value_inside, "", FLIP_2W1R_LOST, 0)                              \
    ROW("move.on_2w1r_lost_depth", value_depth, "", FLIP_2W1R_LOST, 0)                             \
    ROW("move.on_3w1r_2m_bad", value_bad, "", FLIP_3W1R_TWO_MOVES, 0)                              \
    ROW("move.on_3w1r_2m_owners", value_owners, "", FLIP_3W1R_TWO_MOVES, 0)                        \
    ROW("move.on_3w1r_2m_inv", value_inside, "", FLIP_3W1R_TWO_MOVES, 0)                           \
    ROW("move.on_3w1r_2m_depth", value_depth, "", FLIP_3W1R_TWO_MOVES, 0)                          \
    ROW("move.on_2w1r_3m_bad", value_bad, "", FLIP_2W1R_THREE_MOVES, 0)                            \
    ROW("move.on_2w1r_3m_owners", value_owners, "", FLIP_2W1R_THREE_MOVES, 0)                      \
    ROW("move.on_2w1r_3m_inv", value_inside, "", FLIP_2W1R_THREE_MOVES, 0)                         \
    ROW("move.on_2w1r_3m_depth", value_depth, "", FLIP_2W1R_THREE_MOVES, 0)                        \
    ROW("move.on_live", value_dead, "", FLIP_2W1R, 0)                                              \
    ROW("move.off_fence_len", value_steps, "fence", FLIP_2W1R, CHECK_OUTSIDE)                      \
    ROW("move.off_fence_inv", value_steps, "fence", FLIP_2W1R, CHECK_INSIDE)                       \
    ROW("move.off_drain_len", value_steps, "drain-to-fence", FLIP_2W1R, CHECK_OUTSIDE)             \
    ROW("move.off_drain_inv", value_steps, "drain-to-fence", FLIP_2W1R, CHECK_INSIDE)              \
    ROW("move.off_old_owner_check_len", value_steps, "slot-table-check", FLIP_2W1R_OLD_OWNER,      \
        CHECK_OUTSIDE)                                                                             \
    ROW("move.off_old_owner_check_inv", value_steps, "slot-table-check", FLIP_2W1R_OLD_OWNER,      \
        CHECK_INSIDE)                                                                              \
    ROW("move.off_target_waits_len", value_steps, "target-waits-for-commit", FLIP_2W1R,            \
        CHECK_OUTSIDE)                                                                             \
    ROW("move.off_target_waits_inv", value_steps, "target-waits-for-commit", FLIP_2W1R,            \
        CHECK_INSIDE)                                                                              \
    ROW("move.off_snapshot_len", value_steps, SNAPSHOT, FLIP_2W1R, CHECK_OUTSIDE)                  \
    ROW("move.off_snapshot_inv", value_steps, SNAPSHOT, FLIP_2W1R, CHECK_INSIDE)                   \
    ROW("move.off_atomic_check_len", value_steps, "check-and-append", FLIP_2W1R, CHECK_OUTSIDE)    \
    ROW("move.off_atomic_check_inv", value_steps, "check-and-append", FLIP_2W1R, CHECK_INSIDE)     \
    ROW("move.off_fence_reads_len", value_steps, "fence-covers-reads", FLIP_2W1R, CHECK_OUTSIDE)   \
    ROW("move.off_fence_reads_inv", value_steps, "fence-covers-reads", FLIP_2W1R, CHECK_INSIDE)    \
    ROW("move.off_snapshot_compare", value_bad, "snapshot-position", FLIP_2W1R, 0)                 \
    ROW("move.off_compare", value_bad, "compare-before-fence", FLIP_2W1R, 0)                       \
    ROW("move.off_target_quiet", value_bad, "target-waits-for-commit", FLIP_2W1R_QUIET, 0)         \
    ROW("move.coalesce_on", value_coalesce, "", 1, 0)                                              \
    ROW("move.coalesce_norule", value_coalesce, "join-before-write", 1, 0)                         \
    ROW("move.coalesce_local", value_coalesce, "one-router-a-key", 2, 0)                           \
    ROW("move.coalesce_shared", value_coalesce, "", 3, 0)                                          \
    ROW("move.flush_abs_seq", value_preagg, "", PREAGG_ONLY_FLUSHES, 0)                            \
    ROW("move.flush_abs", value_preagg, "flush-sequence", PREAGG_ONLY_FLUSHES, 0)                  \
    ROW("move.flush_add", value_preagg, "absolute-flush", PREAGG_ONLY_FLUSHES, 0)                  \
    ROW("move.restart_plain", value_preagg, "claim-on-restart", PREAGG_ONLY_RESTART, 0)            \
    ROW("move.restart_claim", value_preagg, "", PREAGG_ONLY_RESTART, 0)                            \
    ROW("move.fill_plain", value_fill, "fill-not-across-edit", CACHE_NO_CLOCK, 0)                  \
    ROW("move.fill_guard", value_fill, "", CACHE_NO_CLOCK, 0)
#endif
