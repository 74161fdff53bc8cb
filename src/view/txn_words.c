/*
 * txn_words: a transaction, its steps and its coordinator in words; see txn.c.
 */
#include "view/txn_parts.h"

bool txn_open(struct shown_txn *out, const struct scene *s, const struct view_state *v)
{
    uint64_t number = 0;
    const char *argument = across_argument(v);
    *out = (struct shown_txn){.w = s->world, .asking = view_question_open(s)};
    if (s->world == NULL || (argument[0] != '\0' && !num_parse_u64(argument, "transaction", 1,
                                                                   UINT64_MAX, &number, NULL))) {
        return false;
    }
    out->t = world_txn(s->world, number);
    out->known = out->t.number > 0;
    if (s->page != NULL && s->before != NULL && number == 0) {
        struct txn_info before = world_txn(s->before, 0);
        out->past = before.number == out->t.number && before.over_us >= 0;
    }
    return out->known;
}

/* The end of what is drawn: when it was over, or now. */
int64_t txn_end_us(const struct shown_txn *x)
{
    return x->t.over_us >= 0 ? x->t.over_us : world_now(x->w);
}

/* --- words --------------------------------------------------------------------------------- */

void txn_add_none(struct str *out, const struct shown_txn *x, const char *argument)
{
    if (x->w == NULL) {
        str_add(out, "there is no cluster here");
    } else if (argument[0] != '\0') {
        str_add(out, "there is no transaction ");
        view_add_key(out, bytes_of(argument));
    } else {
        str_add(out, "there is no transaction yet");
    }
}

void txn_add_step(struct str *out, const struct shown_txn *x, const struct txn_step_info *step,
                  bool brief)
{
    static const char *const signs[] = {
        [TXN_TAKE] = "-", [TXN_GIVE] = "+", [TXN_CLAIM] = "claim ", [TXN_FREE] = "free "};
    struct num_text number = num_grouped((int64_t)step->amount);
    bool name = step->what == TXN_CLAIM || step->what == TXN_FREE;
    if (name || brief) {
        str_addf(out, "%s%s", signs[step->what], name ? "" : number.text);
        str_add(out, name ? "" : " ");
    } else {
        str_addf(out, step->what == TXN_TAKE ? "take %s from " : "give %s to ", number.text);
    }
    view_add_key(out, world_key(x->w, step->key));
}

bool txn_step_done(const struct shown_txn *x, const struct txn_step_info *step)
{
    return x->t.by == TXN_BY_2PC ? step->state == PART_COMMITTED : step->state == STEP_DONE;
}

static bool step_locked(const struct txn_step_info *step)
{
    return step->locked_from_us >= 0 && step->locked_to_us < 0;
}

const char *txn_state_words(const struct shown_txn *x, const struct txn_step_info *step)
{
    static const char *const parts[] = {[PART_WORKING] = "asked to prepare",
                                        [PART_PREPARED] = "prepared, waits",
                                        [PART_COMMITTED] = "committed",
                                        [PART_ABORTED] = "aborted"};
    static const char *const steps[] = {[STEP_NEW] = "asked",
                                        [STEP_DONE] = "done",
                                        [STEP_REFUSED] = "refused",
                                        [STEP_TAKEN_BACK] = "taken back",
                                        [STEP_BARRED] = "barred"};
    if (step->asked_us < 0) {
        return "not asked";
    }
    if (x->t.by == TXN_BY_2PC) {
        return step->state < PART_STATES ? parts[step->state] : "";
    }
    return step->state < STEP_STATES ? steps[step->state] : "";
}

enum style txn_state_style(const struct shown_txn *x, const struct txn_step_info *step)
{
    if (txn_step_done(x, step)) {
        return x->t.end == TXN_HALF ? STYLE_WARN : STYLE_GOOD;
    }
    bool waits = x->t.by == TXN_BY_2PC && step->state == PART_PREPARED;
    bool no = x->t.by == TXN_BY_2PC ? step->state == PART_ABORTED : step->state == STEP_REFUSED;
    return waits || no ? STYLE_WARN : x->t.end == TXN_HALF ? STYLE_BAD : STYLE_DIM;
}

static unsigned steps_where(const struct shown_txn *x,
                            bool (*holds)(const struct shown_txn *, const struct txn_step_info *))
{
    unsigned count = 0;
    for (uint32_t i = 0; i < x->t.steps; i++) {
        count += holds(x, &x->t.step[i]);
    }
    return count;
}

