/*
 * failover_words: the steps of replicas, told for somebody who sees them for the first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how.
 */
#include "check/failover.h"
#include <stdio.h>

struct words {
    const struct check_scope *scope;
    const struct failover *now;
    struct failover after;
    struct failover_action a;
    const struct failover_replica *at;   /* who acts, before the step */
    const struct failover_replica *from; /* the leader or candidate */
    char name, other;                    /* of the two */
    char told_ok[48];                    /* whose clients are told OK in this step */
    char harm[52];
    struct check_told *told;
};

#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static char name_of(unsigned replica)
{
    return (char)('A' + replica);
}

/* --- what else comes of a step ---------------------------------------------------------------- */

static void say_harm_of_lack(struct words *w)
{
    const struct failover *after = &w->after;
    for (unsigned i = 0; i < FAILOVER_REPLICAS_MAX; i++) {
        for (unsigned k = 0; k < after->taken; k++) {
            const struct failover_replica *r = &after->replica[i];
            unsigned acked = after->write[k].acked;
            bool lacks = acked != 0 && r->term > acked && !failover_has(after, i, k);
            if (r->role == TERM_LEADER && lacks) {
                snprintf(w->harm, sizeof w->harm, " %c leads term %u and lacks write %u.",
                         name_of(i), (unsigned)r->term, k + 1);
            }
        }
    }
}

static void say_harm(struct words *w)
{
    unsigned term = w->after.replica[w->a.from].term;
    unsigned newest = failover_newest(&w->after);
    switch ((enum failover_promise)failover_check(w->scope, &w->after)) {
    case FAILOVER_TWO_LEADERS:
        snprintf(w->harm, sizeof w->harm, " But %c was elected to term %u already.",
                 name_of(failover_led(w->now, term)), term);
        break;
    case FAILOVER_LACKS:
        say_harm_of_lack(w);
        break;
    case FAILOVER_LATE:
        snprintf(w->harm, sizeof w->harm, " %c took it when %c had been elected to term %u.",
                 w->other, name_of(failover_led(w->now, newest)), newest);
        break;
    case FAILOVER_DIFFER:
        snprintf(w->harm, sizeof w->harm, " Another holds a different write to be committed.");
        break;
    }
}

static void say_told_ok(struct words *w)
{
    unsigned count = 0;
    unsigned first = 0;
    for (unsigned k = 0; k < w->after.taken; k++) {
        if (w->after.write[k].acked != w->now->write[k].acked) {
            first = count == 0 ? k + 1 : first;
            count++;
        }
    }
    if (count == 1) {
        snprintf(w->told_ok, sizeof w->told_ok, " The client of write %u is told OK.", first);
    } else if (count > 1) {
        snprintf(w->told_ok, sizeof w->told_ok, " The clients of %u writes are told OK.", count);
    }
}

/* --- writes ----------------------------------------------------------------------------------- */

static void tell_write(const struct words *w)
{
    unsigned write = w->now->taken + 1u;
    unsigned position = w->at->length + 1u;
    unsigned term = w->at->term;
    unsigned newest = failover_newest(w->now);
    SAY_ACTION(w, "takes write %u", write);
    if (w->a.step == FAILOVER_WRITE_ACK) {
        SAY_DETAIL(w, "It leads term %u, and has it at position %u of its log, alone.%s%s", term,
                   position, w->told_ok, w->harm);
    } else if (newest > term) {
        SAY_DETAIL(w,
                   "It leads term %u, and has it at position %u of its log. It does not know that "
                   "%c was elected to term %u.",
                   term, position, name_of(failover_led(w->now, newest)), newest);
    } else {
        SAY_DETAIL(w, "It leads term %u, and has it at position %u of its log. The client waits.",
                   term, position);
    }
}

/* "Its log holds writes 1 and 2 now." */
static void say_log(const struct words *w, char *text, size_t room)
{
    const struct failover_replica *r = &w->after.replica[w->a.at];
    unsigned agreed = failover_agreed(w->now, w->a.at, w->a.from);
    bool throws = r->length > agreed && w->at->length > agreed && r->log[agreed] != 0 &&
                  r->log[agreed] != w->at->log[agreed];
    int n = 0;
    if (w->at->length == r->length && !throws) {
        n = snprintf(text, room, "Its log has all of it.");
    } else if (throws) {
        n = snprintf(text, room, "It throws away write %u, and has write %u there.",
                     w->at->log[agreed] & 15u, r->log[agreed] & 15u);
    } else {
        n = snprintf(text, room, "It has write %u at position %u now.", r->log[r->length - 1] & 15u,
                     (unsigned)r->length);
    }
    if (n > 0 && (size_t)n < room && w->after.replica[w->a.at].term > w->at->term) {
        snprintf(text + n, room - (size_t)n, " It is in term %u now.", (unsigned)r->term);
    }
}

