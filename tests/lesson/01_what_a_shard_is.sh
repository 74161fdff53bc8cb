#!/bin/sh
# Part 1: left in the middle, and taken up there; its placement check; its drills. (plain.sh looks
# closer at what is told in lines.)
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
lesson 1 01_what_a_shard_is
taken
told
mistakes 40 40

# Left in the middle with q q, and resumed there by another process.
play() {
    "$HOTSHARD" "$@" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
}
for stop in 9/$steps 11/$steps 16/$steps; do
    awk -v stop="expect  $stop" '{ print } $0 == stop { exit }' "$keys" >"$work/keys"
    printf 'key q\nexpect Course\nkey q\n' >>"$work/keys"
    rm -rf "$work/state"
    play learn 1
    say "left at $stop" $? "$(cat "$work/err")"
    printf 'expect  %s\n' "$stop" >"$work/keys"
    play learn
    say "hotshard learn goes on at $stop" $? "$(cat "$work/err")"
    play learn 1
    say "hotshard learn 1 does so, too" $? "$(cat "$work/err")"
    printf 'expect Course\nexpect What a shard is\nexpect begun\nkey enter\nexpect  %s\n' "$stop" >"$work/keys"
    play
    say "and so does the course" $? "$(cat "$work/err")"
done
# From there to the end: the second half of the script.
awk -v stop="expect  $stop" 'on { print } $0 == stop { on = 1 } /^expect acknowledged/ { exit }' \
    "$keys" >"$work/rest"
{
    printf 'key b\nexpect  15/%d\nkey b\nexpect  14/%d\n' "$steps" "$steps"
    printf 'key space\nwait\nkey space\nexpect  15/%d\nkey space\nwait\nkey space\nexpect  16/%d\n' "$steps" "$steps"
    cat "$work/rest"
    printf 'key space\nexpect Course\nexpect done\n'
} >"$work/keys"
play learn 1
say "what was begun can be finished, with a look back" $? "$(cat "$work/err")"
grep -q " done $lesson " "$work/state/hotshard/progress"
say "and is kept as done" $?

slot=$("$HOTSHARD" slot '{p6}' --json </dev/null | sed 's/.*"slot":\([0-9]*\).*/\1/')
placed "all right" "$(step_of break-it)" "type $slot" 'key 1 3 enter' 'type 3' 'type 2'
placed "a mistake" 1 "type $((slot + 1))"

drilled be-the-shard 3 40
[ "$(answers first | wc -l)" -eq 4 ] && [ "$(answers second | wc -l)" -eq 4 ]
say "be-the-shard: each of the four answers is right at times" $? "$(answers first)"
! answers stream | grep -v -q ' [srmw]\{5\}$' && [ "$(answers stream | wc -l)" -gt 13 ]
say "be-the-shard: five letters, and seldom the same ones" $? "$(answers stream | head -n 5)"
grep -q 'The first wrong one is request' "$work/all"
say "be-the-shard: the first wrong one is told" $?
run drill be-the-shard --json --seed 1 --answer 0
[ "$status" -ne 0 ]
say "be-the-shard: what is no answer is not graded" $? "status $status"

drilled stale-map 4 20
[ "$(answers hops | wc -l)" -eq 2 ] && [ "$(answers old-not-wrong | wc -l)" -eq 2 ] && answers who | grep -q none &&
    [ "$(answers who | wc -l)" -ge 3 ] && [ "$(answers in-all | wc -l)" -eq 4 ]
say "stale-map: no answer is always the right one" $? "$(answers hops; answers old-not-wrong; answers who)"

drilled hash-tags 3 20
# Which keys share a slot, by the program's own calculator.
for seed in 1 2 3 4 5 6 7 8; do
    grep "^right $seed .*\"step\":\"together\"" "$work/all" >"$work/line"
    base=$(sed 's|.*"text":"\([^ ]*\) is in slot.*|\1|; s|`||g' "$work/line")
    read_slot=$(sed 's/.*is in slot \([0-9,]*\)\..*/\1/; s/,//g' "$work/line" | head -n 1)
    slot=$("$HOTSHARD" slot "$base" --json </dev/null | sed 's/.*"slot":\([0-9]*\).*/\1/')
    [ -n "$slot" ] && [ "$slot" = "$read_slot" ]
    say "hash-tags, seed $seed: $base is in the slot that is told" $? "$slot, told $read_slot"
done
exit "$failed"
