/*
 * cmd_replay: `hotshard replay FILE`: plays a journal and compares every digest in it.
 */
#include "app/cmd/cli.h"
#include "app/cmd/json.h"
#include "base/file.h"
#include "base/num.h"
#include "engine/journal.h"
#include "story/story.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define JOURNAL_MAX ((size_t)64 << 20)

static void print_world(const struct cli *cli, const struct journal_header *header,
                        const struct world *w)
{
    char hex[DIGEST_HEX_SIZE];
    digest_hex(world_digest(w), hex);
    if (cli->options.json) {
        json_t *line = json_line();
        json_set_text(line, "world", header->world_name);
        json_set_whole(line, "seed", (int64_t)header->seed);
        json_set_text(line, "t", num_clock(world_now(w)).text);
        json_set_whole(line, "events", (int64_t)world_events(w));
        json_set_text(line, "digest", hex);
        json_print(line);
        return;
    }
    cli_print(stdout,
              "world %s, seed %" PRIu64 ": %s events to %s, every digest agrees\ndigest %s\n",
              header->world_name, header->seed, num_grouped((int64_t)world_events(w)).text,
              num_clock(world_now(w)).text, hex);
}

/* What was written whole ends in a digest: commands behind the last one are proved by nothing. */
static bool check_end(const char *text, struct err *err)
{
    size_t number = 0;
    bool proved = false;
    for (const char *line = text; *line; number++) {
        size_t length = strcspn(line, "\n");
        const char *words = line;
        for (int fields = 0; fields < 2; fields++) { /* EVENTS TIME */
            words += strcspn(words, " \n");
            words += *words == ' ';
        }
        proved = number > 0 && str_starts(words, "digest ");
        line += length + (line[length] == '\n');
    }
    return proved ||
           err_set(err, "the journal ends at line %zu, before its last digest: it was cut", number);
}

static int run_replay(struct cli *cli)
{
    struct err err;
    struct str text = STR_EMPTY;
    struct journal_header header;
    struct world *w = NULL;
    int status = CLI_YES;
    if (cli->arguments != 1) {
        return cli_usage(cli, "replay takes one journal");
    }
    if (!file_read(cli->argument[0], JOURNAL_MAX, &text, &err) ||
        !journal_header(str_text(&text), &header, &err) || !check_end(str_text(&text), &err) ||
        !(w = story_world_by_name(header.world_name, header.seed, &err))) {
        status = cli_fail(&err);
    } else if (!journal_replay(str_text(&text), w, &err)) {
        cli_fail(&err);
        status = CLI_NO;
    } else {
        print_world(cli, &header, w);
    }
    if (w) {
        world_free(w);
    }
    str_free(&text);
    return status;
}

const struct cli_command command_replay = {
    .name = "replay",
    .arguments = "FILE",
    .about = "play a journal again and compare its digests",
    .help =
        "FILE is what --journal wrote: a seed and the commands that were given. The same world\n"
        "comes out, digest for digest; at the first difference its line is named, exit status 1.\n"
        "\n"
        "JSON: world, seed, t, events, digest.",
    .run = run_replay,
};
