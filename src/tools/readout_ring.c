/*
 * readout_ring: nodetool ring and nodetool status, of the system `cassandra` or of a layout.
 *
 * Both are first made one list of tokens in their order, each with its node. What a node owns
 * effectively is the part of the circle of which it keeps a copy: its own ranges, and those of
 * which it is one of the next other nodes.
 */
#include "base/alloc.h"
#include "base/digest.h"
#include "engine/systems/systems.h"
#include "place/ring.h"
#include "tools/readout_inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGN (UINT64_C(1) << 63)
#define COPIES_MOST 3

struct host {
    uint64_t share; /* of the circle, in 2^-48: a token's range counts for each copy */
    uint64_t bytes;
    uint32_t tokens;
    bool down, joining, loaded;
};

struct sheet {
    struct ring_point *point; /* ascending; `index` is the host */
    size_t points;
    struct host *host;
    uint32_t hosts;
};

static void sheet_free(struct sheet *s)
{
    free(s->point);
    free(s->host);
}

/* --- who owns what --- */

static uint64_t before(const struct sheet *s, size_t at)
{
    return s->point[at == 0 ? s->points - 1 : at - 1].at;
}

/* Each range to its copies; of joining nodes nothing counts yet. */
static void share_out(struct sheet *s, uint32_t replicas)
{
    struct ring_point *normal = xcalloc(s->points + 1, sizeof *normal);
    size_t count = 0;
    for (size_t i = 0; i < s->points; i++) {
        s->host[s->point[i].index].tokens++;
        if (!s->host[s->point[i].index].joining) {
            normal[count++] = s->point[i];
        }
    }
    struct sheet of = {.point = normal, .points = count};
    for (size_t i = 0; i < count; i++) {
        uint32_t copy[COPIES_MOST];
        uint32_t copies = ring_replicas(normal, count, i, NULL, replicas, copy);
        uint64_t size = count == 1 ? UINT64_MAX : normal[i].at - before(&of, i);
        for (uint32_t j = 0; j < copies; j++) {
            s->host[copy[j]].share += size >> 16;
        }
    }
    free(normal);
}

static void by_token(struct sheet *s)
{
    for (size_t i = 1; i < s->points; i++) {
        struct ring_point one = s->point[i];
        size_t at = i;
        for (; at > 0 && s->point[at - 1].at > one.at; at--) {
            s->point[at] = s->point[at - 1];
        }
        s->point[at] = one;
    }
}

static struct sheet sheet_of_world(const struct world *w)
{
    struct sheet s = {.hosts = world_system(w, SYSTEM_CASSANDRA).machines};
    uint32_t parts = world_system_parts(w, SYSTEM_CASSANDRA);
    s.host = xcalloc(s.hosts, sizeof *s.host);
    s.point = xcalloc(parts, sizeof *s.point);
    for (uint32_t i = 0; i < s.hosts; i++) {
        struct machine_info m = world_system_machine(w, SYSTEM_CASSANDRA, i);
        s.host[i] = (struct host){.bytes = m.bytes, .down = m.down, .loaded = true};
    }
    for (uint32_t i = 0; i < parts; i++) {
        struct part_info part = world_system_part(w, SYSTEM_CASSANDRA, i);
        bool joining = part.state == PART_COPYING;
        if (part.state != PART_OPEN && !joining) {
            continue;
        }
        s.point[s.points++] = (struct ring_point){.at = part.last.high, .index = part.machine[0]};
        s.host[part.machine[0]].joining = s.host[part.machine[0]].joining || joining;
    }
    by_token(&s);
    share_out(&s, COPIES_MOST);
    return s;
}

static struct sheet sheet_of_layout(const struct layout *layout, uint32_t replicas)
{
    struct sheet s = {.hosts = layout_shards(layout)};
    const struct ring_point *point = layout_ring(layout, &s.points);
    s.host = xcalloc(s.hosts, sizeof *s.host);
    s.point = xcalloc(s.points, sizeof *s.point);
    memcpy(s.point, point, s.points * sizeof *point);
    share_out(&s, replicas < 1 ? 1 : replicas > COPIES_MOST ? COPIES_MOST : replicas);
    return s;
}

