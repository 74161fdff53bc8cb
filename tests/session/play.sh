#!/bin/sh
# hotshard play in lines and under scripts: settings in and out, states as objects, recordings and
# logs opened, and every bad input refused in a line.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
XDG_STATE_HOME=$work/state XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_CONFIG_HOME

# lines TYPED ARGUMENT...: TYPED, with \\n between lines, is what is typed.
lines() {
    printf '%b' "$1" >"$work/typed"
    shift
    "$HOTSHARD" play "$@" >"$work/out" 2>"$work/err" <"$work/typed"
    status=$?
}

lines 'workload celebrity\nadd\nsalt 8\ncache on\n' --plain
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && no_escapes "$work/out" &&
    has "$work/out" "S4 joined: 207 of 1,000 keys moved, 20.7%, from 4 shards." &&
    has "$work/out" "key asks 8 sub-keys." &&
    has "$work/out" "settings: workload celebrity, scheme slots, tokens 16, shards 4 +4, rate 3000, salt 8, cache on"
say "lines change the cluster and tell what came of it" $? "$(cat "$work/out" "$work/err")"
[ "$(grep -c '^  shard ' "$work/out")" -eq 5 ]
say "one table a state" $?
awk 'length($0) > 100 { bad = 1 } END { exit bad }' "$work/out"
say "no line is overly long" $? "$(awk 'length($0) > 100' "$work/out")"

lines 'add\n' --json --settings 'workload celebrity, scheme mod-n'
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 2 ] &&
    grep -q '^{"future":"A","state":2,"settings":"workload celebrity, scheme mod-n, tokens 16, shards 4 +4, rate 3000","workload":"celebrity","scheme":"mod-n","shards":\[{"id":"S0","weight":100,"keys":[0-9]*,"writes":' "$work/out" &&
    has "$work/out" '"moved":812,"from_shards":4,' && has "$work/out" '"cold":null,"change":"S4 joined: 812'
say "one object a state" $? "$(cat "$work/out" "$work/err")"
lines '' --json --settings 'scheme slots' && cp "$work/out" "$work/a" &&
    lines '' --json --settings 'scheme slots' && cmp -s "$work/a" "$work/out"
say "the same bytes each time" $?

lines "scheme ring\nfork\nsalt 4\nswitch\nadd\nwrite $work/r\nundo\nredo\njoin\nquit\nadd\n" --json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(wc -l <"$work/out")" -eq 9 ] &&
    [ "$(tail -n 1 "$work/out" | grep -c 'shards 4 +4, rate 3000",')" -eq 1 ]
say "futures, steps and an end" $? "$(cat "$work/out" "$work/err")"
has "$work/r" "hotshard-play 1" && has "$work/r" "future B" && has "$work/r" "scheme ring, tokens 16, shards 4 +4"
say "a recording is text" $? "$(cat "$work/r")"
lines 'switch\n' --json "$work/r"
[ "$status" -eq 0 ] && head -n 1 "$work/out" | grep -q '"future":"B".*salt 4' &&
    tail -n 1 "$work/out" | grep -q '"future":"A".*shards 4 +4'
say "and opens again, both futures" $? "$(cat "$work/out" "$work/err")"

awk 'BEGIN { for (i = 0; i < 20000; i++) print "user:" (i % 7 == 0 ? 3 : i) }' >"$work/keys"
lines '' --plain "$work/keys"
[ "$status" -eq 0 ] && has "$work/out" "workload log"
say "somebody's own keys" $? "$(cat "$work/out" "$work/err")"
gzip -c "$work/keys" >"$work/keys.gz" 2>/dev/null && lines '' --plain "$work/keys.gz" &&
    has "$work/out" "workload log"
say "packed, too" $? "$(cat "$work/err")"
lines "add\nwrite $work/own\n" --plain "$work/keys" && lines '' --plain "$work/own" &&
    has "$work/out" "workload log, scheme slots, tokens 16, shards 4 +4"
say "a recording of them knows where they are" $? "$(cat "$work/err")"

lines 'schem ring\nscheme rign\nremove S9\nundo\nswtich\nadd\n' --plain
[ "$status" -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 5 ] &&
    has "$work/err" "did you mean scheme?" && has "$work/err" "did you mean ring?" &&
    has "$work/err" "no shard S9" && has "$work/err" "first state" &&
    has "$work/err" "did you mean switch?" && has "$work/out" "S4 joined"
say "what cannot be is a line each, and changes nothing" $? "$(cat "$work/err")"
lines 'help\n' --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && has "$work/err" "undo"
say "help leaves objects alone" $?

refuses "an unknown scheme" "did you mean ring" play --plain --settings 'scheme rnig'
refuses "settings that contradict" "no shard S7" play --plain --settings 'weight S7 200'
refuses "a file that is not there" "/nowhere" play --plain /nowhere
: >"$work/empty"
refuses "an empty log" "$work/empty" play --plain "$work/empty"
refuses "a folder" "$work" play --plain "$work"
printf 'hotshard-play 1\nscheme rong\n' >"$work/bad"
refuses "a recording with a mistake, by its line" "bad:2" play --plain "$work/bad"
refuses "a recording and settings" "leave --settings out" play --plain "$work/r" --settings 'rate 5'
refuses "two files" "one file" play --plain "$work/r" "$work/r"
refuses "a log where the keys or lines come from" "standard input" play -
refuses "a journal of lines" "write FILE" play --plain --journal "$work/j"

# On the screen.
printf 'key w +\nexpect S4 joined: 207 of 1,000\nkey f s\nexpect Future B, in hand\nkey q\nexpect playground\n' >"$work/script"
run play --new --script "$work/script" --journal "$work/journal"
[ "$status" -eq 0 ] && has "$work/journal" "future B" && has "$work/journal" "shards 4 +4"
say "keys turn it, and --journal writes the states" $? "$(cat "$work/err")"
printf 'expect future B\n' >"$work/script"
run play --script "$work/script" "$work/journal"
say "which open on the screen" "$status" "$(cat "$work/err")"
printf 'key y\nexpect future B\nkey u f w\nexpect time\nkey q\n' >"$work/script"
run --script "$work/script"
say "as it was left, from the course" "$status" "$(cat "$work/err")"
printf 'expect celebrity to time\nreject future\n' >"$work/script"
run play --script "$work/script"
say "without a file it opens where it was left" "$status" "$(cat "$work/err")"
printf 'expect popular\n' >"$work/script"
run play --new --script "$work/script"
say "and anew with --new" "$status" "$(cat "$work/err")"
exit "$failed"
