# Sourced by the scripts of lessons and drills: what they share. A lesson's script begins with
#     lesson NUMBER NAME          the file is lessons/NAME.lua, its solution tests/lesson/NAME.keys
# and then calls
#     taken                       the solution at three sizes, each screen saved and judged
#     told                        the lesson in lines and as JSON, from every build
#     mistakes NOT_SO BELIEFS     how many wrong answers are at least called so, and have a belief
#     figures <<'END'             lines that the lesson tells, one a line
#     placed NAME STEP ANSWER...  its placement check
#     drilled DRILL STEPS SEEDS   a drill, rightly and wrongly
# so that what is its own stands in it alone. tests/lesson/seeds.sh asks each drill a thousand times.
# shellcheck shell=sh disable=SC1091,SC2034,SC2154

. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
shots=$work/shots

# lesson NUMBER NAME
lesson() {
    number=$1 lesson=$2
    file=lessons/$lesson.lua
    keys=tests/lesson/$lesson.keys
    # As the program has them: some are made by a function, one for each of a list.
    "$HOTSHARD" run "$number" --json </dev/null |
        sed -n 's/^{"lesson":"[^"]*","step":"\([^"]*\)".*/\1/p' >"$work/way"
    steps=$(wc -l <"$work/way" | tr -d ' ')
    checks=$(grep -c 'check = true' "$file")
    [ "$steps" -gt 10 ] && [ -s "$keys" ]
    say "$lesson has its steps and its solution" $? "$steps steps"
}

# step_of ID: its number on the way.
step_of() {
    grep -n -x -F "$1" "$work/way" | cut -d : -f 1
}

# --- with the keyboard ---

# look SIZE: the faults of all saved screens, in $work/faults.
look() {
    for shot in "$shots"/*; do
        echo "== ${shot##*/}"
        cat "$shot"
    done | LC_ALL=C awk -v columns="${1%x*}" -v rows="${1#*x}" -f tests/lesson/frames.awk >"$work/faults"
}

# take NAME KEYS SIZE PROGRAM ARGUMENT...: by somebody new to it; each screen on the way is saved in
# $shots, and judged.
take() {
    name=$1 solution=$2 size=$3 program=$4
    shift 4
    rm -rf "$work/state" "$shots"
    mkdir "$shots"
    awk -v folder="$shots" '{ print } /^[a-z]/ { printf "save %s/%03d\n", folder, ++n }' \
        "$solution" >"$work/keys"
    "$program" "$@" --size "$size" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ]
    say "$name, $size: from the first step to the last" $? "status $status: $(head -n 70 "$work/err")"
    look "$size" && [ "$(find "$shots" -type f | wc -l)" -eq "$(grep -c '^[a-z]' "$solution")" ]
    say "$name, $size: every screen has its size, every frame is closed" $? "$(head -n 5 "$work/faults")"
}

# only_ascii NAME
only_ascii() {
    ! LC_ALL=C grep -q '[^ -~]' "$shots"/*
    say "$1: all ASCII" $? "$(LC_ALL=C grep -l '[^ -~]' "$shots"/* | head -n 3)"
}

# taken: three sizes, each in one set of glyphs; the lessons take turns, and together have every
# size in both. The sanitizers' program must show the very screens of the release build: of each
# other lesson, and of the rest it must say the same JSON (told).
taken() {
    glyphs=$((number % 2))
    for size in 100x30 200x60 80x24; do
        glyphs=$((1 - glyphs))
        if [ $glyphs -eq 0 ]; then
            take "$lesson" "$keys" $size "$HOTSHARD" learn "$number"
        else
            take "$lesson in ASCII" "$keys" $size "$HOTSHARD" learn "$number" --ascii
            only_ascii "$lesson, $size"
        fi
    done
    [ $((number % 2)) -eq 0 ] || return 0
    mv "$shots" "$work/released"
    # shellcheck disable=SC2046 # no word, or one
    take "$lesson with sanitizers" "$keys" 80x24 "$HOTSHARD_ASAN" learn "$number" \
        $([ $glyphs -eq 0 ] || echo --ascii)
    diff -r "$work/released" "$shots" >"$work/faults"
    say "$lesson: the same screens with sanitizers" $? "$(head -n 5 "$work/faults")"
    rm -r "$work/released"
}

# --- in lines ---

# build PROGRAM: the folder that it was built in, for the names of tests.
build() {
    set -- "${1%/*}"
    echo "${1##*/}"
}

