/*
 * plan_print: see plan_print.h.
 */
#include "app/plan_print.h"
#include "app/json.h"
#include "base/num.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TEXT_COLUMNS 80
#define SHARD_ROWS_MAX 16 /* more shards than that are summed up in a sentence */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_table(const struct plan_row *row, size_t rows)
{
    printf("%-8s%-8s%11s%8s%13s%13s%9s\n", "scheme", "hash", "keys moved", "share", "from shards",
           "busiest/avg", "lookup");
    for (size_t i = 0; i < rows; i++) {
        const struct plan_result *r = &row[i].result;
        char from[40];
        char share[40];
        snprintf(from, sizeof from, "%" PRIu32 " of %" PRIu32, r->from_shards,
                 layout_shards(r->before));
        snprintf(share, sizeof share, "%s%%",
                 num_ratio((int64_t)r->moved, (int64_t)r->keys, 1).text);
        printf("%-8s%-8s%11s%8s%13s%13.2f%6.1f ns\n", row[i].scheme->scheme->name,
               hash_name(row[i].scheme->params.hash), num_grouped((int64_t)r->moved).text, share,
               from, r->over_average_after, row[i].lookup_ns);
    }
}

/* How many slots changed owner. */
static uint32_t slots_moved(const struct plan_result *r)
{
    uint32_t moved = 0;
    for (uint32_t slot = 0; slot < layout_slot_count(r->before); slot++) {
        if (layout_slot_owner(r->before, slot) != layout_slot_owner(r->after, slot)) {
            moved++;
        }
    }
    return moved;
}

static void say_scheme(const struct plan_row *row, struct str *out)
{
    const struct plan_result *r = &row->result;
    uint32_t slots = layout_slot_count(r->before);
    str_addf(out, "%s: %s of %s keys change shard (%s%%). ", row->scheme->scheme->name,
             num_grouped((int64_t)r->moved).text, num_grouped((int64_t)r->keys).text,
             num_ratio((int64_t)r->moved, (int64_t)r->keys, 1).text);
    if (slots == 0) {
        str_addf(out,
                 "The shard is the hash modulo the number of shards: modulo %" PRIu32
                 " and modulo %" PRIu32 " rarely agree, so most keys are dealt anew.",
                 layout_shards(r->before), layout_shards(r->after));
    } else {
        str_addf(out,
                 "A key's slot never changes; %s of %s slot%s went to another shard and took "
                 "their keys along.",
                 num_grouped(slots_moved(r)).text, num_grouped(slots).text, plural(slots));
    }
    str_addf(out, " A router keeps %s bytes for it.\n\n", num_grouped((int64_t)r->memory).text);
}

static void print_sentences(const struct plan_row *row, size_t rows,
                            const struct plan_change *change)
{
    struct str text = STR_EMPTY;
    struct str wrapped = STR_EMPTY;
    for (size_t i = 0; i < rows; i++) {
        say_scheme(&row[i], &text);
    }
    str_addf(&text, "Shards that stay equally full need about %s%% of the keys to move.",
             num_ratio((int64_t)plan_least_ppm(change), 1000000, 1).text);
    prose_plain(&wrapped, str_text(&text), TEXT_COLUMNS, 0);
    puts(str_text(&wrapped));
    str_free(&wrapped);
    str_free(&text);
}

static void print_shard_cells(const struct plan_shard *shard)
{
    printf("%11s%9s%8s%8s", shard->in_before ? num_grouped((int64_t)shard->before).text : "-",
           shard->in_after ? num_grouped((int64_t)shard->after).text : "-",
           num_grouped((int64_t)shard->given).text, num_grouped((int64_t)shard->taken).text);
}

static void print_shard_table(const struct plan_row *row, size_t rows)
{
    const struct plan_result *first = &row[0].result;
    printf("%-6s", "");
    for (size_t i = 0; i < rows; i++) {
        printf("%11s%*s", row[i].scheme->scheme->name, i + 1 < rows ? 25 : 0, "");
    }
    printf("\n%-6s", "shard");
    for (size_t i = 0; i < rows; i++) {
        printf("%11s%9s%8s%8s", "before", "after", "gave", "took");
    }
    putchar('\n');
    for (size_t s = 0; s < first->shards; s++) {
        char id[16];
        snprintf(id, sizeof id, "S%" PRIu32, first->shard[s].id);
        printf("%-6s", id);
        for (size_t i = 0; i < rows; i++) {
            print_shard_cells(&row[i].result.shard[s]);
        }
        putchar('\n');
    }
}

