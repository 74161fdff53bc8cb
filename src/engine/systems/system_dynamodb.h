/*
 * system_dynamodb: what the two files of DynamoDB share.
 */
#ifndef HOTSHARD_ENGINE_SYSTEM_DYNAMODB_H
#define HOTSHARD_ENGINE_SYSTEM_DYNAMODB_H

#include "engine/systems/systems_inside.h"

enum dynamodb_setting {
    DYNAMODB_ITEMS,
    DYNAMODB_INDEX,
    DYNAMODB_CAPACITY,
    DYNAMODB_READS
};
enum dynamodb_items {
    ITEMS_ONE,
    ITEMS_MANY,
    ITEMS_GROWING
};
enum {
    INDEX_NONE,
    INDEX_LOCAL
};
enum {
    READS_STRONG,
    READS_EVENTUAL
};
enum dynamodb_own {
    OWN_ITEMS,                            /* the last sort key, where they grow */
    OWN_BURST,                            /* by kind of work: a bit each place that uses */
    OWN_ADAPTIVE = OWN_BURST + WORK_KINDS /* what it saved up; what others leave */
};

/* A second has ended; true: the partition was split. */
bool dynamodb_splits(struct world *w, uint16_t part);

#endif
