/*
 * Every row of figures.tsv that our code can answer by now, computed by it: who owns a key, what
 * moves when a shard comes, what each shard is asked in the story's moments, and what the
 * calculators say. Prints how many rows of each part are covered, and fails if one is left open of
 * a part whose lessons are written.
 */
#include "figures_by_checker.h"
#include "figures_chances.h"
#include "figures_field.h"
#include "figures_fleet.h"
#include "figures_growth.h"
#include "figures_guards.h"
#include "figures_keys.h"
#include "figures_managed.h"
#include "figures_moves.h"
#include "figures_nodes.h"
#include "figures_not_ours.h"
#include "figures_placing.h"
#include "figures_playground.h"
#include "figures_queries.h"
#include "figures_reads.h"
#include "figures_rings.h"
#include "figures_salts.h"
#include "figures_shifts.h"
#include "figures_size.h"
#include "figures_traffic.h"
#include "figures_variants.h"
#include "figures_watch.h"
#include "figures_writes.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* id, function, text, a, b */
static const struct figure places[] = {
    {"slot.check", value_crc, "123456789", 0, 0},
    {"slot.second_opinion", value_second_opinion, NULL, 0, 0},
    {"slot.per_shard", value_slots_each, NULL, 16384, 4},
    {"slot.range_S0", value_range, NULL, 4, 0},
    {"slot.range_S1", value_range, NULL, 4, 1},
    {"slot.range_S2", value_range, NULL, 4, 2},
    {"slot.range_S3", value_range, NULL, 4, 3},
    {"slot.post_p1", value_post_slot, NULL, 1, 0},
    {"slot.post_p2", value_post_slot, NULL, 2, 0},
    {"slot.post_p3", value_post_slot, NULL, 3, 0},
    {"slot.post_p4", value_post_slot, NULL, 4, 0},
    {"slot.post_p5", value_post_slot, NULL, 5, 0},
    {"slot.post_p6", value_post_slot, NULL, 6, 0},
    {"slot.post_p7", value_post_slot, NULL, 7, 0},
    {"slot.post_p8", value_post_slot, NULL, 8, 0},
    {"slot.post_p9", value_post_slot, NULL, 9, 0},
    {"slot.post_p10", value_post_slot, NULL, 10, 0},
    {"slot.post_p11", value_post_slot, NULL, 11, 0},
    {"slot.post_p12", value_post_slot, NULL, 12, 0},
    {"slot.post_p13", value_post_slot, NULL, 13, 0},
    {"slot.post_p14", value_post_slot, NULL, 14, 0},
    {"slot.post_p15", value_post_slot, NULL, 15, 0},
    {"slot.post_p16", value_post_slot, NULL, 16, 0},
    {"slot.posts_S0", value_posts_on, NULL, 0, 0},
    {"slot.nposts_S0", value_posts_count, NULL, 0, 0},
    {"slot.posts_S1", value_posts_on, NULL, 1, 0},
    {"slot.nposts_S1", value_posts_count, NULL, 1, 0},
    {"slot.posts_S2", value_posts_on, NULL, 2, 0},
    {"slot.posts_S3", value_posts_on, NULL, 3, 0},
    {"slot.nposts_S3", value_posts_count, NULL, 3, 0},
    {"slot.same_slot", value_distinct_slots, "post:{p9} likes:{p9}:r0 comments:{p9}", 0, 0},
    {"slot.router_subkeys_slot", value_common_slot, "likes:{p9}:r@", 5, 0},
    {"slot.fix_slot", value_slot, "likes:{p9}:fix", 0, 0},
    {"slot.salt_0", value_salt_slot, "tag", 0, 0},
    {"slot.salt_0_shard", value_salt_shard, "tag", 0, 0},
    {"slot.salt_1", value_salt_slot, "tag", 1, 0},
    {"slot.salt_1_shard", value_salt_shard, "tag", 1, 0},
    {"slot.salt_2_shard", value_salt_shard, "tag", 2, 0},
    {"slot.salt_3", value_salt_slot, "tag", 3, 0},
    {"slot.salt_3_shard", value_salt_shard, "tag", 3, 0},
    {"slot.salt_4", value_salt_slot, "tag", 4, 0},
    {"slot.salt_4_shard", value_salt_shard, "tag", 4, 0},
    {"slot.salt_5", value_salt_slot, "tag", 5, 0},
    {"slot.salt_5_shard", value_salt_shard, "tag", 5, 0},
    {"slot.salt_6", value_salt_slot, "tag", 6, 0},
    {"slot.salt_6_shard", value_salt_shard, "tag", 6, 0},
    {"slot.salt_7", value_salt_slot, "tag", 7, 0},
    {"slot.salt_7_shard", value_salt_shard, "tag", 7, 0},
    {"slot.salt_two_each", value_salt_counts, "tag", 8, 0},
    {"slot.salt_first_four", value_salt_counts, "tag", 4, 0},
    {"slot.trap_slots", value_distinct_slots,
     "likes:{p9}#0 likes:{p9}#1 likes:{p9}#2 likes:{p9}#3 likes:{p9}#4 likes:{p9}#5 likes:{p9}#6 "
     "likes:{p9}#7",
     0, 0},
    {"slot.trap_shard", value_same_shard, "outside", 8, 0},
    {"slot.structure", value_structure, NULL, 0, 0},
    {"slot.salt_16", value_salt_shards, "tag", 16, 0},
    {"slot.tag_no_brace", value_tag, "foobar", 0, 0},
    {"slot.tagslot_no_brace", value_slot, "foobar", 0, 0},
    {"slot.tag_plain", value_tag, "likes:{p9}:r0", 0, 0},
    {"slot.tagslot_plain", value_slot, "likes:{p9}:r0", 0, 0},
    {"slot.tag_empty_first", value_tag, "foo{}{bar}", 0, 0},
    {"slot.tagslot_empty_first", value_slot, "foo{}{bar}", 0, 0},
    {"slot.tag_nested", value_tag, "foo{{bar}}zap", 0, 0},
    {"slot.tagslot_nested", value_slot, "foo{{bar}}zap", 0, 0},
    {"slot.tag_two_tags", value_tag, "foo{bar}{zap}", 0, 0},
    {"slot.tagslot_two_tags", value_slot, "foo{bar}{zap}", 0, 0},
    {"slot.tag_unclosed", value_tag, "foo{bar", 0, 0},
    {"slot.tagslot_unclosed", value_slot, "foo{bar", 0, 0},
    {"slot.tagslot_close_first", value_slot, "}foo{bar}", 0, 0},
    {"slot.tag_only_empty", value_tag, "{}", 0, 0},
    {"slot.tagslot_only_empty", value_slot, "{}", 0, 0},
    {"slot.tag_empty_then_tag", value_tag, "{}{p9}", 0, 0},
    {"slot.tagslot_empty_then_tag", value_slot, "{}{p9}", 0, 0},
    {"slot.tag_tag_then_empty", value_tag, "{p9}{}", 0, 0},
    {"slot.tagslot_tag_then_empty", value_slot, "{p9}{}", 0, 0},
    {"slot.tag_space", value_tag, "a{ }b", 0, 0},
    {"slot.tagslot_space", value_slot, "a{ }b", 0, 0},
    {"slot.tag_close_only", value_tag, "foo}bar", 0, 0},
    {"slot.tagslot_close_only", value_slot, "foo}bar", 0, 0},
    {"slot.tagslot_whole", value_slot, "{p9}", 0, 0},
    {"slot.tag_late_open", value_tag, "a}b{", 0, 0},
    {"slot.tagslot_late_open", value_slot, "a}b{", 0, 0},
    {"slot.empty_key", value_slot, "", 0, 0},
    {"slot.mykey_crc", value_crc, "mykey", 0, 0},
    {"slot.mykey", value_slot, "mykey", 0, 0},
    {"slot.mykey_master", value_owner, "mykey", 3, 0},
    {"slot.three_sizes", value_range_sizes, NULL, 3, 3},
    {"slot.user_u42", value_slot, "user:U42", 0, 0},
    {"slot.item_i789", value_slot, "item:I789", 0, 0},
    {"slot.user_node", value_owner, "user:U42", 3, 0},
    {"slot.item_node", value_owner, "item:I789", 3, 0},
    {"slot.order_tag", value_same_slot, "{order:123}.items {order:123}.total", 0, 0},
    {"slot.foo", value_slot, "foo", 0, 0},
    {"slot.reshard_1000", value_range_length, NULL, 0, 1000},
    {"salt.naive_load", value_salt_load, "tag", 3, 1},
    {"salt.s8_S2", value_salt_load, "tag", 8, 2},
    {"salt.s8_other", value_salt_load, "tag", 8, 0},
    {"salt.s8_S2_pct", value_salt_percent, "tag", 8, 2},
    {"salt.s8_other_pct", value_salt_percent, "tag", 8, 3},
    {"salt.table_3_counts", value_salt_counts, "tag", 3, 0},
    {"salt.table_3_loads", value_salt_loads, "tag", 3, 0},
    {"salt.table_3_max", value_salt_max, "tag", 3, 0},
    {"salt.table_3_ok", value_salt_ok, "tag", 3, 0},
    {"salt.table_4_counts", value_salt_counts, "tag", 4, 0},
    {"salt.table_4_loads", value_salt_loads, "tag", 4, 0},
    {"salt.table_4_ok", value_salt_ok, "tag", 4, 0},
    {"salt.table_5_loads", value_salt_loads, "tag", 5, 0},
    {"salt.table_5_max", value_salt_max, "tag", 5, 0},
    {"salt.table_5_ok", value_salt_ok, "tag", 5, 0},
    {"salt.table_6_counts", value_salt_counts, "tag", 6, 0},
    {"salt.table_6_ok", value_salt_ok, "tag", 6, 0},
    {"salt.table_7_counts", value_salt_counts, "tag", 7, 0},
    {"salt.table_7_loads", value_salt_loads, "tag", 7, 0},
    {"salt.table_7_max", value_salt_max, "tag", 7, 0},
    {"salt.table_7_ok", value_salt_ok, "tag", 7, 0},
    {"salt.table_8_counts", value_salt_counts, "tag", 8, 0},
    {"salt.table_8_loads", value_salt_loads, "tag", 8, 0},
    {"salt.table_8_ok", value_salt_ok, "tag", 8, 0},
    {"salt.table_10_counts", value_salt_counts, "tag", 10, 0},
    {"salt.table_10_max", value_salt_max, "tag", 10, 0},
    {"salt.table_12_counts", value_salt_counts, "tag", 12, 0},
    {"salt.table_12_loads", value_salt_loads, "tag", 12, 0},
    {"salt.table_12_max", value_salt_max, "tag", 12, 0},
    {"salt.table_12_ok", value_salt_ok, "tag", 12, 0},
    {"salt.table_16_counts", value_salt_counts, "tag", 16, 0},
    {"salt.table_16_loads", value_salt_loads, "tag", 16, 0},
    {"salt.table_16_max", value_salt_max, "tag", 16, 0},
    {"salt.table_16_ok", value_salt_ok, "tag", 16, 0},
    {"salt.table_24_counts", value_salt_counts, "tag", 24, 0},
    {"salt.table_24_loads", value_salt_loads, "tag", 24, 0},
    {"salt.table_24_max", value_salt_max, "tag", 24, 0},
    {"salt.table_24_ok", value_salt_ok, "tag", 24, 0},
    {"salt.table_32_counts", value_salt_counts, "tag", 32, 0},
    {"salt.table_32_loads", value_salt_loads, "tag", 32, 0},
    {"salt.table_32_max", value_salt_max, "tag", 32, 0},
    {"salt.table_32_ok", value_salt_ok, "tag", 32, 0},
    {"salt.table_64_counts", value_salt_counts, "tag", 64, 0},
    {"salt.table_64_loads", value_salt_loads, "tag", 64, 0},
    {"salt.table_64_max", value_salt_max, "tag", 64, 0},
    {"salt.table_64_ok", value_salt_ok, "tag", 64, 0},
    {"salt.spare", value_spare, NULL, 0, 0},
    {"salt.spare_S2", value_spare, NULL, 2, 0},
    {"salt.slack", value_slack, NULL, 0, 0},
    {"salt.even_load", value_even_load, "tag", 4, 0},
    {"salt.read_uncached_shard", value_salt_reads, "tag", 8, 9000},
    {"salt.best", value_salt_best, "tag", 0, 0},
    {"salt.good_list", value_salt_good, "tag", 0, 0},
    {"salt.s3_S2", value_salt_load, "tag", 3, 2},
    {"salt.scheme0_max8", value_salt_max, "tag", 8, 0},
    {"salt.scheme1_4", value_salt_counts, "outside", 4, 0},
    {"salt.scheme1_8", value_salt_counts, "outside", 8, 0},
    {"salt.scheme1_16", value_salt_counts, "outside", 16, 0},
    {"salt.scheme1_max8", value_salt_max, "outside", 8, 0},
    {"salt.scheme2_4", value_salt_counts, "none", 4, 0},
    {"salt.scheme2_8", value_salt_counts, "none", 8, 0},
    {"salt.scheme2_16", value_salt_counts, "none", 16, 0},
    {"salt.scheme2_max8", value_salt_max, "none", 8, 0},
    {"salt.scheme3_4", value_salt_counts, "colon", 4, 0},
    {"salt.scheme3_8", value_salt_counts, "colon", 8, 0},
    {"salt.scheme3_16", value_salt_counts, "colon", 16, 0},
    {"salt.scheme3_max8", value_salt_max, "colon", 8, 0},
    {"salt.scheme4_4", value_salt_counts, "dash", 4, 0},
    {"salt.scheme4_8", value_salt_counts, "dash", 8, 0},
    {"salt.scheme4_16", value_salt_counts, "dash", 16, 0},
    {"salt.scheme4_max8", value_salt_max, "dash", 8, 0},
    {"salt.scheme5_16", value_salt_counts, "number", 16, 0},
    {"salt.scheme5_max8", value_salt_max, "number", 8, 0},
    {"salt.scheme6_4", value_salt_counts, "underscore", 4, 0},
    {"salt.scheme6_8", value_salt_counts, "underscore", 8, 0},
    {"salt.scheme6_max8", value_salt_max, "underscore", 8, 0},
    {"salt.scheme7_4", value_salt_counts, "colon-none", 4, 0},
    {"salt.scheme7_8", value_salt_counts, "colon-none", 8, 0},
    {"salt.scheme7_16", value_salt_counts, "colon-none", 16, 0},
    {"salt.scheme7_max8", value_salt_max, "colon-none", 8, 0},
    {"salt.trap_load", value_salt_load, "outside", 8, 2},
    {"salt.trap_pct", value_salt_percent, "outside", 8, 2},
    {"salt.d4_slots", value_celebrity, NULL, 0, 0},
    {"salt.d4_shards", value_celebrity, NULL, 1, 0},
    {"grow.s5_fair", value_slots_average, NULL, 16384, 5},
    {"grow.s5_slot_pct", value_block_percent, NULL, 0, 0},
    {"grow.block_S0_choices", value_block_choices, NULL, 0, 819},
    {"grow.block_S0_posts", value_block_posts, NULL, 0, 819},
    {"grow.block_S0_first", value_block_first, NULL, 0, 819},
    {"grow.block_S1_choices", value_block_choices, NULL, 1, 819},
    {"grow.block_S1_posts", value_block_posts, NULL, 1, 819},
    {"grow.block_S1_first", value_block_first, NULL, 1, 819},
    {"grow.block_S2_choices", value_block_choices, NULL, 2, 819},
    {"grow.block_S2_posts", value_block_posts, NULL, 2, 819},
    {"grow.block_S2_first", value_block_first, NULL, 2, 819},
    {"grow.block_S3_choices", value_block_choices, NULL, 3, 820},
    {"grow.block_S3_first", value_block_first, NULL, 3, 820},
    {"grow.s5_keys_pinned", value_block_keys, NULL, 10000, 0},
    {"grow.split_mid", value_middle, NULL, 0, 0},
    {"grow.split_mid_load", value_cut_load, NULL, 0, 0},
    {"grow.split_load_left", value_cut_load, NULL, 9, 0},
    {"grow.split_load_right", value_cut_load, NULL, 9, 1},
    {"grow.split_left_posts", value_cut_posts, NULL, 9, 0},
    {"grow.split_left_lo", value_cut_posts, NULL, 9, 1},
    {"grow.split_left_hi", value_cut_posts, NULL, 9, 2},
};

