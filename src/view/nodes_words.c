/*
 * nodes_words: nodes and what they hold in words; see nodes.c.
 */
#include "view/nodes_parts.h"

#include <string.h>

static bool comes_before(const struct noded *n, uint32_t a, uint32_t b)
{
    const struct node_info *x = &n->info[a], *y = &n->info[b];
    return x->side != y->side ? x->side < y->side : x->zone != y->zone ? x->zone < y->zone : a < b;
}

bool noded_open(struct noded *out, const struct scene *s)
{
    *out = (struct noded){
        .w = s->world, .asking = view_question_open(s), .aside = across_about_store(s)};
    if (s->world == NULL || world_nodes(s->world) == 0) {
        return false;
    }
    out->nodes = world_nodes(s->world);
    out->groups = out->aside ? 0 : world_groups(s->world);
    for (uint32_t i = 0; i < out->groups && i < NODED_SORTED; i++) {
        out->row[i] = i;
    }
    out->about = across_group_of_page(s);
    out->watched = world_watch(s->world).on;
    for (uint32_t i = 0; i < out->nodes; i++) {
        out->info[i] = world_node(s->world, i);
        out->loaded = out->loaded || node_load(s->world, i) > 0;
        out->cut = out->cut || out->info[i].side != out->info[0].side;
        uint32_t at = i;
        for (; at > 0 && comes_before(out, i, out->order[at - 1]); at--) {
            out->order[at] = out->order[at - 1];
        }
        out->order[at] = i;
    }
    return true;
}

bool noded_dead(const struct noded *n, uint32_t node)
{
    return n->watched && world_beat(n->w, node).declared;
}

enum holds noded_holds(const struct group_info *g, uint32_t node)
{
    for (uint32_t i = 0; i < g->replicas; i++) {
        const struct replica_info *r = &g->replica[i];
        if (r->node != node) {
            continue;
        }
        return r->state == REPLICA_COPYING       ? HOLDS_COPIES
               : r->role == TERM_LEADER && r->up ? HOLDS_LEADS
               : r->role == TERM_CANDIDATE       ? HOLDS_STANDS
                                                 : HOLDS_FOLLOWS;
    }
    return HOLDS_NOTHING;
}

/* Who has no leader, two, or a copy that is down or being made. */
static bool odd(const struct noded *n, uint32_t index)
{
    struct group_info g = world_group(n->w, index);
    bool is = g.leaderless_since_us >= 0 || g.leaders > 1;
    for (uint32_t k = 0; k < g.replicas; k++) {
        is = is || g.replica[k].state == REPLICA_COPYING || !g.replica[k].up;
    }
    return is;
}

void noded_odd_first(struct noded *n)
{
    uint32_t at = 0;
    for (int pass = 0; pass < 2 && !n->asking; pass++) {
        for (uint32_t i = 0; i < n->groups && i < NODED_SORTED; i++) {
            bool first = i + 1 == n->about || odd(n, i);
            if (first == (pass == 0)) {
                n->row[at++] = i;
            }
        }
    }
}

/* --- words --------------------------------------------------------------------------------- */

enum style noded_add_groups(struct str *out, const struct noded *n)
{
    if (n->groups == 0 || n->asking) {
        str_addf(out, "%u node%s", (unsigned)n->nodes, view_plural(n->nodes));
        if (n->groups == 0) {
            str_add(out, n->aside ? "" : ", no shard yet");
        } else {
            str_addf(out, ", %u shard%s", (unsigned)n->groups, view_plural(n->groups));
        }
        return STYLE_DIM;
    }
    uint32_t leaderless = 0, two = 0, thin = 0, copying = 0;
    for (uint32_t i = 0; i < n->groups; i++) {
        struct group_info g = world_group(n->w, i);
        bool down = false;
        leaderless += g.leaderless_since_us >= 0; /* or with one that reaches no majority */
        two += g.leaders > 1;
        for (uint32_t k = 0; k < g.replicas; k++) {
            const struct replica_info *r = &g.replica[k];
            down = down || (r->state != REPLICA_COPYING && !r->up);
            copying += r->state == REPLICA_COPYING;
        }
        thin += down;
    }
    if (leaderless + two + thin + copying == 0) {
        str_addf(out, "%u shard%s, each led, all copies up", (unsigned)n->groups,
                 view_plural(n->groups));
        return STYLE_GOOD;
    }
    const char *between = "";
    if (leaderless > 0) {
        str_addf(out, "%u of %u shards without a working leader", (unsigned)leaderless,
                 (unsigned)n->groups);
        between = ", ";
    }
    if (two > 0) {
        str_addf(out, "%s%u of %u shards with TWO that lead", between, (unsigned)two,
                 (unsigned)n->groups);
        between = ", ";
    }
    if (thin > 0) {
        str_addf(out,
                 leaderless + two > 0 ? "%s%u with a copy that is down"
                                      : "%s%u of %u shards with a copy that is down",
                 between, (unsigned)thin, (unsigned)n->groups);
        between = ", ";
    }
    if (copying > 0) {
        str_addf(out, "%s%u cop%s being made anew", between, (unsigned)copying,
                 copying == 1 ? "y" : "ies");
    }
    return leaderless + two > 0 ? STYLE_BAD : STYLE_WARN;
}

