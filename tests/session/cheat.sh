#!/bin/sh
# hotshard cheat: a lesson's card as text and as JSON, and what has none refused in a line; the story
# as a table, a row of which is opened in lines and on the screen.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
lesson=tests/data/lessons/37_card.lua

run cheat --help
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "Usage: hotshard cheat [LESSON]"
say "cheat --help prints its usage" $? "status $status"
run --help
has "$work/out" "  cheat "
say "hotshard --help lists cheat" $?

run cheat "$lesson"
cat >"$work/expected" <<'END'
Where a key is -----------------------  Capacity -----------------------------
post:{p9} is in slot 12,067, on S2      70 masters
S2 takes 1,000 writes a second          a viral item: 130,000 reads/s

In one line ------------------------------------------------------------------
cut up or sum the writes of a hot key, cache its reads, or move it alone
END
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && cmp -s "$work/out" "$work/expected"
say "a card is set in two columns, with the engine's numbers" $? "$(cat "$work/out" "$work/err")"
run cheat "$lesson" --json
cat >"$work/expected" <<'END'
{"lesson":"37_card","title":"A card","blocks":[{"title":"Where a key is","lines":["post:{p9} is in slot 12,067, on S2","S2 takes 1,000 writes a second"]},{"title":"Capacity","lines":["70 masters","a viral item: 130,000 reads/s"]},{"title":"In one line","lines":["cut up or sum the writes of a hot key, cache its reads, or move it alone"]}]}
END
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/expected"
say "cheat --json has its blocks" $? "$(cat "$work/out" "$work/err")"

mkdir "$work/lessons" "$work/none"
cp "$lesson" "$work/lessons"
cp tests/data/lessons/36_runs.lua "$work/none"
HOTSHARD_LESSONS=$work/lessons run cheat 37
[ "$status" -eq 0 ] && has "$work/out" "70 masters"
say "a lesson is found by its number" $? "$(cat "$work/err")"
run cheat
one=$status
[ "$one" -eq 0 ] || { [ "$one" -eq 2 ] && has "$work/err" "no lesson here has a card"; }
say "without a lesson it is the last one with a card" $? "status $one $(cat "$work/err")"
refuses "a lesson without a card" "36_runs has no card" cheat tests/data/lessons/36_runs.lua
refuses "a lesson that there is not" "there is no lesson 'zebra'" cheat zebra
refuses "a file that there is not" "none.lua" cheat ./none.lua
refuses "two lessons" "cheat takes one lesson" cheat 1 2
sed 's/S2.write_ceiling/S2.nothing/' "$lesson" >"$work/lessons/37_card.lua"
refuses "a card with a fault" "37_card.lua:" cheat "$work/lessons/37_card.lua"

run run "$lesson" --answers none
[ "$status" -eq 0 ] && has "$work/out" "a viral item: 130,000 reads/s"
say "the card is a picture of the lesson" $? "$(cat "$work/err")"
printf '%s\n' '' 'open 4' leave 'open 15' leave quit |
    "$HOTSHARD" learn --plain "$lesson" >"$work/out" 2>"$work/err"
has "$work/out" 'The run of "4"; ' && grep -q '^  S2  *2,550  *1,000 ' "$work/out" &&
    has "$work/out" 'The run of "9"; ' && grep -q '^  S2  *162  *1,000 ' "$work/out"
say "a row of the story is played when it is opened" $? "$(cat "$work/err")"
[ "$(grep -c 'What each comes to' "$work/out")" -eq 1 ]
say "and its long table is told once" $? "$(grep -n 'What each comes to' "$work/out")"

rm -rf "$work/state"
cat >"$work/script" <<'END'
key space tab
wait
key end enter
wait
expect The pictures show this run
key escape
expect Back in the lesson
END
"$HOTSHARD" learn "$lesson" --script "$work/script" >"$work/out" 2>"$work/err"
say "and on the screen, the last one too" $? "$(cat "$work/out" "$work/err")"
exit "$failed"
