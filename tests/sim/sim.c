/*
 * sim: the simulator.
 *
 *   sim                        as a test: 20,000 seeds (fewer with sanitizers), and the rules
 *   sim many COUNT [FROM]      so many seeds by two processes, and how fast
 *   sim seed N [without RULE]  one seed, each command told and each record of its trace
 *   sim rules                  each rule taken away
 *   sim find RULE [SEEDS]      the first seeds in which something breaks without it
 *
 * RULE,RULE takes two away.
 */
#include "sim.h"
#include "sanitized.h"

#include "base/num.h"
#include "engine/state.h"
#include <inttypes.h>
#include <signal.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROCESSES 2
#define LAST_RECORDS 30

#define TEST_SEEDS (SANITIZED ? 1000 : 20000)

static void tell_open(const struct world *w)
{
    for (uint32_t i = 0; i < w->requests_used; i++) {
        const struct request *r = requests_in(w) + i;
        if (r->number != 0 && !r->ended) {
            printf("#   open: request %" PRIu64 " of k%u, %s, R%u, S%u, origin %u, asks %u, turn "
                   "%u, flying %u%s\n",
                   r->number, r->key, op_name((enum op_kind)r->op), r->router, r->shard, r->origin,
                   r->asks, r->turn, r->flying, r->here ? ", at its router" : "");
        }
    }
}

static void tell(const struct sim *s)
{
    printf("# seed %" PRIu64 ", event %" PRIu64 ": %s\n", s->seed, s->event, s->err.text);
    uint64_t next = trace_next(s->world);
    uint64_t from = next > LAST_RECORDS ? next - LAST_RECORDS : 1;
    for (uint64_t i = from; i < next; i++) {
        const struct trace_record *r = trace_get(s->world, i);
        if (r != NULL && !s->loud) {
            sim_tell_record(s->world, r);
        }
    }
    tell_open(s->world);
}

/* What a process hands back. */
struct part {
    struct sim_cover cover;
    bool well;
};

static volatile uint64_t playing; /* the seed, for who_crashed */

/* A seed that crashes the engine is told too. */
static void who_crashed(int signal)
{
    char text[] = "# the engine crashed, seed                     \n";
    size_t at = sizeof text - 3;
    for (uint64_t seed = playing; seed > 0; seed /= 10) {
        text[at--] = (char)('0' + seed % 10);
    }
    ssize_t told = write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(told > 0 ? signal : 2);
}

static void play_part(uint64_t from, uint64_t count, uint64_t every, struct part *part)
{
    for (uint64_t i = 0; i < count && part->well; i += every) {
        struct sim s = {.seed = from + i};
        playing = s.seed;
        part->well = sim_play(&s);
        if (!part->well) {
            tell(&s);
        }
        cover_add(&part->cover, &s.saw);
        sim_end(&s);
    }
}

/* Starts a process for every PROCESSES-th seed; gives the end of the pipe that it answers by. */
static int start_part(uint64_t from, uint64_t count, pid_t *child)
{
    int ends[2];
    (void)fflush(stdout);
    if (pipe(ends) != 0 || (*child = fork()) < 0) {
        perror("sim");
        exit(2);
    }
    if (*child > 0) {
        (void)close(ends[1]);
        return ends[0];
    }
    struct part *part = calloc(1, sizeof *part);
    if (part == NULL) {
        exit(2);
    }
    part->well = true;
    (void)signal(SIGABRT, who_crashed);
    (void)signal(SIGSEGV, who_crashed);
    (void)signal(SIGFPE, who_crashed);
    play_part(from, count, PROCESSES, part);
    (void)fflush(stdout);
    bool sent = write(ends[1], part, sizeof *part) == (ssize_t)sizeof *part;
    free(part);
    _exit(sent ? 0 : 2);
}

static bool read_part(int end, struct part *part)
{
    size_t got = 0;
    ssize_t now = 1;
    while (got < sizeof *part && now > 0) {
        now = read(end, (char *)part + got, sizeof *part - got);
        got += now > 0 ? (size_t)now : 0;
    }
    (void)close(end);
    return got == sizeof *part;
}

bool sim_many(uint64_t from, uint64_t count, struct sim_cover *cover)
{
    pid_t child[PROCESSES];
    int end[PROCESSES];
    bool well = true;
    for (uint64_t i = 0; i < PROCESSES; i++) {
        end[i] = start_part(from + i, count > i ? count - i : 0, &child[i]);
    }
    for (int i = 0; i < PROCESSES; i++) {
        struct part part;
        int status = 0;
        well = read_part(end[i], &part) && part.well && well;
        if (waitpid(child[i], &status, 0) < 0 || status != 0) {
            printf("# a process of the simulator ended with status %d\n", status);
            well = false;
        } else {
            cover_add(cover, &part.cover);
        }
    }
    return well;
}