/* --- what is printed --- */

/* "55.36%" or "55.4%": what a node owns; "?" while it joins. */
static void owns_of(const struct host *h, int decimals, char out[16])
{
    uint64_t scale = decimals == 2 ? 10000 : 1000;
    uint64_t parts = (h->share * scale + (UINT64_C(1) << 47)) >> 48;
    if (h->joining) {
        (void)snprintf(out, 16, "?");
    } else if (decimals == 2) {
        (void)snprintf(out, 16, "%" PRIu64 ".%02" PRIu64 "%%", parts / 100, parts % 100);
    } else {
        (void)snprintf(out, 16, "%" PRIu64 ".%" PRIu64 "%%", parts / 10, parts % 10);
    }
}

/* Up to two decimals, none that are 0 at the end. */
static void load_of(const struct host *h, char out[24])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    if (!h->loaded) {
        (void)snprintf(out, 24, "?");
        return;
    }
    if (h->bytes < 1024) {
        (void)snprintf(out, 24, "%" PRIu64 " bytes", h->bytes);
        return;
    }
    uint64_t bytes = h->bytes;
    while (unit < 3 && bytes >> 10 >= 1024) {
        bytes >>= 10;
        unit++;
    }
    uint64_t hundredths = (bytes * 100 + 512) / 1024;
    int length = snprintf(out, 24, "%" PRIu64, hundredths / 100);
    if (hundredths % 100 != 0) {
        length += snprintf(out + length, 24 - (size_t)length, ".%02" PRIu64, hundredths % 100);
        length -= out[length - 1] == '0';
    }
    (void)snprintf(out + length, 24 - (size_t)length, " %s", units[unit]);
}

static int width_of_addresses(const struct sheet *s)
{
    int width = 0;
    for (uint32_t i = 0; i < s->hosts; i++) {
        char address[READOUT_ADDRESS_SIZE];
        readout_host(i, address);
        int length = (int)strlen(address);
        width = length > width ? length : width;
    }
    return width;
}

static void end_line(struct str *out)
{
    while (out->length > 0 && out->text[out->length - 1] == ' ') {
        out->text[--out->length] = '\0';
    }
    str_addc(out, '\n');
}

struct ring_line {
    const char *address, *rack, *status, *state, *load, *owns, *token;
};

static void add_ring_line(struct str *out, int width, const struct ring_line *l)
{
    str_addf(out, "%-*s  %-12s%-7s%-8s%-16s%-20s%-44s", width, l->address, l->rack, l->status,
             l->state, l->load, l->owns, l->token);
    end_line(out);
}

static void add_ring(struct str *out, const struct sheet *s)
{
    int width = width_of_addresses(s);
    bool vnodes = s->points > s->hosts;
    char token[24] = "";
    str_add(out, "\nDatacenter: datacenter1\n==========\n");
    add_ring_line(
        out, width,
        &(struct ring_line){"Address", "Rack", "Status", "State", "Load", "Owns", "Token"});
    if (s->points > 1) {
        (void)snprintf(token, sizeof token, "%" PRId64,
                       (int64_t)(s->point[s->points - 1].at ^ SIGN));
    }
    add_ring_line(out, width, &(struct ring_line){"", "", "", "", "", "", token});
    for (size_t i = 0; i < s->points; i++) {
        const struct host *h = &s->host[s->point[i].index];
        char address[READOUT_ADDRESS_SIZE], owns[16], load[24];
        readout_host(s->point[i].index, address);
        owns_of(h, 2, owns);
        load_of(h, load);
        (void)snprintf(token, sizeof token, "%" PRId64, (int64_t)(s->point[i].at ^ SIGN));
        add_ring_line(out, width,
                      &(struct ring_line){address, "rack1", h->down ? "Down" : "Up",
                                          h->joining ? "Joining" : "Normal", load, owns, token});
    }
    str_addc(out, '\n');
    if (vnodes) {
        str_add(out, "  Warning: \"nodetool ring\" is used to output all the tokens of a node.\n"
                     "  To view status related info of a node use \"nodetool status\" "
                     "instead.\n\n");
    }
    str_addc(out, '\n');
}

