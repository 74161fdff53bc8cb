#!/bin/sh
# Output that is piped is plain text: no escape sequences, no prompts, quiet when the reader leaves.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

check_plain() {
    name=$1
    shift
    run "$@"
    [ -s "$work/out" ] && no_escapes "$work/out" && no_escapes "$work/err" &&
        ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]')" "$work/out"
    say "$name: no escape and no control bytes" $?
}
check_plain "slot" slot 'post:{p9}' "$(printf 'bad\033[31mkey')"
check_plain "plan" plan --from 4 --to 5
check_plain "run --plain" run 1 --plain
check_plain "run --answers wrong" run 1 --answers wrong
check_plain "run --color always" run 1 --color always
check_plain "run --json" run 1 --json
check_plain "drill --plain" drill modn-vs-slots --plain --no-input

"$HOTSHARD" run 1 --answers right 2>"$work/err" </dev/null | head -n 3 >"$work/out"
[ "$(wc -l <"$work/out")" -eq 3 ] && [ ! -s "$work/err" ]
say "a reader that leaves early is no error" $? "$(cat "$work/err")"
awk 'BEGIN { for (i = 0; i < 200000; i++) print "k" i }' | "$HOTSHARD" slot 2>"$work/err" | head -n 1 >"$work/out"
[ -s "$work/out" ] && [ ! -s "$work/err" ]
say "nor while a stream is read" $? "$(cat "$work/err")"

# A lesson in lines, taken through a pipe: no prompts, progress is kept, and it resumes.
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
{
    printf 'show\n\n'
    awk 'BEGIN { for (i = 0; i < 10; i++) printf "show\n\n" }'
    echo quit
} | "$HOTSHARD" learn 1 --plain >"$work/out" 2>"$work/err"
status=$?
[ "$status" -eq 0 ] && ! has "$work/out" "(or hint" && no_escapes "$work/out"
say "learn --plain reads answers from a pipe without prompting" $? "status $status $(cat "$work/err")"
[ -s "$work/state/hotshard/progress" ] && grep -q ' step 01_what_a_shard_is ' "$work/state/hotshard/progress"
say "and keeps progress" $?
step=$(awk '$3 == "step" { last = $5 } END { print last }' "$work/state/hotshard/progress")
echo quit | "$HOTSHARD" learn --plain >"$work/out" 2>"$work/err"
last=$(awk '$3 == "step" { last = $5 } END { print last }' "$work/state/hotshard/progress")
[ -n "$step" ] && [ "$step" = "$last" ]
say "and goes on at the step where it was left" $? "left at $step, came back at $last"
awk 'BEGIN { for (i = 0; i < 200; i++) printf "show\n\n" }' | "$HOTSHARD" learn 1 --plain >"$work/out" 2>"$work/err"
grep -q ' done 01_what_a_shard_is ' "$work/state/hotshard/progress"
say "the lesson can be taken to its end through a pipe" $? "$(tail -n 3 "$work/out")"

# What may be typed where the cluster may be acted on, and what comes next.
{
    echo show
    printf 'Like\nLike likes:{p9}\nmigrate 12067 S3 200MB 3MB\nfence S2\nhelp\nhelp migrate\nquit\n'
} | XDG_STATE_HOME=$work/acting "$HOTSHARD" learn 1 --plain >"$work/out" 2>"$work/err"
has "$work/err" 'the key is missing; write: like KEY' &&
    has "$work/err" '"S2" is no slot; write its number, as in 12067' &&
    has "$work/out" 'migrate: the copy takes 66.7 s; then: fence 12067' &&
    has "$work/out" 'Requests and traffic' && has "$work/out" '  like KEY' &&
    has "$work/out" 'RATE: bytes a second'
say "learn --plain tells of commands, and what comes next" $? "$(cat "$work/err")"

# A home that cannot be written: one warning, and the session goes on.
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$work/readonly" && chmod 500 "$work/readonly"
    XDG_STATE_HOME=$work/readonly
    printf 'show\n\nshow\n\nquit\n' | "$HOTSHARD" learn 1 --plain >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq 0 ] && one_line "$work/err" && has "$work/err" "progress is not kept"
    say "a read-only home: one warning, the session goes on" $? "$(cat "$work/err")"
    chmod 700 "$work/readonly"
fi
exit "$failed"
