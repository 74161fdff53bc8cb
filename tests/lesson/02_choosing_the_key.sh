#!/bin/sh
# Part 2: the figures that the sources give, held against the calculator; its placement check; its
# drills.
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
lesson 2 02_choosing_the_key
taken
told
mistakes 70 50
figures <<'END'
all 800 4,000 20%
S1 is asked for 800 writes, 80% of what it can do
by creator 350 150 1
8 ranges 100 8.0
on 16 shards, 64 each
Your answer: 1024
reads 48,500 - 108,000
reads 48,500 - 52,000
80 shards 720,000 88,000 4.0
In all 48,500 instead of 88,000
writes/s 38,750 2,800 13.8
rounded up: 14
the fullest 64 60.55%
Your answer: 12.75 times
S2 4 2,550 2 100
S2 has 3.24 times the average
END

# What each key costs is what the calculator says.
for shards in 8 80; do
    for row in order time seller customer; do
        "$HOTSHARD" size shardkey shards=$shards </dev/null |
            sed -n "s/^ *${row}_hits *\([0-9,]*\).*/\1/p"
    done >"$work/costs$shards"
done
tr '\n' ' ' <"$work/costs8" >"$work/costs"
has "$work/costs" "108,000 384,500 384,500 52,000"
say "the calculator gives the costs on 8 shards" $? "$(cat "$work/costs")"
{
    printf '%s\n' "$(sed -n '1p' "$work/costs80")" "$(sed -n '4p' "$work/costs80")"
} | tr '\n' ' ' >"$work/costs"
has "$work/costs" "720,000 88,000"
say "and on 80" $? "$(cat "$work/costs")"

placed "all right" "$(step_of two-skews)" 'type 800' 'type 0' 'key 3' 'type 10'
placed "a mistake" 1 'type 200'

drilled pick-the-key 5 40
[ "$(grep -o 'A table of [a-z ]* on' "$work/all" | sort -u | wc -l)" -eq 12 ]
say "pick-the-key: all twelve systems come" $? "$(grep -o 'A table of [a-z ]* on' "$work/all" | sort -u)"
truths another >"$work/before"
truths later >"$work/after"
[ -s "$work/before" ] && [ "$(join "$work/before" "$work/after" | wc -l)" -eq 40 ]
say "pick-the-key: both answers are told" $? "$(head -n 3 "$work/before")"
! cat "$work/before" "$work/after" | sort | uniq -d | grep -q .
say "pick-the-key: with other rates another key" $? "$(cat "$work/before" "$work/after" | sort | uniq -d | head -n 3)"

drilled shard-count 4 40
[ "$(grep -c '^right .*here the load decides' "$work/all")" -ge 8 ] &&
    [ "$(grep -c '^right .*here the size decides' "$work/all")" -ge 8 ]
say "shard-count: load decides, and so does size" $?
exit "$failed"
