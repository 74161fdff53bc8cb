/*
 * commit: the steps of a coordinator and of its participants.
 */
#include "proto/commit.h"

#include "base/check.h"

const char *commit_word_name(enum commit_word word)
{
    static const char *const names[COMMIT_WORDS] = {
        [COMMIT_NO_WORD] = "nothing",
        [COMMIT_COMMIT] = "commit",
        [COMMIT_ABORT] = "abort",
    };
    CHECK(word < COMMIT_WORDS);
    return names[word];
}

const char *part_state_name(enum part_state state)
{
    static const char *const names[PART_STATES] = {
        [PART_WORKING] = "working",
        [PART_PREPARED] = "prepared",
        [PART_COMMITTED] = "committed",
        [PART_ABORTED] = "aborted",
    };
    CHECK(state < PART_STATES);
    return names[state];
}

/* --- the coordinator -------------------------------------------------------------------------- */

struct commit_core commit_begin(uint64_t parts)
{
    CHECK(parts != 0);
    return (struct commit_core){.parts = parts};
}

uint64_t commit_unvoted(const struct commit_core *c)
{
    return c->decided == COMMIT_NO_WORD ? c->parts & ~c->votes : 0;
}

/* Whether it may decide for this word now; with RULE_DECIDE_ONCE off also after the other one. */
static bool may_decide(const struct commit_core *c, uint64_t rules, enum commit_word word)
{
    bool open = c->decided == COMMIT_NO_WORD;
    bool anew = !rule_on(rules, RULE_DECIDE_ONCE) && c->decided != word;
    return c->parts != 0 && (open || anew);
}

bool commit_vote(struct commit_core *c, uint64_t rules, unsigned part)
{
    uint64_t bit = UINT64_C(1) << part;
    bool counts = (c->parts & bit) != 0 && may_decide(c, rules, COMMIT_COMMIT);
    if (counts) {
        c->votes |= bit;
    }
    return counts;
}

bool commit_may_commit(const struct commit_core *c, uint64_t rules)
{
    bool all = c->votes == c->parts;
    bool some = c->votes != 0 && !rule_on(rules, RULE_ALL_VOTES_NEEDED);
    return may_decide(c, rules, COMMIT_COMMIT) && (all || some);
}

bool commit_may_abort(const struct commit_core *c, uint64_t rules)
{
    return may_decide(c, rules, COMMIT_ABORT);
}

void commit_decide(struct commit_core *c, uint64_t rules, enum commit_word word)
{
    CHECK(may_decide(c, rules, word));
    c->decided = (uint8_t)word;
    if (commit_may_log(c) && rule_on(rules, RULE_LOG_DECISION_FIRST)) {
        commit_log(c);
    }
}

bool commit_may_log(const struct commit_core *c)
{
    return c->decided == COMMIT_COMMIT && c->logged != COMMIT_COMMIT;
}

void commit_log(struct commit_core *c)
{
    CHECK(commit_may_log(c));
    c->logged = COMMIT_COMMIT;
}

/* Whether it stands by "commit" before others. */
static bool says_commit(const struct commit_core *c, uint64_t rules)
{
    return c->decided == COMMIT_COMMIT &&
           (c->logged == COMMIT_COMMIT || !rule_on(rules, RULE_LOG_DECISION_FIRST));
}

uint64_t commit_untold(const struct commit_core *c, uint64_t rules)
{
    return says_commit(c, rules) ? c->parts & ~c->heard : 0;
}

enum commit_word commit_answer(const struct commit_core *c, uint64_t rules)
{
    if (c->parts == 0) {
        return rule_on(rules, RULE_PRESUMED_ABORT) ? COMMIT_ABORT : COMMIT_NO_WORD;
    }
    if (c->decided == COMMIT_COMMIT && !says_commit(c, rules)) {
        return COMMIT_NO_WORD;
    }
    return (enum commit_word)c->decided;
}

void commit_hear(struct commit_core *c, unsigned part)
{
    if (c->decided == COMMIT_COMMIT) {
        c->heard |= c->parts & UINT64_C(1) << part;
    }
}

bool commit_may_forget(const struct commit_core *c, uint64_t rules)
{
    if (c->decided == COMMIT_COMMIT) {
        return c->logged == COMMIT_COMMIT && c->heard == c->parts;
    }
    return c->decided == COMMIT_ABORT && rule_on(rules, RULE_PRESUMED_ABORT);
}

void commit_forget(struct commit_core *c)
{
    *c = (struct commit_core){0};
}

void commit_restart(struct commit_core *c)
{
    bool commits = c->logged == COMMIT_COMMIT;
    *c = (struct commit_core){.parts = commits ? c->parts : 0,
                              .votes = commits ? c->parts : 0,
                              .decided = c->logged,
                              .logged = c->logged};
}

/* --- a participant ---------------------------------------------------------------------------- */

enum part_reply part_asked(struct part_core *p, uint64_t rules)
{
    switch ((enum part_state)p->state) {
    case PART_WORKING:
        if (rule_on(rules, RULE_VOTE_AFTER_PREPARE)) {
            p->state = PART_PREPARED;
        } else {
            p->voted = 1;
        }
        return PART_VOTES_YES;
    case PART_PREPARED:
        return PART_VOTES_YES;
    case PART_ABORTED:
        return PART_VOTES_NO;
    case PART_COMMITTED:
        return PART_SILENT;
    case PART_STATES:
        break;
    }
    CHECK(false && "no such state");
    return PART_SILENT;
}

bool part_may_prepare_late(const struct part_core *p)
{
    return p->state == PART_WORKING && p->voted != 0;
}

static void become(struct part_core *p, enum part_state state)
{
    *p = (struct part_core){.state = (uint8_t)state};
}

void part_prepare_late(struct part_core *p)
{
    CHECK(part_may_prepare_late(p));
    become(p, PART_PREPARED);
}

bool part_may_abort(const struct part_core *p, uint64_t rules)
{
    return p->state == PART_WORKING ||
           (p->state == PART_PREPARED && !rule_on(rules, RULE_NO_LONE_ABORT));
}

void part_abort(struct part_core *p)
{
    become(p, PART_ABORTED);
}

bool part_may_commit(const struct part_core *p, uint64_t rules)
{
    return p->state == PART_PREPARED && !rule_on(rules, RULE_NO_LONE_COMMIT);
}

bool part_may_ask(const struct part_core *p)
{
    return p->state == PART_PREPARED;
}

bool part_told(struct part_core *p, enum commit_word word)
{
    CHECK(word == COMMIT_COMMIT || word == COMMIT_ABORT);
    if (part_holds_locks(p)) {
        become(p, word == COMMIT_COMMIT ? PART_COMMITTED : PART_ABORTED);
    }
    return word == COMMIT_COMMIT;
}

bool part_holds_locks(const struct part_core *p)
{
    return p->state == PART_WORKING || p->state == PART_PREPARED;
}
