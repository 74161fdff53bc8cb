#!/bin/sh
# `hotshard check`: what holds, what fails without a rule and by which way, for people and scripts.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

run check --list --json
[ "$status" -eq 0 ] && has "$work/out" '{"protocol":"two-phase-commit","rules":["all-votes-needed",' &&
    has "$work/out" '{"protocol":"fence-and-flip","rules":["fence",' &&
    has "$work/out" '{"protocol":"coalesce","rules":["join-before-write",'
say "check --list --json names each protocol with its rules" $? "$(cat "$work/out")"
rules_of() {
    sed -n "/\"protocol\":\"$1\"/{s/.*\"rules\":\[//;s/\].*//;s/[\",]/ /g;p;}" "$work/list"
}
cp "$work/out" "$work/list"
rules=$(rules_of two-phase-commit)
run check --list
for rule in $rules $(rules_of fence-and-flip) $(rules_of coalesce); do
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
    has "$work/out" " is refused"
say "two mistakes at once do show" $? "$(cat "$work/out")"

refuses "check without a protocol" "check takes one protocol" check
refuses "a misspelt protocol gets a suggestion" "did you mean two-phase-commit" \
    check two-phase-comit
refuses "a misspelt rule gets a suggestion" "did you mean decide-once" \
    check two-phase-commit --without decide-onec
refuses "check --list takes nothing else" "stands alone" check --list two-phase-commit

exit "$failed"
