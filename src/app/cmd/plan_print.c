/*
 * plan_print: see plan_print.h.
 */
#include "app/cmd/plan_print.h"
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "base/num.h"
#include "draw/prose.h"
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#define TEXT_COLUMNS 80
#define BAR_COLUMNS 28
#define BAR_SCHEMES_MAX 2 /* unless bars were asked for, see struct plan_look */
#define BAR_SHARDS_MAX 16

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A share's hash means nothing where the bytes of a key decide. */
static bool has_hash(const struct plan_row *row)
{
    return (row->scheme->scheme->traits & SCHEME_BY_KEY) == 0;
}

/* "8 B", "16.4 kB": with the digits that a glance needs. */
static void add_size(struct str *out, size_t bytes)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    size_t step = 0;
    double value = (double)bytes;
    for (; value >= 999.95 && step + 1 < sizeof unit / sizeof unit[0]; step++) {
        value /= 1000;
    }
    str_addf(out, "%.*f %s", step == 0 ? 0 : 1, value, unit[step]);
}

static void print_line(struct str *line)
{
    str_addc(line, '\n');
    cli_write(stdout, str_text(line), line->length);
    str_free(line);
}

static void print_prose(struct str *text)
{
    struct str wrapped = STR_EMPTY;
    prose_plain(&wrapped, str_text(text), TEXT_COLUMNS, 0);
    cli_write(stdout, str_text(&wrapped), wrapped.length);
    str_free(&wrapped);
    str_free(text);
}

/* --- the table of schemes --- */

/* Wide enough for the number of all keys and a blank. */
static int key_columns(const struct plan_row *row)
{
    int columns = (int)strlen(num_grouped((int64_t)row->result.keys).text);
    return (columns < 8 ? 8 : columns) + 1;
}

static void print_table(const struct plan_row *row, size_t rows)
{
    int wide = key_columns(row);
    printf("%-12s %-9s%*s%6s%*s%7s%8s%8s%9s\n", "scheme", "hash", wide, "moved", "%", wide,
           "needless", "givers", "busiest", "lookup", "holds");
    for (size_t i = 0; i < rows; i++) {
        const struct plan_result *r = &row[i].result;
        struct str line = STR_EMPTY;
        struct str size = STR_EMPTY;
        add_size(&size, r->memory);
        str_addf(&line, "%-12s %-9s%*s%6s%*s%7s%8.2f%8.1f%9s", row[i].scheme->scheme->name,
                 has_hash(&row[i]) ? hash_name(row[i].scheme->params.hash) : "-", wide,
                 num_grouped((int64_t)r->moved).text,
                 num_ratio((int64_t)r->moved, (int64_t)r->keys, 1).text, wide,
                 num_grouped((int64_t)r->among).text, num_grouped(r->from_shards).text,
                 r->over_average_after, row[i].lookup_ns, str_text(&size));
        print_line(&line);
        str_free(&size);
    }
}

static void print_legend(const struct plan_change *change)
{
    struct str text = STR_EMPTY;
    str_addf(&text,
             "Shards that stay equally full need about %s%% of the keys to move.\n\n"
             "needless: of the keys moved, those that left a shard which stays for another which "
             "stays; givers: how many shards gave keys away; busiest: the fullest shard over the "
             "average, after the change; lookup: nanoseconds from the hash to the shard, measured "
             "here; holds: what a router keeps in memory for it.",
             num_ratio((int64_t)plan_least_ppm(change), 1000000, 1).text);
    print_prose(&text);
}

/* --- one scheme in words --- */

static void add_movement(const struct plan_row *row, struct str *out)
{
    const struct plan_result *r = &row->result;
    uint32_t slots = layout_slot_count(r->before);
    if (r->moved == 0) {
        return;
    }
    str_addf(out, " They come from %" PRIu32 " of %" PRIu32 " shard%s", r->from_shards,
             layout_shards(r->before), plural(layout_shards(r->before)));
    if (r->among > 0) {
        str_addf(out, ", and %s of them only went from one old shard to another.",
                 num_grouped((int64_t)r->among).text);
    } else {
        str_add(out, ", and none of them went from one old shard to another.");
    }
    if (slots > 0) {
        uint32_t moved = plan_slots_moved(r);
        str_addf(out,
                 " A key's slot never changes; %s of %s slot%s went to another shard and took "
                 "their keys along.",
                 num_grouped(moved).text, num_grouped(slots).text, plural(slots));
    }
}

static void print_words(const struct plan_row *row, const struct plan_change *change)
{
    const struct scheme *scheme = row->scheme->scheme;
    const struct plan_result *r = &row->result;
    struct str text = STR_EMPTY;
    str_addf(&text,
             "%s: %s. %s of %s keys change shard (%s%%); shards that stay equally full need about "
             "%s%%.",
             scheme->name, scheme->about, num_grouped((int64_t)r->moved).text,
             num_grouped((int64_t)r->keys).text,
             num_ratio((int64_t)r->moved, (int64_t)r->keys, 1).text,
             num_ratio((int64_t)plan_least_ppm(change), 1000000, 1).text);
    add_movement(row, &text);
    str_add(&text, " A router holds ");
    add_size(&text, r->memory);
    str_addf(&text, ", built in %s; a lookup takes %.1f ns%s. It cannot %s.",
             row->build_us < 1 ? "less than 1 us" : num_span((int64_t)(row->build_us + 0.5)).text,
             row->lookup_ns, has_hash(row) ? " after the hash" : "", scheme->cannot);
    print_prose(&text);
}

