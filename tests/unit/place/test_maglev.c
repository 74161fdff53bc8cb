/* maglev: whole tables of four systems, and what the pinned table gives. */
#include "place/maglev.h"

#include "base/prng.h"
#include "pinned.h"
#include "vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SHARDS_MAX 8
#define ENTRIES_MAX 2048

struct row {
    struct maglev_walk walk[SHARDS_MAX];
    uint32_t shards;
    uint32_t entries;
    uint32_t table[ENTRIES_MAX];
};

/* "3/4,0/2,3/1" */
static void read_walks(struct row *row, const char *text)
{
    row->shards = 0;
    for (const char *at = text; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        assert_true(row->shards < SHARDS_MAX);
        struct maglev_walk *walk = &row->walk[row->shards++];
        assert_int_equal(sscanf(at, "%u/%u", &walk->offset, &walk->skip), 2);
        walk->weight = 1;
    }
}

/* "1,2" or "0.8,0.2": tenths say the same shares. */
static void read_weights(struct row *row, const char *text)
{
    uint32_t shard = 0;
    for (const char *at = text; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        row->walk[shard++].weight = (uint32_t)(atof(at) * 10 + 0.5);
    }
    assert_int_equal(shard, row->shards);
}

/* "0/10/11,1/20/22": number, weight and a hash that the walk was made of. */
static void read_endpoints(struct row *row, const char *text)
{
    uint32_t shard = 0;
    for (const char *at = text; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        assert_int_equal(sscanf(at, "%*u/%u/", &row->walk[shard++].weight), 1);
    }
    assert_int_equal(shard, row->shards);
}

static void assert_table(const struct row *row, const char *expected)
{
    struct str got = STR_EMPTY;
    for (uint32_t i = 0; i < row->entries; i++) {
        str_addf(&got, i == 0 ? "%u" : ",%u", row->table[i]);
    }
    assert_string_equal(str_text(&got), expected);
    str_free(&got);
}

static void assert_counts(const struct row *row, const char *expected)
{
    struct str got = STR_EMPTY;
    for (uint32_t shard = 0; shard < row->shards; shard++) {
        size_t count = pinned_owned(row->table, row->entries, shard);
        str_addf(&got, shard == 0 ? "%zu" : ",%zu", count);
    }
    assert_string_equal(str_text(&got), expected);
    str_free(&got);
}

static void tables_of_the_paper_envoy_and_cilium(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/maglev_tables.tsv"));
    for (; vectors_next_row(&v); rows++) {
        struct row row = {.entries = (uint32_t)atoi(v.fields[4])};
        read_walks(&row, v.fields[5]);
        read_weights(&row, v.fields[3]);
        enum maglev_turns turns = str_starts(v.fields[0], "envoy") ? MAGLEV_TARGET : MAGLEV_PACE;
        assert_true(row.entries <= ENTRIES_MAX);
        maglev_fill_by(turns, row.walk, row.shards, row.table, row.entries);
        if (str_starts(v.fields[6], "counts:")) {
            assert_counts(&row, v.fields[6] + strlen("counts:"));
        } else {
            assert_table(&row, v.fields[6]);
        }
    }
    vectors_close(&v);
    assert_int_equal(rows, 5);
}

/* The paper's table again when B1 leaves: B0's and B2's entries stay but for one. */
static void the_papers_removal(void **state)
{
    (void)state;
    const struct maglev_walk stay[] = {{3, 4, 1}, {3, 1, 1}};
    uint32_t table[7];
    maglev_fill(stay, 2, table, 7);
    static const uint32_t expected[] = {0, 0, 0, 0, 1, 1, 1}; /* 1 is B2 */
    assert_memory_equal(table, expected, sizeof table);
}

