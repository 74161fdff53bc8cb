/* haproxy: the servers that HAProxy itself picked, key by key and request by request. */
#include "place/haproxy.h"

#include "place/client_hash.h"
#include "vectors.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SERVERS 4

struct site {
    struct haproxy_server server[SERVERS];
};

/* "10,20,30,40" */
static struct site site_of(const char *weights)
{
    struct site site;
    for (uint32_t i = 0; i < SERVERS; i++) {
        char *end = NULL;
        site.server[i] = (struct haproxy_server){i + 1, (uint32_t)strtoul(weights, &end, 10)};
        weights = *end == ',' ? end + 1 : end;
    }
    return site;
}

static uint32_t hash_by(const char *function, const char *modifier, struct bytes key)
{
    uint32_t hash = 0;
    if (strcmp(function, "sdbm") == 0) {
        hash = hash_sdbm(key.at, key.length);
    } else if (strcmp(function, "djb2") == 0) {
        hash = hash_djb2(key.at, key.length);
    } else if (strcmp(function, "wt6") == 0) {
        hash = hash_wt6(key.at, key.length);
    } else {
        assert_string_equal(function, "crc32");
        hash = hash_crc32(key.at, key.length);
    }
    return strcmp(modifier, "avalanche") == 0 ? haproxy_avalanche(hash) : hash;
}

static void keys_go_where_haproxy_sends_them(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    size_t mapped = 0;
    assert_true(vectors_open(&v, "vectors/haproxy_hash.tsv"));
    while (vectors_next_row(&v)) {
        struct site site = site_of(v.fields[3]);
        uint32_t hash = hash_by(v.fields[1], v.fields[2], bytes_of(v.fields[4]));
        uint32_t index = 0;
        if (strcmp(v.fields[0], "consistent") == 0) {
            struct haproxy_ring *ring = haproxy_ring_new(site.server, SERVERS, 0);
            index = ring->point[haproxy_nearest(ring, hash)].index;
            assert_int_equal(haproxy_assign(ring, hash), index);
            haproxy_ring_free(ring);
        } else {
            size_t length = 0;
            uint32_t *map = haproxy_map(site.server, SERVERS, &length);
            index = map[hash % length];
            mapped++;
            free(map);
        }
        if (site.server[index].id != strtoul(v.fields[5], NULL, 10)) {
            fail_msg("%s %s %s %s \"%s\": server %u instead of %s", v.fields[0], v.fields[1],
                     v.fields[2], v.fields[3], v.fields[4], site.server[index].id, v.fields[5]);
        }
        rows++;
    }
    vectors_close(&v);
    assert_int_equal(rows, 240);
    assert_true(mapped > 50);
}

static void bounded_requests_go_where_haproxy_sends_them(void **state)
{
    (void)state;
    struct vectors v;
    size_t rows = 0;
    assert_true(vectors_open(&v, "vectors/haproxy_bounded.tsv"));
    while (vectors_next_row(&v)) {
        struct site site = site_of(v.fields[1]);
        uint32_t factor = (uint32_t)strtoul(v.fields[0], NULL, 10);
        struct haproxy_ring *ring = haproxy_ring_new(site.server, SERVERS, factor);
        const char *key = v.fields[3];
        const char *server = v.fields[4];
        while (*key != '\0') {
            size_t length = strcspn(key, ",");
            uint32_t hash = haproxy_avalanche(hash_crc32(key, length));
            uint32_t index = haproxy_assign(ring, hash);
            assert_int_equal(site.server[index].id, *server - '0');
            key += length + (key[length] == ',');
            server += server[1] == ',' ? 2 : 1;
        }
        assert_int_equal(*server, '\0');
        haproxy_ring_free(ring);
        rows++;
    }
    vectors_close(&v);
    assert_int_equal(rows, 15);
}

static void released_requests_leave_room(void **state)
{
    (void)state;
    struct site site = site_of("1,1,1,1");
    struct haproxy_ring *ring = haproxy_ring_new(site.server, SERVERS, 101);
    uint32_t first = haproxy_assign(ring, 1);
    assert_true(haproxy_assign(ring, 1) != first); /* it is full with one of two */
    haproxy_release(ring, first);
    assert_int_equal(haproxy_assign(ring, 1), first);
    haproxy_ring_free(ring);
}

static void a_map_holds_each_server_by_its_weight(void **state)
{
    (void)state;
    struct site site = site_of("10,20,30,40");
    size_t length = 0;
    uint32_t *map = haproxy_map(site.server, SERVERS, &length);
    uint32_t held[SERVERS] = {0};
    assert_int_equal(length, 10);
    for (size_t i = 0; i < length; i++) {
        held[map[i]]++;
    }
    for (uint32_t i = 0; i < SERVERS; i++) {
        assert_int_equal(held[i], i + 1);
    }
    free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_go_where_haproxy_sends_them),
        cmocka_unit_test(bounded_requests_go_where_haproxy_sends_them),
        cmocka_unit_test(released_requests_leave_room),
        cmocka_unit_test(a_map_holds_each_server_by_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
