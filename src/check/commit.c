/*
 * commit: the rules of two-phase commit and what is judged; see commit.h. The steps are in
 * commit_steps.c, the words in commit_words.c.
 */
#include "check/commit.h"
#include "check/models.h"

/* In the order of proto/rule.h. */
static const struct check_rule demanded[] = {
    {"all-votes-needed", "The coordinator commits only when every participant has voted yes."},
    {"log-decision-first", "The decision to commit is in the coordinator's log before anybody is "
                           "told."},
    {"no-lone-abort-when-prepared", "A prepared participant never aborts of its own accord."},
    {"no-lone-commit-when-prepared", "A prepared participant never commits of its own accord."},
    {"vote-after-prepare", "A participant votes yes only after its log says that it is prepared."},
    {"decide-once", "The coordinator never decides a second time."},
    {"presumed-abort",
     "A coordinator that knows nothing of a transaction answers that it is aborted."},
    {NULL, NULL},
};

#define RULES 7u

_Static_assert(RULE_PRESUMED_ABORT - RULE_ALL_VOTES_NEEDED == RULES - 1, "the list is this one");

uint64_t pact_rules_of(const struct check_scope *scope)
{
    uint64_t off = ~scope->rules & ((1u << RULES) - 1);
    return RULES_ALL & ~(off << RULE_ALL_VOTES_NEEDED);
}

/* An action is a step times 32, a message in 3 bits and a participant in 2. */
uint16_t pact_action(enum pact_step step, unsigned part, enum pact_mail mail)
{
    return (uint16_t)((unsigned)step << 5 | (unsigned)mail << 2 | part);
}

enum pact_step pact_step_of(uint16_t action)
{
    return (enum pact_step)(action >> 5);
}

unsigned pact_part_of(uint16_t action)
{
    return action & 3u;
}

enum pact_mail pact_mail_of(uint16_t action)
{
    return (enum pact_mail)(action >> 2 & 7u);
}

/* --- what the search asks --------------------------------------------------------------------- */

static void init(const struct check_scope *scope, struct check_out *out)
{
    CHECK(scope->size >= 2 && scope->size <= PACT_PARTS_MAX);
    struct pact *start = check_put(out, 0);
    *start = (struct pact){.part[0].state = PART_WORKING};
}

static unsigned count(const struct check_scope *scope, const struct pact *now,
                      enum part_state state)
{
    unsigned parts = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        parts += now->part[i].state == state ? 1 : 0;
    }
    return parts;
}

static unsigned under_way(const struct check_scope *scope, const struct pact *now,
                          enum pact_mail mail)
{
    unsigned messages = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        messages += pact_is_under_way(now, i, mail) ? 1 : 0;
    }
    return messages;
}

int pact_check(const struct check_scope *scope, const void *state)
{
    const struct pact *now = state;
    unsigned committed = count(scope, now, PART_COMMITTED);
    unsigned aborted = count(scope, now, PART_ABORTED);
    bool written = now->logged == COMMIT_COMMIT;
    if (committed > 0 && aborted > 0) {
        return PACT_MIXED;
    }
    if (scope->judge == CHECK_OUTSIDE) {
        return 0;
    }
    if (written && aborted > 0) {
        return PACT_AGAINST_LOG;
    }
    bool commits = committed > 0 || under_way(scope, now, PACT_A_COMMIT) > 0;
    return !written && commits && committed < scope->size ? PACT_UNWRITTEN : 0;
}

static const char *broken(int code)
{
    switch ((enum pact_promise)code) {
    case PACT_MIXED:
        return "one participant has committed while another has aborted";
    case PACT_AGAINST_LOG:
        return "a participant has aborted what the coordinator's log says is committed";
    case PACT_UNWRITTEN:
        return "a participant commits, or is told to, and no log says that all will";
    }
    CHECK(false && "no such promise");
    return "";
}

static const char *const promised[] = {
    "no participant commits when another has aborted, nor aborts when another has committed",
    "no participant aborts what the coordinator's log says is committed",
    "no participant commits, or is told to, before the coordinator's log says so",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct pact *now = state;
    bool ended = count(scope, now, PART_WORKING) + count(scope, now, PART_PREPARED) == 0;
    return now->begun && !now->down && now->parts == 0 && ended;
}

enum situation {
    ALL_WAIT,
    DOWN_DECIDED,
    DOWN_UNDECIDED,
    UNTOLD,
    HALF_TOLD,
    VOTE_TOO_LATE,
    ASKED_TOO_LATE,
    PREPARED_AND_REFUSED,
    ABORT_OF_PREPARED,
    UNKNOWN_AND_WAITS,
    ABORT_TO_COMMITTED
};

