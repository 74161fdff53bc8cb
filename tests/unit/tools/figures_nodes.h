/*
 * The figures of partitions with copies on nodes: who loses what when a node dies, who leads then,
 * and where the new copies go. Played on the engine. Part of test_figures.c.
 */
#ifndef HOTSHARD_TESTS_FIGURES_NODES_H
#define HOTSHARD_TESTS_FIGURES_NODES_H

#include "engine/copies/copies.h"
#include "engine/nodes/nodes.h"
#include "figures_moves.h"

/* Twelve partitions on five nodes; four on five; the first that is named leads. */
#define CLUSTER_12                                                                                 \
    "group P1 N1 N2 N5;group P2 N3 N4 N5;group P3 N4 N1 N5;group P4 N2 N3 N1;group P5 N4 N1 N2;"   \
    "group P6 N3 N2 N4;group P7 N1 N4 N5;group P8 N2 N4 N5;group P9 N3 N1 N5;group P10 N4 N1 N2;"  \
    "group P11 N3 N1 N5;group P12 N4 N3 N2"
#define CLUSTER_4 "group P1 N1 N2 N3;group P2 N2 N1 N4;group P3 N3 N2 N5;group P4 N4 N1 N5"
#define DEATH ";+300;node N3 down"
#define PROMOTED ";stand P2 N4;stand P6 N2;stand P9 N1;stand P11 N1"
#define PROPOSED                                                                                   \
    ";recopy P2 N1;recopy P4 N5;recopy P6 N5;recopy P9 N2;recopy P11 N4;recopy P12 N1;+10300"
#define BALANCED                                                                                   \
    ";recopy P2 N2;recopy P4 N5;recopy P6 N5;recopy P9 N2;recopy P11 N4;recopy P12 N1;+10300"

enum nodes_constants {
    DEAD = 2, /* N3 */
    CLUSTER_NODES = 5
};

/* Plays commands with ";" between; "+300": so many milliseconds pass. */
static inline void nodes_play(struct world *w, const char *text)
{
    char word[80];
    while (*text) {
        size_t length = strcspn(text, ";");
        CHECK(length < sizeof word);
        memcpy(word, text, length);
        word[length] = '\0';
        if (word[0] == '+') {
            run_on(w, atoi(word + 1));
        } else if (word[0] != '\0') {
            must_say(w, word);
        }
        text += length + (text[length] == ';');
    }
}

/* Caller frees. */
static inline struct world *nodes_world(const char *text)
{
    struct world *w = story_world(1, false, NULL);
    CHECK(w != NULL);
    must_say(w, "node add a 5");
    must_say(w, "recopy on 100MB");
    nodes_play(w, text);
    return w;
}

static inline bool nodes_holds(const struct group_info *g, uint32_t node)
{
    bool found = false;
    for (uint32_t i = 0; i < g->replicas; i++) {
        found = found || (g->replica[i].node == node && g->replica[i].state != REPLICA_COPYING);
    }
    return found;
}

static inline bool nodes_leads(const struct group_info *g, uint32_t node)
{
    return g->leader != UINT16_MAX && g->replica[g->leader].node == node;
}

/* Of each node (a: 1: but not the dead one): replicas, or (b: 1) leaders. */
static inline void value_nodes_counts(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        struct node_holds h = world_node_holds(w, node);
        if (f->a == 0 || node != DEAD) {
            figures_add_int(out, f->b != 0 ? h.leads : h.replicas);
        }
    }
    world_free(w);
}

static inline void value_nodes_total(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    uint32_t total = 0;
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        total += world_node_holds(w, node).replicas;
    }
    figures_add_int(out, total);
    world_free(w);
}

/* Groups with so many replicas, and one leader. */
static inline void value_nodes_whole(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    uint32_t count = 0;
    for (uint32_t i = 0; i < world_groups(w); i++) {
        struct group_info g = world_group(w, i);
        count += g.replicas == (uint32_t)f->a && g.leaders == 1;
    }
    figures_add_int(out, count);
    world_free(w);
}

/* What kind of loss the death of N3 is to a group. */
enum nodes_loss {
    LOSES_LEADER,
    LOSES_FOLLOWER,
    LOSES_REPLICA
};

static inline bool nodes_loses(const struct group_info *g, int64_t loss)
{
    bool leads = nodes_leads(g, DEAD);
    bool holds = nodes_holds(g, DEAD);
    return loss == LOSES_LEADER ? leads : loss == LOSES_FOLLOWER ? holds && !leads : holds;
}

