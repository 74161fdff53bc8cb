#!/bin/sh
# What a user of terminal programs expects of keys: statements 19 to 32 of conventions.md, played in
# memory. (In a real terminal: tty.sh, unit/app/test_fuzz_pty.c.)
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
    "$HOTSHARD" "$@" --no-motion --script "$work/script" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name" $? "status $status: $(head -n 40 "$work/err")"
}

# same NAME FILE FILE...: all are the same, and there.
same() {
    name=$1 first=$2
    shift 2
    bad=0
    for file in "$@"; do
        [ -s "$first" ] && cmp -s "$first" "$file" || bad=1
    done
    say "$name" $bad "$(diff "$first" "$1" | head -n 4)"
}

differ() {
    ! cmp -s "$2" "$3" && [ -s "$2" ] && [ -s "$3" ]
    say "$1" $?
}

# to_step ID: keys that lead to that step of the lesson, shown everything.
to_step() {
    n=1
    while [ $n -lt "$(lesson_step 01_what_a_shard_is "$1")" ]; do
        printf 'key escape s space\nexpect  %d/%d\n' $((n + 1)) "$steps"
        n=$((n + 1))
    done
}

# 19: letters move as arrows do; Home and g, End and G, pages.
{
    to_step next-door
    echo 'key tab'
    for way in 'home down j' 'home right l' 'end up k' 'end left h'; do
        # shellcheck disable=SC2086 # three words
        set -- $way
        printf 'key %s %s %s %s\nsave %s/arrow-%s\n' "$1" "$2" "$2" "$2" "$work" "$2"
        printf 'key %s %s %s %s\nsave %s/letter-%s\n' "$1" "$3" "$3" "$3" "$work" "$2"
    done
    printf 'key end\nsave %s/end\nkey g\nsave %s/g\nkey G\nsave %s/G\nkey home\nsave %s/home\n' \
        "$work" "$work" "$work" "$work"
} >"$work/moves"
script "19: moving in a picture" learn 1 <"$work/moves"
for way in down right up left; do
    same "19: $way by arrow and by letter" "$work/arrow-$way" "$work/letter-$way"
done
differ "19: which moves something" "$work/arrow-down" "$work/arrow-up"
same "19: end and G" "$work/end" "$work/G"
same "19: home and g" "$work/home" "$work/g"
differ "19: and these are two places" "$work/home" "$work/end"
script "19: and in the list of the course" <<END
save $work/top
key j
save $work/j
key k
save $work/k
key down
save $work/down
key up g
save $work/g
key G
save $work/G
key home end
save $work/end
key page-up page-up page-up page-up page-up page-up
save $work/page-up
END
same "19: down and j" "$work/j" "$work/down"
same "19: up, k, g and pages up" "$work/top" "$work/k" "$work/g" "$work/page-up"
same "19: end and G in a list" "$work/end" "$work/G"
differ "19: a list has two ends" "$work/top" "$work/end"

# 20: space or enter goes forward, b or backspace back, on all screens.
script "20: space and b" <<END
key down space
expect  1/$steps
key 3 space
save $work/forward-space
key b
save $work/back-b
END
script "20: enter and backspace" <<END
key down enter
expect  1/$steps
key 3 enter
save $work/forward-enter
key backspace
save $work/back-backspace
END
same "20: space and enter do the same" "$work/forward-space" "$work/forward-enter"
same "20: b and backspace do the same" "$work/back-b" "$work/back-backspace"

# 21: ? and F1 open the help everywhere; where text is typed, F1 does.
script "21: help on every screen" <<END
key ?
expect Keys that work here
expect open, where you left it
key escape f1
expect Keys that work here
key escape down enter
expect  1/$steps
key ?
expect a hint
key escape f1
expect Keys that work here
key escape D ?
expect Keys that work here
key escape escape
reject Keys that work here
key : f1
expect All commands
expect Requests and traffic
expect Tab completes a name
key escape
expect A command
key escape
expect  1/$steps
END

