#!/bin/sh
# Part 8: the figures of a move, in the text and in the pictures; the promise under each picture; a
# move that is taken up by another process; a row that is opened in words; its placement check.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 8 08_moving_data_live
taken
told
mistakes 115 85
figures <<'END'
Your answer: 12 writes/s
so a copy may take 3 MB a second
Your answer: 67 s
67 s, 160,800 likes.
hot (Part 3) 2,400 160,800 255%
cooled 12 804 16.2%
9 of 200 MB are over, and 36 entries wait behind them.
67 s, then 800 entries: now S4 is 12 ms behind.
Compared at one position, 0 keys differ.
accepts: nobody (the pause, 8 ms so far)
Your answer: 13 ms
R5: map v7, STALE, deaf, epoch 7. Asks S2: S2 says MOVED to S4.
Your answer: 2 shards
67 s of copying, 13 ms of pause, 0 likes lost.
with the rule 13 ms 0
without it 0 ms 6
check-and-append 2 S4
durable-fence 11 2,819
snapshot-position - 1,482
without a stream 10,013 0
with one 13 0
24 MiB/s 7.95 95 19,100
100 MB/s 2.00 24 4,800
25 MB/s 8.0 8.2 0
p1, p5, p13 60 20 3 12
8 times TRYAGAIN
post:{p25}: S1 v4, S4 v4; the same.
Your answer: 5.6 hours
ask-keeps-map 5* 531
slot-table-check 11* 8,640
row gone 6 1
tombstone 6 0
edits, at once 24 12 0
5 reads S5 S5 S0 switch
Slot 2493, S0 and S5: over. Reads and edits: S5 alone.
Your answer: 320
END

# The promise is told in every step of the core, kept or broken, and broken where a rule is left out.
awk '/ step [0-9]+ of [0-9]+/ { step = $0; sub(/.* step /, "", step); sub(/ .*/, "", step) }
    /The promise holds:/ { kept[step]++ } /BROKEN/ { broken[step]++ }
    END {
        for (i = 5; i <= '"$(step_of tell)"'; i++) if (!((i in kept) || (i in broken))) { print "step " i; faults++ }
        meant['"$(step_of no-look)"'] = meant['"$(step_of look-then-write)"'] = 1
        for (i in broken) if (!(i in meant)) { print "broken in step " i; faults++ }
        for (i in meant) if (!(i in broken)) { print "not broken in step " i; faults++ }
        exit faults > 0
    }' "$work/right" >"$work/faults"
say "the promise is told in each step, and broken in two" $? "$(cat "$work/faults")"

# In words: a row of the table is opened.
{
    i=1
    while [ $i -lt "$(step_of no-fence)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf '6\nopen 2\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 8 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" "it lacks 6 of the" && has "$work/squeezed" "told OK for 6 of what is missing"
say "the run without a fence is opened in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left between fence and commit, and taken up there by another process.
{
    sed "/^expect *$(step_of how-known)\//q" "$keys"
    printf 'expect 8 ms so far\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 8 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left in the pause" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect 8 ms so far\nexpect at 13,036\nkey 3\nwait\nexpect safe\n' "$(step_of how-known)" "$steps" >"$work/keys"
"$HOTSHARD" learn 8 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up in it, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of no-fence)" 'type 120' 'type 45' 'key 2' 'key 2'
placed "a mistake" 1 'type 120' 'type 40'
exit "$failed"
