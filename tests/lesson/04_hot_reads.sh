#!/bin/sh
# Part 4: taken with the keyboard alone, at every size and in both sets of glyphs; told in lines and
# as JSON, whatever is answered; the same from every build; its placement check; its drills, whose
# right answers are held against the arithmetic of the question's own words.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
lesson=04_taming_hot_reads
shots=$work/shots

# take NAME SIZE PROGRAM ARGUMENT...: each screen on the way is saved and looked at.
take() {
    name=$1 size=$2 program=$3
    shift 3
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "tests/lesson/$lesson.keys" >"$work/keys"
    "$program" learn 4 "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${size%x*}" -v rows="${size#*x}" -f tests/lesson/frames.awk >"$work/faults"
    [ -e "$shots/100" ]
    say "$name, $size: every screen has its size, every frame is closed" $? "$(head -n 5 "$work/faults")"
}

take utf8 80x24 "$HOTSHARD"
take utf8 100x30 "$HOTSHARD"
take ascii 80x24 "$HOTSHARD" --ascii
! LC_ALL=C grep -q '[^ -~]' "$shots"/*
say "all ASCII" $? "$(LC_ALL=C grep -l '[^ -~]' "$shots"/* | head -n 3)"
take ascii 200x60 "$HOTSHARD" --ascii
take "with sanitizers" 80x24 "$HOTSHARD_ASAN"

# In lines: all steps, no faults, and the same from every program.
steps=$(grep -c '^    { id = "[^"]*", title = .*show' "lessons/$lesson.lua")
checks=$(grep -c 'check = true' "lessons/$lesson.lua")
[ "$checks" -eq 4 ]
say "four questions place a learner" $?
for answers in right wrong none; do
    run run 4 --plain --answers $answers
    cp "$work/out" "$work/$answers"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
        [ "$(grep -c " step [0-9]* of $((steps - checks))" "$work/out")" -eq $((steps - checks)) ]
    say "run 4 --answers $answers: all $((steps - checks)) steps" $? "status $status: $(cat "$work/err")"
done
for answers in right none; do
    run run 4 --json --answers $answers
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run 4 --json --answers $answers </dev/null >"$work/other" 2>&1
        cmp -s "$work/out" "$work/other"
        say "--answers $answers: the same from ${program##*/}, byte by byte" $? \
            "$(diff "$work/out" "$work/other" | head -n 3 | cut -c 1-300)"
    done
done
! grep -q 'Not so\.' "$work/right" && [ "$(grep -c 'Not so\.' "$work/wrong")" -ge 70 ] &&
    [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge 50 ]
say "mistakes are explained, right answers are not called wrong" $?

# What the text says is what the figures say: 6 a second, 1,059 and 196 queries, 103%, 48 at a restart.
has "$work/right" "Your answer: 6 reads/s" && has "$work/right" "176.47 a router, 1,059 in all" &&
    has "$work/right" "the formula says 195.65" && has "$work/right" "Your answer: 103.3 %" &&
    has "$work/right" "48 instead of 6" && has "$work/right" "says 1,895" && has "$work/right" "R0 gave an answer 2,999 ms old"
say "the figures of hot reads stand in the text" $?

# Placed: all right goes far along, one mistake begins at the beginning.
place() {
    rm -rf "$work/state"
    {
        printf 'key P\nexpect 1/4\n'
        for answer in "$@"; do
            printf 'type %s\nkey enter\nwait\nkey space\n' "$answer"
        done
    } >"$work/keys"
}
place 3 45 196 3005
echo 'expect  18/30' >>"$work/keys"
"$HOTSHARD" learn 4 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
say "four right answers lead to the procedure's last stage" $? "$(head -n 30 "$work/err")"
place 3 45 1059
echo 'expect  1/30' >>"$work/keys"
"$HOTSHARD" learn 4 --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
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

# judge: step, text, question and answer of each right line go to an awk program on standard input.
judge() {
    grep '^right ' "$work/all" |
        sed 's/^right \([0-9]*\) {"lesson":"[^"]*","step":"\([^"]*\)","title":"[^"]*","text":"\([^"]*\)".*"ask":"\([^"]*\)".*"answered":"\([^"]*\)".*/\1|\2|\3 \4|\5/' |
        sed 's/\([0-9]\),\([0-9]\)/\1\2/g' >"$work/lines"
    awk -F'|' -v query=5 -v servers=6 '
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

played melted-redis 6 8
# shellcheck disable=SC2016 # awk
judge '
    $2 == "how-full" { ceiling = after("good for "); reads = after("is read "); each = after("are read ")
        near((reads + 3 * each) * 100 / ceiling, 2) }
    $2 == "who-suffers" { if ($4 !~ /^[123]$/) bad("answer " $4) }
    $2 == "more-nodes" { near(reads * 100 / ceiling + 150 * each / ceiling, 150 * each / ceiling + 2) }
    $2 == "a-small-cache" { fresh = after("fresh for "); near(servers * 1000 / fresh, 0.4) }
    $2 == "deployed" { near(reads * query / 1000, servers + 1) }
    $2 == "a-price" { near(after("given until "), 1) }'
status=$?
[ $status -eq 0 ] && has "$work/judged" "5 kinds"
say "melted-redis: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"

played staleness-budget 5 8
# shellcheck disable=SC2016 # awk
judge '
    { late = $3 ~ /when its answer came/ ? query : 0 }
    $2 == "refills" { near(servers * 1000 / after("fresh for "), 0.3) }
    $2 == "promise" { near(after("stale until ") + late, 1) }
    $2 == "busy" { near(after("resh for ") + query + late, 2) }
    $2 == "seldom" {
        step = after("comes every "); fresh = after("resh for "); stale = after("stale until ")
        age = step
        while (age < fresh) age += step
        near(age < stale ? age : query, 6)
    }'
status=$?
[ $status -eq 0 ] && has "$work/judged" "4 kinds"
say "staleness-budget: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"
exit "$failed"
