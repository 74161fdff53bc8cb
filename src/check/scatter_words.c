/*
 * scatter_words: the steps of a query over all shards, told for somebody who sees them for the
 * first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how. Shards
 * are A, B and C, slots are counted from 1.
 */
#include "check/scatter_gather.h"
#include <stdio.h>
#include <string.h>

struct words {
    const struct fanout_world *world;
    const struct fanout *now;
    struct fanout after;
    struct fanout_action a;
    struct fanout_flight flight; /* of a step that has one */
    char who[24];                /* "shard A", "the replica of A" */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static char name_of(unsigned shard)
{
    return (char)('A' + (int)shard);
}

struct slots {
    char text[22];
};

/* "slots 1, 2 and 3", "slot 2", "no slot" */
static struct slots slots(unsigned set)
{
    struct slots s = {.text = "no slot"};
    size_t length = 0;
    for (unsigned i = 0; i < FANOUT_SLOTS_MAX; i++) {
        unsigned behind = set >> i;
        if ((behind & 1) == 0) {
            continue;
        }
        const char *before = length == 0   ? (behind == 1 ? "slot " : "slots ")
                             : behind == 1 ? " and "
                                           : ", ";
        int n = snprintf(s.text + length, sizeof s.text - length, "%s%u", before, i + 1);
        length += n > 0 ? (size_t)n : 0;
    }
    return s;
}

/* Of slots that were merged more than once. */
static unsigned twice(const struct fanout *now)
{
    unsigned set = 0;
    for (unsigned i = 0; i < FANOUT_SLOTS_MAX; i++) {
        set |= now->slot[i].times > 1 ? 1u << i : 0;
    }
    return set;
}

/* What the step does to the query: that it ends, or what breaks. */
static struct words_end {
    char text[68];
} end_of(const struct words *w)
{
    struct words_end e = {.text = ""};
    unsigned lacks = fanout_missing(w->world, &w->after);
    bool ends = w->after.end != GATHER_OPEN;
    if (twice(&w->after) != 0) {
        snprintf(e.text, sizeof e.text, " %s %s twice%s", ends ? "The reply counts" : "It has",
                 slots(twice(&w->after)).text, w->a.silent ? ", and lacks others." : ".");
    } else if (w->a.silent) {
        snprintf(e.text, sizeof e.text, " The reply lacks %s, and does not say so.",
                 slots(lacks).text);
    } else if (w->after.end == GATHER_WHOLE) {
        snprintf(e.text, sizeof e.text, " The reply is whole: each slot is in it once.");
    }
    return e;
}

/* What comes with the answer, "slots 1 and 2, slot 1 from epoch 1" */
static void say_counted(const struct words *w, char *text, size_t room)
{
    if (w->flight.epoch == 0) {
        snprintf(text, room, "%s", slots(w->flight.counted).text);
    } else if (w->flight.counted == 1) {
        snprintf(text, room, "slot 1, from epoch %u", (unsigned)w->flight.epoch);
    } else {
        snprintf(text, room, "%s, slot 1 from epoch %u", slots(w->flight.counted).text,
                 (unsigned)w->flight.epoch);
    }
}

static void tell_merging(const struct words *w, const char *counts)
{
    struct slots in = slots(fanout_in(w->world, &w->after));
    bool first = fanout_is_awaited(w->now, &w->flight);
    SAY_DETAIL(w, "It counts %s.%s The router has %s now.%s", counts,
               first ? "" : " It is not the first.", in.text, end_of(w).text);
}

static void tell_answer(const struct words *w)
{
    char counts[44];
    bool lands = w->a.step == FANOUT_LAND || w->a.step == FANOUT_LAND_CLASHES;
    bool clashes = w->a.step == FANOUT_ANSWER_CLASHES || w->a.step == FANOUT_LAND_CLASHES;
    say_counted(w, counts, sizeof counts);
    SAY_ACTOR(w, "%s", w->who);
    if (w->a.step == FANOUT_LATE) {
        SAY_ACTION(w, "answers, and the answer is late");
        SAY_DETAIL(w, "It counts %s. The router has not heard it yet.", counts);
    } else if (clashes) {
        SAY_ACTION(w, lands ? "is heard: its late answer lands" : "answers");
        SAY_DETAIL(w,
                   "It counts %s. The router has slot 1 from epoch %u: it merges nothing of "
                   "this, and will ask for what is missing.",
                   counts, (unsigned)w->now->slot[FANOUT_MOVING].epoch);
    } else {
        SAY_ACTION(w, lands ? "is heard: its late answer lands" : "answers");
        tell_merging(w, counts);
    }
}

static void tell_drop(const struct words *w)
{
    SAY_ACTOR(w, "the router");
    SAY_ACTION(w, "drops an answer");
    SAY_DETAIL(w, "It has an answer to that question already, or has given the shard up.");
}

static void tell_ask(const struct words *w)
{
    SAY_ACTOR(w, "the router");
    SAY_ACTION(w, "asks all shards for what they have");
    SAY_DETAIL(w, "There are %u slots, at %u shards. Shard %c has slot 1, at epoch %u.",
               fanout_slots(w->world), (unsigned)w->world->shards,
               name_of(fanout_owner(FANOUT_MOVING, w->now->epoch)), (unsigned)w->now->epoch);
}

static void tell_again(const struct words *w)
{
    char text[100] = "";
    size_t length = 0;
    for (unsigned i = 0; i < FANOUT_FLIGHTS; i++) {
        const struct fanout_flight *f = &w->after.flight[i];
        if (f->kind != FANOUT_QUESTION || f->round != w->after.round || length >= sizeof text) {
            continue;
        }
        int n = snprintf(text + length, sizeof text - length, "%sshard %c for %s",
                         length > 0 ? ", " : "", name_of(f->shard), slots(f->wanted).text);
        length += n > 0 ? (size_t)n : 0;
    }
    SAY_ACTOR(w, "the router");
    SAY_ACTION(w, "asks again for what is missing");
    SAY_DETAIL(w, "Nobody is waited for. It fetches the map, and asks %s.", text);
}

static void tell_router(const struct words *w)
{
    unsigned lacks = fanout_missing(w->world, w->now);
    SAY_ACTOR(w, "the router");
    if (w->a.step == FANOUT_HEDGE) {
        SAY_ACTION(w, "asks the replica of %c as well", name_of(w->a.shard));
        SAY_DETAIL(w, "It has not heard shard %c yet. The first answer counts.",
                   name_of(w->a.shard));
    } else if (w->a.step == FANOUT_GIVE_UP) {
        SAY_ACTION(w, "gives shard %c up", name_of(w->a.shard));
        SAY_DETAIL(w, "Its time is over, and no answer is there. The router has %s.%s",
                   slots(fanout_in(w->world, w->now)).text, end_of(w).text);
    } else {
        SAY_ACTION(w, "replies: time is up");
        SAY_DETAIL(w, "The reply lacks %s, and is marked partial.", slots(lacks).text);
    }
}

static void tell_move(const struct words *w)
{
    unsigned from = fanout_owner(FANOUT_MOVING, w->now->epoch);
    SAY_ACTOR(w, "the directory");
    SAY_ACTION(w, "gives slot 1 to shard %c", name_of(from + 1));
    SAY_DETAIL(w, "It leaves shard %c, and is at epoch %u now.", name_of(from),
               (unsigned)w->after.epoch);
}

static void tell_apply(const struct words *w)
{
    bool owns = fanout_owner(FANOUT_MOVING, w->now->epoch) == w->a.shard;
    SAY_ACTOR(w, "%s", w->who);
    SAY_ACTION(w, "hears of the move");
    SAY_DETAIL(w, "Slot 1 is shard %c's at epoch %u: it %s it from now on.",
               name_of(fanout_owner(FANOUT_MOVING, w->now->epoch)), (unsigned)w->now->epoch,
               owns ? "counts" : "does not count");
}

void fanout_tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told)
{
    struct words w = {
        .world = fanout_world_of(scope), .now = state, .a = fanout_action_of(action), .told = told};
    w.after = fanout_after(scope, w.now, w.a);
    snprintf(w.who, sizeof w.who,
             w.a.replica || w.a.step == FANOUT_APPLY ? "the replica of %c" : "shard %c",
             name_of(w.a.shard));
    switch (w.a.step) {
    case FANOUT_ASK:
        tell_ask(&w);
        break;
    case FANOUT_ANSWER:
    case FANOUT_ANSWER_CLASHES:
    case FANOUT_LATE:
        w.flight = fanout_answer(w.world, w.now, fanout_flight_of(w.now, w.a));
        tell_answer(&w);
        break;
    case FANOUT_LAND:
    case FANOUT_LAND_CLASHES:
        w.flight = *fanout_flight_of(w.now, w.a);
        tell_answer(&w);
        break;
    case FANOUT_DROP:
        tell_drop(&w);
        break;
    case FANOUT_AGAIN:
        tell_again(&w);
        break;
    case FANOUT_HEDGE:
    case FANOUT_GIVE_UP:
    case FANOUT_END:
        tell_router(&w);
        break;
    case FANOUT_MOVE:
        tell_move(&w);
        break;
    case FANOUT_APPLY:
        tell_apply(&w);
        break;
    case FANOUT_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

void fanout_say_size(uint8_t size, char *text, size_t room)
{
    static const char *const one[] = {"shard", "move", "hedge", "late answer", "timeout"};
    static const char *const more[] = {"shards", "moves", "hedges", "late answers", "timeouts"};
    const struct fanout_world *world = fanout_world_of(&(struct check_scope){.size = size});
    const unsigned count[] = {world->shards, world->moves, world->hedges, world->late,
                              world->timeouts};
    size_t length = 0;
    for (size_t i = 0; i < sizeof one / sizeof one[0] && length < room; i++) {
        int n = snprintf(text + length, room - length, "%s%u %s", length > 0 ? ", " : "", count[i],
                         count[i] == 1 ? one[i] : more[i]);
        length += n > 0 ? (size_t)n : 0;
    }
}