static void tell_send(const struct words *w)
{
    char log[72];
    unsigned theirs = w->from->term;
    unsigned own = w->at->term;
    say_log(w, log, sizeof log);
    SAY_ACTION(w, "takes what %c sends", w->other);
    if (w->a.step == FAILOVER_SEND) {
        SAY_DETAIL(w, "%s %c hears of it.%s%s", log, w->other, w->told_ok, w->harm);
    } else if (w->a.step == FAILOVER_SEND_OLD) {
        SAY_DETAIL(w, "%c leads term %u, and %c is in term %u: it does not look.%s%s", w->other,
                   theirs, w->name, own, w->told_ok, w->harm);
    } else if (w->a.step == FAILOVER_SEND_LOST) {
        SAY_ACTION(w, "takes what %c sends, and is not heard", w->other);
        SAY_DETAIL(w, "%s Its answer is lost: %c does not know it.", log, w->other);
    } else {
        SAY_ACTION(w, "refuses what %c sends", w->other);
        SAY_DETAIL(w, "%c leads term %u, and %c is in term %u. %c hears of it and leads no more.",
                   w->other, theirs, w->name, own, w->other);
    }
}

/* --- elections -------------------------------------------------------------------------------- */

static void tell_stand(const struct words *w)
{
    unsigned term = w->at->term + 1u;
    unsigned more = term_majority(failover_world_of(w->scope)->replicas) - 1;
    if (w->a.step == FAILOVER_STAND_ALONE) {
        SAY_ACTION(w, "stands for term %u, and leads it", term);
        SAY_DETAIL(w, "It takes its own vote for enough.%s", w->harm);
    } else {
        SAY_ACTION(w, "stands for term %u", term);
        SAY_DETAIL(w, "It votes for itself and asks the others. With %u vote%s more it leads.",
                   more, more == 1 ? "" : "s");
    }
}

/* What the candidate has now: "B leads term 2 with 2 votes of 3." */
static void say_votes(const struct words *w, char *text, size_t room)
{
    const struct failover_replica *c = &w->after.replica[w->a.from];
    unsigned replicas = failover_world_of(w->scope)->replicas;
    unsigned votes = w->from->counted + 1u;
    if (c->role == TERM_LEADER && w->from->role != TERM_LEADER) {
        snprintf(text, room, "%c counts %u votes of %u, and leads term %u.%s", w->other, votes,
                 replicas, (unsigned)c->term, w->harm);
    } else {
        snprintf(text, room, "%c counts %u votes of %u.", w->other, votes, replicas);
    }
}

static void tell_vote(const struct words *w)
{
    char votes[96];
    unsigned term = w->from->term;
    bool again = w->at->term == term && w->at->vote == 1 + w->a.from;
    bool durable = rule_on(failover_rules_of(w->scope), RULE_DURABLE_VOTE);
    const char *leads = w->at->role == TERM_LEADER ? " It leads no more." : "";
    say_votes(w, votes, sizeof votes);
    SAY_ACTION(w, "votes for %c in term %u", w->other, term);
    if (w->a.step == FAILOVER_VOTE && again) {
        SAY_DETAIL(w, "It has voted so before, and says the same again. %s", votes);
    } else if (w->a.step == FAILOVER_VOTE) {
        SAY_DETAIL(w, "%c's log is as far as its own, or farther.%s %s", w->other, leads, votes);
    } else if (w->a.step == FAILOVER_VOTE_SHORT) {
        SAY_DETAIL(w, "%c's log is not as far as its own: it does not look.%s %s", w->other, leads,
                   votes);
    } else if (w->a.step == FAILOVER_VOTE_OLD) {
        SAY_DETAIL(w, "It is in term %u itself, and does not look.%s %s", (unsigned)w->at->term,
                   leads, votes);
    } else if (w->a.step == FAILOVER_VOTE_TWICE) {
        SAY_ACTION(w, "votes for %c in term %u once more", w->other, term);
        SAY_DETAIL(w, "Asked again, it says the same again. %s", votes);
    } else {
        SAY_ACTION(w, "votes for %c in term %u, and is not heard", w->other, term);
        SAY_DETAIL(w, "It %s.%s Its answer is lost: %c does not count it.",
                   durable ? "writes its vote down" : "keeps its vote in memory", leads, w->other);
    }
}

