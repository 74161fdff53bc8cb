#!/bin/sh
# Part 2: taken with the keyboard alone, at every size and in both sets of glyphs; told in lines and as
# JSON, whatever is answered; its placement check passed and failed; the figures that the sources give;
# and its drills, whatever the seed. HOTSHARD_SEEDS sets how many seeds are played (40).
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}" "${HOTSHARD_SEEDS:=40}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=02_choosing_the_key
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 2 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/150" ]
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
    run run 2 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $steps" "$work/out")" -eq "$steps" ]
    say "run 2 --answers $answers: all $steps steps" $? "status $status: $(cat "$work/err")"
    run run 2 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 2 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'Not so\.' "$work/wrong")" -ge 70 ] &&
    [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 50 ]
say "mistakes are explained, right answers are not called wrong" $? \
    "$(grep -c 'Not so\.' "$work/wrong"), $(grep -c 'The belief behind it' "$work/wrong")"

# The sources' figures, as the lesson tells them.
figure() {
    tr '\n' ' ' <"$work/right" | tr -s ' ' | grep -q "$1"
    say "it tells: $1" $?
}
figure 'all 800 4,000 20%'
figure 'S1 is asked for 800 writes, 80% of what it can do'
figure 'by creator 350 150 1'
figure '8 ranges 100 8.0'
figure 'on 16 shards, 64 each'
figure 'Your answer: 1024'
figure 'all 48,500 108,000'
figure 'all 48,500 52,000'
figure '80 shards 720,000 88,000 4.0'
figure 'In all 48,500 instead of 88,000'
figure 'writes/s 38,750 2,800 13.8'
figure 'rounded up: 14'
figure 'the fullest 64 60.55%'
figure 'Your answer: 12.75 times'
figure 'S2 4 1.00 2,550 3.24'

# What each key costs is what the calculator says.
for shards in 8 80; do
    for row in order time seller customer; do
        "$HOTSHARD" size shardkey shards=$shards </dev/null |
            sed -n "s/^ *${row}_hits *\([0-9,]*\).*/\1/p"
    done >"$work/costs$shards"
done
tr '\n' ' ' <"$work/costs8" >"$work/costs"
has "$work/costs" "108,000 384,500 384,500 52,000"
say "the calculator gives the costs on 8 shards" $? "$(cat "$work/costs")"
{
    printf '%s\n' "$(sed -n '1p' "$work/costs80")" "$(sed -n '4p' "$work/costs80")"
} | tr '\n' ' ' >"$work/costs"
has "$work/costs" "720,000 88,000"
say "and on 80" $? "$(cat "$work/costs")"

# The placement check: all right goes on at the last stage, a mistake begins at the beginning.
place() {
    rm -rf "$work/state"
    "$HOTSHARD" learn 2 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    say "placement, $1" $? "$(head -n 30 "$work/err")"
}
last=$(grep '^    { id = "[^"]*", title = ' "lessons/$lesson.lua" | grep -v 'check = true' | grep -n '"two-skews"' | cut -d : -f 1)
{
    printf 'key P\nexpect 1/4\ntype 800\nkey enter\nwait\nkey space\nexpect 2/4\ntype 0\nkey enter\n'
    printf 'key space\nexpect 3/4\nkey 3\nkey space\nexpect 4/4\ntype 10\nkey enter\nkey space\n'
    printf 'expect %s/%s\n' "$last" "$steps"
} >"$work/keys"
place "all right: on at step $last"
printf 'key P\nexpect 1/4\ntype 200\nkey enter\nwait\nkey space\nexpect  1/%s\n' "$steps" >"$work/keys"
place "a mistake: from the beginning"

# Its drills: right is right, every mistake is wrong and explained, and a belief is named.
# played DRILL QUESTIONS
played() {
    seed=0
    while [ $seed -lt "$HOTSHARD_SEEDS" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$1.lua" --answers $answers --json --seed $seed </dev/null |
                sed "s/^/$answers $seed /"
        done
    done >"$work/all" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right .*"correct":true' "$work/all")" -eq $((HOTSHARD_SEEDS * $2)) ]
    say "$1: $HOTSHARD_SEEDS seeds are played, and right is right" $? "$(head -n 3 "$work/err")"
    ! grep -q '^wrong .*"correct":true' "$work/all" && ! grep '^wrong ' "$work/all" | grep -q '"feedback":""' &&
        [ "$(grep '^wrong .*"step":' "$work/all" | grep -c '"belief":"[^"]')" -ge $((HOTSHARD_SEEDS * $2)) ]
    say "$1: every mistake is wrong, and explained with a belief" $? \
        "$(grep '^wrong ' "$work/all" | grep '"feedback":""\|"correct":true' | head -n 2 | cut -c 1-300)"
    [ "$(grep '^right ' "$work/all" | sed 's/^right [0-9]* //' | sort -u | wc -l)" -gt $((HOTSHARD_SEEDS * $2 / 2)) ]
    say "$1: new numbers each time" $?
}

# told STEP: of each seed, the text of the right answer to that step.
told() {
    grep "^right .*\"step\":\"$1\"" "$work/all" | sed 's/^right \([0-9]*\) .*"truth":"\([^"]*\)".*/\1 \2/'
}

played pick-the-key 5
[ "$(grep -o 'A table of [a-z ]* on' "$work/all" | sort -u | wc -l)" -eq 12 ]
say "pick-the-key: all twelve systems come" $? "$(grep -o 'A table of [a-z ]* on' "$work/all" | sort -u)"
told another >"$work/before"
told later >"$work/after"
[ -s "$work/before" ] && [ "$(join "$work/before" "$work/after" | wc -l)" -eq "$HOTSHARD_SEEDS" ]
say "pick-the-key: both answers are told" $? "$(head -n 3 "$work/before")"
! cat "$work/before" "$work/after" | sort | uniq -d | grep -q .
say "pick-the-key: with other rates another key" $? "$(cat "$work/before" "$work/after" | sort | uniq -d | head -n 3)"

played shard-count 4
# Load and size decide in turn, and the calculation is the calculator's.
[ "$(grep -c '^right .*here the load decides' "$work/all")" -ge $((HOTSHARD_SEEDS / 5)) ] &&
    [ "$(grep -c '^right .*here the size decides' "$work/all")" -ge $((HOTSHARD_SEEDS / 5)) ]
say "shard-count: load decides, and so does size" $?
exit "$failed"
