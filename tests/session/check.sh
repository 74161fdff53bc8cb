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
    has "$work/out" '{"protocol":"striped-balance","rules":["debit-main-only","sweep-atomic"]}' &&
    has "$work/out" '{"protocol":"preagg","rules":["absolute-flush",' &&
    has "$work/out" '{"protocol":"micro-cache","rules":["bounded-age",' &&
    has "$work/out" '{"protocol":"coalesce","rules":["join-before-write",'
say "check --list --json names each protocol with its rules" $? "$(cat "$work/out")"
rules_of() {
    sed -n "/\"protocol\":\"$1\"/{s/.*\"rules\":\[//;s/\].*//;s/[\",]/ /g;p;}" "$work/list"
}
cp "$work/out" "$work/list"
rules=$(rules_of two-phase-commit)
run check --list
for rule in $rules $(rules_of fence-and-flip) $(rules_of preagg) $(rules_of micro-cache) \
    $(rules_of coalesce) $(rules_of ask) $(rules_of striped-balance); do
    has "$work/out" "  $rule "
    say "check --list says what $rule demands" $?
done

run check two-phase-commit --json
[ "$status" -eq 0 ] && one_line "$work/out" &&
    has "$work/out" '"without":[],"holds":true,"cut":false,"redundant":false,"states":50816,"depth":19,' &&
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

run check two-phase-commit --without all-votes-needed
[ "$status" -eq 1 ] && has "$work/out" "has 5 steps, with 2 managers" &&
    has "$work/out" "  5. manager 2 aborts alone." && has "$work/out" "step 3 is refused"
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
    has "$work/out" " is refused" && has "$work/out" "Entry 1 (w1) was skipped"
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

# Each rule of these protocols shows alone.
for protocol in preagg micro-cache ask striped-balance; do
    run check "$protocol" --json
    [ "$status" -eq 0 ] && has "$work/out" '"holds":true,"cut":false,"redundant":false,'
    say "with all its rules $protocol holds" $? "status $status, $(cat "$work/out")"
    for rule in $(rules_of "$protocol"); do
        run check "$protocol" --without "$rule"
        [ "$status" -eq 1 ] && has "$work/out" "$protocol without $rule fails: " &&
            has "$work/out" "The shortest way there has " && has "$work/out" " is refused"
        say "$protocol without $rule fails, and where the rule ends it" $? "$(cat "$work/out")"
    done
done
run check preagg --without flush-sequence
[ "$status" -eq 1 ] && has "$work/out" " has 6 steps, with 2 likes" &&
    has "$work/out" "  6. the sub-key takes total 1, sequence 1." &&
    has "$work/out" "it holds total 1 now" && has "$work/out" "step 6 is refused"
say "without a sequence an older total lands last" $? "$(cat "$work/out")"

run check ask --without close-when-empty
[ "$status" -eq 1 ] && has "$work/out" "Shown is a world in which no map comes too early." &&
    has "$work/out" " has 5 steps, with 2 keys, 1 write, 1 read:" &&
    has "$work/out" "The client is told that there is no such key. A has it." &&
    has "$work/out" "step 2 is refused"
say "a slot that is closed too early, without another fault" $? "$(cat "$work/out")"
run check ask --without ask-keeps-map
[ "$status" -eq 1 ] && has "$work/out" "ask without ask-keeps-map fails: a request is told ASK a second time" &&
    has "$work/out" " has 5 steps, with 2 keys" && has "$work/out" "step 3 is refused"
say "ASK that is taken for MOVED sends a request in a circle" $? "$(cat "$work/out")"
run check striped-balance --without sweep-atomic
[ "$status" -eq 1 ] && has "$work/out" " has 4 steps, with 2 stripes, 1 credit" &&
    has "$work/out" "nobody puts it on the main account" && has "$work/out" "step 3 is refused"
say "a sweep that is forgotten half way loses what it took" $? "$(cat "$work/out")"

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
        has "$work/out" '"replayed":{"verdict":"fails","same":true,"returned":0,"due":1,"invariant":' &&
        has "$work/out" "\"stopped\":$3,\"lines\":[\"20:00:00"
    say "a world comes to the same verdict without $2" $? "status $status, $(cat "$work/out")"
done
run check fence-and-flip --without snapshot-position --without compare-before-fence --replay --json
[ "$status" -eq 1 ] && has "$work/out" '"verdict":"fails","same":true,' && has "$work/out" '"stopped":6,'
say "and without two rules" $? "$(cat "$work/out")"
run check fence-and-flip --without fence --replay
[ "$status" -eq 1 ] && has "$work/out" "     | 20:00:00.020100  R0 -> S0  like likes:{p9}" &&
    has "$work/out" "step 4 is refused" &&
    has "$work/out" "The world comes to the same verdict: a read returned 0, and 1 had been acknowledged" &&
    has "$work/out" "an invariant of the engine is broken: one-owner" &&
    has "$work/out" "Step 4 does not take place; from there on:" &&
    has "$work/out" "Nothing is lost, and every read returned what it had to."
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
has "$work/out" "--replay is for fence-and-flip and coalesce: "
say "the help says which protocols a world plays" $? "$(cat "$work/out")"
refuses "a protocol that no world plays" "no world plays two-phase-commit; --replay is for: fence-and-flip, coalesce" \
    check two-phase-commit --without decide-once --replay

refuses "check without a protocol" "check takes one protocol" check
refuses "a misspelt protocol gets a suggestion" "did you mean two-phase-commit" \
    check two-phase-comit
refuses "a misspelt rule gets a suggestion" "did you mean decide-once" \
    check two-phase-commit --without decide-onec
refuses "check --list takes nothing else" "stands alone" check --list two-phase-commit
refuses "check --list plays nothing" "stands alone" check --list --replay

exit "$failed"
