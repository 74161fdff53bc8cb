/*
 * bench: see bench.h.
 */
#include "app/bench/bench.h"
#include "app/folders.h"
#include "app/loop.h"
#include "base/alloc.h"
#include "check/models.h"
#include "check/search.h"
#include "place/key.h"
#include "story/story.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NS_PER_MS 1e6
#define NS_PER_S 1e9
#define SLOT_KEYS 100000u
#define SLOT_ROUNDS 20
#define SLOT_NAMES 4
#define FRAMES 30
#define STARTS 7

extern char **environ;

/* The least disturbed of some rounds, a key. */
static double slot_ns(const char *const names[SLOT_NAMES])
{
    struct bytes key[SLOT_NAMES];
    for (size_t i = 0; i < SLOT_NAMES; i++) {
        key[i] = bytes_of(names[i]);
    }
    volatile uint32_t sink = 0;
    uint32_t sum = 0;
    int64_t best = INT64_MAX;
    for (int round = 0; round < SLOT_ROUNDS; round++) {
        int64_t start = clock_ns();
        for (uint32_t i = 0; i < SLOT_KEYS; i++) {
            sum += key_slot(key[i % SLOT_NAMES]);
        }
        int64_t took = clock_ns() - start;
        best = took < best ? took : best;
    }
    sink = sum;
    (void)sink;
    return (double)best / SLOT_KEYS;
}

bool bench_slot(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    static const char *const names[SLOT_NAMES] = {"post:{p9}", "likes:{p12}", "user:31415926",
                                                  "session:ab12"};
    *row = (struct bench_row){
        "key_to_slot", "from a key of about ten bytes to its slot", "ns", slot_ns(names), 50,
        false};
    return true;
}

bool bench_slot_short(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    static const char *const names[SLOT_NAMES] = {"post:{p9}", "post:{p3}", "post:{p7}",
                                                  "post:{p1}"};
    *row = (struct bench_row){
        "slot_short", "from post:{p9} and the like to the slot", "ns", slot_ns(names), 15, false};
    return true;
}

bool bench_slot_16(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    static const char *const names[SLOT_NAMES] = {"user:31415926535", "user:27182818284",
                                                  "user:16180339887", "user:14142135623"};
    *row = (struct bench_row){
        "slot_16", "from a key of 16 bytes to its slot", "ns", slot_ns(names), 22, false};
    return true;
}

bool bench_slot_64(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    (void)err;
    static const char *const names[SLOT_NAMES] = {
        "tenant:5f2c9a41d07be836:session:0123456789abcdef:cart:3141592653",
        "tenant:5f2c9a41d07be836:session:fedcba9876543210:cart:2718281828",
        "tenant:a9d13b7702c4ef58:session:0011223344556677:cart:1618033988",
        "tenant:a9d13b7702c4ef58:session:8899aabbccddeeff:cart:1414213562"};
    *row = (struct bench_row){
        "slot_64", "from a key of 64 bytes to its slot", "ns", slot_ns(names), 47, false};
    return true;
}

/* The first lesson on a terminal in memory, with no progress log behind it. NULL with the reason.
 */
static struct ui *open_lesson(const struct options *o, struct term *term, struct err *err)
{
    struct options quiet = *o;
    quiet.no_motion = true;
    struct ui *ui = ui_new(&quiet, term);
    if (ui->progress) {
        progress_free(ui->progress);
        ui->progress = NULL;
    }
    for (size_t i = 0; i < ui->index->count; i++) {
        if (!ui->index->entry[i].drill) {
            if (course_open(ui, &ui->index->entry[i], false, err)) {
                return ui;
            }
            ui_free(ui);
            return NULL;
        }
    }
    err_set(err, "no lesson was found to measure with; set HOTSHARD_LESSONS to their folder");
    ui_free(ui);
    return NULL;
}

/* One step further, whatever is asked. False at the end. */
static bool step_on(struct ui *ui)
{
    struct player *player = ui->course.player;
    for (int i = 0; i < 8; i++) {
        enum player_next next = player_forward(player, NULL);
        if (next == PLAYER_ASKS) {
            player_skip(player, NULL);
        }
        if (player_page(player)->running) {
            player_finish_run(player, NULL);
        }
        if (next != PLAYER_ASKS) {
            return next == PLAYER_MOVED;
        }
    }
    return false;
}