static void rings_of_katran(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/maglev_katran.tsv"));
    for (; vectors_next_row(&v); rows++) {
        struct row row = {.entries = (uint32_t)atoi(v.fields[2])};
        read_walks(&row, v.fields[3]);
        read_endpoints(&row, v.fields[1]);
        bool second = strstr(v.fields[0], "V2") != NULL;
        assert_true(row.entries <= ENTRIES_MAX);
        maglev_fill_by(second ? MAGLEV_SUM : MAGLEV_BURST, row.walk, row.shards, row.table,
                       row.entries);
        /* Numbers of endpoints skip one that is not there; positions do not. */
        if (str_starts(v.fields[0], "h-")) {
            for (uint32_t i = 0; i < row.entries; i++) {
                row.table[i] += row.table[i] > 1;
            }
        }
        assert_table(&row, v.fields[4]);
    }
    vectors_close(&v);
    assert_int_equal(rows, 8);
}

static void equal_weights_are_one_rule(void **state)
{
    (void)state;
    struct prng random = prng_seeded(1, "maglev");
    for (int turn = 0; turn < 50; turn++) {
        struct row a = {.entries = 251, .shards = 1 + (uint32_t)prng_below(&random, SHARDS_MAX)};
        for (uint32_t i = 0; i < a.shards; i++) {
            a.walk[i].offset = (uint32_t)prng_below(&random, 251);
            a.walk[i].skip = 1 + (uint32_t)prng_below(&random, 250);
            a.walk[i].weight = 1;
        }
        maglev_fill(a.walk, a.shards, a.table, a.entries);
        for (int turns = MAGLEV_SUM; turns <= MAGLEV_PACE; turns++) {
            struct row b = a;
            maglev_fill_by((enum maglev_turns)turns, b.walk, b.shards, b.table, b.entries);
            assert_memory_equal(a.table, b.table, sizeof a.table);
        }
    }
}

static size_t changed_entries(const uint32_t *before, const uint32_t *after, size_t entries,
                              uint32_t gone, size_t *extra)
{
    size_t changed = 0;
    *extra = 0;
    for (size_t i = 0; i < entries; i++) {
        uint32_t now = after[i] + (after[i] >= gone); /* positions back to ids */
        changed += now != before[i];
        *extra += now != before[i] && before[i] != gone;
    }
    return changed;
}

static void the_pinned_table_and_its_removal(void **state)
{
    (void)state;
    struct keyset *keys = keyset_synthetic(PINNED_KEYS);
    struct layout *layout = pinned_layout(&scheme_maglev, 10);
    struct layout *less = layout_copy(layout);
    size_t entries = 0;
    const uint32_t *table = layout_maglev(layout, &entries);
    assert_int_equal(entries, 65537);
    for (uint32_t shard = 0; shard < 10; shard++) {
        assert_in_range(pinned_owned(table, entries, shard), 6553, 6554);
    }
    assert_true(layout_remove(less, 3, NULL));
    size_t extra = 0;
    const uint32_t *after = layout_maglev(less, &entries);
    assert_int_equal(changed_entries(table, after, entries, 3, &extra), 6751);
    assert_int_equal(extra, 197);

    uint32_t *ids = pinned_ids(layout, keys);
    uint32_t *ids_less = pinned_ids(less, keys);
    assert_int_equal(pinned_busiest(ids, PINNED_KEYS, 10), 10096);
    assert_int_equal(pinned_moves(ids, ids_less, PINNED_KEYS, 3).moved, 10308);
    free(ids_less);
    free(ids);
    layout_free(less);
    layout_free(layout);
    keyset_free(keys);
}

static struct layout *sized(uint32_t table, uint32_t shards, struct err *err)
{
    struct layout_params params = layout_defaults(&scheme_maglev);
    params.table = table;
    return layout_new(&scheme_maglev, &params, shards, err);
}

