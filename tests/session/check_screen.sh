#!/bin/sh
# Breaking a protocol on the screen: from the course, from a step, from the command line; by script
# the same bytes always; on a terminal a search that is resized, stopped, left.
# shellcheck disable=SC1091,SC2154,SC2317
set -u
. tests/session/lib.sh
socket=$work/tmux
tm() {
    tmux -f /dev/null -S "$socket" "$@"
}
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
HOTSHARD_LESSONS=$work/lessons
export XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME HOTSHARD_LESSONS
mkdir "$work/lessons"
lesson() {
    printf 'return lesson { id = "90_break", part = 90, title = "Breaking", minutes = 1,\n'
    printf '  world = "story-quiet", steps = { { id = "a", title = "A step", show = { "maps" },\n'
    printf '    say = "Break it.", %s }, { id = "b", title = "Another", say = "No more." } } }\n' "$1"
}

# From the course: a rule off, the steps, the rules back, a run, and home again.
walk() {
    cat <<SCRIPT
expect check: break a protocol
save $1/home
key c
expect nothing fails in any order
expect switch off
key space
expect searched 1,656 states
expect shortest failure: 8 steps
expect It fails. r leads to the steps.
expect !  4 the directory commits
key enter
expect step 0/8
key space enter right down
expect step 4/8
expect There is no fence
save $1/step
key tab
reject Trace
key shift-tab
expect Trace
key p
expect with every rule again
expect step 4 does not take place
key space
expect Every request was answered
key p b b
expect without: fence
key o
expect time goes on
expect A is S0, B is S1
key . .
expect stands still
save $1/run
key , , ,
expect This is where the step has ended.
key p
wait
key escape
key e
expect What happened in the world that plays it
key escape D
expect likes:{p9}
key escape ?
expect where the steps stop
key escape w escape
expect step 
key escape
save $1/home-again
SCRIPT
}
for size in 80x24 100x30 200x60; do
    for how in --no-motion '--ascii --no-motion'; do
        mkdir -p "$work/a" "$work/b"
        walk "$work/a" >"$work/script"
        # shellcheck disable=SC2086
        run --script "$work/script" --size $size $how
        first=$status
        cp "$work/err" "$work/said"
        walk "$work/b" >"$work/script"
        # shellcheck disable=SC2086
        run check --script "$work/script" --size $size $how
        [ "$first" -eq 0 ] && cmp -s "$work/a/home" "$work/a/home-again"
        say "rules, steps, a run, and home: $size $how" $? "$(cat "$work/said")"
    done
done

# The same bytes each time, and on however many threads the search was made.
walk "$work/b" >"$work/script"
run --script "$work/script" --size 200x60 --ascii
[ "$status" -eq 0 ] && cmp -s "$work/a/step" "$work/b/step" && cmp -s "$work/a/run" "$work/b/run"
say "a script sees the same each time" $? "$(cat "$work/err")"

# A rule that is not missed alone; the larger world; both off.
cat >"$work/script" <<SCRIPT
key c down down down down down space
expect in the small world: snapshot-position
expect does its work.
expect + searches the larger world
key +
expect all 323,981 states were seen
expect in the larger world either
key + -
expect all 1,450 states were seen
key up space
expect shortest failure: 10 steps
SCRIPT
run --script "$work/script" --size 100x30
say "a rule whose work is done by another" "$status" "$(cat "$work/err")"

# Every protocol that there is can be broken, and be played or at least drawn.
for rules in $("$HOTSHARD" check --list --json | sed 's/^{"protocol":"\([^"]*\)".*/\1/'); do
    turns=
    for name in $("$HOTSHARD" check --list --json | sed 's/^{"protocol":"\([^"]*\)".*/\1/'); do
        [ "$name" = "$rules" ] && break
        turns="$turns m"
    done
    cat >"$work/script" <<SCRIPT
key c$turns
expect Break it: $rules
key space
expect shortest failure
key enter G
expect Broken:
key p
expect with every rule again
SCRIPT
    run --script "$work/script" --size 80x24
    say "$rules is broken and mended" "$status" "$(cat "$work/err")"
done

# A step that goes otherwise, two worlds of a rule, an end that only the full protocol comes to.
cat >"$work/script" <<SCRIPT
key c G space
expect In a world of its own
expect shortest failure: 11 steps
expect Shown is what nothing but this rule forbids
key +
expect shortest failure: 6 steps
expect In the larger world
key -
expect shortest failure: 11 steps
key enter end p
expect step 8 goes otherwise
expect shard A refuses w1: MOVED
SCRIPT
run --script "$work/script" --size 100x30
say "a rule with a world of its own, and the larger one" "$status" "$(cat "$work/err")"
cat >"$work/script" <<SCRIPT
key c m m m m m m m up
expect Break it: two-phase-commit
key G space enter G p
expect all take place, and it goes on
expect the coordinator restarts
key G
expect participant 2 aborts
SCRIPT
run --script "$work/script" --size 100x30
say "with every rule it comes to its end" "$status" "$(cat "$work/err")"

