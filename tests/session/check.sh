#!/bin/sh
# `hotshard check`: what holds, what fails without a rule and by which way, for people and scripts.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

run check --list --json
[ "$status" -eq 0 ] && has "$work/out" '{"protocol":"two-phase-commit","rules":["all-votes-needed",' &&
    has "$work/out" '{"protocol":"fence-and-flip","rules":["fence",' &&
    has "$work/out" '{"protocol":"ask","rules":["ask-for-missing-key",' &&
    has "$work/out" '{"protocol":"dual-write","rules":["newer-only",' &&
    has "$work/out" '{"protocol":"striped-balance","rules":["debit-main-only","sweep-atomic"]}' &&
    has "$work/out" '{"protocol":"preagg","rules":["absolute-flush",' &&
    has "$work/out" '{"protocol":"micro-cache","rules":["bounded-age",' &&
    has "$work/out" '{"protocol":"coalesce","rules":["join-before-write",' &&
    has "$work/out" '{"protocol":"saga","rules":["saga-log-first",' &&
    has "$work/out" '{"protocol":"failover","rules":["ack-needs-majority",' &&
    has "$work/out" '{"protocol":"scatter","rules":["one-epoch-a-slot",'
say "check --list --json names each protocol with its rules" $? "$(cat "$work/out")"
rules_of() {
    sed -n "/\"protocol\":\"$1\"/{s/.*\"rules\":\[//;s/\].*//;s/[\",]/ /g;p;}" "$work/list"
}
cp "$work/out" "$work/list"
rules=$(rules_of two-phase-commit)
run check --list
for rule in $rules $(rules_of fence-and-flip) $(rules_of preagg) $(rules_of micro-cache) \
    $(rules_of coalesce) $(rules_of ask) $(rules_of dual-write) $(rules_of striped-balance) \
    $(rules_of saga) $(rules_of failover) $(rules_of scatter); do
    has "$work/out" "  $rule "
    say "check --list says what $rule demands" $?
done

run check two-phase-commit --json
[ "$status" -eq 0 ] && one_line "$work/out" &&
    has "$work/out" '"without":[],"holds":true,"cut":false,"redundant":false,"states":378966,"depth":32,' &&
    has "$work/out" '"steps":[]}'
say "with all its rules two-phase commit holds" $? "status $status, $(cat "$work/out")"
for rule in $rules; do
    run check two-phase-commit --without "$rule" --json
    depth=$(sed 's/.*"depth":\([0-9]*\).*/\1/' "$work/out")
    steps=$(grep -o '"actor":"[^"]*","action":"[^"]*","detail":"[^"]*"' "$work/out" | wc -l)
    [ "$status" -eq 1 ] && one_line "$work/out" && [ "$depth" -gt 0 ] && [ "$steps" -eq "$depth" ] &&
        has "$work/out" "\"without\":[\"$rule\"],\"holds\":false,\"cut\":false"
    say "without $rule it fails, by steps that are told" $? "status $status, $(cat "$work/out")"
done

# A transaction that nobody ends is found as well, and each rule of a saga.
run check two-phase-commit --without presumed-abort
[ "$status" -eq 1 ] && has "$work/out" "from here on it can never be finished" &&
    has "$work/out" "  2. the coordinator crashes."
say "without presumed-abort a participant waits for ever" $? "$(cat "$work/out")"
run check saga --json
[ "$status" -eq 0 ] && has "$work/out" '"holds":true,"cut":false,"redundant":false,'
say "with all its rules a saga holds" $? "status $status, $(cat "$work/out")"
for rule in $(rules_of saga); do
    run check saga --without "$rule" --json
    [ "$status" -eq 1 ] && has "$work/out" "\"without\":[\"$rule\"],\"holds\":false,\"cut\":false"
    say "a saga without $rule fails" $? "status $status, $(cat "$work/out")"
done

run check two-phase-commit --without all-votes-needed
[ "$status" -eq 1 ] && has "$work/out" "has 7 steps, with 2 participants, crashes" &&
    has "$work/out" "  7. participant 1 commits." && has "$work/out" "step 5 does not take place"
