/*
 * cmd_story: `hotshard story [EVENT]` plays the running example, `hotshard snapshot MOMENT` shows
 * one moment of it.
 */
#include "app/cmd/cli.h"
#include "app/cmd/story_print.h"
#include "base/alloc.h"
#include "story/story.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(const struct story_play *play, const struct story_event *event, bool json)
{
    struct scene_report *report = xcalloc(1, sizeof *report);
    struct world *scratch = world_copy(play->world);
    report->at_us = world_now(play->world);
    report->map_version = world_map_version(play->world);
    scene_report_here(play, event, scratch, report);
    story_print_event(event, NULL, report, 1, json);
    if (!json) {
        putchar('\n');
    }
    world_free(scratch);
    free(report);
}

/* The main line, told at each of its events; then how it is at `until`. */
static int play_through(const struct cli *cli, int64_t until)
{
    static const struct story_event at_last = {"end", "", "Here the story stops.", NULL, false};
    struct err err;
    struct story_play play;
    if (!story_play_start(&play, cli->options.seed, &err)) {
        return cli_fail(&err);
    }
    bool good = true;
    int64_t told = -1;
    if (!cli->options.json) {
        story_print_legend();
    }
    for (const struct story_event *e = story_events(); good && e->id != NULL; e++) {
        int64_t at = story_event_time(e);
        if (e->copy || at > until) {
            continue;
        }
        good = story_play_until(&play, at, &err);
        if (good) {
            tell(&play, e, cli->options.json);
            told = at;
        }
    }
    good = good && story_play_until(&play, until, &err);
    if (good && told < until) {
        struct story_event end = at_last;
        struct num_text clock = num_clock(until);
        end.at = clock.text;
        tell(&play, &end, cli->options.json);
    }
    story_play_end(&play);
    return good ? CLI_YES : cli_fail(&err);
}

static int open_event(const struct cli *cli, const char *id)
{
    struct err err;
    const struct story_event *event = story_event_find(id, &err);
    if (!event) {
        return cli_fail(&err);
    }
    struct scene *scene = xcalloc(1, sizeof *scene);
    bool good = scene_play(id, cli->options.seed, scene, &err);
    if (good) {
        story_print_event(event, NULL, scene->report, scene->reports, cli->options.json);
    }
    free(scene);
    return good ? CLI_YES : cli_fail(&err);
}

static int run_story(struct cli *cli)
{
    struct err err;
    int64_t until = STORY_END_US;
    const char *time = cli_value(cli, "until");
    if (cli->arguments > 1) {
        return cli_usage(cli, "one event at a time can be opened");
    }
    if (cli_has(cli, "events")) {
        if (cli->arguments > 0 || time) {
            return cli_usage(cli, "--events lists all events and takes nothing beside it");
        }
        story_print_table(cli->options.json);
        return CLI_YES;
    }
    if (time && !num_parse_clock(time, &until, &err)) {
        return cli_fail(&err);
    }
    if (until < STORY_START_US || until > STORY_END_US) {
        return cli_usage(cli, "the story plays from 20:00:00 to 20:20:00, not at %s", time);
    }
    if (cli->arguments == 1) {
        return time ? cli_usage(cli, "an event has its own time; leave --until out")
                    : open_event(cli, cli->argument[0]);
    }
    return play_through(cli, until);
}

static int run_snapshot(struct cli *cli)
{
    struct err err;
    if (cli->arguments != 1) {
        return cli_usage(cli, "name one moment, M1 to M6");
    }
    const char *name = cli->argument[0];
    struct scene *scene = xcalloc(1, sizeof *scene);
    bool good = scene_of_moment(name, cli->options.seed, scene, &err);
    for (const struct story_moment *m = story_moments(); good && m->name != NULL; m++) {
        if (strcmp(m->name, name) == 0) {
            /* of several reports the last is the moment itself */
            size_t last = scene->reports - 1;
            story_print_event(story_event_find(m->event, NULL), m->name, &scene->report[last], 1,
                              cli->options.json);
        }
    }
    free(scene);
    return good ? CLI_YES : cli_fail(&err);
}

static const struct cli_option story_options[] = {
    {"until", "TIME", "stop at this time of the story's clock, 20:05:00"},
    {"events", NULL, "list all events, and play nothing"},
    {NULL, NULL, NULL},
};

const struct cli_command command_story = {
    .name = "story",
    .arguments = "[EVENT]",
    .about = "the running example, played from 20:00 to 20:20",
    .help =
        "Plays the story request by request and tells at each event what every shard is asked\n"
        "for in the second that begins there, of its ceilings, and what it serves and refuses.\n"
        "With EVENT, an id of --events, opens that one: what happens at it, or what would happen\n"
        "on a copy of the cluster, measured.\n"
        "\n"
        "  hotshard story --until 20:05:00\n"
        "  hotshard story 7b\n"
        "\n"
        "JSON, one line a report: t, event, what, look_at, report, shards (id, writes, reads,\n"
        "write_pct, read_pct, served, refused, turned_away), map_version, figures (what, value,\n"
        "unit). With --events: t, event, what, copy, look_at.",
    .option = story_options,
    .run = run_story,
};

const struct cli_command command_snapshot = {
    .name = "snapshot",
    .arguments = "MOMENT",
    .about = "one moment of the story: M1 to M6",
    .help =
        "Plays the story to a moment and prints what every shard is asked for in the second that\n"
        "begins there. M1 the baseline, M2 a hot key, M3 both fixes, M4 a fifth shard on day 2,\n"
        "M5 the hot slot on a shard of its own, M6 a query over all shards.\n"
        "\n"
        "  hotshard snapshot M2\n"
        "\n"
        "JSON: as `story`, and moment.",
    .run = run_snapshot,
};
