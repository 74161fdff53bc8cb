#!/bin/sh
# The drills of Part 7: parent-first, its answers against the order of its own lineage and the numbers
# in its questions; which-split, against what its systems are known to do.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled parent-first 5 8
judge 5 '
    $2 == "before" || $2 == "begin" { if ($4 !~ /^[1-9]([, ]+[1-9])*$/) bad("answer " $4); seen[$2]++ }
    $2 == "order" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }
    $2 == "early" { near($3 * after("was cut, and they came for "), 3) }
    $2 == "wait" { near(after("The same again: ") * after("likes a second for ") / after("The reader takes "), 0.6) }'

drilled which-split 4 12
judge 4 '
    # What is asked for a second, and how much of it one piece does.
    function asked(   t, part) {
        t = $3
        if (t ~ /seven others/) { sub(/.* is written /, "", t); split(t, part, "seven others "); return part[1] + 3.5 * part[2] }
        if (t ~ /times a second each/) { sub(/.*: /, "", t); part[1] = t + 0; sub(/.* are (written|read) /, "", t); return part[1] * t }
        if (t ~ /records a second each/) { sub(/.*: /, "", t); part[1] = t + 0; sub(/.* keys have /, "", t); return part[1] * t }
        if (t ~ /records a second/) { sub(/.*, has /, "", t); return t + 0 }
        if (t ~ /times a second/) { sub(/.* is (written|read) /, "", t); return t + 0 }
        sub(/.*: /, "", t)
        return t + 0
    }
    $2 == "first" || $2 == "second" { if ($4 !~ /^[123]$/) bad("answer " $4)
        seen[$2]++ }
    $2 == "beyond" { near(asked() - ($3 ~ / (is|are) read /? 3000 : 1000), $3 ~ /seven others/ ? 110 : 12) }
    $2 == "cure" { if ($4 !~ /^[1-3]([, ]+[1-3])*$/) bad("answer " $4); seen[$2]++ }'
# What cuts nothing by itself is never said to.
cat >"$work/by_hand" <<'AWK'
/"ask":"After a good minute:"/ && /"title":"(Kinesis|Kafka|Cassandra|Redis Cluster|Vitess|HBase|MongoDB)"/ {
    asked++
    if ($0 !~ /"truth":"[^"]*Nothing is cut/) print
}
END { if (!asked) print "nothing was asked" }
AWK
grep '^right ' "$work/all" | awk -f "$work/by_hand" >"$work/cut"
[ ! -s "$work/cut" ]
say "which-split: what is split by hand is not split by itself" $? "$(head -n 3 "$work/cut" | cut -c 1-300)"
exit "$failed"