static const struct figure growth[] = {
    {"grow.mod_4_5", value_mod_percent, NULL, 4, 5},
    {"grow.mod_4_8", value_mod_percent, NULL, 4, 8},
    {"grow.mod_100_101", value_mod_percent, NULL, 100, 101},
    {"grow.mod_10_11", value_mod_percent, NULL, 10, 11},
    {"grow.mod_5_4", value_mod_percent, NULL, 5, 4},
    {"grow.mod_8_9", value_mod_percent, NULL, 8, 9},
    {"grow.mod_5_10", value_mod_percent, NULL, 5, 10},
    {"grow.mod_300_301", value_mod_stay, "301", 300, 301},
    {"grow.posts_mod_4_5", value_posts_mod, NULL, 4, 5},
    {"grow.syn_mod_4_5", value_synthetic_mod, NULL, 4, 5},
    {"grow.syn_mod_4_8", value_synthetic_mod, NULL, 4, 8},
    {"grow.posts_mod4_spread", value_posts_mod_spread, NULL, 4, 0},
    {"grow.schemaless_split", value_slots_grown, "1 2", 4096, 100},
    {"size.buckets", value_slots_each, NULL, 1024, 16},
    {"size.buckets_14", value_slots_average, NULL, 1024, 14},
    {"size.hotel", value_slots_each, NULL, 1024, 4},
    {"size.bucket_cap", value_slots_cap, NULL, 1024, 0},
    {"d3.slots_moved", value_users_moved, "slots", 4, 5},
    {"d3.slots_pct", value_users_percent, "slots", 4, 5},
    {"d3.naive_moved", value_users_moved, "mod-n", 4, 5},
    {"d3.slots_taken", value_slots_after, NULL, 5, 1},
    {"d3.slots_after", value_slots_after, NULL, 5, 0},
    {"d3.keys_before", value_users_spread, "slots", 4, 0},
    {"d3.mod4_spread", value_users_spread, "mod-n", 4, 0},
    {"d3.fnv_check", value_fnv, "user:0", 0, 0},
    {"d3.fnv_foobar", value_fnv, "foobar", 0, 0},
    {"d3.slots_each_8", value_slots_each, NULL, 4096, 8},
    {"d3.slots_moved_5", value_users_moved, "slots", 4, 5},
    {"d3.slots_moved_6", value_users_moved, "slots", 5, 6},
    {"d3.slots_moved_7", value_users_moved, "slots", 6, 7},
    {"d3.slots_moved_8", value_users_moved, "slots", 7, 8},
    {"d3.salt1_writes", value_salt_writes, NULL, 1, 8},
    {"d3.salt1_busiest", value_salt_busiest, NULL, 1, 8},
    {"d3.salt8_busiest", value_salt_busiest, NULL, 8, 8},
    {"d3.salt_bijection", value_salt_places, NULL, 8, 0},
    {"d3.salt_bijection_any", value_salt_collisions, NULL, 0, 0},
    {"d3.salt_seven", value_salt_busiest, NULL, 8, 7},
    {"d3.fnv_trap", value_fnv_trap, NULL, 4, 0},
    {"d3.fnv_trap_slots", value_fnv_trap, NULL, 4096, 0},
    {"d3.try_popular_mod_4", value_widget_hottest, "mod-n", 4, POPULAR},
    {"d3.try_popular_mod_mv", value_widget_moved, "mod-n", 0, 0},
    {"d3.try_popular_mod_back", value_widget_moved, "mod-n", 1, 0},
    {"d3.try_popular_slots_4", value_widget_hottest, "slots", 4, POPULAR},
    {"d3.try_popular_slots_5", value_widget_hottest, "slots", 5, POPULAR},
    {"d3.try_popular_slots_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_popular_slots_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_popular_salt_4", value_widget_hottest, "slots", 4, POPULAR + SALTED},
    {"d3.try_popular_salt_5", value_widget_hottest, "slots", 5, POPULAR + SALTED},
    {"d3.try_popular_salt_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_popular_salt_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_celebrity_mod_4", value_widget_hottest, "mod-n", 4, CELEBRITY_LOAD},
    {"d3.try_celebrity_mod_back", value_widget_moved, "mod-n", 1, 0},
    {"d3.try_celebrity_slots_4", value_widget_hottest, "slots", 4, CELEBRITY_LOAD},
    {"d3.try_celebrity_slots_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_celebrity_slots_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_celebrity_salt_4", value_widget_hottest, "slots", 4, CELEBRITY_LOAD + SALTED},
    {"d3.try_celebrity_salt_5", value_widget_hottest, "slots", 5, CELEBRITY_LOAD + SALTED},
    {"d3.try_celebrity_salt_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_celebrity_salt_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_time_mod_4", value_widget_hottest, "mod-n", 4, TIME_ORDERED},
    {"d3.try_time_mod_mv", value_widget_moved, "mod-n", 0, 0},
    {"d3.try_time_mod_back", value_widget_moved, "mod-n", 1, 0},
    {"d3.try_time_slots_4", value_widget_hottest, "slots", 4, TIME_ORDERED},
    {"d3.try_time_slots_5", value_widget_hottest, "slots", 5, TIME_ORDERED},
    {"d3.try_time_slots_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_time_slots_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_time_salt_4", value_widget_hottest, "slots", 4, TIME_ORDERED + SALTED},
    {"d3.try_time_salt_mv", value_widget_moved, "slots", 0, 0},
    {"d3.try_time_salt_back", value_widget_moved, "slots", 1, 0},
    {"d3.try_celeb_share", value_widget_share, NULL, 0, 0},
    {"ring.res3_user1001", value_mod_hash, NULL, 3, 7842391},
    {"ring.res4_user1001", value_mod_hash, NULL, 4, 7842391},
    {"ring.res3_user1002", value_mod_hash, NULL, 3, 2938476},
    {"ring.res4_user1002", value_mod_hash, NULL, 4, 2938476},
    {"ring.res3_user1003", value_mod_hash, NULL, 3, 5629103},
    {"ring.res4_user1003", value_mod_hash, NULL, 4, 5629103},
    {"ring.res4_user1004", value_mod_hash, NULL, 4, 1294857},
    {"ring.res_1001_start", value_mod_hash, NULL, 3, 7842391},
    /* Of the last two hashes the document gives only the residues: 1 mod 3 and 2 mod 4, 2 and 2. */
    {"ring.res_moved", value_mod_listed, "7842391 2938476 5629103 1294857 10 2", 3, 4},
    {"ring.mod_keys", value_mod_of, "1000000", 100, 101},
    {"ring.tb_mod", value_mod_of, "10", 100, 101},
    {"d4.bf_pct", value_mod_percent, NULL, 10, 11},
    {"d4.bf_moved", value_mod_of, "40", 10, 11},
    {"d4.bf_hit", value_mod_stay, "95", 10, 11},
    {"d4.bf_random", value_mod_stay, "95", 10, 11},
    {"d4.c1_hit", value_mod_stay, "95", 10, 11},
    {"d4.kb_each", value_slots_each_two, NULL, 12, 0},
    {"d4.kb_min", value_slots_grown, "3 4", 12, 0},
    {"d4.kb_drawn", value_slots_redealt, "3 4", 12, 0},
    {"d4.ls_div", value_slots_divisors, "96", 480, 2},
    {"d4.ls_ndiv", value_slots_divisors, "480", 480, 1},
    {"d4.ls_32", value_slots_each, NULL, 480, 32},
    {"d4.ls_moved_names", value_slots_redealt, "32 96", 480, 0},
    {"d4.ls_moved_min", value_slots_grown, "32 96", 480, 0},
    {"d4.ls_ratio", value_slots_each, NULL, 480, 96},
    {"d4.cp_slots", value_slots_average, NULL, 16384, 70},
};

