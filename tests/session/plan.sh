#!/bin/sh
# hotshard plan: the source's figures, a person's own keys, and every bad input refused in a line.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

awk 'BEGIN { for (i = 0; i < 100000; i++) print "user:" i }' >"$work/users"
run plan --from 4 --to 5 --hash fnv1a --slots 4096 --scheme mod-n --scheme slots --keys "$work/users" --json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] &&
    grep -q '^{"scheme":"mod-n","hash":"fnv1a","keys":100000,"moved":80028,"moved_share":0.80028,"busiest_over_average":[0-9.]*,"per_shard":\[.*\],"from_shards":4,"lookup_ns":[0-9.e-]*' "$work/out" &&
    grep -q '^{"scheme":"slots","hash":"fnv1a","keys":100000,"moved":20180,"moved_share":0.2018,' "$work/out"
say "user:0 to user:99999 from 4 to 5: 80,028 and 20,180" $? "$(cat "$work/out" "$work/err")"
run plan --from 4 --to 5 --hash fnv1a --slots 4096 --scheme mod-n --scheme slots --keys "$work/users"
[ "$status" -eq 0 ] && has "$work/out" " 80,028  80.0 " && has "$work/out" "(20.2%)" && no_escapes "$work/out"
say "the text says 80.0% and 20.2%" $? "$(cat "$work/out")"
"$HOTSHARD" plan --from 4 --to 5 --scheme slots --json --keys - <"$work/users" >"$work/a" &&
    run plan --from 4 --to 5 --scheme slots --json --keys "$work/users" &&
    [ "$(sed 's/"lookup_ns.*//' "$work/a")" = "$(sed 's/"lookup_ns.*//' "$work/out")" ]
say "keys from standard input count the same" $?
run plan --from 5 --remove 2 --scheme slots --synthetic 5000
[ "$status" -eq 0 ] && has "$work/out" "1 of 5"
say "only the removed shard gives its keys" $? "$(cat "$work/out")"
printf 'a\000b\n\377\376\n\nlast without newline' >"$work/odd"
run plan --from 2 --to 3 --keys "$work/odd" --json
[ "$status" -eq 0 ] && has "$work/out" '"keys":4'
say "keys are any bytes but newline" $? "$(cat "$work/out" "$work/err")"
run plan --from 1 --to 40 --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 12 ]
say "one shard to forty, by each scheme but the directory" $?
run plan --from 4 --to 5
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] && [ "$(wc -L <"$work/out")" -le 80 ] &&
    [ "$(sed -n '4,15s/ .*//p' "$work/out" | tr '\n' ' ')" = "mod-n ring slots range jump rendezvous maglev ketama bounded-load kafka cassandra kinesis " ] &&
    [ "$(grep -c '^[a-z-]*  *[a-z0-9-]*  *[0-9,]*  *[0-9.]*  *[0-9,]*  *[0-9]*  *[0-9.]*  *[0-9.]*  *[0-9.]* k*B$' "$work/out")" -eq 12 ]
say "one table of all schemes in 80 columns" $? "$(cat "$work/out")"
run plan --from 4 --to 5 --scheme kafka --scheme ring --json
[ "$status" -eq 0 ] && [ "$(cut -d, -f1 "$work/out" | tr -d '\n')" = '{"scheme":"kafka"{"scheme":"ring"' ] &&
    has "$work/out" '"moved_old_to_old":0,' && has "$work/out" '"spread":' && has "$work/out" '"build_us":'
say "schemes in the order in which they were named" $? "$(cat "$work/out")"
run plan --from 4 --to 5 --scheme range --json
[ "$status" -eq 0 ] && has "$work/out" '"scheme":"range","hash":null,"keys":10000,"moved":1250,'
say "a range splits one quarter of the keys, without any hash" $? "$(cat "$work/out")"
run plan --from 4 --to 5 --scheme ring
LC_ALL=C.UTF-8 "$HOTSHARD" plan --from 4 --to 5 --scheme ring >"$work/bars"
[ "$status" -eq 0 ] && grep -q "^S4  *-  *2,267  *0  *2,267  *[+▒][+▒]*$" "$work/out" && has "$work/bars" "▒" &&
    "$HOTSHARD" plan --from 4 --to 5 --scheme ring --ascii >"$work/bars" && ! LC_ALL=C grep -q '[^ -~]' "$work/bars"
