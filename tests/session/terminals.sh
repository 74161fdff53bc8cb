#!/bin/sh
# Kinds of terminals, in a real one (tmux): colours and their absence, locales, what is sent, and
# what is said where no screen can be. Statements 13 to 16, 25, 36 to 42, 51 and 53 of
# conventions.md.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
command -v tmux >/dev/null || {
    echo "ok kinds of terminals # SKIP tmux is not installed"
    rm -rf "$work"
    exit 0
}
socket=$work/tmux
tm() {
    tmux -f /dev/null -S "$socket" "$@"
}
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
TERMINFO_DIRS=$work/terminfo:
export XDG_STATE_HOME XDG_CONFIG_HOME TERMINFO_DIRS

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
sent_has() {
    LC_ALL=C grep -F -q -e "$1" "$work/sent"
}

# The server stays while sessions come and go.
tm new-session -d -s keeper 'exec cat' || exit 1

# begin WORDS...: a terminal in which these words run (env NAME=VALUE hotshard ...); all that is
# sent to it is kept in $work/sent, its exit status goes to $work/status.
begin() {
    rm -f "$work/status" "$work/sent" "$work/go" "$work/stay"
    mkfifo "$work/go" "$work/stay" # one each: who opens one that is being closed reads its end
    printf 'read -r go <"%s"; %s; echo $? >"%s"; read -r go <"%s"\n' \
        "$work/go" "$*" "$work/status" "$work/stay" >"$work/run"
    tm new-session -d -s s -x 100 -y 30 "exec sh $work/run" || return 1
    tm pipe-pane -t s "exec cat >$work/sent"
    until_true test -e "$work/sent"
    echo >"$work/go"
}
end() {
    tm kill-session -t s
}
# shellcheck disable=SC2317 # called by until_true
ended() {
    [ -s "$work/status" ]
}

