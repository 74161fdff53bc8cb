/*
 * story_print: see story_print.h. A report is a small table of shards, then its figures.
 */
#include "app/cmd/story_print.h"

#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "base/str.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROW_LEFT 5 /* columns before the text of a row of the table */
#define MANY_SHARDS 8

/* --- text --- */

static void print_wrapped(const char *text, int left)
{
    struct str lines = STR_EMPTY;
    prose_plain(&lines, text, PROSE_MEASURE, left);
    cli_write(stdout, str_text(&lines), lines.length);
    str_free(&lines);
}

static void print_head(const struct story_event *event, const char *moment)
{
    printf("%-12s  %s%s%s%s\n", event->at, event->id, event->copy ? " (on a copy)" : "",
           moment ? "  " : "", moment ? moment : "");
    print_wrapped(event->what, 4);
    if (event->moment) {
        print_wrapped(event->moment, 4);
    }
}

static void add_share(struct str *out, uint64_t asked, uint32_t ceiling)
{
    if (ceiling == 0) {
        str_add(out, "-");
    } else {
        str_addf(out, "%s%%", num_ratio((int64_t)asked, ceiling, 0).text);
    }
}

static void print_shard(const struct scene_report *r, uint32_t i)
{
    const struct shard_rates *s = &r->shard[i];
    struct str writes = STR_EMPTY;
    struct str reads = STR_EMPTY;
    add_share(&writes, s->writes, r->write_ceiling[i]);
    add_share(&reads, s->reads, r->read_ceiling[i]);
    printf("    S%-3" PRIu32 " %8s  %5s  %8s  %5s  %8s  %8s  %8s\n", i,
           num_grouped((int64_t)s->writes).text, str_text(&writes),
           num_grouped((int64_t)s->reads).text, str_text(&reads),
           num_grouped((int64_t)(s->served_writes + s->served_reads)).text,
           num_grouped((int64_t)(s->refused_writes + s->refused_reads)).text,
           num_grouped((int64_t)(s->turned_writes + s->turned_reads)).text);
    str_free(&writes);
    str_free(&reads);
}

static bool is_idle(const struct shard_rates *s)
{
    return s->writes + s->reads + s->served_writes + s->served_reads == 0;
}

/* Of very many shards only those that are asked for something. */
static void print_shards(const struct scene_report *r)
{
    uint32_t idle = 0;
    printf("    %-4s %8s  %5s  %8s  %5s  %8s  %8s  %8s\n", "", "writes/s", "", "reads/s", "",
           "served", "refused", "429, 503");
    for (uint32_t i = 0; i < r->shards; i++) {
        if (r->shards > MANY_SHARDS && is_idle(&r->shard[i])) {
            idle++;
        } else {
            print_shard(r, i);
        }
    }
    if (idle > 0) {
        printf("    and %" PRIu32 " shards that are asked for nothing\n", idle);
    }
}

/* 13,000 thousandths are "13", 6,512 are "6.512"; of a hundred or more nobody reads the rest. */
static void add_thousandths(struct str *out, int64_t value)
{
    if (value >= 100000) {
        value = (value + 500) / 1000 * 1000;
    }
    if (value < 0) {
        str_add(out, "-");
        value = -value;
    }
    str_add(out, num_grouped(value / 1000).text);
    if (value % 1000 != 0) {
        char part[8];
        snprintf(part, sizeof part, ".%03d", (int)(value % 1000));
        size_t length = strlen(part);
        while (part[length - 1] == '0') {
            part[--length] = '\0';
        }
        str_add(out, part);
    }
}

static void print_report(const struct scene_report *r)
{
    putchar('\n');
    if (r->title[0] != '\0') {
        print_wrapped(r->title, 4);
    }
    if (r->shards > 0) {
        print_shards(r);
    }
    for (size_t i = 0; i < r->figures; i++) {
        struct str value = STR_EMPTY;
        add_thousandths(&value, r->figure[i].thousandths);
        const char *unit = r->figure[i].unit;
        size_t length = strlen(unit);
        bool one = r->figure[i].thousandths == 1000 && length > 2 && unit[length - 1] == 's' &&
                   strchr(unit, '/') == NULL; /* 1 like, 2 likes */
        printf("    %10s %-9.*s  %s\n", str_text(&value), (int)(one ? length - 1 : length), unit,
               r->figure[i].what);
        str_free(&value);
    }
}