# alike PROGRAM FILE ARGUMENT...: what it says to them is in that file, byte by byte.
alike() {
    name=$(build "$1") program=$1 same=$2
    shift 2
    "$program" "$@" </dev/null >"$work/other" 2>&1
    cmp -s "$same" "$work/other"
    say "$*: the same from $name, byte by byte" $? \
        "$(diff "$same" "$work/other" | head -n 3 | cut -c 1-300)"
}

# told: all steps, whatever is answered, in $work/right, wrong and none; what the author's kit
# finds; the same from every build. The other compiler's program tells the mistakes, which is all
# there is to tell and more.
told() {
    run lesson check "$file"
    say "lesson check" "$status" "$(head -n 5 "$work/out")"
    for answers in right wrong none; do
        run run "$number" --plain --answers $answers
        cp "$work/out" "$work/$answers"
        [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
            [ "$(grep -c " step [0-9]* of $steps" "$work/out")" -eq "$steps" ]
        say "run $number --answers $answers: all $steps steps" $? "status $status: $(cat "$work/err")"
    done
    alike "$HOTSHARD_CLANG" "$work/wrong" run "$number" --plain --answers wrong
    run run "$number" --json --answers right
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ]
    say "run $number --json" $? "status $status: $(cat "$work/err")"
    [ $((number % 2)) -eq 0 ] ||
        alike "$HOTSHARD_ASAN" "$work/out" run "$number" --json --answers right
}

# mistakes NOT_SO BELIEFS
mistakes() {
    ! grep -q 'Not so\.' "$work/right" && ! grep -q 'The belief behind it' "$work/right" &&
        [ "$(grep -c 'Not so\.' "$work/wrong")" -ge "$1" ] &&
        [ "$(grep -c 'The belief behind it' "$work/wrong")" -ge "$2" ]
    say "mistakes are explained, right answers are not called wrong" $? \
        "$(grep -c 'Not so\.' "$work/wrong"), $(grep -c 'The belief behind it' "$work/wrong")"
}

# figures: each line of standard input stands in what was told of right answers, wrapped or not.
figures() {
    tr -s ' \n' '  ' <"$work/right" >"$work/squeezed"
    while read -r line; do
        has "$work/squeezed" "$line"
        say "it tells: $line" $?
    done
}

# --- the placement check ---

# placed NAME STEP ANSWER...: answers as a script has them, "type 800" or "key 3"; "key 1 4 enter"
# chooses several. Behind them one is at that step.
placed() {
    name=$1 step=$2
    shift 2
    rm -rf "$work/state"
    {
        question=0
        echo 'key P'
        for answer in "$@"; do
            question=$((question + 1))
            printf 'expect %d/%d\n%s\n' $question "$checks" "$answer"
            case $answer in type*) echo 'key enter' ;; esac
            printf 'wait\nkey space\n'
        done
        printf 'expect  %d/%d\n' "$step" "$steps"
    } >"$work/keys"
    "$HOTSHARD" learn "$number" --script "$work/keys" >"$work/out" 2>"$work/err" </dev/null
    say "placement, $name: on at step $step" $? "$(head -n 30 "$work/err")"
}

# --- drills ---