# Whether any SGR sequence sets a colour: 30 to 49 and 90 to 107 do, but for 39 and 49, "as usual".
colours() {
    tr '\033' '\n' <"$work/sent" | LC_ALL=C awk '
        match($0, /^\[[0-9;]*m/) {
            n = split(substr($0, 2, RLENGTH - 2), part, ";")
            for (i = 1; i <= n; i++) {
                if (part[i] >= 30 && part[i] <= 107 && part[i] != 39 && part[i] != 49) found = 1
            }
        }
        END { exit !found }'
}
no_colours() {
    ! colours
}
# look NAME WORDS...: the lesson in such a terminal, with one wrong answer, to its feedback; the
# screen's text goes to $work/NAME.
look() {
    name=$1
    shift
    rm -rf "$work/state"
    begin "$@"
    until_true shows 'copies not help'
    tm send-keys -t s 1
    until_true shows 'space goes on'
    say "$name: the lesson is shown and answers" $? "$(screen)"
    screen >"$work/$name"
}
leave() {
    tm send-keys -t s q
    until_true shows 'Course'
    tm send-keys -t s q
    until_true ended
    [ "$(cat "$work/status")" = 0 ] && flag alternate_on 0 && flag cursor_flag 1
    say "$name: and leaves everything as it was" $? "status $(cat "$work/status" 2>/dev/null)"
    end
}
lesson="$HOTSHARD learn 1 --no-motion"

# A sixteen-colour terminal of our own, since not every system knows one.
mkdir "$work/terminfo"
cat >"$work/sixteen" <<'END'
hotshard-16|sixteen colours for a test,
	colors#16, pairs#256,
	setaf=\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm,
	setab=\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm,
	use=xterm-256color,
END
tic -x -o "$work/terminfo" "$work/sixteen" 2>"$work/err"
say "a terminal of sixteen colours" $? "$(cat "$work/err")"
# 36 to 38: colours where they are wanted, none where not; every terminal shows the same text.
while read -r kind wanted words; do
    look "$kind" "env $words $lesson"
    $wanted
    say "$kind: $wanted" $? "$(tr '\033' '\n' <"$work/sent" | grep '^\[[0-9;]*m' | sort | uniq -c | head -n 5)"
    [ "$kind" = 256 ] || {
        cmp -s "$work/256" "$work/$kind"
        say "$kind: shows what a terminal of 256 colours shows" $? "$(diff "$work/256" "$work/$kind" | head -n 4)"
    }
    leave
done <<'END'
256 colours TERM=xterm-256color
16 colours TERM=hotshard-16
8 colours TERM=screen
linux colours TERM=linux
vt100 no_colours TERM=vt100
no-color no_colours TERM=xterm-256color NO_COLOR=1
no-color-empty colours TERM=xterm-256color NO_COLOR=
END
lesson="$HOTSHARD learn 1 --no-motion --color never"
look never "env TERM=xterm-256color $lesson"
no_colours
say "37: --color never beats the terminal" $?
leave
lesson="$HOTSHARD learn 1 --no-motion --color always"
look always "env TERM=xterm-256color NO_COLOR=1 $lesson"
colours
say "37: --color always beats NO_COLOR" $?
leave
lesson="$HOTSHARD learn 1 --no-motion"

# 40: the terminal's own background is kept: what fills the screen has none of its own.
look plain-background "env TERM=xterm-256color $lesson"
cells=$(tm capture-pane -p -e -t s | LC_ALL=C awk '
    {
        line = $0
        background = 0
        while (line != "") {
            if (match(line, /^\033\[[0-9;]*m/)) {
                code = substr(line, 3, RLENGTH - 3)
                if (code ~ /(^|;)(4[0-7]|48|10[0-7])(;|$)/) background = 1
                if (code == "" || code ~ /(^|;)(0|49)(;|$)/) background = 0
                line = substr(line, RLENGTH + 1)
            } else {
                if (background) cells++
                line = substr(line, 2)
            }
        }
    }
    END { print cells + 0 }')
[ "$cells" -lt 300 ]
say "40: nearly all cells keep the terminal's background" $? "$cells of 3000 have their own"
leave

# 42 and 53: the locale decides about signs; C works, and its columns line up.
for words in LC_ALL=C "LC_ALL= LC_CTYPE= LANG=C" LC_ALL=no_SUCH.UTF-8; do
    look locale "env TERM=xterm-256color $words $lesson"
    ! LC_ALL=C grep -q "$(printf '[\200-\377]')" "$work/sent"
    say "53: $words: only ASCII is sent" $?
    LC_ALL=C awk -v columns=100 -v rows=30 -f tests/lesson/frames.awk >"$work/faults" <<END
== $words
$(cat "$work/locale")
END
    grep -q '+--' "$work/locale" && ! grep -q ' open at ' "$work/faults"
    say "42: $words: frames are closed" $? "$(cat "$work/faults")"
    leave
done
look utf8 "env TERM=xterm-256color LC_ALL=C.UTF-8 $lesson"
LC_ALL=C grep -q "$(printf '\342\224')" "$work/sent"
say "53: in a UTF-8 locale lines are lines" $?

# 25 and 51: a key sends what changed; Ctrl-L sends all.
size() {
    wc -c <"$work/sent"
}
# shellcheck disable=SC2317 # called by until_true
grown() {
    [ "$(size)" -gt "$1" ]
}
before=$(size)
tm send-keys -t s Z
until_true shows 'Z does nothing here'
small=$(($(size) - before))
[ $small -gt 10 ] && [ $small -lt 300 ]
say "51: a message sends little more than itself" $? "$small bytes"
before=$(size)
tm send-keys -t s C-l
until_true grown $((before + 1500))
say "25: Ctrl-L sends the whole screen" $? "$(($(size) - before)) bytes"
shows 'copies not help'
say "25: and it is there" $? "$(screen)"
LC_ALL=C tail -c +"$((before + 1))" "$work/sent" | grep -q "$(printf '\033\[[0-9;]*[JH]')"
say "25: cleared first" $?
LC_ALL=C head -c "$before" "$work/sent" | tr '\033' '\n' |
    LC_ALL=C awk '/copies not help/ { drawn = 1 } drawn && /^\[[0-9]*J/ { bad = 1 } END { exit bad || !drawn }'
say "51: nothing is cleared once the screen is there" $?
leave

# 13 to 16, 54: where no screen can be, in a real terminal as well: one line, status 2, nothing else.
while read -r text words; do
    begin "$words"
    until_true ended
    [ "$(cat "$work/status")" = 2 ] && flag alternate_on 0 && [ "$(screen | grep -c .)" -le 2 ] &&
        shows "$text" && ! sent_has "$(printf '\033')"
    say "$words: refused in a line" $? "$(screen)"
    end
done <<END
TERM env TERM=dumb $HOTSHARD learn 1
TERM env -u TERM $HOTSHARD learn 1
TERM env TERM=no-such-terminal $HOTSHARD
input $HOTSHARD learn 1 </dev/null
END
begin "$HOTSHARD learn 1 2>$work/err | cat"
until_true ended
one_line "$work/err" && ! sent_has "$(printf '\033')"
say "13: standard output into a pipe: no screen, one line" $? "$(cat "$work/err")"
end
begin "$HOTSHARD run 1 --plain --no-input | tail -n 3"
until_true ended
[ "$(cat "$work/status")" = 0 ] && ! shows 'your answer' && ! sent_has "$(printf '\033')"
say "16: --no-input asks nothing, even of a person" $? "$(screen)"
end
rm -rf "$work/state"
begin "$HOTSHARD run 1 --plain"
until_true shows 'your answer'
say "16: without it a person is asked" $? "$(screen)"
tm send-keys -t s quit Enter
until_true ended
say "and may quit" $? "$(screen)"
! sent_has "$(printf '\033')"
say "54: lines need no escape sequence" $?
end

exit "$failed"
