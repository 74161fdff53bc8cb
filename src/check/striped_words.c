/*
 * striped_words: the steps of a striped balance, told for somebody who sees them for the first
 * time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how. Stripes
 * are counted from 0, as in a world: the first is stripe 0, cell 1. A sweep is told by its number.
 */
#include "check/striped_balance.h"
#include <stdio.h>

struct words {
    const struct striped *now;
    struct striped after;
    struct striped_flight flight; /* of a step that has one */
    unsigned cell;
    char name[20]; /* of the cell: "stripe 0" */
    int broken;    /* what the step breaks */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static void name_cell(unsigned cell, char *text, size_t room)
{
    if (cell == STRIPED_MAIN) {
        snprintf(text, room, "the main account");
    } else {
        snprintf(text, room, "stripe %u", cell - 1);
    }
}

static int before(const struct words *w)
{
    return w->now->cell[w->cell].balance;
}

static int after(const struct words *w)
{
    return w->after.cell[w->cell].balance;
}

static void tell_client(const struct words *w, enum striped_step step)
{
    int elsewhere = striped_sum(w->now) + striped_in_transit(w->now) - before(w);
    SAY_ACTOR(w, "a client");
    if (step == STRIPED_CREDIT) {
        SAY_ACTION(w, "credits 1");
        SAY_DETAIL(w, "It goes to %s, which holds %d now. The client is told OK.", w->name,
                   after(w));
    } else if (step == STRIPED_DEBIT) {
        SAY_ACTION(w, "debits 1");
        SAY_DETAIL(
            w,
            "The main account held %d and may not fall below %d: it holds %d now. The client "
            "is told OK.",
            before(w), STRIPED_FLOOR, after(w));
    } else if (elsewhere > 0) {
        SAY_ACTION(w, "asks to debit 1, and may not");
        SAY_DETAIL(w,
                   "The main account holds %d and may not fall below %d. That %d more %s yet to be "
                   "swept does not help.",
                   before(w), STRIPED_FLOOR, elsewhere, elsewhere == 1 ? "is" : "are");
    } else {
        SAY_ACTION(w, "asks to debit 1, and may not");
        SAY_DETAIL(w, "The main account holds %d and may not fall below %d.", before(w),
                   STRIPED_FLOOR);
    }
}

static void tell_sum(const struct words *w, bool enough)
{
    SAY_ACTOR(w, "a router");
    SAY_ACTION(w, "adds up all cells for a debit of 1");
    if (!enough) {
        SAY_DETAIL(w, "They hold %d together, and may not fall below %d: the client is told so.",
                   striped_sum(w->now), STRIPED_FLOOR);
    } else {
        SAY_DETAIL(w, "They hold %d together: that is enough, and the debit goes to a stripe.%s",
                   striped_sum(w->now),
                   w->now->summed == 0 ? ""
                                       : " Another, let through by the same sum, is on its way.");
    }
}

static void tell_debit_stripe(const struct words *w)
{
    char harm[80] = "";
    if (w->broken == STRIPED_BELOW) {
        snprintf(harm, sizeof harm, " All cells hold %d together, and the floor is %d.",
                 striped_sum(&w->after), STRIPED_FLOOR);
    }
    SAY_ACTOR(w, "%s", w->name);
    SAY_ACTION(w, "is debited 1");
    SAY_DETAIL(w,
               "It does not look at the floor: it held %d and holds %d now. The client is told "
               "OK.%s",
               before(w), after(w), harm);
}

/* "take 1 off stripe 2" */
static void say_order(const struct striped_flight *f, char *text, size_t room)
{
    char cell[20];
    name_cell(f->cell, cell, sizeof cell);
    snprintf(text, room, "%s %u %s %s", f->kind == STRIPED_A_TAKE ? "take" : "put",
             (unsigned)f->amount, f->kind == STRIPED_A_TAKE ? "off" : "on", cell);
}

static void tell_look(const struct words *w)
{
    unsigned number = w->after.sweep.sequence;
    SAY_ACTOR(w, "the sweeper");
    SAY_ACTION(w, "looks at %s, which holds %d", w->name, before(w));
    SAY_DETAIL(w, "It writes down sweep %u, %d off %s, and sends that to %s.", number, before(w),
               w->name, w->name);
}

/* Who hears that a message has landed, and what comes of it. */
static const char *hearing(const struct words *w)
{
    bool takes = w->flight.kind == STRIPED_A_TAKE;
    switch ((enum striped_standing)w->flight.standing) {
    case STRIPED_AWAITED:
        return takes ? "The sweeper is told, and sends it on to the main account."
                     : "The sweeper is told: this sweep is over.";
    case STRIPED_OLD:
        return "The sweeper does not wait for this answer.";
    case STRIPED_FORGOTTEN:
        break;
    }
    return takes ? "The sweeper has forgotten it: nobody puts it on the main account."
                 : "The sweeper has forgotten it, and hears nothing.";
}

static void tell_landing(const struct words *w, bool seen)
{
    char harm[112] = "";
    bool takes = w->flight.kind == STRIPED_A_TAKE;
    unsigned number = w->flight.sequence;
    int held = striped_sum(&w->after) + striped_in_transit(&w->after);
    if (w->broken != 0) {
        snprintf(harm, sizeof harm,
                 " All cells and what is in transit hold %d. It should be %d: there was %d at the "
                 "start.",
                 held, striped_due(&w->after), STRIPED_FIRST);
    }
    SAY_ACTOR(w, "%s", w->name);
    if (seen) {
        SAY_ACTION(w, "knows sweep %u", number);
        SAY_DETAIL(w, "It has done its part in it, and changes nothing: it holds %d. %s", after(w),
                   hearing(w));
    } else {
        SAY_ACTION(w, "%s %u %s: sweep %u", takes ? "takes" : "puts", (unsigned)w->flight.amount,
                   takes ? "off" : "on", number);
        SAY_DETAIL(w, "It held %d and holds %d now. %s%s", before(w), after(w), hearing(w), harm);
    }
}

static void tell_again(const struct words *w, bool forgets)
{
    char order[48] = "";
    char harm[64] = "";
    for (unsigned i = 0; i < STRIPED_FLIGHTS; i++) {
        const struct striped_flight *f = &w->now->flight[i];
        if (f->kind != STRIPED_NOTHING && f->standing == STRIPED_AWAITED) {
            say_order(f, order, sizeof order);
        }
    }
    SAY_ACTOR(w, "the sweeper");
    if (forgets) {
        if (w->broken != 0) {
            snprintf(harm, sizeof harm, " What it has taken is with nobody.");
        }
        SAY_ACTION(w, "has no answer, and forgets sweep %u", (unsigned)w->now->sweep.sequence);
        SAY_DETAIL(w, "What it sent (%s) is still on its way. It will begin anew.%s", order, harm);
    } else {
        SAY_ACTION(w, "has no answer, and sends it again");
        SAY_DETAIL(w, "Sweep %u: %s. What it sent before may arrive all the same.",
                   (unsigned)w->now->sweep.sequence, order);
    }
}

static void tell_copy(const struct words *w)
{
    char order[48];
    say_order(&w->flight, order, sizeof order);
    SAY_ACTOR(w, "the network");
    SAY_ACTION(w, "makes a copy of a message");
    SAY_DETAIL(w, "Sweep %u, %s, is on its way twice.", (unsigned)w->flight.sequence, order);
}

void striped_tell(const struct check_scope *scope, const void *state, uint16_t action,
                  struct check_told *told)
{
    enum striped_step step = striped_step_of(action);
    struct words w = {.now = state, .told = told, .cell = striped_cell_of(action)};
    w.after = striped_after(scope, w.now, action);
    w.broken = striped_check(scope, &w.after);
    w.flight = w.now->flight[striped_flight_of(action)];
    name_cell(w.cell, w.name, sizeof w.name);
    switch (step) {
    case STRIPED_CREDIT:
    case STRIPED_DEBIT:
    case STRIPED_DECLINE:
        tell_client(&w, step);
        break;
    case STRIPED_ADD_UP:
    case STRIPED_ADD_UP_SHORT:
        tell_sum(&w, step == STRIPED_ADD_UP);
        break;
    case STRIPED_DEBIT_STRIPE:
        tell_debit_stripe(&w);
        break;
    case STRIPED_LOOK:
        tell_look(&w);
        break;
    case STRIPED_TAKE:
    case STRIPED_TAKE_SEEN:
    case STRIPED_PUT:
    case STRIPED_PUT_SEEN:
        tell_landing(&w, step == STRIPED_TAKE_SEEN || step == STRIPED_PUT_SEEN);
        break;
    case STRIPED_AGAIN:
    case STRIPED_FORGET:
        tell_again(&w, step == STRIPED_FORGET);
        break;
    case STRIPED_COPY:
        tell_copy(&w);
        break;
    case STRIPED_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

/* "2 stripes, 1 credit": the parts that there are. */
void striped_say_size(uint8_t size, char *text, size_t room)
{
    static const char *const one[] = {"stripe", "credit", "debit", "answer that is late",
                                      "message that is doubled"};
    static const char *const more[] = {"stripes", "credits", "debits", "answers that are late",
                                       "messages that are doubled"};
    const struct striped_world *world = striped_world_of(&(struct check_scope){.size = size});
    const unsigned count[] = {world->stripes, world->credits, world->debits, world->again,
                              world->copies};
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
