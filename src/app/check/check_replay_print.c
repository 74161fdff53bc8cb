/*
 * check_replay_print: lines of a world under the steps of a model, and the verdict.
 */
#include "app/check/check_replay_print.h"
#include "app/cmd/cli.h"
#include <stdio.h>
#include <string.h>

static bool nothing_lost(const struct replayed *full)
{
    return !full->fails && full->unanswered == 0 && full->lost == 0 && full->broken_at == 0;
}

bool replay_same(const struct replay_pair *pair)
{
    return pair->less.agrees && pair->less.fails && pair->full.agrees &&
           nothing_lost(&pair->full) && pair->full.stopped == pair->part.last.step;
}

/* Each line of a text. */
static const char *next_line(const char *at, size_t *length)
{
    at += *length + (at[*length] == '\n');
    *length = strcspn(at, "\n");
    return at;
}

/* Set off from what the model tells. */
static void print_lines(const struct replayed *played, uint32_t step)
{
    size_t length = 0;
    const char *at = str_text(&played->lines[step]);
    for (length = strcspn(at, "\n"); *at; at = next_line(at, &length)) {
        cli_print(stdout, "     | %.*s\n", (int)length, at);
    }
}

void replay_print_before(const struct replay_pair *pair, const struct check_model *model)
{
    printf("\nUnder each step is what a world does. A message that waits is held up.\n%s\n",
           check_replay_about(model));
    print_lines(&pair->less, 0);
    putchar('\n');
}

void replay_print_step(const struct replay_pair *pair, uint32_t step)
{
    print_lines(&pair->less, step);
}

static void print_verdict(const struct replayed *less)
{
    if (less->fails) {
        cli_print(stdout, "\nThe world comes to the same verdict, after step %u:\n  %s.\n",
                  (unsigned)less->failed_at, less->failure);
    } else {
        puts("\nThe world comes to another verdict: no promise was seen broken.");
    }
    if (less->broken_at > 0) {
        cli_print(stdout, "After step %u an invariant of the engine is broken: %s.\n",
                  (unsigned)less->broken_at, less->broken.text);
    }
}

void replay_print_after(const struct replay_pair *pair)
{
    const struct replayed *full = &pair->full;
    if (!pair->less.agrees || !full->agrees) {
        const struct err *differs = pair->less.agrees ? &full->differs : &pair->less.differs;
        cli_print(stdout, "\nThe world does not follow the model: %s.\n", differs->text);
        return;
    }
    print_verdict(&pair->less);
    if (full->stopped == 0) {
        puts("\nThe same commands in a world with every rule: all steps take place.");
    } else {
        printf("\nThe same commands in a world with every rule. Step %u %s; from there on:\n\n",
               (unsigned)full->stopped,
               pair->part.last.taken ? "goes otherwise" : "does not take place");
    }
    for (uint32_t i = full->stopped; full->stopped > 0 && i <= full->steps + 1; i++) {
        print_lines(full, i);
    }
    if (nothing_lost(full)) {
        puts("\nEvery request is answered, nothing is lost, and no promise is broken.");
    } else if (full->fails) {
        cli_print(stdout, "\nAnd yet: %s.\n", full->failure);
    } else {
        puts("\nAnd yet something is lost, or a request is not answered.");
    }
}

static json_t *json_of_lines(const struct replayed *played)
{
    json_t *lines = json_array();
    for (uint32_t i = 0; i < played->steps + 2; i++) {
        const char *at = str_text(&played->lines[i]);
        for (size_t length = strcspn(at, "\n"); *at; at = next_line(at, &length)) {
            json_push(lines, json_stringn(at, length));
        }
    }
    return lines;
}

/* null: no read was answered. */
static json_t *json_of_read(const struct replayed *played, uint64_t value)
{
    return played->reads > 0 ? json_integer((json_int_t)value) : json_null();
}

json_t *replay_json(const struct replay_pair *pair)
{
    json_t *replayed = json_line();
    const struct replayed *less = &pair->less;
    json_set_text(replayed, "verdict", less->fails ? "fails" : "holds");
    json_set(replayed, "same", json_boolean(replay_same(pair)));
    json_set(replayed, "failure", less->fails ? json_string(less->failure) : json_null());
    json_set(replayed, "returned", json_of_read(less, less->returned));
    json_set(replayed, "due", json_of_read(less, less->due));
    json_set(replayed, "invariant",
             less->broken_at > 0 ? json_string(less->broken.text) : json_null());
    json_set_whole(replayed, "stopped", pair->full.stopped);
    json_set(replayed, "lines", json_of_lines(less));
    return replayed;
}
