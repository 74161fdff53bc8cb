/*
 * move_words: where a move is and what there is to say of each stage; see move_parts.h.
 */
#include "view/move_parts.h"

#include "base/utf8.h"
#include "engine/faults/faults.h"

/* --- where it is --------------------------------------------------------------------------- */

static int stage_now(const struct moving *k)
{
    const struct move_info *m = &k->m;
    switch (m->phase) {
    case MOVE_BEGUN:
        return MOVE_COPY;
    case MOVE_TAILING:
        return moving_copying(m) ? MOVE_COPY : m->committing ? MOVE_COMMIT : MOVE_TAIL;
    case MOVE_FENCED:
        return m->committing ? MOVE_COMMIT : MOVE_FENCE;
    case MOVE_COMMITTED:
        return m->ended ? MOVE_CLEANUP : MOVE_CLOSE;
    case MOVE_ABORTED:
    case MOVE_PHASES:
        break;
    }
    return MOVE_OUT;
}

static bool source_is_empty(const struct moving *k)
{
    for (uint32_t key = 0; key < world_keys(k->w); key++) {
        if (world_key_slot(k->w, key) == k->slot && moves_held(k->w, k->m.source, key).there) {
            return false;
        }
    }
    return true;
}

static enum stage_mark mark_of(const struct moving *k, const struct stages *st, int stage)
{
    const struct move_info *m = &k->m;
    bool committed = m->committed_us != MOVE_NEVER;
    if (stage == MOVE_COMPARE && m->compared) {
        return m->alike && m->differing == 0 ? STAGE_DONE : STAGE_BAD;
    }
    if (stage == MOVE_FENCE && m->fenced_us == MOVE_NEVER && (committed || m->committing)) {
        return STAGE_LEFT_OUT;
    }
    if (stage == MOVE_TAIL && committed && m->end > m->applied) {
        return STAGE_LEFT_OUT;
    }
    if (stage == MOVE_TAIL && st->now == MOVE_FENCE && m->applied < m->fence) {
        return STAGE_NOW; /* it ends with the fence */
    }
    if (stage == MOVE_CLEANUP && st->now != MOVE_OUT) {
        return st->cleaned ? STAGE_DONE : STAGE_TO_COME;
    }
    if (stage == MOVE_CLOSE && m->closed_us != MOVE_NEVER) {
        return st->now == MOVE_CLOSE ? STAGE_NOW : STAGE_DONE;
    }
    if (st->now == MOVE_OUT) { /* how far it had come */
        int64_t tail = m->end == m->applied ? m->copied_us : MOVE_NEVER;
        const int64_t at[STAGES] = {m->copied_us,    tail,         MOVE_NEVER, m->fenced_us,
                                    m->committed_us, m->closed_us, MOVE_NEVER};
        return at[stage] != MOVE_NEVER ? STAGE_DONE : STAGE_NEVER;
    }
    return stage == st->now ? STAGE_NOW : stage < st->now ? STAGE_DONE : STAGE_TO_COME;
}

static bool is_down(const struct moving *k, uint16_t shard)
{
    return shard < world_shards(k->w) && world_shard(k->w, shard).down;
}

void stages_open(struct stages *out, const struct moving *k)
{
    *out = (struct stages){.now = stage_now(k)};
    const struct move_info *m = &k->m;
    bool committed = m->phase == MOVE_COMMITTED;
    out->cleaned = committed && m->ended && source_is_empty(k);
    for (int stage = 0; stage < STAGES; stage++) {
        out->mark[stage] = mark_of(k, out, stage);
    }
    out->may_drop = !m->ended && !committed && m->phase != MOVE_ABORTED;
    out->may_back = committed && m->closed_us != MOVE_NEVER && k->shift.kind == SHIFT_NONE &&
                    world_owner(k->w, k->slot) == m->target && !is_down(k, m->target);
}

const char *stage_name(int stage)
{
    static const char *const names[MOVE_STAGES] = {"copy",   "tail",  "compare",  "fence",
                                                   "commit", "moved", "clean up", "abort"};
    return names[stage];
}

bool stages_without_copy(const struct moving *k)
{
    return k->m.back && k->m.copied_us == k->m.begun_us;
}