static void tell_no_vote(const struct words *w)
{
    unsigned term = w->from->term;
    SAY_ACTION(w, "does not vote for %c", w->other);
    if (w->at->term > term) {
        SAY_DETAIL(w,
                   "%c stands for term %u, and %c is in term %u. %c hears of it and stands no "
                   "more.",
                   w->other, term, w->name, (unsigned)w->at->term, w->other);
    } else {
        SAY_DETAIL(w, "It is in term %u now, and its own log is farther than %c's.%s", term,
                   w->other, w->at->role == TERM_LEADER ? " It leads no more." : "");
    }
}

static void tell_restart(const struct words *w)
{
    unsigned term = w->at->term;
    char vote[32] = "";
    if (w->at->vote != 0) {
        snprintf(vote, sizeof vote, " and its vote for %c", name_of(w->at->vote - 1u));
    }
    SAY_ACTION(w, "restarts");
    if (w->a.step == FAILOVER_RESTART_FORGETS) {
        SAY_DETAIL(w,
                   "Its log is there. Term %u%s are forgotten: it takes itself to be in term %u.",
                   term, vote, (unsigned)w->after.replica[w->a.at].term);
    } else {
        SAY_DETAIL(w, "Its log is there, and so are term %u%s.%s", term, vote,
                   w->at->role == TERM_LEADER      ? " It leads no more."
                   : w->at->role == TERM_CANDIDATE ? " It stands no more."
                                                   : "");
    }
}

void failover_tell(const struct check_scope *scope, const void *state, uint16_t action,
                   struct check_told *told)
{
    struct words w = {.scope = scope, .now = state, .told = told, .a = failover_action_of(action)};
    w.after = failover_after(scope, w.now, w.a);
    w.at = &w.now->replica[w.a.at];
    w.from = &w.now->replica[w.a.from];
    w.name = name_of(w.a.at);
    w.other = name_of(w.a.from);
    say_harm(&w);
    say_told_ok(&w);
    snprintf(told->actor, sizeof told->actor, "replica %c", w.name);
    switch (w.a.step) {
    case FAILOVER_WRITE:
    case FAILOVER_WRITE_ACK:
        tell_write(&w);
        break;
    case FAILOVER_SEND:
    case FAILOVER_SEND_OLD:
    case FAILOVER_DEPOSE:
    case FAILOVER_SEND_LOST:
        tell_send(&w);
        break;
    case FAILOVER_STAND:
    case FAILOVER_STAND_ALONE:
        tell_stand(&w);
        break;
    case FAILOVER_VOTE:
    case FAILOVER_VOTE_SHORT:
    case FAILOVER_VOTE_OLD:
    case FAILOVER_VOTE_TWICE:
    case FAILOVER_VOTE_LOST:
        tell_vote(&w);
        break;
    case FAILOVER_NO_VOTE:
        tell_no_vote(&w);
        break;
    case FAILOVER_RESTART:
    case FAILOVER_RESTART_FORGETS:
        tell_restart(&w);
        break;
    case FAILOVER_STEPS:
        CHECK(false && "no such step");
    }
}

/* "3 replicas, 2 writes, terms 1 to 3": the parts that there are. */
void failover_say_size(uint8_t size, char *text, size_t room)
{
    static const char *const one[] = {"replica", "write", "term", "restart", "answer that is lost"};
    static const char *const more[] = {"replicas", "writes", "terms", "restarts",
                                       "answers that are lost"};
    const struct failover_world *world = failover_world_of(&(struct check_scope){.size = size});
    const unsigned count[] = {world->replicas, world->writes, world->terms, world->restarts,
                              world->lost};
    size_t length = 0;
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) {
        if (count[i] == 0 || length >= room) {
            continue;
        }
        int n = snprintf(text + length, room - length, "%s%u %s", length > 0 ? ", " : "", count[i],
                         count[i] == 1 ? one[i] : more[i]);
        length += n > 0 ? (size_t)n : 0;
    }
}
