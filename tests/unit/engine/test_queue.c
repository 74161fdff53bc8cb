/*
 * The order of events: time, then class, then sequence, whichever part of the queue they wait in.
 */
#include "play.h"

#include "engine/queue.h"

/* Kinds without a leg wait in the heap; the others go over a leg of the story's delays. */
static struct event *push_any(struct world *w, struct prng *chance)
{
    static const struct {
        enum leg leg;
        enum event_kind kind;
    } legs[] = {
        {LEG_ASK, EVENT_ASK},       {LEG_QUERY, EVENT_QUERY}, {LEG_ANSWER, EVENT_ANSWER},
        {LEG_SERVED, EVENT_ANSWER}, {LEG_REPLY, EVENT_REPLY}, {LEG_FETCH, EVENT_FETCH},
        {LEG_MAP, EVENT_MAP},
    };
    static const enum event_kind timers[] = {EVENT_START, EVENT_WAKE, EVENT_ARRIVAL};
    if (prng_chance(chance, 1, 3)) {
        int64_t time = w->now_us + (int64_t)prng_below(chance, 6000);
        return queue_at(w, time, timers[prng_below(chance, 3)]);
    }
    size_t leg = prng_below(chance, sizeof legs / sizeof *legs);
    uint8_t from = (uint8_t)prng_below(chance, w->config.zones);
    uint8_t to = (uint8_t)prng_below(chance, w->config.zones);
    return queue_send(w, legs[leg].leg, from, to, legs[leg].kind);
}

static bool in_order(const struct event *a, const struct event *b)
{
    enum event_class first = event_class_of((enum event_kind)a->kind);
    enum event_class second = event_class_of((enum event_kind)b->kind);
    if (a->time_us != b->time_us) {
        return a->time_us < b->time_us;
    }
    return first != second ? first < second : a->request < b->request;
}

/* Pushes and takes at random, and compares with the least of a plain list. `request` numbers the
 * pushes, as the sequence does. */
static void run_against_a_list(struct world *w, uint64_t seed, uint32_t most)
{
    struct prng chance = prng_seeded(seed, "queue test");
    struct event *list = calloc(most, sizeof *list);
    uint32_t count = 0;
    assert_non_null(list);
    for (uint32_t number = 0; number < 4000;) {
        if (count < most && (count == 0 || prng_chance(&chance, 11, 20))) {
            struct event *event = push_any(w, &chance);
            event->request = number++;
            list[count++] = *event;
            continue;
        }
        uint32_t least = 0;
        for (uint32_t i = 1; i < count; i++) {
            least = in_order(&list[i], &list[least]) ? i : least;
        }
        struct event taken;
        assert_false(queue_take_before(w, list[least].time_us, &taken));
        assert_true(queue_take_before(w, list[least].time_us + 1, &taken));
        assert_int_equal(taken.request, list[least].request);
        assert_int_equal(taken.time_us, list[least].time_us);
        list[least] = list[--count];
        w->now_us = taken.time_us;
        if (w->queue.heap_hole && prng_chance(&chance, 1, 2)) {
            queue_heap_close(w);
        } else if (w->queue.heap_hole) {
            struct event *event = queue_at(w, w->now_us + 7, EVENT_ARRIVAL);
            event->request = number++;
            list[count++] = *event;
        }
        assert_int_equal(w->queue.pending, count);
    }
    free(list);
}

static void events_come_in_the_order_of_time_class_and_sequence(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct world *w = play_world();
        run_against_a_list(w, seed, seed % 2 == 0 ? 20 : 300);
        world_free(w);
    }
}

static void the_order_holds_when_lanes_run_out(void **state)
{
    (void)state;
    struct world_config c = play_config();
    for (int from = 0; from < 3; from++) {
        for (int to = 0; to < 3; to++) {
            c.delay_us[from][to] = 100 * from + 37 * to; /* nine delays, thirty lanes wanted */
        }
    }
    struct world *w = play_new(&c);
    assert_int_equal(w->queue.lanes, LANES_MAX);
    run_against_a_list(w, 5, 200);
    world_free(w);
}

static void a_dropped_arrival_never_comes(void **state)
{
    (void)state;
    struct world *w = play_world();
    for (uint32_t flow = 0; flow < 40; flow++) {
        queue_at(w, EIGHT_PM + flow * 13 % 40, EVENT_ARRIVAL)->request = flow;
    }
    for (uint32_t flow = 0; flow < 40; flow += 2) {
        queue_drop_arrivals(w, flow);
    }
    queue_drop_arrivals(w, 2); /* not there any more */
    int64_t before = 0;
    struct event event;
    for (int i = 0; i < 20; i++) {
        assert_true(queue_take_before(w, INT64_MAX, &event));
        queue_heap_close(w);
        assert_int_equal(event.request % 2, 1);
        assert_true(event.time_us >= before);
        before = event.time_us;
    }
    assert_false(queue_take_before(w, INT64_MAX, &event));
    assert_int_equal(queue_room(w), w->config.events_max);
    world_free(w);
}

static void one_event_too_many_stops_the_world(void **state)
{
    (void)state;
    struct world *w = play_world();
    struct err err;
    for (uint32_t i = 0; i < w->config.events_max; i++) {
        queue_at(w, EIGHT_PM, EVENT_WAKE);
        assert_false(world_stopped(w, &err));
    }
    queue_at(w, EIGHT_PM, EVENT_WAKE);
    assert_true(world_stopped(w, &err));
    assert_string_equal(err.text, "the world stopped at 20:00:00.000: it has room for 512 waiting "
                                  "events; ask for less");
    queue_send(w, LEG_ASK, 0, 0, EVENT_ASK);
    assert_int_equal(w->queue.pending, w->config.events_max);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_come_in_the_order_of_time_class_and_sequence),
        cmocka_unit_test(the_order_holds_when_lanes_run_out),
        cmocka_unit_test(a_dropped_arrival_never_comes),
        cmocka_unit_test(one_event_too_many_stops_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
