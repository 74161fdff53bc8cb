#!/bin/sh
# Sizes and glyphs: statements 42, 43, 45 to 48 and 50 of conventions.md, played in memory. (In a
# real terminal: tty.sh, unit/app/test_fuzz_pty.c. Frames at the usual sizes: the scripts of lessons.)
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
steps=$(lesson_steps 01_what_a_shard_is)

# script NAME ARGUMENT...: standard input is the script; a fresh learner plays it.
script() {
    name=$1
    shift
    rm -rf "$work/state"
    cat >"$work/script"
    "$HOTSHARD" "$@" --script "$work/script" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name" $? "status $status: $(head -n 40 "$work/err")"
}

# all_steps COMMANDS: keys through all steps, with the lines given at each; @ is the step.
all_steps() {
    n=1
    while [ $n -le "$steps" ]; do
        printf 'expect  %d/%d\n' $n "$steps"
        printf '%s\n' "$1" | sed "s/@/$n/g"
        [ $n -eq "$steps" ] || printf 'key escape s space\n'
        n=$((n + 1))
    done
}

# frames SIZE FILE...: the faults of these screens.
frames() {
    size=$1
    shift
    for shot in "$@"; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
}

# 45: at 80x24 all of each step's text can be read: each word of it is on one of the screens that
# scrolling shows.
mkdir "$work/steps"
all_steps "key escape home
save $work/steps/@-a
key page-down
save $work/steps/@-b
key page-down
save $work/steps/@-c
key page-down
save $work/steps/@-d" >"$work/all"
script "45: scrolling through every step at 80x24" learn 1 --size 80x24 --ascii --no-motion <"$work/all"
run run 1 --json --answers none
n=0
lost=
while read -r line; do
    n=$((n + 1))
    printf '%s\n' "$line" | sed 's/.*"text":"\(.*\)","views":.*/\1/; s/\\n/ /g; s/\\"/"/g' | tr -s ' ' '\n' |
        sort -u >"$work/words"
    cat "$work/steps/$n"-* | awk -F '|' '/^\|/ { print $2 }' | tr -s ' ' '\n' | sort -u >"$work/seen"
    lost="$lost $(comm -23 "$work/words" "$work/seen" | tr '\n' ' ')"
