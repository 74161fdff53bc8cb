#!/bin/sh
# Part 4: the figures of hot reads; its placement check; its drills, whose right answers are held
# against the arithmetic of the question's own words.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 4 04_taming_hot_reads
taken
told
mistakes 70 50
figures <<'END'
Your answer: 6 reads/s
176.47 a router, 1,059 in all
the formula says 195.65
Three are at 103.3%
48 instead of 6
says 1,895
R0 gave what was 3,004 ms old
the oldest is 2,999
END

placed "all right" "$(step_of bound-two-open)" 'type 3' 'type 45' 'type 196' 'type 3005'
placed "a mistake" 1 'type 3' 'type 45' 'type 1059'

drilled melted-redis 6 8
judge 5 '
    $2 == "how-full" { ceiling = after("good for "); reads = after("is read "); each = after("are read ")
        near((reads + 3 * each) * 100 / ceiling, 2) }
    $2 == "who-suffers" { if ($4 !~ /^[123]$/) bad("answer " $4) }
    $2 == "more-nodes" { near(reads * 100 / ceiling + 150 * each / ceiling, 150 * each / ceiling + 2) }
    $2 == "a-small-cache" { fresh = after("fresh for "); near(routers * 1000 / fresh, 0.4) }
    $2 == "deployed" { near(reads * query / 1000, routers + 1) }
    $2 == "a-price" { near(after("given until "), 1) }'

drilled staleness-budget 5 8
judge 4 '
    { late = $3 ~ /when its answer came/ ? query : 0 }
    $2 == "refills" { near(routers * 1000 / after("fresh for "), 0.3) }
    $2 == "promise" { near(after("stale until ") + late, 1) }
    $2 == "busy" { near(after("resh for ") + query + late, 2) }
    $2 == "seldom" {
        step = after("comes every "); fresh = after("resh for "); stale = after("stale until ")
        age = step
        while (age < fresh) age += step
        near(age < stale ? age : query, 6)
    }'
exit "$failed"