/* text: writes or reads; a: the moment; b: the shard */
static const struct figure traffic[] = {
    {"snap.base_total", value_cluster, "w", M1, 0},
    {"snap.base_reads", value_cluster, "r", M1, 0},
    {"snap.S1_S0_w", value_rate, "w", M1, 0},
    {"snap.S1_S0_r", value_rate, "r", M1, 0},
    {"snap.S1_S0_wpct", value_percent, "w", M1, 0},
    {"snap.S1_S0_rpct", value_percent, "r", M1, 0},
    {"snap.S1_S1_r", value_rate, "r", M1, 1},
    {"snap.S1_S1_wpct", value_percent, "w", M1, 1},
    {"snap.S1_S1_rpct", value_percent, "r", M1, 1},
    {"snap.S1_S2_r", value_rate, "r", M1, 2},
    {"snap.S1_S2_rpct", value_percent, "r", M1, 2},
    {"snap.S1_S3_w", value_rate, "w", M1, 3},
    {"snap.S1_S3_r", value_rate, "r", M1, 3},
    {"snap.S1_S3_wpct", value_percent, "w", M1, 3},
    {"snap.S1_S3_rpct", value_percent, "r", M1, 3},
    {"snap.S2_S0_w", value_rate, "w", M2, 0},
    {"snap.S2_S0_r", value_rate, "r", M2, 0},
    {"snap.S2_S0_wpct", value_percent, "w", M2, 0},
    {"snap.S2_S0_rpct", value_percent, "r", M2, 0},
    {"snap.S2_S1_w", value_rate, "w", M2, 1},
    {"snap.S2_S1_r", value_rate, "r", M2, 1},
    {"snap.S2_S1_wpct", value_percent, "w", M2, 1},
    {"snap.S2_S1_rpct", value_percent, "r", M2, 1},
    {"snap.S2_S2_w", value_rate, "w", M2, 2},
    {"snap.S2_S2_wpct", value_percent, "w", M2, 2},
    {"snap.S2_S2_rpct", value_percent, "r", M2, 2},
    {"snap.S2_S3_w", value_rate, "w", M2, 3},
    {"snap.S2_S3_r", value_rate, "r", M2, 3},
    {"snap.S2_S3_wpct", value_percent, "w", M2, 3},
    {"snap.S2_S3_rpct", value_percent, "r", M2, 3},
    {"snap.hot_ratio", value_hot_ratio, "w", M2, 0},
    {"snap.cluster_w", value_cluster_percent, "w", M2, 0},
    {"snap.cluster_r", value_cluster_percent, "r", M2, 0},
    {"snap.p9_w_pct", value_percent, "w", ONLY_P9, 2},
    {"snap.p9_r_pct", value_percent, "r", ONLY_P9, 2},
    {"snap.p9_share_w", value_share, "w", M2, 2},
    {"snap.p9_share_cluster", value_share, "w", M2, 0},
    {"snap.excess", value_excess, "w", M2, 2},
    {"snap.timekey", value_rate, "w", ONE_RANGE, 3},
    {"snap.neighbour_reject", value_neighbours_refused, NULL, 0, 0},
    {"snap.p9_threshold100", value_threshold, NULL, 100, 0},
    {"snap.p9_threshold70", value_threshold, NULL, 70, 0},
    {"snap.more_shards_4", value_cluster_percent, "w", M2, 4},
    {"snap.more_shards_5", value_cluster_percent, "w", M2, 5},
    {"snap.more_shards_16", value_cluster_percent, "w", M2, 16},
    {"snap.day2_S0_w", value_rate, "w", DAY_TWO, 0},
    {"snap.day2_S0_r", value_rate, "r", DAY_TWO, 0},
    {"snap.day2_S0_rpct", value_percent, "r", DAY_TWO, 0},
    {"snap.day2_S1_w", value_rate, "w", DAY_TWO, 1},
    {"snap.day2_S1_wpct", value_percent, "w", DAY_TWO, 1},
    {"snap.day2_S1_r", value_rate, "r", DAY_TWO, 1},
    {"snap.day2_S1_rpct", value_percent, "r", DAY_TWO, 1},
    {"snap.day2_S2_w", value_rate, "w", DAY_TWO, 2},
    {"snap.day2_S2_wpct", value_percent, "w", DAY_TWO, 2},
    {"snap.day2_S2_r", value_rate, "r", DAY_TWO, 2},
    {"snap.day2_S2_rpct", value_percent, "r", DAY_TWO, 2},
    {"snap.day2_S3_w", value_rate, "w", DAY_TWO, 3},
    {"snap.day2_S3_wpct", value_percent, "w", DAY_TWO, 3},
    {"snap.day2_S3_rpct", value_percent, "r", DAY_TWO, 3},
    {"snap.S4_S0_w", value_rate, "w", M4, 0},
    {"snap.S4_S0_wpct", value_percent, "w", M4, 0},
    {"snap.S4_S0_r", value_rate, "r", M4, 0},
    {"snap.S4_S0_rpct", value_percent, "r", M4, 0},
    {"snap.S4_S1_w", value_rate, "w", M4, 1},
    {"snap.S4_S1_wpct", value_percent, "w", M4, 1},
    {"snap.S4_S1_r", value_rate, "r", M4, 1},
    {"snap.S4_S1_rpct", value_percent, "r", M4, 1},
    {"snap.S4_S2_w", value_rate, "w", M4, 2},
    {"snap.S4_S2_wpct", value_percent, "w", M4, 2},
    {"snap.S4_S2_r", value_rate, "r", M4, 2},
    {"snap.S4_S2_rpct", value_percent, "r", M4, 2},
    {"snap.S4_S3_w", value_rate, "w", M4, 3},
    {"snap.S4_S3_rpct", value_percent, "r", M4, 3},
    {"snap.S4_S5_w", value_rate, "w", M4, 5},
    {"snap.S4_S5_wpct", value_percent, "w", M4, 5},
    {"snap.S4_S5_r", value_rate, "r", M4, 5},
    {"snap.S4_S5_rpct", value_percent, "r", M4, 5},
    {"snap.dedicated_w", value_percent, "w", DEDICATED, 4},
    {"snap.dedicated_r", value_percent, "r", DEDICATED, 4},
    {"snap.dedicated_S2_w", value_percent, "w", DEDICATED, 2},
    {"snap.fix_none_w", value_rate, "w", ONLY_P9, EVERY_SHARD},
    {"snap.fix_none_r", value_rate, "r", ONLY_P9, EVERY_SHARD},
    {"snap.fix_dedicated_w", value_rate, "w", DEDICATED_P9, EVERY_SHARD},
    {"snap.fix_dedicated_r", value_rate, "r", DEDICATED_P9, EVERY_SHARD},
    {"snap.fix_salt4_w", value_rate, "w", SALT_4, EVERY_SHARD},
    {"snap.fix_salt4_r", value_rate, "r", SALT_4, EVERY_SHARD},
    {"snap.fix_salt8_r", value_rate, "r", SALT_8, EVERY_SHARD},
    {"salt.read_uncached", value_cluster, "r", SALT_8, 0},
    {"salt.read_uncached_pct", value_percent, "r", SALT_8, EVERY_SHARD},
    {"salt.read_s4", value_cluster, "r", SALT_4, 0},
    {"salt.read_s4_pct", value_percent, "r", SALT_4, EVERY_SHARD},
    {"read.per_router", value_at_router, "r", 0, 0},
    {"count.per_router", value_at_router, "w", 0, 0},
    {"size.likes", value_cluster, "w", M2, 0},
    {"size.reads", value_cluster, "r", M2, 0},
    {"size.peak", value_peak, NULL, M2, 0},
    {"size.little_write", value_piling_up, NULL, 0, 0},
    {"var.bl_p9", value_share, "w", M2, 0},
};

