#!/bin/sh
# The command line keeps its word: help, version, options, exit statuses, JSON.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

for option in --help -h; do
    run $option
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "Usage: hotshard" &&
        no_escapes "$work/out"
    say "hotshard $option prints usage" $? "status $status"
done
for command in learn run drill slot plan lesson bench replay; do
    run $command --help
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "Usage: hotshard $command"
    say "hotshard $command --help prints its usage" $? "status $status"
    run --help
    has "$work/out" "  $command "
    say "hotshard --help lists $command" $?
done
run help
cp "$work/out" "$work/help"
run --help
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/help"
say "hotshard help is hotshard --help" $?
run help plan
cp "$work/out" "$work/help"
run plan --help
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/help"
say "hotshard help plan is hotshard plan --help" $?
refuses "help about nothing that is there" "did you mean 'plan'" help plam
refuses "help about two at once" "one command" help plan hot
run --version
[ "$status" -eq 0 ] && one_line "$work/out" && grep -q '^hotshard [0-9]' "$work/out"
say "--version is one line with name and version" $? "$(cat "$work/out")"

refuses "an unknown option is named" "'--frobnicate'" --frobnicate
has "$work/err" "--help"
say "and points to the help" $?
refuses "an unknown option of a command is named" "'--frobnicate'" plan --frobnicate
has "$work/err" "hotshard plan --help"
say "and points to the command's help" $?
refuses "an unknown letter is named" "'-x'" slot -x key
refuses "a missing value is named" "'--seed' needs a value" slot key --seed
refuses "a value too many is named" "takes no value" slot --json=1 key
refuses "a number that overflows is refused" "--seed" slot key --seed 99999999999999999999
refuses "an empty number is refused" "--seed" slot key --seed ''
refuses "a negative number is refused" "--seed" slot key --seed -1
refuses "a hexadecimal number is refused" "--seed" slot key --seed 0x10
refuses "a colour wish that does not exist" "--color" slot key --color pink
refuses "a date that is none" "2026-11-30" slot key --now tomorrow
refuses "a misspelt command gets a suggestion" "'plan'" paln --from 4
refuses "a misspelt lesson gets a suggestion" "01_what_a_shard_is" run 01_what_a_shard_iz
refuses "a misspelt drill gets a suggestion" "modn-vs-slots" drill modn-vs-slost --json
refuses "a lesson that does not exist" "" run /nowhere/x.lua
refuses "run without a lesson" "run takes one lesson" run
refuses "lesson without a word" "new NAME" lesson
refuses "a lesson's name with a slash" "../x" lesson new ../x
refuses "answers that do not exist" "right, wrong or none" run 1 --answers maybe
refuses "a journal that is not there" "/nowhere/j" replay /nowhere/j

long=$(head -c 100000 /dev/zero | tr '\0' x)
run "$long"
[ "$status" -eq 2 ] && [ "$(wc -c <"$work/err")" -lt 400 ]
say "an argument of 100 kB is refused in a short line" $? "status $status"
run "$(printf '\033]0;title\007')"
[ "$status" -eq 2 ] && no_escapes "$work/err"
say "control characters of an argument are shown, not sent" $?

# Nothing a stranger wrote reaches the terminal as more than text. The key column of slot has its own
# words for it.
evil=$(printf '\033[31mX\033]0;t\007\302\233\177\357\273\277\342\200\256')
mkdir "$work/evil"
cp "$PWD/lessons/01_what_a_shard_is.lua" "$work/evil/$evil.lua"
printf 'key q\n' >"$work/$evil.keys"
printf 'hotshard-journal 1 world=%s seed=1\n' "$evil" >"$work/$evil.journal"
printf 'expect %s\n' "$evil" >"$work/expect.keys"
try() {
    printf 'like %s\nquit\n' "$evil" | "$HOTSHARD" "$@" >"$work/out" 2>&1
    [ -s "$work/out" ] && ! LC_ALL=C tr '\012' ' ' <"$work/out" |
        LC_ALL=C grep -q "$(printf '[\001-\037\177]\|\302[\200-\237]\|\357\273\277\|\342\200\256')"
    say "only text comes out: $(printf '%s ' "$@" | cat -v)" $? "$(cat -v "$work/out")"
}
for command in "" learn run drill plan lesson replay slot; do
    try ${command:+"$command"} "$evil"
done
try "--$evil"
try slot "--$evil"
try slot k --seed "$evil"
try slot k --size "$evil"
try slot k --color "$evil"
try slot k --now "$evil"
try lesson new "$evil"
try lesson check "$evil"
try lesson check "$work/evil/$evil.lua"
try run "$work/evil/$evil.lua"
try run 1 --answers "$evil"
try drill modn-vs-slots --answer "$evil"
try learn 1 --plain
try plan --from 4 --to 5 --keys "$evil"
try plan --from 4 --to 5 --scheme "$evil"
try plan --from 4 --to 5 --hash "$evil"
try plan --from "$evil" --to 5
try replay "$work/$evil.journal"
try learn 1 --script "$evil"
try learn 1 --script "$work/expect.keys"
try learn 1 --script "$work/$evil.keys" --journal "$work/nowhere/$evil"
try drill modn-vs-slots --script "$work/$evil.keys" --journal "$work/$evil.keys/x"
long=$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "é" }')
run plan "x$long"
[ "$status" -eq 2 ] && has "$work/err" 'ééé...' && ! has "$work/err" "$(printf '\357\277\275')"
say "a long argument is cut between characters" $? "$(cat "$work/err")"