/* "up", "down", "down, and nobody has noticed", "up, and believed dead" */
static enum style noded_add_state(struct str *out, const struct noded *n, uint32_t node)
{
    bool down = n->info[node].down, dead = noded_dead(n, node);
    str_add(out, down ? "down" : "up");
    if (dead && !down) {
        str_add(out, ", but believed dead");
    } else if (dead) {
        str_add(out, ", believed dead");
    } else if (down && n->watched) {
        str_add(out, ", not noticed yet");
    }
    if (n->info[node].cut_off && !down) {
        str_add(out, ", cut off");
    }
    return down ? STYLE_BAD : dead || n->info[node].cut_off ? STYLE_WARN : STYLE_TEXT;
}

void noded_add_odd(struct str *out, const struct noded *n)
{
    bool any = false;
    for (uint32_t i = 0; i < n->nodes; i++) {
        uint32_t node = n->order[i];
        if (!n->info[node].down && !noded_dead(n, node)) {
            continue;
        }
        str_add(out, any ? "; " : "");
        across_add_node(out, node);
        str_add(out, " is ");
        (void)noded_add_state(out, n, node);
        any = true;
    }
    if (n->cut) {
        str_addf(out, "%sthe network is cut", any ? "; " : "");
        any = true;
    }
    if (!any) {
        str_add(out, "every node is up");
    }
}

void noded_add_node(struct str *out, const struct noded *n, uint32_t node)
{
    struct node_holds holds = world_node_holds(n->w, node);
    across_add_node(out, node);
    str_add(out, ", ");
    across_add_zone(out, n->info[node].zone);
    str_add(out, ": ");
    (void)noded_add_state(out, n, node);
    if (n->asking) { /* what can be counted is left to count */
        return;
    }
    str_addf(out, "; %u cop%s, leads %u", (unsigned)holds.replicas,
             holds.replicas == 1 ? "y" : "ies", (unsigned)holds.leads);
    if (holds.copying > 0) {
        str_addf(out, ", takes %u", (unsigned)holds.copying);
    }
    if (node_load(n->w, node) > 0) {
        str_addf(out, ", %s%% of its link",
                 num_ratio((int64_t)node_load(n->w, node), 1000, 0).text);
    }
    if (n->info[node].slow > 1) {
        str_addf(out, ", %s times as slow", num_grouped(n->info[node].slow).text);
    }
}

/* --- told ---------------------------------------------------------------------------------- */

static void tell_group(struct str *out, const struct noded *n, uint32_t index)
{
    static const char *const words[] = {[HOLDS_NOTHING] = "",
                                        [HOLDS_LEADS] = " leads",
                                        [HOLDS_FOLLOWS] = " follows",
                                        [HOLDS_STANDS] = " stands for election",
                                        [HOLDS_COPIES] = " takes its copy"};
    struct group_info g = world_group(n->w, index);
    struct str line = STR_EMPTY;
    view_add_key(&line, bytes_of(g.name));
    const char *between = ": ";
    for (uint32_t i = 0; i < n->nodes; i++) {
        uint32_t node = n->order[i];
        enum holds holds = noded_holds(&g, node);
        if (holds != HOLDS_NOTHING) {
            str_add(&line, between);
            across_add_node(&line, node);
            str_add(&line, n->info[node].down ? " is down" : words[holds]);
            between = ", ";
        }
    }
    across_tell_note(out, str_text(&line));
    str_free(&line);
}

void noded_tell(struct str *out, const struct scene *s, const struct view_state *v)
{
    struct noded n;
    struct str line = STR_EMPTY;
    (void)v;
    if (!noded_open(&n, s)) {
        across_tell_note(out,
                         s->world == NULL ? "there is no cluster here" : "there is no node yet");
        return;
    }
    (void)noded_add_groups(&line, &n);
    str_add(&line, "; ");
    noded_add_odd(&line, &n);
    across_tell_note(out, str_text(&line));
    for (uint32_t i = 0; i < n.nodes; i++) {
        str_clear(&line);
        if (i > 0 && n.info[n.order[i - 1]].side != n.info[n.order[i]].side) {
            across_tell(out, "The network is cut here.");
        }
        noded_add_node(&line, &n, n.order[i]);
        across_tell_note(out, str_text(&line));
    }
    for (uint32_t i = 0; i < n.groups; i++) {
        tell_group(out, &n, i);
    }
    str_free(&line);
}