/* The checker may not be linked here: test_figures_check.c checks these. */
#define FIGURE_ID(id, ...) id,
static const char *const by_checker[] = {FIGURES_BY_CHECKER(FIGURE_ID)};

static void the_rows_agree_with_our_code(void **state)
{
    (void)state;
    struct figures figures;
    assert_true(figures_load(&figures));
    size_t failed = figures_check(&figures, places, sizeof places / sizeof places[0]);
    failed += figures_check(&figures, sizes, sizeof sizes / sizeof sizes[0]);
    failed += figures_check(&figures, queries, sizeof queries / sizeof queries[0]);
    failed += figures_check(&figures, moves, sizeof moves / sizeof moves[0]);
    if (SANITIZED) { /* the others are the release build's */
        figures_free(&figures);
        assert_int_equal(failed, 0);
        return;
    }
    failed += figures_check(&figures, growth, sizeof growth / sizeof growth[0]);
    failed += figures_check(&figures, traffic, sizeof traffic / sizeof traffic[0]);
    failed += figures_check(&figures, guards, sizeof guards / sizeof guards[0]);
    failed += figures_check(&figures, reads, sizeof reads / sizeof reads[0]);
    failed += figures_check(&figures, writes, sizeof writes / sizeof writes[0]);
    failed += figures_check(&figures, rings, sizeof rings / sizeof rings[0]);
    failed += figures_check(&figures, variants, sizeof variants / sizeof variants[0]);
    failed += figures_check(&figures, placing, sizeof placing / sizeof placing[0]);
    failed += figures_check(&figures, shifts, sizeof shifts / sizeof shifts[0]);
    failed += figures_check(&figures, playground, sizeof playground / sizeof playground[0]);
    failed += figures_check(&figures, chances, sizeof chances / sizeof chances[0]);
    failed += figures_check(&figures, field, sizeof field / sizeof field[0]);
    failed += figures_check(&figures, fleet, sizeof fleet / sizeof fleet[0]);
    failed += figures_check(&figures, copied, sizeof copied / sizeof copied[0]);
    failed += figures_check(&figures, watched, sizeof watched / sizeof watched[0]);
    failed += figures_check(&figures, managed, sizeof managed / sizeof managed[0]);
    failed += figures_elsewhere(&figures, by_checker, sizeof by_checker / sizeof by_checker[0]);
    failed += figures_tell_apart(&figures, not_ours, sizeof not_ours / sizeof not_ours[0]);
    failed +=
        figures_of_another_cut(&figures, another_cut, sizeof another_cut / sizeof another_cut[0]);
    for (size_t i = 0; i < sizeof whole_parts / sizeof whole_parts[0]; i++) {
        failed += figures_open(&figures, whole_parts[i]);
    }
    figures_coverage(&figures);
    figures_free(&figures);
    assert_int_equal(failed, 0);
}

