#!/bin/sh
# The drills of one like, end to end: size-the-fleet, quorum and node-loss, their answers against the
# numbers in their questions.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled size-the-fleet 6 6
judge 6 '
    # The smallest whole number that is not below x.
    function up(x) { return x > int(x) ? int(x) + 1 : int(x) }
    $2 == "peak" { posts = $3 + 0; likes = after("is hot: "); reads = after("likes and ")
        split($3, part, "others has "); like = part[2] + 0
        near((posts - 1) * (like + reads) + hot(), 0) }
    function hot(   t) { t = $3; sub(/.*is hot: /, "", t); split(t, two, " likes and "); return two[1] + two[2] }
    $2 == "size" { peak = $3 + 0; capacity = after("A router can do "); line = after("should run at ")
        planned = int(capacity * line / 100); zones = after("There are to be ")
        near(zones * up(peak / planned / (zones - 1)), 0); fleet = $4 }
    $2 == "lost" { near(peak / 4 / capacity * 100, 0.1) }
    $2 == "refused" { near(peak - 4 * capacity, 0) }
    $2 == "which" { if ($4 !~ /^[123]([, ]+[123])*$/) bad("answer " $4); seen[$2]++ }
    $2 == "price" { near(fleet * 1000 / after("shard, every "), 0) }'

drilled quorum 5 8
judge 5 '
    $2 == "least" { near(after("is on ") - after("OK when ") + 1, 0) }
    $2 == "down" { w = after("A write needs "); r = after("a read "); near(after("is on ") - (w > r ? w : r), 0) }
    $2 == "read" || $2 == "cut" || $2 == "hints" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'

drilled node-loss 6 6
judge 6 '
    $2 == "leaders" { if ($4 + 0 < 1 || $4 + 0 >= $3 + 0) bad("answer " $4); seen[$2]++ }
    $2 == "who" { if ($4 !~ /^[123]$/) bad("answer " $4); seen[$2]++ }
    $2 == "second" || $2 == "copies" { if ($4 !~ /^[0-9]+$/) bad("answer " $4); seen[$2]++ }
    $2 == "time" { near(after("A shard has ") * 1000 / after("may use "), 0.5) }
    $2 == "until" { near(after("dead after ") + after("election takes "), 0) }'
exit "$failed"