# An option that would do nothing is refused.
for command in run slot plan lesson bench replay; do
    for option in --journal --script --size; do
        refuses "$command has no $option" "'$option' does not apply to $command" \
            $command x $option 80x24
    done
    run $command --help
    ! has "$work/out" "--journal FILE" && ! has "$work/out" "--script FILE"
    say "and its help does not name it: $command" $?
done
for command in learn drill; do
    run $command --help
    has "$work/out" "--journal FILE"
    say "$command --help names --journal" $?
done
refuses "lines have no journal" "--journal" learn 1 --plain --journal "$work/j"
refuses "nor have a drill's" "--journal" drill modn-vs-slots --plain --journal "$work/j"
refuses "nor has the list of drills" "--journal" drill --list --journal "$work/j"
refuses "the size is a script's" "--size" learn 1 --size 80x24
refuses "--list takes no name" "--list" drill modn-vs-slots --plain --list
refuses "an answer is not for a script" "--script" drill modn-vs-slots --answer 1 --script "$work/x"

# What is not a regular file is neither read for ever nor replaced.
mkfifo "$work/fifo"
printf 'key q\n' >"$work/leave.keys"
for path in "$work/fifo" /dev/null; do
    refuses "no journal is read from $path" "is not a regular file" replay "$path"
    refuses "no journal is written to $path" "is not a regular file" \
        learn 1 --script "$work/leave.keys" --journal "$path"
done
refuses "nor into a folder that is not there" "/nowhere/j" \
    learn 1 --script "$work/leave.keys" --journal "$work/nowhere/j"
[ -p "$work/fifo" ] && [ -c /dev/null ] && [ ! -e "$work/nowhere" ]
say "all of that is as it was" $?
run lesson check "$work/fifo"
[ "$status" -eq 1 ] && has "$work/out" "is not a regular file"
say "a lesson is not read from a fifo" $? "status $status"
mkdir -p "$work/fifo-home/hotshard"
mkfifo "$work/fifo-home/hotshard/progress" "$work/fifo-home/hotshard/keys"
XDG_STATE_HOME=$work/fifo-home XDG_CONFIG_HOME=$work/fifo-home \
    "$HOTSHARD" learn 1 --size 100x40 --script "$work/leave.keys" >"$work/out" 2>"$work/err"
say "fifos in the place of progress and keys hold up nobody" $? "$(cat "$work/err")"

# Torn lines and broken lessons are told.
mkdir -p "$work/torn/hotshard"
printf 'no line of ours\ntorn' >"$work/torn/hotshard/progress"
echo quit | XDG_STATE_HOME=$work/torn "$HOTSHARD" learn 1 --plain >"$work/out" 2>"$work/err"
has "$work/err" "note: 2 torn or altered lines of $work/torn/hotshard/progress were skipped"
say "torn lines of the progress log are told in lines, too" $? "$(cat "$work/err")"
mkdir -p "$work/broken/drills"
printf 'return lesson {\n' >"$work/broken/97_loop.lua"
printf 'x x x\n' >"$work/broken/drills/odd-drill.lua"
HOTSHARD_LESSONS=$work/broken
export HOTSHARD_LESSONS
for name in 97_loop 97 loop; do
    refuses "a lesson that does not load tells its fault: $name" "97_loop.lua:2: unexpected" run $name
done
refuses "on the screen as well" "97_loop.lua:2: unexpected" learn 97 --script "$work/leave.keys"
refuses "and a drill" "odd-drill.lua:1: " drill odd-drill --json
refuses "a name of no file is still unknown" "there is no lesson '04_none'" run 04_none
cat >"$work/home.keys" <<END
expect 2 lessons do not load. First: broken/97_loop.lua:2: unexpected symbol near <eof>
key escape
expect Course
END
(cd "$work" && HOTSHARD_LESSONS=broken "$HOTSHARD" --script home.keys >out 2>err)
say "the course says how many do not load, and the first fault whole" $? "$(cat "$work/err")"
unset HOTSHARD_LESSONS

# slot
run slot 'post:{p9}'
[ "$status" -eq 0 ] && has "$work/out" 12067 && has "$work/out" S2
say "slot says 12067 for post:{p9}" $? "$(cat "$work/out")"
run slot --json 'post:{p9}' 'a{}b' ''
cat >"$work/expected" <<'END'
{"key":"post:{p9}","tag":"p9","crc16":44835,"slot":12067,"shard":"S2"}
END
[ "$status" -eq 0 ] && [ "$(head -n 1 "$work/out")" = "$(cat "$work/expected")" ] &&
    [ "$(wc -l <"$work/out")" -eq 3 ]
