/*
 * command_nodes: machines that hold copies, and their network.
 *
 *   node add a [N]        N nodes join (1 if left out) in zone a; `node add any N`: zones in turn
 *   node N3 down          it dies: its memory is gone, its disk is not
 *   node N3 up            it is back
 *   node N3 slow TIMES    its messages take so many times as long, both ways; 1: as ever
 *   node link BYTES       what each node's network carries a second: 125MB, 1250MB ...
 *
 *   split N1 N2           the network is cut: those named on one side, all others on the other
 *   split N1 / N2 N3      ... more than two sides (at most four): N1, N2 with N3, all others
 *   heal                  no cut any more
 */
#include "base/check.h"
#include "engine/nodes/nodes_inside.h"
#include "engine/words/command_words.h"
#include <inttypes.h>

static bool parse_add(struct words *in, struct command *out, struct err *err)
{
    out->mode = NODE_MODE_ADD;
    out->count = 1;
    out->zone = ZONE_ANY;
    if (!words_skip(in, "any") && !words_zone(in, &out->zone, err)) {
        return false;
    }
    return !words_left(in) || words_number(in, "how many nodes", &out->count, err);
}

static bool parse_node(struct words *in, struct command *out, struct err *err)
{
    static const char *const modes[] = {"down", "up", "slow"};
    if (words_skip(in, "add")) {
        return parse_add(in, out, err);
    }
    if (words_skip(in, "link")) {
        out->mode = NODE_MODE_LINK;
        return words_bytes(in, "the link", NODE_LINK_MAX, &out->amount, err);
    }
    uint8_t mode = 0;
    if (!words_machine(in, &out->shard, err) ||
        !words_choice(in, "down, up or slow", modes, sizeof modes / sizeof modes[0], &mode, err)) {
        return false;
    }
    out->mode = (uint8_t)(NODE_MODE_DOWN + mode);
    return out->mode != NODE_MODE_SLOW || words_number(in, "how many times", &out->count, err);
}

static void say_node(const struct command *c, struct str *out)
{
    switch ((enum node_mode)c->mode) {
    case NODE_MODE_ADD:
        if (c->zone == ZONE_ANY) {
            str_addf(out, " add any %u", c->count);
        } else {
            str_addf(out, " add %c %u", 'a' + c->zone, c->count);
        }
        return;
    case NODE_MODE_DOWN:
        str_addf(out, " N%u down", c->shard + 1u);
        return;
    case NODE_MODE_UP:
        str_addf(out, " N%u up", c->shard + 1u);
        return;
    case NODE_MODE_SLOW:
        str_addf(out, " N%u slow %u", c->shard + 1u, c->count);
        return;
    case NODE_MODE_LINK:
        str_addf(out, " link %" PRIu64, c->amount);
        return;
    }
    CHECK(false && "no such step");
}

static bool parse_split(struct words *in, struct command *out, struct err *err)
{
    uint8_t side = 1;
    do {
        uint16_t node = 0;
        if (words_skip(in, "/")) {
            if (++side == NODE_SIDES) {
                return err_set(err, "a cut has at most %d sides, that of the others included",
                               NODE_SIDES);
            }
            continue;
        }
        if (!words_machine(in, &node, err)) {
            return false;
        }
        if (node >= NODES_MAX) {
            return err_set(err, "no node N%u: a world has at most %d", node + 1u, NODES_MAX);
        }
        if (out->key[node] != 0) {
            return err_set(err, "N%u is named twice; each node is on one side", node + 1u);
        }
        out->key[node] = (char)side;
    } while (words_left(in));
    return true;
}

static void say_split(const struct command *c, struct str *out)
{
    for (int side = 1; side < NODE_SIDES; side++) {
        bool first = side > 1;
        for (uint32_t i = 0; i < NODES_MAX; i++) {
            if (c->key[i] == side) {
                str_addf(out, "%s N%u", first ? " /" : "", i + 1);
                first = false;
            }
        }
    }
}

static bool parse_heal(struct words *in, struct command *out, struct err *err)
{
    (void)in;
    (void)out;
    (void)err;
    return true;
}

static void say_heal(const struct command *c, struct str *out)
{
    (void)c;
    (void)out;
}

_Static_assert(NODES_MAX <= KEY_BYTES_MAX, "a side a node fits into the key");

const struct command_form *command_form_of_nodes(enum command_kind kind)
{
    static const struct command_form forms[] = {
        {"node", "node add a [N] | node N3 down|up|slow [TIMES] | node link BYTES",
         "machines that hold copies: they join, die and come back",
         "a: their zone; any: zones in turn; N: how many, 1 if left out\n"
         "down: it dies, its memory is gone and its disk is not; up: it is back\n"
         "slow TIMES: its messages take so many times as long; 1: as ever\n"
         "link BYTES: what each node's network carries a second: 125MB",
         parse_node, say_node},
        {"split", "split N1 N2 [/ N3 ...]", "a cut in the network between the nodes",
         "N1 N2: one side; all others are on the other\n"
         "/: another side begins; a cut has four at most",
         parse_split, say_split},
        {"heal", "heal", "no cut between the nodes any more", NULL, parse_heal, say_heal},
    };
    CHECK(kind >= COMMAND_NODE && kind <= COMMAND_HEAL);
    return &forms[kind - COMMAND_NODE];
}
