#!/bin/sh
# The drills of Part 1 without a screen: whatever the seed, the right answer is graded right, every
# mistake is graded wrong and explained with its belief, and the numbers change from seed to seed.
# HOTSHARD_SEEDS sets how many seeds are played (40).
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_SEEDS:=40}"

# played DRILL QUESTIONS: all steps with right and with wrong answers, in $work/all.
played() {
    seed=0
    while [ $seed -lt "$HOTSHARD_SEEDS" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$1.lua" --answers $answers --json --seed $seed </dev/null |
                sed "s/^/$answers $seed /"
        done
    done >"$work/all" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right .*"correct":true' "$work/all")" -eq $((HOTSHARD_SEEDS * $2)) ]
    say "$1: $HOTSHARD_SEEDS seeds are played, and right is right" $? "$(head -n 3 "$work/err")"
    # A wrong answer is wrong, has an explanation, and what the drill foresees has a belief. A number or
    # text that nobody foresees ("not-...", or twice the truth and more) has none.
    awk '
        function text(name,    at) {
            at = index($0, "\"" name "\":\"")
            if (at == 0) return ""
            at = substr($0, at + length(name) + 4)
            return substr(at, 1, index(at, "\"") - 1)
        }
        $1 == "wrong" && /"correct":/ && !/"correct":null/ {
            step = text("step")
            if (/"correct":true/) { print $2 " " step ": " text("answered") " is graded right"; bad = 1 }
            if (text("feedback") == "") { print $2 " " step ": " text("answered") " is not explained"; bad = 1 }
            beliefs[$2, step] += text("belief") != ""
            if (!(($2, step) in seen)) { seen[$2, step] = 1; questions++ }
        }
        END {
            for (which in seen) if (beliefs[which] < 1) { print which ": no belief is met"; bad = 1 }
            exit bad || questions != '"$((HOTSHARD_SEEDS * $2))"'
        }' "$work/all" >"$work/faults"
    say "$1: every mistake is wrong, and explained with a belief" $? "$(head -n 3 "$work/faults")"
    [ "$(grep '^right ' "$work/all" | sed 's/^right [0-9]* //' | sort -u | wc -l)" -gt $((HOTSHARD_SEEDS * $2 / 2)) ]
    say "$1: new numbers each time" $?
}

# answers STEP: how often each right answer was the right one.
answers() {
    grep "^right .*\"step\":\"$1\"" "$work/all" | sed 's/.*"answered":"\([^"]*\)".*/\1/' | sort | uniq -c | sort -rn
}

played be-the-shard 3
[ "$(answers first | wc -l)" -eq 4 ] && [ "$(answers second | wc -l)" -eq 4 ]
say "be-the-shard: each of the four answers is right at times" $? "$(answers first)"
! answers stream | grep -v -q ' [srmw]\{5\}$' && [ "$(answers stream | wc -l)" -gt $((HOTSHARD_SEEDS / 3)) ]
say "be-the-shard: five letters, and seldom the same ones" $? "$(answers stream | head -n 5)"
grep -q 'The first wrong one is request' "$work/all"
say "be-the-shard: the first wrong one is told" $?
run drill be-the-shard --json --seed 1 --answer 0
[ "$status" -ne 0 ]
say "be-the-shard: what is no answer is not graded" $? "status $status"

played stale-map 4
[ "$(answers hops | wc -l)" -eq 2 ] && [ "$(answers old-not-wrong | wc -l)" -eq 2 ] && answers who | grep -q none &&
    [ "$(answers who | wc -l)" -ge 3 ] && [ "$(answers in-all | wc -l)" -eq 4 ]
say "stale-map: no answer is always the right one" $? "$(answers hops; answers old-not-wrong; answers who)"

played hash-tags 3
# Which keys share a slot, by the program's own calculator.
seed=0
while [ $seed -lt 8 ]; do
    seed=$((seed + 1))
    grep "^right $seed .*\"step\":\"together\"" "$work/all" >"$work/line"
    base=$(sed 's|.*"text":"\([^ ]*\) is in slot.*|\1|; s|`||g' "$work/line")
    told=$(sed 's/.*is in slot \([0-9,]*\)\..*/\1/; s/,//g' "$work/line" | head -n 1)
    slot=$("$HOTSHARD" slot "$base" --json </dev/null | sed 's/.*"slot":\([0-9]*\).*/\1/')
    [ -n "$slot" ] && [ "$slot" = "$told" ]
    say "hash-tags, seed $seed: $base is in the slot that is told" $? "$slot, told $told"
done
exit "$failed"
