#!/bin/sh
# --script drives the program in memory: keys in, screens out, expectations kept.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

# script NAME STATUS ARGUMENT...: standard input is the script.
script() {
    name=$1 wanted=$2
    shift 2
    cat >"$work/script"
    "$HOTSHARD" "$@" --script "$work/script" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq "$wanted" ] && [ ! -s "$work/out" ]
    say "$name" $? "status $status: $(head -n 40 "$work/err")"
}

script "the course, a lesson, a right answer, and back" 0 --no-motion <<END
# comments and empty lines are skipped

expect Course
expect ? help
key down enter
expect 1/
reject Course
key 3
expect space goes on
key space
expect 2/
key 3
expect R0 asked
key b
expect 1/
key q
expect Course
END
script "sizes and saved screens" 0 learn 1 --size 80x24 --no-motion <<END
save $work/small
save-dump $work/dump
resize 40x10
expect 80x24
resize 200x60
save $work/large
END
[ "$(wc -l <"$work/small")" -eq 24 ] && [ "$(wc -l <"$work/large")" -eq 60 ]
say "a saved screen has a line a row" $?
[ "$(wc -l <"$work/dump")" -ge 48 ] && head -n 1 "$work/dump" | grep -q '^|'
say "a dump has the styles as well" $?
rm -r "$work/state"
script "what plays can be waited for" 0 learn 1 <<END
key 3 space 3
frame 3
reject space goes on
wait
expect space goes on
END
script "ASCII only" 0 learn 1 --ascii --no-motion <<END
key 3
save $work/ascii
END
! LC_ALL=C grep -q '[^ -~]' "$work/ascii"
say "with --ascii every cell is ASCII" $?
rm -r "$work/state"
script "the same script, the same screens" 0 learn 1 --no-motion --seed 5 <<END
key 2 space s space
save-dump $work/first
END
script "twice" 0 learn 1 --no-motion --seed 5 <<END
key q enter
save $work/resumed
END
rm -r "$work/state"
script "the same script from the same start" 0 learn 1 --no-motion --seed 5 <<END
key 2 space s space
save-dump $work/second
END
cmp -s "$work/first" "$work/second"
say "the same bytes" $?

script "an expectation that fails: status 1" 1 learn 1 <<END
expect no such words
END
has "$work/err" "script:1" && has "$work/err" "no such words"
say "and says which line" $?
script "an unknown instruction: status 2" 2 learn 1 <<END
key space
frobnicate
END
has "$work/err" "script:2" && one_line "$work/err"
say "and says which line, in one" $? "$(cat "$work/err")"
script "an unknown key: status 2" 2 learn 1 <<END
key hyper-x
END
script "a screen that cannot be saved: status 2" 2 learn 1 <<END
save /dev/null/screen
END

# A journal, and its replay.
script "a run with its journal" 0 learn 1 --no-motion --journal "$work/journal" <<END
key escape s space escape s space escape s space escape s space
END
run replay "$work/journal" --json
[ "$status" -eq 0 ] && grep -q '"digest":"[0-9a-f]\{32\}"' "$work/out"
say "a journal replays to the same digests" $? "status $status $(cat "$work/err")"
sed 's/digest [0-9a-f]\{4\}/digest 0000/' "$work/journal" >"$work/bent"
run replay "$work/bent"
[ "$status" -eq 1 ] && one_line "$work/err"
say "a digest that differs is named, status 1" $? "status $status $(cat "$work/err")"
sed '$d' "$work/journal" >"$work/cut"
while tail -n 1 "$work/cut" | grep -q digest; do
    sed '$d' "$work/cut" >"$work/shorter"
    mv "$work/shorter" "$work/cut"
done
run replay "$work/cut"
[ "$status" -eq 2 ] && one_line "$work/err" &&
    has "$work/err" "ends at line $(wc -l <"$work/cut"), before its last digest"
say "a journal cut after a command is refused, its line named" $? "status $status $(cat "$work/err")"
sed 's/read post/read pest/' "$work/journal" >"$work/bent"
run replay "$work/bent"
[ "$status" -eq 1 ] && ! cmp -s "$work/bent" "$work/journal"
say "a letter of a key is covered by a digest" $? "status $status $(cat "$work/err")"
for cut in 0 7 40; do
    head -c $cut "$work/journal" >"$work/cut"
    run replay "$work/cut"
    [ "$status" -eq 2 ] && one_line "$work/err"
    say "a journal cut after $cut bytes is refused" $? "status $status $(cat "$work/err")"
done

# Leaving the lesson does not lose its journal, and the journal goes on to where it was left.
rm -rf "$work/journal" "${XDG_STATE_HOME:-$HOME/.local/state}/hotshard"
script "a run that is left by q" 0 --no-motion --journal "$work/journal" <<END
key down enter
wait
key 3 space 3
wait
key q q
END
run replay "$work/journal"
[ "$status" -eq 0 ] && has "$work/out" "20:00:00.006"
say "its journal replays to the end of the run" $? "status $status $(cat "$work/out" "$work/err")"
exit "$failed"
