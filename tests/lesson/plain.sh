#!/bin/sh
# The lesson without a screen: all of it is told, whatever is answered; every mistake is explained
# with the belief behind it; the figures are those of the screen; JSON is what cli.md promises.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=01_what_a_shard_is
file=lessons/$lesson.lua

# The steps' titles, in order, and the beliefs, as the file declares them; those of the placement
# check, which is not on the way, stand at its end.
awk '/check = true/ { exit } { print }' "$file" >"$work/way"
sed -n 's/^    { id = "[^"]*", title = "\([^"]*\)".*/\1/p' "$work/way" >"$work/titles"
grep -o 'belief = "[^"]*"' "$work/way" | sed 's/belief = "\(.*\)"/\1/' | sort >"$work/beliefs"
steps=$(wc -l <"$work/titles")
[ "$steps" -ge 28 ] && [ "$(wc -l <"$work/beliefs")" -ge 40 ]
say "the lesson has its steps, and beliefs to meet" $?

# flat FILE: all of it in one line, as if nothing had been wrapped.
flat() {
    tr -s ' \n' ' ' <"$1"
}

for answers in right wrong none; do
    run run 1 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out"
    say "run 01 --plain --answers $answers: status 0, no escapes" $? "status $status: $(cat "$work/err")"
    awk -v titles="$work/titles" -v steps="$steps" '
        BEGIN { while ((getline line < titles) > 0) title[++n] = line }
        match($0, / step [0-9]+ of [0-9]+/) {
            told++
            if (index($0, title[told] " ") != 1 || !index($0, " step " told " of " steps)) {
                print "step " told ": " $0
                bad = 1
            }
        }
        END { exit bad || told != n }' "$work/$answers" >"$work/faults"
    say "$answers: all titles, in order" $? "$(cat "$work/faults")"
    [ "$(LC_ALL=C awk 'length($0) > 80' "$work/$answers" | wc -l)" -eq 0 ]
    say "$answers: no line is longer than eighty columns" $? \
        "$(LC_ALL=C awk 'length($0) > 80' "$work/$answers" | head -n 2)"
    run run 1 --answers $answers
    cmp -s "$work/out" "$work/$answers"
    say "$answers: the same through a pipe without --plain" $?
done

# Wrong answers: each belief of the file is met as often as it is there, right beside an
# explanation; right answers and none meet none.
flat "$work/wrong" | grep -o 'The belief behind it: "[^"]*"' |
    sed 's/The belief behind it: "\(.*\)"/\1/' | sort >"$work/met"
cmp -s "$work/met" "$work/beliefs"
say "wrong: every belief of the file is named" $? "$(diff "$work/beliefs" "$work/met" | head -n 5)"
! flat "$work/right" | grep -q -F 'The belief behind it' && ! flat "$work/none" | grep -q -F 'The belief behind it'
say "right and none: no belief is named" $?
! grep -q -F 'Not so.' "$work/right" && ! grep -q -F 'Not so.' "$work/none" &&
    [ "$(grep -c -F 'Not so.' "$work/wrong")" -ge "$(wc -l <"$work/beliefs")" ]
say "only wrong answers are called so" $?
asked=$(grep -c '^  Question: ' "$work/right")
[ "$asked" -ge 10 ] && [ "$(grep -c '^  Question: ' "$work/none")" -eq "$asked" ] &&
    [ "$(grep -c '^  Question: ' "$work/wrong")" -eq "$asked" ] &&
    [ "$(grep -c '^  Skipped' "$work/none")" -eq "$asked" ] && ! grep -q '^  Skipped' "$work/right"
say "the same questions are asked; without answers all are skipped" $? "$asked questions"
# What the engine worked out does not depend on what was answered.
for kind in right wrong none; do
    run run 1 --json --answers $kind
    cp "$work/out" "$work/$kind.json"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ]
    say "run 01 --json --answers $kind: status 0" $? "status $status: $(cat "$work/err")"
    LC_ALL=C awk -f tests/lesson/json.awk "$work/$kind.json" >"$work/names" &&
        ! grep -v -q '^lesson step title text views prediction answered correct belief' "$work/names" &&
        [ "$(wc -l <"$work/names")" -ge "$steps" ]
    say "$kind: each line is JSON with the promised fields" $? "$(head -n 3 "$work/names")"
    sed 's/"answered":.*"after":/"after":/; s/"truth":null/"truth"/; s/"marked":[a-z]*/"marked"/g' "$work/$kind.json" |
        awk '!seen[$0]++' >"$work/$kind.told"
done
[ "$(wc -l <"$work/right.json")" -eq "$steps" ] && [ "$(wc -l <"$work/none.json")" -eq "$steps" ] &&
    [ "$(wc -l <"$work/wrong.json")" -gt "$steps" ]
say "a line a step; with wrong answers a line a mistake" $?
cmp -s "$work/right.told" "$work/wrong.told" && cmp -s "$work/right.told" "$work/none.told"
say "texts, pictures, truths and times are the same for all answers" $? \
    "$(diff "$work/right.told" "$work/wrong.told" | head -n 2 | cut -c 1-600)"
grep -o '"belief":"[^"]*"' "$work/wrong.json" | sed 's/"belief":"\(.*\)"/\1/' | sort >"$work/met"
cmp -s "$work/met" "$work/beliefs"
say "JSON, wrong: every belief of the file is named" $?

# On the screen: the same texts, filled in with the same figures. Wide, so that a step's text is
# in one pane; its cells are what stands between the first two uprights.
mkdir "$work/shots"
awk -v folder="$work/shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
    "tests/lesson/$lesson.keys" >"$work/keys"
"$HOTSHARD" learn 1 --ascii --size 200x60 --script "$work/keys" >"$work/out" 2>&1 </dev/null
say "the lesson is played on a screen" $? "$(head -n 5 "$work/out")"
for shot in "$work/shots"/*; do
    awk -F '|' '/^\|/ { printf "%s ", $2 } END { print "" }' "$shot" | tr -s ' '
done >"$work/panes"
LC_ALL=C awk -v panes="$work/panes" '
    function text(name,    at, out, c) {
        at = index($0, "\"" name "\":\"")
        if (at == 0) return ""
        for (at += length(name) + 4; (c = substr($0, at, 1)) != "\""; at++) {
            if (c == "\\") {
                c = substr($0, ++at, 1)
                if (c == "n") c = " "
            }
            out = out c
        }
        gsub(/ +/, " ", out)
        return out
    }
    function seen(what,    i) {
        for (i = 1; i <= n; i++) if (index(pane[i], what)) return 1
        print text("step") ": not on the screen: " what
        return 0
    }
    BEGIN { while ((getline line < panes) > 0) pane[++n] = line }
    {
        if (!seen(text("text"))) bad = 1
        if (text("after") != "" && !seen(text("after"))) bad = 1
        if (text("feedback") != "" && !seen(text("feedback"))) bad = 1
        if (text("task") != "" && !seen(text("task"))) bad = 1
        texts++
    }
    END { exit bad || texts != '"$steps"' }' "$work/right.json" >"$work/faults"
say "texts, feedback and tasks on the screen are those told in lines, figures and all" $? \
    "$(head -n 3 "$work/faults")"
for figure in '0xaf23 = 44835' '44835 mod 16384 = slot 12067'; do
    has "$work/right" "$figure" && grep -F -q -e "$figure" "$work/shots"/*
    say "pictured and told: $figure" $?
done
exit "$failed"