say "the shortest way is told step by step, and where the rule would end it" $? "$(cat "$work/out")"

# Each rule of the move shows, or other rules do its work and that is said.
run check fence-and-flip --json
[ "$status" -eq 0 ] && has "$work/out" '"holds":true,"cut":false,"redundant":false,'
say "with all its rules a move holds" $? "status $status, $(cat "$work/out")"
run check fence-and-flip
[ "$status" -eq 0 ] && has "$work/out" "fence-and-flip holds, with 2 writes, 2 reads, 2 moves" &&
    has "$work/out" "  - one shard at most would take a write at any time" &&
    has "$work/out" "  - nothing follows the fence in the source's log" &&
    has "$work/out" "  - from every state all can still come to its end" &&
    grep -q '^All [0-9,]* states were seen, in .*; the farthest is 24 steps from the start\.$' "$work/out"
say "what holds is a list of promises, over all states" $? "$(cat "$work/out")"
for rule in $(rules_of fence-and-flip); do
    run check fence-and-flip --without "$rule" --json
    case $rule in
    snapshot-position | compare-before-fence)
        [ "$status" -eq 0 ] && has "$work/out" '"holds":true,"cut":false,"redundant":true,'
        ;;
    *) [ "$status" -eq 1 ] && has "$work/out" '"holds":false,"cut":false,"redundant":false,' ;;
    esac
    say "a move without $rule" $? "status $status, $(cat "$work/out")"
done
run check fence-and-flip --without snapshot-position --without compare-before-fence
[ "$status" -eq 1 ] && has "$work/out" " has 10 steps, with 1 write, 1 read, 1 move" &&
    has "$work/out" "step 3 goes otherwise: the mover copies the slot to B." && has "$work/out" "Entry 1 (w1) was skipped"
say "two mistakes at once do show" $? "$(cat "$work/out")"
run check fence-and-flip --without snapshot-position
has "$work/out" "compare-before-fence does its work; leave out both."
say "a rule that is not missed: which one does its work" $? "$(cat "$work/out")"
run check fence-and-flip --without compare-before-fence --json
has "$work/out" '"redundant":true,"instead":["snapshot-position"],'
say "and the other way round, for scripts" $? "$(cat "$work/out")"
run check fence-and-flip --without slot-table-check
has "$work/out" " has 11 steps, with 2 writes" && has "$work/out" "Shown is what nothing but this rule forbids" &&
    has "$work/out" "It does not look into its slot table, which says \"moved\"."
say "a missing look shows at the old owner, and why there is said" $? "$(cat "$work/out")"

# A step that takes place with every rule as well, and what could never end goes on.
run check two-phase-commit --without presumed-abort
[ "$status" -eq 1 ] && has "$work/out" "each of these steps takes place as well." &&
    has "$work/out" "But from there it goes on to its end:" && has "$work/out" "  7. the coordinator tells participant 1 to abort."
say "what can never end goes on to its end with every rule" $? "$(cat "$work/out")"
run check fence-and-flip --without snapshot-position --without compare-before-fence
[ "$status" -eq 1 ] && has "$work/out" "The rule snapshot-position: " && ! grep -q "^The rule compare" "$work/out"
say "of two rules only the one that changes the step is named" $? "$(cat "$work/out")"
run check ask
has "$work/out" "promised to clients:" && has "$work/out" "what holds inside, for somebody who sees all nodes at once:"
say "what clients are promised stands apart" $? "$(cat "$work/out")"

# Each rule of these protocols shows alone.
for protocol in preagg micro-cache ask dual-write striped-balance failover scatter; do
    run check "$protocol" --json
    [ "$status" -eq 0 ] && has "$work/out" '"holds":true,"cut":false,"redundant":false,'
    say "with all its rules $protocol holds" $? "status $status, $(cat "$work/out")"
    for rule in $(rules_of "$protocol"); do
        run check "$protocol" --without "$rule"
        [ "$status" -eq 1 ] && has "$work/out" "$protocol without $rule fails: " &&
            has "$work/out" "The shortest way there has " && has "$work/out" "With every rule in place, step "
        say "$protocol without $rule fails, and where the rule ends it" $? "$(cat "$work/out")"
    done
