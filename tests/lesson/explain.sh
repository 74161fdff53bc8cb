#!/bin/sh
# An explanation without a screen: whoever answers it, nobody grades it; a script types and marks it
# with the keys that a learner has, and the log keeps what was marked.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
file=tests/data/lessons/12_explain.lua

# has FILE TEXT: this text stands in it.
has() {
    grep -qF -e "$2" "$1"
}

run run "$file" --plain --answers right
[ "$status" -eq 0 ] && has "$work/out" "A good answer: The tag p9 is hashed to slot 12,067" &&
    has "$work/out" "You mark it: 3 of 3 points were in yours." && ! has "$work/out" "Not so"
say "--answers right: all of it was said" $? "$(cat "$work/out" "$work/err")"
run run "$file" --plain --answers wrong
[ "$status" -eq 0 ] && has "$work/out" "You mark it: 0 of 3 points were in yours." &&
    [ "$(grep -c "Not so" "$work/out")" -eq 1 ]
say "--answers wrong: nothing of it was said, and it is no mistake" $? "$(cat "$work/out")"
run run "$file" --plain --answers none
[ "$status" -eq 0 ] && has "$work/out" "Skipped: it will come back." &&
    has "$work/out" "A good answer: " && has "$work/out" "  3  the map says who owns it"
say "--answers none: the good answer and its points are shown" $? "$(cat "$work/out")"
for answers in right wrong none; do
    run run "$file" --json --answers $answers
    grep '"step": *"told"' "$work/out" >"$work/told"
    [ "$(wc -l <"$work/told")" -eq 1 ] && grep -q '"kind": *"explain"' "$work/told" &&
        grep -q '"correct": *null' "$work/told" && grep -q '"choices": *null' "$work/told" &&
        [ "$(grep -o '"marked": *true' "$work/told" | wc -l)" -eq "$([ $answers = right ] && echo 3 || echo 0)" ]
    say "--json --answers $answers: a rubric with marks, and neither correct nor not" $? "$(cat "$work/told")"
done

cat >"$work/keys" <<'END'
key 1 space A
type the tag, hashed: the map says whose
key enter 1 3 1
save WORK/marked
key space b
save WORK/back
END
sed "s|WORK|$work|" "$work/keys" >"$work/script"
run learn "$file" --size 80x24 --script "$work/script"
[ "$status" -eq 0 ] && has "$work/marked" "You mark it" && has "$work/marked" "the tag, hashed: the" &&
    cmp -s "$work/marked" "$work/back"
say "a script types and marks it, and it is there when one comes back" $? "$(cat "$work/out" "$work/err" "$work/marked")"
has "$work/state/hotshard/progress" " x-told self 3:the%20tag,%20hashed:"
say "the log keeps the marks as the learner's own" $? "$(cat "$work/state/hotshard/progress")"

# In lines, a first word of plain mode makes no command of an explanation; commands are still there.
for line in "help comes from the map" "glossary words fail me" "help" "help migrate" "glossary slot"; do
    rm -rf "$work/state"
    printf '1\n\n%s\nquit\n' "$line" | "$HOTSHARD" learn "$file" --plain >"$work/out" 2>"$work/err"
    case $line in
    *" map" | *me) has "$work/out" "A good answer: " && grep -q -F " x-told self :${line%% *}%20" "$work/state/hotshard/progress" ;;
    *) ! has "$work/out" "A good answer: " && ! grep -q " x-told " "$work/state/hotshard/progress" ;;
    esac
    say "in lines, where an explanation is asked: $line" $? "$(tail -n 5 "$work/out"; cat "$work/err")"
done

# A task to take something back can be met in lines.
cat >"$work/90_undo.lua" <<'END'
return lesson { id = "90_undo", part = 90, title = "Back", minutes = 1, world = "story-quiet",
  steps = { { id = "a", title = "A", say = "x", show = { "maps" },
    try = { ask = "Take it back.", opened = "undo", hints = { "a", "b", "c" } } } } }
END
printf 'undo\nmove 12067 S3\nundo\nredo\nredo\nquit\n' |
    "$HOTSHARD" learn "$work/90_undo.lua" --plain >"$work/out" 2>"$work/err"
grep -E '^(There is nothing|Undone|Done)' "$work/out" >"$work/told"
printf '%s\n' "There is nothing to undo." "Undone." "Done. The lesson goes on." "Done again." \
    "There is nothing to do again." | cmp -s - "$work/told" &&
    grep -q ' undo ' "$work/state/hotshard/progress" && grep -q ' redo ' "$work/state/hotshard/progress"
say "undo and redo in lines" $? "$(cat "$work/told" "$work/err"; tail -n 6 "$work/state/hotshard/progress")"
exit "$failed"
