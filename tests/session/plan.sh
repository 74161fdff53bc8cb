#!/bin/sh
# hotshard plan: the source's figures, a person's own keys, and every bad input refused in a line.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT

awk 'BEGIN { for (i = 0; i < 100000; i++) print "user:" i }' >"$work/users"
run plan --from 4 --to 5 --hash fnv1a --slots 4096 --keys "$work/users" --json
[ "$status" -eq 0 ] && [ ! -s "$work/err" ] &&
    grep -q '^{"scheme":"mod-n","hash":"fnv1a","keys":100000,"moved":80028,"moved_share":0.80028,"busiest_over_average":[0-9.]*,"per_shard":\[.*\],"from_shards":4,"lookup_ns":[0-9.e-]*' "$work/out" &&
    grep -q '^{"scheme":"slots","hash":"fnv1a","keys":100000,"moved":20180,"moved_share":0.2018,' "$work/out"
say "user:0 to user:99999 from 4 to 5: 80,028 and 20,180" $? "$(cat "$work/out" "$work/err")"
run plan --from 4 --to 5 --hash fnv1a --slots 4096 --keys "$work/users"
[ "$status" -eq 0 ] && has "$work/out" "80.0%" && has "$work/out" "20.2%" && no_escapes "$work/out"
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
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 2 ]
say "one shard to forty" $?

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
refuses "fewer slots than shards" "slots" plan --from 4 --to 5 --slots 3
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
