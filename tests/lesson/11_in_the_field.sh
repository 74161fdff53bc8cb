#!/bin/sh
# Part 11: the figures of services, look-alikes, rebalances, vectors, capacity, cases and what tools print, in
# the text and in the pictures; a run of a table that is opened in words; left behind a false death and taken up
# there by another process; its placement check.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 11 11_in_the_field
taken
told
mistakes 150 100
figures <<'END'
Your answer: 120 %
on four routers instead of six
Your answer: 600 likes/s
DynamoDB hash 1,000 240
Keyspaces hash 1,000 240
Kinesis MD5 1,000 240
Amazon S3 in order 3,500 69
Your answer: 1000 likes/s
Your answer: 7000 PUTs/s
once those ranges are split 0 are refused
5 nodes, 5.3 GB copied in vain.
Slots 3953 and 8870: S0 and S2.
Your answer: 6.5 ms
Your answer: 2 %
A part has 10,000 items.
2 of the 10 nearest are found.
Probing 3 would find all.
Your answer: 720 %
Kinesis record or KB 600
Your answer: 84.1 %
country 70 141
customer 25.9 53
LOST: 4 acknowledged writes
Your answer: 8 shards
CockroachDB range - 100
Redis slot CRC16 25
S3 254 2,540 c0
by itself 5.3 over 300
in limits 0 60
by hand 0 1,251
4 copies 2,337 77.9
kept 1 s 6 0.2
10 2,064 93.7
100 229 81.5
Your answer: 4 shards
the same hash 965
a new one 2,610
49.2% of their time. By bytes 11.5%
half in ms 99% in ms slow %
all 50 7 60.8 39
200 x 50: 10,000 candidates
Your answer: 130000 reads/s
viral_fits no, its master answers them all
Your answer: 3.54 times
retry budget 230,000 308,000 208,000
instead of 192,500: 3,208 times fewer.
two, capped 7.1 9.0 49.8
The following slots are open: 7103.
Your answer: 250 reads/s
Your answer: 25000 writes/s
Your answer: 8.7 GB
has 2 keys.
Your answer: 9.3 hours
Your answer: 45559 reads/s
Ketama 86.1 6,975
1, random 40.9 115
16, random 22.2 68
16, chosen 16.7 54
Your answer: 499000 writes/s
date#0 to #9 10,000 10,000
device, time 100,000 650
Your answer: 92.4 %
own index 2 1.6 3
Your answer: 320 of 480
480 shards 24 5 each
first table moved 200 13 a move
2 shards 61 0
1 shard 104 40
END

# In words: the run is opened in which copies were made in vain, and then without end.
{
    i=1
    while [ $i -lt "$(step_of ways)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf '2\nopen 1\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 11 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" "by itself 5.3 over 300" && has "$work/squeezed" "6 copies being made anew; N3 is down, believed dead."
say "the run in which copies never end is opened in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left behind the false death, and taken up there by another process.
{
    sed "/^expect *$(step_of hang)\//q" "$keys"
    printf 'key 3\nkey 2\nwait\nexpect awake\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 11 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left behind a false death" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect copied in vain\nkey space\nexpect %2d/%d\n' "$(step_of hang)" "$steps" \
    "$(step_of lookups)" "$steps" >"$work/keys"
"$HOTSHARD" learn 11 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up behind it, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of tell)" 'type 4' 'key 2' 'type 1' 'type 10000'
placed "a mistake" 1 'type 4' 'key 1'
exit "$failed"
