#!/bin/sh
# docs/mechanisms.md: every row has its five cells, and each scene, drill and test that it names is
# there; every lesson's part has its table.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
table=docs/mechanisms.md

# Rows as "part|mechanism|source|scene|drill|test".
awk -F '|' '
    /^## Part / { part = $0; sub(/^## Part /, "", part); sub(/:.*/, "", part) }
    /^\|/ && !/^\|---/ && !/^\| mechanism / {
        line = part
        for (i = 2; i < NF; i++) { gsub(/^ +| +$/, "", $i); line = line "|" $i }
        print line
    }' "$table" >"$work/rows"
[ "$(wc -l <"$work/rows")" -ge 450 ]
say "the table has its rows" $? "$(wc -l <"$work/rows")"

awk -F '|' '{ for (i = 1; i <= 6; i++) if ($i == "") bad = 1; if (NF != 6) bad = 1 } bad { print; bad = 0 }' \
    "$work/rows" >"$work/faults"
[ ! -s "$work/faults" ]
say "no cell is empty" $? "$(head -n 3 "$work/faults")"

cut -d '|' -f 2 "$work/rows" | sort | uniq -d >"$work/faults"
[ ! -s "$work/faults" ]
say "no mechanism stands there twice" $? "$(head -n 3 "$work/faults")"

: >"$work/faults"
while IFS='|' read -r part mechanism source scene drill test; do
    grep -q "^ *{* *id = \"${scene#* }\"\|[{ ]id = \"${scene#* }\"" lessons/"${scene%% *}"_*.lua ||
        echo "$part, $mechanism: no scene $scene" >>"$work/faults"
    [ -f "lessons/drills/$drill.lua" ] || echo "$part, $mechanism: no drill $drill" >>"$work/faults"
    [ -f "tests/$test" ] || echo "$part, $mechanism: no test $test" >>"$work/faults"
    case $source in
    *00[034]*) ;;
    *) echo "$part, $mechanism: no source $source" >>"$work/faults" ;;
    esac
done <"$work/rows"
[ ! -s "$work/faults" ]
say "scenes, drills and tests are there" $? "$(head -n 20 "$work/faults")"

for file in lessons/[0-9]*.lua; do
    number=$(basename "$file" | sed 's/^0*\([0-9][0-9]*\)_.*/\1/')
    [ "$(cut -d '|' -f 1 "$work/rows" | grep -cx "$number")" -gt 0 ] || echo "$file" >>"$work/parts"
done
[ ! -s "$work/parts" ]
say "every part has its table" $? "$(cat "$work/parts" 2>/dev/null)"
exit "$failed"
