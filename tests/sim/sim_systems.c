/*
 * sim_systems: the systems that people run, under random commands.
 *
 * Each is switched on with so many parts and machines, cut, joined, moved and set, its machines die
 * and come back, and writes of a series come on top of the clients' requests. Numbers of parts and
 * machines are often none that there are: refused commands must change nothing. In the end all
 * machines are up, and all parts are served.
 */
#include "sim_ops.h"

#include "engine/systems/systems.h"
#include <stdio.h>

static void draw_systems(struct sim *s)
{
    s->config.systems_max = 1;
    s->config.events_max += 512;
}

static const char *any_name(struct sim *s, uint8_t *system)
{
    *system = (uint8_t)more_below(s, SYSTEMS);
    return system_words((enum system_id) * system)->name;
}

static bool begin(struct sim *s, const char *name)
{
    uint32_t parts = 1 + more_below(s, 8);
    uint32_t machines = 1 + more_below(s, 8);
    return more_below(s, 2) == 0 ? sim_do(s, "system %s on", name)
                                 : sim_do(s, "system %s on %u %u", name, parts, machines);
}

/* The number of a part that there is, mostly. */
static uint32_t any_part(struct sim *s, uint8_t system)
{
    uint32_t count = world_system_parts(s->world, (enum system_id)system);
    uint32_t number = more_below(s, 40);
    uint32_t wild = more_below(s, 8);
    if (wild == 0 || count == 0) {
        return number;
    }
    return world_system_part(s->world, (enum system_id)system, number % count).number;
}

static bool set(struct sim *s, const char *name, uint8_t system)
{
    uint32_t which = more_below(s, SYSTEM_SETTINGS);
    uint32_t value = more_below(s, 3000);
    const struct system_setting_info *info = system_setting((enum system_id)system, which);
    if (info == NULL) {
        info = system_setting((enum system_id)system, 0);
    }
    if (info == NULL) {
        return false;
    }
    if (info->choices != NULL) {
        return sim_do(s, "system %s set %s %s", name, info->name,
                      info->choices[value % info->count]);
    }
    uint32_t span = info->most - info->least + 1;
    uint32_t small = value % 60; /* so small that the seed's few requests reach it */
    value = more_below(s, 4) == 0 ? value : small;
    return sim_do(s, "system %s set %s %u", name, info->name,
                  info->least + (span == 0 ? value : value % span));
}

static bool series(struct sim *s)
{
    uint32_t rate = more_below(s, 4) * more_below(s, 300);
    uint32_t bytes = 1 + more_below(s, 1000000);
    return more_below(s, 2) == 0 ? sim_do(s, "series log %u", rate)
                                 : sim_do(s, "series log %u bytes %u", rate, bytes);
}

static bool act_on_parts(struct sim *s, const char *name, uint8_t system, uint32_t what)
{
    uint32_t part = any_part(s, system);
    uint32_t other = any_part(s, system);
    uint32_t machine = more_below(s, 9);
    switch (what) {
    case 0:
        return sim_do(s, "system %s parts %u", name, 1 + more_below(s, 34));
    case 1:
        return sim_do(s, "system %s cut %u", name, part);
    case 2:
        return sim_do(s, "system %s cut %u k%u", name, part, machine);
    case 3:
        return sim_do(s, "system %s join %u %u", name, part, other);
    default:
        return sim_do(s, "system %s move %u %u", name, part, machine);
    }
}

static bool act_systems(struct sim *s)
{
    uint8_t system;
    const char *name = any_name(s, &system);
    uint32_t what = more_below(s, 40);
    uint32_t machine = more_below(s, 9);
    if (what == 0) {
        return sim_do(s, "system all on");
    }
    if (what == 1) {
        return series(s);
    }
    if (!world_system_on(s->world, (enum system_id)system) || what == 2) {
        return begin(s, name);
    }
    if (what >= 3 && what < 18) {
        return act_on_parts(s, name, system, what % 5);
    }
    switch (what) {
    case 18:
        return more_below(s, 6) == 0 && sim_do(s, "system %s off", name);
    case 19:
    case 20:
        return sim_do(s, "system %s balance", name);
    case 21:
    case 22:
        return sim_do(s, "system %s grow", name);
    case 23:
        return sim_do(s, "system all %s",
                      machine < 3   ? "grow"
                      : machine < 6 ? "balance"
                                    : "parts 6");
    case 24:
        return sim_do(s, "system all down %u", machine);
    case 25:
        return sim_do(s, "system all up %u", machine);
    default:
        break;
    }
    if (what < 30) {
        return sim_do(s, "system %s down %u", name, machine);
    }
    return what < 34 ? sim_do(s, "system %s up %u", name, machine) : set(s, name, system);
}

/* Who is down comes back; what is on stays on for a while, and then nothing is. */
static void calm_systems(struct sim *s)
{
    (void)sim_do(s, "series log 0");
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        if (!world_system_on(s->world, (enum system_id)system)) {
            continue;
        }
        const char *name = system_words((enum system_id)system)->name;
        uint32_t machines = world_system(s->world, (enum system_id)system).machines;
        for (uint32_t machine = 0; machine < machines; machine++) {
            if (world_system_machine(s->world, (enum system_id)system, machine).down) {
                (void)sim_do(s, "system %s up %u", name, machine);
            }
        }
    }
}

static bool systems_rest(struct sim *s)
{
    for (uint8_t system = 0; system < SYSTEMS; system++) {
        uint32_t parts = world_system_parts(s->world, (enum system_id)system);
        for (uint32_t i = 0; i < parts; i++) {
            struct part_info p = world_system_part(s->world, (enum system_id)system, i);
            if (p.state == PART_OPEN && p.away_us == INT64_MAX) {
                return err_set(&s->err,
                               "all-served: all machines are up, and part %u of %s is away",
                               p.number, system_words((enum system_id)system)->name);
            }
        }
    }
    return true;
}

const struct sim_extra sim_extra_systems = {.name = "systems",
                                            .draw = draw_systems,
                                            .act = act_systems,
                                            .calm = calm_systems,
                                            .rests = systems_rest};
