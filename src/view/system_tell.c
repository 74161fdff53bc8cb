/*
 * system_tell: the system in words: a router, a shard, all of it. See system.c.
 */
#include "engine/faults/faults.h"
#include "view/system_parts.h"

#define SCREEN_TOLD 24 /* rows that words are planned for: any do */

/* "4.2k", "850": two digits are what a short window is good for. */
void system_add_rough(struct str *out, uint64_t rate)
{
    if (rate < 1000) {
        str_addf(out, "%u", (unsigned)(rate < 100 ? rate : rate / 10 * 10));
    } else if (rate < 10000) {
        str_addf(out, "%u.%uk", (unsigned)(rate / 1000), (unsigned)(rate % 1000 / 100));
    } else {
        str_addf(out, "%uk", (unsigned)((rate + 500) / 1000));
    }
}

void system_add_router(struct str *out, const struct plan *p, uint16_t router)
{
    struct router_info info = world_router(p->w, router);
    uint32_t newest = world_map_version(p->w);
    str_addf(out, "R%u in zone %c", (unsigned)router,
             'a' + system_zone_of(p, NODE_ROUTER, router) % 26);
    if (info.down) {
        str_add(out, " is down");
    } else {
        str_addf(out, " has map version %u", (unsigned)info.map_version);
        str_add(out, info.map_version < newest ? ", which is old" : "");
        str_add(out, info.deaf ? ", and is deaf to news" : "");
    }
    str_addf(out, "; %s requests so far", num_grouped((int64_t)info.requests).text);
}

void system_add_shard(struct str *out, const struct plan *p, uint16_t shard)
{
    str_addf(out, "S%u in zone %c", (unsigned)shard,
             'a' + system_zone_of(p, NODE_SHARD, shard) % 26);
    if (world_shard(p->w, shard).down) {
        str_add(out, " is down");
        return;
    }
    for (int reads = 0; reads < 2 && p->rates != NULL; reads++) {
        struct load load = system_load(p, shard, reads == 1);
        str_addf(out, "%s %s %s", reads == 0 ? " is asked for" : " and",
                 num_grouped((int64_t)load.asked).text, reads == 0 ? "writes" : "reads");
        if (load.ceiling > 0) {
            str_addf(out, " (%s%%)", num_ratio((int64_t)load.asked, (int64_t)load.ceiling, 0).text);
        }
    }
    str_add(out, p->rates != NULL ? " a second" : "");
}

void system_add_total(struct str *out, const struct plan *p)
{
    if (p->window_us > 0) {
        str_add(out, "clients ask about ");
        system_add_rough(out, p->total_rate);
        str_add(out, " a second");
        if (p->width >= WIDER) {
            str_addf(out, " (over the last %s)", num_span(p->window_us / 1000 * 1000).text);
        }
    }
    if (p->rates != NULL) {
        const struct shard_rates *all = &p->rates->cluster;
        str_addf(out, "%sshards are asked for %s", p->window_us > 0 ? "; " : "",
                 num_grouped((int64_t)(all->reads + all->writes)).text);
        uint64_t refused = all->refused_reads + all->refused_writes;
        if (refused > 0) {
            str_addf(out, ", refuse %s", num_grouped((int64_t)refused).text);
        }
    }
}

void system_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct str line = STR_EMPTY;
    if (s->world == NULL) {
        str_add(out, "There is no world here.\n");
        return;
    }
    struct plan p = system_plan(s, v, WIDER, SCREEN_TOLD);
    system_add_total(&line, &p);
    if (line.length > 0) {
        line.text[0] = (char)(line.text[0] - 'a' + 'A');
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 0);
    }
    str_addf(out, "The directory's map has version %u.%s\n", (unsigned)world_map_version(p.w),
             world_directory_down(p.w) ? " It is down." : "");
    for (uint16_t i = 0; i < p.routers; i++) {
        str_clear(&line);
        system_add_router(&line, &p, i);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    for (uint16_t i = 0; i < p.shards; i++) {
        str_clear(&line);
        system_add_shard(&line, &p, i);
        str_addc(&line, '.');
        view_add_wrapped(out, str_text(&line), TELL_COLUMNS, 4);
    }
    str_free(&line);
}