bool stage_time(const struct moving *k, const struct stages *st, int stage, int64_t *us)
{
    const struct move_info *m = &k->m;
    int64_t now = world_now(k->w), stop = m->ended_us != MOVE_NEVER ? m->ended_us : now;
    int64_t from = MOVE_NEVER, to = MOVE_NEVER;
    switch (stage) {
    case MOVE_COPY:
        from = stages_without_copy(k) ? MOVE_NEVER : m->begun_us;
        to = m->copied_us;
        break;
    case MOVE_TAIL:
        from = m->copied_us;
        to = m->drained_us != MOVE_NEVER ? m->drained_us : m->committed_us; /* fence applied */
        break;
    case MOVE_FENCE:
        from = m->fenced_us;
        to = m->drained_us != MOVE_NEVER ? m->drained_us : m->committed_us;
        break;
    case MOVE_COMMIT:
        from = m->drained_us != MOVE_NEVER ? m->drained_us : m->fenced_us;
        from =
            st->mark[stage] == STAGE_TO_COME || st->mark[stage] == STAGE_NEVER ? MOVE_NEVER : from;
        to = m->committed_us;
        break;
    case MOVE_CLOSE:
        from = m->committed_us;
        break;
    default:
        break;
    }
    *us = (to != MOVE_NEVER ? to : stop) - from;
    bool begins = st->mark[stage] == STAGE_NOW && *us == 0;
    return from != MOVE_NEVER && *us >= 0 && !begins;
}

/* --- what there is to say ------------------------------------------------------------------ */

/* "10.8 ms left": of the bytes that have yet to come over, at this speed. */
static void add_left(struct str *out, const struct move_info *m)
{
    unsigned __int128 rest = m->bytes - m->copied_bytes;
    moving_add_time(out, (int64_t)((rest * US_PER_SECOND + m->speed - 1) / m->speed));
    str_add(out, " left");
}

void stage_add_speed(struct str *out, const struct moving *k, int columns)
{
    const struct move_info *m = &k->m;
    if (m->speed == 0) {
        str_add(out, "stands still");
        return;
    }
    struct str left = STR_EMPTY, speed = STR_EMPTY;
    moving_add_bytes(&speed, m->speed);
    str_add(&speed, "/s");
    if (m->bytes > m->copied_bytes) {
        add_left(&left, m);
    }
    bool both = left.length > 0 && (int)(speed.length + 2 + left.length) <= columns;
    str_add(out, both || left.length == 0 ? str_text(&speed) : "");
    str_add(out, both ? ", " : "");
    str_add(out, str_text(&left));
    str_free(&left);
    str_free(&speed);
}

static void add_copy(struct str *out, const struct moving *k, int brevity)
{
    const struct move_info *m = &k->m;
    if (stages_without_copy(k)) {
        str_addf(out, brevity == 0 ? "not needed: S%u's was kept new" : "not needed",
                 (unsigned)m->target);
        return;
    }
    if (!moving_copying(m)) {
        if (m->copied_us == MOVE_NEVER) {
            moving_add_bytes_of(out, m->copied_bytes, m->bytes);
        } else {
            moving_add_bytes(out, m->bytes);
        }
        return;
    }
    moving_add_bytes_of(out, m->copied_bytes, m->bytes);
    if (brevity < 2) {
        str_add(out, ", ");
        stage_add_speed(out, k, brevity == 0 ? TELL_COLUMNS : 0);
    }
}

static void add_tail(struct str *out, const struct moving *k, const struct stages *st, int brevity)
{
    const struct move_info *m = &k->m;
    uint32_t behind = m->end - m->applied;
    if (moving_copying(m)) {
        str_addf(out,
                 behind == 0                  ? "no entries yet"
                 : brevity == 0 && !k->asking ? "%u entr%s wait%s for the copy"
                                              : "%u entr%s wait%s",
                 (unsigned)behind, behind == 1 ? "y" : "ies", behind == 1 ? "s" : "");
    } else if (behind > 0 &&
               (st->now == MOVE_OUT || (st->now > MOVE_FENCE && m->committed_us != MOVE_NEVER))) {
        str_addf(out, brevity == 0 ? "%u of %u applied, %u never" : "%u of %u applied",
                 (unsigned)m->applied, (unsigned)m->end, (unsigned)behind);
    } else if (behind > 0) {
        str_addf(out, brevity == 0 ? "%u of %u applied, %u behind" : "%u of %u applied",
                 (unsigned)m->applied, (unsigned)m->end, (unsigned)behind);
        if (brevity == 0 && m->oldest_us > 0) {
            str_add(out, ", the oldest ");
            moving_add_time(out, world_now(k->w) - m->oldest_us);
        }
    } else {
        str_addf(out,
                 m->end == 0   ? "no entries"
                 : m->end == 1 ? "%u applied"
                               : "all %u applied",
                 (unsigned)m->end);
    }
}

/* " at entry 812" */
static void add_compared_at(struct str *out, const struct move_info *m, bool brief)
{
    if (m->compared_at == 0) {
        str_add(out, " at the snapshot");
        return;
    }
    str_addf(out, brief ? " at %s" : " at entry %s", num_grouped(m->compared_at).text);
}

