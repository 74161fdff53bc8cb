/*
 * What lessons read of transactions and their rows.
 */
#include "steps.h"

static void transactions_are_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:txn().number} {w:txn().by} {w:txn().outcome} {#w:txn().steps} "
        "{w:row(\"alice\").value} {w:row(\"alice\").shard} {w:total()} {w:txns().begun}]]",
        "enter = function(w) w:command(\"row alice 100\") w:command(\"row bob 20\")\n"
        "  w:command(\"txn 2pc via R0 take alice 30 give bob 30\") w:play_for(0.3) end,\n"
        "say = [[{w:txn().number} {w:txn().by} {w:txn().outcome} {w:txn().phase} "
        "{w:txn().messages} {w:txn(1).steps[1].what} {w:txn(1).steps[1].key} "
        "{w:txn(1).steps[1].amount} {w:txn(1).steps[2].state} {w:txn().told and \"told\"} "
        "{w:txn().ms < w:txn().over_ms and \"later\"} {w:row(\"bob\").value} {w:total()}]]",
        "enter = function(w) w:command(\"coordinator dies voted 3000\")\n"
        "  w:command(\"txn 2pc via R1 take alice 1 give bob 1\") w:play_for(0.5) end,\n"
        "say = [[{w:txn().outcome} {w:txn().down and \"down\"} {w:txn().over and 1 or 0} "
        "{w:row(\"alice\").locked_by} {w:row(\"alice\").locked_ms > 490 and \"long\"} "
        "{w:txn().steps[1].locked and \"locked\"} {w:txn().router} {w:txns().open}]]",
        "enter = function(w) w:play_for(4)\n"
        "  w:command(\"txn saga via R2 give bob 5 take carol 1\") w:play_for(0.3) end,\n"
        "say = [[{w:txn(2).outcome} {w:txn(2).told and 1 or 0} {w:txn().by} {w:txn().phase} "
        "{w:txn().steps[1].state} {w:txn().steps[2].state} "
        "{w:txn().steps[1].seen_ms > 0 and \"seen\"} {w:txns().undone} {w:txns().done} "
        "{w:row(\"bob\").locked and 1 or 0}]]",
    };
    struct player *p = open_steps_in(*state, "story-near", steps, 4);
    assert_string_equal(player_page(p)->say, "0 none open 0 0 none 0 0");
    next_says(p, "1 2pc done nothing 4 take alice 30 committed told later 50 120");
    next_says(p, "open down 0 2 long locked R1 1");
    next_says(p, "undone 0 saga undone taken back refused seen 2 1 0");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(transactions_are_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
