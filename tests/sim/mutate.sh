#!/bin/sh
# Faults put into the protocols' code, one at a time: the models, the unit tests or the simulator
# must notice each. `mutate.sh` takes the rules and a part of the faults, `mutate.sh all` all of them
# (make soak); `mutate.sh show FILE N` shows one and who catches it.
#
# Rules: each is taken out of the code itself (`rule_on` is false there), in src/proto and in
# src/engine; a model or the simulator must notice.
#
# Faults: tests/mutants/mutants.awk makes them. Each is looked at by, in this order, the model of
# that protocol in its smaller world, the unit test of the file, the model once more with each rule
# left out (a rule that is not missed any more), the larger world, and the simulator. What none of
# them catches is in tests/mutants/survivors.tsv with the reason; what is there and is caught is an
# error as well, so that the table stays true.
#
# The objects and archives beside the program are used; only what a fault changes is compiled.
# shellcheck disable=SC2086,SC2013 # libraries are several words, names of files one each
set -u
: "${HOTSHARD:=$PWD/hotshard}"
built=${HOTSHARD%/*}
cc=${CC:-gcc}
here=tests/mutants
survivors=$here/survivors.tsv
part=8 # one in so many faults, when not all are asked for
files='move.c slot.h ask.c dual.c flush.c fill.c flight.c stripe.c lease.c breaker.c sketch.c commit.c saga.c term.c gather.c'
tab=$(printf '\t')
libs=$(pkg-config --libs zlib libutf8proc) # that base uses

compile() {
    "$cc" -std=c17 -O1 -w -I"$2" -Isrc -Itests -D_POSIX_C_SOURCE=200809L -c -o "$2/$3" "$1"
}

# What else is compiled again for a header: who decides by it.
users() {
    case $1 in
    slot.h) echo 'src/check/ask.c src/check/fence_and_flip.c src/engine/shard.c' ;;
    esac
}

models_of() {
    case $1 in
    move.c) echo fence-and-flip ;;
    slot.h) echo fence-and-flip ask ;;
    ask.c) echo ask ;;
    dual.c) echo dual-write ;;
    flush.c) echo preagg ;;
    fill.c) echo micro-cache ;;
    flight.c) echo coalesce ;;
    stripe.c) echo striped-balance ;;
    term.c) echo failover ;;
    commit.c) echo two-phase-commit ;;
    saga.c) echo saga ;;
    gather.c) echo scatter ;;
    esac
}

# Links a program of these objects with what was compiled in its folder.
link() {
    folder=$1 program=$2
    shift 2
    "$cc" -o "$folder/$program" "$@" "$folder"/*.o "$built/libcheck.a" "$built/libengine.a" \
        "$built/libplace.a" "$built/libproto.a" "$built/libbase.a" $libs -lm -pthread
}

driver() { timeout 20 "$1/driver" "$2" "$3" >"$1/said" 2>&1; }

# by_simulator FOLDER SEEDS [FROM]: it breaks an invariant, or crashes.
by_simulator() {
    timeout 60 "$1/sim" many "$2" "${3:-1}" >"$1/said" 2>&1
    status=$?
    [ $status -gt 1 ] || grep -q '^# seed .* event \|^# the engine crashed\|^# a process' "$1/said"
}

# The unit tests of the file, compiled again for a header.
by_unit_test() {
    tests=${2%.*}
    [ "$2" != slot.h ] || tests='slot ask'
    for test in $tests; do
        object=$built/unit/proto/test_$test.o
        case $2 in
        *.h)
            object=$1.unit.o
            compile "tests/unit/proto/test_$test.c" "$1" "../${object##*/}" || return 1
            ;;
        esac
        "$cc" -o "$1/unit" "$object" "$1"/*.o "$built/libcheck.a" "$built/libengine.a" \
            "$built/libplace.a" "$built/libproto.a" "$built/libbase.a" $libs -lm -lcmocka ||
            return 1
        timeout 20 "$1/unit" >"$1/said" 2>&1 || return 0
    done
    return 1
}

# Who catches the fault of this folder; nothing: nobody.
catcher() {
    folder=$1 file=$2
    link "$folder" driver "$work/driver.o" || return
    for model in $(models_of "$file"); do
        driver "$folder" small "$model" || { echo "model $model"; return; }
    done
    if by_unit_test "$folder" "$file"; then echo "unit test"; return; fi
    for model in $(models_of "$file"); do
        driver "$folder" rules "$model" || { echo "model $model"; return; }
        grep 'does not' "$folder/said" >"$folder/needless"
        if grep -vxFf "$work/$model.needless" "$folder/needless" >"$folder/said"; then
            echo "rules of $model"
            return
        fi
        driver "$folder" large "$model" || { echo "model $model, the larger world"; return; }
    done
    link "$folder" sim "$built"/sim/*.o || return
    if by_simulator "$folder" 400; then echo "simulator"; fi
}

# one FILE N: compiles the fault, prints "FILE N WHO".
one() {
    folder=$work/$1.$2
    mkdir -p "$folder/proto"
    case $1 in
    *.h) awk -v want="$2" -f $here/mutants.awk "src/proto/$1" >"$folder/proto/$1" ;;
    *) awk -v want="$2" -f $here/mutants.awk "src/proto/$1" >"$folder/$1" ;;
    esac
    who=
    case $1 in
    *.h) for user in $(users "$1"); do compile "$user" "$folder" "$(basename "$user" .c).o"; done ;;
    *) compile "$folder/$1" "$folder" "${1%.c}.o" ;;
    esac 2>"$folder/cc" || who="compiler"
    [ -n "$who" ] || who=$(catcher "$folder" "$1" 2>"$folder/log")
    printf '%s\t%s\t%s\n' "$1" "$2" "${who:-nobody}"
    [ -n "${KEEP:-}" ] || rm -rf "$folder" "$folder.unit.o"
}

# rule NAME[|NAME] SEED: its code is broken wherever it is asked for.
rule() {
    folder=$work/rule.$2
    folder=$(mktemp -d "$work/rule.XXXXXX")
    for file in $(grep -lE "rule_on\\([a-z>-]*rules, ($1)\\)" src/proto/*.[ch] src/engine/*.c \
        src/engine/*/*.c); do
        name=$(basename "$file")
        case $file in
        *.h)
            mkdir -p "$folder/proto"
            awk -v off="($1)" -f $here/mutants.awk "$file" >"$folder/proto/$name"
            ;;
        *) awk -v off="($1)" -f $here/mutants.awk "$file" >"$folder/$name" ;;
        esac
    done
    for file in "$folder"/proto/*.h; do
        [ -f "$file" ] || continue
        for user in $(users "$(basename "$file")"); do
            [ -f "$folder/$(basename "$user")" ] || cp "$user" "$folder"
        done
    done
    for file in "$folder"/*.c; do
        compile "$file" "$folder" "$(basename "$file" .c).o" || return
    done
    who=
    link "$folder" driver "$work/driver.o" && link "$folder" sim "$built"/sim/*.o || return
    for model in $all_models; do
        driver "$folder" small "$model" || who="$who, model $model"
    done
    if by_simulator "$folder" 2 "$2"; then who="$who, simulator"; fi
    printf '%s\t%s\n' "$1" "${who#, }"
    [ -n "${KEEP:-}" ] || rm -rf "$folder"
}

all_models='fence-and-flip ask dual-write preagg micro-cache coalesce striped-balance two-phase-commit saga failover scatter'

case ${1:-} in
one)
    one "$2" "$3"
    exit
    ;;
rule)
    rule "$2" "$3"
    exit
    ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/hotshard-mutants.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT HUP TERM
export HOTSHARD work
failed=0

say() {
    if [ "$2" -eq 0 ]; then
        echo "ok $1"
    else
        echo "not ok $1 - ${3:-}" | head -n 12
        failed=1
    fi
}

"$cc" -std=c17 -O1 -w -Isrc -D_POSIX_C_SOURCE=200809L -c -o "$work/driver.o" $here/driver.c || exit 2
mkdir "$work/none"
"$cc" -o "$work/none/driver" "$work/driver.o" "$built/libcheck.a" "$built/libproto.a" \
    "$built/libbase.a" $libs -pthread || exit 2
for model in $all_models; do
    driver "$work/none" small "$model"
    say "$model holds without a fault" $? "$(cat "$work/none/said")"
    driver "$work/none" rules "$model"
    grep 'does not' "$work/none/said" >"$work/$model.needless"
done

if [ "${1:-}" = show ]; then
    awk -v n="$3" -F '\t' -f $here/mutants.awk "src/proto/$2" | awk -v n="$3" -F '\t' '$1 == n'
    one "$2" "$3"
    exit
fi

# Rules, by the seed that shows each (tests/sim/sim_rules.c); those that cover for each other go
# together.
sed -n 's/^ *{ALONE(\(RULE_[A-Z_]*\)), .*, \([0-9]*\)},$/\1 \2/p
    s/^ *{\(RULE_[A-Z_]*\), \(RULE_[A-Z_]*\), .*, \([0-9]*\)},$/\1|\2 \3/p' \
    tests/sim/sim_rules.c >"$work/rules"
xargs -P 2 -L 1 "$0" rule <"$work/rules" >"$work/rules.caught" 2>"$work/rules.log"
rules=$(wc -l <"$work/rules")
caught=$(awk -F '\t' '$2 != ""' "$work/rules.caught" | wc -l)
[ "$rules" -ge 36 ] && [ "$caught" -eq "$rules" ]
say "$rules rules taken out of the code: a model or the simulator notices each" $? \
    "$caught did; $(awk -F '\t' '$2 == "" { print $1 }' "$work/rules.caught") $(cat "$work/rules.log")"
awk -F '\t' '/model/ { m++ } /simulator/ { s++ }
    END { print "## " m " rules by a model, " s " by the simulator" }' "$work/rules.caught"

# Faults.
for file in $files; do
    awk -f $here/mutants.awk "src/proto/$file" | sed "s/^/$file$tab/"
done >"$work/faults"
if [ "${1:-}" = all ]; then part=1; fi
# Those in the table are all asked for when all are: they take longest.
awk -F '\t' -v part="$part" '
    NR == FNR { if ($0 !~ /^#/) known[$1 FS $2 FS $3 FS $4] = 1; next }
    { is = ($1 FS $3 FS $5 FS $6) in known; if (is && part > 1) next }
    ++n % part == 0 { print $1, $2 }' $survivors "$work/faults" >"$work/asked"
xargs -P 2 -L 1 "$0" one <"$work/asked" >"$work/caught" 2>"$work/log"
awk -F '\t' '
    FILENAME ~ /survivors/ { if ($0 !~ /^#/) why[$1 FS $2 FS $3 FS $4] = $5; next }
    FILENAME ~ /faults/ { is[$1 FS $2] = $1 FS $3 FS $5 FS $6; there[$1 FS $3 FS $5 FS $6] = 1; next }
    {
        all++
        fault = is[$1 FS $2]
        who = $3
        sub(/[ ,].*/, "", who)
        by[who]++
        if (who == "compiler") print "is no C: " $1 " " $2 ": " fault
        else if (who != "nobody" && fault in why) print "is caught by now: " fault
        else if (who == "nobody" && !(fault in why)) print "survives: " $1 " " $2 ": " fault
    }
    END {
        for (fault in why) {
            if (!(fault in there)) print "no such fault: " fault
            if (why[fault] == "") print "no reason: " fault
        }
        print "## " all " faults: " by["model"] + 0 " caught by a model, " by["unit"] + 0 \
            " by a unit test, " by["rules"] + 0 " by a rule that is not missed any more, " \
            by["simulator"] + 0 " by the simulator, " by["nobody"] + 0 " by nobody" >"/dev/stderr"
    }' $survivors "$work/faults" "$work/caught" >"$work/wrong" 2>"$work/sum"
[ "$(wc -l <"$work/caught")" -eq "$(wc -l <"$work/asked")" ] && [ ! -s "$work/wrong" ]
say "$(wc -l <"$work/asked") faults of $(wc -l <"$work/faults") put into src/proto are noticed, or harmless" \
    $? "$(cat "$work/wrong" "$work/log")"
cat "$work/sum"
[ -z "${KEEP:-}" ] || cp "$work/caught" "$work/rules.caught" "$work/faults" "$KEEP"
exit $failed
