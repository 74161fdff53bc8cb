/*
 * parting: see parting.h.
 */
#include "check/parting.h"
#include "base/alloc.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4 /* of a pattern that stand for themselves */

/* The same deed in a protocol with fewer rules and with more, as it is told; a star stands for a
 * word, the same in both. What begins like this is meant. */
static const struct kin {
    const char *model, *less, *full;
} kins[] = {
    {"fence-and-flip", "answers *", "refuses *"},
    {"fence-and-flip", "accepts *", "refuses *"},
    {"fence-and-flip", "lets * pass", "accepts *"},
    {"ask", "answers *", "answers * with"},
    {"ask", "copies * to B", "hands * over"},
    {"dual-write", "writes * of * to", "brings * of * to"},
    {"preagg", "takes total *", "refuses total *"},
    {"preagg", "takes +", "refuses total "},
    {"preagg", "recounts", "recounts"},
    {"micro-cache", "reads version", "misses"},
    {"micro-cache", "keeps version * of fetch *", "does not keep version * of fetch *"},
    {"coalesce", "asks ", "asks "},
    {"striped-balance", "adds up all cells for a debit", "debits"},
    {"striped-balance", "has no answer, and forgets", "has no answer, and sends it again"},
    {"two-phase-commit", "decides to commit, and tells everybody", "decides to commit"},
    {"two-phase-commit", "votes yes, and is not prepared", "prepares, and votes yes"},
    {"saga", "takes the * back once more", "has taken the * back already"},
    {"saga", "has no * to take back", "has no * to take back, and bars it"},
    {"saga", "asks all to take back", "asks shard * to take"},
    {"failover", "stands for term *, and leads it", "stands for term *"},
    {"failover", "votes for * in", "does not vote for *"},
    {"failover", "takes what * sends", "refuses what * sends"},
};

struct word {
    const char *at;
    size_t length;
};

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '#') {
        length++;
    }
    return length;
}

/* Whether the text begins like the pattern; what its stars stand for. */
static bool begins_like(const char *text, const char *pattern, struct word *word, size_t *words)
{
    *words = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '*') {
            if (*text++ != *pattern) {
                return false;
            }
            continue;
        }
        size_t length = word_length(text);
        if (length == 0 || *words == WORDS_MAX) {
            return false;
        }
        word[(*words)++] = (struct word){text, length};
        text += length;
    }
    return true;
}

static bool are_kin(const struct kin *kin, const struct check_told *less,
                    const struct check_told *full)
{
    struct word mine[WORDS_MAX], theirs[WORDS_MAX];
    size_t n = 0;
    size_t m = 0;
    if (!begins_like(less->action, kin->less, mine, &n) ||
        !begins_like(full->action, kin->full, theirs, &m)) {
        return false;
    }
    for (size_t i = 0; i < n && i < m; i++) {
        if (mine[i].length != theirs[i].length ||
            memcmp(mine[i].at, theirs[i].at, mine[i].length) != 0) {
            return false;
        }
    }
    return true;
}

/* Who debits is told otherwise: a router that adds up, or the client whom it answers. */
static bool same_actor(const struct check_model *model, const struct check_told *less,
                       const struct check_told *full)
{
    bool debits =
        strcmp(model->name, "striped-balance") == 0 && strncmp(less->action, "adds", 4) == 0;
    return debits || strcmp(less->actor, full->actor) == 0;
}

/* How close: 0 it is another deed, 1 a kin, 2 the same words. */
static unsigned closeness(const struct check_model *model, const struct check_told *less,
                          const struct check_told *full)
{
    if (!same_actor(model, less, full)) {
        return 0;
    }
    if (strcmp(less->action, full->action) == 0) {
        return 2;
    }
    for (size_t i = 0; i < sizeof kins / sizeof *kins; i++) {
        if (strcmp(kins[i].model, model->name) == 0 && are_kin(&kins[i], less, full)) {
            return 1;
        }
    }
    return 0;
}

/* Among all that the full protocol can do in this state. */
static bool find_kin(const struct check_model *model, const struct check_scope *whole,
                     const void *state, const struct check_told *less, struct check_told *told)
{
    unsigned best = 0;
    uint16_t action[CHECK_STEPS_MAX];
    unsigned char *next = xcalloc(CHECK_STEPS_MAX, model->state_size);
    struct check_out out = {
        .state = next, .action = action, .state_size = model->state_size, .room = CHECK_STEPS_MAX};
    model->next(whole, state, &out);
    for (size_t i = 0; i < out.count && best < 2; i++) {
        struct check_told full = {.actor = ""};
        model->tell(whole, state, action[i], &full);
        unsigned close = closeness(model, less, &full);
        if (close > best) {
            best = close;
            *told = full;
        }
    }
    free(next);
    return best > 0;
}

/* A step that the protocol has not as it is. */
static struct parting_step not_as_it_is(const struct check_model *model,
                                        const struct check_scope *whole, const void *state,
                                        uint16_t action, const struct check_told *less)
{
    struct parting_step p = {.taken = false};
    if (find_kin(model, whole, state, less, &p.told)) {
        p.taken = true;
    } else if (model->fault && model->fault(action)) {
        p.taken = true;
        p.told = *less;
        (void)snprintf(p.told.detail, sizeof p.told.detail, "It changes nothing here.");
    }
    return p;
}

static bool told_alike(const struct check_told *a, const struct check_told *b)
{
    return strcmp(a->actor, b->actor) == 0 && strcmp(a->action, b->action) == 0 &&
           strcmp(a->detail, b->detail) == 0;
}

struct check_parting check_part(const struct check_model *model, const struct check_scope *scope,
                                const struct check_result *result, uint32_t rules)
{
    _Alignas(16) unsigned char mine[CHECK_STATE_MAX];
    _Alignas(16) unsigned char theirs[CHECK_STATE_MAX];
    struct check_scope whole = {.rules = rules, .size = scope->size, .judge = scope->judge};
    struct check_parting p = {.first = {.step = 0}};
    struct parting_step apart = {.step = 0}; /* by their states alone */
    for (uint32_t step = 0; step < result->depth; step++) {
        struct check_told less = {.actor = ""};
        struct check_told full = {.actor = ""};
        uint16_t action = result->action[step];
        check_replay(model, scope, result->start, result->action, step, mine);
        model->tell(scope, mine, action, &less);
        if (check_replay(model, &whole, result->start, result->action, step + 1, theirs) <= step) {
            p.last = not_as_it_is(model, &whole, theirs, action, &less);
            p.last.step = step + 1;
            break;
        }
        check_replay(model, scope, result->start, result->action, step + 1, mine);
        bool same = memcmp(mine, theirs, model->state_size) == 0;
        check_replay(model, &whole, result->start, result->action, step, theirs);
        model->tell(&whole, theirs, action, &full);
        if (p.first.step == 0 && !told_alike(&less, &full)) {
            p.first = (struct parting_step){.step = step + 1, .taken = true, .told = full};
        }
        if (apart.step == 0 && !same) {
            apart = (struct parting_step){.step = step + 1, .taken = true, .told = full};
        }
    }
    p.first = p.first.step > 0 ? p.first : p.last.step > 0 ? p.last : apart;
    p.last = p.last.step > 0 ? p.last : p.first;
    return p;
}