bool bench_frame(const struct options *o, struct bench_row *row, struct err *err)
{
    struct term *term = term_null_open(200, 60, GLYPHS_UTF8);
    struct ui *ui = open_lesson(o, term, err);
    int64_t worst = 0;
    bool more = ui != NULL;
    while (more) {
        int64_t start = clock_ns();
        for (int i = 0; i < FRAMES; i++) { /* as while it plays: every frame sees another world */
            player_tick(ui->course.player, FRAME_US, NULL);
            ui_draw(ui);
        }
        int64_t each = (clock_ns() - start) / FRAMES;
        worst = each > worst ? each : worst;
        more = step_on(ui);
        course_changed(ui);
    }
    *row = (struct bench_row){"frame_200x60",
                              "playing and drawing the slowest step of the first lesson",
                              "ms",
                              (double)worst / NS_PER_MS,
                              4,
                              false};
    bool good = ui != NULL;
    if (ui) {
        ui_free(ui);
    }
    term_close(term);
    return good;
}

static int compare_ns(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return *x < *y ? -1 : *x > *y;
}

static bool start_once(int64_t *took, struct err *err)
{
    char name[] = "hotshard";
    char script[] = "--script";
    char nothing[] = "/dev/null";
    char *const arguments[] = {name, script, nothing, NULL};
    pid_t child = 0;
    int status = 0;
    int64_t start = clock_ns();
    int failed = posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ);
    if (failed) {
        return err_set(err, "the program could not start itself: %s", strerror(failed));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *took = clock_ns() - start;
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           err_set(err, "the program started by itself ended with status %d", status);
}

bool bench_start(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    int64_t took[STARTS];
    for (int i = 0; i < STARTS; i++) {
        if (!start_once(&took[i], err)) {
            return false;
        }
    }
    qsort(took, STARTS, sizeof took[0], compare_ns);
    *row = (struct bench_row){"start_to_first_frame",
                              "a new process draws the course in memory and ends (median)",
                              "ms",
                              (double)took[STARTS / 2] / NS_PER_MS,
                              50,
                              false};
    return true;
}

bool bench_step_back(const struct options *o, struct bench_row *row, struct err *err)
{
    struct term *term = term_null_open(100, 30, GLYPHS_UTF8);
    struct ui *ui = open_lesson(o, term, err);
    int64_t worst = 0;
    if (ui) {
        while (step_on(ui)) {
        }
        bool more = true;
        while (more) {
            int64_t start = clock_ns();
            more = player_back(ui->course.player);
            int64_t took = clock_ns() - start;
            worst = more && took > worst ? took : worst;
        }
    }
    *row = (struct bench_row){"step_back", "the slowest step back through the first lesson",
                              "ms",        (double)worst / NS_PER_MS,
                              50,          false};
    bool good = ui != NULL;
    if (ui) {
        ui_free(ui);
    }
    term_close(term);
    return good;
}

bool bench_memory(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return err_set(err, "the memory in use could not be asked for: %s", strerror(errno));
    }
    *row = (struct bench_row){
        "memory", "the most that this process held, all measures so far included",
        "MB",     (double)usage.ru_maxrss / 1024,
        100,      false};
    return true;
}

/* Two-phase commit, whose states other checkers have counted: another count is no measure. */
static bool check_two_phase(uint8_t managers, uint64_t states, uint64_t generated,
                            struct check_result *result, struct err *err)
{
    struct check_scope scope = {.rules = CHECK_RULES_ALL, .size = managers};
    struct check_options options = {
        .states_max = states + 1, .bytes_max = (uint64_t)1 << 30, .threads = 1};
    *result = check_search(&model_two_phase_yardstick, &scope, &options);
    check_result_free(result);
    return (result->verdict == CHECK_HOLDS && result->states == states &&
            result->generated == generated) ||
           err_set(err, "two-phase commit with %u managers has other states than it should",
                   (unsigned)managers);
}

bool bench_check(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    struct check_result result;
    int64_t start = clock_ns();
    bool good = check_two_phase(9, 10340352, 123558402, &result, err);
    *row = (struct bench_row){"check_states",
                              "states of two-phase commit, 9 managers, one thread",
                              "/s",
                              (double)result.states * NS_PER_S / (double)(clock_ns() - start),
                              1e6,
                              true};
    return good;
}

bool bench_check_memory(const struct options *o, struct bench_row *row, struct err *err)
{
    (void)o;
    struct check_result result;
    bool good = check_two_phase(8, 1745408, 18507778, &result, err);
    *row = (struct bench_row){"check_state_bytes",
                              "memory for a state of it, table included, 8 managers",
                              "B",
                              (double)result.bytes / (double)result.states,
                              90,
                              false};
    return good;
}
