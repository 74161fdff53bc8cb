#!/bin/sh
# The drills of moving data: storm and roll-it-back, their answers against the numbers in their
# questions; fence-and-flip with the keyboard at every size, the best way, and with a wrong act on it.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

drilled storm 7 6
judge 7 '
    $2 == "one-read" { disk = after("whose disk does "); first = after("A copy begins, at ")
        near(query * disk / (disk - first), 0.1) }
    $2 == "throttle" { bound = after("answered within "); reads = after("Now "); ceiling = after("can serve up to ")
        # The next throttle would make a read too slow, or take so much that reads queue.
        split("5 10 20 30 40 50 60 80", percent, " ")
        for (i = 1; i <= 8; i++) {
            left = 1 - percent[i] / 100
            if (query / left > bound || ceiling * left < reads) break
            fastest = int(disk * percent[i] / 100)
        }
        near(fastest, 0) }
    $2 == "how-long" { near(($3 + 0) * 1000000 / after("slot after slot, at ") / 3600, 0.06) }
    $2 == "at-once" { if ($4 !~ /^[123]$/) bad("answer " $4); seen[$2]++ }
    $2 == "evening" { speed = after("goes on at "); near(after("serves ") * (disk - speed) / disk, 3) }
    $2 == "deaths" { if ($4 !~ /^[123]$/) bad("answer " $4); seen[$2]++ }
    $2 == "late" { link = after("A link does "); copies = after("When N3 dies, ")
        # A heartbeat waits 10 ms x load / what is free; the timeout leaves it half a second.
        split("10 20 30 45 70 90", percent, " ")
        for (i = 1; i <= 6; i++) {
            load = copies * int(link * percent[i] / 100) / link
            if (load >= 1 || 10 * load / (1 - load) > 500) break
            largest = int(link * percent[i] / 100)
        }
        near(largest, 0) }'
# Who lives is declared dead exactly when two seconds of silence are more than the timeout.
grep '^right .*"step":"deaths"' "$work/all" | grep '"ask":' |
    sed 's/.*Silent for \*\{0,1\}\([0-9.]*\) s.*"after":"[0-9]* declared, \([0-9]*\) of.*/\1 \2/' >"$work/lines"
awk '{ n++; if (($1 < 2) != ($2 > 0)) { print; faults++ } } END { exit n != 6 || faults > 0 }' "$work/lines" >"$work/judged"
say "storm: late heartbeats are deaths where the timeout is short" $? "$(head -n 5 "$work/judged" "$work/lines")"

drilled roll-it-back 6 8
judge 6 '
    $2 ~ /^which/ { n = substr($2, 7)
        way[n] = $3 ~ /fence is not set yet/ ? "abort" : $3 ~ /stream back was asked for, and/ ? "stream" : \
            $3 ~ /disk has failed/ ? "restore" : "move"
        mb[n] = after("Slot [0-9]*, "); likes[n] = after("MB with "); if ($4 !~ /^[1-4]$/) bad("answer " $4); seen[$2]++ }
    $2 ~ /^cost/ { n = substr($2, 6); since = $3 ~ /has served it for/ ? after("has served it for ") : 0
        if ($3 ~ /How many accepted/) near(way[n] == "restore" ? likes[n] * since : 0, 3)
        else if ($3 ~ /How many MB/) near(way[n] == "move" ? mb[n] : 0, 0)
        else near(way[n] == "move" || way[n] == "stream" ? 13 : 0, 1) }'

# best SEED: the best acts of that seed as keys, in $work/best.
best() {
    {
        echo 'expect  1/17'
        "$HOTSHARD" run lessons/drills/fence-and-flip.lua --answers right --json --seed "$1" </dev/null |
            sed -n 's/.*"answered":"\([0-9]\)".*/key \1\nwait\nexpect space goes on\nkey space/p'
        echo 'expect as safe and as short'
    } >"$work/best"
}
drill=fence-and-flip
best 3
[ "$(grep -c '^key space' "$work/best")" -eq 7 ]
say "$drill: the best way has seven acts" $? "$(cat "$work/best")"
take "$drill" "$work/best" 100x30 "$HOTSHARD" drill $drill --seed 3
take "$drill in ASCII" "$work/best" 200x60 "$HOTSHARD" drill $drill --seed 3 --ascii
only_ascii "$drill"
take "$drill with sanitizers" "$work/best" 80x24 "$HOTSHARD_ASAN" drill $drill --seed 3

# With one wrong act before the first: it is taken back, and counted.
wrong=$("$HOTSHARD" run lessons/drills/$drill.lua --answers wrong --json --seed 3 </dev/null |
    sed -n '1s/.*"answered":"\([0-9]\)".*/\1/p')
# The second turn has an order of its own: the act is found by its words.
choice=$("$HOTSHARD" run lessons/drills/$drill.lua --answers wrong --json --seed 3 </dev/null |
    grep '"step":"turn-2"' | head -n 1 | sed 's/.*"choices":\[\([^]]*\)\].*/\1/' | tr ',' '\n' |
    grep -n 'from the leader' | sed 's/:.*//')
cat >"$work/keys-wrong" <<END
expect  1/17
key $wrong
wait
key end
expect You stand before it again
key space
expect  2/17
expect rests at
key $choice
wait
key space
expect  3/17
key b
expect  2/17
key b
expect  1/17
END
take "$drill, a wrong act" "$work/keys-wrong" 80x24 "$HOTSHARD" drill $drill --seed 3

# On the command line the first act is graded.
for answer in 1 2 3 4; do
    run drill $drill --json --seed 3 --answer $answer
    case $(sed -n 's/.*"correct":\([a-z]*\).*/\1/p' "$work/out") in
    true) [ "$status" -eq 0 ] ;;
    false) [ "$status" -eq 1 ] && has "$work/out" '"belief":"' ;;
    *) false ;;
    esac
    say "$drill --answer $answer is graded" $? "status $status: $(cat "$work/out")"
done
exit "$failed"
