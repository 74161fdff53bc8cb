#!/bin/sh
# Part 6: its knobs in words; left with knobs turned, and taken up again; its experiment; its drills
# (the third one: drills.sh).
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
lesson 6 06_growing_the_cluster
taken
told
mistakes 60 30
run run 6 --json --answers right
grep '"step":"many-tokens"' "$work/out" | grep -q '"knobs":\[{"name":"tokens","label":"tokens","value":"100","values":"1 16 100 256"}\]' &&
    grep '"step":"a-bigger-machine"' "$work/out" | grep -q '"knobs":\[{"name":"weight","label":"weight of S0",'
say "a step's knobs stand in its JSON, with their labels" $?

# A person, line by line: knobs are turned in words, what is no value is refused.
tell() {
    printf "%b" "$1" | "$HOTSHARD" learn 6 --plain >"$work/out" 2>"$work/err"
}
rm -rf "$work/state"
tell 'show\n\nshow\n\nshow\n\nshow\n\nshow\n\nshow\n\nshards 6\nshards 9\ntokens 16\nknob shards 8\n\nquit\n'
has "$work/out" "hash mod 4, then mod 6" && has "$work/out" "hash mod 4, then mod 8" &&
    has "$work/out" "Done. The lesson goes on." && has "$work/err" "shards: '9' is none of 5 6 7 8" &&
    [ "$(wc -l <"$work/err")" -eq 2 ]
say "knobs are turned in words" $? "$(cat "$work/err")"

# What was turned is in the log, and is so again in another process.
grep -q ' act 06_growing_the_cluster doubling - - knob%20shards%208 ' "$work/state/hotshard/progress"
say "a turn is logged" $? "$(tail -n 5 "$work/state/hotshard/progress")"
printf 'expect  8/%d\nkey escape b\nexpect  7/%d\nexpect shards 5\n' "$steps" "$steps" >"$work/keys"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "a step back begins with its first value" $? "$(head -n 30 "$work/err")"
{
    sed '/^expect 10\//q' "$keys"
    printf 'key T T u\nexpect tokens 16\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left at 10 with the tokens at 16" $? "$(head -n 30 "$work/err")"
printf 'expect 10/%d\nexpect tokens 16\nreject Done\nkey T\nexpect tokens 100\nexpect Done\n' "$steps" >"$work/keys"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up there, by another process" $? "$(head -n 30 "$work/err")"

# The experiment runs while it is watched, and can be finished at once.
{
    sed '/^expect 11\//q' "$keys"
    printf 'key 2\nexpect 0 of 120\nexpect running\nreject 2.16\nkey space\nreject running\nexpect 2.16\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "an experiment is watched, or finished at once" $? "$(head -n 30 "$work/err")"

drilled ring-07 4 20
drilled pick-the-blocks 2 20
grep '^right ' "$work/all" | sed 's/.*"text":"S\([0-3]\) owns.*"answered":"\([0-9 ]*\)".*/\1 \2/; t; d' | sort -u >"$work/blocks"
[ -s "$work/blocks" ]
say "pick-the-blocks: shards and answers are told" $?
awk '$1 == 2 && NF == 3 { two++ } $1 == 0 && NF == 4 { zero++ } END { exit !(two && zero) }' "$work/blocks"
say "pick-the-blocks: S0 has three posts that go alone, S2 two" $? "$(cat "$work/blocks")"
exit "$failed"
