#!/bin/sh
# The same seed and the same keys give the same journal and the same screens: with either compiler,
# with sanitizers, twice in a row. A journal that was tampered with is refused at its line.
# (unit/app/test_walk.c: each step back has the digest of that step, and a replayed journal draws
# the same pictures.)
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
: "${HOTSHARD_ASAN:=$HOTSHARD}" "${HOTSHARD_CLANG:=$HOTSHARD}"
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME
solution=tests/lesson/01_what_a_shard_is.keys
steps=$(lesson_steps 01_what_a_shard_is)

# Without its end, since the journal is that of the lesson under way.
awk '/^expect Course/ { exit } NR > 1 { print before } { before = $0 }' "$solution" >"$work/keys"
awk -v folder="$work/now" '
    { print }
    /^[a-z]/ { printf "save-dump %s/%03d\n", folder, ++n }' "$work/keys" >"$work/shown"

# play NAME SEED PROGRAM: $work/NAME.journal and $work/NAME.screens
play() {
    rm -rf "$work/state" "$work/now"
    mkdir "$work/now"
    "$3" learn 1 --seed "$2" --script "$work/shown" --journal "$work/$1.journal" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] && [ ! -s "$work/out" ] && [ ! -s "$work/err" ] && [ -s "$work/$1.journal" ]
    say "the lesson is played: $1" $? "status $status: $(head -n 40 "$work/err")"
    for shot in "$work/now"/*; do
        [ -f "$shot" ] || continue
        echo "== ${shot##*/}"
        cat "$shot"
    done >"$work/$1.screens"
}

# same A B
same() {
    cmp -s "$work/$1.journal" "$work/$2.journal"
    say "$1 and $2: the same journal" $? "$(diff "$work/$1.journal" "$work/$2.journal" | head -n 3)"
    cmp -s "$work/$1.screens" "$work/$2.screens" && [ "$(grep -c '^== ' "$work/$1.screens")" -ge 100 ]
    say "$1 and $2: the same screens, styles too" $? "$(diff "$work/$1.screens" "$work/$2.screens" | head -n 3)"
}

play gcc 1 "$HOTSHARD"
play gcc-again 1 "$HOTSHARD"
play asan 1 "$HOTSHARD_ASAN"
play clang 1 "$HOTSHARD_CLANG"
same gcc gcc-again
same gcc asan
same gcc clang
play other-seed 77 "$HOTSHARD"
play other-seed-clang 77 "$HOTSHARD_CLANG"
same other-seed other-seed-clang
! cmp -s "$work/gcc.journal" "$work/other-seed.journal"
say "another seed has another journal" $?

# Drills: every number comes from the seed.
for seed in 1 2 99 18446744073709551615; do
    for program in "$HOTSHARD" "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
        "$program" run lessons/drills/modn-vs-slots.lua --answers wrong --json --seed $seed </dev/null
    done >"$work/three" 2>&1
    awk '{ line[NR] = $0 } END {
        n = NR / 3
        for (i = 1; i <= n; i++) if (line[i] != line[i + n] || line[i] != line[i + 2 * n]) exit 1
        exit NR < 9 || NR % 3 != 0 }' "$work/three"
    say "the drill with seed $seed is the same in all programs" $? "$(head -c 300 "$work/three")"
done

# Replays: the digests of the journal, and at its end the one it ends with.
for program in "$HOTSHARD" "$HOTSHARD_ASAN" "$HOTSHARD_CLANG"; do
    "$program" replay "$work/gcc.journal" >"$work/replayed" 2>"$work/err" </dev/null
    status=$?
    [ "$status" -eq 0 ] &&
        [ "$(tail -n 1 "$work/replayed")" = "$(tail -n 1 "$work/gcc.journal" | cut -d ' ' -f 3-)" ] &&
        grep -q '^digest [0-9a-f]\{32\}$' "$work/replayed"
    say "the journal replays to the digest that it ends with" $? "$(cat "$work/replayed" "$work/err")"
done

# refused NAME SED LINE: the journal, changed so, is refused at that line, status 1.
refused() {
    sed "$2" "$work/gcc.journal" >"$work/bent"
    ! cmp -s "$work/bent" "$work/gcc.journal"
    say "$1: the journal differs" $?
    run replay "$work/bent"
    [ "$status" -eq 1 ] && [ ! -s "$work/out" ] && one_line "$work/err" && grep -q "[^0-9]$3[^0-9]" "$work/err"
    say "$1: refused at line $3" $? "status $status: $(cat "$work/err")"
}
# line_of TEXT: the number of the first line that holds it.
line_of() {
    grep -n -F -m 1 -e "$1" "$work/gcc.journal" | cut -d : -f 1
}
# digest_after LINE: the next digest's line.
digest_after() {
    awk -v line="$1" 'NR > line && $3 == "digest" { print NR; exit }' "$work/gcc.journal"
}
digest=$(digest_after 10)
refused "a digest of other digits" "${digest}s/digest [0-9a-f]\{4\}/digest 0000/" "$digest"
move=$(line_of "move 12067")
refused "a slot that moves elsewhere" "${move}s/S[0-9]*\$/S0/" "$(digest_after "$move")"
like=$(line_of "request like likes:{p9}")
refused "a like that never was" "${like}s/like/read/" "$(digest_after "$like")"
rule=$(line_of "rule slot-table-check off")
refused "a rule that stays on" "${rule}s/off/on/" "$(digest_after "$rule")"
refused "another seed" "1s/seed=1/seed=2/" 2
refused "a command that does not exist" "${rule}s/rule/ruin/" "$rule"
refused "a command at a time that does not fit" "${move}s/^[0-9]* [0-9]*/1 1/" "$move"

# Stepping back forgets: as if the steps after had never been taken.
until_step() {
    awk -v stop="expect  $1" '{ print } $0 == stop { exit }' "$solution"
}
until_step "10/$steps" >"$work/shown"
play forwards 1 "$HOTSHARD"
{
    until_step "14/$steps"
    printf 'key b\nkey b\nkey b\nkey b\nexpect  10/%d\n' "$steps"
} >"$work/shown"
play back 1 "$HOTSHARD"
cmp -s "$work/forwards.journal" "$work/back.journal"
say "four steps further and four back: the journal as it was" $? \
    "$(diff "$work/forwards.journal" "$work/back.journal" | head -n 3)"
exit "$failed"
