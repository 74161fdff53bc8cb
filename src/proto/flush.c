/*
 * flush: what a router sends of its sum, and what a sub-key takes of it.
 */
#include "proto/flush.h"

#include "base/check.h"

void flush_add(struct flush_sender *s)
{
    s->buffer++;
}

bool flush_has_news(const struct flush_sender *s, enum flush_way way)
{
    bool waits = way == FLUSH_WINDOW && s->sent > 0;
    return s->phase == FLUSH_READY && s->buffer > 0 && !waits;
}

struct flush_parcel flush_send(struct flush_sender *s, uint64_t rules, enum flush_way way)
{
    CHECK(s->phase == FLUSH_READY);
    if (way == FLUSH_WINDOW && s->sent > 0) {
        return (struct flush_parcel){.value = s->sent, .sequence = s->sequence};
    }
    uint32_t difference = s->buffer;
    s->total += difference;
    s->sequence++;
    s->buffer = 0;
    if (way == FLUSH_WINDOW) {
        s->sent = difference;
    }
    bool whole =
        way == FLUSH_MERGE || (way == FLUSH_ABSOLUTE && rule_on(rules, RULE_ABSOLUTE_FLUSH));
    return (struct flush_parcel){.value = whole ? s->total : difference, .sequence = s->sequence};
}

void flush_answered(struct flush_sender *s, uint32_t sequence)
{
    if (sequence == s->sequence) {
        s->sent = 0;
    }
}

void flush_crash(struct flush_sender *s)
{
    *s = (struct flush_sender){.phase = FLUSH_READING};
}

bool flush_read_back(struct flush_sender *s, uint64_t rules, struct flush_cell held)
{
    CHECK(s->phase == FLUSH_READING);
    s->total = held.total;
    s->sequence = held.sequence;
    bool claims = rule_on(rules, RULE_CLAIM_ON_RESTART);
    s->phase = claims ? FLUSH_CLAIMING : FLUSH_READY;
    return claims;
}

void flush_claimed(struct flush_sender *s, bool taken)
{
    CHECK(s->phase == FLUSH_CLAIMING);
    if (taken) {
        s->sequence += FLUSH_CLAIM_STEP;
    }
    s->phase = taken ? FLUSH_READY : FLUSH_READING;
}

bool flush_take(struct flush_cell *cell, uint64_t rules, enum flush_way way,
                struct flush_parcel parcel)
{
    bool bare = way == FLUSH_ABSOLUTE && !rule_on(rules, RULE_ABSOLUTE_FLUSH);
    bool newer = parcel.sequence > cell->sequence;
    if (!newer && !bare && rule_on(rules, RULE_FLUSH_SEQUENCE)) {
        return false;
    }
    if (bare || way == FLUSH_WINDOW) {
        cell->total += parcel.value;
    } else if (way == FLUSH_ABSOLUTE || parcel.value > cell->total) {
        cell->total = parcel.value;
    }
    bool as_it_comes = way == FLUSH_ABSOLUTE && !bare;
    cell->sequence = newer || as_it_comes ? parcel.sequence : cell->sequence;
    return true;
}

bool flush_take_claim(struct flush_cell *cell, struct flush_parcel claim)
{
    if (cell->sequence != claim.sequence || cell->total != claim.value) {
        return false;
    }
    cell->sequence += FLUSH_CLAIM_STEP;
    return true;
}