static void host_id(uint32_t machine, char out[40])
{
    char address[READOUT_ADDRESS_SIZE];
    readout_host(machine, address);
    struct digest d = digest_start();
    char hex[DIGEST_HEX_SIZE];
    digest_bytes(&d, address, strlen(address));
    digest_hex(d, hex);
    (void)snprintf(out, 40, "%.8s-%.4s-4%.3s-a%.3s-%.12s", hex, hex + 8, hex + 12, hex + 15,
                   hex + 18);
}

static void add_status(struct str *out, const struct sheet *s)
{
    bool vnodes = s->points > s->hosts;
    int width = width_of_addresses(s), loads = 4;
    for (uint32_t i = 0; i < s->hosts; i++) {
        char load[24];
        load_of(&s->host[i], load);
        loads = (int)strlen(load) > loads ? (int)strlen(load) : loads;
    }
    str_add(out, "Datacenter: datacenter1\n=======================\nStatus=Up/Down\n"
                 "|/ State=Normal/Leaving/Joining/Moving\n");
    if (vnodes) {
        str_addf(out, "--  %-*s  %-*s  Tokens  Owns (effective)  %-36s  Rack\n", width, "Address",
                 loads, "Load", "Host ID");
    } else {
        str_addf(out, "--  %-*s  %-*s  Owns (effective)  %-36s  %-20s  Rack\n", width, "Address",
                 loads, "Load", "Host ID", "Token");
    }
    for (uint32_t i = 0; i < s->hosts; i++) {
        const struct host *h = &s->host[i];
        char address[READOUT_ADDRESS_SIZE], owns[16], load[24], id[40];
        readout_host(i, address);
        owns_of(h, 1, owns);
        load_of(h, load);
        host_id(i, id);
        str_addf(out, "%c%c  %-*s  %-*s  ", h->down ? 'D' : 'U', h->joining ? 'J' : 'N', width,
                 address, loads, load);
        if (vnodes) {
            str_addf(out, "%-6u  %-16s  %-36s  rack1\n", (unsigned)h->tokens, owns, id);
            continue;
        }
        int64_t token = 0;
        for (size_t j = 0; j < s->points; j++) {
            token = s->point[j].index == i ? (int64_t)(s->point[j].at ^ SIGN) : token;
        }
        str_addf(out, "%-16s  %-36s  %-20" PRId64 "  rack1\n", owns, id, token);
    }
    str_addc(out, '\n');
}

static void add_sheet(const struct readout_wish *wish, struct sheet *s, struct str *out)
{
    if (wish->kind == READOUT_RING) {
        add_ring(out, s);
    } else {
        add_status(out, s);
    }
    sheet_free(s);
}

bool readout_cassandra(const struct world *w, const struct readout_wish *wish, struct str *out,
                       struct err *err)
{
    if (!world_has_systems(w)) {
        return err_set(err, "this world has no systems, and so no ring of Cassandra; those of the "
                            "story have");
    }
    if (!world_system_on(w, SYSTEM_CASSANDRA)) {
        return err_set(err, "Cassandra is off here; begin it with \"system cassandra on\"");
    }
    struct sheet s = sheet_of_world(w);
    add_sheet(wish, &s, out);
    return true;
}

bool readout_layout(const struct layout *layout, const struct readout_wish *wish, struct str *out,
                    struct err *err)
{
    size_t points = 0;
    if (wish->kind != READOUT_RING && wish->kind != READOUT_STATUS) {
        return err_set(err, "%s is of a cluster, and a layout is none; ask for %s or %s",
                       readout_name(wish->kind), readout_name(READOUT_RING),
                       readout_name(READOUT_STATUS));
    }
    if (layout_ring(layout, &points) == NULL || points == 0) {
        return err_set(err,
                       "scheme %s has no tokens, and so no ring to tell of; use ring or "
                       "cassandra",
                       layout_scheme(layout)->name);
    }
    struct sheet s = sheet_of_layout(layout, wish->replicas);
    add_sheet(wish, &s, out);
    return true;
}