static const struct check_situation situation[] = {
    [ALL_WAIT] = {"the coordinator is down while every participant is prepared"},
    [DOWN_DECIDED] = {"the coordinator is down with \"commit\" in its log, and nobody was told"},
    [DOWN_UNDECIDED] = {"the coordinator is down with nothing in its log, a vote on its way"},
    [UNTOLD] = {"the log says \"commit\", and no message that says so is on its way"},
    [HALF_TOLD] = {"one participant has committed while another is prepared and waits"},
    [VOTE_TOO_LATE] = {"a yes is on its way after the coordinator has decided to abort"},
    [ASKED_TOO_LATE] = {"a request to prepare is on its way after all have given up"},
    [PREPARED_AND_REFUSED] = {"a no is on its way while another participant is prepared"},
    [ABORT_OF_PREPARED] = {"it is decided to abort while every participant is prepared"},
    [UNKNOWN_AND_WAITS] = {"a prepared participant asks a coordinator that knows nothing of it"},
    [ABORT_TO_COMMITTED] =
        {"a late \"abort\" is on its way to one that has committed, as all have"},
    {NULL},
};

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct pact *now = state;
    unsigned prepared = count(scope, now, PART_PREPARED);
    unsigned committed = count(scope, now, PART_COMMITTED);
    bool written = now->logged == COMMIT_COMMIT;
    bool told = under_way(scope, now, PACT_A_COMMIT) > 0 || committed > 0;
    bool all = prepared == scope->size;
    bool yes = under_way(scope, now, PACT_A_YES) > 0;
    bool asked = under_way(scope, now, PACT_A_PREPARE) > 0;
    bool no = under_way(scope, now, PACT_A_NO) > 0;
    bool aborts = now->decided == COMMIT_ABORT;
    bool unknown = now->begun && now->parts == 0 && !now->down;
    bool question = under_way(scope, now, PACT_A_QUESTION) > 0;
    return check_bit(ALL_WAIT, now->down && all) |
           check_bit(DOWN_DECIDED, now->down && written && !told) |
           check_bit(DOWN_UNDECIDED, now->down && !written && yes) |
           check_bit(UNTOLD, written && !told && !now->down) |
           check_bit(HALF_TOLD, committed > 0 && prepared > 0) |
           check_bit(VOTE_TOO_LATE, yes && aborts) |
           check_bit(ASKED_TOO_LATE, asked && count(scope, now, PART_ABORTED) == scope->size) |
           check_bit(PREPARED_AND_REFUSED, no && prepared > 0) |
           check_bit(ABORT_OF_PREPARED, aborts && all) |
           check_bit(UNKNOWN_AND_WAITS, unknown && question && prepared > 0 && committed == 0) |
           check_bit(ABORT_TO_COMMITTED,
                     under_way(scope, now, PACT_AN_ABORT) > 0 && committed == scope->size);
}

enum actor {
    COORDINATOR,
    NETWORK,
    PARTICIPANTS /* one each */
};

static unsigned actor(uint16_t action)
{
    switch (pact_step_of(action)) {
    case PACT_PREPARE:
    case PACT_VOTE_AGAIN:
    case PACT_VOTE_EARLY:
    case PACT_REFUSE:
    case PACT_OLD:
    case PACT_LEARN_COMMIT:
    case PACT_LEARN_ABORT:
    case PACT_ABORT_ALONE:
    case PACT_COMMIT_ALONE:
    case PACT_PREPARE_LATE:
    case PACT_ASK:
        return PARTICIPANTS + pact_part_of(action);
    case PACT_LOSE:
        return NETWORK;
    case PACT_BEGIN:
    case PACT_HEAR_YES:
    case PACT_HEAR_NO:
    case PACT_HEAR_ACK:
    case PACT_DECIDE:
    case PACT_DECIDE_UNWRITTEN:
    case PACT_WRITE_LATE:
    case PACT_TELL:
    case PACT_GIVE_UP:
    case PACT_FORGET:
    case PACT_ANSWER:
    case PACT_NO_ANSWER:
    case PACT_PREPARE_AGAIN:
    case PACT_RESTART:
    case PACT_CRASH:
        return COORDINATOR;
    case PACT_STEPS:
        break;
    }
    CHECK(false && "no such step");
    return COORDINATOR;
}

static bool fault(uint16_t action)
{
    return pact_step_of(action) >= PACT_CRASH;
}

const struct check_model model_commit = {
    .name = "two-phase-commit",
    .about = "participants end one transaction alike, by a coordinator's decision",
    .rule = demanded,
    .state_size = sizeof(struct pact),
    .size_small = PACT_SMALL,
    .size_large = PACT_LARGE,
    .size_of = "participants",
    .say_size = pact_say_size,
    .init = init,
    .next = pact_next,
    .check = pact_check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .fault = fault,
    .tell = pact_tell,
};
