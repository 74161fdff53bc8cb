/*
 * preagg_words: the steps of a summing router, told for somebody who sees them for the first time.
 *
 * Everything is told from the state before the step; where the step breaks a promise, how.
 */
#include "check/preagg.h"
#include <stdio.h>

struct words {
    const struct preagg *now;
    struct preagg after;
    struct preagg_flight flight; /* of a step that has one */
    int broken;                  /* what the step breaks */
    struct check_told *told;
};

#define SAY_ACTOR(w, ...) snprintf((w)->told->actor, sizeof(w)->told->actor, __VA_ARGS__)
#define SAY_ACTION(w, ...) snprintf((w)->told->action, sizeof(w)->told->action, __VA_ARGS__)
#define SAY_DETAIL(w, ...) snprintf((w)->told->detail, sizeof(w)->told->detail, __VA_ARGS__)

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Bare increments say "+1", totals "total 1". */
static const char *sign_of(bool bare)
{
    return bare ? "+" : "total ";
}

static unsigned buffer_of(const struct preagg *p)
{
    return (unsigned)p->sender.buffer;
}

static unsigned long total_of(const struct preagg *p)
{
    return (unsigned long)p->cell.total;
}

static unsigned sequence_of(const struct preagg *p)
{
    return (unsigned)p->cell.sequence;
}

static void tell_like(const struct words *w, bool stored)
{
    SAY_ACTOR(w, "a client");
    SAY_ACTION(w, "likes");
    SAY_DETAIL(w,
               stored ? "Its row goes to liked; the router adds 1 to its buffer, which is %u now, "
                        "and tells the client OK."
                      : "The router adds 1 to its buffer, which is %u now, and tells the client "
                        "OK. In liked there is no row of it yet.",
               buffer_of(&w->after));
}

static void tell_flush(const struct words *w, bool bare, bool stored)
{
    unsigned last = 0;
    while (last + 1 < PREAGG_FLIGHTS && w->after.flight[last + 1].kind != PREAGG_NONE) {
        last++;
    }
    const struct preagg_flight *f = &w->after.flight[last];
    SAY_ACTOR(w, "the router");
    SAY_ACTION(w, "flushes %s%u, sequence %u", sign_of(bare), (unsigned)f->value,
               (unsigned)f->sequence);
    SAY_DETAIL(w, "%u new like%s %s in it; it is on its way to the router's sub-key.%s",
               buffer_of(w->now), plural(buffer_of(w->now)), buffer_of(w->now) == 1 ? "is" : "are",
               stored ? "" : " Now their rows go to liked.");
}

/* Who hears the answer of what has landed. */
static const char *hearing(const struct words *w, bool lost)
{
    if (w->flight.life != w->now->restarts) {
        return lost ? "It is of the router's former life, which had sent it twice."
                    : "It is of the router's former life: nobody waits for the answer.";
    }
    return lost ? "The reply is lost: the router sends the same again." : "The router is told.";
}

/* What the step breaks. */
static const char *say_harm(const struct words *w, char *text, size_t room)
{
    unsigned in = preagg_size_of(w->after.held | w->after.fixed);
    snprintf(text, room, "%s",
             w->broken == PREAGG_COUNTED ? " A like that was counted is gone." : "");
    if (w->broken == PREAGG_ONCE) {
        snprintf(text, room, " The count shows %d, and only %u like%s went into it.",
                 (int)total_of(&w->after) + w->after.fix, in, plural(in));
    }
    return text;
}

static void tell_take(const struct words *w, bool bare, bool lost)
{
    char harm[64];
    SAY_ACTION(w, "takes %s%u, sequence %u%s", sign_of(bare), (unsigned)w->flight.value,
               (unsigned)w->flight.sequence, lost ? "; no reply" : "");
    SAY_DETAIL(w, "It held total %lu, sequence %u; it holds total %lu now. %s%s", total_of(w->now),
               sequence_of(w->now), total_of(&w->after), hearing(w, lost),
               say_harm(w, harm, sizeof harm));
}

static void tell_refuse(const struct words *w, bool lost)
{
    SAY_ACTION(w, "refuses total %u, sequence %u%s", (unsigned)w->flight.value,
               (unsigned)w->flight.sequence, lost ? "; no reply" : "");
    SAY_DETAIL(w, "It holds total %lu, sequence %u: this is not newer. %s%s", total_of(w->now),
               sequence_of(w->now), hearing(w, lost),
               w->broken == PREAGG_COUNTED ? " So it takes its likes for counted, and they are not."
                                           : "");
}

static void tell_claim(const struct words *w, bool granted, bool lost)
{
    SAY_ACTION(w, "%s the claim%s", granted ? "grants" : "refuses", lost ? "; no reply" : "");
    if (granted) {
        SAY_DETAIL(w,
                   "It still holds what was read: total %lu, sequence %u. Its sequence is %u now, "
                   "above all that was sent before. %s",
                   total_of(w->now), sequence_of(w->now), sequence_of(&w->after), hearing(w, lost));
    } else {
        SAY_DETAIL(w, "Total %u, sequence %u was read; it holds total %lu, sequence %u. %s",
                   (unsigned)w->flight.value, (unsigned)w->flight.sequence, total_of(w->now),
                   sequence_of(w->now), hearing(w, lost));
    }
}