/* --- JSON --- */

static json_t *shard_json(const struct scene_report *r, uint32_t i)
{
    const struct shard_rates *s = &r->shard[i];
    json_t *line = json_line();
    char id[16];
    snprintf(id, sizeof id, "S%" PRIu32, i);
    json_set_text(line, "id", id);
    json_set_whole(line, "writes", (int64_t)s->writes);
    json_set_whole(line, "reads", (int64_t)s->reads);
    if (r->write_ceiling[i] > 0) {
        json_set_ratio(line, "write_pct", 100.0 * (double)s->writes / r->write_ceiling[i]);
    }
    if (r->read_ceiling[i] > 0) {
        json_set_ratio(line, "read_pct", 100.0 * (double)s->reads / r->read_ceiling[i]);
    }
    json_set_whole(line, "served", (int64_t)(s->served_writes + s->served_reads));
    json_set_whole(line, "refused", (int64_t)(s->refused_writes + s->refused_reads));
    json_set_whole(line, "turned_away", (int64_t)(s->turned_writes + s->turned_reads));
    return line;
}

static void print_json(const struct story_event *event, const char *moment,
                       const struct scene_report *r)
{
    json_t *line = json_line();
    json_t *shards = json_array();
    json_t *figures = json_array();
    json_set_text(line, "t", num_clock(r->at_us).text);
    json_set_text(line, "event", event->id);
    json_set_text(line, "what", event->what);
    json_set(line, "look_at", event->moment ? json_string(event->moment) : json_null());
    if (moment) {
        json_set_text(line, "moment", moment);
    }
    if (r->title[0] != '\0') {
        json_set_text(line, "report", r->title);
    }
    for (uint32_t i = 0; i < r->shards; i++) {
        json_push(shards, shard_json(r, i));
    }
    json_set(line, "shards", shards);
    json_set_whole(line, "map_version", r->map_version);
    for (size_t i = 0; i < r->figures; i++) {
        json_t *figure = json_line();
        json_set_text(figure, "what", r->figure[i].what);
        json_set_ratio(figure, "value", (double)r->figure[i].thousandths / 1000);
        json_set_text(figure, "unit", r->figure[i].unit);
        json_push(figures, figure);
    }
    json_set(line, "figures", figures);
    json_print(line);
}

/* --- both --- */

void story_print_legend(void)
{
    print_wrapped(
        "The tables: what every shard is asked for in the second that begins at that time, and how "
        "much that is of its ceiling (1,000 writes and 3,000 reads a second, unless an event "
        "says otherwise). A shard serves what it can and refuses the rest; a tenth of a second's "
        "worth "
        "may be saved up. 429 and 503 are the routers' own answers, before any shard is asked. "
        "What is under "
        "way when the second ends counts in the next.",
        0);
    putchar('\n');
}

void story_print_event(const struct story_event *event, const char *moment,
                       const struct scene_report *report, size_t reports, bool json)
{
    if (!json) {
        print_head(event, moment);
    }
    for (size_t i = 0; i < reports; i++) {
        if (json) {
            print_json(event, moment, &report[i]);
        } else {
            print_report(&report[i]);
        }
    }
}

static void print_row(const struct story_event *event, bool json)
{
    if (json) {
        json_t *line = json_line();
        json_set_text(line, "t", num_clock(story_event_time(event)).text);
        json_set_text(line, "event", event->id);
        json_set_text(line, "what", event->what);
        json_set(line, "copy", json_boolean(event->copy));
        json_set(line, "look_at", event->moment ? json_string(event->moment) : json_null());
        json_print(line);
        return;
    }
    printf("%-3s  %s%s\n", event->id, event->at, event->copy ? ", on a copy" : "");
    print_wrapped(event->what, ROW_LEFT);
    if (event->moment) {
        print_wrapped(event->moment, ROW_LEFT);
    }
}

void story_print_table(bool json)
{
    for (const struct story_event *e = story_events(); e->id != NULL; e++) {
        print_row(e, json);
    }
}
