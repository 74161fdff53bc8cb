/*
 * system_parts: what the files of the view `system` share.
 */
#ifndef HOTSHARD_VIEW_SYSTEM_PARTS_H
#define HOTSHARD_VIEW_SYSTEM_PARTS_H

#include "view/inside.h"

#define ITEMS_MAX 128 /* routers, and shards, that have a place */
#define WIDE 56
#define WIDER 90
#define FULL 100 /* percent */

/* Where everything stands. */
struct plan {
    const struct world *w;
    const struct rates *rates; /* NULL: none were measured */
    int width, height;
    int top, body;                                     /* rows of routers and shards */
    bool directory, foot;                              /* have rows of their own */
    int router_x, trunk_x, fan_x, shard_x, bar_x, bar; /* columns */
    int numbers;                                       /* columns of numbers behind the bars */
    uint16_t routers, shards;                          /* of the world */
    int router_y[ITEMS_MAX];
    int shard_y[ITEMS_MAX];                    /* -1: out of sight */
    bool paired;                               /* a shard has two rows, writes and reads */
    uint64_t zone_rate[ZONES_MAX], total_rate; /* asked by clients a second; 0: not known */
    int64_t window_us;
};

struct load {
    uint64_t asked, ceiling;
};

/* system_plan.c */
struct plan system_plan(const struct scene *s, const struct view_state *v, int w, int h);
int64_t system_selected_shard(const struct plan *p, const struct view_state *v);
struct load system_load(const struct plan *p, uint16_t shard, bool reads);
uint64_t system_percent(struct load load);
uint8_t system_zone_of(const struct plan *p, enum node_kind kind, uint16_t index);
bool system_is_over(const struct plan *p, uint16_t shard);

/* system_tell.c: words. The first: "4.2k" */
void system_add_rough(struct str *out, uint64_t rate);
void system_add_router(struct str *out, const struct plan *p, uint16_t router);
void system_add_shard(struct str *out, const struct plan *p, uint16_t shard);
void system_add_total(struct str *out, const struct plan *p);
void system_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
