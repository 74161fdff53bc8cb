/*
 * key: the hash tag rule. Only the first '{' counts: an empty pair there means no tag, even where
 * a later pair has one.
 */
#include "place/key.h"

#include "place/crc16.h"
#include <string.h>

struct bytes key_tag(struct bytes key)
{
    const char *open = key.length > 0 ? memchr(key.at, '{', key.length) : NULL;
    if (open == NULL) {
        return key;
    }
    const char *first = open + 1;
    size_t rest = key.length - (size_t)(first - key.at);
    const char *close = rest > 0 ? memchr(first, '}', rest) : NULL;
    if (close == NULL || close == first) {
        return key;
    }
    return (struct bytes){.at = first, .length = (size_t)(close - first)};
}

uint16_t key_slot(struct bytes key)
{
    struct bytes tag = key_tag(key);
    return (uint16_t)(crc16(tag.at, tag.length) % SLOT_COUNT);
}