say "slot --json has the documented fields" $? "$(head -n 1 "$work/out")"
printf 'k\377\nplain\n' | "$HOTSHARD" slot --json >"$work/out" 2>"$work/err"
has "$work/out" '"key":"k\\xFF","key_hex":"6bff"'
say "a key that is not UTF-8 is told without loss" $? "$(head -n 1 "$work/out")"
"$HOTSHARD" slot --json -- --help >"$work/out" 2>&1 </dev/null && has "$work/out" '"key":"--help"'
say "-- ends the options" $?
"$HOTSHARD" slot one two >"$work/a" && printf 'one\ntwo\n' | "$HOTSHARD" slot >"$work/b"
[ "$(awk '{ print $1, $4 }' "$work/a")" = "$(awk '{ print $1, $4 }' "$work/b")" ]
say "keys from arguments and from standard input agree" $?

# the same seed, the same bytes
run run 1 --answers right --seed 7
cp "$work/out" "$work/a"
run run 1 --answers right --seed 7
cmp -s "$work/a" "$work/out" && [ -s "$work/a" ] && [ "$status" -eq 0 ]
say "a run with the same seed gives the same bytes" $? "status $status $(head -c 300 "$work/err")"
run run 1 --answers right --json
[ "$status" -eq 0 ] && awk '
    !/^\{"lesson":"[^"]+","step":"[^"]+","title":".*","text":".*","views":\[.*\],"prediction":.*,"answered":.*,"correct":.*,"belief":.*\}$/ { bad++ }
    /"correct":false/ { bad++ }
    END { exit bad > 0 || NR == 0 }' "$work/out"
say "run --json has the documented fields in order, every right answer is right" $?
run run 1 --answers wrong --json
# What the learner explains is marked by the learner: neither right nor wrong.
[ "$status" -eq 0 ] && awk '/"prediction":\{/ && !/"correct":false/ && !/"kind":"explain".*"correct":null/ { bad++ }
    /"belief":"/ { beliefs++ } END { exit bad > 0 || beliefs == 0 }' "$work/out"
say "run --answers wrong: every answer is wrong and beliefs are named" $?
run run 1 --answers wrong
[ "$status" -eq 0 ] && [ -s "$work/out" ]
say "run --answers wrong ends with status 0" $?

# drills
run drill --list
[ "$status" -eq 0 ] && has "$work/out" modn-vs-slots
say "drill --list names the drill" $?
run drill modn-vs-slots --json --seed 3
[ "$status" -eq 0 ] && grep -q '^{"drill":"modn-vs-slots","seed":3,"question":.*,"choices":.*,"answer":"[^"]*","correct":null,"explanation":null}$' "$work/out"
say "drill --json has the documented fields" $? "$(cat "$work/out" "$work/err")"
answer=$(sed 's/.*"answer":"\([^"]*\)".*/\1/' "$work/out")
run drill modn-vs-slots --seed 3 --answer "$answer" --json
[ "$status" -eq 0 ] && has "$work/out" '"correct":true'
say "the answer it names is right, status 0" $? "status $status"
for wrong in 1 2 3; do
    [ "$wrong" = "$answer" ] || break
done
run drill modn-vs-slots --seed 3 --answer "$wrong" --json
[ "$status" -eq 1 ] && has "$work/out" '"correct":false'
say "another answer is wrong, status 1" $? "status $status"
run drill modn-vs-slots --seed 3 --answer zebra
[ "$status" -eq 2 ] && one_line "$work/err"
say "an answer that is none is refused" $? "status $status: $(cat "$work/err")"

# the author's kit
here=$PWD
(cd "$work" && "$HOTSHARD" lesson new my_lesson >/dev/null 2>&1 && [ -s my_lesson.lua ] &&
    "$HOTSHARD" lesson check my_lesson.lua >check.out 2>&1)
say "a new lesson passes its check" $? "$(cat "$work/check.out" 2>/dev/null)"
(cd "$work" && "$HOTSHARD" lesson new my_lesson >/dev/null 2>new.err)
[ $? -eq 2 ] && one_line "$work/new.err"
say "a new lesson never overwrites" $?
printf 'return lesson { id = "x", steps = {\n' >"$work/x.lua"
run lesson check "$work/x.lua" --json
[ "$status" -eq 1 ] && grep -q '^{"file":".*x.lua","line":[0-9]*,"severity":"error","message":".*"}$' "$work/out"
say "a broken lesson: file, line, severity, message and status 1" $? "$(cat "$work/out")"
run lesson check "$here/lessons/01_what_a_shard_is.lua"
say "the first lesson passes its check" "$status" "$(head -n 5 "$work/out")"

# no network
if command -v nm >/dev/null; then
    nm -D --undefined-only "$HOTSHARD" >"$work/names"
    [ -s "$work/names" ] && ! grep -q -E ' (socket|connect|bind|listen|getaddrinfo|gethostbyname)(@|$)' "$work/names"
    say "nothing of the network is called" $? "$(grep -E ' (socket|connect|getaddrinfo)' "$work/names")"
fi

# screens need a terminal
refuses "a screen without a terminal is refused in one line" "" learn 1
TERM=dumb
export TERM
refuses "and on a dumb one" "" learn 1
exit "$failed"
