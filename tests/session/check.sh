#!/bin/sh
# `hotshard check`: what holds, what fails without a rule and by which way, for people and scripts.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

run check --list --json
[ "$status" -eq 0 ] && has "$work/out" '{"protocol":"two-phase-commit","rules":["all-votes-needed",'
say "check --list --json names each protocol with its rules" $? "$(cat "$work/out")"
rules=$(sed 's/.*"rules":\[//; s/\].*//; s/[",]/ /g' "$work/out")
run check --list
for rule in $rules; do
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

refuses "check without a protocol" "check takes one protocol" check
refuses "a misspelt protocol gets a suggestion" "did you mean two-phase-commit" \
    check two-phase-comit
refuses "a misspelt rule gets a suggestion" "did you mean decide-once" \
    check two-phase-commit --without decide-onec
refuses "check --list takes nothing else" "stands alone" check --list two-phase-commit

exit "$failed"
