#!/bin/sh
# The glossary: on the command line, in objects, and on the screen at 80x24 from the course and from
# a step, which is byte for byte the same afterwards.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data
export XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME

# The glossary that is shipped.
run lesson check assets/glossary.txt
[ "$status" -eq 0 ]
say "every entry reads and every picture can be made" $? "$(head -c 600 "$work/out")"
run glossary
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" && [ "$(wc -l <"$work/out")" -gt 50 ]
say "all terms are listed" $? "$(cat "$work/err")"
awk 'length($0) > 100 { bad = 1 } END { exit bad }' "$work/out"
say "no line is overly long" $?
run glossary --json
terms=$(wc -l <"$work/out")
[ "$status" -eq 0 ] && [ "$terms" -eq "$(grep -c '^term:' assets/glossary.txt)" ] &&
    [ "$(grep -c '^{"term":".*","also":\[.*\],"part":[0-9]*,"say":".*","see":\[.*\],"show":".*"}$' "$work/out")" -eq "$terms" ]
say "one object a term" $? "$(head -n 2 "$work/out")"

# One of our own, so that what is in it is known; lessons are the shipped ones.
mkdir -p "$work/own/lessons" "$work/own/assets"
HOTSHARD_LESSONS=$work/own/lessons
export HOTSHARD_LESSONS
cat >"$work/own/assets/glossary.txt" <<'TERMS'
term: slot
also: hash slot
part: 1
say: One of the equal pieces into which a hash divides all keys. A slot has one owner at a time.
see: stale map, shard
show: slot_map

term: shard
part: 1
say: It holds a part of all rows. Its capacity is a ceiling.
show: bars
at: 1

term: stale map
also: old map, late map
part: 1
say: A router's map that has missed a change. The first [[shard]] that is asked says so.
see: slot
show: trace
do: deaf R5 on
do: move 12067 S3
do: request read post:{p9} via R5
TERMS

# A lesson whose words are known as well; its text is longer than its pane.
{
    printf 'return lesson { id = "90_terms", part = 90, title = "Terms", minutes = 1, world = "story-quiet",\n'
    printf '  steps = { { id = "a", title = "A step", show = { "maps" }, say = [[Hash slots, and `stale map`. '
    awk 'BEGIN { for (i = 0; i < 200; i++) printf "word%d ", i }'
    printf ']] } } }\n'
} >"$work/own/lessons/90_terms.lua"

run glossary
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 4 ] && has "$work/out" "shard                  It holds a part of all rows."
say "first sentences" $? "$(cat "$work/out" "$work/err")"
for name in 'stale map' 'Late-Maps' OLD\ MAPS; do
    run glossary "$name"
    [ "$status" -eq 0 ] && [ "$(head -n 1 "$work/out")" = "stale map" ] &&
        has "$work/out" "Also: old map, late map" && has "$work/out" "Part 1, What a shard is" &&
        has "$work/out" "See: slot" && has "$work/out" "Trace:" && has "$work/out" "MOVED"
    say "an entry by \"$name\"" $? "$(cat "$work/out" "$work/err")"
done
cp "$work/out" "$work/first"
run glossary late map
cmp -s "$work/first" "$work/out"
say "words without quotes" $? "$(cat "$work/out" "$work/err")"
run glossary hash slot --json
[ "$status" -eq 0 ] && grep -q '^{"term":"slot","also":\["hash slot"\],"part":1,"say":"One of .* at a time.","see":\["stale map","shard"\],"show":"slot_map","picture":"Slots:' "$work/out"
say "an entry as an object" $? "$(cat "$work/out" "$work/err")"
refuses "a misspelt term" 'no term is called "slto", did you mean "slot"?' glossary slto
refuses "an unknown term" 'hotshard glossary lists them' glossary quasar
refuses "an empty term" 'the term is empty; hotshard glossary lists all terms' glossary ''
refuses "a term of control characters" 'no term is called' glossary "$(printf '\033[2J')"

# On the screen. Whatever was below is there again, byte for byte.
cat >"$work/script" <<SCRIPT
resize 80x24
expect w
expect glossary
key j
save $work/home
key w
expect 3 terms
reject On this step
expect It holds a part of all rows
key /
type late
expect stale map
reject bucket
key enter
expect has missed a change
key escape escape
save $work/home-again
SCRIPT
run --script "$work/script"
[ "$status" -eq 0 ] && cmp -s "$work/home" "$work/home-again"
say "from the course and back" $? "$(cat "$work/err")"
for leave in 'escape' 'q' 'w' 'f5'; do
    cat >"$work/script" <<SCRIPT
resize 80x24
key g down down down
expect more above
expect more below
save $work/step
key w
wait
expect beside Part 90, step 1
expect On this step
expect All terms
expect One of the equal pieces
reject Also old map
key G tab
expect stale map: Trace
key tab enter
expect One of the equal pieces
key $leave
save $work/step-again
SCRIPT
    run learn 90 --script "$work/script" --no-motion
    [ "$status" -eq 0 ] && cmp -s "$work/step" "$work/step-again"
    say "from a step and back with $leave" $? "$(cat "$work/err"; diff "$work/step" "$work/step-again")"
done
printf 'key f5\nexpect 3 terms\nkey escape\nexpect Settings\n' >"$work/script"
run play --new --script "$work/script"
say "from the playground" "$status" "$(cat "$work/err")"
printf 'key w G D\nexpect The picture in words\nkey escape ?\nexpect the first term under See\nkey escape escape ?\nexpect the glossary: every term with a picture\n' >"$work/script"
run --script "$work/script" --no-motion
say "in words, and in the help" "$status" "$(cat "$work/err")"
printf 'key w G o\nexpect Part 1\nreject Glossary\n' >"$work/script"
run --script "$work/script" --no-motion --ascii
say "its part opens" "$status" "$(cat "$work/err")"

# Without one.
rm "$work/own/assets/glossary.txt"
(cd "$work" && HOTSHARD_LESSONS=$work/own/lessons && cp "$HOTSHARD" "$work/alone" &&
    "$work/alone" glossary >"$work/out" 2>"$work/err")
case $? in
0) has "$work/out" "slot" ;; # one is installed on this machine
*) [ ! -s "$work/out" ] && one_line "$work/err" && has "$work/err" "no glossary was found" ;;
esac
say "none at all is told" $? "$(cat "$work/err")"
exit "$failed"
