/*
 * moves_disk: what a move costs its shards, where somebody has said what they can do.
 *
 * A disk of so many bytes a second does the work of copies and that of requests. While copies from
 * and to a shard take a part of it, each request takes its place among what is left: its query
 * lasts longer, and it takes more than one token of the ceiling, both by the same measure. Copies
 * leave a twentieth at least.
 *
 * A shard that applies so many entries a second follows a log one by one: what is written while the
 * bytes of a copy flow then waits in the tail, and so does the fence.
 */
#include "engine/apply.h"
#include "engine/moves/moves_inside.h"
#include "engine/queue.h"

#define LEAST_LEFT 20 /* a part in so many */

void disk_share(struct world *w)
{
    for (uint16_t shard = 0; shard < w->shards; shard++) {
        struct shard *s = shards_of(w) + shard;
        uint64_t copies = 0;
        for (uint32_t i = 0; s->disk > 0 && i < w->config.moves_max; i++) {
            const struct move *m = moves_in(w) + i;
            bool here = m->source == shard || m->target == shard;
            copies += m->number > 0 && !m->ended && here ? m->speed : 0;
        }
        uint64_t least = s->disk / LEAST_LEFT + 1;
        uint64_t left = copies + least < s->disk ? s->disk - copies : least;
        s->extra = s->disk > 0 && copies > 0 ? (uint32_t)((s->disk - left) * 1000 / left) : 0;
    }
}

int64_t apply_every_us(const struct world *w, uint16_t shard)
{
    uint32_t applies = shards_in(w)[shard].applies;
    return applies > 0 ? (US_PER_SECOND + applies - 1) / applies : 0;
}

bool moves_apply_disk(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err)) {
        return false;
    }
    shards_of(w)[c->shard].disk = c->rate;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->rate, 0);
    disk_share(w);
    return true;
}

bool moves_apply_applies(struct world *w, const struct command *c, struct err *err)
{
    if (!apply_shard_exists(w, c->shard, err)) {
        return false;
    }
    for (uint32_t i = 0; i < w->config.moves_max; i++) {
        const struct move *m = moves_in(w) + i;
        if (m->number > 0 && !m->ended && m->target == c->shard && move_copying(m)) {
            return err_set(err,
                           "slot %u is being copied to S%u; how fast that follows its log is said "
                           "before or after",
                           m->slot, c->shard);
        }
    }
    shards_of(w)[c->shard].applies = c->rate;
    apply_note(w, c, KEY_NONE_ID, node_of(NODE_SHARD, c->shard), c->rate, 0);
    return true;
}
