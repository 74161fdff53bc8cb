#!/bin/sh
# In a real terminal (tmux): start, resize, suspend, quit; what was there before is there after.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
command -v tmux >/dev/null || {
    echo "ok terminal sessions # SKIP tmux is not installed"
    rm -rf "$work"
    exit 0
}
socket=$work/tmux
tm() {
    tmux -f /dev/null -S "$socket" "$@"
}
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT

# until_true COMMAND...: tries for at most 20 seconds.
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
flag() {
    [ "$(tm display-message -p -t s "#{$1}")" = "$2" ]
}
# type_line TEXT: a line for the shell in the terminal.
type_line() {
    tm send-keys -t s -l "$1"
    tm send-keys -t s Enter
}

cat >"$work/rc" <<'END'
PS1='READY> '
END
ENV=$work/rc
export ENV
unset TMUX
tm new-session -d -s s -x 100 -y 30 'exec sh -i' || exit 1
until_true shows 'READY>'
say "a shell in a terminal" $?
type_line "stty -g >$work/before"
type_line "PS1='READY''1> '"
until_true shows 'READY1>'

type_line "$HOTSHARD"
until_true shows 'Course'
say "hotshard alone opens the course" $? "$(screen)"
shows 'What a shard is' && shows '? help' && shows 'quit'
say "it lists the lesson and says what can be pressed" $? "$(screen)"
tm send-keys -t s Enter
until_true shows '1/'
say "enter opens the lesson" $? "$(screen)"
flag alternate_on 1 && flag mouse_any_flag 0
say "the mouse stays the terminal's own" $?

tm resize-window -t s -x 1 -y 1
tm resize-window -t s -x 40 -y 10
until_true shows '80x24'
say "too small: it says how much it needs" $? "$(screen)"
tm resize-window -t s -x 80 -y 24
until_true shows '1/'
say "grown again: the lesson is back" $? "$(screen)"
tm resize-window -t s -x 200 -y 60
until_true shows '1/'
say "and at 200x60" $?
tm resize-window -t s -x 100 -y 30

tm send-keys -t s '?'
until_true shows 'Keys that work here'
say "? opens the help" $? "$(screen)"
tm send-keys -t s Escape
# shellcheck disable=SC2317 # called by until_true
until_gone() {
    ! shows "$1"
}
until_true until_gone 'Keys that work here'
say "escape closes it" $?

tm send-keys -t s C-z
until_true flag alternate_on 0
say "Ctrl-Z gives the main screen back" $?
type_line "stty -g >$work/stopped; PS1='READY''2> '"
until_true shows 'READY2>'
cmp -s "$work/before" "$work/stopped"
say "and the terminal's settings" $?
type_line "fg; echo status=\$?; stty -g >$work/after"
until_true flag alternate_on 1 && until_true shows '1/'
say "fg draws everything again" $? "$(screen)"

tm send-keys -t s q
until_true shows 'Course'
say "q leaves the lesson" $? "$(screen)"
tm send-keys -t s q
until_true shows 'status=0'
say "q at the course quits with status 0" $? "$(screen)"
type_line "PS1='READY''3> '"
until_true shows 'READY3>'
cmp -s "$work/before" "$work/after" && flag alternate_on 0 && flag cursor_flag 1
say "settings, main screen and cursor are as before" $?

# Text pasted where no line is open runs no commands.
type_line "$HOTSHARD"
until_true shows 'Course'
printf 'q\nq\n' >"$work/paste"
tm load-buffer "$work/paste"
tm paste-buffer -p -t s
until_true shows 'pasted'
say "pasted text is no command" $? "$(screen)"
tm send-keys -t s q
until_true flag alternate_on 0

# An idle screen writes nothing.
type_line "$HOTSHARD"
until_true shows 'Course'
tm pipe-pane -t s "cat >>$work/bytes"
: >>"$work/bytes"
sleep 1
size=$(wc -c <"$work/bytes")
sleep 1
[ "$size" -eq "$(wc -c <"$work/bytes")" ]
say "an idle screen writes nothing for a second" $?
tm pipe-pane -t s

# A progress line while a million keys are read, gone afterwards.
tm send-keys -t s q
until_true flag alternate_on 0
awk 'BEGIN { for (i = 0; i < 3000000; i++) print "session:" i * 7919 }' >"$work/million"
type_line "clear; $HOTSHARD plan --from 4 --to 5 --scheme slots --keys $work/million; echo DO''NE"
until_true shows 'DONE'
shows '3,000,000 keys' && ! shows 'reading keys'
say "the progress line is gone when the plan is there" $? "$(screen)"
exit "$failed"