/* The comparison itself: a wrong value, a wrong id and a claim made twice must not pass. */
static void value_seven(const struct figure *f, struct str *out)
{
    (void)f;
    figures_add_int(out, 7);
}

static void wrong_rows_fail(void **state)
{
    (void)state;
    static const struct figure wrong[] = {
        {"slot.check", value_seven, NULL, 0, 0},
        {"slot.check", value_crc, "123456789", 0, 0},
        {"slot.none_such", value_seven, NULL, 0, 0},
        {"grow.minutes", value_seven, NULL, 0, 0}, /* not derivable */
        {"grow.mod_4_5", value_seven, NULL, 0, 0},
    };
    struct figures figures;
    assert_true(figures_load(&figures));
    assert_int_equal(figures_check(&figures, wrong, 5), 5);
    figures_free(&figures);
}

static void only_rows_without_a_figure_are_told_apart(void **state)
{
    (void)state;
    static const struct figure_not_ours apart[] = {
        {"slot.check", "it can be computed"},
        {"read.stale_bound", "it can be measured"},
        {"slot.none_such", "there is none"},
        {"grow.minutes", "a vendor's figure"}, /* the only one that may be */
        {"grow.minutes", "a vendor's figure"},
    };
    static const char *const elsewhere[] = {"grow.minutes", "slot.check", "slot.check"};
    struct figures figures;
    assert_true(figures_load(&figures));
    assert_int_equal(figures_tell_apart(&figures, apart, 5), 4);
    static const struct figure_not_ours cut[] = {
        {"move.on_2w1r_states", "it is another's"}, /* the only one that may be */
        {"move.off_fence_len", "it is a length"},
        {"slot.none_such", "there is none"},
    };
    assert_int_equal(figures_of_another_cut(&figures, cut, 3), 2);
    assert_int_equal(figures_elsewhere(&figures, elsewhere, 3), 2);
    assert_int_equal(figures_open(&figures, "7.none"), 1);
    assert_int_equal(figures_open(&figures, "doc004 case 7"), 1);
    figures_free(&figures);
}

