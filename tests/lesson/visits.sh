#!/bin/sh
# In lines: the run behind a table's row, opened and left; the placement check, taken and failed.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
lesson=tests/data/lessons/36_runs.lua

# talk LINE...: the lesson, by somebody new to it.
talk() {
    rm -rf "$work/state"
    printf '%s\n' "$@" | "$HOTSHARD" learn --plain "$lesson" >"$work/out" 2>"$work/err"
    status=$?
}

talk 'open 2' '2' 'open 2' 'deaf R1 on' 'leave' 'leave' 'open 4' 'open 9' 'quit'
has "$work/out" 'The figures come with your answer' && has "$work/err" "the table is still covered: answer first"
say "rows stay closed while the question is open" $? "$(cat "$work/err")"
has "$work/out" 'The run of "cache"; ' &&
    grep -q '^  S2  *2,550 .* 306 ' "$work/out"
say "a row opens its run" $? "$(cat "$work/out")"
has "$work/err" 'this is the run of "cache": leave it first' &&
    ! grep -q ' act ' "$work/state/hotshard/progress"
say "nothing can be done to it, and nothing is kept of it" $? "$(cat "$work/err")"
has "$work/out" 'Back in the lesson.' && has "$work/out" 'No run is open here.' &&
    has "$work/err" 'this row has no run to open' && has "$work/err" 'the table has rows 1 to 4'
say "it is left, and other lines are refused" $? "$(cat "$work/err")"

talk place 2 '' 1 '' quit
has "$work/out" 'step 3 of 3' && has "$work/out" far && ! grep -q 'step 36_runs check' "$work/state/hotshard/progress"
say "who knows goes on further along" $? "$(cat "$work/out")"
"$HOTSHARD" learn --plain "$lesson" </dev/null >"$work/out" 2>"$work/err"
has "$work/out" 'step 3 of 3'
say "and is taken up there" $? "$(cat "$work/out")"
talk place 1 '' quit
[ "$(grep -c 'step 1 of 3' "$work/out")" -eq 2 ] && has "$work/out" 'The belief behind it: "first"'
say "who does not begins at the beginning" $? "$(cat "$work/out")"

run run "$lesson" --answers right
[ "$status" -eq 0 ] && has "$work/out" 2,550 && ! has "$work/out" 'One  '
say "told by itself: the table is filled, the check is not on the way" $? "$(cat "$work/out")"
exit "$failed"