static void a_hash_looks_up_its_remainder(void **state)
{
    (void)state;
    static const uint32_t primes[] = {2, 3, 7, 251, 65537, 655373, LAYOUT_TABLE_MAX};
    struct prng random = prng_seeded(2, "maglev");
    for (size_t p = 0; p < sizeof primes / sizeof primes[0]; p++) {
        struct layout *layout = sized(primes[p], 2, NULL);
        size_t entries = 0;
        const uint32_t *table = layout_maglev(layout, &entries);
        assert_int_equal(entries, primes[p]);
        assert_int_equal(layout_memory(layout), entries * 4);
        for (int i = 0; i < 2000; i++) {
            uint64_t hash = i == 0 ? UINT64_MAX : prng_next(&random) >> prng_below(&random, 64);
            hash -= i % 3 == 1 ? hash % entries : 0; /* and exact multiples */
            uint32_t owner = 0;
            layout_owners_of_hashes(layout, &hash, 1, &owner);
            assert_int_equal(layout_maglev_entry(layout, hash), hash % entries);
            assert_int_equal(owner, table[hash % entries]);
            assert_int_equal(layout_owner_of_hash(layout, hash), owner);
        }
        layout_free(layout);
    }
}

/* Entries in proportion to the weights, but for the turns still owed when the table is full. */
static void entries_follow_weights(void **state)
{
    (void)state;
    struct layout *layout = sized(65537, 4, NULL);
    assert_true(layout_weigh(layout, 0, 1, NULL));
    assert_true(layout_weigh(layout, 1, 250, NULL));
    assert_true(layout_weigh(layout, 3, 10000, NULL));
    size_t entries = 0;
    const uint32_t *table = layout_maglev(layout, &entries);
    uint64_t weights = 1 + 250 + 100 + 10000;
    for (uint32_t shard = 0; shard < 4; shard++) {
        uint64_t ideal = entries * layout_weight(layout, shard) / weights;
        size_t held = pinned_owned(table, entries, shard);
        assert_true(held + 1 >= ideal && held <= ideal + 4);
    }
    layout_free(layout);
}

/* As many shards as entries: one each. */
static void a_full_house_gets_an_entry_each(void **state)
{
    (void)state;
    struct layout *layout = sized(1009, 1009, NULL);
    size_t entries = 0;
    const uint32_t *table = layout_maglev(layout, &entries);
    bool seen[1009] = {false};
    for (size_t i = 0; i < entries; i++) {
        assert_false(seen[table[i]]);
        seen[table[i]] = true;
    }
    struct err err;
    assert_false(layout_add(layout, &err));
    assert_non_null(strstr(err.text, "too few for 1010 shards"));
    layout_free(layout);
}

static void tables_that_cannot_work_are_refused(void **state)
{
    (void)state;
    struct err err;
    assert_null(sized(65536, 4, &err));
    assert_non_null(strstr(err.text, "65536 is no prime"));
    assert_non_null(strstr(err.text, "65537"));
    assert_null(sized(7, 8, &err));
    assert_non_null(strstr(err.text, "too few for 8 shards"));
    assert_null(sized(0, 1, &err));
    assert_null(sized(1, 1, &err));
    assert_null(sized(LAYOUT_TABLE_MAX - 1, 1, &err));
    assert_null(sized(LAYOUT_TABLE_MAX + 1, 1, &err));
    assert_null(sized(UINT32_MAX, 1, &err));
    assert_non_null(strstr(err.text, "out of range"));
}

static void other_schemes_have_no_table(void **state)
{
    (void)state;
    struct layout *layout = pinned_layout(&scheme_mod_n, 3);
    size_t entries = 1;
    assert_null(layout_maglev(layout, &entries));
    assert_int_equal(entries, 0);
    assert_int_equal(layout_maglev_entry(layout, 12345), 0);
    layout_free(layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_the_paper_envoy_and_cilium),
        cmocka_unit_test(the_papers_removal),
        cmocka_unit_test(rings_of_katran),
        cmocka_unit_test(equal_weights_are_one_rule),
        cmocka_unit_test(the_pinned_table_and_its_removal),
        cmocka_unit_test(a_hash_looks_up_its_remainder),
        cmocka_unit_test(entries_follow_weights),
        cmocka_unit_test(a_full_house_gets_an_entry_each),
        cmocka_unit_test(tables_that_cannot_work_are_refused),
        cmocka_unit_test(other_schemes_have_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
