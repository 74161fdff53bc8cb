/*
 * dual_words: the steps of edits that are written twice, told for somebody who sees them for the
 * first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how. Keys are
 * k1, k2, edits e1, e2, e3, each through a router of its own: R0, R1, R2; versions v4, v5, ...
 */
#include "check/dual_write.h"
#include <stdio.h>

struct words {
    const struct twice_world *world;
    const struct twice *now;
    struct twice after;
    struct twice_action a;
    struct twice_edit edit; /* of a half's step */
    unsigned key;
    int broken; /* what the step breaks */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static char shard_name(unsigned side)
{
    return side == DUAL_SOURCE ? 'A' : 'B';
}

static char other_name(unsigned side)
{
    return shard_name(side == DUAL_SOURCE ? DUAL_TARGET : DUAL_SOURCE);
}

struct version_text {
    char text[8];
};

/* "v5", "nothing" */
static struct version_text version(unsigned number)
{
    struct version_text v = {"nothing"};
    if (number > 0) {
        snprintf(v.text, sizeof v.text, "v%u", number % 100);
    }
    return v;
}

static unsigned held(const struct words *w, unsigned side)
{
    return w->now->key[w->key].held[side];
}

static unsigned after(const struct words *w, unsigned side)
{
    return w->after.key[w->key].held[side];
}

/* What is broken by a step after which both hold different versions, or one went back. */
static void say_harm(const struct words *w, char *text, size_t room)
{
    *text = '\0';
    unsigned side = w->a.side;
    unsigned beside = side == DUAL_SOURCE ? DUAL_TARGET : DUAL_SOURCE;
    if (w->broken == TWICE_DIFFER) {
        snprintf(text, room, " %c holds %s, and nothing is left that would mend it.",
                 shard_name(beside), version(after(w, beside)).text);
    } else if (w->broken == TWICE_BACK) {
        snprintf(text, room, " With that v%u is gone from %c.", held(w, side), shard_name(side));
    }
}

static void tell_issue(const struct words *w)
{
    unsigned edit = w->a.edit;
    char to = shard_name(dual_primary(&w->now->core));
    SAY_ACTOR(w, "a client");
    SAY_ACTION(w, "edits k%u through R%u: e%u", w->key + 1, edit, edit + 1);
    if (w->after.edit[edit].how == TWICE_BOTH) {
        SAY_DETAIL(w, "R%u draws v%u for e%u, and sends it to A and to B at once.", edit,
                   (unsigned)w->after.last, edit + 1);
    } else if (w->after.edit[edit].how == TWICE_IN_TURN) {
        SAY_DETAIL(w, "R%u sends e%u to %c first. The version that it gets there goes to %c next.",
                   edit, edit + 1, to, other_name(dual_primary(&w->now->core)));
    } else {
        SAY_DETAIL(w, "Edits are not written twice now: R%u sends e%u to %c alone.", edit, edit + 1,
                   to);
    }
}

/* What comes of a half that has arrived, for its router and its client. */
static void say_hearing(const struct words *w, char *text, size_t room)
{
    unsigned edit = w->a.edit;
    const struct twice_edit *next = &w->after.edit[edit];
    bool open = w->edit.stage == TWICE_ON_ITS_WAY;
    bool sent = w->a.half == TWICE_HALF_FIRST && next->second;
    if (!open || w->a.half == TWICE_HALF_STRAY) {
        snprintf(text, room, " Nobody waits for this answer.");
    } else if (next->stage == TWICE_DONE) {
        bool first = w->edit.first_in || w->a.half == TWICE_HALF_FIRST;
        bool second = w->edit.second_in || w->a.half == TWICE_HALF_SECOND;
        bool one = w->edit.refused || w->a.step == TWICE_REFUSE;
        snprintf(text, room, "%s The client is told OK.",
                 !first || !second ? ""
                 : one             ? " One has it."
                                   : " Both have answered.");
    } else if (sent && (w->edit.how == TWICE_IN_TURN || next->stray)) {
        snprintf(text, room, " R%u sends v%u on to %c.", edit, (unsigned)next->version,
                 shard_name(next->side));
    } else {
        snprintf(text, room, " R%u waits for the other half.", edit);
    }
}

static void tell_half(const struct words *w)
{
    char heard[64];
    char harm[80];
    unsigned side = w->a.side;
    unsigned name = w->a.edit + 1u;
    unsigned comes = w->edit.version != 0 ? w->edit.version : w->after.last;
    say_hearing(w, heard, sizeof heard);
    say_harm(w, harm, sizeof harm);
    SAY_ACTOR(w, "shard %c", shard_name(side));
    if (w->a.step == TWICE_STORE) {
        SAY_ACTION(w, "stores e%u as v%u", name, comes);
        SAY_DETAIL(w, "It held %s of k%u.%s%s", version(held(w, side)).text, w->key + 1, heard,
                   harm);
    } else if (w->a.step == TWICE_KEEP) {
        SAY_ACTION(w, "keeps v%u when e%u comes", held(w, side), name);
        SAY_DETAIL(w, "e%u is v%u, which is not newer.%s%s", name, comes, heard, harm);
    } else if (w->a.step == TWICE_GO_BACK) {
        SAY_ACTION(w, "stores e%u as v%u over v%u", name, comes, held(w, side));
        SAY_DETAIL(w, "What comes last wins, older or not.%s%s", heard, harm);
    } else if (w->a.step == TWICE_REFUSE) {
        SAY_ACTION(w, "refuses e%u", name);
        SAY_DETAIL(w, "It holds %s as before.%s The backfill will go over all keys once more.",
                   version(held(w, side)).text, heard);
    } else {
        SAY_ACTION(w, "does not store e%u any more", name);
        SAY_DETAIL(w, "Double writing is over, and %c has the key.%s", other_name(side), heard);
    }
}

static void tell_look(const struct words *w)
{
    unsigned side = dual_primary(&w->now->core);
    unsigned due = w->now->key[w->key].due;
    SAY_ACTOR(w, "a client");
    SAY_ACTION(w, "reads k%u at %c: %s", w->key + 1, shard_name(side), version(held(w, side)).text);
    if (held(w, side) >= due) {
        SAY_DETAIL(w, "%c answers reads. v%u had been acknowledged.", shard_name(side), due);
    } else {
        SAY_DETAIL(w, "%c answers reads now. v%u had been acknowledged, and %c holds %s.",
                   shard_name(side), due, other_name(side),
                   version(held(w, side == DUAL_SOURCE ? DUAL_TARGET : DUAL_SOURCE)).text);
    }
}

static void tell_read(const struct words *w)
{
    unsigned from = w->a.side;
    bool early = w->now->core.phase == DUAL_SINGLE;
    bool singles = twice_singles(w->now) > 0;
    SAY_ACTOR(w, "the backfill");
    SAY_ACTION(w, "reads k%u at %c: %s", w->key + 1, shard_name(from), version(held(w, from)).text);
    if (early) {
        SAY_DETAIL(w, "It will write that to B later. Edits go to A alone meanwhile.");
    } else if (singles && w->now->pass == TWICE_PASS) {
        SAY_DETAIL(w, "It will write that to B later. An edit is still on its way to A alone.");
    } else {
        SAY_DETAIL(w, "It will write that to %c later.%s", other_name(from),
                   w->now->pass == TWICE_REPAIR ? " This pass repairs: it takes the newer of two."
                                                : "");
    }
}

static void tell_fill(const struct words *w)
{
    char harm[80];
    unsigned side = w->a.side;
    unsigned carried = w->now->key[w->key].carried;
    const char *over = w->now->cursor == w->world->keys ? " It has gone over all keys." : "";
    say_harm(w, harm, sizeof harm);
    SAY_ACTOR(w, "the backfill");
    if (w->a.step == TWICE_FILL_KEEP) {
        SAY_ACTION(w, "brings %s of k%u to %c", version(carried).text, w->key + 1,
                   shard_name(side));
        SAY_DETAIL(w, "%c holds %s, and keeps it.%s%s", shard_name(side),
                   version(held(w, side)).text, over, harm);
        return;
    }
    SAY_ACTION(w, "writes v%u of k%u to %c", carried, w->key + 1, shard_name(side));
    SAY_DETAIL(w, "%c held %s%s.%s%s", shard_name(side), version(held(w, side)).text,
               w->a.step == TWICE_FILL_BACK ? ": what comes last wins, older or not" : "", over,
               harm);
}

/* "B holds nothing of k1, and A v4": the first key that differs. */
static void say_difference(const struct words *w, char *text, size_t room)
{
    snprintf(text, room, "The backfill has not gone over all keys.");
    for (unsigned k = 0; k < w->world->keys; k++) {
        const struct twice_key *key = &w->now->key[k];
        if (key->held[DUAL_SOURCE] != key->held[DUAL_TARGET]) {
            snprintf(text, room, "B holds %s of k%u, and A %s.",
                     version(key->held[DUAL_TARGET]).text, k + 1,
                     version(key->held[DUAL_SOURCE]).text);
            return;
        }
    }
}

/* Reads go to B, or back to A. */
static void tell_switch(const struct words *w)
{
    bool back = w->a.step == TWICE_RETURN || w->a.step == TWICE_RETURN_BLIND;
    bool blind = w->a.step == TWICE_SWITCH_BLIND || w->a.step == TWICE_RETURN_BLIND;
    char text[64];
    say_difference(w, text, sizeof text);
    SAY_ACTOR(w, "the operator");
    SAY_ACTION(w, "%s", back ? "lets A answer reads again" : "lets B answer reads");
    if (blind) {
        SAY_DETAIL(w, "Nobody has compared A and B. %s", text);
    } else if (back) {
        SAY_DETAIL(w, "Edits went to both since the switch, and A and B compare equal.");
    } else {
        SAY_DETAIL(w, "The backfill has gone over all keys, and A and B compare equal.");
    }
}

static void tell_die(const struct words *w)
{
    unsigned edit = w->a.edit;
    const struct twice_edit *e = &w->edit;
    unsigned primary = dual_primary(&w->now->core);
    unsigned lacks = e->first_in ? e->side : primary;
    SAY_ACTOR(w, "R%u", edit);
    SAY_ACTION(w, "dies between the two writes of e%u", edit + 1);
    SAY_DETAIL(w,
               "e%u never comes to %c, and its client hears nothing. The backfill will go over all "
               "keys once more.",
               edit + 1, shard_name(lacks));
}

static void tell_operator(const struct words *w)
{
    char text[64];
    say_difference(w, text, sizeof text);
    SAY_ACTOR(w, "the operator");
    if (w->a.step == TWICE_ON) {
        const char *how = w->world->at_once ? "to A and B at once" : "to A first, then to B";
        SAY_ACTION(w, "turns double writing on");
        if (w->broken == TWICE_DIFFER) {
            SAY_DETAIL(w, "Edits go %s from now on. %s The backfill is through.", how, text);
        } else {
            SAY_DETAIL(w, "Edits go %s from now on.%s", how,
                       twice_singles(w->now) > 0 ? " One that was sent before goes to A alone."
                                                 : "");
        }
    } else if (w->a.step == TWICE_END) {
        SAY_ACTION(w, "ends double writing");
        SAY_DETAIL(w, "Edits go to B alone from now on. A says MOVED.");
    } else {
        SAY_ACTION(w, "drops B's copy");
        SAY_DETAIL(w, "Edits go to A alone again, as before.");
    }
}

static void tell_step(const struct words *w)
{
    switch (w->a.step) {
    case TWICE_ISSUE:
        tell_issue(w);
        break;
    case TWICE_STORE:
    case TWICE_KEEP:
    case TWICE_GO_BACK:
    case TWICE_OVER:
    case TWICE_REFUSE:
        tell_half(w);
        break;
    case TWICE_LOOK:
        tell_look(w);
        break;
    case TWICE_READ:
        tell_read(w);
        break;
    case TWICE_FILL:
    case TWICE_FILL_KEEP:
    case TWICE_FILL_BACK:
        tell_fill(w);
        break;
    case TWICE_SWITCH:
    case TWICE_SWITCH_BLIND:
    case TWICE_RETURN:
    case TWICE_RETURN_BLIND:
        tell_switch(w);
        break;
    case TWICE_DIE:
        tell_die(w);
        break;
    case TWICE_ON:
    case TWICE_END:
    case TWICE_DROP:
        tell_operator(w);
        break;
    case TWICE_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

void twice_tell(const struct check_scope *scope, const void *state, uint16_t action,
                struct check_told *told)
{
    struct words w = {
        .world = twice_world_of(scope), .now = state, .a = twice_action_of(action), .told = told};
    w.after = twice_after(scope, w.now, w.a);
    w.edit = w.now->edit[w.a.edit];
    w.key = w.a.key;
    w.broken = twice_check(scope, &w.after);
    tell_step(&w);
}

/* "1 key, 2 edits in turn, 1 refusal, a router dies" */
void twice_say_size(uint8_t size, char *text, size_t room)
{
    const struct twice_world *w = twice_world_of(&(struct check_scope){.size = size});
    char refusals[24] = "";
    if (w->refusals > 0) {
        snprintf(refusals, sizeof refusals, ", %u refusal%s", (unsigned)w->refusals,
                 w->refusals == 1 ? "" : "s");
    }
    CHECK(w->deaths <= 1);
    snprintf(text, room, "%u key%s, %u edits %s%s%s%s", (unsigned)w->keys, w->keys == 1 ? "" : "s",
             (unsigned)w->edits, w->at_once ? "at once" : "in turn", refusals,
             w->deaths > 0 ? ", a router dies" : "",
             w->where_nothing ? ", a backfill only where nothing is" : "");
}