static void add_compare(struct str *out, const struct moving *k, int brevity)
{
    const struct move_info *m = &k->m;
    bool live = m->committed_us == MOVE_NEVER && !m->ended;
    if (!m->compared) {
        str_add(out, brevity == 0 ? "when the copy is complete" : "after the copy");
        return;
    }
    if (!m->alike) {
        str_addf(out,
                 brevity == 0 ? "the copy lacks %u of the entries that it claims"
                              : "it lacks %u entries",
                 (unsigned)m->claimed);
    } else if (m->differing > 0) {
        str_addf(out, "%u key%s differ%s", (unsigned)m->differing, view_plural(m->differing),
                 m->differing == 1 ? "s" : "");
        add_compared_at(out, m, brevity > (live ? 0 : 1));
    } else {
        str_add(out, brevity == 0 ? "the same on both sides" : "the same");
        add_compared_at(out, m, brevity > (live ? 0 : 1));
    }
    if (live && brevity < 2) {
        str_add(out, ", ");
        moving_add_ago(out, world_now(k->w) - m->compared_us);
    }
}

static void add_fence(struct str *out, const struct moving *k, const struct stages *st, int brevity)
{
    const struct move_info *m = &k->m;
    if (st->mark[MOVE_FENCE] == STAGE_LEFT_OUT) {
        str_addf(out, "none: S%u serves on", (unsigned)m->source);
    } else if (m->fenced_us == MOVE_NEVER) {
        str_addf(out, brevity == 0 ? "then S%u will stop serving the slot" : "S%u stops serving",
                 (unsigned)m->source);
    } else {
        str_addf(out, brevity == 0 ? "at log position %s" : "at %s",
                 num_grouped((int64_t)m->fence_position).text);
        if (st->mark[MOVE_FENCE] == STAGE_NOW && brevity == 0) {
            str_addf(out, ", S%u has not applied it yet", (unsigned)m->target);
        } else if (m->drained_us != MOVE_NEVER && brevity < 2) {
            str_addf(out, ", S%u has applied it", (unsigned)m->target);
        }
    }
}

static void add_commit(struct str *out, const struct moving *k, const struct stages *st,
                       int brevity)
{
    const struct move_info *m = &k->m;
    if (st->mark[MOVE_COMMIT] == STAGE_NOW) {
        str_add(out, world_directory_down(k->w) ? "the directory is down"
                     : brevity == 0             ? "on its way to the directory"
                                                : "on its way");
    } else if (m->committed_us == MOVE_NEVER) {
        str_addf(out, brevity == 0 ? "when S%u has applied the fence" : "S%u applies the fence",
                 (unsigned)m->target);
    } else {
        str_addf(out, "S%u's, epoch %u", (unsigned)m->target, (unsigned)m->epoch + 1);
        if (m->fenced_us != MOVE_NEVER && brevity < 2) {
            str_add(out, brevity == 0 ? ", nobody served it for " : ", pause ");
            moving_add_time(out, m->committed_us - m->fenced_us);
        }
    }
}

static void add_moved(struct str *out, const struct moving *k, int brevity)
{
    const struct move_info *m = &k->m;
    if (m->closed_us != MOVE_NEVER) {
        if (brevity < 2) {
            str_addf(out, "S%u ", (unsigned)m->source);
        }
        str_add(out, "heard after ");
        moving_add_time(out, m->closed_us - m->committed_us);
        if (brevity == 0) {
            str_addf(out, ", says \"moved to S%u\"", (unsigned)m->target);
        }
        str_add(out, brevity == 0 && !k->asking ? ", for ever" : "");
    } else if (m->committed_us != MOVE_NEVER && m->phase != MOVE_ABORTED) {
        str_addf(out, brevity == 0 ? "S%u has not heard of it yet" : "S%u has not heard",
                 (unsigned)m->source);
    } else {
        str_addf(out,
                 brevity == 0 ? "S%u will send everybody to S%u, for ever"
                              : "S%u points to S%u, for ever",
                 (unsigned)m->source, (unsigned)m->target);
    }
}

static void add_cleanup(struct str *out, const struct moving *k, const struct stages *st,
                        int brevity)
{
    const struct move_info *m = &k->m;
    if (st->cleaned) {
        str_addf(out, "S%u's copy is deleted", (unsigned)m->source);
    } else if (m->ended && m->phase == MOVE_COMMITTED) {
        str_addf(out, "S%u's copy is nobody's", (unsigned)m->source);
    } else if (m->reverse) {
        str_addf(out, brevity == 0 ? "S%u's copy is kept new, %u entr%s behind" : "S%u's kept new",
                 (unsigned)m->source, (unsigned)m->tail, m->tail == 1 ? "y" : "ies");
    } else {
        str_addf(out, "S%u keeps its copy", (unsigned)m->source);
        str_add(out, brevity == 0 ? " until then" : "");
    }
}