/* --- the shards of one scheme --- */

static uint64_t fullest(const struct plan_result *r)
{
    uint64_t most = 1;
    for (size_t s = 0; s < r->shards; s++) {
        uint64_t held = r->shard[s].after + r->shard[s].given;
        most = held > most ? held : most;
    }
    return most;
}

/* Kept, taken, given: each ends where its sum with those before it ends. */
static void add_bar(struct str *out, const struct plan_shard *shard, uint64_t whole, bool ascii)
{
    static const char *const signs[2][3] = {{"█", "▒", "░"}, {"#", "+", "."}};
    const uint64_t end[3] = {shard->after - shard->taken, shard->after,
                             shard->after + shard->given};
    uint64_t column = 0;
    for (size_t part = 0; part < 3; part++) {
        uint64_t to = (end[part] * BAR_COLUMNS * 2 + whole) / (whole * 2);
        for (; column < to; column++) {
            str_add(out, signs[ascii][part]);
        }
    }
}

static void print_shards(const struct plan_row *row, bool ascii)
{
    const struct plan_result *r = &row->result;
    uint64_t whole = fullest(r);
    printf("%-7s%10s%11s%11s%11s  %s\n", "shard", "before", "after", "gave", "took",
           ascii ? "# kept  + took  . gave" : "█ kept  ▒ took  ░ gave");
    for (size_t s = 0; s < r->shards; s++) {
        const struct plan_shard *shard = &r->shard[s];
        struct str line = STR_EMPTY;
        char id[16];
        snprintf(id, sizeof id, "S%" PRIu32, shard->id);
        str_addf(&line, "%-7s%10s%11s%11s%11s  ", id,
                 shard->in_before ? num_grouped((int64_t)shard->before).text : "-",
                 shard->in_after ? num_grouped((int64_t)shard->after).text : "-",
                 num_grouped((int64_t)shard->given).text, num_grouped((int64_t)shard->taken).text);
        add_bar(&line, shard, whole, ascii);
        print_line(&line);
    }
}

static void print_extremes(const struct plan_row *row)
{
    const struct plan_result *r = &row->result;
    const struct plan_shard *busiest = NULL;
    const struct plan_shard *emptiest = NULL;
    struct str text = STR_EMPTY;
    for (size_t s = 0; s < r->shards; s++) {
        const struct plan_shard *shard = &r->shard[s];
        if (shard->in_after) {
            busiest = !busiest || shard->after > busiest->after ? shard : busiest;
            emptiest = !emptiest || shard->after < emptiest->after ? shard : emptiest;
        }
    }
    if (busiest && emptiest) {
        str_addf(&text,
                 "After it the busiest of %" PRIu32 " shards is S%" PRIu32 " with %s keys, the "
                 "emptiest S%" PRIu32 " with %s; --bars draws them all.",
                 layout_shards(r->after), busiest->id, num_grouped((int64_t)busiest->after).text,
                 emptiest->id, num_grouped((int64_t)emptiest->after).text);
    }
    print_prose(&text);
}

void plan_print_text(const struct plan_row *row, size_t rows, const struct plan_change *change,
                     struct plan_look look)
{
    bool ascii = look.ascii || strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
    printf("%s %skey%s, from %" PRIu32 " shard%s to %" PRIu32,
           num_grouped((int64_t)row[0].result.keys).text, look.made_up ? "made-up " : "",
           plural(row[0].result.keys), change->from, plural(change->from), change->to);
    if (change->removed != PLAN_NONE_REMOVED) {
        printf(", S%" PRIu32 " removed", change->removed);
    }
    puts(look.made_up ? "; for your own: --keys FILE\n" : "\n");
    print_table(row, rows);
    if (rows > BAR_SCHEMES_MAX) {
        putchar('\n');
        print_legend(change);
    }
    for (size_t i = 0; i < rows && (look.bars || rows <= BAR_SCHEMES_MAX); i++) {
        putchar('\n');
        print_words(&row[i], change);
        if (look.bars || row[i].result.shards <= BAR_SHARDS_MAX) {
            putchar('\n');
            print_shards(&row[i], ascii);
        } else {
            print_extremes(&row[i]);
        }
    }
}

/* --- JSON --- */

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
        json_set(line, "hash",
                 has_hash(&row[i]) ? json_string(hash_name(row[i].scheme->params.hash))
                                   : json_null());
        json_set_whole(line, "keys", (int64_t)r->keys);
        json_set_whole(line, "moved", (int64_t)r->moved);
        json_set_ratio(line, "moved_share", (double)r->moved / (double)r->keys);
        json_set_ratio(line, "busiest_over_average", r->over_average_after);
        json_set(line, "per_shard", keys_per_shard(r));
        json_set_whole(line, "from_shards", r->from_shards);
        json_set_ratio(line, "lookup_ns", row[i].lookup_ns);
        json_set_whole(line, "memory_bytes", (int64_t)r->memory);
        json_set_whole(line, "moved_old_to_old", (int64_t)r->among);
        json_set_ratio(line, "spread", r->spread_after);
        json_set_ratio(line, "build_us", row[i].build_us);
        json_set(line, "shards", shard_list(r));
        json_print(line);
    }
}
