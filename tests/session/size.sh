#!/bin/sh
# hotshard size: the story's answers as text and as JSON, the list, and bad input refused in a line.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

all="shards routers storage throughput hotspot salt coalesce tail crosszone quorum move tokens buffer resize shardkey ids average units drives vectors skew cardinality capacity"

run size --help
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "Usage: hotshard size WHAT"
say "size --help prints its usage" $? "status $status"
run --help
has "$work/out" "  size "
say "hotshard --help lists size" $?

for what in $all; do
    run size "$what"
    [ "$status" -eq 0 ] && [ ! -s "$work/err" ] && has "$work/out" "$what: " &&
        has "$work/out" "Inputs" && has "$work/out" "Results" && has "$work/out" "Source: document" &&
        no_escapes "$work/out" && ! grep '.\{81\}' "$work/out" >"$work/wide"
    say "size $what runs with its defaults, in 80 columns" $? "status $status $(cat "$work/err" "$work/wide")"
    run size "$what" --json
    [ "$status" -eq 0 ] && one_line "$work/out" &&
        grep -q "^{\"what\":\"$what\",\"inputs\":{\"[a-z_]*\":{\"value\":[0-9.e+-]*,\"unit\":\"[^\"]*\",\"given\":false}.*},\"results\":{\"[a-z_]*\":{\"value\":[^,]*,\"unit\":\"[^\"]*\",\"how\":\"[^\"]*\"}.*}}\$" "$work/out"
    say "size $what --json has inputs and results with their units" $? "$(cat "$work/out")"
done

run size routers
[ "$status" -eq 0 ] && grep -q '^   routers  *12 routers ' "$work/out" &&
    grep -q '^   rate  *13,650 requests/s ' "$work/out"
say "13,650 requests a second need 12 routers" $? "$(cat "$work/out")"
run size routers rate=16001 zones=3
[ "$status" -eq 0 ] && grep -q '^   routers  *15 routers ' "$work/out" &&
    grep -q '^\*  rate  *16,001 requests/s ' "$work/out" && grep -q '^\*  zones ' "$work/out" &&
    grep -q '^   target_pct ' "$work/out"
say "16,001 need 15, and what was given is marked" $? "$(cat "$work/out")"
grep -A1 '^   routers  ' "$work/out" | grep -q '^     = 5 x 3$'
say "under each result stands how it comes about" $? "$(cat "$work/out")"
run size capacity
[ "$status" -eq 0 ] && grep -q '^   masters  *70 masters ' "$work/out" &&
    has "$work/out" "= 100,000 + (2,200,000 - 100,000) / 70"
say "a feature store of 500 million users needs 70 masters" $? "$(cat "$work/out")"
run size quorum write=1 --json
cat >"$work/expected" <<'END'
{"what":"quorum","inputs":{"copies":{"value":3,"unit":"copies","given":false},"write":{"value":1,"unit":"copies","given":true},"read":{"value":2,"unit":"copies","given":false}},"results":{"majority":{"value":2,"unit":"copies","how":"(3 / 2, rounded down) + 1"},"reads_overlap":{"value":false,"unit":"yes or no","how":"1 + 2 > 3"},"overlap":{"value":0,"unit":"copies","how":"1 + 2 - 3, at least 0"},"writes_overlap":{"value":false,"unit":"yes or no","how":"2 x 1 > 3"},"write_losses":{"value":2,"unit":"copies","how":"3 - 1"},"read_losses":{"value":1,"unit":"copies","how":"3 - 2"},"data_losses":{"value":2,"unit":"copies","how":"3 - 1"}}}
END
[ "$status" -eq 0 ] && cmp -s "$work/out" "$work/expected"
say "size --json keeps its form" $? "$(cat "$work/out")"
run size tail slow_pct=0 --json
[ "$status" -eq 0 ] && has "$work/out" '"one_in":{"value":null,"unit":"queries",'
say "what does not exist is null" $? "$(cat "$work/out")"
run size tail slow_pct=0
[ "$status" -eq 0 ] && grep -q '^   one_in  *none queries' "$work/out"
say "and none in words" $? "$(cat "$work/out")"
run size coalesce --json
[ "$status" -eq 0 ] && has "$work/out" '"queries_by_key":{"value":195.6521739,"unit":"queries/s","how":"9,000 / (1 + 9,000 x 5 / 1,000)"}'
say "coalescing by key leaves 195.65 queries a second" $? "$(cat "$work/out")"

run size --list
for what in $all; do
    grep -q "^$what  " "$work/out"
    say "size --list names $what" $? "$(cat "$work/out")"
done
run size --list --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 23 ] && [ "$(grep -c '^{"what":"[a-z]*","about":".*","inputs":{.*"low":.*"high":.*"whole":.*},"results":{.*},"formula":".*","source":"document.*"}$' "$work/out")" -eq 23 ]
say "size --list --json has a line for each" $? "$(head -n 1 "$work/out")"

refuses "no calculator" "shards, routers" size
refuses "an unknown calculator" "there are shards, routers" size zebra
refuses "a misspelt calculator gets a suggestion" "did you mean routers?" size router
refuses "an unknown input" "rate, shard_rate, target_pct" size shards speed=3
refuses "a word that is no input" "name=value" size shards 12
refuses "no number" "rate=many is not a number" size shards rate=many
refuses "an empty number" "not a number" size shards rate=
refuses "a number with commas" "not a number" size shards rate=38,750
refuses "a hexadecimal number" "not a number" size shards rate=0x10
refuses "infinity" "not a number" size shards rate=inf
refuses "a negative number" "from 0 to" size shards rate=-5
refuses "a huge number" "out of range" size shards rate=1e300
refuses "a number nearly 0" "too near to 0" size shards rate=1e-300
refuses "half a bucket" "whole number" size shards buckets=0.5
refuses "an input twice" "given twice" size shards rate=1 rate=2
refuses "more readers than copies" "3 copies" size quorum read=4
refuses "a list of one" "takes no argument" size --list shards
long=$(head -c 100000 /dev/zero | tr '\0' x)
refuses "an input of 100 kB" "name=value" size shards "$long"
refuses "a calculator of 100 kB" "there is no calculator" size "$long"
run size shards "$(printf 'rate=\033]0;title\007')"
[ "$status" -eq 2 ] && no_escapes "$work/err"
say "control characters of an input are shown, not sent" $?
exit "$failed"
