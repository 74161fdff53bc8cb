#!/bin/sh
# The looking itself (frames.awk): a whole screen passes, and a broken one does not.
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh

# shown ARGUMENT...: the picture of the whole system, in $work/whole.
awk -v stop="expect  $(lesson_step 00_start_here the-system)/" \
    '{ print } index($0, stop) == 1 { exit }' tests/lesson/00_start_here.keys >"$work/to-system"
shown() {
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    { cat "$work/to-system" && echo "save $work/whole"; } >"$work/keys"
    "$HOTSHARD" learn 0 --size 100x30 --script "$work/keys" "$@" >"$work/out" 2>"$work/err" </dev/null
    say "the whole system is shown" $? "$(head -n 40 "$work/err")"
}

# found NAME TEXT COMMAND...: the screen, bent by a command that reads it and writes another.
found() {
    name=$1 text=$2
    shift 2
    "$@" <"$work/whole" >"$shots/001"
    ! cmp -s "$work/whole" "$shots/001" && ! look 100x30 && has "$work/faults" "001: $text"
    say "$name would be seen" $? "$(head -n 3 "$work/faults")"
}

shown
cp "$work/whole" "$shots/001"
look 100x30 && grep -q '╭.*▶' "$work/whole" && grep -q '╰.*▶' "$work/whole"
say "arrows part, and no frame is missed" $? "$(head -n 3 "$work/faults")"
found "a row too many" "31 rows" sh -c 'cat; echo'
found "a cell too many" "row 30 has 101 cells" sh -c 'head -n 29; printf "%101s\n" x'
found "a gap at the left" "the frame at" sed '12s/^┃/ /'
found "a gap at the right of a pane" "the frame at" sed '12s/│$/ /'
found "an upper right corner that is gone" "the frame at" sed '2s/╮$/ /'
found "a lower right corner that is gone" "the frame at" sed 's/╯$/ /'
found "a lower left corner that is gone" "the frame at" sed 's/^┗/ /'
found "an upper left corner that is gone" "no frame for the corner at" sed '2s/╭─/  /'
found "a title that tears its corner off" "no frame for the corner at" sed '2s/╭─ The/x─ The/'

shown --ascii
cp "$work/whole" "$shots/001"
look 100x30 && grep -q '+->' "$work/whole"
say "arrows part in ASCII, and no frame is missed" $? "$(head -n 3 "$work/faults")"
found "a gap at the left, in ASCII," "the frame at" sed '12s/^|/ /'
found "a gap at the right, in ASCII," "the frame at" sed '12s/|$/ /'
found "a lower right corner that is gone, in ASCII," "the frame at" sed 's/---+$/--- /'
exit "$failed"
