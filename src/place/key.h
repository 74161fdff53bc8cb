/*
 * key: what of a key is hashed, and the slot it falls into.
 *
 * The hash tag (Redis Cluster specification, "Hash tags"): what stands between the first '{' and
 * the first '}' after it, if that is at least one byte; otherwise the whole key.
 */
#ifndef HOTSHARD_PLACE_KEY_H
#define HOTSHARD_PLACE_KEY_H

#include "base/str.h"
#include <stdint.h>

#define SLOT_COUNT 16384u /* of Redis Cluster and of the story */

struct bytes key_tag(struct bytes key); /* borrowed from key */
uint16_t key_slot(struct bytes key);    /* crc16(tag) mod SLOT_COUNT */

#endif
