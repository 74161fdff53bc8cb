/*
 * nodes_say: machines and their network, in words.
 */
#include "base/num.h"
#include "engine/nodes/nodes_inside.h"
#include <inttypes.h>

/* "N1, N2 and N5". */
static void say_set(uint64_t mask, struct str *out)
{
    bool first = true;
    for (uint32_t i = 0; i < NODES_MAX && mask != 0; i++) {
        if ((mask >> i & 1) == 0) {
            continue;
        }
        mask &= ~(UINT64_C(1) << i);
        str_addf(out, "%sN%u", first ? "" : mask == 0 ? " and " : ", ", i + 1);
        first = false;
    }
}

static void say_split(const struct trace_record *r, struct str *out)
{
    const uint64_t side[] = {(uint64_t)r->operand[1], (uint64_t)r->operand[2], r->value};
    str_add(out, "the network is cut: ");
    for (size_t i = 0; i < sizeof side / sizeof side[0]; i++) {
        if (side[i] != 0) {
            say_set(side[i], out);
            str_add(out, " | ");
        }
    }
    str_add(out, "all others");
}

static void say_node(const struct trace_record *r, struct str *out)
{
    switch ((enum node_mode)r->operand[1]) {
    case NODE_MODE_ADD:
        if (r->operand[2] == 1) {
            str_addf(out, "N%u joins", r->to.index + 1u);
        } else {
            str_addf(out, "N%u to N%" PRId64 " join", r->to.index + 1u,
                     r->to.index + r->operand[2]);
        }
        return;
    case NODE_MODE_DOWN:
        str_addf(out, "N%u dies: what it had in memory is gone", r->to.index + 1u);
        return;
    case NODE_MODE_UP:
        str_addf(out, "N%u is back after %s, with what is on its disk", r->to.index + 1u,
                 num_span(r->operand[2]).text);
        return;
    case NODE_MODE_SLOW:
        if (r->operand[2] == 1) {
            str_addf(out, "messages of N%u are as fast as ever", r->to.index + 1u);
        } else {
            str_addf(out, "messages of N%u take %" PRId64 " times as long", r->to.index + 1u,
                     r->operand[2]);
        }
        return;
    case NODE_MODE_LINK:
        str_addf(out, "each node's link carries %s bytes a second",
                 num_grouped(r->operand[2]).text);
        return;
    }
    CHECK(false && "no such step");
}

void nodes_say(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        if (r->operand[0] == COMMAND_NODE) {
            say_node(r, out);
        } else if (r->operand[0] == COMMAND_SPLIT) {
            say_split(r, out);
        } else {
            str_add(out, "the network between the nodes is whole again");
        }
        return;
    }
    switch (r->reason) {
    case REASON_NODE_WAS_DOWN:
        str_add(out, "a message finds nobody there: the node is down");
        return;
    case REASON_NODE_CUT_OFF:
        str_add(out, "a message does not arrive: the network is cut between the two");
        return;
    case REASON_NODE_ANOTHER_LIFE:
        str_add(out, "a message is too late: the node died after it was sent");
        return;
    default:
        CHECK(false && "no record of a node");
    }
}

void nodes_label(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        static const char *const modes[] = {"joins", "dies", "is back", "slow", "link"};
        CHECK(r->operand[0] != COMMAND_NODE || (uint64_t)r->operand[1] < 5);
        str_add(out, r->operand[0] == COMMAND_NODE    ? modes[r->operand[1]]
                     : r->operand[0] == COMMAND_SPLIT ? "cut"
                                                      : "whole");
        return;
    }
    str_add(out, r->reason == REASON_NODE_CUT_OFF ? "cut off" : "nobody");
}