/* a: enum nodes_loss; their names, or (b: 1) how many. */
static inline void value_nodes_lost(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    uint32_t count = 0;
    for (uint32_t i = 0; i < world_groups(w); i++) {
        struct group_info g = world_group(w, i);
        if (!nodes_loses(&g, f->a)) {
            continue;
        }
        count++;
        if (f->b == 0) {
            str_addf(out, "%s%s", out->length > 0 ? " " : "", g.name);
        }
    }
    if (f->b != 0) {
        figures_add_int(out, count);
    }
    world_free(w);
}

static inline struct group_info nodes_group(const struct world *w, const char *name)
{
    uint32_t index = 0;
    CHECK(world_group_find(w, bytes_of(name), &index));
    return world_group(w, index);
}

/* Who still has a copy of it after N3's death. */
static inline void value_nodes_left(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(CLUSTER_12 DEATH);
    struct group_info g = nodes_group(w, f->text);
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        if (nodes_holds(&g, node) && !world_node(w, node).down) {
            figures_add_int(out, node + 1);
        }
    }
    world_free(w);
}

/* The proposed plan puts its copy on a node that had none, and there it is in the end. */
static inline void value_nodes_plan(const struct figure *f, struct str *out)
{
    struct world *before = nodes_world(CLUSTER_12 DEATH PROMOTED);
    struct world *after = nodes_world(CLUSTER_12 DEATH PROMOTED PROPOSED);
    struct group_info old = nodes_group(before, f->text);
    struct group_info g = nodes_group(after, f->text);
    uint32_t fresh = 0;
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        fresh += nodes_holds(&g, node) && !nodes_holds(&old, node);
    }
    str_add(out, fresh == 1 && !nodes_holds(&g, DEAD) ? "yes" : "no");
    world_free(before);
    world_free(after);
}

static inline void value_nodes_gap(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    uint32_t most = 0;
    uint32_t least = UINT32_MAX;
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        uint32_t held = world_node_holds(w, node).replicas;
        most = node != DEAD && held > most ? held : most;
        least = node != DEAD && held < least ? held : least;
    }
    figures_add_int(out, most - least);
    world_free(w);
}

/* Whom the operator promoted leads, and had followed before. */
static inline void value_nodes_promoted(const struct figure *f, struct str *out)
{
    struct world *before = nodes_world(CLUSTER_12);
    struct world *w = nodes_world(f->text);
    bool well = true;
    for (uint32_t i = 0; i < world_groups(w); i++) {
        struct group_info old = world_group(before, i);
        struct group_info g = world_group(w, i);
        well = well && g.leader != UINT16_MAX && nodes_holds(&old, g.replica[g.leader].node) &&
               g.leaders == 1;
    }
    str_add(out, well ? "yes" : "no");
    world_free(before);
    world_free(w);
}

/* Promotes the survivors that `choice` says, a bit for each partition without a leader. */
static inline struct world *nodes_promote(uint32_t choice)
{
    struct world *w = nodes_world(CLUSTER_12 DEATH);
    uint32_t bit = 4;
    for (uint32_t i = 0; i < world_groups(w); i++) {
        struct group_info g = world_group(w, i);
        char words[40];
        uint32_t wanted = 0;
        if (g.leader != UINT16_MAX) {
            continue;
        }
        wanted = choice >> --bit & 1;
        for (uint32_t node = 0, met = 0; node < CLUSTER_NODES; node++) {
            if (node != DEAD && nodes_holds(&g, node) && met++ == wanted) {
                (void)snprintf(words, sizeof words, "stand %s N%u", g.name, node + 1);
                must_say(w, words);
            }
        }
    }
    run_on(w, 10);
    return w;
}

/* Of all ways to promote, the one after which leaders are spread most evenly. */
static inline void value_nodes_best(const struct figure *f, struct str *out)
{
    uint32_t best = 0;
    uint32_t best_gap = UINT32_MAX;
    for (uint32_t choice = 0; choice < 16; choice++) {
        struct world *w = nodes_promote(choice);
        uint32_t most = 0;
        uint32_t least = UINT32_MAX;
        for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
            uint32_t leads = world_node_holds(w, node).leads;
            most = node != DEAD && leads > most ? leads : most;
            least = node != DEAD && leads < least ? leads : least;
        }
        if (most - least < best_gap) {
            best = choice;
            best_gap = most - least;
        }
        world_free(w);
    }
    (void)f;
    struct world *w = nodes_promote(best);
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        if (node != DEAD) {
            figures_add_int(out, world_node_holds(w, node).leads);
        }
    }
    world_free(w);
}

/* Fastest and slowest detection and election, "10 1 30 5", a sum each. */
static inline void value_nodes_return(const struct figure *f, struct str *out)
{
    int detect[2];
    int elect[2];
    CHECK(sscanf(f->text, "%d %d %d %d", &detect[0], &elect[0], &detect[1], &elect[1]) == 4);
    figures_add_int(out, detect[0] + elect[0]);
    figures_add_int(out, detect[1] + elect[1]);
}

