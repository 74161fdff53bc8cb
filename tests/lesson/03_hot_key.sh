#!/bin/sh
# Part 3: taken with the keyboard alone, at every size and in both sets of glyphs; told in lines and as
# JSON, whatever is answered; its placement check passed and failed; the figures that the source gives;
# and its drills, whatever the seed. HOTSHARD_SEEDS sets how many seeds are played (20).
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}" "${HOTSHARD_SEEDS:=20}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=03_the_hot_key
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 3 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/200" ]
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
steps=$(grep '^    { id = "[^"]*", title = ' "lessons/$lesson.lua" | grep -c -v 'check = true')
for answers in right wrong none; do
    run run 3 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $steps" "$work/out")" -eq "$steps" ]
    say "run 3 --answers $answers: all $steps steps" $? "status $status: $(cat "$work/err")"
    run run 3 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 3 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'Not so\.' "$work/wrong")" -ge 60 ] &&
    [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 50 ]
say "mistakes are explained, right answers are not called wrong" $? \
    "$(grep -c 'Not so\.' "$work/wrong"), $(grep -c 'The belief behind it' "$work/wrong")"

# The source's figures, as the lesson tells them.
figure() {
    tr '\n' ' ' <"$work/right" | tr -s ' ' | grep -q "$1"
    say "it tells: $1" $?
}
figure 'asked for 255% of its writes and 310% of its reads. The cluster: 78.8% and 87.5%'
figure 'S2 has 1,550 writes too many'
figure '4 shards S2 255% 79%'
figure '5 shards S3 255% 63%'
figure '16 shards S11 250% 20%'
figure '64 shards S47 240% 5%'
figure 'In truth it is 94%'
figure 'Your answer: 550 likes/s'
figure 'Your answer: 46.5 reads'
figure 'Your answer: 4650 reads'
figure 'comes as 400 times'
figure '6,000 partitions: 600 times'

# The placement check: all right goes on at the last stage, a mistake begins at the beginning.
place() {
    rm -rf "$work/state"
    "$HOTSHARD" learn 3 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    say "placement: $1" $? "$(head -n 30 "$work/err")"
}
last=$(grep '^    { id = "[^"]*", title = ' "lessons/$lesson.lua" | grep -v 'check = true' |
    grep -n 'find-it-alone' | cut -d : -f 1)
{
    printf 'key P\nexpect 1/4\ntype 240\nkey enter\nkey space\nexpect 2/4\nkey 2\nwait\nkey space\n'
    printf 'expect 3/4\nkey 2\nkey space\nexpect 4/4\nkey 2\nwait\nkey space\nexpect %s/%s\n' "$last" "$steps"
} >"$work/keys"
place "all right leads to the last stage"
printf 'key P\nexpect 1/4\ntype 16\nkey enter\nkey space\nexpect  1/%s\n' "$steps" >"$work/keys"
place "a mistake leads to the beginning"

# Its drills: right is right, every mistake is wrong and explained, and a belief is named.
for drill in more-shards find-the-hot-key read-the-dashboard; do
    seed=0
    while [ $seed -lt "$HOTSHARD_SEEDS" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$drill.lua" --answers $answers --json --seed $seed </dev/null |
                sed "s/^/$answers $seed /"
        done
    done >"$work/all" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right .*"correct":true' "$work/all")" -eq $((HOTSHARD_SEEDS * 5)) ]
    say "$drill: $HOTSHARD_SEEDS seeds are played, and right is right" $? "$(head -n 3 "$work/err")"
    ! grep -q '^wrong .*"correct":true' "$work/all" && ! grep '^wrong ' "$work/all" | grep -q '"feedback":""' &&
        [ "$(grep '^wrong .*"step":' "$work/all" | grep -c '"belief":"[^"]')" -ge $((HOTSHARD_SEEDS * 5)) ]
    say "$drill: every mistake is wrong, and explained with a belief" $? \
        "$(grep '^wrong ' "$work/all" | grep '"feedback":""\|"correct":true' | head -n 2 | cut -c 1-300)"
done
# No kind of evening, no shape and no number of shards is always the answer.
answered() {
    grep "^right .*\"step\":\"$1\"" "$work/all" | sed 's/.*"truth":"\([^"]*\)".*/\1/' | sort -u | wc -l
}
[ "$(answered dash-shape)" -eq 4 ] && [ "$(answered dash-ill)" -eq 3 ] && [ "$(answered dash-night)" -eq 3 ]
say "read-the-dashboard: each shape, each ill and each night comes" $? "$(answered dash-shape) $(answered dash-ill) $(answered dash-night)"
exit "$failed"