static bool is_locked(const struct shown_txn *x, const struct txn_step_info *step)
{
    (void)x;
    return step_locked(step);
}

/* As people see it: not over as long as somebody waits with a locked row. */
static enum txn_end end_of(const struct shown_txn *x)
{
    bool waits = x->t.by == TXN_BY_2PC && x->t.over_us < 0 && steps_where(x, is_locked) > 0;
    return waits && x->t.ended_us < 0 ? TXN_OPEN : (enum txn_end)x->t.end;
}

enum style txn_add_headline(struct str *out, const struct shown_txn *x, bool brief)
{
    static const char *const by[] = {[TXN_BY_2PC] = "two-phase commit",
                                     [TXN_BY_SAGA] = "a saga",
                                     [TXN_BY_NOTHING] = "no protocol"};
    static const enum style styles[] = {[TXN_OPEN] = STYLE_STRONG,
                                        [TXN_DONE] = STYLE_GOOD,
                                        [TXN_UNDONE] = STYLE_WARN,
                                        [TXN_HALF] = STYLE_BAD};
    const struct txn_info *t = &x->t;
    str_addf(out, "%stxn %llu, %s: ",
             !x->past ? ""
             : brief  ? "last: "
                      : "the last one, ",
             (unsigned long long)t->number, brief && t->by == TXN_BY_2PC ? "2pc" : by[t->by]);
    switch (end_of(x)) {
    case TXN_OPEN:
        str_add(out, "open for ");
        break;
    case TXN_DONE:
        str_add(out, "done in ");
        break;
    case TXN_UNDONE:
        str_add(out, t->by == TXN_BY_2PC ? "aborted in " : "undone in ");
        break;
    case TXN_HALF:
        str_add(out, x->asking ? "ended" : "HALF DONE");
        return x->asking ? STYLE_STRONG : styles[end_of(x)];
    }
    moving_add_time(out, (end_of(x) == TXN_OPEN || t->over_us < 0 ? txn_end_us(x) : t->over_us) -
                             t->began_us);
    return styles[end_of(x)];
}

/* What is decided: a coordinator that has told everybody knows nothing of it any more. */
static enum commit_word word_of(const struct shown_txn *x)
{
    const struct txn_info *t = &x->t;
    if (t->written || end_of(x) == TXN_DONE) {
        return COMMIT_COMMIT;
    }
    return end_of(x) == TXN_UNDONE ? COMMIT_ABORT : (enum commit_word)t->phase;
}

static enum style add_two_phases(struct str *out, const struct shown_txn *x)
{
    const struct txn_info *t = &x->t;
    unsigned locked = steps_where(x, is_locked);
    if (t->coordinator_down && locked > 0) {
        str_addf(out, "R%u is down, %u row%s locked until it is back", (unsigned)t->router, locked,
                 locked == 1 ? " stays" : "s stay");
        return STYLE_BAD;
    }
    if (t->coordinator_down) {
        str_addf(out, "R%u is down, no row is locked", (unsigned)t->router);
        return STYLE_WARN;
    }
    enum commit_word word = word_of(x);
    if (word == COMMIT_NO_WORD) {
        str_addf(out, "nothing is decided, %u of %u voted yes", locked, (unsigned)t->steps);
        return STYLE_TEXT;
    }
    str_addf(out, "decided: %s", word == COMMIT_COMMIT ? "commit" : "abort");
    if (word == COMMIT_COMMIT && t->decided_us >= 0) {
        str_add(out, ", logged after ");
        moving_add_time(out, t->decided_us - t->began_us);
    }
    return word == COMMIT_COMMIT ? STYLE_GOOD : STYLE_WARN;
}

