/*
 * readout_check: redis-cli --cluster check.
 *
 * It asks one node for the others, then each of them for its own slots; who cannot be reached is
 * told first and does not count any more. Then it compares what all of them know, lists open slots,
 * and looks whether every slot is somebody's.
 */
#include "base/alloc.h"
#include "tools/readout_inside.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool reached(const struct world *w, uint16_t shard)
{
    return !world_shard(w, shard).down;
}

/* The one that is asked, then the others in their order. */
static uint16_t turn(uint16_t asked, uint16_t at)
{
    return at == 0 ? asked : (uint16_t)(at <= asked ? at - 1 : at);
}

/* --- the summary --- */

static void add_summary(const struct world *w, uint16_t asked, struct str *out)
{
    uint64_t keys = 0;
    uint32_t masters = 0;
    bool claimed[READOUT_SLOTS];
    for (uint16_t at = 0; at < world_shards(w); at++) {
        uint16_t shard = turn(asked, at);
        char id[READOUT_ID_SIZE], address[READOUT_ADDRESS_SIZE];
        if (!reached(w, shard)) {
            continue;
        }
        readout_id(shard, 0, id);
        readout_address(shard, 0, address);
        uint32_t slots = readout_claims(w, shard, claimed);
        uint32_t own = readout_keys(w, shard, claimed, NULL);
        str_addf(out, "%s (%.8s...) -> %u keys | %u slots | %u slaves.\n", address, id,
                 (unsigned)own, (unsigned)slots, (unsigned)readout_replicas(w, shard));
        keys += own;
        masters++;
    }
    uint64_t hundredths = (keys * 100 + READOUT_SLOTS / 2) / READOUT_SLOTS;
    str_addf(out, "[OK] %" PRIu64 " keys in %u masters.\n", keys, (unsigned)masters);
    str_addf(out, "%" PRIu64 ".%02u keys per slot on average.\n", hundredths / 100,
             (unsigned)(hundredths % 100));
}

/* --- the nodes --- */

static uint32_t add_slots(const struct world *w, uint16_t shard, struct str *out)
{
    bool any = false, claimed[READOUT_SLOTS];
    uint32_t count = readout_claims(w, shard, claimed);
    for (uint32_t slot = 0; slot < READOUT_SLOTS; slot++) {
        uint32_t first = slot;
        if (!claimed[slot]) {
            continue;
        }
        while (slot + 1 < READOUT_SLOTS && claimed[slot + 1]) {
            slot++;
        }
        readout_add_run(out, first, slot, any ? ",[" : "[", "]");
        any = true;
    }
    return count;
}

static void add_node(const struct world *w, uint16_t shard, uint8_t copy, struct str *out)
{
    char id[READOUT_ID_SIZE], leader[READOUT_ID_SIZE], address[READOUT_ADDRESS_SIZE];
    readout_id(shard, copy, id);
    readout_id(shard, 0, leader);
    readout_address(shard, copy, address);
    str_addf(out, "%s: %s %s\n   slots:", copy == 0 ? "M" : "S", id, address);
    if (copy > 0) {
        str_addf(out, " (0 slots) slave\n   replicates %s\n", leader);
        return;
    }
    str_addf(out, " (%u slots) master\n", (unsigned)add_slots(w, shard, out));
    if (readout_replicas(w, shard) > 0) {
        str_addf(out, "   %u additional replica(s)\n", (unsigned)readout_replicas(w, shard));
    }
}

static void add_nodes(const struct world *w, uint16_t asked, struct str *out)
{
    for (uint16_t at = 0; at < world_shards(w); at++) {
        if (reached(w, turn(asked, at))) {
            add_node(w, turn(asked, at), 0, out);
        }
    }
    for (uint16_t at = 0; at < world_shards(w); at++) {
        for (uint8_t copy = 1; copy <= readout_replicas(w, turn(asked, at)); copy++) {
            add_node(w, turn(asked, at), copy, out);
        }
    }
}

/* --- what is wrong --- */

