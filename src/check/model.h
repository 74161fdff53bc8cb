/*
 * model: what a protocol gives to be searched: its states, its steps, its rules by name.
 *
 * A state is one struct of bytes: no pointers, no padding, unused bytes zero, so that two states
 * are the same exactly when their bytes are. Its size is a multiple of 16, at most
 * CHECK_STATE_MAX. Counters in it are bounded, and what no later step reads is cleared at once.
 *
 * Within one state an action names one step: the same action is never put twice. Its number orders
 * steps where nothing else does (see search.h), so the plainest steps have the smallest numbers.
 * A model keeps nothing between calls and may be asked by two threads at once.
 */
#ifndef HOTSHARD_CHECK_MODEL_H
#define HOTSHARD_CHECK_MODEL_H

#include "base/check.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHECK_STATE_MAX 128
#define CHECK_STEPS_MAX 128 /* out of one state */
#define CHECK_ACTORS_MAX 16
#define CHECK_RULES_MAX 32
#define CHECK_SITUATIONS_MAX 32
#define CHECK_RULES_ALL UINT32_MAX

/* Which promises are judged: those that somebody outside could see broken (a client, by its
 * replies), those that only somebody who sees all nodes at once could, or both. A model that makes
 * no difference judges all of them always. */
enum check_judge {
    CHECK_BOTH,
    CHECK_OUTSIDE,
    CHECK_INSIDE
};

/* Which world of a model is searched: how many take part, and which rules hold (a bit each, in the
 * order of the model's list). */
struct check_scope {
    uint32_t rules;
    uint8_t size;
    uint8_t judge; /* enum check_judge */
};

/* Where a model puts states. */
struct check_out {
    unsigned char *state;
    uint16_t *action;
    size_t state_size;
    size_t count;
    size_t room;
};

/* Room for the next state, which the caller fills in whole. */
static inline void *check_put(struct check_out *out, uint16_t action)
{
    CHECK(out->count < out->room);
    out->action[out->count] = action;
    return out->state + out->count++ * out->state_size;
}

struct check_rule {
    const char *name;    /* what it demands; NULL ends a list */
    const char *demands; /* the same as a sentence */
};

/* A rule that, left out alone, is better shown in a world in which nothing but it is missed. */
struct check_apart {
    const char *rule; /* its name; NULL ends a list */
    uint8_t size;     /* of that world */
    const char *why;  /* what is shown there, and what is not: sentences */
};

/* Something that must come to pass in some order of the steps, or the world of a model is too small
 * to say anything about it: "a router with an old map asks the former owner". */
struct check_situation {
    const char *name; /* NULL ends a list */
};

/* Bit `which` if it is so. */
static inline uint32_t check_bit(unsigned which, bool so)
{
    return so ? UINT32_C(1) << which : 0;
}

/* A step in words. */
struct check_told {
    char actor[32];
    char action[48];
    char detail[192];
};

struct check_model {
    const char *name;
    const char *about; /* one line */
    const struct check_rule *rule;
    size_t state_size;
    /* Two worlds: the smallest in which every rule that is left out shows, for short ways, and a
     * larger one, in which it is claimed that all is well. */
    uint8_t size_small, size_large;
    /* Where the smallest shows a failure that another rule forbids as well; NULL: nowhere. */
    const struct check_apart *apart;
    const char *size_of; /* what size counts: "managers" */
    /* A scope in words, "2 writes and 1 read"; NULL: its size and what that counts. */
    void (*say_size)(uint8_t size, char *text, size_t room);
    /* The start states, at most CHECK_STEPS_MAX; their actions number them. */
    void (*init)(const struct check_scope *scope, struct check_out *out);
    void (*next)(const struct check_scope *scope, const void *state, struct check_out *out);
    /* 0, or which promise the state breaks; broken says it as a sentence. */
    int (*check)(const struct check_scope *scope, const void *state);
    const char *(*broken)(int code);
    /* What is promised, as check judges it: a clause each, NULL ends the list. */
    const char *const *promises;
    /* Which situations a state is in, a bit each in the order of the list; both NULL: none are
     * told. With every rule each must be reached in the smallest world. */
    const struct check_situation *situation;
    uint32_t (*situations)(const struct check_scope *scope, const void *state);
    /* Whether it is right that nothing happens any more. */
    bool (*finished)(const struct check_scope *scope, const void *state);
    /* Makes states that differ in interchangeable names alike; NULL: there are none. */
    void (*canon)(const struct check_scope *scope, void *state);
    unsigned (*actor)(uint16_t action); /* who takes the step, below CHECK_ACTORS_MAX */
    bool (*fault)(uint16_t action);     /* whether it is an injected fault; NULL: none is */
    void (*tell)(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told);
};

#endif
