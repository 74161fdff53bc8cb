/*
 * system_order: keys in order: where a table begins, how its parts are called, where it is cut.
 */
#include "engine/systems/system_order.h"

#include "place/key.h"
#include <string.h>

#define KNOWN_MAX 256 /* keys of the world that count for a cut */
#define LETTERS 26u

struct known {
    struct u128 at[KNOWN_MAX]; /* ascending, each once */
    uint32_t count;
};

struct u128 order_position(const struct world *w, struct bytes key, uint64_t sort)
{
    (void)w;
    (void)sort;
    return u128_text_position(key);
}

/* --- what is known --- */

static void know(struct known *k, struct u128 at)
{
    uint32_t i = k->count;
    while (i > 0 && u128_order(k->at[i - 1], at) > 0) {
        i--;
    }
    if (k->count == KNOWN_MAX || (i > 0 && u128_order(k->at[i - 1], at) == 0)) {
        return;
    }
    memmove(&k->at[i + 1], &k->at[i], (k->count - i) * sizeof k->at[0]);
    k->at[i] = at;
    k->count++;
}

/* Tags of the world's keys between two positions. Sub-keys of a count are no keys of their own. */
static void know_keys(const struct world *w, struct u128 first, struct u128 last, struct known *k)
{
    k->count = 0;
    for (uint32_t i = 0; i < w->keys; i++) {
        const struct key_entry *entry = keys_in(w) + i;
        struct bytes tag = key_tag((struct bytes){entry->text, entry->length});
        struct u128 at = u128_text_position(tag);
        if (memchr(tag.at, '#', tag.length) == NULL && u128_order(first, at) <= 0 &&
            u128_order(at, last) <= 0) {
            know(k, at);
        }
    }
}

/* Where the i-th of n parts begins, of all that begin with small letters. */
static struct u128 between_letters(uint32_t i, uint32_t n)
{
    uint32_t place = LETTERS * LETTERS * i / n;
    char text[2] = {(char)('a' + place / LETTERS), (char)('a' + place % LETTERS)};
    return u128_text_position((struct bytes){text, place % LETTERS == 0 ? 1 : 2});
}

void order_start(struct world *w, uint8_t system, uint32_t parts)
{
    struct known known;
    const struct system_row *row = system_in(w, system);
    know_keys(w, u128_of(0, 0), U128_LAST, &known);
    struct u128 first = u128_of(0, 0);
    for (uint32_t i = 0; i < parts; i++) {
        struct u128 next = known.count >= parts
                               ? known.at[(i + 1) * known.count / parts % known.count]
                               : between_letters(i + 1, parts);
        struct u128 last = i + 1 == parts ? U128_LAST : u128_before(next);
        uint16_t place = system_part_new(w, system, first, last, (uint8_t)(i % row->machines));
        if (place != NO_PART && !system_kind(system)->own_copies) {
            system_part_copies(w, system, place, 1);
        }
        first = next;
    }
}

/* --- names --- */

static uint8_t byte_of(struct u128 at, uint32_t i)
{
    return (uint8_t)((i < 8 ? at.high >> (56 - 8 * i) : at.low >> (120 - 8 * i)) & 0xff);
}

static void add_key(struct str *out, struct u128 at)
{
    uint32_t length = 16;
    while (length > 0 && byte_of(at, length - 1) == 0) {
        length--;
    }
    for (uint32_t i = 0; i < length; i++) {
        uint8_t c = byte_of(at, i);
        if (c > ' ' && c < 0x7f) {
            str_addc(out, (char)c);
        } else {
            str_addf(out, "%%%02X", c);
        }
    }
}

void order_name(const struct world *w, const struct part_row *part, struct str *out)
{
    (void)w;
    bool low = u128_order(part->first, u128_of(0, 0)) == 0;
    bool high = u128_order(part->last, U128_LAST) == 0;
    str_addc(out, '[');
    if (low) {
        str_add(out, "min");
    } else {
        add_key(out, part->first);
    }
    str_add(out, ", ");
    if (high) {
        str_add(out, "max");
    } else {
        add_key(out, u128_next(part->last));
    }
    str_addc(out, ')');
}

/* --- the middle of a part, and cuts by hand --- */

/* Between first and last, in as few letters as it takes. */
static struct u128 short_between(struct u128 first, struct u128 last)
{
    struct u128 half = u128_halfway(first, last);
    uint64_t high = 0, low = 0;
    for (uint32_t i = 0; i < 16; i++) {
        uint64_t byte = byte_of(half, i);
        high |= i < 8 ? byte << (56 - 8 * i) : 0;
        low |= i < 8 ? 0 : byte << (120 - 8 * i);
        struct u128 at = u128_of(high, low);
        if (u128_order(at, first) > 0 && u128_order(at, last) <= 0) {
            return at;
        }
    }
    return half;
}

bool order_middle(const struct world *w, uint8_t system, uint16_t part, struct u128 *at)
{
    const struct part_row *p = part_in_system(w, system, part);
    struct known known;
    know_keys(w, p->first, p->last, &known);
    if (known.count > 1) {
        *at = known.at[known.count / 2];
        return true;
    }
    if (u128_order(p->first, p->last) == 0) {
        return false;
    }
    *at = short_between(p->first, p->last);
    return true;
}

bool order_verb_cut(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t place;
    if (!system_part_named(w, system, c->count, &place, err)) {
        return false;
    }
    const struct system_words *words = system_kind(system)->words;
    const struct part_row *p = part_in_system(w, system, place);
    struct u128 at = u128_text_position((struct bytes){c->key, c->key_length});
    if (c->key_length > 0 && (u128_order(at, p->first) <= 0 || u128_order(p->last, at) < 0)) {
        return err_set(err, "%s %u cannot be cut at %.*s, which is not inside it", words->part,
                       c->count, (int)c->key_length, c->key);
    }
    if (c->key_length == 0 && !order_middle(w, system, place, &at)) {
        return err_set(err, "%s %u has a single key, which is never cut", words->part, c->count);
    }
    if (system_part_split(w, system, place, at, REASON_SYSTEMS_SPLIT_HAND,
                          c->key_length > 0 ? 1 : 2) == NO_PART) {
        return err_set(err, "there is no room for more %s; join two of them first", words->parts);
    }
    return true;
}

bool order_verb_join(struct world *w, uint8_t system, const struct command *c, struct err *err)
{
    uint16_t a, b;
    return system_part_named(w, system, c->count, &a, err) &&
           system_part_named(w, system, c->first, &b, err) &&
           system_part_merge(w, system, a, b, err);
}