# drilled DRILL QUESTIONS SEEDS: all steps, rightly and wrongly, in $work/all: lines of JSON behind
# "right SEED " or "wrong SEED ".
drilled() {
    drill=$1 questions=$2 seeds=$3 seed=0
    while [ $seed -lt "$seeds" ]; do
        seed=$((seed + 1))
        for answers in right wrong; do
            "$HOTSHARD" run "lessons/drills/$drill.lua" --answers $answers --json --seed $seed </dev/null |
                sed "s/^/$answers $seed /"
        done
    done >"$work/all" 2>"$work/err"
    [ ! -s "$work/err" ] && [ "$(grep -c '^right .*"correct":true' "$work/all")" -eq $((seeds * questions)) ] &&
        ! grep '^right ' "$work/all" | grep -q '"correct":false'
    say "$drill: $seeds seeds are played, and right is right" $? "$(head -n 3 "$work/err")"
    # A wrong answer is wrong and is explained, and each question meets a belief. (A number or text
    # that nobody foresees, "not-..." or twice the truth and more, has none.)
    LC_ALL=C awk -v wanted=$((seeds * questions)) '
        function text(name,    at) {
            at = index($0, "\"" name "\":\"")
            if (at == 0) return ""
            at = substr($0, at + length(name) + 4)
            return substr(at, 1, index(at, "\"") - 1)
        }
        function bad(what) { print $2 " " step ": " what; faults++ }
        $1 == "wrong" && /"correct":/ && !/"correct":null/ {
            step = text("step")
            if (/"correct":true/) bad(text("answered") " is graded right")
            if (text("feedback") == "") bad(text("answered") " is not explained")
            asked += !(($2, step) in beliefs)
            beliefs[$2, step] += text("belief") != ""
        }
        END {
            for (which in beliefs) if (!beliefs[which]) { print which ": no belief is met"; faults++ }
            if (asked != wanted) { print asked " questions, not " wanted; faults++ }
            exit faults > 0
        }' "$work/all" >"$work/faults"
    say "$drill: every mistake is wrong, and explained, and has its belief" $? "$(head -n 3 "$work/faults")"
    [ "$(grep '^right ' "$work/all" | sed 's/^right [0-9]* //' | sort -u | wc -l)" -gt $((seeds * questions / 2)) ]
    say "$drill: new numbers each time" $?
    for program in "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run "lessons/drills/$drill.lua" --answers wrong --json --seed 2 </dev/null 2>&1 |
            sed 's/^/wrong 2 /' >"$work/other"
        grep '^wrong 2 ' "$work/all" | cmp -s - "$work/other"
        say "$drill: the same from $(build "$program")" $?
    done
}

# answers STEP: how often each right answer was the right one. truths STEP: SEED and what it told.
answers() {
    grep "^right .*\"step\":\"$1\"" "$work/all" | sed 's/.*"answered":"\([^"]*\)".*/\1/' | sort | uniq -c | sort -rn
}
truths() {
    grep "^right .*\"step\":\"$1\"" "$work/all" | sed 's/^right \([0-9]*\) .*"truth":"\([^"]*\)".*/\1 \2/'
}

# judge KINDS PROGRAM: the right answers against the question's own words, by an awk program: $1 is
# the seed, $2 the step, $3 text and question, $4 the answer. near(WANTED, TOLERANCE) is the verdict,
# after(WORDS) the number behind them. So many kinds of questions must have been judged.
judge() {
    grep '^right ' "$work/all" | grep '"ask":' |
        sed 's/^right \([0-9]*\) {"lesson":"[^"]*","step":"\([^"]*\)","title":"[^"]*","text":"\([^"]*\)".*"ask":"\([^"]*\)".*"answered":"\([^"]*\)".*/\1|\2|\3 \4|\5/' |
        sed 's/\([0-9]\),\([0-9]\)/\1\2/g' >"$work/lines"
    awk -F'|' -v routers=6 -v query=5 '
        function after(word,    t) { t = $3; if (!sub(".*" word, "", t)) bad("no \"" word "\""); return t + 0 }
        function bad(why) { print "seed " $1 ", " $2 ": " why; faults++ }
        function near(wanted, tolerance,    d) {
            d = $4 - wanted
            if (d > tolerance || d < -tolerance) bad($4 ", by the question " wanted)
            seen[$2]++
        }
        '"$2"'
        END { for (i in seen) kinds++; print kinds + 0 " kinds"; exit faults > 0 || kinds != '"$1"' }' \
        "$work/lines" >"$work/judged"
    say "$drill: answers are what the question's numbers make" $? "$(head -n 5 "$work/judged")"
}
