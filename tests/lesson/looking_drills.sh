#!/bin/sh
# The drills of Part 12: think-first, every situation of it, and numbers, every card of its deck, their
# answers against the numbers in their questions.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled think-first 2 16
judge 24 '
    function most(a, b) { return a > b ? a : b }
    $2 == "copies-first" { near(after("A post is read ") / after(" times[.] .*Now ") / 30, 2) }
    $2 == "copies-then" { near(after("Tomorrow ") / 10, 1) }
    $2 == "map-first" { near(after("Now ") + 1, 0) }
    $2 == "map-then" { near(routers * after("Each of the 6 gets ") + after("This time "), 0) }
    $2 == "fanout-first" { near(after("sharded by user, over ") * after("of any user, "), 3) }
    $2 == "fanout-then" { near($3 / after(" came to "), 2) }
    $2 == "limit-first" { near(100 - 100000 / (3 * after("Three of them have ") + after("the fourth now gets ")), 3) }
    $2 == "limit-then" { near(after("the hot post, of ") - after("let at most "), after("the hot post, of ") / 40) }
    $2 == "together-first" { reads = after("A page is read "); shared = reads / (1 + reads / routers * query / 1000); near(shared, shared * 0.15) }
    $2 == "together-then" { near(reads / (1 + reads * query / 1000), 16) }
    $2 == "sums-first" { near(routers * 1000 / after("shard every "), 0) }
    $2 == "sums-then" { late = after("instead of ") * after("They write every ") / 2000; near(late, most(10, late / 7)) }
    $2 == "joins-first" { near(16384 / ($3 + 1), 80) }
    $2 == "joins-then" { near(after("a post is read ") / 30, 2) }
    $2 == "readers-first" { rate = after("All records are of one key, "); near((rate - after("each up to ")) * after("are unread after "), rate / 5) }
    $2 == "readers-then" { near($3 + (after("as before: ") - after("one key, ")) * after("after another "), after("as before: ") / 2) }
    $2 == "tail-first" { wait = after("A slot of ") / after("The copy gets ") * after("is written, "); near(wait, most(20, wait / 20)) }
    $2 == "tail-then" { wait = $3 / (after("S4 applies ") - after("a second, and ")); near(wait, most(1, wait / 12)) }
    $2 == "locks-first" { near(after("It is back after "), 0.3) }
    $2 == "locks-then" { tries = after("was locked for ") * 1000 / after("change her row every "); near(tries, most(2, tries / 20)) }
    # Who knows the news becomes twice as many in a round.
    $2 == "gossip-first" { near(log($3 + 0) / log(2), 2) }
    $2 == "gossip-then" { near(log(after("as large: ")) / log(2), 2) }
    $2 == "barrier-first" { workers = $3 + 0; each = after("files to read, "); short = after("workers have ") * each; long = after("and one of ")
        near(short / workers + long, 0) }
    $2 == "barrier-then" { near(most(long, short / (workers - 1)), each) }'

drilled numbers 6 24
judge 29 '
    function ends(word) { return $3 ~ word ? 1 : 0 }
    # x to a whole number that is not below it.
    function up(x) { return x > int(x) ? int(x) + 1 : int(x) }
    # To three figures or so, as cards say it.
    function nears(x) { near(x, x < 10 ? 0.006 : x < 100 ? 0.06 : 0.6) }
    function harmonic(n,    i, sum) { for (i = 1; i <= n; i++) sum += 1 / i; return sum }
    # Zipf, exponent 1: what the first hundredth of so many gets.
    function zipf(n) { return 100 * (log(n / 100) + 0.5772) / (log(n) + 0.5772) }
    { sub(/^card-/, "", $2) }
    $2 == "modulo" { n = after("It has "); nears(100 * n / (n + 1)) }
    $2 == "ring" { nears(after(" has ") / (after("A ring of ") + 1)) }
    $2 == "spread" { nears(100 / sqrt(after(", and "))) }
    $2 == "one-token" { nears(harmonic(after("A ring of "))) }
    $2 == "tokens" { near(after("cluster of ") * (ends("version 4") ? 16 : 256), 0) }
    $2 == "slots" { near(16384 / after("Redis Cluster of "), 0) }
    $2 == "bounded" { near($3 / after("requests go to ") * after("c = "), 1) }
    $2 == "kafka" { nears(100 - 100 * after("goes from ") / after("goes from [0-9]* to ")) }
    $2 == "dynamo-writes" { nears(after("is written ") / 1000) }
    $2 == "dynamo-reads" { kb = after("Items of "); nears(3000 / (up(kb / 4) * (ends("strongly") ? 1 : 0.5))) }
    $2 == "dynamo-size" { near(after("table has ") / 10, 0) }
    $2 == "cockroach" { near(after("table has ") * 2, 0) }
    $2 == "shards" { near(up($3 / (after("ceiling is ") * 0.7) - 0.000001), 0) }
    $2 == "buckets" { near(480 / after("They lie on "), 0) }
    $2 == "partitions" { near(10 * after("there may be "), 0) }
    $2 == "copies" { nears($3 * (ends("five copies") ? 5 : 3) / after(", on ")) }
    $2 == "hot" { nears(0.7 * after("partition can do ")) }
    $2 == "zipf" { near(zipf(after("A catalogue of ")), 0.5) }
    $2 == "tail" { nears(100 - 100 * (1 - after("Each is slow ") / 100) ^ after("A query asks ")) }
    $2 == "cache" { nears(after("Each of ") * 1000 / after("keeps it for ")) }
    $2 == "flight" { nears($3 / (1 + $3 * after("A query takes ") / 1000)) }
    $2 == "flush" { nears(after("50000 likes a second[.] ") * 1000 / after("flush every ")) }
    $2 == "majority" { near($3 + 1 - after("A read asks "), 0) }
    $2 == "zones" { z = after("a second, "); near(z * up($3 / after("should carry ") / (z - 1)), 0) }
    $2 == "recopy" { nears(after("partitions has ") * 1000 / after("copied anew at ")) }
    $2 == "throttle" { nears(after("and gets ") * 1000000 / (after("throttled to ") / 8) / 3600) }
    $2 == "rebalance" { n = after("TB lie on "); more = after("nodes[.] "); nears($3 * 1000000 * more / (n + more) / (25 * more) / 3600) }
    $2 == "hash" || $2 == "times" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'
exit "$failed"
