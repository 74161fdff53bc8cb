#!/bin/sh
# Part 6: taken with the keyboard alone, at every size and in both sets of glyphs; told in lines and
# as JSON, whatever is answered; its knobs in words; left with knobs turned, and taken up again.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=06_growing_the_cluster
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 6 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/100" ]
    say "$name, $size: every screen has its size, every frame is closed" $? "$(head -n 5 "$work/faults")"
}

for size in 80x24 100x30 200x60; do
    take utf8 "$size" "$HOTSHARD"
    take ascii "$size" "$HOTSHARD" --ascii
    ! LC_ALL=C grep -q '[^ -~]' "$shots"/*
    say "$size: all ASCII" $? "$(LC_ALL=C grep -l '[^ -~]' "$shots"/* | head -n 3)"
done
take "with sanitizers" 80x24 "$HOTSHARD_ASAN"

# In lines: all steps, no faults, and the same from every program.
steps=$(grep -c '^    { id = "[^"]*", title = ' "lessons/$lesson.lua")
for answers in right wrong none; do
    run run 6 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $steps" "$work/out")" -eq "$steps" ]
    say "run 6 --answers $answers: all $steps steps" $? "status $status: $(cat "$work/err")"
    run run 6 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 6 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'Not so\.' "$work/wrong")" -ge 60 ] &&
    [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 30 ]
say "mistakes are explained, right answers are not called wrong" $?
run run 6 --json --answers right
grep '"step":"many-tokens"' "$work/out" | grep -q '"knobs":\[{"name":"tokens","value":"100","values":"1 16 100 256"}\]'
say "a step's knobs stand in its JSON" $?

# A person, line by line: knobs are turned in words, what is no value is refused.
tell() {
    printf "%b" "$1" | "$HOTSHARD" learn 6 --plain >"$work/out" 2>"$work/err"
}
rm -rf "$work/state"
tell 'show\n\nshow\n\nshow\n\nshards 6\nshards 9\ntokens 16\nknob shards 8\n\nquit\n'
has "$work/out" "hash mod 4, then mod 6" && has "$work/out" "hash mod 4, then mod 8" &&
    has "$work/out" "Done. The lesson goes on." && has "$work/err" "shards: '9' is none of 5 6 7 8" &&
    [ "$(wc -l <"$work/err")" -eq 2 ]
say "knobs are turned in words" $? "$(cat "$work/err")"

# What was turned is in the log, and is so again in another process.
grep -q ' act 06_growing_the_cluster doubling - - knob%20shards%208 ' "$work/state/hotshard/progress"
say "a turn is logged" $? "$(tail -n 5 "$work/state/hotshard/progress")"
printf 'expect  5/30\nkey escape b\nexpect  4/30\nexpect shards 5\n' >"$work/keys"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "a step back begins with its first value" $? "$(head -n 30 "$work/err")"
{
    sed '/^expect  7\/30/q' "tests/lesson/$lesson.keys"
    printf 'key T T u\nexpect tokens 16\nkey q q\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "left at 7 with the tokens at 16" $? "$(head -n 30 "$work/err")"
printf 'expect  7/30\nexpect tokens 16\nreject Done\nkey T\nexpect tokens 100\nexpect Done\n' >"$work/keys"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "and taken up there, by another process" $? "$(head -n 30 "$work/err")"

# The experiment runs while it is watched, and can be finished at once.
{
    sed '/^expect  8\/30/q' "tests/lesson/$lesson.keys"
    printf 'key 2\nexpect 0 of 120\nexpect running\nreject 2.16\nkey space\nreject running\nexpect 2.16\n'
} >"$work/keys"
rm -rf "$work/state"
"$HOTSHARD" learn 6 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "an experiment is watched, or finished at once" $? "$(head -n 30 "$work/err")"
exit "$failed"
