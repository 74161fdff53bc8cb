/*
 * nodes_parts: the nodes that the view `nodes` shows, and their words.
 */
#ifndef HOTSHARD_VIEW_NODES_PARTS_H
#define HOTSHARD_VIEW_NODES_PARTS_H

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "engine/watch/watch.h"
#include "view/across.h"
#include "view/moving.h"

#define NODED_SORTED 128

struct noded {
    const struct world *w;
    uint32_t nodes, groups;
    uint32_t about;             /* 1 + the group whose copies the page shows, 0: none */
    uint32_t row[NODED_SORTED]; /* the first groups in the order of their lines */
    uint32_t order[NODES_MAX];
    struct node_info info[NODES_MAX];
    bool watched, loaded, cut;
    bool asking; /* the page's question is open */
    bool aside;  /* the page is about a store: shards are not its matter */
};

enum holds {
    HOLDS_NOTHING,
    HOLDS_LEADS,
    HOLDS_FOLLOWS,
    HOLDS_STANDS,
    HOLDS_COPIES
};

bool noded_open(struct noded *out, const struct scene *s); /* false: there is no node */
bool noded_dead(const struct noded *n, uint32_t node);     /* believed dead */
/* Where not all fit: the page's own shard and those in which something is odd. */
void noded_odd_first(struct noded *n);
enum holds noded_holds(const struct group_info *g, uint32_t node);

enum style noded_add_groups(struct str *out, const struct noded *n);
void noded_add_odd(struct str *out, const struct noded *n);
void noded_add_node(struct str *out, const struct noded *n, uint32_t node);
void noded_tell(struct str *out, const struct scene *s, const struct view_state *v);

#endif
