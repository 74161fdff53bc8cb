/*
 * two_phase: two-phase commit, as the well-known TLA+ module has it: managers prepare or give up of
 * their own accord, messages stay in flight for ever and may be received again.
 *
 * It is the yardstick of the search, for tests and measurements: other checkers have counted the
 * states of the same module. What learners see is commit.h, with a coordinator that crashes.
 * The promise: no manager commits while another has aborted.
 */
#include "check/models.h"
#include <stdio.h>

#define MANAGERS_MAX 9
#define COORDINATOR 15u

enum manager_state {
    WORKING,
    PREPARED,
    COMMITTED,
    ABORTED
};

enum coordinator_state {
    UNDECIDED,
    DECIDED_COMMIT,
    DECIDED_ABORT
};

struct two_phase {
    uint8_t manager[MANAGERS_MAX];
    uint8_t coordinator;
    uint8_t received[MANAGERS_MAX]; /* whose vote the coordinator has */
    uint8_t voted[MANAGERS_MAX];    /* whose vote was sent */
    uint8_t commit_sent;
    uint8_t abort_sent;
    uint8_t unused[2];
};

_Static_assert(sizeof(struct two_phase) == 32, "bytes only, no padding");

enum rule_bit {
    ALL_VOTES = 1 << 0,
    NO_LONE_ABORT = 1 << 1,
    NO_LONE_COMMIT = 1 << 2,
    VOTE_AFTER_PREPARE = 1 << 3,
    DECIDE_ONCE = 1 << 4
};

static const struct check_rule rules[] = {
    {"all-votes-needed", "The coordinator commits only when it has the vote of every manager."},
    {"no-lone-abort-when-prepared", "A prepared manager never aborts of its own accord."},
    {"no-lone-commit-when-prepared", "A prepared manager never commits of its own accord."},
    {"vote-after-prepare", "A manager votes only when it is prepared."},
    {"decide-once", "The coordinator never decides a second time."},
    {NULL, NULL},
};

/* An action is a kind times 16, and the manager it concerns. */
enum step_kind {
    PREPARE,
    VOTE_EARLY,
    RECEIVE_VOTE,
    DECIDE_TO_COMMIT,
    DECIDE_TO_ABORT,
    LEARN_COMMIT,
    LEARN_ABORT,
    LONE_ABORT,
    LONE_COMMIT
};

static uint16_t action_of(enum step_kind kind, unsigned manager)
{
    return (uint16_t)((unsigned)kind << 4 | manager);
}

static enum step_kind kind_of(uint16_t action)
{
    return (enum step_kind)(action >> 4);
}

static unsigned manager_of(uint16_t action)
{
    return action & 15u;
}

static struct two_phase *put(struct check_out *out, const struct two_phase *from,
                             enum step_kind kind, unsigned manager)
{
    struct two_phase *to = check_put(out, action_of(kind, manager));
    *to = *from;
    return to;
}

static void init(const struct check_scope *scope, struct check_out *out)
{
    CHECK(scope->size >= 2 && scope->size <= MANAGERS_MAX);
    struct two_phase *start = check_put(out, 0);
    *start = (struct two_phase){.coordinator = UNDECIDED};
}

static void next_of_coordinator(const struct check_scope *scope, const struct two_phase *now,
                                struct check_out *out)
{
    unsigned votes = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        votes += now->received[i];
        if (now->coordinator == UNDECIDED && now->voted[i]) {
            put(out, now, RECEIVE_VOTE, i)->received[i] = 1;
        }
    }
    if (now->coordinator != UNDECIDED && (scope->rules & DECIDE_ONCE)) {
        return;
    }
    if (votes == scope->size || (votes > 0 && !(scope->rules & ALL_VOTES))) {
        struct two_phase *to = put(out, now, DECIDE_TO_COMMIT, COORDINATOR);
        to->coordinator = DECIDED_COMMIT;
        to->commit_sent = 1;
    }
    struct two_phase *to = put(out, now, DECIDE_TO_ABORT, COORDINATOR);
    to->coordinator = DECIDED_ABORT;
    to->abort_sent = 1;
}

static void next_of_manager(const struct check_scope *scope, const struct two_phase *now,
                            unsigned i, struct check_out *out)
{
    bool working = now->manager[i] == WORKING;
    bool prepared = now->manager[i] == PREPARED;
    if (working) {
        struct two_phase *to = put(out, now, PREPARE, i);
        to->manager[i] = PREPARED;
        to->voted[i] = 1;
    }
    if (working && !now->voted[i] && !(scope->rules & VOTE_AFTER_PREPARE)) {
        put(out, now, VOTE_EARLY, i)->voted[i] = 1;
    }
    if (working || (prepared && !(scope->rules & NO_LONE_ABORT))) {
        put(out, now, LONE_ABORT, i)->manager[i] = ABORTED;
    }
    if (prepared && !(scope->rules & NO_LONE_COMMIT)) {
        put(out, now, LONE_COMMIT, i)->manager[i] = COMMITTED;
    }
    if (now->commit_sent) {
        put(out, now, LEARN_COMMIT, i)->manager[i] = COMMITTED;
    }
    if (now->abort_sent) {
        put(out, now, LEARN_ABORT, i)->manager[i] = ABORTED;
    }
}

static void next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    next_of_coordinator(scope, state, out);
    for (unsigned i = 0; i < scope->size; i++) {
        next_of_manager(scope, state, i, out);
    }
}

static int check(const struct check_scope *scope, const void *state)
{
    const struct two_phase *now = state;
    unsigned seen = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        seen |= 1u << now->manager[i];
    }
    return (seen & 1u << COMMITTED) && (seen & 1u << ABORTED) ? 1 : 0;
}

