#!/bin/sh
# Part 12: the figures of the evening, of mistakes, of an audit and of the cards; an event and a symptom opened
# in words, each the run that it names; left in an event and taken up there by another process; its
# placement check; its card on one page.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 12 12_looking_back
taken
told
mistakes 90 60
figures <<'END'
Your answer: S2
Your answer: 705 likes
200 of them died with R4, a sixth of 2,400 for half a second.
Your answer: 255 %
80% of writes, 13% of reads.
p9 takes off 255 310 11,850
four shards more 255 310 11,850
micro-cache 255 13 2,856
8 sub-keys 80 13 1,055
sums instead 20 13 468
p9's slot to S4 20 13 450
Your answer: 18 shards
By load 18, by data 8: the larger.
2,000 firms on 10 shards are 200 each.
The largest firm asks 630 a second
Your answer: 3.2 times
By user: 1.0 times.
Your answer: 99 times
1% make half 62 2.2
its busiest shard is at 100%; 0 told 429; 6 fetches after a restart; 16 OKs gone
post, hash, 3 copies, 20
Your answer: 38 %
48 shards 14,400 8 37
Your answer: 30 nodes
Your answer: 9.3 hours
Your answer: 68 %
at 1.1 it is 82%
A cache that hit 95% hits 9% then.
Your answer: 6.2 %
Your answer: 5120 keys
With 256 it is 92%.
Your answer: 3 TB
Your answer: 2000 partitions
31,429 reads a second on each master
Your answer: 0 reads/s
Your answer: 130000 reads/s
Your answer: 12 routers
END

# In words: event 10 is opened at its row, and two symptoms, whose runs show what they say.
{
    i=1
    while [ $i -lt "$(step_of every-event)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf 'open 16\nleave\n\nshow\n\nshow\nopen 5\nleave\nopen 8\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 12 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" 'The run of "10"' && has "$work/squeezed" "200 lost in crashes" &&
    has "$work/squeezed" "Done. The lesson goes on."
say "an event is opened in words, and that was the task" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"
has "$work/squeezed" 'The run of "a rush when caches restart"' &&
    has "$work/squeezed" 'The run of "reads rise on all shards at once"' && has "$work/squeezed" "S0 200 1,000 20% 1,400 3,000"
say "the runs behind symptoms are opened in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left in the open event, and taken up behind it by another process: the task was met.
{
    sed "/^expect *$(step_of every-event)\//q" "$keys"
    printf 'key tab\nkey down down down down down down down down down down down down down down down down\n'
    printf 'key enter\nexpect The run of "10"\nkey escape\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 12 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left behind an event" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect space goes on\nkey space\nexpect %2d/%d\n' "$(step_of every-event)" "$steps" \
    "$(step_of the-figure)" "$steps" >"$work/keys"
"$HOTSHARD" learn 12 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up behind it, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of every-event)" 'type 8' 'type 92' 'key 2'
placed "a mistake" 1 'type 8' 'type 8'

# The card: one page, and its figures are those of the engine and the calculators.
"$HOTSHARD" cheat >"$work/card" 2>"$work/err"
[ "$(wc -l <"$work/card")" -le 66 ] && [ "$(awk '{ print length }' "$work/card" | sort -n | tail -n 1)" -le 78 ] &&
    has "$work/card" "post:{p9} is in slot 12067" && has "$work/card" "196 a second" && has "$work/card" "63% of queries" &&
    has "$work/card" "68% of the load" && has "$work/card" "25 MB/s each: 9.3 h"
say "the card is one page, with its figures" $? "$(cat "$work/card" "$work/err")"
exit "$failed"