/* What the router does with what it has read. */
static const char *goes_on(const struct words *w)
{
    if (w->after.sender.phase == FLUSH_CLAIMING) {
        return "It claims the sub-key with that, and flushes nothing until it is granted.";
    }
    return w->after.flight[0].kind == PREAGG_NONE
               ? "It goes on from there."
               : "It goes on from there, while what it sent before is still on its way.";
}

static void tell_restart(const struct words *w)
{
    unsigned lost = buffer_of(w->now);
    char buffer[80] = "Its buffer was empty.";
    if (lost > 0) {
        snprintf(buffer, sizeof buffer, "The %u like%s of its buffer %s lost%s.", lost,
                 plural(lost), lost == 1 ? "is" : "are",
                 w->broken == PREAGG_STORED ? " and in liked there is no row" : "");
    }
    SAY_ACTION(w, "crashes, restarts, reads its sub-key");
    SAY_DETAIL(w, "%s It reads total %lu, sequence %u. %s", buffer, total_of(w->now),
               sequence_of(w->now), goes_on(w));
}

static void tell_read(const struct words *w)
{
    SAY_ACTION(w, "reads its sub-key again");
    SAY_DETAIL(w, "It reads total %lu, sequence %u. %s", total_of(w->now), sequence_of(w->now),
               goes_on(w));
}

static void tell_rebuild(const struct words *w, bool all)
{
    unsigned rows = preagg_size_of(w->now->rows);
    unsigned left = (unsigned)((int)rows - (int)total_of(w->now) - w->after.fix);
    char left_out[96] = "";
    if (all) {
        snprintf(left_out, sizeof left_out, " It counts what the router has yet to flush as well.");
    } else if (left > 0) {
        snprintf(left_out, sizeof left_out,
                 " %u row%s that the router may still flush %s left out.", left, plural(left),
                 left == 1 ? "is" : "are");
    }
    SAY_ACTOR(w, "a rebuild");
    SAY_ACTION(w, "recounts, and corrects by %+d", w->after.fix);
    SAY_DETAIL(w, "liked has %u row%s; the sub-key holds %lu.%s", rows, plural(rows),
               total_of(w->now), left_out);
}

static void tell_landing(const struct words *w, enum preagg_step step, bool bare)
{
    bool lost = step >= PREAGG_TAKE_LOST;
    SAY_ACTOR(w, "the sub-key");
    if (step == PREAGG_TAKE || step == PREAGG_TAKE_LOST) {
        tell_take(w, bare, lost);
    } else if (step == PREAGG_REFUSE || step == PREAGG_REFUSE_LOST) {
        tell_refuse(w, lost);
    } else {
        tell_claim(w, step == PREAGG_GRANT || step == PREAGG_GRANT_LOST, lost);
    }
}

void preagg_tell(const struct check_scope *scope, const void *state, uint16_t action,
                 struct check_told *told)
{
    uint64_t rules = preagg_rules_of(scope);
    bool bare = !rule_on(rules, RULE_ABSOLUTE_FLUSH);
    enum preagg_step step = preagg_step_of(action);
    struct words w = {.now = state, .told = told};
    w.after = preagg_after(scope, w.now, action);
    w.broken = preagg_check(scope, &w.after);
    switch (step) {
    case PREAGG_LIKE:
    case PREAGG_LIKE_UNSTORED:
        tell_like(&w, step == PREAGG_LIKE);
        break;
    case PREAGG_FLUSH:
        tell_flush(&w, bare, rule_on(rules, RULE_DURABLE_BEFORE_ACK));
        break;
    case PREAGG_READ:
        SAY_ACTOR(&w, "the router");
        tell_read(&w);
        break;
    case PREAGG_RESTART:
    case PREAGG_RESTART_UNCLAIMED:
        SAY_ACTOR(&w, "the router");
        tell_restart(&w);
        break;
    case PREAGG_REBUILD:
    case PREAGG_REBUILD_ALL:
        tell_rebuild(&w, step == PREAGG_REBUILD_ALL);
        break;
    case PREAGG_TAKE:
    case PREAGG_REFUSE:
    case PREAGG_GRANT:
    case PREAGG_DENY:
    case PREAGG_TAKE_LOST:
    case PREAGG_REFUSE_LOST:
    case PREAGG_GRANT_LOST:
    case PREAGG_DENY_LOST:
        w.flight = w.now->flight[preagg_flight_of(action)];
        tell_landing(&w, step, bare);
        break;
    case PREAGG_STEPS:
        CHECK(false && "no such step");
        break;
    }
}

/* "2 likes, 1 restart": the parts that there are. */
void preagg_say_size(uint8_t size, char *text, size_t room)
{
    static const char *const name[] = {"like", "lost repl", "restart", "rebuild"};
    const struct preagg_world *world = preagg_world_of(&(struct check_scope){.size = size});
    const unsigned count[] = {world->likes, world->losses, world->restarts, world->rebuilds};
    size_t length = 0;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        if (count[i] == 0 || length >= room) {
            continue;
        }
        const char *end = i == 1 ? (count[i] == 1 ? "y" : "ies") : plural(count[i]);
        int n = snprintf(text + length, room - length, "%s%u %s%s", length > 0 ? ", " : "",
                         count[i], name[i], end);
        length += n > 0 ? (size_t)n : 0;
    }
}