# 22: the help lists what works here and nothing else; / searches; choosing an entry runs it.
script "22: the help is about this place" learn 1 <<END
key ?
expect choose an answer
reject one step back
reject send a request
key escape 3 space 3 space ?
expect one step back
reject choose an answer
END
script "22: an entry that is chosen is done" learn 1 <<END
key ? /
type hint
expect a hint
key enter enter
reject Keys that work here
expect What must happen to a like
key ? /
type nothing like this
key enter enter
expect No key matches
key escape
expect Keys that work here
key escape
reject Keys that work here
END
# Every row, run from the help, does what its key does.
script "22: an entry run from the help" learn 1 --size 100x60 <<END
key ? / D
key backspace
type pictures in words
key enter enter
save $work/from-help
key escape D
save $work/by-key
END
same "22: is its key" "$work/from-help" "$work/by-key"
# All keys of the bottom line are in the help.
{
    to_step yourself
    printf 'save %s/line\nkey ?\nsave %s/help\n' "$work" "$work"
} >"$work/keys"
script "22: the bottom line and the help" learn 1 --ascii --size 200x60 <"$work/keys"
tail -n 1 "$work/line" | awk '{ n = split($0, part, "   "); for (i = 1; i <= n; i++) { sub(/^ +/, "", part[i]); split(part[i], w, " "); if (w[1] != "") print w[1] } }' >"$work/shown"
missing=
while read -r key; do
    grep -F -q -e " $key" "$work/help" || missing="$missing $key"
done <"$work/shown"
[ -z "$missing" ] && [ "$(wc -l <"$work/shown")" -ge 8 ]
say "22: every key of the bottom line is in the help" $? "missing:$missing"

# 23: / searches in the help, Escape leaves the search and then the help.
script "23: escape leaves the search first" <<END
key ? /
type course
expect /course
key escape
reject /course
expect Keys that work here
key escape
reject Keys that work here
END

# 24: Escape closes the topmost thing only. (How soon: unit/term/test_term_screen.c.)
{
    to_step write-a-tag
    cat <<END
key r ctrl-u
type some:{key}
key f1
expect Keys that work here
key /
type erase
key escape
expect Keys that work here
key escape
expect some:{key}
key escape
reject some:{key}
expect  6/$steps
key escape
expect  6/$steps
END
} >"$work/keys"
script "24: escape closes one thing at a time" learn 1 <"$work/keys"

# 26: the focused pane is marked by more than colour.
{
    to_step the-truth
    printf 'save %s/focus0\nkey tab\nsave %s/focus1\nkey tab\nsave %s/focus2\nkey tab\nsave %s/focus3\n' \
        "$work" "$work" "$work" "$work"
    printf 'key shift-tab\nsave %s/focus-back\n' "$work"
} >"$work/keys"
script "26: the focus goes round" learn 1 --ascii <"$work/keys"
differ "26: seen without colour, one" "$work/focus0" "$work/focus1"
differ "26: seen without colour, two" "$work/focus1" "$work/focus2"
same "26: and comes back" "$work/focus0" "$work/focus3"
same "26: shift-tab goes the other way" "$work/focus2" "$work/focus-back"
for shot in focus0 focus1 focus2; do
    [ "$(grep -o '+= \* ' "$work/$shot" | wc -l)" -eq 1 ]
    say "26: one pane is marked in $shot" $?
done

# 27: u undoes, Ctrl-R and U redo, wherever an action changed the scene.
{
    to_step yourself
    cat <<END
save $work/before
key e
expect R4 no longer
save $work/did
key u
expect Undone
key escape
save $work/undone
key U
key escape
save $work/redone
key u ctrl-r escape
save $work/redone-too
key u
key u
expect nothing to undo
key escape
save $work/undone-once
END
} >"$work/keys"
script "27: undo and redo" learn 1 <"$work/keys"
# What the bottom two rows say differs by what can be undone: the pictures must not.
for shot in before did undone redone redone-too undone-once; do
    sed -n '2,28p' "$work/$shot" >"$work/$shot.pictures"
