/*
 * copies_hold: what must be true of groups.
 *
 *   one-leader-a-term   no term was led by two
 *   acked-at-majority   what was acknowledged is in the logs of a majority (not with `acks one`)
 *   acked-is-led        ... and in the log of each leader of a later term
 *   read-is-kept        the same of what a read of a leader returned
 *   read-goes-not-back  ... and no such read that was asked after that returned less
 *   late-is-not-acked   what a leader took after it was replaced is never acknowledged
 *   committed-alike     two replicas that know a position to be committed hold the same there
 *   logs-are-whole      a log's last entry has the term that the core says; nothing is committed
 *                       that is not there
 */
#include "engine/copies/copies_inside.h"

static bool notes_hold(const struct group_row *g, struct err *err)
{
    if (g->broken == COPIES_TWO_LEADERS) {
        return err_set(err, "one-leader-a-term: %s had two leaders in term %llu, N%llu and N%llu",
                       g->name, (unsigned long long)g->broken_term,
                       (unsigned long long)(g->broken_at >> 32) + 1,
                       (unsigned long long)(g->broken_at & UINT32_MAX) + 1);
    }
    if (g->broken == COPIES_LATE) {
        return err_set(err,
                       "late-is-not-acked: the leader of term %llu of %s acknowledged entry %llu, "
                       "which it took after it was replaced",
                       (unsigned long long)g->broken_term, g->name,
                       (unsigned long long)g->broken_at);
    }
    if (g->back_from != 0) {
        return err_set(err,
                       "read-goes-not-back: a read of the leader of %s returned entry %llu, after "
                       "entry %llu had been acknowledged or read",
                       g->name, (unsigned long long)g->back_to, (unsigned long long)g->back_from);
    }
    return true;
}

static bool acked_holds(const struct group_row *g, const struct acked_entry *a, struct err *err)
{
    uint32_t have = 0;
    for (uint16_t i = 0; i < g->of; i++) {
        const struct replica *r = &g->replica[i];
        bool has = log_has(r, a->position, a->entry);
        have += has;
        if (r->core.role == TERM_LEADER && r->core.term > a->by && !has) {
            return err_set(err,
                           "acked-is-led: N%u leads %s in term %llu without entry %llu (value "
                           "%llu), which was acknowledged in term %llu",
                           r->node + 1u, g->name, (unsigned long long)r->core.term,
                           (unsigned long long)a->position,
                           (unsigned long long)ENTRY_VALUE(a->entry), (unsigned long long)a->by);
        }
    }
    if (have < term_majority(g->of)) {
        return err_set(err,
                       "acked-at-majority: entry %llu of %s (value %llu) was acknowledged, and %u "
                       "of %u replicas have it",
                       (unsigned long long)a->position, g->name,
                       (unsigned long long)ENTRY_VALUE(a->entry), have, g->of);
    }
    return true;
}

static bool read_holds(const struct group_row *g, struct err *err)
{
    uint32_t have = 0;
    for (uint16_t i = 0; i < g->of; i++) {
        have += log_has(&g->replica[i], g->read.position, g->read.entry);
    }
    return have >= term_majority(g->of) ||
           err_set(err,
                   "read-is-kept: entry %llu of %s (value %llu) was read of the leader of term "
                   "%llu, and %u of %u replicas have it",
                   (unsigned long long)g->read.position, g->name,
                   (unsigned long long)ENTRY_VALUE(g->read.entry), (unsigned long long)g->read.by,
                   have, g->of);
}

/* Positions that both remember and know to be committed. */
static bool alike(const struct group_row *g, const struct replica *a, const struct replica *b,
                  struct err *err)
{
    uint64_t from = a->base > b->base ? a->base : b->base;
    uint64_t to = log_known(a) < log_known(b) ? log_known(a) : log_known(b);
    for (uint64_t p = from > 0 ? from : 1; p <= to; p++) {
        if (log_entry(a, p) != log_entry(b, p)) {
            return err_set(err,
                           "committed-alike: N%u and N%u of %s hold different entries at %llu, and "
                           "both take them for committed",
                           a->node + 1u, b->node + 1u, g->name, (unsigned long long)p);
        }
    }
    return true;
}

static bool is_whole(const struct group_row *g, const struct replica *r, struct err *err)
{
    uint64_t term = 0;
    bool known = log_term(r, r->core.last, &term);
    if (!known || term != r->core.last_term || r->core.last - r->base > GROUP_LOG ||
        r->core.commit < r->base) {
        return err_set(err,
                       "logs-are-whole: the log of %s at N%u has %llu entries, the last of "
                       "term %llu; its core says %llu",
                       g->name, r->node + 1u, (unsigned long long)r->core.last,
                       (unsigned long long)term, (unsigned long long)r->core.last_term);
    }
    return true;
}

static bool group_holds(const struct group_row *g, struct err *err)
{
    uint64_t held = g->acked_entries < GROUP_ACKED ? g->acked_entries : GROUP_ACKED;
    for (uint64_t i = 0; i < held && g->acks != ACKS_ONE; i++) {
        const struct acked_entry *a = &g->acked_entry[i];
        if (a->position > 0 && !acked_holds(g, a, err)) {
            return false;
        }
    }
    if (g->read.position > 0 && !read_holds(g, err)) {
        return false;
    }
    for (uint16_t i = 0; i < g->of; i++) {
        if (!is_whole(g, &g->replica[i], err)) {
            return false;
        }
        for (uint16_t j = 0; j < i; j++) {
            if (!alike(g, &g->replica[i], &g->replica[j], err)) {
                return false;
            }
        }
    }
    return true;
}

bool copies_hold(const struct world *w, struct err *err)
{
    for (uint32_t i = 0; i < w->copies.count; i++) {
        const struct group_row *g = groups_in(w) + i;
        if (!notes_hold(g, err) || !group_holds(g, err)) {
            return false;
        }
    }
    return true;
}