static bool all_agree(const struct world *w, uint16_t asked)
{
    bool agree = true;
    struct readout_view *first = readout_view_of(w, asked);
    for (uint16_t i = 0; i < world_shards(w) && agree; i++) {
        if (i == asked || !reached(w, i)) {
            continue;
        }
        struct readout_view *view = readout_view_of(w, i);
        agree = memcmp(first->owner, view->owner, sizeof first->owner) == 0;
        free(view);
    }
    free(first);
    return agree;
}

/* "Node ... has slots in migrating state 5,6."; notes them in the order in which they are met. */
static uint32_t add_open(const struct world *w, uint16_t shard, enum open_kind kind, uint16_t *met,
                         uint32_t count, struct str *out)
{
    char address[READOUT_ADDRESS_SIZE];
    struct open_slot open[READOUT_OPEN_MAX];
    uint32_t many = readout_open(w, shard, open);
    bool any = false;
    readout_address(shard, 0, address);
    for (uint32_t i = 0; i < many; i++) {
        if (open[i].kind != kind) {
            continue;
        }
        if (!any) {
            str_addf(out, "[WARNING] Node %s has slots in %s state ", address,
                     kind == OPEN_MIGRATING ? "migrating" : "importing");
        }
        str_addf(out, "%s%u", any ? "," : "", (unsigned)open[i].slot);
        any = true;
        bool known = false;
        for (uint32_t j = 0; j < count; j++) {
            known = known || met[j] == open[i].slot;
        }
        if (!known) {
            met[count++] = open[i].slot;
        }
    }
    str_add(out, any ? ".\n" : "");
    return count;
}

static void add_open_slots(const struct world *w, uint16_t asked, struct str *out)
{
    uint16_t *met = xcalloc(READOUT_SLOTS, sizeof *met);
    uint32_t count = 0;
    str_add(out, ">>> Check for open slots...\n");
    for (uint16_t at = 0; at < world_shards(w); at++) {
        uint16_t shard = turn(asked, at);
        if (reached(w, shard)) {
            count = add_open(w, shard, OPEN_MIGRATING, met, count, out);
            count = add_open(w, shard, OPEN_IMPORTING, met, count, out);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        str_addf(out, "%s%u", i == 0 ? "[WARNING] The following slots are open: " : ",", met[i]);
    }
    str_add(out, count > 0 ? ".\n" : "");
    free(met);
}

static void add_coverage(const struct world *w, struct str *out)
{
    uint32_t covered = 0;
    bool claimed[READOUT_SLOTS], somebody[READOUT_SLOTS] = {false};
    str_add(out, ">>> Check slots coverage...\n");
    for (uint16_t i = 0; i < world_shards(w); i++) {
        if (!reached(w, i)) {
            continue;
        }
        (void)readout_claims(w, i, claimed);
        for (uint32_t slot = 0; slot < READOUT_SLOTS; slot++) {
            covered += claimed[slot] && !somebody[slot];
            somebody[slot] = somebody[slot] || claimed[slot];
        }
    }
    if (covered == READOUT_SLOTS) {
        str_addf(out, "[OK] All %u slots covered.\n", READOUT_SLOTS);
    } else {
        str_addf(out, "[ERR] Not all %u slots are covered by nodes.\n\n", READOUT_SLOTS);
    }
}

void readout_cluster_check(const struct world *w, uint16_t shard, struct str *out)
{
    char address[READOUT_ADDRESS_SIZE];
    readout_address(shard, 0, address);
    for (uint16_t i = 0; i < world_shards(w); i++) {
        if (!reached(w, i)) {
            readout_refused(out, i);
        }
    }
    add_summary(w, shard, out);
    str_addf(out, ">>> Performing Cluster Check (using node %s)\n", address);
    add_nodes(w, shard, out);
    str_add(out, all_agree(w, shard) ? "[OK] All nodes agree about slots configuration.\n"
                                     : "[ERR] Nodes don't agree about configuration!\n");
    add_open_slots(w, shard, out);
    add_coverage(w, out);
}
