#!/bin/sh
# Part 5: taken with the keyboard alone, in both sets of glyphs; told in lines and as JSON, whatever
# is answered; the same from every build; its figures; its placement check; its drills, whose right
# answers are held against the arithmetic of the question's own words.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=05_taming_hot_writes
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 5 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/200" ]
    say "$name, $size: every screen has its size, every frame is closed" $? "$(head -n 5 "$work/faults")"
}

take utf8 80x24 "$HOTSHARD"
take utf8 100x30 "$HOTSHARD"
take ascii 80x24 "$HOTSHARD" --ascii
! LC_ALL=C grep -q '[^ -~]' "$shots"/*
say "all ASCII" $? "$(LC_ALL=C grep -l '[^ -~]' "$shots"/* | head -n 3)"
take "with sanitizers" 80x24 "$HOTSHARD_ASAN"

# In lines: all steps, no faults, and the same from every program.
steps=$(grep -c '^    { id = "[^"]*", title = .*show' "lessons/$lesson.lua")
checks=$(grep -c 'check = true' "lessons/$lesson.lua")
[ "$checks" -eq 4 ]
say "four questions place a learner" $?
for answers in right wrong none; do
    run run 5 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $((steps - checks))" "$work/out")" -eq $((steps - checks)) ]
    say "run 5 --answers $answers: all $((steps - checks)) steps" $? "status $status: $(cat "$work/err")"
done
for answers in right none; do
    run run 5 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 5 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'Not so\.' "$work/wrong")" -ge 90 ] &&
    [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 60 ]
say "mistakes are explained, right answers are not called wrong" $?

# Figures of the story that the text and its questions come to.
missing=
tr -s ' ' <"$work/right" >"$work/squeezed"
while read -r line; do
    has "$work/squeezed" "$line" || missing="$missing|$line"
done <<'END'
Your answer: 100 %
Your answer: 800 writes/s
S0, S1 and S3 are at 80%, S2 at 75%.
Your answer: 255 %
Your answer: 18000 reads/s
Your answer: 12 writes/s
200 likes are missing from the count, and none from liked.
200 too many.
Your answer: 2562 writes/s
as it is 2,400 9,000
3 replicas 2,400 3,000
micro-cache 2,400 6
coalesced 2,400 1,059
and by key 2,400 196
salt 8 600 18,000
salt 4 600 9,000
salt 8, cached 600 12
summed 12 9,000
summed, cached 12 6
own shard 2,400 9,000
Your answer: 318.75 writes/s
Your answer: 15 %
END
[ -z "$missing" ]
say "the figures of hot writes stand in the text and in the table" $? "not there: $missing"

# Placed: all right goes far along, one mistake begins at the beginning.
# place ANSWER...: a choice is a key, a number is typed, several are keys and enter.
place() {
    rm -rf "$work/state"
    printf 'key P\nexpect 1/4\ntype 90\nkey enter\nwait\nkey space\nkey 1 enter\nwait\nkey space\nkey 2\nwait\nkey space\nkey %s enter\nwait\nkey space\n' \
        "$1" >"$work/keys"
    echo "expect  $2/36" >>"$work/keys"
    "$HOTSHARD" learn 5 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
}
place "3 4" 13
say "four right answers lead to the table of every fix" $? "$(head -n 30 "$work/err")"
place "3 4 5" 1
say "a mistake leads to the beginning" $? "$(head -n 30 "$work/err")"

# The drills. played DRILL STEPS SEEDS
played() {
    seed=0
    while [ $seed -lt "$3" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$1.lua" --answers $answers --json --seed $seed </dev/null | sed "s/^/$answers $seed /"
        done
    done >"$work/all" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right ' "$work/all")" -eq $(($3 * $2)) ]
    say "$1: $3 seeds are played" $? "$(head -n 3 "$work/err")"
    ! grep '^right ' "$work/all" | grep -q '"correct":false' && ! grep '^wrong ' "$work/all" | grep -q '"correct":true'
    say "$1: right is right, and wrong is wrong" $?
    ! grep '^wrong ' "$work/all" | grep '"correct":false' | grep -q '"feedback":""'
    say "$1: every mistake is explained" $?
    [ "$(grep '^right ' "$work/all" | sed 's/^right [0-9]* //' | sort -u | wc -l)" -gt "$3" ]
    say "$1: new numbers each time" $?
    "$HOTSHARD_ASAN" run "lessons/drills/$1.lua" --answers right --json --seed 2 </dev/null 2>&1 | sed 's/^/right 2 /' >"$work/other"
    grep '^right 2 ' "$work/all" | cmp -s - "$work/other"
    say "$1: the same with sanitizers" $?
}

# judge: step, text with question, and answer of each right line go to an awk program.
judge() {
    grep '^right ' "$work/all" | grep '"ask":' |
        sed 's/^right \([0-9]*\) {"lesson":"[^"]*","step":"\([^"]*\)","title":"[^"]*","text":"\([^"]*\)".*"ask":"\([^"]*\)".*"answered":"\([^"]*\)".*/\1|\2|\3 \4|\5/' |
        sed 's/\([0-9]\),\([0-9]\)/\1\2/g' >"$work/lines"
    awk -F'|' -v routers=6 '
        function after(word,    t) { t = $3; if (!sub(".*" word, "", t)) bad("no \"" word "\""); return t + 0 }
        function bad(why) { print "seed " $1 ", " $2 ": " why; faults++ }
        function near(wanted, tolerance,    d) {
            d = $4 - wanted
            if (d > tolerance || d < -tolerance) bad($4 ", by the question " wanted)
            seen[$2]++
        }
        '"$1"'
        END { for (i in seen) kinds++; print kinds " kinds"; exit faults > 0 }' "$work/lines" >"$work/judged"
}

