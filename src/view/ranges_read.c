/*
 * ranges_read: the ranges of a placing, and how the place where one begins is written. See
 * ranges.c.
 */
#include "base/alloc.h"
#include "base/utf8.h"
#include "place/key.h"
#include "place/range.h"
#include "view/ranges_parts.h"

#include <stdlib.h>

static size_t count_ranges(const struct layout *layout)
{
    size_t count = layout_ranges(layout);
    if (count == 0) {
        (void)layout_kinesis(layout, &count);
    }
    return count;
}

static size_t find_range(const struct layout *layout, struct bytes key)
{
    size_t count;
    const struct kinesis_range *range = layout_kinesis(layout, &count);
    struct bytes part = layout_params_of(layout)->tags ? key_tag(key) : key;
    return range != NULL ? kinesis_find(range, count, kinesis_hash_key(part))
                         : layout_range_find(layout, part);
}

static struct one *read_ranges(const struct layout *layout, const struct placing *p, size_t *count)
{
    size_t numbers;
    const struct kinesis_range *number = layout_kinesis(layout, &numbers);
    *count = count_ranges(layout);
    struct one *out = xcalloc(*count + 1, sizeof *out);
    for (size_t i = 0; i < *count; i++) {
        if (number != NULL) {
            out[i].number = u128_decimal(number[i].first);
            out[i].id = layout_shard_id(layout, number[i].shard);
        } else {
            struct range_info info = layout_range_at(layout, i);
            out[i].first = info.first;
            out[i].id = layout_shard_id(layout, info.index);
        }
    }
    struct keyset *keys = p->trial->keys;
    for (size_t i = 0; *count > 0 && i < keyset_count(keys); i++) {
        struct one *one = &out[find_range(layout, keyset_key(keys, i))];
        one->keys++;
        one->load += keyset_load(keys, i);
        if (p->changed && trial_moved(p->trial, i)) {
            one->moved++;
            one->from = trial_owner_before(p->trial, i);
        }
    }
    return out;
}

bool ranges_open(struct picture *out, const struct scene *s, const char *argument)
{
    *out = (struct picture){.key = ""};
    if (!placing_open(&out->p, s, argument)) {
        return false;
    }
    if (count_ranges(out->p.shown) == 0) {
        placing_close(&out->p);
        return false;
    }
    out->range = read_ranges(out->p.shown, &out->p, &out->ranges);
    if (!out->p.page->hidden && count_ranges(out->p.trial->before) > 0) {
        out->was = read_ranges(out->p.trial->before, &out->p, &out->olds);
    }
    for (size_t i = 0; i < out->ranges; i++) {
        out->keys += out->range[i].keys;
        out->load += out->range[i].load;
    }
    out->key = placing_lookup(&out->p);
    out->lookup = out->key[0] != '\0' ? find_range(out->p.shown, bytes_of(out->key)) : out->ranges;
    return true;
}

void ranges_close(struct picture *r)
{
    free(r->range);
    free(r->was);
    placing_close(&r->p);
}

/* A range that begins at the first key of all. */
void ranges_add_first(struct str *out, const struct one *one)
{
    if (one->number.text[0] != '\0') {
        str_add(out, one->number.text);
    } else if (one->first.length == 0) {
        str_add(out, "(first key)");
    } else {
        view_add_key(out, one->first);
    }
}

/* How many bytes all ranges' first keys begin with. */
static size_t common_start(const struct picture *r)
{
    struct str first = STR_EMPTY, other = STR_EMPTY;
    size_t common = 0;
    bool any = false;
    for (size_t i = 0; i < r->ranges; i++) {
        const struct one *one = &r->range[i];
        if (one->number.text[0] == '\0' && one->first.length == 0) {
            continue; /* in words */
        }
        str_clear(any ? &other : &first);
        ranges_add_first(any ? &other : &first, one);
        size_t same = 0;
        while (any && same < common && str_text(&first)[same] == str_text(&other)[same]) {
            same++;
        }
        common = any ? same : first.length;
        any = true;
    }
    str_free(&first);
    str_free(&other);
    return common;
}

/* Where a key is too long, what all have in common goes first, at its front: so lines differ. */
void ranges_add_first_in(struct str *out, const struct picture *r, size_t index, int columns,
                         bool utf8)
{
    struct str whole = STR_EMPTY;
    ranges_add_first(&whole, &r->range[index]);
    const char *text = str_text(&whole);
    size_t length = whole.length, from = 0;
    bool words = text[0] == '(';
    size_t most = words ? 0 : common_start(r);
    int mark = utf8 ? 1 : 2;
    while (from < most &&
           utf8_columns(text + from, length - from) + (from > 0 ? mark : 0) > columns) {
        uint32_t point;
        from += utf8_decode(text + from, length - from, &point);
    }
    str_addf(out, "%s%s", from > 0 ? (utf8 ? "…" : "..") : "", text + from);
    str_free(&whole);
}