say "one scheme: its shards as bars, in ASCII where asked" $? "$(cat "$work/out")"
run plan --from 4 --to 5 --bars
[ "$status" -eq 0 ] && [ "$(grep -c '^S4 ' "$work/out")" -eq 12 ]
say "--bars draws the shards of every scheme" $?
run plan --from 4 --to 5 --hash fnv1a --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 12 ] && one_line "$work/err" &&
    has "$work/err" "ketama, kafka, cassandra, kinesis" && has "$work/out" '"scheme":"ketama","hash":"md5"' &&
    has "$work/out" '"scheme":"jump","hash":"fnv1a"'
say "a hash for all leaves systems their own, with a note" $? "$(cat "$work/err")"
run plan --from 4 --to 5 --slots 3 --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 11 ] && one_line "$work/err" && has "$work/err" "slots is left out"
say "a scheme that cannot do it is left out with a note" $? "$(cat "$work/err")"
run plan --from 1 --to 1 --json
[ "$status" -eq 0 ] && [ "$(grep -c '"moved":0,' "$work/out")" -eq 12 ]
say "no change moves nothing" $? "$(cat "$work/out")"

awk 'BEGIN { for (i = 0; i < 1000000; i++) print "session:" i * 7919 }' >"$work/million"
start=$(date +%s)
run plan --from 4 --to 5 --keys "$work/million" --json
[ "$status" -eq 0 ] && has "$work/out" '"keys":1000000' && [ $(($(date +%s) - start)) -le 30 ]
say "a million keys, soon done, without a word to a pipe" $? "status $status"
[ ! -s "$work/err" ]
say "no progress line where nobody watches" $?

refuses "an empty path is told as such" "the path is empty" plan --from 4 --to 5 --keys ''
: >"$work/no-keys"
refuses "a file without keys is named" "no-keys holds no keys" plan --from 4 --to 5 --keys "$work/no-keys"
refuses "made-up keys have a limit" "from 1 to 100000000" plan --from 4 --to 5 --synthetic 100000001
run plan --help
has "$work/out" "100,000,000"
say "which the help states" $?
# bad input: one sentence, status 2, nothing on standard output
: >"$work/empty"
head -c 3000000 /dev/zero | tr '\0' x >"$work/endless"
refuses "an empty key file" "no keys" plan --from 4 --to 5 --keys "$work/empty"
refuses "a key file that is not there" "/nowhere" plan --from 4 --to 5 --keys /nowhere/keys
refuses "a folder as key file" "$work" plan --from 4 --to 5 --keys "$work"
refuses "one endless line" "line 1" plan --from 4 --to 5 --keys "$work/endless"
refuses "an unknown scheme" "mod-n" plan --from 4 --to 5 --scheme ringg
refuses "a misspelt scheme gets a suggestion" "slots" plan --from 4 --to 5 --scheme slot
refuses "a directory cannot be planned" "people decide" plan --from 4 --to 5 --scheme directory
refuses "an unknown hash" "fnv1a" plan --from 4 --to 5 --hash sha1
refuses "0 shards" "--from" plan --from 0 --to 5
refuses "70,000 shards" "--to" plan --from 4 --to 70000
refuses "shards in words" "--to" plan --from 4 --to five
refuses "no slots" "--slots" plan --from 4 --to 5 --slots 0
refuses "fewer slots than shards" "slots" plan --from 4 --to 5 --scheme slots --slots 3
refuses "another hash for a system's own" "murmur2" plan --from 4 --to 5 --scheme kafka --hash fnv1a
refuses "no tokens" "--tokens" plan --from 4 --to 5 --tokens 0
refuses "more points than a ring has" "tokens" plan --from 1000 --to 1001 --scheme ring --tokens 65536
refuses "what would take too long" "too long" plan --from 1 --to 65535 --scheme ring
refuses "a shard that is not there" "S9" plan --from 4 --remove 9
refuses "no shards at all" "--from" plan
refuses "two sources of keys" "exclude" plan --from 4 --to 5 --keys "$work/users" --synthetic 10
refuses "a stray word" "options only" plan --from 4 --to 5 keys.txt
if [ "$(id -u)" -ne 0 ]; then
    cp "$work/users" "$work/secret" && chmod 000 "$work/secret"
    refuses "an unreadable key file" "secret" plan --from 4 --to 5 --keys "$work/secret"
fi
if [ -w /dev/full ]; then
    "$HOTSHARD" plan --from 4 --to 5 >/dev/full 2>"$work/err" </dev/null
    [ $? -eq 2 ] && one_line "$work/err"
    say "a full disk behind standard output is noticed" $? "$(cat "$work/err")"
fi
exit "$failed"