played salt-it 3 10
# shellcheck disable=SC2016 # awk
judge '
    {
        likes = $2 == "room" ? after(" takes ") : after("^p[0-9]*: ")
        t = $3
        for (s = 0; s < 4; s++) { has = t; sub(".*: S0 ", "S0 ", has); sub(".*S" s " ", "", has); others[s] = has + 0 }
    }
    $2 == "room" { t = $3; sub(".*fit on S", "", t); near(800 - others[t + 0], 2) }
    $2 == "smallest" {
        best = 0
        for (count = 2; count <= 8 && !best; count++) {
            for (s = 0; s < 4; s++) load[s] = others[s]
            for (i = 0; i < count; i++) { t = $3; sub(".*#" i " S", "", t); load[t + 0] += likes / count }
            most = 0
            for (s = 0; s < 4; s++) if (load[s] > most) most = load[s]
            if (most <= 800) best = count
        }
        near(best, 0)
    }'
status=$?
[ $status -eq 0 ] && has "$work/judged" "2 kinds"
say "salt-it: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"

played crash-the-router 3 10
# shellcheck disable=SC2016 # awk
judge '
    $2 == "count" || $2 == "moment" { each = ($2 == "count" ? after("p9 takes ") : $3 + 0) / routers; window = after("every ") }
    $2 == "count" { full = each * window / 1000; near(full, 4) }
    $2 == "liked" { near($3 ~ /tells the fan OK, and adds one to its buffer/ ? 0 : full, 4) }
    $2 == "moment" { near(each * after("dies again: ") / 1000, 4) }'
status=$?
[ $status -eq 0 ] && has "$work/judged" "3 kinds"
say "crash-the-router: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"

played one-customer 4 10
# shellcheck disable=SC2016 # awk
judge '
    $2 == "tenfold" { usual = after("each with "); near((10 + after("with ")) * usual / 10, 1) }
    $2 == "what-to-do" { large = after(" writes "); beside = after("its neighbours ")
        near(large + beside <= 800 ? 1 : large <= 800 ? 2 : 3, 0) }
    $2 == "forty" { part = after("40% of them, "); near(int((part + 799) / 800), 0) }'
status=$?
[ $status -eq 0 ] && has "$work/judged" "3 kinds"
say "one-customer: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"
exit "$failed"