static const char *broken(int code)
{
    CHECK(code == 1);
    return "one manager has committed while another has aborted";
}

static const char *const promised[] = {
    "no manager commits when another has aborted, nor aborts when another has committed",
    NULL,
};

static bool finished(const struct check_scope *scope, const void *state)
{
    const struct two_phase *now = state;
    for (unsigned i = 0; i < scope->size; i++) {
        if (now->manager[i] != COMMITTED && now->manager[i] != ABORTED) {
            return false;
        }
    }
    return true;
}

enum situation {
    ALL_WAIT,
    ALL_VOTES_IN,
    COMMIT_UNHEARD,
    ABORT_OF_PREPARED,
    LONE_ABORT_UNHEARD,
    ALL_COMMITTED,
    ALL_ABORTED
};

static const struct check_situation situation[] = {
    [ALL_WAIT] = {"every manager is prepared and can only wait for the decision"},
    [ALL_VOTES_IN] = {"every vote has arrived and nothing is decided yet"},
    [COMMIT_UNHEARD] = {"one manager has committed while another has not heard of the decision"},
    [ABORT_OF_PREPARED] = {"it is decided to abort while every manager is prepared"},
    [LONE_ABORT_UNHEARD] = {"one manager has given up while another is prepared"},
    [ALL_COMMITTED] = {"every manager has committed"},
    [ALL_ABORTED] = {"every manager has aborted"},
    {NULL},
};

static uint32_t situations(const struct check_scope *scope, const void *state)
{
    const struct two_phase *now = state;
    unsigned count[ABORTED + 1] = {0};
    unsigned votes = 0;
    unsigned all = scope->size;
    for (unsigned i = 0; i < scope->size; i++) {
        count[now->manager[i]]++;
        votes += now->received[i];
    }
    bool undecided = now->coordinator == UNDECIDED;
    return check_bit(ALL_WAIT, undecided && count[PREPARED] == all) |
           check_bit(ALL_VOTES_IN, undecided && votes == all) |
           check_bit(COMMIT_UNHEARD, count[COMMITTED] > 0 && count[PREPARED] > 0) |
           check_bit(ABORT_OF_PREPARED,
                     now->coordinator == DECIDED_ABORT && count[PREPARED] == all) |
           check_bit(LONE_ABORT_UNHEARD, undecided && count[ABORTED] > 0 && count[PREPARED] > 0) |
           check_bit(ALL_COMMITTED, count[COMMITTED] == all) |
           check_bit(ALL_ABORTED, count[ABORTED] == all);
}

static unsigned actor(uint16_t action)
{
    return kind_of(action) == RECEIVE_VOTE ? COORDINATOR : manager_of(action);
}

static void tell_coordinator(const struct check_scope *scope, const struct two_phase *now,
                             uint16_t action, struct check_told *told)
{
    unsigned votes = 0;
    for (unsigned i = 0; i < scope->size; i++) {
        votes += now->received[i];
    }
    snprintf(told->actor, sizeof told->actor, "the coordinator");
    if (kind_of(action) == RECEIVE_VOTE) {
        snprintf(told->action, sizeof told->action, "receives a vote");
        snprintf(told->detail, sizeof told->detail,
                 "The vote of manager %u has arrived; it now has %u of %u votes.",
                 manager_of(action) + 1, votes + (now->received[manager_of(action)] ? 0 : 1),
                 (unsigned)scope->size);
        return;
    }
    bool commit = kind_of(action) == DECIDE_TO_COMMIT;
    snprintf(told->action, sizeof told->action, "decides to %s", commit ? "commit" : "abort");
    snprintf(told->detail, sizeof told->detail,
             "With %u of %u votes it decides%s, and tells every manager to %s.", votes,
             (unsigned)scope->size, now->coordinator == UNDECIDED ? "" : " once more",
             commit ? "commit" : "abort");
}

static void tell_manager(const struct two_phase *now, uint16_t action, struct check_told *told)
{
    static const char *const state_name[] = {"working", "prepared", "committed", "aborted"};
    static const struct {
        const char *action, *detail;
    } words[] = {
        [PREPARE] = {"prepares", "it promises that it can commit, and sends its vote"},
        [VOTE_EARLY] = {"votes early", "it sends its vote, though it has promised nothing yet"},
        [LEARN_COMMIT] = {"commits", "the message to commit has arrived"},
        [LEARN_ABORT] = {"aborts", "the message to abort has arrived"},
        [LONE_ABORT] = {"aborts alone", "it gives up of its own accord and asks nobody"},
        [LONE_COMMIT] = {"commits alone", "it commits of its own accord and asks nobody"},
    };
    unsigned manager = manager_of(action);
    enum step_kind kind = kind_of(action);
    snprintf(told->actor, sizeof told->actor, "manager %u", manager + 1);
    snprintf(told->action, sizeof told->action, "%s", words[kind].action);
    snprintf(told->detail, sizeof told->detail, "It was %s; %s.", state_name[now->manager[manager]],
             words[kind].detail);
}

static void tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told)
{
    if (actor(action) == COORDINATOR) {
        tell_coordinator(scope, state, action, told);
    } else {
        tell_manager(state, action, told);
    }
}

const struct check_model model_two_phase_yardstick = {
    .name = "two-phase-yardstick",
    .about = "several managers commit together or not at all, by one coordinator's decision",
    .rule = rules,
    .state_size = sizeof(struct two_phase),
    .size_small = 2,
    .size_large = 6,
    .size_of = "managers",
    .init = init,
    .next = next,
    .check = check,
    .broken = broken,
    .promises = promised,
    .situation = situation,
    .situations = situations,
    .finished = finished,
    .actor = actor,
    .tell = tell,
};
