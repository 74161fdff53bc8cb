#!/bin/sh
# Part 5: the figures of hot writes, in the text and in the table of every fix; its placement check;
# its drills, whose right answers are held against the arithmetic of the question's own words.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 5 05_taming_hot_writes
taken
told
mistakes 90 60
figures <<'END'
Your answer: 100 %
Your answer: 800 writes/s
The shards are at 80, 80, 75 and 80%.
Your answer: 255 %
Your answer: 18000 reads/s
Your answer: 12 writes/s
200 likes are missing from the count, and none from liked.
200 too many: the line "counted twice".
Your answer: 2562 writes/s
as it is 2,400 9,000
limit 600 2,000
3 replicas 2,400 3,000
4 copies 2,400 2,247 9,001
edge 2,400 3
micro-cache 2,400 6
coalesced 2,400 1,064
by key 2,400 196
salt 8 600 9,000 18,000
salt 4 600 9,000 9,000
salt 8, cached 600 6 12
summed 12 9,000
summed, cached 12 6
own shard 2,400 9,000
Your answer: 2412 writes/s
Your answer: 318.75 writes/s
Your answer: 15 %
END

placed "all right" "$(step_of every-fix)" 'type 90' 'key 1 enter' 'key 2' 'key 3 4 enter'
placed "a mistake" 1 'type 90' 'key 1 enter' 'key 2' 'key 3 4 5 enter'

drilled salt-it 2 10
judge 2 '
    {
        likes = $2 == "room" ? after(" takes ") : after("^p[0-9]*: ")
        t = $3
        for (s = 0; s < 4; s++) { has = t; sub(".*: S0 ", "S0 ", has); sub(".*S" s " ", "", has); others[s] = has + 0 }
    }
    $2 == "room" { t = $3; sub(".*fit on S", "", t); near(800 - others[t + 0], 2) }
    $2 == "smallest" {
        best = 0
        for (count = 2; count <= 8 && !best; count++) {
            for (s = 0; s < 4; s++) load[s] = others[s]
            for (i = 0; i < count; i++) { t = $3; sub(".*#" i " S", "", t); load[t + 0] += likes / count }
            most = 0
            for (s = 0; s < 4; s++) if (load[s] > most) most = load[s]
            if (most <= 800) best = count
        }
        near(best, 0)
    }'

drilled crash-the-router 3 10
judge 3 '
    $2 == "count" || $2 == "moment" { each = ($2 == "count" ? after("p9 takes ") : $3 + 0) / routers; window = after("every ") }
    $2 == "count" { full = each * window / 1000; near(full, 4) }
    $2 == "liked" { near($3 ~ /to `?liked`?, then tells the fan OK/ ? 0 : full, 4) }
    $2 == "moment" { near(each * after("dies again: ") / 1000, 4) }'

drilled one-customer 5 10
judge 4 '
    $2 == "tenfold" { usual = after("each with "); near((10 + after("with ")) * usual / 10, 1) }
    $2 == "what-to-do" { large = after(" writes "); beside = after("its neighbours ")
        near(large + beside <= 800 ? 1 : large <= 800 ? 2 : 3, 0) }
    $2 == "forty" { part = after("40% of them, "); beside = after("about ")
        near(part + beside <= 800 ? 1 : part <= 800 ? 2 : 3, 0) }
    $2 == "parts" { near(int((after("a second, and ") + 799) / 800), 0) }'
exit "$failed"
