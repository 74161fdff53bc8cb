#!/bin/sh
# The drill modn-vs-slots, closer than the others: with the keyboard at every size; graded on the
# command line; two hundred seeds, each with answers of its own, and every mistake that people make
# far enough away to be graded wrong.
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
drill=modn-vs-slots

# solution SEED: the drill's keys with that seed's answers in them, in $work/drill.
solution() {
    "$HOTSHARD" run "lessons/drills/$drill.lua" --answers right --json --seed "$1" >"$work/right" </dev/null
    sed "$(sed 's/.*"answered":"\([^"]*\)".*/\1/' "$work/right" |
        awk '{ printf "s/@%d@/%s/g;", NR, $0 }')" "tests/lesson/$drill.keys" >"$work/drill"
}

solution 5
take "$drill" "$work/drill" 100x30 "$HOTSHARD" drill $drill --seed 5
take "$drill in ASCII" "$work/drill" 200x60 "$HOTSHARD" drill $drill --seed 5 --ascii
only_ascii "$drill"
take "$drill with sanitizers" "$work/drill" 80x24 "$HOTSHARD_ASAN" drill $drill --seed 5
for seed in 1 2 3 4; do
    solution $seed
    take "$drill with seed $seed" "$work/drill" 80x24 "$HOTSHARD" drill $drill --seed $seed
done

# field NAME FILE: of one-line JSON, a text or a word.
field() {
    sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p; t
        s/.*\"$1\":\([a-z0-9]*\).*/\1/p" "$2"
}

# Questions, graded one by one. The tolerance of the first is 50 of 1,000.
for seed in 1 2 3 4 5 6 7 8 9 10; do
    run drill $drill --json --seed $seed
    cp "$work/out" "$work/question"
    right=$(field answer "$work/question")
    [ "$status" -eq 0 ] && [ "$(field correct "$work/question")" = null ] &&
        [ "$(field explanation "$work/question")" = null ] && [ "$right" -gt 0 ]
    say "seed $seed: a question with its answer" $? "$(cat "$work/question")"
    for answer in "$right" $((right + 50)) $((right - 50)); do
        run drill $drill --json --seed $seed --answer "$answer"
        [ "$status" -eq 0 ] && [ "$(field correct "$work/out")" = true ] &&
            [ "$(field answer "$work/out")" = "$right" ] && [ "$(field belief "$work/out")" = null ] &&
            [ -n "$(field explanation "$work/out")" ]
        say "seed $seed: $answer is right, status 0" $? "status $status: $(cat "$work/out")"
    done
    for answer in $((right + 51)) $((right - 51)); do
        run drill $drill --json --seed $seed --answer "$answer"
        [ "$status" -eq 1 ] && [ "$(field correct "$work/out")" = false ]
        say "seed $seed: $answer is wrong, status 1" $? "status $status: $(cat "$work/out")"
    done
    run drill $drill --json --seed $seed --answer 1000
    [ "$status" -eq 1 ] && [ "$(field correct "$work/out")" = false ] &&
        [ "$(field belief "$work/out")" = "everything moves" ] &&
        has "$work/out" "A few keys have the same remainder"
    say "seed $seed: a mistake has its belief and its explanation, status 1" $? "$(cat "$work/out")"
    run drill $drill --plain --seed $seed --answer 1000
    [ "$status" -eq 1 ] && has "$work/out" "everything moves" && has "$work/out" "$right"
    say "seed $seed: and so it has in lines" $? "$(cat "$work/out")"
done

# All five questions of two hundred seeds. What people mistake follows from the number of shards:
# the new shard's share, half, all; by slots as much as by the remainder, nothing.
drilled $drill 5 200
awk '
    function text(name,    at) {
        at = index($0, "\"" name "\":\"")
        if (at == 0) return ""
        at = substr($0, at + length(name) + 4)
        return substr(at, 1, index(at, "\"") - 1)
    }
    function bad(why) { print "seed " $2 ": " why; faults++ }
    function far(mistake, tolerance,    d) {
        d = mistake - truth[step]
        if (d < 0) d = -d
        if (d <= tolerance) bad(step ": " mistake " is within " tolerance " of " truth[step])
        if (!((step, mistake) in told)) bad(step ": " mistake " is not told")
        else if (told[step, mistake] == "") bad(step ": " mistake " has no belief")
    }
    function finish() {
        if (seed == "") return
        step = "mod-n"; far(int(1000 / (n + 1)), 50); far(500, 50); far(1000, 50)
        step = "slots"; far(int(1000 * n / (n + 1)), 40); far(0, 40)
        step = "who-gave"; far(3 - truth[step], 0)
        step = "another"; far(int(1000 * n / (n + 1)), 60); far(0, 60)
        step = "one-leaves"
        for (i = 1; i <= 4; i++) if (i != truth[step] && !((step, i) in told)) bad(step ": " i " is not told")
        if (rights != 5) bad(rights " right answers, not 5")
        seeds++
        numbers[n]++
        split("", told)
        rights = 0
    }
    $2 != seed { finish(); seed = $2 }
    {
        step = text("step")
        if (step == "another" && $1 == "right") schemes[text("text") ~ /100 tokens/ ? "ring" : text("text") ~ /jump/ ? "jump" : \
            text("text") ~ /rendezvous/ ? "rendezvous" : text("text") ~ /Maglev/ ? "maglev" : "ketama"]++
        if ($1 == "right") {
            truth[step] = text("answered")
            rights++
            if (!index($0, "\"correct\":true")) bad(step ": the right answer is not graded right")
            if (!index($0, "\"belief\":null")) bad(step ": the right answer has a belief")
            if (step == "mod-n") { n = text("text"); sub(/.* are on /, "", n); n += 0 }
        } else {
            told[step, text("answered")] = text("belief")
            if (!index($0, "\"correct\":false")) bad(step ": " text("answered") " is not graded wrong")
            if (text("feedback") == "") bad(step ": " text("answered") " is not explained")
        }
    }
    END {
        finish()
        for (i = 3; i <= 12; i++) if (!numbers[i]) { print "never on " i " shards"; faults++ }
        for (i in schemes) known++
        if (known != 5) { print known " schemes, not 5"; faults++ }
        print seeds " seeds"
        exit faults > 0
    }' "$work/all" >"$work/graded"
status=$?
[ $status -eq 0 ] && has "$work/graded" "200 seeds"
say "every right answer is right, every mistake is wrong, far away and explained" $? "$(head -n 5 "$work/graded")"
exit "$failed"