static void print_shard_sentence(const struct plan_row *row)
{
    const struct plan_result *r = &row->result;
    const struct plan_shard *busiest = NULL;
    const struct plan_shard *emptiest = NULL;
    for (size_t s = 0; s < r->shards; s++) {
        const struct plan_shard *shard = &r->shard[s];
        if (!shard->in_after) {
            continue;
        }
        busiest = !busiest || shard->after > busiest->after ? shard : busiest;
        emptiest = !emptiest || shard->after < emptiest->after ? shard : emptiest;
    }
    if (busiest && emptiest) {
        printf("%s, after: the busiest of %" PRIu32 " shards is S%" PRIu32 " with %s keys, the "
               "emptiest S%" PRIu32 " with %s.\n",
               row->scheme->scheme->name, layout_shards(r->after), busiest->id,
               num_grouped((int64_t)busiest->after).text, emptiest->id,
               num_grouped((int64_t)emptiest->after).text);
    }
}

void plan_print_text(const struct plan_row *row, size_t rows, const struct plan_change *change)
{
    printf("%s keys, from %" PRIu32 " shard%s to %" PRIu32,
           num_grouped((int64_t)row[0].result.keys).text, change->from, plural(change->from),
           change->to);
    if (change->removed != PLAN_NONE_REMOVED) {
        printf(", S%" PRIu32 " removed", change->removed);
    }
    puts("\n");
    print_table(row, rows);
    putchar('\n');
    print_sentences(row, rows, change);
    if (row[0].result.shards <= SHARD_ROWS_MAX && rows <= 2) {
        print_shard_table(row, rows);
        return;
    }
    for (size_t i = 0; i < rows; i++) {
        print_shard_sentence(&row[i]);
    }
}

static json_t *shard_list(const struct plan_result *r)
{
    json_t *list = json_array();
    for (size_t s = 0; s < r->shards; s++) {
        const struct plan_shard *shard = &r->shard[s];
        json_t *entry = json_line();
        char id[16];
        snprintf(id, sizeof id, "S%" PRIu32, shard->id);
        json_set_text(entry, "id", id);
        json_set(entry, "before",
                 shard->in_before ? json_integer((json_int_t)shard->before) : json_null());
        json_set(entry, "after",
                 shard->in_after ? json_integer((json_int_t)shard->after) : json_null());
        json_set_whole(entry, "given", (int64_t)shard->given);
        json_set_whole(entry, "taken", (int64_t)shard->taken);
        json_push(list, entry);
    }
    return list;
}

static json_t *keys_per_shard(const struct plan_result *r)
{
    json_t *list = json_array();
    for (size_t s = 0; s < r->shards; s++) {
        if (r->shard[s].in_after) {
            json_push(list, json_integer((json_int_t)r->shard[s].after));
        }
    }
    return list;
}

void plan_print_json(const struct plan_row *row, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const struct plan_result *r = &row[i].result;
        json_t *line = json_line();
        json_set_text(line, "scheme", row[i].scheme->scheme->name);
        json_set_text(line, "hash", hash_name(row[i].scheme->params.hash));
        json_set_whole(line, "keys", (int64_t)r->keys);
        json_set_whole(line, "moved", (int64_t)r->moved);
        json_set_ratio(line, "moved_share", (double)r->moved / (double)r->keys);
        json_set_ratio(line, "busiest_over_average", r->over_average_after);
        json_set(line, "per_shard", keys_per_shard(r));
        json_set_whole(line, "from_shards", r->from_shards);
        json_set_ratio(line, "lookup_ns", row[i].lookup_ns);
        json_set_whole(line, "memory_bytes", (int64_t)r->memory);
        json_set(line, "shards", shard_list(r));
        json_print(line);
    }
}
