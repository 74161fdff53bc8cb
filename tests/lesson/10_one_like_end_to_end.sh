#!/bin/sh
# Part 10: the figures of fleets, failures and quorums, in the text and in the pictures; a run of a
# table that is opened in words; left in a cut and taken up there by another process; its placement
# check.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 10 10_one_like_end_to_end
taken
told
mistakes 125 98
figures <<'END'
Your answer: 12 writes/s
OK after 3 ms.
9,600, as before.
S4 found the total newer than the one before: the count is 9,601
That is 3,150 and 10,500: 13,650 requests a second.
2,275 of 2,500.
Your answer: 3650 requests/s
136.5% each.
Your answer: 12 routers
On a good day each has 1137.5, 45.5% of 2,500; without a zone 1706.25.
zone a: up; 8 copies, leads 2.
Your answer: 4 shards
Its term begins with an empty entry, which commits all before it: a read gives 1.
6 of 12 shards with a copy that is down; N3 is down.
Your answer: 9 copies
6 copies, for the 6 of N3, side by side in 10 s. Now the nodes hold 9, 9, 9 and 9.
2 believe that they lead. But one only gets OKs, so it is no split brain
3 writes, 2 OK, 1 failed.
Your answer: 2 answers
is 10.24: "11 will do."
9 1516.7 6 2275.0 91.0%
6 2275.0 4 3412.5 136.5%
12 1137.5 8 1706.2 68.2%
12 routers cost S4 24 writes and 12 reads of p9 a second, twice as many as 6
Your answer: 400 routers
one 20
all 0
one follower be down: then 0 of 1,000 writes are told OK
votes-count-once 6
ack-needs-majority 3
3 1 2 1
5 2 4 2
N1 led 2 shards, N2 2, N3 4, N4 4, N5 0.
Now N1 leads 4, N2 3, N4 5, N5 0.
N5, zone b: up; 7 copies, leads 2.
as drawn 10 8 9 9
P2 to N2 9 9 9 9
Your answer: 35 s
11 s at best.
Linearizable: no.
after 2, 1 no
before 2, 2 yes
1 acknowledged and OVERWRITTEN unseen
2 s 1.1 1
30 s 29.1 0
each gets 166.7 shards of 5 GB: up to 167, 835 GB.
835 GB at 25 MB/s are 9.28 h.
8.33 TB move in all, 16.7%. 11.1 minutes at full speed, 9.3 h at that throttle
200 Mb/s 25 9.28 h
write, two down no
write, two down yes
of nodes that live and came back. 0 copies are complete
800 MB/s for each copy
100 MB/s for each copy dead, alive copies made N3 dies 0 6
Your answer: 400 times
With 50 others it would be 51 elections.
END

# In words: the run is opened in which a leader acknowledged alone.
{
    i=1
    while [ $i -lt "$(step_of acks)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf '1\nopen 1\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 10 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" "OK when the leader has it" && has "$work/squeezed" "LOST: 20 acknowledged"
say "the run that lost writes is opened in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left in the cut, and taken up there by another process.
{
    sed "/^expect *$(step_of cut)\//q" "$keys"
    printf 'key 2\nwait\nexpect split\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 10 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left in the cut" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect TWO LEAD\nkey space\nexpect %2d/%d\n' "$(step_of cut)" "$steps" \
    "$(step_of enough)" "$steps" >"$work/keys"
"$HOTSHARD" learn 10 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up in it, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of enough)" 'key 2' 'type 15' 'key 2' 'type 3'
placed "a mistake" 1 'key 2' 'type 9'
exit "$failed"