done <"$work/out"
[ $n -eq "$steps" ] && [ -z "$(printf '%s' "$lost" | tr -d ' ')" ]
say "45: no word of the lesson is lost at 80x24" $? "lost: $lost"
# What is cut or folded says so: a pane that is folded names the key that opens it.
awk '/^-- |\+- [A-Z].* ---/ && !/\+$/ && !/\|$/ && !/\(tab\)/ { print FILENAME ": " $0; bad = 1 } END { exit bad }' \
    "$work/steps"/*-a >"$work/faults"
say "45: what is folded names its key" $? "$(cat "$work/faults")"

# 46: below the least size one centred line says what there is and what it takes; down to 1x1.
script "46: too small, and large again" learn 1 --size 80x24 --no-motion <<END
key 3
expect Alone it
resize 79x24
save $work/79x24
expect 79x24
expect 80x24
resize 80x23
expect 80x23
expect 80x24
save $work/80x23
resize 40x10
save $work/40x10
resize 1x1
save $work/1x1
resize 2x300
resize 300x2
resize 12x3
save $work/12x3
resize 80x24
expect Alone it
END
for size in 79x24 80x23 40x10; do
    awk -v columns="${size%x*}" -v rows="${size#*x}" '
        NF {
            lines++
            left = match($0, /[^ ]/) - 1
            sub(/ +$/, "")
            right = columns - length($0)
            if (NR < rows / 2 - 1 || NR > rows / 2 + 2 || left - right > 1 || right - left > 1) bad = 1
        }
        END { exit bad || lines != 1 || NR != rows }' "$work/$size"
    say "46: one line, in the middle of $size" $? "$(cat "$work/$size")"
done
[ "$(wc -l <"$work/1x1")" -eq 1 ] && [ "$(wc -c <"$work/1x1")" -le 5 ] && [ "$(wc -l <"$work/12x3")" -eq 3 ]
say "46: one cell is enough" $?

# 47: a resize keeps the place, what is being typed, and the simulation's time.
script "47: resized while typing" learn 1 --size 80x24 --no-motion <<END
key 3 space 3 space space
expect  4/$steps
type 120
resize 200x60
expect 120
resize 10x10
resize 100x30
expect  4/$steps
expect 120
type 67
key enter
expect 12067
key space
expect  5/$steps
END
{
    printf 'key 3 space 3\nframe 10\nsave %s/half\n' "$work"
    printf 'resize 200x60\nresize 3x3\nresize 100x30\nsave %s/half-again\nwait\nsave %s/whole\n' "$work" "$work"
} >"$work/keys"
script "47: resized while something plays" learn 1 --size 100x30 <"$work/keys"
cmp -s "$work/half" "$work/half-again" && ! cmp -s "$work/half" "$work/whole"
say "47: the same picture of the same moment" $? "$(diff "$work/half" "$work/half-again" | head -n 4)"

# 48: very wide and very tall: nothing overflows, and lines stay short enough to be read.
for size in 301x40 500x200 1000x500; do
    mkdir "$work/wide"
    all_steps "save $work/wide/@" >"$work/all"
    script "48: all steps at $size" learn 1 --size $size --no-motion --ascii <"$work/all"
    frames $size "$work/wide"/*
    say "48: $size is filled and not exceeded" $? "$(head -n 3 "$work/faults")"
    awk -F '|' '/^\|/ && length($2) > 80 { print FILENAME ": " length($2); exit 1 }' "$work/wide"/* >"$work/faults"
    say "48: text is at most eighty columns wide at $size" $? "$(cat "$work/faults")"
    rm -r "$work/wide"
done

# 42: ASCII by --ascii and by HOTSHARD_ASCII; the same places, only other signs.
mkdir "$work/ascii" "$work/utf8"
all_steps "save $work/ascii/@" >"$work/all"
script "42: all steps in ASCII" learn 1 --ascii --no-motion <"$work/all"
all_steps "save $work/utf8/@" >"$work/all"
script "42: all steps in UTF-8" learn 1 --no-motion <"$work/all"
! LC_ALL=C grep -q '[^ -~]' "$work/ascii"/*
say "42: only ASCII" $?
# letters FILE: everything else is a blank; a sign of several bytes is one.
letters() {
    LC_ALL=C awk '{ gsub(/[\300-\377][\200-\277]*/, " "); gsub(/[^A-Za-z0-9]/, " "); sub(/ *$/, ""); print }' "$1"
}
bad=
for n in 1 4 6 9 12 15; do
    # Letters and digits stand where they stand in UTF-8: each sign takes one cell.
    letters "$work/utf8/$n" >"$work/a"
    letters "$work/ascii/$n" >"$work/b"
    cmp -s "$work/a" "$work/b" || bad="$bad $n: $(diff "$work/a" "$work/b" | head -n 4)"
done
[ -z "$bad" ]
say "42: columns line up as they do in UTF-8" $? "$bad"
HOTSHARD_ASCII=1
export HOTSHARD_ASCII
script "42: the environment can ask for ASCII" learn 1 --no-motion <<END
save $work/by-environment
END
unset HOTSHARD_ASCII
cmp -s "$work/by-environment" "$work/ascii/1"
say "42: with the same result" $?

# 43: no emoji and no private signs: beyond ASCII there are lines, blocks, braille, shapes, arrows
# and a few marks. (Wide characters in names: unit/draw/test_canvas.c.)
cat "$work/utf8"/* | LC_ALL=C awk '{
    while (match($0, /[\300-\377][\200-\277]*/)) {
        sign[substr($0, RSTART, RLENGTH)] = 1
        $0 = substr($0, RSTART + RLENGTH)
    }
} END { for (one in sign) print one }' >"$work/signs"
LC_ALL=C awk '!/^\342[\224-\227][\200-\277]$/ && !/^\342[\240-\243][\200-\277]$/' "$work/signs" |
    grep -v -x -F -e '…' -e '•' -e '·' -e '√' -e '×' -e '←' -e '→' -e '↑' -e '↓' -e '✗' -e '✓' >"$work/others"
[ -s "$work/signs" ] && [ ! -s "$work/others" ]
say "43: signs are lines, blocks, braille and shapes" $? "$(tr '\n' ' ' <"$work/others")"

# 50: without motion a state change jumps, by option and by environment.
script "50: --no-motion" learn 1 --no-motion <<END
key 3 space 3
expect R0 asked
END
HOTSHARD_NO_MOTION=1
export HOTSHARD_NO_MOTION
script "50: HOTSHARD_NO_MOTION" learn 1 <<END
key 3 space 3
expect R0 asked
END
unset HOTSHARD_NO_MOTION
script "50: with motion it takes its time" learn 1 <<END
key 3 space 3
reject R0 asked
frame 3
reject R0 asked
wait
expect R0 asked
END
exit "$failed"