/* Replicas of P1 on the larger side, where a leader is elected that reaches a majority; the old one
 * acknowledges nothing. */
static inline void value_nodes_split(const struct figure *f, struct str *out)
{
    struct world *w = nodes_world(f->text);
    struct group_info g = nodes_group(w, "P1");
    uint32_t there = 0;
    for (uint32_t i = 0; i < g.replicas; i++) {
        there += !world_node(w, g.replica[i].node).cut_off;
    }
    CHECK(g.leaders == 2 && g.acked == 1 && g.leaderless_since_us < 0);
    CHECK(!world_node(w, g.replica[g.leader].node).cut_off);
    figures_add_int(out, there);
    world_free(w);
}

/* Leaders that are gone when any one node dies, at most. */
static inline void value_nodes_worst(const struct figure *f, struct str *out)
{
    uint32_t most = 0;
    for (uint32_t node = 0; node < CLUSTER_NODES; node++) {
        struct world *w = nodes_world(f->text);
        char words[24];
        uint32_t lost = 0;
        (void)snprintf(words, sizeof words, "node N%u down", node + 1);
        must_say(w, words);
        for (uint32_t i = 0; i < world_groups(w); i++) {
            lost += world_group(w, i).leader == UINT16_MAX;
        }
        most = lost > most ? lost : most;
        world_free(w);
    }
    figures_add_int(out, most);
}

static const struct figure copied[] = {
    {"ring.grid_leaders", value_nodes_worst, CLUSTER_4, 0, 0},
    {"ring.grid_load", value_nodes_counts, CLUSTER_4, 0, 0},
    {"d4.nf_total", value_nodes_total, CLUSTER_12, 0, 0},
    {"d4.nf_spread", value_nodes_counts, CLUSTER_12, 0, 0},
    {"d4.nf_three", value_nodes_whole, CLUSTER_12, 3, 0},
    {"d4.nf_lead", value_nodes_counts, CLUSTER_12, 0, 1},
    {"d4.nf_lost_lead", value_nodes_lost, CLUSTER_12, LOSES_LEADER, 0},
    {"d4.nf_lost_foll", value_nodes_lost, CLUSTER_12, LOSES_FOLLOWER, 0},
    {"d4.nf_need", value_nodes_lost, CLUSTER_12, LOSES_REPLICA, 1},
    {"d4.nf_need_lead", value_nodes_lost, CLUSTER_12, LOSES_LEADER, 1},
    {"d4.nf_surv_P2", value_nodes_left, "P2", 0, 0},
    {"d4.nf_plan_P2", value_nodes_plan, "P2", 0, 0},
    {"d4.nf_surv_P4", value_nodes_left, "P4", 0, 0},
    {"d4.nf_plan_P4", value_nodes_plan, "P4", 0, 0},
    {"d4.nf_surv_P6", value_nodes_left, "P6", 0, 0},
    {"d4.nf_plan_P6", value_nodes_plan, "P6", 0, 0},
    {"d4.nf_surv_P9", value_nodes_left, "P9", 0, 0},
    {"d4.nf_plan_P9", value_nodes_plan, "P9", 0, 0},
    {"d4.nf_surv_P11", value_nodes_left, "P11", 0, 0},
    {"d4.nf_plan_P11", value_nodes_plan, "P11", 0, 0},
    {"d4.nf_surv_P12", value_nodes_left, "P12", 0, 0},
    {"d4.nf_plan_P12", value_nodes_plan, "P12", 0, 0},
    {"d4.nf_after", value_nodes_counts, CLUSTER_12 DEATH PROMOTED PROPOSED, 1, 0},
    {"d4.nf_best", value_nodes_counts, CLUSTER_12 DEATH PROMOTED BALANCED, 1, 0},
    {"d4.nf_gap", value_nodes_gap, CLUSTER_12 DEATH PROMOTED PROPOSED, 0, 0},
    {"d4.nf_promo_ok", value_nodes_promoted, CLUSTER_12 DEATH PROMOTED ";+10", 0, 0},
    {"d4.nf_lead_after", value_nodes_counts, CLUSTER_12 DEATH PROMOTED ";+10", 1, 1},
    {"d4.nf_lead_best", value_nodes_best, NULL, 0, 0},
    {"d4.nf_det", value_nodes_return, "10 1 30 5", 0, 0},
    {"d4.sp_b", value_nodes_split,
     "group P1 N1 N3 N5;+300;split N1 N2;append P1 via N1;+3000;append P1 via N3;+50", 0, 0},
};

#endif
