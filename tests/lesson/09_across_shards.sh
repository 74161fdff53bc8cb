#!/bin/sh
# Part 9: the figures of queries over all shards, of indexes and of transactions, in the text and in the
# pictures; a row that is opened in words; a payment that is left with its row locked and taken up by
# another process; its placement check.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 9 09_across_shards
taken
told
mistakes 125 90
figures <<'END'
Your answer: 6 reads/s
the router gathers 50 lines and keeps 10.
Your answer: 4.9 %
here one query in 20.4
Chances alone give 169.9.
one shard 5.1
all five 6.6
p99 falls to 16.3 ms
1.1% more
S0 200 1,000 20% 1,400 3,000 47%
S2 150 1,000 15% 1,300 3,000 43%
S4 12 1,000 1% 1,006 3,000 34%
5,000 reads a second for one page
S0 200 1,000 20% 401 3,000 13%
S2 150 1,000 15% 301 3,000 10%
S4 12 1,000 1% 7 3,000 0%
4 of 5 answers cross a zone: 80 KB.
3.33 on average. At 1,000 a second 66.7 MB/s cross: $3,456 a month. The job in zone a: $4.15.
Your answer: 5
Your answer: 3
MISSES 1.
1 got in, 1 was refused.
4 messages, 8 with answers. Each row is locked until it hears commit, 5 ms; after 10 R2 knows that both have.
prepared, waits, locked for 1 s.
taken back, others saw it for 10 ms.
5 4.9 6.5 169.9
8 7.7 6.7 181.2
10 9.6 6.8 184.9
50 39.5 7.0 197.0
100 63.4 96.4 198.5
256 92.4 159.4 199.4
1000 99.996 189.6 199.8
half 50.0 50.1 197.8
Your answer: 69
Your answer: 6.2 ms
team 1
Your answer: 100 %
sea 45 44 89
Your answer: 8
one-epoch-a-slot 4
are 172,800 GB in 30 days.
The job in zone a: 80 KB/s, 207 GB, $4.15. 833 times less.
3 of 5 answers cross a zone: 60 KB.
Your answer: 170
begun undone 100 100 0.0
voted undone 100 100 3.1
logged done 70 130 3.0
presumed-abort 3
log-decision-first 12
compensation-bars-step 5
first done undone 100 3.1
shard by shard 5
Your answer: 41
END

# In words: the row of the saga is opened, where the second step did not come through.
{
    i=1
    while [ $i -lt "$(step_of follow)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf '3\nopen 2\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 9 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" "two-phase commit no" && has "$work/squeezed" "derived index OK 5"
say "the follow: the table, and a row of it in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left while the coordinator is dead, and taken up there by another process: still locked.
{
    sed "/^expect *$(step_of dies)\//q" "$keys"
    printf 'key 3\nwait\nexpect Locked for 1,000 ms\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 9 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left with a row locked" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect Locked for 1,000 ms\nkey space\nexpect %2d/%d\n' "$(step_of dies)" "$steps" \
    "$(step_of step-by-step)" "$steps" >"$work/keys"
"$HOTSHARD" learn 9 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up there, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of dies)" 'type 27.1' 'type 4' 'type 5' 'key 3'
placed "a mistake" 1 'type 27.1' 'type 6'
exit "$failed"
