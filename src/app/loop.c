/*
 * loop: see loop.h.
 */
#include "app/loop.h"
#include "app/cmd/cli.h"

#define NS_PER_US INT64_C(1000)
#define US_PER_MS_OF_CLOCK INT64_C(1000)
#define DRAIN_US INT64_C(16000) /* keys are handled for at most so long before a drawing */

static int64_t clock_us(void)
{
    return clock_ns() / NS_PER_US;
}

/* Handles one input, waiting at most timeout_ms, and then all that wait behind it. */
static void handle_input(struct ui *ui, int timeout_ms)
{
    struct term_input input = term_read(ui->term, timeout_ms);
    int64_t until = clock_us() + DRAIN_US;
    while (input.kind != TERM_INPUT_TIMEOUT) {
        ui_input(ui, &input);
        if (ui->quit || clock_us() >= until) {
            return;
        }
        input = term_read(ui->term, 0);
    }
}

int loop_run(struct ui *ui)
{
    int64_t last_frame = clock_us();
    bool was_running = false;
    check_screen_await(ui);
    while (!ui->quit) {
        if (ui->dirty) {
            ui_draw(ui);
        }
        bool running = play_running(ui) && !ui->options.no_motion;
        if (running && !was_running) {
            last_frame = clock_us(); /* time that passed while nothing ran does not count */
        }
        was_running = running;
        int timeout_ms = -1;
        if (running) {
            int64_t left = last_frame + FRAME_US - clock_us();
            timeout_ms = left > 0 ? (int)((left + US_PER_MS_OF_CLOCK - 1) / US_PER_MS_OF_CLOCK) : 0;
        }
        handle_input(ui, timeout_ms);
        check_screen_await(ui);
        int64_t now = clock_us();
        if (running && now - last_frame >= FRAME_US) {
            play_tick(ui, now - last_frame);
            last_frame = now;
        }
    }
    return CLI_YES;
}
