/*
 * fence_words: the steps of a moving slot, told for somebody who sees them for the first time.
 *
 * Everything is told from the state before the step. Writes are w1, w2, ..., reads r1, r2, ...
 */
#include "check/fence_and_flip.h"
#include <stdio.h>

struct words {
    const struct flip_world *world;
    uint64_t rules;
    const struct fence_and_flip *now;
    struct flip_action a;
    struct check_told *told;
    char op[4]; /* "w1" */
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static char shard_name(unsigned shard)
{
    return shard == 0 ? 'A' : 'B';
}

static const char *row_name(const struct words *w, unsigned shard)
{
    return slot_state_name((enum slot_state)flip_row(w->now, shard));
}

static bool is_read(const struct words *w)
{
    return w->a.op >= w->world->writes;
}

/* "w1, w2" or "nothing". */
static void say_set(const struct words *w, unsigned set, char *text, size_t room)
{
    size_t length = 0;
    snprintf(text, room, "nothing");
    for (unsigned i = 0; i < w->world->writes; i++) {
        if ((set >> i & 1) != 0 && length < room) {
            int n = snprintf(text + length, room - length, "%sw%u", length > 0 ? ", " : "", i + 1);
            length += n > 0 ? (size_t)n : 0;
        }
    }
}

static void tell_issue(const struct words *w)
{
    SAY_ACTOR(w, "a client");
    SAY_ACTION(w, "asks R%u to %s: %s", (unsigned)w->a.router, is_read(w) ? "read" : "write",
               w->op);
    char owner = shard_name(flip_owner(w->now->router[w->a.router]));
    if (!is_read(w)) {
        SAY_DETAIL(w, "R%u's map says that %c owns the slot: %s goes there.", (unsigned)w->a.router,
                   owner, w->op);
        return;
    }
    char set[24];
    say_set(w, flip_acknowledged(w->world, w->now), set, sizeof set);
    SAY_DETAIL(w,
               "R%u's map says that %c owns the slot: %s goes there. Acknowledged so far: %s; the "
               "read must return that.",
               (unsigned)w->a.router, owner, w->op, set);
}

/* Why the shard serves: its slot table says so, or a rule is missing that would have stopped it. */
static const char *say_table(const struct words *w, char *text, size_t room)
{
    const char *row = row_name(w, w->a.shard);
    const char *missed = ".";
    if (flip_answer(w->world, RULES_ALL, w->now, w->a.shard, is_read(w)) != OUTCOME_OK) {
        uint64_t looks = w->rules | rule_bit(RULE_SLOT_TABLE_CHECK);
        if (flip_answer(w->world, looks, w->now, w->a.shard, is_read(w)) != OUTCOME_OK) {
            snprintf(text, room, "It does not look into its slot table, which says \"%s\".", row);
            return text;
        }
        missed = flip_row(w->now, w->a.shard) == SLOT_RECEIVING
                     ? ", and it does not wait for the commit."
                     : ", and here that stops no reads.";
    }
    snprintf(text, room, "Its slot table says \"%s\"%s", row, missed);
    return text;
}

static void tell_serve(const struct words *w)
{
    char set[24];
    char lacks[24];
    char table[96];
    unsigned has = w->now->has[w->a.shard];
    unsigned need = w->now->op[w->a.op].need;
    if (!is_read(w)) {
        SAY_ACTION(w, "accepts %s", w->op);
        bool left = flip_row(w->now, w->a.shard) == SLOT_MOVED;
        SAY_DETAIL(w, "%s %s is in its %s, and the client is told OK.",
                   say_table(w, table, sizeof table), w->op, left ? "abandoned copy" : "log");
        return;
    }
    say_set(w, has, set, sizeof set);
    SAY_ACTION(w, "answers %s", w->op);
    if ((need & ~has) == 0) {
        SAY_DETAIL(w, "%s The read returns %s.", say_table(w, table, sizeof table), set);
        return;
    }
    say_set(w, need & ~has, lacks, sizeof lacks);
    SAY_DETAIL(w, "%s The read returns %s: it lacks %s, of which a client had been told OK before.",
               say_table(w, table, sizeof table), set, lacks);
}

static void tell_request(const struct words *w)
{
    const struct flip_op *o = &w->now->op[w->a.op];
    SAY_ACTOR(w, "shard %c", shard_name(w->a.shard));
    if (w->a.step == FLIP_RETRY) {
        SAY_ACTION(w, "refuses %s: migrating, retry", w->op);
        SAY_DETAIL(w, "The slot is fenced here. R%u tries again.", (unsigned)o->router);
    } else if (w->a.step == FLIP_MOVED) {
        SAY_ACTION(w, "refuses %s: MOVED", w->op);
        SAY_DETAIL(w, "Its slot table says \"%s\". R%u fetches the map, and sends %s to %c.",
                   row_name(w, w->a.shard), (unsigned)o->router, w->op,
                   shard_name(flip_owner(w->now->version)));
    } else if (w->a.step == FLIP_PASS) {
        SAY_ACTION(w, "lets %s pass", w->op);
        SAY_DETAIL(w, "Its slot table says \"%s\". %s is not yet in the log.",
                   row_name(w, w->a.shard), w->op);
    } else if (w->a.step == FLIP_LAND) {
        SAY_ACTION(w, "appends %s", w->op);
        SAY_DETAIL(w,
                   "The slot table said yes before; nobody looks again, though it says \"%s\" now. "
                   "The client is told OK.",
                   row_name(w, w->a.shard));
    } else if (w->a.step == FLIP_LOSE) {
        SAY_ACTION(w, "accepts %s, and the reply is lost", w->op);
        SAY_DETAIL(w, "%s is in its log. R%u does not know, and will send it again.", w->op,
                   (unsigned)o->router);
    } else {
        tell_serve(w);
    }
}

static void tell_router(const struct words *w)
{
    SAY_ACTOR(w, "R%u", (unsigned)w->a.router);
    if (w->a.step == FLIP_EARLY) {
        SAY_ACTION(w, "hears of the planned owner");
        SAY_DETAIL(w,
                   "Too early: the directory has not committed, but R%u's map says %c from now "
                   "on.",
                   (unsigned)w->a.router, shard_name(1u - w->now->source));
        return;
    }
    if (w->a.step == FLIP_RESEND) {
        SAY_ACTION(w, "sends %s again", w->op);
        SAY_DETAIL(w, "No reply has come. R%u's map says %c.", (unsigned)w->a.router,
                   shard_name(flip_owner(w->now->router[w->a.router])));
        return;
    }
    SAY_ACTION(w, "fetches the map");
    SAY_DETAIL(w, "It said %c; it says %c now.",
               shard_name(flip_owner(w->now->router[w->a.router])),
               shard_name(flip_owner(w->now->version)));
}

static void tell_copy(const struct words *w)
{
    char set[24];
    unsigned held = w->now->before;
    for (unsigned i = 0; i < w->a.position; i++) {
        held |= 1u << (w->now->log[i] - 1);
    }
    say_set(w, held, set, sizeof set);
    SAY_ACTOR(w, "the mover");
    SAY_ACTION(w, "copies the slot to %c", shard_name(w->a.shard));
    if (w->a.position == w->now->move.end) {
        SAY_DETAIL(w, "The copy holds %s: all of the log, through position %u.", set,
                   (unsigned)w->a.position);
        return;
    }
    char stamp[64] = "";
    if (!rule_on(w->rules, RULE_SNAPSHOT_POSITION)) {
        snprintf(stamp, sizeof stamp, " And yet it is stamped with position %u.",
                 (unsigned)w->now->move.end);
    }
    SAY_DETAIL(w,
               "From a follower that has applied the log through position %u of %u: the copy holds "
               "%s.%s",
               (unsigned)w->a.position, (unsigned)w->now->move.end, set, stamp);
}

/* Writes that the target lacks and that no entry of the tail brings any more: a copy with a wrong
 * stamp said that it holds them. " Entry 1 (w1) was skipped ..." or nothing. */
static const char *say_skipped(const struct words *w, char *text, size_t room)
{
    const struct fence_and_flip *now = w->now;
    char set[24];
    unsigned gone = now->has[now->source] & ~(unsigned)now->has[1 - now->source];
    for (uint32_t i = now->move.applied; i < now->move.end && i < FLIP_LOG; i++) {
        if (now->log[i] != FLIP_FENCE_ENTRY && now->log[i] != 0) {
            gone &= ~(1u << (now->log[i] - 1));
        }
    }
    *text = '\0';
    if (gone != 0) {
        say_set(w, gone, set, sizeof set);
        if (now->move.applied == 1) {
            snprintf(text, room, " Entry 1 (%s) was skipped: by its stamp the copy has it.", set);
        } else {
            snprintf(text, room,
                     " What came before (%s) was skipped: by its stamp the copy has it.", set);
        }
    }
    return text;
}

static void tell_apply(const struct words *w)
{
    char skipped[96];
    unsigned position = (unsigned)w->now->move.applied + 1;
    uint8_t entry = w->now->log[w->now->move.applied];
    SAY_ACTOR(w, "shard %c", shard_name(w->a.shard));
    SAY_ACTION(w, "applies the next entry of the tail");
    if (entry == FLIP_FENCE_ENTRY) {
        SAY_DETAIL(w, "Position %u is the fence: nothing comes behind it.%s", position,
                   say_skipped(w, skipped, sizeof skipped));
    } else {
        SAY_DETAIL(w, "Position %u is w%u.%s", position, (unsigned)entry,
                   say_skipped(w, skipped, sizeof skipped));
    }
}

static void tell_commit(const struct words *w)
{
    const struct move_core *m = &w->now->move;
    SAY_ACTOR(w, "the directory");
    SAY_ACTION(w, "commits: the slot is %c's", shard_name(w->a.shard));
    if (m->phase != MOVE_FENCED) {
        SAY_DETAIL(w, "There is no fence: %c still says \"%s\".", shard_name(w->now->source),
                   row_name(w, w->now->source));
    } else if (m->applied < m->fence) {
        SAY_DETAIL(w, "%c has applied position %u; the fence is at %u.", shard_name(w->a.shard),
                   (unsigned)m->applied, (unsigned)m->fence);
    } else {
        SAY_DETAIL(w, "%c has applied the log through the fence.", shard_name(w->a.shard));
    }
}

static void tell_fence(const struct words *w)
{
    const char *blind = move_alike(&w->now->move) ? "" : " Nobody has compared the two sides.";
    unsigned position = (unsigned)w->now->move.end + 1;
    if (rule_on(w->rules, RULE_DURABLE_FENCE)) {
        SAY_ACTION(w, "appends the fence to its log");
        SAY_DETAIL(w, "At position %u. Its slot table says \"migrating\" from now on.%s", position,
                   blind);
    } else {
        SAY_ACTION(w, "keeps the fence in memory, and tells %c", shard_name(1u - w->a.shard));
        SAY_DETAIL(w,
                   "It stands for position %u. The slot table says \"migrating\" from now on; the "
                   "log says nothing of it.%s",
                   position, blind);
    }
}

static void tell_restart(const struct words *w)
{
    bool fenced = flip_row(w->now, w->a.shard) == SLOT_MIGRATING;
    SAY_ACTION(w, "restarts");
    if (fenced && !rule_on(w->rules, RULE_DURABLE_FENCE)) {
        SAY_DETAIL(w, "Its log has no fence, so its slot table says \"owned\" again. It had said "
                      "\"migrating\".");
    } else {
        SAY_DETAIL(w, "It knows of the slot what its log says. It had said \"%s\".",
                   row_name(w, w->a.shard));
    }
}

static void tell_tables(const struct words *w)
{
    char name = shard_name(w->a.shard);
    SAY_ACTOR(w, "shard %c", name);
    if (w->a.step == FLIP_FENCE) {
        tell_fence(w);
    } else if (w->a.step == FLIP_OWN) {
        SAY_ACTION(w, "marks the slot as owned");
        SAY_DETAIL(w, "It has heard of the commit: it serves from now on.");
    } else if (w->a.step == FLIP_CLOSE) {
        SAY_ACTION(w, "marks the slot as moved");
        SAY_DETAIL(w, "It has heard of the commit. Its slot table said \"%s\".",
                   row_name(w, w->a.shard));
    } else {
        tell_restart(w);
    }
}

static void tell_abort(const struct words *w)
{
    SAY_ACTOR(w, "the mover");
    SAY_ACTION(w, "drops the move");
    if (w->now->move.phase == MOVE_COMMITTED) {
        char target = shard_name(1u - w->a.shard);
        SAY_DETAIL(
            w,
            "It was committed, so %c may have accepted writes. %c's copy is thrown away with "
            "them, and %c serves again.",
            target, target, shard_name(w->a.shard));
        return;
    }
    SAY_DETAIL(w, "%c's copy is thrown away, and %c serves. The directory says %c.",
               shard_name(1u - w->a.shard), shard_name(w->a.shard),
               shard_name(flip_owner(w->now->version)));
}

void flip_tell(const struct check_scope *scope, const void *state, uint16_t action,
               struct check_told *told)
{
    struct words w = {.world = flip_world_of(scope),
                      .rules = flip_rules(scope),
                      .now = state,
                      .a = flip_action_of(action),
                      .told = told};
    bool read = is_read(&w);
    unsigned number = read ? (unsigned)w.a.op - w.world->writes : w.a.op;
    snprintf(w.op, sizeof w.op, "%c%u", read ? 'r' : 'w', number % 8 + 1);
    switch (w.a.step) {
    case FLIP_ISSUE:
        tell_issue(&w);
        break;
    case FLIP_SERVE:
    case FLIP_RETRY:
    case FLIP_MOVED:
    case FLIP_PASS:
    case FLIP_LAND:
    case FLIP_LOSE:
        tell_request(&w);
        break;
    case FLIP_RELOAD:
    case FLIP_RESEND:
    case FLIP_EARLY:
        tell_router(&w);
        break;
    case FLIP_SNAPSHOT:
        tell_copy(&w);
        break;
    case FLIP_APPLY:
        tell_apply(&w);
        break;
    case FLIP_COMMIT:
        tell_commit(&w);
        break;
    case FLIP_FENCE:
    case FLIP_OWN:
    case FLIP_CLOSE:
    case FLIP_RESTART:
        tell_tables(&w);
        break;
    case FLIP_ABORT:
        tell_abort(&w);
        break;
    case FLIP_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

/* "2 writes, 1 read, 1 move" and what may go wrong. */
void flip_say_size(uint8_t size, char *text, size_t room)
{
    struct check_scope scope = {.size = size};
    const struct flip_world *w = flip_world_of(&scope);
    snprintf(text, room, "%u write%s, %u read%s, %u move%s%s%s%s", (unsigned)w->writes,
             w->writes == 1 ? "" : "s", (unsigned)w->reads, w->reads == 1 ? "" : "s",
             (unsigned)w->moves, w->moves == 1 ? "" : "s", w->early ? ", maps that come early" : "",
             w->lost > 0 ? ", a lost reply" : "", w->restarts > 0 ? ", restarts" : "");
}
