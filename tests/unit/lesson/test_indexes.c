/*
 * What lessons read of catalogs and of the fleet of routers.
 */
#include "steps.h"

static void catalogs_are_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:catalog(\"riders\").mode} {w:catalog(\"riders\").rows} "
        "{#w:catalog_rows(\"riders\")} {w:catalog_row(\"riders\", 7).shard} "
        "{w:catalog_shard(\"riders\", \"rome\")}]]",
        "enter = function(w) w:command(\"catalog riders async 200\")\n"
        "  w:command(\"put riders 7 rome via R0\") w:play_answered() w:play_for(1)\n"
        "  w:command(\"put riders 7 oslo via R0\") w:play_answered()\n"
        "  w:command(\"find riders oslo via R1\") w:play_answered() end,\n"
        "say = [[{w:catalog(\"riders\").mode} {w:catalog(\"riders\").lag_ms} "
        "{w:catalog(\"riders\").behind} {w:catalog(\"riders\").put} "
        "{w:catalog(\"riders\").put_writes} {w:catalog(\"riders\").found.missing} "
        "{w:catalog(\"riders\").found.parts} {w:catalog_row(\"riders\", 7).term} "
        "{w:catalog_row(\"riders\", 7).indexed} {w:catalog_row(\"riders\", 7).lag_ms} "
        "{w:catalog_shard(\"riders\", \"oslo\")}]]",
        "enter = function(w) w:play_for(1)\n"
        "  w:command(\"find riders oslo via R1\") w:play_answered() end,\n"
        "say = [[{w:catalog(\"riders\").behind} {w:catalog(\"riders\").found.count} "
        "{w:catalog(\"riders\").found.ids[1]} {w:catalog(\"riders\").found.ms} "
        "{w:catalog_row(\"riders\", 7).indexed} {w:catalog_row(\"riders\", 7).lag_ms > 199 and "
        "1}]]",
        "enter = function(w) w:command(\"catalog users unique\")\n"
        "  w:command(\"put users 1 ann via R0\") w:command(\"put users 2 ann via R0\")\n"
        "  w:play_answered() end,\n"
        "say = [[{w:catalog(\"users\").refused} {w:catalog(\"users\").put} "
        "{w:catalog(\"users\").rows} {w:catalog(\"users\").puts}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 4);
    assert_string_equal(player_page(p)->say, "none 0 0 none none");
    next_says(p, "async 200 1 stored 1 1 1 oslo rome -1 S3");
    next_says(p, "0 1 7 6.5 oslo 1");
    next_says(p, "1 stored 1 2");
    player_close(p);
}

static void the_fleet_is_read(void **state)
{
    static const char *const steps[] = {
        "say = [[{w:fleet().capacity} {w:fleet().knowing} {w:fleet().up} {w:fleet().rounds} "
        "{#w:fleet().zones_down} {w:fleet_router(\"R0\").rate}]]",
        "enter = function(w) w:command(\"capacity 100\")\n"
        "  w:command(\"flow read post:{p1} 900 steady\") w:play_for(2)\n"
        "  w:command(\"zone a down 500\") w:play_for(2) end,\n"
        "say = [[{w:fleet().capacity} {w:fleet().up} {w:fleet().zones_down} "
        "{w:fleet_router(\"R0\").rate} {w:fleet_router(\"R2\").rate > 220 and 1} "
        "{w:fleet_router(\"R2\").refused_rate > 120 and 1} {w:fleet().refused > 500 and 1}]]",
        "enter = function(w) w:command(\"zone a up\") w:command(\"flow read post:{p1} 0\")\n"
        "  w:command(\"gossip 1000 from R0\") w:play_for(1) w:move(12067, 12067, \"S3\")\n"
        "  w:play_for(10) end,\n"
        "say = [[{w:fleet().gossip_ms} {w:fleet().knowing} {w:fleet().news} "
        "{w:fleet().rounds > 0 and w:fleet().rounds < 6 and 1} {#w:fleet().by_round == "
        "w:fleet().rounds and 1} "
        "{w:fleet().by_round[w:fleet().rounds]} {w:fleet().spread_ms <= 1000 * w:fleet().rounds "
        "and 1}]]",
        "say = [[{w:gossip_in(60).by_round[w:gossip_in(60).rounds]} "
        "{w:gossip_in(600).rounds > w:gossip_in(6).rounds and 1} {w:gossip_in(6).told > 5 and 1}]]",
    };
    struct player *p = open_steps_in(*state, "story-quiet", steps, 4);
    assert_string_equal(player_page(p)->say, "0 6 6 0 0 0");
    next_says(p, "100 4 a 0 1 1 1");
    next_says(p, "1,000 6 5 1 1 6 1");
    next_says(p, "60 1 1");
    player_close(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(catalogs_are_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(the_fleet_is_read, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
