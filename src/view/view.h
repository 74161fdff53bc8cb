/*
 * view: one picture of the world (or page), in cells and in words.
 *
 * A view is a constant table of functions over a scene. It draws into the current frame of a canvas
 * at whatever size that has (from 30x6 up), keeps its own small state (scroll, selection, zoom) in
 * a plain struct that the app owns, never changes the world and never touches the terminal. Every
 * view can be told in sentences and tables: that text alone suffices to answer the question beside
 * it.
 */
#ifndef HOTSHARD_VIEW_VIEW_H
#define HOTSHARD_VIEW_VIEW_H

#include "draw/canvas.h"
#include "engine/rates.h"
#include "lesson/page.h"

/* What a view may look at; all borrowed. */
struct scene {
    const struct world *world;  /* NULL in drills without one */
    const struct world *before; /* as the step was entered: for diffs */
    const struct rates *rates;
    const struct page *page;
    /* Changes of placement: the page's, or the playground's. */
    const struct page_placing *placing;
    size_t placings;
    const struct page_experiment *experiment; /* NULL: none */
};

enum verb {
    VERB_NONE,
    VERB_UP,
    VERB_DOWN,
    VERB_LEFT,
    VERB_RIGHT,
    VERB_PAGE_UP,
    VERB_PAGE_DOWN,
    VERB_FIRST,
    VERB_LAST,
    VERB_ZOOM_IN,
    VERB_ZOOM_OUT
};

/* A pane's own state. Zeroed is a good start. */
struct view_state {
    const char *argument; /* of the page_show: "" or a key, slot, router */
    int64_t selected;     /* a slot, a shard, a trace sequence ...; meaning by view */
    bool has_selection;
    int64_t scroll; /* first visible item; for the trace, rows back from the newest */
    int zoom;       /* 0 whole, 1, 2 ... closer */
    bool diff;      /* slot map: against scene.before */
};

/* A thing that can be asked "why". */
enum subject_kind {
    SUBJECT_NONE,
    SUBJECT_KEY,
    SUBJECT_SLOT,
    SUBJECT_SHARD,
    SUBJECT_ROUTER,
    SUBJECT_RECORD,
    SUBJECT_SYSTEM
};
struct subject {
    enum subject_kind kind;
    uint64_t id; /* key id, slot, shard, router, trace sequence; see managed_subject */
};

struct view {
    const char *name;  /* as lessons write it: "slot_map" */
    const char *title; /* of its pane */
    int min_rows;
    int want_rows; /* with more it has little more to show */
    /* Rows that what it shows now needs; fewer than min_rows where another picture could use
     * them. NULL: min_rows. */
    int (*wants)(const struct scene *s, const struct view_state *v);
    void (*draw)(struct canvas *c, const struct scene *s, const struct view_state *v, bool focused);
    /* True when the verb did something; clamps itself. */
    bool (*move)(struct view_state *v, const struct scene *s, enum verb verb, int columns,
                 int rows);
    void (*tell)(struct str *out, const struct scene *s, const struct view_state *v);
    struct subject (*subject)(const struct view_state *v,
                              const struct scene *s); /* what is selected */
};

const struct view *view_by_name(const char *name); /* NULL if there is none */
const struct view *view_at(size_t index);          /* NULL beyond the last */

/* slot_map, bars, trace, crc16, maps, grid, ring, ranges, maglev, rendezvous, schemes, layouts:
 * each in its file view/<name>.c. The last six draw scene.placing: the first one, or the one that
 * the argument numbers from 1 ("ring:2"); schemes compares all of them, layouts the experiment. */
extern const struct view view_slot_map;
extern const struct view view_bars;
extern const struct view view_trace;
extern const struct view view_crc16;
extern const struct view view_maps;
extern const struct view view_grid;
extern const struct view view_ring;
extern const struct view view_ranges;
extern const struct view view_maglev;
extern const struct view view_rendezvous;
extern const struct view view_schemes;
extern const struct view view_layouts;
/* Of the world, what is asked of it: top (the hottest keys of the sample, with their errors), cache
 * (one key's answers at each router, fresh and stale), waterfall (who waited for which query),
 * latency (how long requests took; of a key, of "reads", of "writes"), bucket (tokens of a key's or
 * tenant's limit, or of the ceilings), counter (a count, its sub-keys, buffers and rows), system
 * (everything at one glance, with scene.rates). Of the page: table, heat. */
extern const struct view view_waterfall;
extern const struct view view_cache;
extern const struct view view_latency;
extern const struct view view_bucket;
extern const struct view view_counter;
extern const struct view view_top;
extern const struct view view_table;
extern const struct view view_heat;
extern const struct view view_system;
/* Of one slot on its way (view/moving.h says which): move (the stages of its move, and the promise
 * that one shard accepts it and holds every write), log (the source's log and how far the target
 * has applied it), tables (slot tables, directory, maps), copies (two copies key by key), dual
 * (versions in two stores), ask (keys that go over one by one). */
extern const struct view view_move;
extern const struct view view_log;
extern const struct view view_tables;
extern const struct view view_copies;
extern const struct view view_dual;
extern const struct view view_ask;
/* Of more than one shard: scatter (a query over all shards: the answer waits for the slowest),
 * zones (which of its answers cross, and what that costs), catalog (rows beside their index), txn
 * (a transaction over time). Of nodes: replicas (the logs of one shard's copies), nodes (all of
 * them, and what each holds), store (versions of a key without a leader), phi (heartbeats). fleet:
 * the routers against their capacity. Their arguments name a query, a catalog, a transaction, a
 * group, "cart:x"; without one they show what was touched last. */
extern const struct view view_scatter;
extern const struct view view_zones;
extern const struct view view_catalog;
extern const struct view view_txn;
extern const struct view view_replicas;
extern const struct view view_nodes;
extern const struct view view_store;
extern const struct view view_phi;
extern const struct view view_fleet;
/* Of systems that people run (engine/systems/systems.h; view/managed.h): systems (all that are on,
 * side by side); of one, which the argument names ("parts:kinesis"): parts (what each is asked for,
 * against its limit), lineage (parents, children, and how far their readers are), machines (who
 * leads and keeps what), group (who reads what), card (what is documented, what the model leaves
 * out). */
extern const struct view view_systems;
extern const struct view view_parts;
extern const struct view view_lineage;
extern const struct view view_machines;
extern const struct view view_group;
extern const struct view view_card;
/* Of the page: workers (work dealt to workers who wait for the slowest). */
extern const struct view view_workers;
extern const struct view view_worksheet; /* a calculator of `hotshard size` */
extern const struct view view_cheat;     /* the lesson's card */
/* What an operator's tool prints of this world, word for word (tools/readout.h):
 * "readout:cluster-check", "readout:cluster-nodes:S2" ... */
extern const struct view view_readout;
/* Of the page: a search among embeddings, on a map (place/ivf.h, place/graph.h). */
extern const struct view view_vectors;

#endif
