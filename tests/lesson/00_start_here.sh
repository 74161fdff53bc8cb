#!/bin/sh
# Part 0: taken with the keyboard alone, at every size and in both sets of glyphs; told in lines,
# whatever is answered; the figures that the source gives; and its drills, whatever the seed.
# HOTSHARD_SEEDS sets how many seeds are played (20).
# shellcheck disable=SC1091,SC2013,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}" "${HOTSHARD_SEEDS:=20}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=00_start_here
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 0 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    # The picture of the whole system has corners of its own, where arrows part.
    for shot in $(grep -L 'The whole system' "$shots"/*); do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/090" ] && [ ! -s "$work/faults" ]
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
    run run 0 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $steps" "$work/out")" -eq "$steps" ]
    say "run 0 --answers $answers: all $steps steps" $? "status $status: $(cat "$work/err")"
    run run 0 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 0 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 30 ]
say "mistakes are explained, right answers are not called wrong" $? \
    "$(grep -c 'Not so\.' "$work/wrong"), $(grep -c 'The belief behind it' "$work/wrong")"

# The source's figures, as the lesson tells them.
figure() {
    tr '\n' ' ' <"$work/right" | tr -s ' ' | grep -q "$1"
    say "it tells: $1" $?
}
figure '66,667 a second'
figure '10 times over, in a table that is 20% busy'
figure '4 KB, strong: 22.2 times'
figure 'units a second 100,000 limit 3,000 times over 33.3'
figure '255% of its writes and 310% of its reads'
figure '3 copies 103.3% 255%'
figure 'writes 60% 60%'
figure '500 GB and 1,125 writes'
figure 'Your answer: 26.7 months'
figure 'Your answer: 2500 hours'

# Its drills: right is right, every mistake is wrong and explained, and a belief is named.
for drill in cheap-steps-first:3 why-not-1024:5; do
    questions=${drill#*:} drill=${drill%:*} seed=0
    while [ $seed -lt "$HOTSHARD_SEEDS" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$drill.lua" --answers $answers --json --seed $seed </dev/null |
                sed "s/^/$answers $seed /"
        done
    done >"$work/$drill" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right .*"correct":true' "$work/$drill")" -eq $((HOTSHARD_SEEDS * questions)) ]
    say "$drill: $HOTSHARD_SEEDS seeds are played, and right is right" $? "$(head -n 3 "$work/err")"
    ! grep -q '^wrong .*"correct":true' "$work/$drill" && ! grep '^wrong ' "$work/$drill" | grep -q '"feedback":""' &&
        [ "$(grep '^wrong .*"step":' "$work/$drill" | grep -c '"belief":"[^"]')" -ge $((HOTSHARD_SEEDS * questions)) ]
    say "$drill: every mistake is wrong, and explained with a belief" $? \
        "$(grep '^wrong ' "$work/$drill" | grep '"feedback":""\|"correct":true' | head -n 2 | cut -c 1-300)"
done
# No step is always the first, and each of the eight comes.
kinds=$(grep '^right .*"truth":' "$work/cheap-steps-first" | sed 's/.*"truth":"[0-9]*,* *\([^"]*\)".*/\1/' | sort -u | wc -l)
[ "$kinds" -ge 7 ]
say "cheap-steps-first: many different steps come first" $? "$kinds"
exit "$failed"