done
run check preagg --without flush-sequence
[ "$status" -eq 1 ] && has "$work/out" " has 6 steps, with 2 likes" &&
    has "$work/out" "  6. the sub-key takes total 1, sequence 1." &&
    has "$work/out" "it holds total 1 now" && has "$work/out" "step 6 goes otherwise: the sub-key refuses total 1"
say "without a sequence an older total lands last" $? "$(cat "$work/out")"

run check ask --without close-when-empty
[ "$status" -eq 1 ] && has "$work/out" "Shown is a world in which no map comes too early." &&
    has "$work/out" " has 5 steps, with 2 keys, 1 write, 1 read:" &&
    has "$work/out" "The client is told that there is no such key. A has it." &&
    has "$work/out" "step 2 does not take place"
say "a slot that is closed too early, without another fault" $? "$(cat "$work/out")"
run check ask --without ask-keeps-map
[ "$status" -eq 1 ] && has "$work/out" "ask without ask-keeps-map fails: a request is told ASK a second time" &&
    has "$work/out" " has 5 steps, with 2 keys" && has "$work/out" "step 3 goes otherwise: shard A answers w1 with ASK."
say "ASK that is taken for MOVED sends a request in a circle" $? "$(cat "$work/out")"
run check dual-write --without newer-only
[ "$status" -eq 1 ] && has "$work/out" " has 6 steps, with 1 key, 2 edits in turn" &&
    has "$work/out" "  6. the backfill writes v4 of k1 to B." && has "$work/out" "step 6 goes otherwise: the backfill brings v4 of k1 to B."
say "without versions the backfill writes an older one over a newer" $? "$(cat "$work/out")"
run check scatter --without one-epoch-a-slot
[ "$status" -eq 1 ] && has "$work/out" " has 4 steps, with 2 shards, 1 move" &&
    has "$work/out" "The reply counts slot 1 twice." && has "$work/out" "step 4 goes otherwise: shard B answers."
say "a slot that moves between two answers is counted twice" $? "$(cat "$work/out")"
run check striped-balance --without sweep-atomic
[ "$status" -eq 1 ] && has "$work/out" " has 4 steps, with 2 stripes, 1 credit" &&
    has "$work/out" "nobody puts it on the main account" && has "$work/out" "step 3 goes otherwise: the sweeper has no answer, and sends it again."
say "a sweep that is forgotten half way loses what it took" $? "$(cat "$work/out")"
run check failover --without refuse-old-term
[ "$status" -eq 1 ] && has "$work/out" " has 4 steps, with 3 replicas, 2 writes, 2 terms" &&
    has "$work/out" "B leads term 2 and lacks write 1." && has "$work/out" "step 4 goes otherwise: replica C "
say "an old leader that is still believed acknowledges what is lost" $? "$(cat "$work/out")"
run check failover --without votes-count-once
[ "$status" -eq 1 ] && has "$work/out" "Shown are five replicas." &&
    has "$work/out" " has 6 steps, with 5 replicas, 2 terms" && has "$work/out" "step 4 does not take place"
say "a vote counted twice makes two leaders of five replicas" $? "$(cat "$work/out")"

# The way that was found is played in a world, and ends where the text says with every rule.
for what in "fence-and-flip fence 4" "fence-and-flip fence-covers-reads 10" \
    "fence-and-flip drain-to-fence 5" "fence-and-flip target-waits-for-commit 6" \
    "fence-and-flip check-and-append 3" "fence-and-flip durable-fence 5" \
    "fence-and-flip abort-before-commit 10" "fence-and-flip slot-table-check 8" \
    "coalesce join-before-write 6" "coalesce one-router-a-key 2"; do
    # shellcheck disable=SC2086
    set -- $what
    run check "$1" --without "$2" --replay --json
    [ "$status" -eq 1 ] && one_line "$work/out" &&
        has "$work/out" '"replayed":{"verdict":"fails","same":true,"failure":"a read returned 0, though 1 ' &&
        has "$work/out" '","returned":0,"due":1,"invariant":' &&
        has "$work/out" "\"stopped\":$3,\"lines\":[\"20:00:00"
    say "a world comes to the same verdict without $2" $? "status $status, $(cat "$work/out")"
