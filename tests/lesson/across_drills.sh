#!/bin/sh
# The drills of Part 9: their answers against the numbers in their questions; a transfer with the
# keyboard, where what runs is watched.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled local-or-global 5 8
judge 5 '
    $2 == "find" { near(after("by number on ") * after("rows by [a-z]*[.] "), 0) }
    $2 == "put" { near(1 + 2 * after("A put changes "), 0) }
    $2 == "cheaper" { n = $3 + 0; puts = after("index by [a-z]*[.] "); finds = after("change the [a-z]*, and ")
        own = puts + n * finds; all = 3 * puts + finds; near(own < all ? own : all, 0) }
    $2 == "equal" { near((after("Still ") - 1) / 2, 0) }
    $2 == "need" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'

drilled tail-at-scale 6 8
judge 6 '
    function meets(n, p) { return 100 * (1 - (1 - p / 100) ^ n) }
    function over(ms,    t) {
        if (!match($3, "[0-9]+% take more than " ms " ms")) bad("no share over " ms)
        return substr($3, RSTART, RLENGTH) + 0
    }
    $2 == "slow" { near(meets(after("A query asks "), after("ms, and in ")), 0.06) }
    $2 == "fits" { p = after("Each shard is slow in "); most = after("At most "); n = 0
        while (meets(n + 1, p) <= most) n++
        near(n, 0) }
    $2 == "hedge" { near(over(after("not there after ")), 0) }
    $2 == "timeout" { near(meets(after("The query asks "), over(after("gives a part up after "))), 0.06) }
    $2 == "job" { best = after("zone a has "); if (after("zone b ") > best) best = after("zone b ")
        if (after("zone c ") > best) best = after("zone c ")
        near((after("Of ") - best) * after("once a second, for "), 0) }
    $2 == "cure" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'

drilled login-by-email 5 8
judge 5 '
    $2 == "saved" { near(($3 - 2) * after("users by number[.] "), 0) }
    $2 == "in" { n = split($3, part, " on S"); split("", shard); different = 0
        for (i = 2; i <= n; i++) different += !(part[i] + 0 in shard) && (shard[part[i] + 0] = 1)
        near(different, 0) }
    $2 == "clean" { most = after("A sign-up takes at most "); n = split($3, claim, ";"); may = 0
        for (i = 1; i <= n; i++) { t = claim[i]; sub(/.*@[a-z]* /, "", t); may += t + 0 > most && t ~ /no user/ }
        near(may, 0) }
    $2 == "left" || $2 == "change" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'

drilled transfer 5 8
judge 5 '
    $2 == "plain" { t = $3; sub(/^[a-z]* has /, "", t); pay = after("pays [a-z]* ")
        near(t + 0 + after(", [a-z]* has ") + ($3 ~ /The first gives/ ? pay : -pay), 0) }
    $2 == "ends" { near(after("commit: [a-z]* has ") - ($3 ~ /written commit down|told one/ ? after("pays [a-z]* ") : 0), 0) }
    $2 == "locked" { near(after("It is down for "), 0.3) }
    $2 == "between" { near(after(", and has ") - ($3 ~ /gone already/ ? 0 : after("a seat for ")), 0) }
    $2 == "which" { if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }'