done
same "27: u brings back what was" "$work/before.pictures" "$work/undone.pictures" "$work/undone-once.pictures"
same "27: U and Ctrl-R do it again" "$work/did.pictures" "$work/redone.pictures" "$work/redone-too.pictures"
differ "27: it was something" "$work/before.pictures" "$work/did.pictures"

# 28: digits choose; in a text answer letters are letters.
script "28: digits choose" learn 1 <<END
key 4
expect  1/$steps
expect copies not help
key 3
expect Alone it refuses
END
cat >"$work/words.lua" <<END
return lesson { id = "words", part = 1, title = "Words", minutes = 1, world = "story-quiet",
  steps = { { id = "a", title = "A word", say = "One word.",
    predict = { id = "word", kind = "text", ask = "Which shard has \`post:{p9}\`?",
      answer = function(w) return w:owner("post:{p9}") end, why = "Slot 12,067 is its.",
      hints = { "a", "b", "c" } } } } }
END
script "28: letters are text where text is asked for" learn "$work/words.lua" <<END
type qbs?
expect qbs?
expect  1/1
key ctrl-u
type S2
key enter
expect S2
END

# 29: keys can be given anew; a clash names file and line.
mkdir -p "$work/config/hotshard"
printf '# mine\nforward n\nhint N\n' >"$work/config/hotshard/keys"
script "29: other keys" learn 1 <<END
expect N hint
key N
expect What must happen to a like
key t
expect does nothing here
key 3 n
expect  2/$steps
key escape b space
expect  1/$steps
END
for clash in 'hint b' 'forward q' 'help r' 'route R'; do
    printf '\n# two\n%s\n' "$clash" >"$work/config/hotshard/keys"
    script "29: the clash \"$clash\" is reported with file and line" learn 1 --size 200x60 <<END
expect $work/config/hotshard/keys:3
expect would do both
key escape 3
key space
expect  2/$steps
END
done
for fault in 'no-such-action x' 'hint hyper-x' 'hint'; do
    printf '%s\n' "$fault" >"$work/config/hotshard/keys"
    script "29: the fault \"$fault\" is reported with file and line" learn 1 --size 200x60 <<END
expect $work/config/hotshard/keys:1
END
done
rm -r "$work/config"

# 30: the bottom line can be switched off, and on again.
script "30: the bottom line goes and comes" learn 1 <<END
save $work/with
expect ? help
key ctrl-k
reject ? help
save $work/without
key ctrl-k
expect ? help
save $work/again
END
[ -z "$(tail -n 1 "$work/without" | tr -d ' ')" ] && [ -n "$(tail -n 1 "$work/with" | tr -d ' ')" ]
say "30: its row is empty" $?
same "30: and as it was" "$work/with" "$work/again"

# 31: nothing needs a function key, Alt or a mouse: every row of the help has another key as well
# and says it first, but for those while text is typed, where Escape comes before ?, t and s.
{
    echo 'key ?'
    echo "save $work/help-course"
    echo 'key escape down enter'
    to_step write-a-tag
    printf 'key ?\nsave %s/help-lesson\nkey escape r f1\nsave %s/help-field\n' "$work" "$work"
} >"$work/keys"
script "31: the help of three places" --ascii --size 100x60 <"$work/keys"
cat "$work/help-course" "$work/help-lesson" | awk '/[^a-z]f[0-9]+ / && !/., f[0-9]/ { print; bad = 1 } END { exit bad }' >"$work/only"
say "31: no function key stands alone" $? "$(cat "$work/only")"
! cat "$work/help-course" "$work/help-lesson" "$work/help-field" | grep -i -q -E 'alt-|mouse|insert  '
say "31: no Alt, no mouse" $?
[ "$(grep -c -E '[| ]f1 ' "$work/help-field")" -le 1 ]
say "31: where text is typed only the help has a function key" $?
exit "$failed"