done
# Those whose promise is another one: protocol, rule, the step, how the failure begins.
while read -r protocol rule step failure; do
    run check "$protocol" --without "$rule" --replay --json
    [ "$status" -eq 1 ] && one_line "$work/out" &&
        has "$work/out" "\"verdict\":\"fails\",\"same\":true,\"failure\":\"$failure" &&
        has "$work/out" "\"stopped\":$step,\"lines\":[\"20:00:00"
    say "a world breaks the promise of $protocol without $rule" $? "status $status, $(cat "$work/out")"
done <<'END'
ask ask-for-missing-key 3 a read returned 0, though 1 had been acknowledged
ask asking-needed 3 a read returned 0, though 1 had been acknowledged
ask atomic-key-move 2 1 like of which a client was told OK is at neither shard
ask ask-keeps-map 3 a request was told ASK a second time
ask try-again-on-split 3 a read returned 1, though 2 had been acknowledged
ask close-when-empty 2 a read returned 0, though 1 had been acknowledged
preagg absolute-flush 4 the count shows 2, and only 1 like came
preagg flush-sequence 6 the count showed 2, and shows 1 now
preagg claim-on-restart 3 the count shows 2, and only 1 like came
preagg durable-before-ack 1 of 1 like that clients were told OK for, 1 is nowhere
preagg recount-at-flushed 3 the count shows 2, and only 1 like came
micro-cache bounded-age 8 a read was served version 0
micro-cache age-from-read 8 a read was served version 0
micro-cache drop-on-edit 7 a read returned version 0, though its router had acknowledged version 1
micro-cache fill-not-across-edit 6 a read returned version 0, though its router had acknowledged
END
run check preagg --without absolute-flush --replay --json
has "$work/out" '"returned":null,"due":null,"invariant":"flush-order: '
say "where nobody reads, nothing was returned" $? "$(cat "$work/out")"
run check fence-and-flip --without snapshot-position --without compare-before-fence --replay --json
[ "$status" -eq 1 ] && has "$work/out" '"verdict":"fails","same":true,' && has "$work/out" '"stopped":6,'
say "and without two rules" $? "$(cat "$work/out")"
run check fence-and-flip --without fence --replay
[ "$status" -eq 1 ] && has "$work/out" "     | 20:00:00.020100  R0 -> S0  like likes:{p9}" &&
    has "$work/out" "With every rule in place, step 4 does not take place." &&
    has "$work/out" "The world comes to the same verdict, after step 8:" &&
    has "$work/out" "  a read returned 0, though 1 had been acknowledged before it was asked." &&
    has "$work/out" "A is S0 and B is S1." &&
    has "$work/out" "an invariant of the engine is broken: one-owner" &&
    has "$work/out" "Step 4 does not take place; from there on:" &&
    has "$work/out" "Every request is answered, nothing is lost, and no promise is broken."
say "the world's lines stand under the steps" $? "$(cat "$work/out")"
[ "$(grep -c "came with the commit" "$work/out")" -eq 1 ] &&
    ! sed -n '/with every rule\. Step/,$p' "$work/out" | grep -q "came with the commit"
say "notes about the way are not told of the world with every rule" $? "$(cat "$work/out")"
run check coalesce --without one-router-a-key --replay
first=$(grep -n "all at one router" "$work/out" | cut -d: -f1)
off=$(grep -n "the rule one-router-a-key is now off" "$work/out" | cut -d: -f1)
[ "${first:-0}" -gt 0 ] && [ "${off:-0}" -gt "$first" ]
say "reads are at one router until that rule is off" $? "$(cat "$work/out")"
run check coalesce --without join-before-write
[ "$status" -eq 1 ] && has "$work/out" "step 6 goes otherwise: reader 2 asks R0."
say "a rule that refuses no step: where it goes otherwise" $? "$(cat "$work/out")"
run check fence-and-flip --without snapshot-position --replay --json
[ "$status" -eq 0 ] && has "$work/out" '"replayed":null}' &&
    has "$work/err" "none was found, so nothing is played"
