/*
 * nodes_inside: a node's row, and what the files of nodes share.
 */
#ifndef HOTSHARD_ENGINE_NODES_INSIDE_H
#define HOTSHARD_ENGINE_NODES_INSIDE_H

#include "engine/state.h"

struct node_row {
    int64_t changed_us; /* died, or came back, or joined */
    uint64_t sent, lost;
    uint64_t bulk; /* bytes a second now */
    uint32_t life; /* how often it started */
    uint32_t slow; /* its messages take so many times as long */
    uint8_t zone;
    uint8_t side; /* of the cut */
    bool down;
};

WORLD_PART(nodes, struct node_row)
WORLD_PART(node_messages, struct node_message)

#define NODE_SLOW_MAX 100000u
#define NODE_LINK_MAX UINT64_C(1000000000000)

/* Modes of COMMAND_NODE, in command.mode. */
enum node_mode {
    NODE_MODE_ADD, /* zone (255: in turn), count */
    NODE_MODE_DOWN,
    NODE_MODE_UP,
    NODE_MODE_SLOW, /* count */
    NODE_MODE_LINK  /* amount */
};

/* COMMAND_SPLIT: command.key[i] is the side of node i. */

#endif