/* What the moment means; while the page asks, only who is down. */
enum style txn_add_meaning(struct str *out, const struct shown_txn *x)
{
    const struct txn_info *t = &x->t;
    if (x->asking) {
        str_addf(out, "R%u coordinates%s", (unsigned)t->router,
                 t->coordinator_down ? ", and is down" : "");
        return t->coordinator_down ? STYLE_BAD : STYLE_TEXT;
    }
    unsigned done = steps_where(x, txn_step_done);
    if (t->behind) {
        str_addf(out, "R%u acts on what its log does not say yet", (unsigned)t->router);
        return STYLE_BAD;
    }
    if (t->by == TXN_BY_2PC) {
        return add_two_phases(out, x);
    }
    if (t->coordinator_down && t->by == TXN_BY_SAGA) {
        str_addf(out, "R%u is down, %u of %u steps stand; its log knows", (unsigned)t->router, done,
                 (unsigned)t->steps);
        return STYLE_BAD;
    }
    if (t->coordinator_down && t->end == TXN_OPEN) {
        str_addf(out, "R%u is down, %u of %u steps %s done", (unsigned)t->router, done,
                 (unsigned)t->steps, done == 1 ? "is" : "are");
        return STYLE_BAD;
    }
    if (t->end == TXN_HALF) {
        str_addf(out, "%u of %u steps %s done, nobody sees to the rest", done, (unsigned)t->steps,
                 done == 1 ? "is" : "are");
        return STYLE_BAD;
    }
    if (t->by == TXN_BY_SAGA && t->phase == SAGA_BACK) {
        str_addf(out, "goes back: %u step%s left to take back", done, view_plural(done));
        return STYLE_WARN;
    }
    if (t->end == TXN_UNDONE) {
        str_add(out, "what was done is taken back, in reverse");
        return STYLE_WARN;
    }
    str_addf(out, "%u of %u steps %s done", done, (unsigned)t->steps, done == 1 ? "is" : "are");
    return t->end == TXN_DONE ? STYLE_GOOD : STYLE_TEXT;
}

/* How long the step's row was locked, or its change was there. */
static void add_held(struct str *out, const struct shown_txn *x, const struct txn_step_info *step)
{
    bool locks = x->t.by == TXN_BY_2PC;
    int64_t from = locks ? step->locked_from_us : step->done_us;
    int64_t to = locks ? step->locked_to_us : step->undone_us;
    if (from < 0 || x->asking) {
        return;
    }
    if (locks) {
        str_add(out, to < 0 ? ", locked for " : ", was locked for ");
    } else if (to >= 0) {
        str_add(out, ", others saw it for ");
    } else {
        return;
    }
    moving_add_time(out, (to < 0 ? txn_end_us(x) : to) - from);
}

void txn_add_step_words(struct str *out, const struct shown_txn *x,
                        const struct txn_step_info *step)
{
    if (step->shard != SHARD_NONE) {
        view_add_shard(out, step->shard);
        str_add(out, ", ");
    }
    txn_add_step(out, x, step, false);
    str_addf(out, ": %s", txn_state_words(x, step));
    add_held(out, x, step);
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell_coordinator(struct str *out, const struct shown_txn *x)
{
    const struct txn_info *t = &x->t;
    struct str line = STR_EMPTY;
    str_addf(&line, "R%u coordinates, %u message%s to participants", (unsigned)t->router,
             (unsigned)t->messages, view_plural(t->messages));
    if (t->decided_us >= 0) {
        str_add(&line, ", decision in its log after ");
        moving_add_time(&line, t->decided_us - t->began_us);
    }
    if (t->died_us >= 0) {
        str_add(&line, ", died after ");
        moving_add_time(&line, t->died_us - t->began_us);
        if (t->back_us >= 0) {
            str_add(&line, ", back after ");
            moving_add_time(&line, t->back_us - t->began_us);
        } else {
            str_add(&line, ", and is down");
        }
    }
    if (t->ended_us >= 0) {
        str_add(&line, ", told its client after ");
        moving_add_time(&line, t->ended_us - t->began_us);
    }
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

void txn_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct shown_txn x;
    struct str line = STR_EMPTY;
    if (!txn_open(&x, s, v)) {
        txn_add_none(&line, &x, across_argument(v));
        across_tell_note(out, str_text(&line));
        str_free(&line);
        return;
    }
    (void)txn_add_headline(&line, &x, false);
    str_add(&line, ". ");
    size_t from = line.length;
    (void)txn_add_meaning(&line, &x);
    if (line.text[from] >= 'a' && line.text[from] <= 'z') {
        line.text[from] = (char)(line.text[from] - 'a' + 'A');
    }
    across_tell_note(out, str_text(&line));
    tell_coordinator(out, &x);
    for (uint32_t i = 0; i < x.t.steps; i++) {
        str_clear(&line);
        txn_add_step_words(&line, &x, &x.t.step[i]);
        across_tell_note(out, str_text(&line));
    }
    str_free(&line);
}