say "what holds is not played" $? "$(cat "$work/out")"
run check fence-and-flip --replay
[ "$status" -eq 0 ] && has "$work/err" "so nothing is played; leave a rule out with --without"
say "nor a protocol with all its rules" $? "$(cat "$work/err")"
run check --help
grep -A1 '^--replay is for:$' "$work/out" | grep -q '^fence-and-flip, ask, ' &&
    has "$work/out" "failover and scatter." && ! grep -q "No world plays" "$work/out" &&
    ! sed -n '/^--replay is for:$/,/^Options of the/p' "$work/out" | grep -q '.\{81\}'
say "the help says that a world plays every protocol" $? "$(cat "$work/out")"
run check failover --without refuse-old-term --replay
[ "$status" -eq 1 ] && has "$work/out" "A is N1, B is N2 and so on, of the group P1." &&
    has "$work/out" "The world comes to the same verdict, after step 4:" &&
    has "$work/out" "N2 leads term 2 without write 1, whose client was told OK." &&
    has "$work/out" "Every request is answered, nothing is lost, and no promise is broken."
say "an old leader that is still believed, in a world of nodes" $? "$(cat "$work/out")"

refuses "check without a protocol" "check takes one protocol" check
refuses "a misspelt protocol gets a suggestion" "did you mean two-phase-commit" \
    check two-phase-comit
refuses "a misspelt rule gets a suggestion" "did you mean decide-once" \
    check two-phase-commit --without decide-onec
refuses "check --list takes nothing else" "stands alone" check --list two-phase-commit
refuses "check --list plays nothing" "stands alone" check --list --replay
refuses "check --list has no size" "stands alone" check --list --size small

# Which world, and how much of it.
run check ask --size small
[ "$status" -eq 0 ] && has "$work/out" "ask holds, with 2 keys, 1 write, 1 read" &&
    has "$work/out" "All 10 situations that matter were met."
say "the smallest world, and what came to pass in it" $? "$(cat "$work/out")"
run check ask --without close-when-empty --size small --json
[ "$status" -eq 1 ] && has "$work/out" '"size":"small",' && has "$work/out" '"depth":4,'
say "a size that is said is the one that is shown" $? "$(cat "$work/out")"
run check ask --without close-when-empty --json
[ "$status" -eq 1 ] && has "$work/out" '"size":null,' && has "$work/out" '"depth":5,'
say "else a rule may have a world of its own" $? "$(cat "$work/out")"
run check preagg --size large --without flush-sequence --json
[ "$status" -eq 1 ] && has "$work/out" '"size":"large",' && has "$work/out" '"depth":6,'
say "the larger world has the same shortest way" $? "$(cat "$work/out")"
run check fence-and-flip --states 500
[ "$status" -eq 2 ] && grep -q '^fence-and-flip: nothing breaks within [0-9]* steps of the start, with$' "$work/out" &&
    has "$work/out" "There was no room to look farther: for 500 states at most, in 64 MB." &&
    has "$work/out" "So this is no promise: what lies beyond, nobody has looked at." &&
    has "$work/out" "Cut at 500 states, after "
say "a search without room says how far it came, and that it is no promise" $? "$(cat "$work/out")"
run check ask --states 300 --json
[ "$status" -eq 2 ] && has "$work/out" '"holds":null,"cut":true,"redundant":null,' &&
    has "$work/out" '"why_cut":"room",' && has "$work/out" '"not_met":["' && has "$work/out" '"a crash of B falls between its claim '
say "and names what never came to pass" $? "$(cat "$work/out")"
run check fence-and-flip --ms 1
[ "$status" -eq 2 ] && has "$work/out" "The time was over: 1 ms." && has "$work/out" "So this is no promise"
say "so does one without time" $? "$(cat "$work/out")"
refuses "a size that there is not" "--size is small or large, not \"middle\"" check ask --size middle
refuses "a search of nothing" "--states" check ask --states 0

exit "$failed"
