/*
 * commit_words: the steps of two-phase commit, told for somebody who sees them for the first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how.
 * Participants are counted from 1.
 */
#include "check/commit.h"
#include <stdio.h>

struct words {
    const struct check_scope *scope;
    const struct pact *now;
    struct pact after;
    struct part_core was; /* the participant whom the step concerns */
    unsigned part;
    unsigned number; /* of it */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* Of a step that leaves one participant committed and another aborted: who has ended otherwise. */
static void say_harm(const struct words *w, char *text, size_t room)
{
    struct check_scope outside = {.rules = w->scope->rules, .size = w->scope->size};
    outside.judge = CHECK_OUTSIDE;
    enum part_state end = (enum part_state)w->after.part[w->part].state;
    text[0] = '\0';
    for (unsigned i = 0; pact_check(&outside, &w->after) != 0 && i < w->scope->size; i++) {
        enum part_state other = (enum part_state)w->after.part[i].state;
        if (other != end && (other == PART_COMMITTED || other == PART_ABORTED)) {
            snprintf(text, room, " Participant %u has %s: half of the transaction is done.", i + 1,
                     part_state_name(other));
            return;
        }
    }
}

static void tell_asked(const struct words *w, enum pact_step step)
{
    if (step == PACT_PREPARE) {
        SAY_ACTION(w, "prepares, and votes yes");
        SAY_DETAIL(w, "The message to prepare has arrived. Its log says from now on that it can "
                      "end either way; only the coordinator's word ends it.");
    } else if (step == PACT_VOTE_EARLY) {
        SAY_ACTION(w, "votes yes, and is not prepared");
        SAY_DETAIL(w, "The message to prepare has arrived. It writes nothing to its log: it may "
                      "give up after its vote, or restart and forget its part.");
    } else if (step == PACT_VOTE_AGAIN) {
        SAY_ACTION(w, "votes yes once more");
        SAY_DETAIL(w, "The message to prepare has arrived again. It is prepared, as its log says.");
    } else if (step == PACT_OLD) {
        SAY_ACTION(w, "ignores an old request");
        SAY_DETAIL(w, "The message to prepare has arrived too late: it has committed.");
    } else if (w->was.state == PART_ABORTED) {
        SAY_ACTION(w, "votes no");
        SAY_DETAIL(w, "The message to prepare has arrived. It has given up: its part is undone.");
    } else {
        SAY_ACTION(w, "aborts, and votes no");
        SAY_DETAIL(w, "The message to prepare has arrived. It cannot do its part: it undoes it, "
                      "and its locks are free.");
    }
}

static void tell_learn(const struct words *w, bool commit)
{
    char harm[80];
    const char *word = commit ? "commit" : "abort";
    say_harm(w, harm, sizeof harm);
    if (part_holds_locks(&w->was)) {
        SAY_ACTION(w, "%ss", word);
        SAY_DETAIL(w, "The message to %s has arrived. It was %s; %sits locks are free.%s", word,
                   part_state_name((enum part_state)w->was.state),
                   commit ? "" : "its part is undone and ", harm);
    } else if (commit == (w->was.state == PART_COMMITTED)) {
        SAY_ACTION(w, "has %s already", part_state_name((enum part_state)w->was.state));
        SAY_DETAIL(w, "The message to %s has arrived once more.%s", word,
                   commit ? " It acknowledges it once more." : "");
    } else {
        SAY_ACTION(w, "does not listen");
        SAY_DETAIL(w, "The message to %s has arrived, and it has %s long since.", word,
                   part_state_name((enum part_state)w->was.state));
    }
}

static void tell_alone(const struct words *w, enum pact_step step)
{
    char harm[80];
    bool prepared = w->was.state == PART_PREPARED;
    say_harm(w, harm, sizeof harm);
    if (step == PACT_ASK) {
        SAY_ACTION(w, "asks the coordinator what was decided");
        SAY_DETAIL(w, "It is prepared, holds its locks, and has heard nothing for long.");
    } else if (step == PACT_PREPARE_LATE) {
        SAY_ACTION(w, "prepares, after its vote");
        SAY_DETAIL(w, "Only now its log says what it has promised.");
    } else if (step == PACT_COMMIT_ALONE) {
        SAY_ACTION(w, "commits of its own accord");
        SAY_DETAIL(w, "It was prepared, and asks nobody what the others did.%s", harm);
    } else if (prepared) {
        SAY_ACTION(w, "aborts of its own accord");
        SAY_DETAIL(w,
                   "It was prepared and is tired of waiting. It asks nobody what was "
                   "decided.%s",
                   harm);
    } else {
        SAY_ACTION(w, "gives up, and aborts");
        SAY_DETAIL(w, "It was %s: it may. Its part is undone, its locks are free.%s",
                   w->was.voted ? "not prepared, though it has voted yes" : "not prepared", harm);
    }
}

/* Why a vote comes too late. */
static const char *too_late(const struct words *w)
{
    return w->now->parts == 0                  ? "It knows nothing of the transaction"
           : w->now->decided == COMMIT_COMMIT  ? "It has decided to commit"
           : w->now->decided == COMMIT_NO_WORD ? "It has that vote"
                                               : "It has decided to abort";
}

static void tell_vote(const struct words *w, bool yes)
{
    const struct commit_core now = pact_core(w->now);
    struct commit_core after = now;
    bool counts = yes && commit_vote(&after, pact_rules_of(w->scope), w->part);
    const char *vote = yes ? "yes" : "no";
    if (counts) {
        SAY_ACTION(w, "counts a vote");
        SAY_DETAIL(w, "The vote of participant %u has arrived: yes. It has %u of %u.", w->number,
                   count_bits((unsigned)after.votes), (unsigned)w->scope->size);
    } else if (w->after.decided != w->now->decided) {
        SAY_ACTION(w, "decides to abort");
        SAY_DETAIL(w,
                   "The vote of participant %u has arrived: no. It tells the others to abort, and "
                   "writes nothing.",
                   w->number);
    } else {
        SAY_ACTION(w, "hears a %s that changes nothing", vote);
        SAY_DETAIL(w, "The vote of participant %u has arrived: %s. %s already.", w->number, vote,
                   too_late(w));
    }
}

static void tell_decide(const struct words *w, enum pact_step step)
{
    unsigned votes = count_bits(w->now->votes);
    unsigned all = w->scope->size;
    const char *anew = w->now->decided == COMMIT_NO_WORD  ? ""
                       : w->now->decided == COMMIT_COMMIT ? " It had decided to commit before."
                                                          : " It had decided to abort before.";
    if (step == PACT_DECIDE) {
        SAY_ACTION(w, "decides to commit");
        SAY_DETAIL(w, "With %u of %u votes it writes \"commit\" to its log; nobody is told yet.%s",
                   votes, all, anew);
    } else if (step == PACT_DECIDE_UNWRITTEN) {
        SAY_ACTION(w, "decides to commit, and tells everybody");
        SAY_DETAIL(w,
                   "With %u of %u votes. It will write that to its log later: only its memory "
                   "knows.%s",
                   votes, all, anew);
    } else {
        SAY_ACTION(w, "decides to abort, and tells everybody");
        SAY_DETAIL(w,
                   "It waits no longer: it has %u of %u votes. It writes nothing; a log that says "
                   "nothing means \"abort\".%s",
                   votes, all, anew);
    }
}

static void tell_answer(const struct words *w, bool answers)
{
    bool known = w->now->parts != 0;
    const char *says = w->now->logged == COMMIT_COMMIT ? "Its log says so."
                       : known                         ? "So it has decided."
                                                       : "Its log says nothing of it, and that "
                                                         "means \"abort\".";
    if (!answers) {
        SAY_ACTION(w, "has no answer for participant %u", w->number);
        SAY_DETAIL(w, "Its log says nothing of the transaction, and it does not take that for "
                      "\"abort\".");
        return;
    }
    struct commit_core core = pact_core(w->now);
    bool commit = commit_answer(&core, pact_rules_of(w->scope)) == COMMIT_COMMIT;
    SAY_ACTION(w, "tells participant %u to %s", w->number, commit ? "commit" : "abort");
    SAY_DETAIL(w, "It was asked what was decided. %s", says);
}

static void tell_end(const struct words *w, enum pact_step step)
{
    unsigned heard = count_bits(w->after.heard);
    bool commit = w->now->decided == COMMIT_COMMIT;
    if (step == PACT_FORGET) {
        SAY_ACTION(w, "forgets the transaction");
        SAY_DETAIL(w, commit ? "All have acknowledged: nobody waits for its word any more."
                             : "Who still asks will be told \"abort\": that needs no memory.");
    } else if (commit) {
        SAY_ACTION(w, "hears that participant %u has committed", w->number);
        SAY_DETAIL(w, "That is acknowledged by %u of %u now.", heard, (unsigned)w->scope->size);
    } else {
        SAY_ACTION(w, "hears an old acknowledgement");
        SAY_DETAIL(w, "That participant %u has committed; nobody needs to know it any more.",
                   w->number);
    }
}

static void tell_send(const struct words *w, enum pact_step step)
{
    if (step == PACT_BEGIN) {
        SAY_ACTION(w, "asks all participants to prepare");
        SAY_DETAIL(w, "A client wants its transaction committed. Each participant has done its "
                      "part and holds its locks.");
    } else if (step == PACT_PREPARE_AGAIN) {
        SAY_ACTION(w, "asks participant %u to prepare, again", w->number);
        SAY_DETAIL(w, "Its vote has not come in time.");
    } else if (step == PACT_WRITE_LATE) {
        SAY_ACTION(w, "writes \"commit\" to its log");
        SAY_DETAIL(w, "Whom it has told may have committed before that.");
    } else {
        bool written = w->now->logged == COMMIT_COMMIT;
        SAY_ACTION(w, "tells all participants: commit");
        SAY_DETAIL(w, "%s",
                   written ? "Its log says so. It will tell them until all have "
                             "acknowledged it."
                           : "Only its memory says so.");
    }
}

static void tell_crash(const struct words *w, bool restarts)
{
    bool written = w->now->logged == COMMIT_COMMIT;
    if (restarts) {
        SAY_ACTION(w, "restarts");
        SAY_DETAIL(w, "%s",
                   written ? "Its log says \"commit\": it will tell all, until they have "
                             "acknowledged it."
                           : "Its log says nothing of the transaction.");
        return;
    }
    bool lost = w->now->decided == COMMIT_COMMIT && !written;
    SAY_ACTION(w, "crashes");
    SAY_DETAIL(w, "%s %s",
               lost ? "What it has decided was in its memory alone."
                    : "What it had in its memory is gone.",
               written ? "Its log says \"commit\"." : "Its log says nothing of the transaction.");
}

static void tell_lost(const struct words *w, enum pact_mail mail)
{
    static const char *const names[PACT_MAILS] = {
        [PACT_A_PREPARE] = "to prepare",        [PACT_A_COMMIT] = "to commit",
        [PACT_AN_ABORT] = "to abort",           [PACT_A_YES] = "its vote, yes",
        [PACT_A_NO] = "its vote, no",           [PACT_A_QUESTION] = "its question",
        [PACT_AN_ACK] = "that it has committed"};
    bool from = mail >= PACT_A_YES;
    SAY_ACTOR(w, "the network");
    SAY_ACTION(w, "loses a message %s participant %u", from ? "from" : "for", w->number);
    SAY_DETAIL(w, "It was %s.", names[mail]);
}

void pact_tell(const struct check_scope *scope, const void *state, uint16_t action,
               struct check_told *told)
{
    enum pact_step step = pact_step_of(action);
    struct words w = {.scope = scope, .now = state, .told = told, .part = pact_part_of(action)};
    w.after = pact_after(scope, w.now, action);
    w.was = pact_participant(w.now, w.part);
    w.number = w.part + 1;
    SAY_ACTOR(&w, "the coordinator");
    switch (step) {
    case PACT_PREPARE:
    case PACT_VOTE_AGAIN:
    case PACT_VOTE_EARLY:
    case PACT_REFUSE:
    case PACT_OLD:
        SAY_ACTOR(&w, "participant %u", w.number);
        tell_asked(&w, step);
        break;
    case PACT_LEARN_COMMIT:
    case PACT_LEARN_ABORT:
        SAY_ACTOR(&w, "participant %u", w.number);
        tell_learn(&w, step == PACT_LEARN_COMMIT);
        break;
    case PACT_ABORT_ALONE:
    case PACT_COMMIT_ALONE:
    case PACT_PREPARE_LATE:
    case PACT_ASK:
        SAY_ACTOR(&w, "participant %u", w.number);
        tell_alone(&w, step);
        break;
    case PACT_HEAR_YES:
    case PACT_HEAR_NO:
        tell_vote(&w, step == PACT_HEAR_YES);
        break;
    case PACT_DECIDE:
    case PACT_DECIDE_UNWRITTEN:
    case PACT_GIVE_UP:
        tell_decide(&w, step);
        break;
    case PACT_ANSWER:
    case PACT_NO_ANSWER:
        tell_answer(&w, step == PACT_ANSWER);
        break;
    case PACT_HEAR_ACK:
    case PACT_FORGET:
        tell_end(&w, step);
        break;
    case PACT_BEGIN:
    case PACT_PREPARE_AGAIN:
    case PACT_WRITE_LATE:
    case PACT_TELL:
        tell_send(&w, step);
        break;
    case PACT_RESTART:
    case PACT_CRASH:
        tell_crash(&w, step == PACT_RESTART);
        break;
    case PACT_LOSE:
        tell_lost(&w, pact_mail_of(action));
        break;
    case PACT_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

void pact_say_size(uint8_t size, char *text, size_t room)
{
    snprintf(text, room, "%u participants, crashes and losses at any time", (unsigned)size);
}
