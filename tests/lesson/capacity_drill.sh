#!/bin/sh
# The drill of a sizing worksheet: its answers against the numbers in their questions.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled capacity 8 6
judge 8 '
    # The smallest whole number that is not below x.
    function up(x) { return x > int(x) ? int(x) + 1 : int(x) }
    $2 == "room" { near($3 * after("items of ") * after("each kept ") / 1000, 0.001) }
    $2 == "different" { distinct = $3 / after("A partition shall have "); near(up(distinct), 0) }
    $2 == "nodes" { near(up($3 * after("kept ") / after("A node may hold ")), 0) }
    $2 == "reads" { near(after("of everything. ") / $3, 0.5) }
    $2 == "writes" { near(after("of everything. ") * after("nodes, ") / $3, 0.5) }
    $2 == "factor" { near(after("One key has ") / 100 * after("a second on "), 0.01) }
    $2 == "viral" { reads = $3; hot = reads * after("goes viral: ") / 100; nodes = after("a second on ")
        near(hot + (reads - hot) / nodes, 0.5) }
    $2 == "fix" { if ($4 !~ /^[123]([, ]+[123])*$/) bad("answer " $4); seen[$2]++ }'
exit "$failed"