static int64_t wall_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool many(uint64_t count, uint64_t from)
{
    struct sim_cover cover = {0};
    int64_t begun = wall_us();
    bool well = sim_many(from, count, &cover);
    int64_t took = wall_us() - begun + 1;
    cover_print(&cover);
    printf("## %" PRId64 " seeds a second, %" PRId64
           " events a second, virtual to wall time %" PRId64 ":1\n",
           (int64_t)cover.seeds * 1000000 / took, (int64_t)cover.events * 1000000 / took,
           cover.virtual_us / took);
    return cover_enough(&cover) && well;
}

/* What would be judged wrong is: one answer of a seed is changed. */
static bool judge_of_histories(void)
{
    int spoilt = 0;
    int noticed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct sim s = {.seed = seed};
        if (sim_play(&s) && history_spoil(s.history)) {
            spoilt++;
            noticed += !history_judge(&s);
        }
        sim_end(&s);
    }
    bool well = spoilt >= 10 && noticed == spoilt;
    printf("%s a read that lacks an answered like is noticed: in %d seeds of %d\n",
           well ? "ok" : "not ok", noticed, spoilt);
    return well;
}

static bool as_test(void)
{
    struct sim_cover cover = {0};
    bool well = sim_many(1, TEST_SEEDS, &cover);
    printf("%s %d seeds: every invariant holds after every event\n", well ? "ok" : "not ok",
           TEST_SEEDS);
    bool seen = true;
    if (!SANITIZED) { /* a thousand seeds are too few */
        seen = cover_enough(&cover);
        printf("%s everything happens in a thousandth of the seeds\n", seen ? "ok" : "not ok");
    }
    cover_print(&cover);
    bool judged = judge_of_histories();
    bool rules = sim_rules();
    return well && seen && judged && rules;
}

static bool one(uint64_t seed, uint64_t off)
{
    struct sim s = {.seed = seed, .off = off, .loud = true};
    bool well = sim_play(&s);
    if (!well) {
        tell(&s);
    }
    char hex[DIGEST_HEX_SIZE];
    digest_hex(s.saw.digest, hex);
    printf("%s seed %" PRIu64 ": %" PRIu64 " events, digest %s\n", well ? "ok" : "not ok", seed,
           s.event, hex);
    sim_end(&s);
    return well;
}

static bool rules_by_name(const char *names, uint64_t *off)
{
    while (*names != '\0') {
        char name[64];
        enum rule rule;
        size_t length = strcspn(names, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (!rule_by_name(name, &rule)) {
            (void)fprintf(stderr, "sim: no rule \"%s\"\n", name);
            return false;
        }
        *off |= rule_bit(rule);
        names += length + (names[length] == ',');
    }
    return true;
}

static bool find(uint64_t off, uint64_t seeds)
{
    int found = 0;
    for (uint64_t seed = 1; seed <= seeds && found < 8; seed++) {
        struct sim s = {.seed = seed, .off = off};
        if (!sim_play(&s)) {
            printf("# seed %" PRIu64 ", event %" PRIu64 ": %s\n", seed, s.event, s.err.text);
            found++;
        }
        sim_end(&s);
    }
    printf("## %d found\n", found);
    return found > 0;
}

static uint64_t number(const char *text)
{
    uint64_t value = 0;
    struct err err = {{0}};
    if (!num_parse_u64(text, "seed", 0, UINT64_MAX / 2, &value, &err)) {
        (void)fprintf(stderr, "sim: %s\n", err.text);
        exit(2);
    }
    return value;
}

/* Worlds come and go: their memory stays with the process. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 26);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 28);
    (void)mallopt(M_TOP_PAD, 1 << 24);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    const char *task = argc > 1 ? argv[1] : "";
    uint64_t off = 0;
    bool well = false;
    if (argc == 1) {
        well = as_test();
    } else if (strcmp(task, "many") == 0 && (argc == 3 || argc == 4)) {
        well = many(number(argv[2]), argc == 4 ? number(argv[3]) : 1);
    } else if (strcmp(task, "find") == 0 && (argc == 3 || argc == 4) &&
               rules_by_name(argv[2], &off)) {
        well = find(off, argc == 4 ? number(argv[3]) : 20000);
    } else if (strcmp(task, "rules") == 0 && argc == 2) {
        well = sim_rules();
    } else if (strcmp(task, "seed") == 0 &&
               (argc == 3 || (argc == 5 && rules_by_name(argv[4], &off)))) {
        well = one(number(argv[2]), off);
    } else {
        (void)fprintf(
            stderr,
            "usage: sim [many COUNT [FROM] | seed N [without RULE] | find RULE [SEEDS] | rules]\n");
        return 2;
    }
    return well ? 0 : 1;
}
