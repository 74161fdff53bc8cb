/*
 * maps_sheet: what the view `maps` puts on its lines; for this folder alone.
 */
#ifndef HOTSHARD_VIEW_MAPS_SHEET_H
#define HOTSHARD_VIEW_MAPS_SHEET_H

#include "view/inside.h"

/* What a request meets that a router sends now. */
struct prospect {
    uint16_t asked; /* the shard that the router would ask */
    enum style style;
    char text[48];  /* "S2 says MOVED to S4" */
    char brief[24]; /* "MOVED to S4" */
};
struct prospect maps_prospect(const struct world *w, uint16_t router, uint32_t slot);

enum maps_line_kind {
    MAPS_PLAN,
    MAPS_ROUTERS,
    MAPS_SHARDS,
    MAPS_ELSEWHERE, /* the shards without a row, where they have no lines of their own */
    MAPS_HEADING,
    MAPS_GAP
};

struct maps_line {
    enum maps_line_kind kind;
    uint16_t first, last; /* routers or shards */
    uint64_t members;     /* routers below 64 that the line is about; 0: all from first to last */
    const char *text;     /* heading */
};

#define MAPS_LINES_MAX 512

struct maps_sheet {
    struct maps_line line[MAPS_LINES_MAX];
    int count;
};

uint32_t maps_router_count(const struct world *w);
uint32_t maps_item_count(const struct world *w); /* directory, routers, shards */
/* The roomiest of the forms that fit `rows`: a line each; neighbours that agree on one line;
 * without headings and absent rows; all routers that agree on one line. */
void maps_sheet_fit(struct maps_sheet *out, const struct world *w, uint32_t slot, int rows);
bool maps_is_about(const struct maps_line *line, uint32_t index); /* a router or shard */
int maps_sheet_find(const struct maps_sheet *sheet, const struct world *w, uint32_t item);
bool maps_can_select(const struct maps_line *line);
uint32_t maps_item_of(const struct maps_line *line, const struct world *w);

/* Ends of runs that say the same: routers with one belief, shards without a row. */
uint16_t maps_run_end(const struct world *w, uint16_t first, uint32_t slot);
uint16_t maps_absent_end(const struct world *w, uint16_t first, uint32_t slot);
void maps_add_range(struct str *out, char letter, unsigned first, unsigned last);
/* "R0-R2 R4", "S1" */
void maps_add_names(struct str *out, const struct maps_line *line);

#endif