/* What this stage does is told when it comes; how things are now is told already. */
static bool told_later(const struct moving *k, const struct stages *st, int stage)
{
    bool now = stage == MOVE_TAIL || (stage == MOVE_CLEANUP && (k->m.ended || k->m.reverse));
    return k->asking && st->mark[stage] == STAGE_TO_COME && !now;
}

static void add_words(struct str *out, const struct moving *k, const struct stages *st, int stage,
                      int brevity)
{
    if (told_later(k, st, stage)) {
        str_add(out, "to come");
        return;
    }
    if (st->mark[stage] == STAGE_NEVER && stage > MOVE_TAIL) {
        str_add(out, "never came");
        return;
    }
    switch (stage) {
    case MOVE_COPY:
        add_copy(out, k, brevity);
        return;
    case MOVE_TAIL:
        add_tail(out, k, st, brevity);
        return;
    case MOVE_COMPARE:
        add_compare(out, k, brevity);
        return;
    case MOVE_FENCE:
        add_fence(out, k, st, brevity);
        return;
    case MOVE_COMMIT:
        add_commit(out, k, st, brevity);
        return;
    case MOVE_CLOSE:
        add_moved(out, k, brevity);
        return;
    default:
        add_cleanup(out, k, st, brevity);
        return;
    }
}

void stage_add_words(struct str *out, const struct moving *k, const struct stages *st, int stage,
                     int columns)
{
    size_t from = out->length;
    for (int brevity = 0; brevity < 3; brevity++) {
        out->length = from;
        if (out->text != NULL) {
            out->text[from] = '\0';
        }
        add_words(out, k, st, stage, brevity);
        if (utf8_columns(out->text + from, out->length - from) <= columns) {
            return;
        }
    }
}

void stage_add_meaning(struct str *out, const struct moving *k, const struct stages *st, int stage)
{
    unsigned from = k->m.source, to = k->m.target;
    if (told_later(k, st, stage)) {
        str_addf(out, "%s: to come; told when the question is answered", stage_name(stage));
        return;
    }
    switch (stage) {
    case MOVE_COPY:
        str_addf(out, "S%u's values as they stood at one position of its log go to S%u", from, to);
        return;
    case MOVE_TAIL:
        str_addf(out, "what S%u accepts behind that position follows, entry by entry", from);
        return;
    case MOVE_COMPARE:
        str_addf(out, "both sides are compared at one position; no fence until they are the same");
        return;
    case MOVE_FENCE:
        str_addf(out, "S%u writes \"migrating\" into its log and serves nobody from then on", from);
        return;
    case MOVE_COMMIT:
        str_addf(out, "S%u has applied the fence, so the directory gives it the slot", to);
        return;
    case MOVE_CLOSE:
        str_addf(out, "S%u hears of it, and sends whoever still comes to S%u%s", from, to,
                 k->asking ? "" : ", for ever");
        return;
    default:
        str_addf(out, "S%u's copy is deleted; its row \"moved\" stays", from);
        return;
    }
}

void stages_add_ways_out(struct str *out, const struct moving *k, const struct stages *st)
{
    const struct move_info *m = &k->m;
    if (k->asking && st->now != MOVE_OUT) {
        str_add(out, st->may_drop   ? "abort is possible"
                     : st->may_back ? "roll back is possible"
                                    : "no way out is open now");
    } else if (st->now == MOVE_OUT) {
        str_addf(out, "dropped: S%u's copy is gone, S%u serves", (unsigned)m->target,
                 (unsigned)m->source);
    } else if (st->may_drop) {
        str_addf(out, "abort: drops S%u's copy, S%u serves on", (unsigned)m->target,
                 (unsigned)m->source);
    } else if (st->may_back) {
        str_addf(out, "roll back: S%u gets it, %s", (unsigned)m->source,
                 m->reverse ? "without a copy" : "with a copy");
    } else if (m->committed_us != MOVE_NEVER && is_down(k, m->target)) {
        str_addf(out, "no way back: S%u is down", (unsigned)m->target);
    } else if (m->committed_us != MOVE_NEVER && m->closed_us == MOVE_NEVER) {
        str_addf(out, "no way back until S%u has heard", (unsigned)m->source);
    } else {
        str_add(out, "no way back while the commit is on its way");
    }
}
