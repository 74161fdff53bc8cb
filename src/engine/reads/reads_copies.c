/*
 * reads_copies: N copies of one value under keys of their own; and the copies of a whole shard.
 *
 * The value itself stays where it is, so that the treatment can end at any time. An edit is done
 * when the value and all its copies hold it: a read that begins after that cannot find it missing.
 * Copies are for what is edited, not for counters.
 *
 * A shard's followers apply each change replica_lag_us after its leader. What they hold is known of
 * keys whose reads are treated as `replicas`, whose recent changes are remembered; when there are
 * more than READS_PAST_MAX within the lag, the followers are as it was before the oldest of these.
 */
#include "engine/reads/reads_inside.h"

#include "place/key.h"
#include <stdio.h>
#include <string.h>

uint8_t copies_name(const char *key, uint8_t length, uint32_t number, char out[KEY_BYTES_MAX])
{
    struct bytes whole = {.at = key, .length = length};
    struct bytes tag = key_tag(whole);
    size_t before = (size_t)(tag.at - key) + tag.length;
    char mark[16];
    int marked = snprintf(mark, sizeof mark, "~%u", number);
    CHECK(marked > 0 && (size_t)marked < sizeof mark);
    size_t total = length + (size_t)marked;
    if (total > KEY_BYTES_MAX) {
        return 0;
    }
    memcpy(out, key, before);
    memcpy(out + before, mark, (size_t)marked);
    memcpy(out + before + (size_t)marked, key + before, length - before);
    return (uint8_t)total;
}

void copies_pick(struct world *w, struct hot_read *row, uint32_t request)
{
    struct request *r = requests_of(w) + request;
    uint32_t copy = (uint32_t)prng_below(&row->prng, row->copies);
    struct trace_record *t = reads_note(w, r->router, request, REASON_COPY_PICKED);
    r->key = row->copy[copy];
    r->slot = keys_in(w)[r->key].slot;
    t->slot = r->slot;
    t->operand[0] = copy + 1;
    t->operand[1] = row->copies;
}

void copies_write(struct world *w, struct hot_read *row, uint32_t request)
{
    struct request *whole = requests_of(w) + request;
    reads_note(w, whole->router, request, REASON_COPIES_WRITTEN)->operand[0] = row->copies;
    row->copies_written += row->copies;
    whole->link = row->copies + 1u;
    whole->outcome = OUTCOME_OK;
    for (uint32_t i = 0; i <= row->copies; i++) {
        uint32_t key = i == 0 ? row->key : row->copy[i - 1];
        uint32_t part = router_own(w, whole->router, OP_EDIT, key, ORIGIN_COPY);
        if (part == NO_INDEX) {
            return; /* the world stopped */
        }
        requests_of(w)[part].link = request;
        requests_of(w)[part].operation = whole->operation;
        whole->flying++;
        if (w->shifts.dual == 0 || !shifts_take(w, part)) {
            router_route(w, part);
        }
    }
}

void copies_landed(struct world *w, uint32_t write, enum outcome outcome, uint64_t value)
{
    const struct request *part = requests_in(w) + write;
    uint32_t request = part->link;
    struct request *whole = requests_of(w) + request;
    if (part->asks > whole->asks) {
        whole->asks = part->asks;
        whole->timeouts = part->timeouts;
    }
    if (outcome != OUTCOME_OK) {
        whole->outcome = outcome & 15;
        whole->shard = part->shard;
    } else if (part->key == whole->key) {
        whole->value = value;
    }
    request_end(w, write);
    whole->flying--;
    whole->link--;
    if (whole->ended) {
        request_settle(w, request);
    } else if (whole->link == 0) {
        enum outcome all = (enum outcome)whole->outcome;
        whole->link = NO_INDEX;
        if (all != OUTCOME_OK) {
            router_done(w, request, all, 0,
                        all == OUTCOME_REFUSED ? REASON_NO_TOKEN : REASON_GAVE_UP);
            return;
        }
        router_done(w, request, all, whole->value, (enum reason)REASON_COPIES_WERE_SET);
    }
}

void copies_let_go(struct world *w, uint32_t write)
{
    uint32_t request = requests_in(w)[write].link;
    requests_of(w)[request].flying--;
    requests_of(w)[request].link = NO_INDEX;
    request_settle(w, request);
}

uint32_t reads_next_copy(struct world *w, uint16_t shard, const struct request *r)
{
    struct shard *s = shards_of(w) + shard;
    if (r->many ||
        (r->origin != ORIGIN_CLIENT && r->origin != ORIGIN_FETCH && r->origin != ORIGIN_EDGE)) {
        return 0; /* jobs and sums want to know what is so now */
    }
    uint32_t copy = s->copy_turn;
    s->copy_turn = (uint8_t)(copy + 1 < s->copies ? copy + 1 : 0);
    return copy;
}

static bool is_followed(const struct hot_read *row)
{
    return row->mode == READS_REPLICAS;
}

uint64_t reads_followed(const struct world *w, uint32_t key, uint64_t value)
{
    if (keys_in(w)[key].reads == 0) {
        return value;
    }
    const struct hot_read *row = hot_reads_in(w) + (keys_in(w)[key].reads - 1);
    int64_t then_us = w->now_us - w->config.replica_lag_us;
    for (uint32_t i = 0; is_followed(row) && i < row->past_count; i++) {
        const struct past *past = row->past + (row->past_from + i) % READS_PAST_MAX;
        if (past->until_us > then_us) {
            return past->value;
        }
    }
    return value;
}

void reads_changed(struct world *w, uint32_t key, uint64_t before)
{
    struct hot_read *row = reads_row(w, key);
    if (!is_followed(row)) {
        return;
    }
    int64_t then_us = w->now_us - w->config.replica_lag_us;
    while (row->past_count > 0 &&
           (row->past_count == READS_PAST_MAX || row->past[row->past_from].until_us <= then_us)) {
        row->past_from = (row->past_from + 1) % READS_PAST_MAX;
        row->past_count--;
    }
    uint32_t at = (row->past_from + row->past_count++) % READS_PAST_MAX;
    row->past[at] = (struct past){.until_us = w->now_us, .value = before};
}
