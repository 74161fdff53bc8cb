#!/bin/sh
# Part 7: the figures of partitions, shards and nine systems on one trace, in the text and in the
# pictures; what each of the nine does with it; runs of tables that are opened in words; left behind
# a split and taken up there by another process; its placement check.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh
lesson 7 07_managed_splitting
taken
told
mistakes 130 95
figures <<'END'
Your answer: 240 %
Your answer: 100
Partition 3 on node 3: 850 writes of 1,000 a second, 85%; p9 has 600 of it; all served
2,650 are asked of a partition, 1,000 pass.
Partition 3 on node 3: 2,650 writes of 1,000 a second, 265%; p9 has 2,400 of it; 1,000 served, 1,650 throttled
240% of one partition; the neighbours are well
p1, p5 and p13 share another partition by now;
Your answer: 2550 writes/s
255% of one partition. An index is written after its table
(Eight: 318.75 writes each.)
1 2,550 1,5
a counter 4 50
row: random 5 0
row: time 4 50
and local index 4 50
Your answer: 250 %
2 of p9's 5 neighbours are in its half.
p9 alone fills 240% of a shard, before and after.
Packets of one post keep it (p9's: 267 a second)
p9's number lies 85.0% of the way from the least to the greatest.
Your answer: 6
4 parents closed, 8 children open; p9's, named 10, is 250% full.
Your answer: 350 records/s
3,150 / 9.
OUT OF ORDER:
The last rebalance paused 4 of 4
50.4%. p9 stays on partition 2 with all of its likes. p14 goes from 2 to 6; its old records stay.
DynamoDB and Kinesis refuse; the other 7 let clients wait until it is too late.
CockroachDB, HBase and MongoDB: they keep keys in order
So far the new one has something in Cassandra and CockroachDB.
parents first
4 shards open, 3 closed
Your answer: 3 calls
Ten calls could make 4,096 of them
The fullest: 265% with a key
Your answer: 11 partitions
Rebalance: 6 of 6
Rebalance: 2 of 6
6 against 2.
partition 2 is on broker 4 now
Kafka, all 0
MongoDB, majority 0
Vitess, semi-sync 0
Your answer: 14687
Your answer: 475 of 480
END

# One trace, nine outcomes: in the step of a question, what its picture says of a system.
# nine STEP SYSTEM WORDS: behind the answer.
nine() {
    awk -v step="$(step_of "$1")" -v name="$2" '
        / step [0-9]+ of [0-9]+/ { on = $0 ~ " step " step " of "; after = 0 }
        on && /Your answer:/ { after = 1 }
        on && after && /^  [A-Z][A-Za-z ]*: / { within = index($0, "  " name ": ") == 1 }
        !on { within = 0 }
        on && after && within' "$work/right" | tr -s ' \n' '  ' >"$work/one"
    has "$work/one" "$3"
    say "$1, $2: $3" $? "$(cat "$work/one")"
}
while IFS='|' read -r step system words; do
    nine "$step" "$system" "$words"
done <<'END'
nine-say|DynamoDB|throttled. Busiest: partition 3, 2,650 writes of 1,000
nine-say|Kinesis|throttled. Busiest: shard 3, 2,650 writes of 1,000
nine-say|Kafka|late
nine-say|Cassandra|late
nine-say|CockroachDB|late
nine-say|HBase|late
nine-say|MongoDB|late
nine-say|Redis Cluster|late
nine-say|Vitess|late
nine-grow|DynamoDB|all served
nine-grow|Kinesis|all served
nine-grow|CockroachDB|1,600 writes of 1,000 a second, 160%
nine-grow|HBase|1,600 writes of 1,000 a second, 160%
nine-grow|MongoDB|1,600 writes of 1,000 a second, 160%
nine-grow|Redis Cluster|400 writes of 1,000 a second, 40%
nine-add|DynamoDB|has no machines that anybody outside could add
nine-add|Kafka|no partition goes to it by itself
nine-add|Cassandra|16 moves
nine-add|Redis Cluster|no run of slots goes to it by itself
nine-lose|Kafka|nothing that a client was told of went with
nine-lose|MongoDB|nothing that a client was told of went with
nine-lose|HBase|with nobody to serve them
nine-lose|Redis Cluster|LOST
nine-lose|Vitess|LOST
END

# In words: a run of the rows that can be cut is opened.
{
    i=1
    while [ $i -lt "$(step_of collection)" ]; do
        printf 'show\n\n'
        i=$((i + 1))
    done
    printf '1\nopen 2\nleave\nquit\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 7 --plain <"$work/keys" >"$work/out" 2>"$work/err"
tr -s ' \n' '  ' <"$work/out" >"$work/squeezed"
has "$work/squeezed" "5 partitions; 1,500 writes/s" && has "$work/squeezed" "Partition 3 on node 3, parent of 4: 7"
say "the run with random sort keys is opened in words" $? "$(tail -n 30 "$work/out") $(cat "$work/err")"

# Left behind the split of a hot shard, and taken up there by another process.
{
    sed "/^expect *$(step_of shards)\//q" "$keys"
    printf 'type 250\nkey enter\nwait\nexpect 5 shards open\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 7 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left behind a split" $? "$(head -n 30 "$work/err")"
printf 'expect %2d/%d\nexpect 5 shards open\nkey space\nexpect %2d/%d\n' "$(step_of shards)" "$steps" \
    "$(step_of pack)" "$steps" >"$work/keys"
"$HOTSHARD" learn 7 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up there, by another process" $? "$(head -n 30 "$work/err")"

placed "all right" "$(step_of nine-say)" 'type 700' 'key 2' 'type 50' 'type 2'
placed "a mistake" 1 'type 700' 'key 1'
exit "$failed"
