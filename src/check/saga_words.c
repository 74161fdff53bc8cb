/*
 * saga_words: the steps of a saga, told for somebody who sees them for the first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how. The
 * saga is a transfer: a debit at shard A, a credit at shard B, a mail, and points at shard C.
 */
#include "check/saga.h"
#include <stdio.h>

struct words {
    const struct check_scope *scope;
    const struct chain *now;
    struct chain after;
    struct saga_core core, core_after;
    unsigned part;
    const char *what; /* "debit" */
    const char *who;  /* "shard A" */
    const char *harm; /* what the step breaks, with a blank before it; "" */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static const char *const whats[CHAIN_STEPS_MAX] = {"debit", "credit", "mail", "points"};
static const char *const whos[CHAIN_STEPS_MAX] = {"shard A", "shard B", "the mailer", "shard C"};

static const char *harm_of(int broken)
{
    switch (broken) {
    case CHAIN_TWICE:
        return " That is once more than it was done.";
    case CHAIN_OUT_OF_ORDER:
        return " A later step is in effect without it.";
    case CHAIN_HALF_DONE:
        return " The saga is over, and half of it stays.";
    default:
        return "";
    }
}

/* What the coordinator has written: with saga-log-first off, nothing yet. */
static const char *written(const struct words *w)
{
    return saga_may_log(&w->core_after) ? "It has not written that down yet."
                                        : "Its log said so before it was sent.";
}

static void tell_do(const struct words *w, enum chain_step step)
{
    const char *late = w->now->now.phase == SAGA_UNDONE ? " It is late: the saga has been undone."
                       : w->now->now.phase == SAGA_BACK ? " It is late: the saga is going back."
                                                        : "";
    if (step == CHAIN_DO) {
        SAY_ACTION(w, "does the %s", w->what);
        SAY_DETAIL(w,
                   "The message to do it has arrived. It is in effect at once, and others see "
                   "it.%s%s",
                   late, w->harm);
    } else if (step == CHAIN_REFUSE) {
        SAY_ACTION(w, "refuses the %s", w->what);
        SAY_DETAIL(w, "The message to do it has arrived, and it cannot be done. It remembers that "
                      "it said no.");
    } else if (step == CHAIN_DONE_SEEN) {
        SAY_ACTION(w, "has done the %s already", w->what);
        SAY_DETAIL(w, "The message to do it has arrived with the same id as before: it does "
                      "nothing, and says \"done\" again.");
    } else {
        SAY_ACTION(w, "does not do the %s", w->what);
        SAY_DETAIL(w, "The message to do it has arrived. It is %s: the answer is no.",
                   step_state_name((enum step_state)w->now->part[w->part].state));
    }
}

static void tell_take_back(const struct words *w, enum chain_step step)
{
    if (step == CHAIN_TAKE_BACK) {
        SAY_ACTION(w, "takes the %s back", w->what);
        SAY_DETAIL(w,
                   "The message to compensate it has arrived. It was done, and is no longer in "
                   "effect.%s",
                   w->harm);
    } else if (step == CHAIN_TAKE_BACK_TWICE) {
        SAY_ACTION(w, "takes the %s back once more", w->what);
        SAY_DETAIL(w,
                   "The message to compensate it has arrived again, and it does not look "
                   "whether it knows it.%s",
                   w->harm);
    } else if (step == CHAIN_TAKEN_BACK_SEEN) {
        SAY_ACTION(w, "has taken the %s back already", w->what);
        SAY_DETAIL(w, "The message to compensate it has arrived with the same id as before: it "
                      "changes nothing.");
    } else if (step == CHAIN_BAR) {
        SAY_ACTION(w, "has no %s to take back, and bars it", w->what);
        SAY_DETAIL(w,
                   "The message to compensate it has arrived first. It writes down that the %s "
                   "is never to be done.",
                   w->what);
    } else if (step == CHAIN_NOT_BARRED) {
        SAY_ACTION(w, "has no %s to take back", w->what);
        SAY_DETAIL(w, "The message to compensate it has arrived first. It remembers nothing of "
                      "it.");
    } else {
        SAY_ACTION(w, "has no %s to take back", w->what);
        SAY_DETAIL(w, "The message to compensate it has arrived. It is %s, and stays so.",
                   step_state_name((enum step_state)w->now->part[w->part].state));
    }
}

static void tell_next(const struct words *w)
{
    unsigned step = w->core_after.now.done;
    SAY_ACTION(w, "asks %s for the %s", whos[step], whats[step]);
    SAY_DETAIL(w, "%s %s", step == 0 ? "A client wants a transfer." : "The step before it is done.",
               written(w));
}

/* Whom it asks to take back now: the last of them, in words. */
static void say_back(const struct words *w, const char *why)
{
    uint64_t steps = saga_to_take_back(&w->core_after, chain_rules_of(w->scope));
    unsigned last = 0;
    bool many = (steps & (steps - 1)) != 0;
    for (unsigned i = 0; i < w->scope->size; i++) {
        last = steps >> i & 1 ? i : last;
    }
    if (steps == 0) {
        SAY_ACTION(w, "tells its client: undone");
        SAY_DETAIL(w, "%s Nothing is left to take back.%s%s", why,
                   saga_may_log(&w->core_after) ? " It has not written that down yet." : "",
                   w->harm);
    } else if (many) {
        SAY_ACTION(w, "asks all to take back what they did");
        SAY_DETAIL(w, "%s It sends all compensations at once. %s", why, written(w));
    } else {
        SAY_ACTION(w, "asks %s to take the %s back", whos[last], whats[last]);
        SAY_DETAIL(w, "%s %s", why, written(w));
    }
}

static void tell_hear(const struct words *w, enum chain_step step)
{
    char why[80];
    bool counts = w->now->now.phase != w->after.now.phase ||
                  w->now->now.done != w->after.now.done || w->now->now.left != w->after.now.left;
    const char *news = step == CHAIN_HEAR_DONE ? "is done" : "is refused";
    if (step == CHAIN_HEAR_BACK) {
        snprintf(why, sizeof why, "The compensation of the %s is answered.", w->what);
    } else {
        snprintf(why, sizeof why, "The %s %s.", w->what, news);
    }
    if (!counts) {
        SAY_ACTION(w, "hears what changes nothing");
        SAY_DETAIL(w, "%s It does not wait for that%s.", why,
                   saga_is_over(&w->core) ? ": the saga is over" : " any more");
    } else if (w->after.now.phase == SAGA_DONE) {
        SAY_ACTION(w, "tells its client: done");
        SAY_DETAIL(w, "%s Every step is in effect.", why);
    } else if (w->after.now.phase == SAGA_FORWARD) {
        tell_next(w);
    } else {
        say_back(w, why);
    }
}

static void tell_again(const struct words *w, bool back)
{
    if (back) {
        SAY_ACTION(w, "asks %s again to take the %s back", w->who, w->what);
    } else {
        SAY_ACTION(w, "asks %s again for the %s", w->who, w->what);
    }
    SAY_DETAIL(w, "No answer has come in time. The message has the same id as before.");
}

static void say_log(const struct words *w, char *text, size_t room)
{
    const struct chain_page *log = &w->now->log;
    if (log->phase == SAGA_FORWARD && log->asked == 0) {
        snprintf(text, room, "Its log says that nobody has been asked yet.");
    } else if (log->phase == SAGA_FORWARD) {
        snprintf(text, room, "Its log says that the %s was asked for.",
                 whats[(log->asked - 1u) % CHAIN_STEPS_MAX]);
    } else if (log->phase == SAGA_BACK) {
        snprintf(text, room, "Its log says what is still to be taken back.");
    } else {
        snprintf(text, room, "Its log says that the saga is %s.",
                 saga_phase_name((enum saga_phase)log->phase));
    }
}

static void tell_crash(const struct words *w, enum chain_step step)
{
    char log[80];
    say_log(w, log, sizeof log);
    if (step == CHAIN_RESTART) {
        SAY_ACTION(w, "restarts");
        SAY_DETAIL(w, "%s It goes on from there.", log);
    } else if (step == CHAIN_CRASH) {
        SAY_ACTION(w, "crashes");
        SAY_DETAIL(w, "%s%s",
                   saga_may_log(&w->core) ? "What it had sent was in its memory alone. " : "", log);
    } else {
        SAY_ACTION(w, "writes down where it stands");
        SAY_DETAIL(w, "What its log says now has been sent before.");
    }
}

static void tell_lost(const struct words *w, enum chain_mail mail)
{
    static const char *const names[CHAIN_MAILS] = {[CHAIN_A_STEP] = "to do the",
                                                   [CHAIN_A_COMPENSATION] = "to take back the",
                                                   [CHAIN_A_DONE] = "that it has done the",
                                                   [CHAIN_A_REFUSED] = "that it will not do the",
                                                   [CHAIN_A_TAKEN_BACK] =
                                                       "that nothing is left of the"};
    SAY_ACTOR(w, "the network");
    SAY_ACTION(w, "loses a message %s %s", mail >= CHAIN_A_DONE ? "from" : "for", w->who);
    SAY_DETAIL(w, "It was %s %s.", names[mail], w->what);
}

static void tell_coordinator(const struct words *w, enum chain_step step)
{
    SAY_ACTOR(w, "the coordinator");
    switch (step) {
    case CHAIN_ASK:
    case CHAIN_ASK_UNWRITTEN:
        tell_next(w);
        break;
    case CHAIN_HEAR_DONE:
    case CHAIN_HEAR_REFUSED:
    case CHAIN_HEAR_BACK:
        tell_hear(w, step);
        break;
    case CHAIN_GIVE_UP:
    case CHAIN_GIVE_UP_AT_ONCE:
        say_back(w, "It gives up waiting.");
        break;
    case CHAIN_ASK_AGAIN:
    case CHAIN_TAKE_BACK_AGAIN:
        tell_again(w, step == CHAIN_TAKE_BACK_AGAIN);
        break;
    case CHAIN_WRITE_LATE:
    case CHAIN_RESTART:
    case CHAIN_CRASH:
        tell_crash(w, step);
        break;
    case CHAIN_DO:
    case CHAIN_REFUSE:
    case CHAIN_DONE_SEEN:
    case CHAIN_NOT:
    case CHAIN_TAKE_BACK:
    case CHAIN_TAKE_BACK_TWICE:
    case CHAIN_TAKEN_BACK_SEEN:
    case CHAIN_BAR:
    case CHAIN_NOT_BARRED:
    case CHAIN_NOTHING_TO_BAR:
    case CHAIN_LOSE:
    case CHAIN_STEPS:
        CHECK(false && "not the coordinator's");
        break;
    }
}

void chain_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told)
{
    enum chain_step step = chain_step_of(action);
    struct words w = {.scope = scope, .now = state, .told = told, .part = chain_part_of(action)};
    w.after = chain_after(scope, w.now, action);
    w.core = chain_core(scope, w.now);
    w.core_after = chain_core(scope, &w.after);
    w.what = whats[w.part];
    w.who = whos[w.part];
    w.harm = harm_of(chain_check(scope, &w.after));
    SAY_ACTOR(&w, "%s", w.who);
    switch (step) {
    case CHAIN_DO:
    case CHAIN_REFUSE:
    case CHAIN_DONE_SEEN:
    case CHAIN_NOT:
        tell_do(&w, step);
        break;
    case CHAIN_TAKE_BACK:
    case CHAIN_TAKE_BACK_TWICE:
    case CHAIN_TAKEN_BACK_SEEN:
    case CHAIN_BAR:
    case CHAIN_NOT_BARRED:
    case CHAIN_NOTHING_TO_BAR:
        tell_take_back(&w, step);
        break;
    case CHAIN_LOSE:
        tell_lost(&w, chain_mail_of(action));
        break;
    case CHAIN_ASK:
    case CHAIN_ASK_UNWRITTEN:
    case CHAIN_HEAR_DONE:
    case CHAIN_HEAR_REFUSED:
    case CHAIN_HEAR_BACK:
    case CHAIN_GIVE_UP:
    case CHAIN_GIVE_UP_AT_ONCE:
    case CHAIN_ASK_AGAIN:
    case CHAIN_TAKE_BACK_AGAIN:
    case CHAIN_WRITE_LATE:
    case CHAIN_RESTART:
    case CHAIN_CRASH:
        tell_coordinator(&w, step);
        break;
    case CHAIN_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

void chain_say_size(uint8_t size, char *text, size_t room)
{
    snprintf(text, room, "%u steps, crashes and losses at any time", (unsigned)size);
}
