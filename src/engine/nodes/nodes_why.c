/*
 * nodes_why: why a message between machines did not arrive.
 */
#include "engine/nodes/nodes_inside.h"

static void why_command(const struct trace_record *r, struct str *out)
{
    if (r->operand[0] == COMMAND_HEAL) {
        str_add(out, "You ended the cut. What was sent meanwhile is lost; who still waits for an "
                     "answer asks again by itself.");
        return;
    }
    if (r->operand[0] == COMMAND_SPLIT) {
        str_add(out, "You cut the network. Every node is up and works on, and hears nothing of the "
                     "other side: from there, a cut looks like a death.");
        return;
    }
    switch ((enum node_mode)r->operand[1]) {
    case NODE_MODE_ADD:
        str_add(out, "You added machines. They hold no copies until somebody puts some there.");
        return;
    case NODE_MODE_DOWN:
        str_add(out, "You stopped the machine. Nobody is told: the others find out only because "
                     "they hear nothing from it any more.");
        return;
    case NODE_MODE_UP:
        str_add(out, "You started the machine again. What it wrote to its disk is there; what it "
                     "only knew, who leads for instance, it must hear anew.");
        return;
    case NODE_MODE_SLOW:
        str_add(out, "You changed how long its messages take. Who waits for it cannot tell a slow "
                     "node from a dead one before it answers.");
        return;
    case NODE_MODE_LINK:
        str_add(out, "You changed what the network of each node carries. Copies of shards "
                     "share it with all other messages.");
        return;
    }
    CHECK(false && "no such step");
}

void nodes_why(const struct world *w, const struct trace_record *r, struct str *out)
{
    (void)w;
    if (r->kind == TRACE_COMMAND) {
        why_command(r, out);
        return;
    }
    switch (r->reason) {
    case REASON_NODE_WAS_DOWN:
        node_say(r->to, out);
        str_add(out, " is down and takes no message. The sender is told nothing.");
        return;
    case REASON_NODE_CUT_OFF:
        str_add(out, "The network is cut between ");
        node_say(r->from, out);
        str_add(out, " and ");
        node_say(r->to, out);
        str_add(out, ". Both are up, and the sender is told nothing.");
        return;
    case REASON_NODE_ANOTHER_LIFE:
        str_add(out, "Since the message was sent ");
        node_say(r->to, out);
        str_add(out, " died and came back. The connection that carried it died too.");
        return;
    default:
        CHECK(false && "no record of a node");
    }
}
