/*
 * commit_steps: what can happen next while a transaction is committed; see commit.h.
 */
#include "check/commit.h"

/* --- in more bytes and in fewer --------------------------------------------------------------- */

struct commit_core pact_core(const struct pact *now)
{
    return (struct commit_core){.parts = now->parts,
                                .votes = now->votes,
                                .heard = now->heard,
                                .decided = now->decided,
                                .logged = now->logged};
}

/* Once it is decided nobody looks at the votes: with decide-once off somebody does. */
static void keep_core(struct pact *to, const struct commit_core *c, uint64_t rules)
{
    bool counted = c->decided == COMMIT_NO_WORD || !rule_on(rules, RULE_DECIDE_ONCE);
    to->parts = (uint8_t)c->parts;
    to->votes = counted ? (uint8_t)c->votes : 0;
    to->heard = (uint8_t)c->heard;
    to->decided = c->decided;
    to->logged = c->logged;
}

struct part_core pact_participant(const struct pact *now, unsigned part)
{
    return (struct part_core){.state = now->part[part].state, .voted = now->part[part].voted};
}

static void keep_part(struct pact *to, unsigned part, const struct part_core *p)
{
    to->part[part].state = p->state & 15u;
    to->part[part].voted = p->voted & 15u;
}

bool pact_is_under_way(const struct pact *now, unsigned part, enum pact_mail mail)
{
    return (now->part[part].mail >> mail & 1) != 0;
}

static void send(struct pact *to, unsigned part, enum pact_mail mail)
{
    to->part[part].mail |= (uint8_t)(1u << mail);
}

static void take(struct pact *to, unsigned part, enum pact_mail mail)
{
    to->part[part].mail &= (uint8_t) ~(1u << mail);
}

static void send_to(struct pact *to, uint64_t parts, enum pact_mail mail)
{
    for (unsigned i = 0; i < PACT_PARTS_MAX; i++) {
        if (parts >> i & 1) {
            send(to, i, mail);
        }
    }
}

