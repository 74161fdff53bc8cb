/*
 * view: the table of all views.
 */
#include "view/view.h"

#include <string.h>

static const struct view *const all[] = {
    &view_slot_map,  &view_bars,     &view_trace,   &view_crc16,      &view_maps,    &view_grid,
    &view_ring,      &view_ranges,   &view_maglev,  &view_rendezvous, &view_schemes, &view_layouts,
    &view_waterfall, &view_cache,    &view_latency, &view_bucket,     &view_counter, &view_top,
    &view_table,     &view_heat,     &view_system,  &view_move,       &view_log,     &view_tables,
    &view_copies,    &view_dual,     &view_ask,     &view_scatter,    &view_zones,   &view_catalog,
    &view_txn,       &view_replicas, &view_nodes,   &view_store,      &view_phi,     &view_fleet,
    &view_systems,   &view_parts,    &view_lineage, &view_machines,   &view_group,   &view_card,
    &view_readout,   &view_workers,  &view_vectors, &view_worksheet,  &view_cheat};

const struct view *view_at(size_t index)
{
    return index < sizeof all / sizeof all[0] ? all[index] : NULL;
}

const struct view *view_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(all[i]->name, name) == 0) {
            return all[i];
        }
    }
    return NULL;
}