# While the step's question is open, the marks do not answer it.
lesson 'protocol = { name = "fence-and-flip", without = { "fence" } },
    predict = { id = "q", kind = "number", unit = "", ask = "Which step?", answer = function() return 4 end,
      wrong = { [8] = { belief = "harm is where it shows", why = "It began before." } }, why = "Four." }' \
    >"$work/lessons/90_break.lua"
cat >"$work/script" <<SCRIPT
key x
expect without: fence
expect    4 the directory commits
reject !  4
reject With every rule
key p
expect Walk to the last step first
key G p
expect with every rule again
expect step 4 does not take place
key p b
expect !  4 the directory commits
SCRIPT
run learn 90 --script "$work/script" --size 80x24 --no-motion
say "an open question is not answered by the marks" "$status" "$(cat "$work/err")"

# From a step about a protocol; the step is as it was afterwards.
lesson 'protocol = { name = "fence-and-flip", without = { "drain-to-fence" } }' >"$work/lessons/90_break.lua"
cat >"$work/script" <<SCRIPT
expect x
expect break it
save $work/lesson
key x
expect without: drain-to-fence
expect Nothing has happened yet.
key G
expect Broken:
key escape
expect Break it.
save $work/lesson-again
key space
reject break it
key x
expect not on this step
SCRIPT
run learn 90 --script "$work/script" --size 80x24 --no-motion
[ "$status" -eq 0 ] && cmp -s "$work/lesson" "$work/lesson-again"
say "from a step and back" $? "$(cat "$work/err"; diff "$work/lesson" "$work/lesson-again")"
lesson 'protocol = { name = "fence-and-flop" }' >"$work/lessons/90_break.lua"
run learn 90 --script "$work/script"
[ "$status" -eq 2 ] && has "$work/err" 'fence-and-flop'
say "a step about a protocol that there is none of does not load" $? "$(cat "$work/err")"
lesson 'protocol = { name = "ask" }' >"$work/lessons/90_break.lua"

# On the command line.
printf 'expect Break it: fence-and-flip\nkey escape\nexpect Course\nkey q\n' >"$work/script"
run check --script "$work/script"
say "check alone opens it" "$status" "$(cat "$work/err")"
refuses "without a terminal it stays a usage error" 'check takes one protocol' check
refuses "in lines as well" 'check takes one protocol' check --plain
refuses "a protocol is told in lines" 'with a protocol check tells in lines' \
    check ask --script "$work/script"

# On a terminal, where the search has a thread of its own.
command -v tmux >/dev/null || {
    echo "ok breaking a protocol on a terminal # SKIP tmux is not installed"
    exit "$failed"
}
until_true() {
    tries=0
    until "$@"; do
        tries=$((tries + 1))
        [ $tries -lt 400 ] || return 1
        sleep 0.05
    done
}
screen() {
    tm capture-pane -p -t s
}
shows() {
    screen | grep -F -q -e "$1"
}
search_is_over() {
    screen | grep -q -e 'stopped at' -e 'states were seen'
}
keys() {
    tm send-keys -t s "$@"
}
printf "PS1='READY> '\n" >"$work/rc"
ENV=$work/rc
export ENV
unset TMUX
tm new-session -d -s s -x 80 -y 24 'exec sh -i' || exit 1
until_true shows 'READY>'
keys -l "$HOTSHARD check --plain; stty -g >$work/before; $HOTSHARD check; stty -g >$work/after; echo LEFT=\$?"
keys Enter
until_true shows 'nothing fails in any order'
say "check on a terminal opens the screen" $? "$(screen)"
keys m
until_true shows 'Break it: ask'
keys +
until_true shows 'searching'
tm resize-window -t s -x 20 -y 5
until_true shows '80x24'
tm resize-window -t s -x 100 -y 30
until_true shows 'ask-keeps-map'
say "a terminal that is resized while it searches" $? "$(screen)"
keys - +
keys Escape
until_true search_is_over
say "a search that is stopped" $? "$(screen)"
keys Space
until_true shows 'shortest failure'
say "the next search" $? "$(screen)"
keys - +
keys q
until_true shows 'Course'
say "leaving while it searches" $? "$(screen)"
keys c + q q
until_true shows 'LEFT=0' && cmp -s "$work/before" "$work/after"
say "the terminal is as it was" $? "$(screen)"
exit "$failed"
