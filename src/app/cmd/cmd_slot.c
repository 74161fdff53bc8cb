/*
 * cmd_slot: `hotshard slot [KEY...]`: tag, CRC16, slot and owner of each key.
 *
 * The owner is asked of the story's world at 20:00:00, never worked out here.
 */
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "base/file.h"
#include "base/utf8.h"
#include "place/crc16.h"
#include "place/key.h"
#include "story/story.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define KEY_LINE_MAX ((size_t)1 << 20)
#define KEY_COLUMN 24 /* of keys from standard input, whose lengths are not known beforehand */

struct slot_table {
    const struct world *world;
    bool json;
    int key_columns, tag_columns;
};

static struct str visible(struct bytes bytes)
{
    struct str out = STR_EMPTY;
    utf8_visible(&out, bytes.at ? bytes.at : "", bytes.length);
    return out;
}

static int visible_columns(struct bytes bytes)
{
    struct str text = visible(bytes);
    int columns = utf8_columns(str_text(&text), text.length);
    str_free(&text);
    return columns;
}

static void print_cell(struct bytes bytes, int columns)
{
    struct str text = visible(bytes);
    int pad = columns - utf8_columns(str_text(&text), text.length);
    printf("%s%*s", str_text(&text), pad > 0 ? pad + 2 : 2, "");
    str_free(&text);
}

static void print_head(const struct slot_table *t)
{
    if (!t->json) {
        print_cell(bytes_of("key"), t->key_columns);
        print_cell(bytes_of("tag"), t->tag_columns);
        puts("crc16   slot  shard");
    }
}

static void print_key(const struct slot_table *t, struct bytes key)
{
    struct bytes tag = key_tag(key);
    uint16_t crc = crc16(tag.at, tag.length);
    uint16_t slot = key_slot(key);
    uint16_t owner = world_owner(t->world, slot);
    char shard[16];
    snprintf(shard, sizeof shard, "S%u", (unsigned)owner);
    if (t->json) {
        json_t *line = json_line();
        json_set_bytes(line, "key", key);
        json_set_bytes(line, "tag", tag);
        json_set_whole(line, "crc16", crc);
        json_set_whole(line, "slot", slot);
        json_set_text(line, "shard", shard);
        json_print(line);
        return;
    }
    print_cell(key, t->key_columns);
    print_cell(tag, t->tag_columns);
    printf("0x%04X  %5u  %s\n", (unsigned)crc, (unsigned)slot, shard);
}

static int print_stdin(struct slot_table *t)
{
    struct err err;
    struct line_reader *r = line_reader_open("-", KEY_LINE_MAX, &err);
    if (!r) {
        return cli_fail(&err);
    }
    t->key_columns = KEY_COLUMN;
    t->tag_columns = KEY_COLUMN;
    struct bytes line;
    int got = line_reader_next(r, &line, &err);
    if (got > 0) {
        print_head(t);
    }
    while (got > 0) {
        print_key(t, line);
        got = line_reader_next(r, &line, &err);
    }
    line_reader_close(r);
    return got < 0 ? cli_fail(&err) : CLI_YES;
}

static void print_arguments(struct slot_table *t, const struct cli *cli)
{
    t->key_columns = 3;
    t->tag_columns = 3;
    for (size_t i = 0; i < cli->arguments; i++) {
        struct bytes key = bytes_of(cli->argument[i]);
        int key_columns = visible_columns(key);
        int tag_columns = visible_columns(key_tag(key));
        t->key_columns = key_columns > t->key_columns ? key_columns : t->key_columns;
        t->tag_columns = tag_columns > t->tag_columns ? tag_columns : t->tag_columns;
    }
    print_head(t);
    for (size_t i = 0; i < cli->arguments; i++) {
        print_key(t, bytes_of(cli->argument[i]));
    }
}

static int run_slot(struct cli *cli)
{
    struct err err;
    if (cli->arguments == 0 && isatty(STDIN_FILENO)) {
        return cli_usage(cli, "no key was given; name keys, or pipe them in, one a line");
    }
    struct world *world = story_world(cli->options.seed, false, &err);
    if (!world) {
        return cli_fail(&err);
    }
    struct slot_table t = {.world = world, .json = cli->options.json};
    int status = CLI_YES;
    if (cli->arguments == 0) {
        status = print_stdin(&t);
    } else {
        print_arguments(&t, cli);
    }
    world_free(world);
    return status;
}

const struct cli_command command_slot = {
    .name = "slot",
    .arguments = "[KEY...]",
    .about = "which slot and shard a key falls on, and why",
    .help =
        "Prints the tag of each key (what stands in its first braces, or all of it), the CRC16\n"
        "of the tag, the slot (CRC16 mod 16384, as in Redis Cluster) and the slot's owner in\n"
        "the running example. Without KEY: keys from standard input, one a line.\n"
        "\n"
        "  hotshard slot 'post:{p9}' 'likes:{p9}'\n"
        "\n"
        "JSON: key, tag, crc16, slot, shard. A key that is not UTF-8 has its odd bytes as \\xNN\n"
        "and all its bytes in key_hex.",
    .run = run_slot,
};