/* Those who are to be told to commit and have no such message under way. */
static uint64_t to_tell(const struct pact *now, uint64_t rules)
{
    struct commit_core c = pact_core(now);
    uint64_t parts = commit_untold(&c, rules);
    for (unsigned i = 0; i < PACT_PARTS_MAX; i++) {
        if (pact_is_under_way(now, i, PACT_A_COMMIT)) {
            parts &= ~(UINT64_C(1) << i);
        }
    }
    return parts;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The coordinator decides to abort: all who might wait for it are told. */
static void give_up(struct pact *to, struct commit_core *c, uint64_t rules, uint64_t whom)
{
    commit_decide(c, rules, COMMIT_ABORT);
    send_to(to, whom, PACT_AN_ABORT);
}

static void hear_no(struct pact *to, struct commit_core *c, uint64_t rules, unsigned part)
{
    take(to, part, PACT_A_NO);
    if (c->decided == COMMIT_NO_WORD && commit_may_abort(c, rules)) {
        give_up(to, c, rules, c->parts & ~(UINT64_C(1) << part));
    }
}

static void answer(struct pact *to, const struct commit_core *c, uint64_t rules, unsigned part)
{
    enum commit_word word = commit_answer(c, rules);
    take(to, part, PACT_A_QUESTION);
    if (word != COMMIT_NO_WORD) {
        send(to, part, word == COMMIT_COMMIT ? PACT_A_COMMIT : PACT_AN_ABORT);
    }
}

/* What comes to the coordinator from a participant. */
static void hear(struct pact *to, uint64_t rules, enum pact_step step, unsigned part)
{
    struct commit_core c = pact_core(to);
    if (step == PACT_HEAR_YES) {
        take(to, part, PACT_A_YES);
        (void)commit_vote(&c, rules, part);
    } else if (step == PACT_HEAR_NO) {
        hear_no(to, &c, rules, part);
    } else if (step == PACT_HEAR_ACK) {
        take(to, part, PACT_AN_ACK);
        commit_hear(&c, part);
    } else {
        answer(to, &c, rules, part);
    }
    keep_core(to, &c, rules);
}

/* What the coordinator does of its own accord. */
static void coordinate(const struct check_scope *scope, struct pact *to, enum pact_step step)
{
    uint64_t rules = pact_rules_of(scope);
    struct commit_core c = pact_core(to);
    if (step == PACT_BEGIN) {
        c = commit_begin((UINT64_C(1) << scope->size) - 1);
        to->begun = 1;
        send_to(to, c.parts, PACT_A_PREPARE);
    } else if (step == PACT_DECIDE) {
        commit_decide(&c, rules, COMMIT_COMMIT);
    } else if (step == PACT_DECIDE_UNWRITTEN) {
        commit_decide(&c, rules, COMMIT_COMMIT);
        send_to(to, commit_untold(&c, rules), PACT_A_COMMIT);
    } else if (step == PACT_WRITE_LATE) {
        commit_log(&c);
    } else if (step == PACT_TELL) {
        send_to(to, to_tell(to, rules), PACT_A_COMMIT);
    } else if (step == PACT_GIVE_UP) {
        give_up(to, &c, rules, c.parts);
    } else if (step == PACT_FORGET) {
        commit_forget(&c);
    } else if (step == PACT_CRASH) {
        commit_restart(&c); /* what its memory held is of no use to anybody from here on */
        to->down = 1;
    } else {
        CHECK(step == PACT_RESTART);
        to->down = 0;
    }
    keep_core(to, &c, rules);
}

/* A participant is asked to prepare. */
static void asked(struct pact *to, uint64_t rules, enum pact_step step, unsigned part)
{
    struct part_core p = pact_participant(to, part);
    take(to, part, PACT_A_PREPARE);
    if (step == PACT_REFUSE) {
        part_abort(&p);
    }
    switch (part_asked(&p, rules)) {
    case PART_VOTES_YES:
        send(to, part, PACT_A_YES);
        break;
    case PART_VOTES_NO:
        send(to, part, PACT_A_NO);
        break;
    case PART_SILENT:
        break;
    }
    keep_part(to, part, &p);
}

static void learn(struct pact *to, enum commit_word word, unsigned part)
{
    struct part_core p = pact_participant(to, part);
    take(to, part, word == COMMIT_COMMIT ? PACT_A_COMMIT : PACT_AN_ABORT);
    if (part_told(&p, word)) {
        send(to, part, PACT_AN_ACK);
    }
    keep_part(to, part, &p);
}

/* What a participant does of its own accord. */
static void alone(struct pact *to, enum pact_step step, unsigned part)
{
    struct part_core p = pact_participant(to, part);
    if (step == PACT_ASK) {
        send(to, part, PACT_A_QUESTION);
    } else if (step == PACT_ABORT_ALONE) {
        part_abort(&p);
    } else if (step == PACT_COMMIT_ALONE) {
        (void)part_told(&p, COMMIT_COMMIT);
    } else {
        CHECK(step == PACT_PREPARE_LATE);
        part_prepare_late(&p);
    }
    keep_part(to, part, &p);
}

struct pact pact_after(const struct check_scope *scope, const struct pact *now, uint16_t action)
{
    struct pact to = *now;
    uint64_t rules = pact_rules_of(scope);
    enum pact_step step = pact_step_of(action);
    unsigned part = pact_part_of(action);
    switch (step) {
    case PACT_PREPARE:
    case PACT_VOTE_AGAIN:
    case PACT_VOTE_EARLY:
    case PACT_REFUSE:
    case PACT_OLD:
        asked(&to, rules, step, part);
        break;
    case PACT_HEAR_YES:
    case PACT_HEAR_NO:
    case PACT_HEAR_ACK:
    case PACT_ANSWER:
    case PACT_NO_ANSWER:
        hear(&to, rules, step, part);
        break;
    case PACT_LEARN_COMMIT:
    case PACT_LEARN_ABORT:
        learn(&to, step == PACT_LEARN_COMMIT ? COMMIT_COMMIT : COMMIT_ABORT, part);
        break;
    case PACT_ABORT_ALONE:
    case PACT_COMMIT_ALONE:
    case PACT_PREPARE_LATE:
    case PACT_ASK:
        alone(&to, step, part);
        break;
    case PACT_BEGIN:
    case PACT_DECIDE:
    case PACT_DECIDE_UNWRITTEN:
    case PACT_WRITE_LATE:
    case PACT_TELL:
    case PACT_GIVE_UP:
    case PACT_FORGET:
    case PACT_RESTART:
    case PACT_CRASH:
        coordinate(scope, &to, step);
        break;
    case PACT_PREPARE_AGAIN:
        send(&to, part, PACT_A_PREPARE);
        break;
    case PACT_LOSE:
        take(&to, part, pact_mail_of(action));
        break;
    case PACT_STEPS:
        CHECK(false && "no such step");
        break;
    }
    return to;
}

/* --- what can happen -------------------------------------------------------------------------- */

/* What the steps of one state have in common. */
struct steps {
    const struct check_scope *scope;
    const struct pact *now;
    struct check_out *out;
    struct commit_core core;
    uint64_t rules;
};

static void put_if(const struct steps *s, bool can, enum pact_step step, unsigned part)
{
    if (can) {
        uint16_t action = pact_action(step, part, (enum pact_mail)0);
        struct pact *to = check_put(s->out, action);
        *to = pact_after(s->scope, s->now, action);
    }
}

static void next_of_coordinator(const struct steps *s)
{
    const struct commit_core *c = &s->core;
    bool first = rule_on(s->rules, RULE_LOG_DECISION_FIRST);
    put_if(s, !s->now->begun, PACT_BEGIN, 0);
    put_if(s, commit_may_commit(c, s->rules), first ? PACT_DECIDE : PACT_DECIDE_UNWRITTEN, 0);
    put_if(s, commit_may_abort(c, s->rules), PACT_GIVE_UP, 0);
    put_if(s, commit_may_log(c), PACT_WRITE_LATE, 0);
    put_if(s, to_tell(s->now, s->rules) != 0, PACT_TELL, 0);
    put_if(s, commit_may_forget(c, s->rules), PACT_FORGET, 0);
    put_if(s, c->parts != 0, PACT_CRASH, 0);
}

/* What the coordinator does with a participant or its messages. */
static void next_of_mail(const struct steps *s, unsigned i)
{
    const struct pact *now = s->now;
    bool unvoted = (commit_unvoted(&s->core) >> i & 1) != 0;
    bool question = pact_is_under_way(now, i, PACT_A_QUESTION);
    bool word = commit_answer(&s->core, s->rules) != COMMIT_NO_WORD;
    put_if(s, pact_is_under_way(now, i, PACT_A_YES), PACT_HEAR_YES, i);
    put_if(s, pact_is_under_way(now, i, PACT_A_NO), PACT_HEAR_NO, i);
    put_if(s, pact_is_under_way(now, i, PACT_AN_ACK), PACT_HEAR_ACK, i);
    put_if(s, question && word, PACT_ANSWER, i);
    put_if(s, question && !word && s->core.parts == 0, PACT_NO_ANSWER, i);
    put_if(s, unvoted && !pact_is_under_way(now, i, PACT_A_PREPARE), PACT_PREPARE_AGAIN, i);
}

static void next_of_part(const struct steps *s, unsigned i)
{
    const struct pact *now = s->now;
    struct part_core p = pact_participant(now, i);
    bool asked = pact_is_under_way(now, i, PACT_A_PREPARE);
    bool working = p.state == PART_WORKING;
    bool out = pact_is_under_way(now, i, PACT_A_YES) || pact_is_under_way(now, i, PACT_A_QUESTION);
    bool heard = !now->down && (s->core.parts == 0 || s->core.decided != COMMIT_NO_WORD);
    bool first = rule_on(s->rules, RULE_VOTE_AFTER_PREPARE);
    put_if(s, asked && working, first ? PACT_PREPARE : PACT_VOTE_EARLY, i);
    put_if(s, asked && p.state == PART_PREPARED, PACT_VOTE_AGAIN, i);
    put_if(s, asked && (working || p.state == PART_ABORTED), PACT_REFUSE, i);
    put_if(s, asked && p.state == PART_COMMITTED, PACT_OLD, i);
    put_if(s, pact_is_under_way(now, i, PACT_A_COMMIT), PACT_LEARN_COMMIT, i);
    put_if(s, pact_is_under_way(now, i, PACT_AN_ABORT), PACT_LEARN_ABORT, i);
    put_if(s, part_may_abort(&p, s->rules), PACT_ABORT_ALONE, i);
    put_if(s, part_may_commit(&p, s->rules), PACT_COMMIT_ALONE, i);
    put_if(s, part_may_prepare_late(&p), PACT_PREPARE_LATE, i);
    put_if(s, part_may_ask(&p) && heard && !out, PACT_ASK, i);
}

static void next_of_network(const struct steps *s, unsigned i)
{
    for (unsigned mail = 0; mail < PACT_MAILS; mail++) {
        if (pact_is_under_way(s->now, i, (enum pact_mail)mail)) {
            uint16_t action = pact_action(PACT_LOSE, i, (enum pact_mail)mail);
            struct pact *to = check_put(s->out, action);
            *to = pact_after(s->scope, s->now, action);
        }
    }
}

void pact_next(const struct check_scope *scope, const void *state, struct check_out *out)
{
    struct steps s = {.scope = scope, .now = state, .out = out, .rules = pact_rules_of(scope)};
    s.core = pact_core(s.now);
    if (s.now->down) {
        put_if(&s, true, PACT_RESTART, 0);
    } else {
        next_of_coordinator(&s);
    }
    for (unsigned i = 0; i < scope->size; i++) {
        if (!s.now->down) {
            next_of_mail(&s, i);
        }
        next_of_part(&s, i);
        next_of_network(&s, i);
    }
}