static void tolerances_are_relative_and_word_by_word(void **state)
{
    (void)state;
    assert_true(figures_within("100.0000001", "100", 1e-8));
    assert_false(figures_within("100.1", "100", 1e-6));
    assert_true(figures_within("1 2 3.03", "1 2 3", 0.01));
    assert_false(figures_within("1 2 3.04", "1 2 3", 0.01));
    assert_false(figures_within("1 2", "1 2 3", 0.01));
    assert_false(figures_within("1 2 3", "1 2", 0.01));
    assert_false(figures_within("", "0", 0.01));
    assert_false(figures_within("nan", "1", 0.5));
    assert_true(figures_within("0", "0", 1e-9));
    assert_true(figures_within("1.01..2", "1..2", 0.02));
    assert_false(figures_within("1.01..2.1", "1..2", 0.02));
    assert_false(figures_within("1.01", "1..2", 0.02));
}

static void bands_hold_every_word(void **state)
{
    (void)state;
    assert_true(figures_in_band("0.5", "0.013..0.533 (median 0.162)"));
    assert_true(figures_in_band("1 1.5 2", "1..2"));
    assert_false(figures_in_band("1 1.5 2.1", "1..2"));
    assert_false(figures_in_band("", "1..2"));
    assert_false(figures_in_band("1.5 x", "1..2"));
    assert_false(figures_in_band("nan", "1..2"));
    assert_false(figures_in_band("1", "-"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_agree_with_our_code),
        cmocka_unit_test(wrong_rows_fail),
        cmocka_unit_test(only_rows_without_a_figure_are_told_apart),
        cmocka_unit_test(tolerances_are_relative_and_word_by_word),
        cmocka_unit_test(bands_hold_every_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
