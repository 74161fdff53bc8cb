/*
 * ask_words: the steps of a slot that moves key by key, told for somebody who sees them for the
 * first time.
 *
 * Everything is told from the state before the step. Keys are k1, k2, k3, writes w1, w2, reads r1,
 * r2; "k1 with w1" is the key and what was written to it.
 */
#include "check/ask.h"
#include <stdio.h>

struct words {
    const struct keywise_world *world;
    const struct keywise *now;
    struct keywise after;
    struct keywise_action a;
    struct keywise_op op; /* of a request's step */
    char name[4];         /* "w1" */
    char keys[16];        /* that it concerns: "k1", "k1, k2 and k3" */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static char shard_name(unsigned shard)
{
    return shard == KEYWISE_A ? 'A' : 'B';
}

static const char *row_name(const struct words *w, unsigned shard)
{
    return slot_state_name(keywise_row(w->now, shard));
}

static bool is_read(const struct words *w)
{
    return w->a.op >= w->world->writes;
}

/* "k1, k2 and k3" of a set of keys, each with the writes of `set` (0: none); "nothing". */
static void say_keys(const struct words *w, unsigned keys, unsigned set, char *text, size_t room)
{
    size_t length = 0;
    snprintf(text, room, "nothing");
    for (unsigned k = 0; k < w->world->keys && length < room; k++) {
        if ((keys >> k & 1) == 0) {
            continue;
        }
        const char *before = length == 0 ? "" : keys >> (k + 1) != 0 ? ", " : " and ";
        int n = snprintf(text + length, room - length, "%sk%u", before, k + 1);
        length += n > 0 ? (size_t)n : 0;
        unsigned here = set & keywise_bits(w->world, w->now, k);
        const char *with = " with ";
        for (unsigned i = 0; i < w->world->writes && length < room; i++) {
            if ((here & keywise_bit(i)) != 0) {
                n = snprintf(text + length, room - length, "%sw%u", with, i + 1);
                length += n > 0 ? (size_t)n : 0;
                with = "+";
            }
        }
    }
}

/* A set, key by key. */
static const char *say_set(const struct words *w, unsigned set, char *text, size_t room)
{
    say_keys(w, keywise_keys(w->world, w->now, set), set, text, room);
    return text;
}

/* The keys of which a shard holds anything. */
static const char *say_held(const struct words *w, unsigned shard, char *text, size_t room)
{
    say_keys(w, keywise_keys(w->world, w->now, w->now->has[shard]), 0, text, room);
    return text;
}

static void tell_issue(const struct words *w)
{
    char must[32];
    char owner = shard_name(keywise_owner(w->now->router[w->a.router]));
    SAY_ACTOR(w, "a client");
    SAY_ACTION(w, "asks R%u to %s %s: %s", (unsigned)w->a.router, is_read(w) ? "read" : "write",
               w->keys, w->name);
    char text[64] = "";
    unsigned need = is_read(w) ? w->after.op[w->a.op].need : 0;
    if (need != 0) {
        snprintf(text, sizeof text, " It must return %s.", say_set(w, need, must, sizeof must));
    } else if (is_read(w)) {
        snprintf(text, sizeof text, " There is no such key yet.");
    }
    SAY_DETAIL(w, "R%u's map says that %c owns the slot: %s goes there.%s", (unsigned)w->a.router,
               owner, w->name, text);
}

/* Why the shard serves: what its slot table says, or what it does not look at. */
static void say_table(const struct words *w, char *text, size_t room)
{
    unsigned bits = keywise_bits(w->world, w->now, w->op.key);
    unsigned here = keywise_keys(w->world, w->now, w->now->has[w->a.shard] & bits);
    unsigned there = keywise_keys(w->world, w->now, w->now->has[1 - w->a.shard] & bits);
    const char *row = row_name(w, w->a.shard);
    const char *are = w->op.key == KEYWISE_ALL ? "are" : "is";
    enum slot_state state = keywise_row(w->now, w->a.shard);
    bool arriving = state == SLOT_ARRIVING;
    char keys[16];
    say_keys(w, here, 0, keys, sizeof keys);
    if (arriving && !w->op.asking) {
        snprintf(text, room, "Its slot table says \"%s\", and it serves %s without ASKING.", row,
                 w->name);
    } else if (state == SLOT_LEAVING && here == 0) {
        snprintf(text, room, "%s %s not here, its slot table says \"%s\", and it does not say ASK.",
                 w->keys, are, row);
    } else if ((state == SLOT_LEAVING || arriving) && (there & ~here) != 0) {
        snprintf(text, room, "Of %s only %s is here, and it answers all the same.", w->keys, keys);
    } else if (state == SLOT_LEAVING) {
        snprintf(text, room, "Its slot table says \"%s\", and %s %s still here.", row, w->keys,
                 are);
    } else {
        snprintf(text, room, "Its slot table says \"%s\"%s%s%s.", row, arriving ? ", and " : "",
                 arriving ? w->name : "", arriving ? " says ASKING" : "");
    }
}

static void tell_answer(const struct words *w, const char *table)
{
    char got[32];
    char lacks[32];
    unsigned bits = keywise_bits(w->world, w->now, w->op.key);
    unsigned here = w->now->has[w->a.shard] & bits;
    unsigned missing = w->op.need & ~here;
    char other = shard_name(1u - w->a.shard);
    SAY_ACTION(w, "answers %s", w->name);
    say_set(w, here, got, sizeof got);
    switch ((enum keywise_promise)w->after.op[w->a.op].need) {
    case KEYWISE_MISSING:
        SAY_DETAIL(w, "%s The client is told that there is no such key. %c has it.", table, other);
        return;
    case KEYWISE_PARTIAL:
        say_set(w, missing, lacks, sizeof lacks);
        SAY_DETAIL(w, "%s The read returns %s, without %s.", table, got, lacks);
        return;
    case KEYWISE_STALE:
        say_set(w, missing, lacks, sizeof lacks);
        SAY_DETAIL(w, "%s The read returns %s: it lacks %s.", table, got, lacks);
        return;
    case KEYWISE_LOST:
    case KEYWISE_CIRCLE:
    case KEYWISE_TWO_SIDES:
    case KEYWISE_LEFT_BEHIND:
    case KEYWISE_MAP_CHANGED:
        break;
    }
    if (here == 0) {
        SAY_DETAIL(w, "%s The client is told that there is no such key, and so it is.", table);
    } else {
        SAY_DETAIL(w, "%s The read returns %s.", table, got);
    }
}

static void tell_serve(const struct words *w)
{
    char table[100];
    say_table(w, table, sizeof table);
    if (is_read(w)) {
        tell_answer(w, table);
        return;
    }
    unsigned bits = keywise_bits(w->world, w->now, w->op.key) & ~(unsigned)keywise_bit(w->a.op);
    bool here = (w->now->has[w->a.shard] & bits) != 0;
    bool there = (w->now->has[1 - w->a.shard] & bits) != 0;
    SAY_ACTION(w, "accepts %s", w->name);
    if (here || !there) {
        SAY_DETAIL(w, "%s %s is applied to %s%s, and the client is told OK.", table, w->name,
                   w->keys, here ? "" : ", which is made with it");
    } else {
        SAY_DETAIL(w, "%s %s makes a new %s here, while %c holds %s. The client is told OK.", table,
                   w->name, w->keys, shard_name(1u - w->a.shard), w->keys);
    }
}

static void tell_ask(const struct words *w)
{
    char again[64] = "";
    bool many = w->op.key == KEYWISE_ALL;
    if (w->op.asked) {
        snprintf(again, sizeof again, " It is told so the second time: it goes in a circle.");
    }
    SAY_ACTION(w, "answers %s with ASK", w->name);
    if (w->a.step == KEYWISE_ASK) {
        SAY_DETAIL(
            w,
            "%s %s not here. The router sends %s on to B, with ASKING, and leaves its map as "
            "it is.%s",
            w->keys, many ? "are" : "is", w->name, again);
    } else {
        SAY_DETAIL(w,
                   "%s %s not here. The router takes that for MOVED: its map says B from now on, "
                   "and %s goes there without ASKING.%s",
                   w->keys, many ? "are" : "is", w->name, again);
    }
}

static void tell_request(const struct words *w)
{
    char held[16];
    char owner = shard_name(w->after.op[w->a.op].at);
    SAY_ACTOR(w, "shard %c", shard_name(w->a.shard));
    if (w->a.step == KEYWISE_SERVE) {
        tell_serve(w);
    } else if (w->a.step == KEYWISE_MOVED) {
        bool arriving = keywise_row(w->now, w->a.shard) == SLOT_ARRIVING;
        SAY_ACTION(w, "answers %s with MOVED", w->name);
        SAY_DETAIL(w,
                   "Its slot table says \"%s\"%s%s%s. The router fetches the map, and sends %s to "
                   "%c.",
                   row_name(w, w->a.shard), arriving ? ", and " : "", arriving ? w->name : "",
                   arriving ? " does not say ASKING" : "", w->name, owner);
    } else if (w->a.step == KEYWISE_TRY_AGAIN) {
        SAY_ACTION(w, "answers %s with TRYAGAIN", w->name);
        SAY_DETAIL(w, "Of %s only %s is here; the rest is at %c. The router tries again.", w->keys,
                   say_held(w, w->a.shard, held, sizeof held), shard_name(1u - w->a.shard));
    } else {
        tell_ask(w);
    }
}

static void tell_router(const struct words *w)
{
    unsigned router = w->a.router;
    SAY_ACTOR(w, "R%u", router);
    if (w->a.step == KEYWISE_EARLY) {
        SAY_ACTION(w, "hears of the planned owner");
        SAY_DETAIL(w, "Too early: B has not claimed the slot, but R%u's map says B from now on.",
                   router);
        return;
    }
    SAY_ACTION(w, "fetches the map");
    SAY_DETAIL(w, "It said %c; it says %c now.", shard_name(keywise_owner(w->now->router[router])),
               shard_name(keywise_owner(w->after.router[router])));
}

/* What goes with A's copy: writes, or what was there before all writes. */
static void tell_drop(const struct words *w)
{
    unsigned bits = keywise_bits(w->world, w->now, w->a.key);
    unsigned thrown = w->now->has[KEYWISE_A] & bits & ~(unsigned)w->now->has[KEYWISE_B];
    bool first = (thrown & keywise_bit(0)) != 0;
    bool second = (thrown & keywise_bit(1)) != 0;
    SAY_ACTION(w, "throws A's copy of %s away", w->keys);
    if (thrown == 0) {
        SAY_DETAIL(w, "B's copy holds all that was in it.");
    } else if (first || second) {
        SAY_DETAIL(w, "With it %s%s%s, which B's copy lacks.", first ? "goes w1" : "goes ",
                   first && second ? " and " : "", second ? "w2" : "");
    } else {
        SAY_DETAIL(w, "With it goes what was in it at first, which B's copy lacks.");
    }
}

static void tell_hand(const struct words *w)
{
    char held[16];
    SAY_ACTOR(w, "the mover");
    if (w->a.step == KEYWISE_HAND) {
        unsigned left = keywise_keys(w->world, w->now, w->after.has[KEYWISE_A]);
        say_keys(w, left, 0, held, sizeof held);
        SAY_ACTION(w, "hands %s over to B", w->keys);
        SAY_DETAIL(w, "In one step it is at B and no longer at A. Of the slot A holds %s now.",
                   held);
    } else if (w->a.step == KEYWISE_COPY) {
        SAY_ACTION(w, "copies %s to B", w->keys);
        SAY_DETAIL(w, "It is at B and at A as well, until A's copy is thrown away: a step of its "
                      "own.");
    } else {
        tell_drop(w);
    }
}

static void tell_move(const struct words *w)
{
    char held[16];
    SAY_ACTOR(w, "shard B");
    if (w->a.step == KEYWISE_CLAIM_EMPTY) {
        SAY_ACTION(w, "claims the slot");
        SAY_DETAIL(w, "A holds no key of it. B's slot table says \"owned\", with a higher epoch; "
                      "the directory does not know yet.");
    } else if (w->a.step == KEYWISE_CLAIM_FULL) {
        SAY_ACTION(w, "claims the slot");
        SAY_DETAIL(w,
                   "A still holds %s. B's slot table says \"owned\", with a higher epoch; the "
                   "directory does not know yet.",
                   say_held(w, KEYWISE_A, held, sizeof held));
    } else if (w->a.step == KEYWISE_CLOSE) {
        SAY_ACTOR(w, "the directory");
        SAY_ACTION(w, "hears of the claim");
        SAY_DETAIL(w, "Its map says B. A is told, and its slot table says \"moved\" from now on.");
    } else if (w->a.step == KEYWISE_UNDO) {
        SAY_ACTOR(w, "the mover");
        SAY_ACTION(w, "drops the move");
        SAY_DETAIL(w, "No key has gone over: A owns the slot as before, and B has no row for it.");
    } else if (w->a.step == KEYWISE_CRASH) {
        SAY_ACTION(w, "crashes");
        SAY_DETAIL(w,
                   "Its store and its slot table, which says \"%s\", are on its disk. Requests "
                   "for it wait.",
                   row_name(w, KEYWISE_B));
    } else {
        SAY_ACTION(w, "restarts");
        SAY_DETAIL(w, "Its slot table says \"%s\", as before.%s", row_name(w, KEYWISE_B),
                   w->now->ask.phase == ASK_CLAIMED ? " It tells the directory so." : "");
    }
}

static void tell_step(const struct words *w)
{
    switch (w->a.step) {
    case KEYWISE_ISSUE:
        tell_issue(w);
        break;
    case KEYWISE_SERVE:
    case KEYWISE_ASK:
    case KEYWISE_ASK_AS_MOVED:
    case KEYWISE_MOVED:
    case KEYWISE_TRY_AGAIN:
        tell_request(w);
        break;
    case KEYWISE_RELOAD:
    case KEYWISE_EARLY:
        tell_router(w);
        break;
    case KEYWISE_HAND:
    case KEYWISE_COPY:
    case KEYWISE_DROP:
        tell_hand(w);
        break;
    case KEYWISE_CLAIM_EMPTY:
    case KEYWISE_CLAIM_FULL:
    case KEYWISE_CLOSE:
    case KEYWISE_UNDO:
    case KEYWISE_RESTART:
    case KEYWISE_CRASH:
        tell_move(w);
        break;
    case KEYWISE_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

void keywise_tell(const struct check_scope *scope, const void *state, uint16_t action,
                  struct check_told *told)
{
    struct words w = {.world = keywise_world_of(scope),
                      .now = state,
                      .a = keywise_action_of(action),
                      .told = told};
    w.after = keywise_after(scope, w.now, w.a);
    w.op = w.now->op[w.a.op];
    bool read = is_read(&w);
    bool sent = w.a.step > KEYWISE_ISSUE && w.a.step <= KEYWISE_TRY_AGAIN;
    unsigned key = sent ? w.op.key : w.a.key;
    unsigned number = read ? (unsigned)w.a.op - w.world->writes : w.a.op;
    snprintf(w.name, sizeof w.name, "%c%u", read ? 'r' : 'w', number % 8 + 1);
    say_keys(&w, key == KEYWISE_ALL ? (1u << w.world->keys) - 1 : 1u << key, 0, w.keys,
             sizeof w.keys);
    tell_step(&w);
}

/* "2 keys, 1 write, 1 read" and what may go wrong. */
void keywise_say_size(uint8_t size, char *text, size_t room)
{
    struct check_scope scope = {.size = size};
    const struct keywise_world *w = keywise_world_of(&scope);
    snprintf(text, room, "%u keys, %u write%s, %u read%s%s%s", (unsigned)w->keys,
             (unsigned)w->writes, w->writes == 1 ? "" : "s", (unsigned)w->reads,
             w->reads == 1 ? "" : "s", w->early > 0 ? ", a map that comes early" : "",
             w->crashes == 0   ? ""
             : w->crashes == 1 ? ", a crash of B"
                               : ", crashes of B");
}
