#!/bin/sh
# Takes the lesson and the drill from first step to last and back with the keyboard alone, at every
# size and in both sets of glyphs; each screen on the way is saved and looked at.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=01_what_a_shard_is
drill=modn-vs-slots
shots=$work/shots

# with_saves KEYS: the script, with the screen saved after each line that does something.
with_saves() {
    rm -rf "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '
        { print }
        /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' "$1" >"$work/keys"
}

# look COLUMNSxROWS: the faults of all saved screens, if there are any.
look() {
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${1%x*}" -v rows="${1#*x}" -f tests/lesson/frames.awk >"$work/faults"
}

# take NAME KEYS SIZE PROGRAM ARGUMENT...
take() {
    name=$1 keys=$2 size=$3 program=$4
    shift 4
    rm -rf "$work/state"
    with_saves "$keys"
    "$program" "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size, from the first step to the last and back" $? "status $status: $(head -n 70 "$work/err")"
    look "$size" && [ -e "$shots/030" ]
    say "$name, $size: every screen has its size, every frame is closed" $? "$(head -n 5 "$work/faults")"
}

only_ascii() {
    ! LC_ALL=C grep -q '[^ -~]' "$shots"/*
}

# answers SEED: the drill's keys with that seed's answers in them, in $work/drill.
answers() {
    "$HOTSHARD" run "lessons/drills/$drill.lua" --answers right --json --seed "$1" >"$work/right" </dev/null
    sed "$(sed 's/.*"answered":"\([^"]*\)".*/\1/' "$work/right" |
        awk '{ printf "s/@%d@/%s/g;", NR, $0 }')" "tests/lesson/$drill.keys" >"$work/drill"
}

answers 5
for size in 80x24 100x30 200x60; do
    for glyphs in "" --ascii; do
        # shellcheck disable=SC2086 # no glyphs, no argument
        take "lesson $glyphs" "tests/lesson/$lesson.keys" "$size" "$HOTSHARD" learn 1 $glyphs
        [ -z "$glyphs" ] || {
            only_ascii
            say "lesson, $size: all ASCII" $? "$(LC_ALL=C grep -l '[^ -~]' "$shots"/* | head -n 3)"
        }
        # shellcheck disable=SC2086
        take "drill $glyphs" "$work/drill" "$size" "$HOTSHARD" drill "$drill" --seed 5 $glyphs
        [ -z "$glyphs" ] || {
            only_ascii
            say "drill, $size: all ASCII" $?
        }
    done
done
take "lesson with sanitizers" "tests/lesson/$lesson.keys" 100x30 "$HOTSHARD_ASAN" learn 1
take "drill with sanitizers" "$work/drill" 100x30 "$HOTSHARD_ASAN" drill "$drill" --seed 5
for seed in 1 2 3 4; do
    answers $seed
    take "drill with seed $seed" "$work/drill" 80x24 "$HOTSHARD" drill "$drill" --seed $seed
done

# The looking itself: a row too many, a cell too many and a gap in a frame are seen.
shot=$shots/001
cp "$shot" "$work/whole"
echo >>"$shot"
! look 80x24 && has "$work/faults" "001: 25 rows"
say "a row too many would be seen" $?
{ head -n 23 "$work/whole" && awk 'BEGIN { printf "%81s\n", "x" }'; } >"$shot"
! look 80x24 && has "$work/faults" "001: row 24 has 81 cells"
say "a cell too many would be seen" $?
awk 'NR == 12 { print " " substr($0, 4); next } { print }' "$work/whole" >"$shot"
! look 80x24 && has "$work/faults" "001: the frame at"
say "a gap in a frame would be seen" $?

# Left in the middle with q q, and resumed there by another process.
play() {
    "$HOTSHARD" "$@" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
}
rm -rf "$work/state"
for stop in 9/28 11/28 16/28; do
    awk -v stop="expect  $stop" '{ print } $0 == stop { exit }' "tests/lesson/$lesson.keys" >"$work/keys"
    printf 'key q\nexpect Course\nkey q\n' >>"$work/keys"
    rm -rf "$work/state"
    play learn 1
    say "left at $stop" $? "$(cat "$work/err")"
    printf 'expect  %s\n' "$stop" >"$work/keys"
    play learn
    say "hotshard learn goes on at $stop" $? "$(cat "$work/err")"
    play learn 1
    say "hotshard learn 1 does so, too" $? "$(cat "$work/err")"
    printf 'expect Course\nexpect What a shard is\nexpect begun\nkey enter\nexpect  %s\n' "$stop" >"$work/keys"
    play
    say "and so does the course" $? "$(cat "$work/err")"
done
# From there to the end: the second half of the script.
awk -v stop="expect  $stop" 'on { print } $0 == stop { on = 1 } /^expect whatever/ { exit }' \
    "tests/lesson/$lesson.keys" >"$work/rest"
{
    printf 'key b\nexpect  15/28\nkey b\nexpect  14/28\n'
    printf 'key space\nwait\nkey space\nexpect  15/28\nkey space\nwait\nkey space\nexpect  16/28\n'
    cat "$work/rest"
    printf 'key space\nexpect Course\nexpect done\n'
} >"$work/keys"
play learn 1
say "what was begun can be finished, with a look back" $? "$(cat "$work/err")"
grep -q " done $lesson " "$work/state/hotshard/progress"
say "and is kept as done" $?
exit "$failed"
