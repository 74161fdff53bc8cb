#!/bin/sh
# The drills that read what operators see: read-cluster-check, read-cluster-nodes, read-nodetool-ring and
# read-slot-stats. Their answers are worked out once more, from nothing but the text that stands beside the
# question.
# shellcheck disable=SC1091,SC2016,SC2154
set -u
. tests/lesson/lib.sh

# What the scripts below share: pictures as lines that are whole again, each with its seed; `bad`, `seen`.
# A question calls judge(), which sees title, said, ask, answer, picture[1 .. pictures][1 .. lines].
cat >"$work/reading.awk" <<'AWK'
function bad(why) { print "seed " seed ", " title ": " why; faults++ }
function is(wanted) { if (answer != wanted) bad("\"" answer "\", by the text \"" wanted "\""); seen[title] = 1 }
function near(wanted, tolerance,    d) { d = answer - wanted; if (d > tolerance || d < -tolerance) bad(answer ", by the text " wanted); seen[title] = 1 }
function begin_step() { pictures = 0; said = ""; in_picture = 0; asked = 0 }
/^seed / { seed = $2; begin_step(); next }
/ step [0-9]+ of [0-9]+, / { begin_step(); title = $0; sub(/  .*/, "", title); next }
/^What the operator sees:/ { if (!asked) { in_picture = 1; lines[++pictures] = 0 } ; next }
/^  Question: / { in_picture = 0; asked = 1; ask = $0; gsub(/[^ -~]/, "", ask); in_question = 1; next }
/^  Your answer: / { answer = $0; sub(/^  Your answer: /, "", answer); gsub(/,/, "", answer); in_question = 0; judge(); next }
in_question { ask = ask " " $0; next }
in_picture {
    line = substr($0, 3)
    if (line ~ /^  [^ ]/ && lines[pictures] > 0 && picture[pictures, lines[pictures]] !~ /^$/) picture[pictures, lines[pictures]] = picture[pictures, lines[pictures]] " " substr(line, 3)
    else picture[pictures, ++lines[pictures]] = line
    next
}
!asked { said = said " " $0 }
# Slots of a list of ranges, and whether a slot is among them.
function ranges(text, part, ends,    n, i) { n = split(text, part, /[^0-9-]+/); counted = 0; delete low; delete high
    for (i = 1; i <= n; i++) if (part[i] ~ /^[0-9]/) { split(part[i], ends, "-"); low[++counted] = ends[1]; high[counted] = part[i] ~ /-/ ? ends[2] : ends[1] }
    return counted }
function slots_in(text,    i, sum) { ranges(text); for (i = 1; i <= counted; i++) sum += high[i] - low[i] + 1; return sum + 0 }
function holds(text, slot,    i) { ranges(text); for (i = 1; i <= counted; i++) if (slot + 0 >= low[i] + 0 && slot + 0 <= high[i] + 0) return 1; return 0 }
END { for (i in seen) kinds++; print kinds + 0 " kinds"; exit faults > 0 || kinds != wanted }
AWK

# reread DRILL SEEDS KINDS PROGRAM: titles of questions that must have been judged, and by what.
reread() {
    seed=0
    while [ $seed -lt "$2" ]; do
        seed=$((seed + 1))
        echo "seed $seed"
        "$HOTSHARD" run "lessons/drills/$1.lua" --plain --answers right --seed $seed </dev/null
    done >"$work/texts" 2>"$work/err"
    printf '%s\n' "$4" >"$work/judge.awk"
    LC_ALL=C awk -v wanted="$3" -f "$work/judge.awk" -f "$work/reading.awk" "$work/texts" >"$work/judged"
    say "$1: answers are what the text makes them" $? "$(head -n 5 "$work/judged")"
}

drilled read-cluster-check 6 6
reread read-cluster-check 40 4 '
function look(    i, line, was) {
    sum = gone = open = opened = disagree = uncovered = leaders = empty = bare = 0
    for (i = 1; i <= lines[1]; i++) {
        line = picture[1, i]
        if (line ~ /Connection refused/) gone++
        if (line ~ /^M: /) { leaders++; was = i }
        if (line ~ /slots\) *master/) { match(line, /\([0-9]+ slots/); own[leaders] = substr(line, RSTART + 1) + 0; sum += own[leaders]; empty += own[leaders] == 0 }
        copies[leaders] = line ~ /additional replica/ ? 1 : was == i ? 0 : copies[leaders]
        if (line ~ /migrating state|importing state/) open++
        if (line ~ /following slots are open/) { sub(/.*: /, "", line); opened = split(line, part, ",") }
        if (line ~ /agree about configuration!/) disagree = 1
        if (line ~ /Not all 16384/) uncovered = 1
    }
    for (i = 1; i <= leaders; i++) if (!copies[i]) bare = i
    kind = gone ? "A leader is gone" : open ? "Slots are on their way" : uncovered ? "All nodes live" : disagree ? "Nodes know different" : empty ? "Nothing fails. A leader has no slots" : bare ? "Nothing fails. A leader has no replica" : "?"
}
function judge() {
    if (title ~ /alarm|night/) { look(); if (index(answer, kind) == 0) bad(answer ", by the text " kind); seen[title] = 1 }
    if (title ~ /bad/) { look(); near(gone || uncovered && !open ? 16384 - sum : opened ? opened : disagree ? 0 : empty ? int(16384 / leaders) : own[bare], 0) }
    if (title ~ /first/) { if (answer !~ /^[1-4] /) bad(answer); seen[title] = 1 }
}'
drilled read-cluster-nodes 6 6
reread read-cluster-nodes 40 6 '
# The line of a host, and its slots.
function line_of(p, host,    i) { for (i = 1; i <= lines[p]; i++) if (index(picture[p, i], "," host " ")) return picture[p, i]; return "" }
function slots_of(p, host,    t) { t = line_of(p, host); sub(/.*connected ?/, "", t); gsub(/\[[^]]*\]/, "", t); return t }
function owner(p, slot,    n) { for (n = 0; n < 4; n++) if (holds(slots_of(p, "s" n), slot)) return "s" n; return "nobody" }
function number(text,    t) { t = ask; sub(".*" text, "", t); gsub(/,/, "", t); return t + 0 }
function host_of(text,    t) { t = said; sub(".*" text, "", t); sub(/[^s0-9].*/, "", t); return t }
function judge(    t, id, i, n, m, slot) {
    if (title ~ /Whose/) is(owner(1, number("slot ")))
    if (title ~ /silent/) { ill = host_of("ago "); t = line_of(1, ill)
        t = t ~ /,fail\?/ ? "The node that you ask" : t ~ /,fail / ? "A majority" : t ~ /disconnected/ ? "Its link" : "?"
        if (index(answer, t) == 0) bad(answer ", by the text " t); seen[title] = 1 }
    if (title ~ /slots/) near(slots_in(slots_of(1, ill)), 0)
    if (title ~ /bracket/) { slot = number("slot ")
        for (i = 1; i <= lines[1]; i++) if (match(picture[1, i], "\\[" slot "-[<>]-")) { id = substr(picture[1, i], RSTART + RLENGTH, 40) }
        for (i = 1; i <= lines[1]; i++) if (index(picture[1, i], id) == 1) { match(picture[1, i], /,s[0-9]/); t = substr(picture[1, i], RSTART + 1, 2) }
        is(t) }
    if (title ~ /views/) { differs = -1 # it stands alone in the second view
        for (n = 0; n < 4; n++) { m = 0; ranges(slots_of(2, "s" n)); for (i = 1; i <= counted; i++) if (low[i] == high[i]) single[++m] = low[i]
            for (i = 1; i <= m; i++) if (owner(1, single[i]) != "s" n) differs = single[i] }
        near(differs, 0) }
    if (title ~ /right/) { t = owner(1, differs); id = owner(2, differs); split(line_of(2, t), one, " "); split(line_of(2, id), two, " ")
        is(one[7] + 0 > two[7] + 0 ? t : id) }
}'
drilled read-nodetool-ring 6 6
reread read-nodetool-ring 40 6 '
# awk counts in doubles: tokens are compared as texts of one length, the negative ones first.
function sortable(token) { return token ~ /^-/ ? "0" sprintf("%019d", 0) : "1" }
function less(a, b,    x, y) {
    if ((a ~ /^-/) != (b ~ /^-/)) return a ~ /^-/
    x = a; y = b; sub(/^-/, "", x); sub(/^-/, "", y)
    if (length(x) != length(y)) return (length(x) < length(y)) != (a ~ /^-/)
    return x == y ? 0 : (("x" x) < ("x" y)) != (a ~ /^-/)
}
function look(p,    i, n) {
    count = hosts = 0; delete known
    for (i = 1; i <= lines[p]; i++) if (picture[p, i] ~ /^10\.1\./) {
        n = split(picture[p, i], part, " +")
        who[++count] = part[1]; token[count] = part[n]; up[part[1]] = part[3] == "Up"
        if (!(part[1] in known)) { known[part[1]] = ++hosts }
    }
}
function first_of(t,    i) { for (i = 1; i <= count; i++) if (!less(token[i], t)) return i; return 1 }
function copies_of(i,    n) { delete has; for (n = 0; n < count && has_count() < 3; n++) has[who[(i - 1 + n) % count + 1]] = 1 }
function has_count(    i, n) { for (i in has) n++; return n + 0 }
function judge(    t, i, n, all, some, want, level, most, even) {
    if (title ~ /^A ring/) { look(1); near(hosts, 0) }
    if (title ~ /^Whose/) { look(1); t = said; sub(/.* This key.s is */, "", t); sub(/ .*/, "", t); place = first_of(t); is(who[place]) }
    if (title ~ /copies/) { look(1); copies_of(place); n = split(answer, part, " ")
        if (n != 3) bad(answer)
        for (i = 1; i <= n; i++) { t = 9 + part[i]; if (!(("10.1.0." t) in has)) bad(answer " has 10.1.0." t) }
        seen[title] = 1 }
    if (title ~ /even/) { most = n = 0
        for (i = 1; i <= lines[1]; i++) if (match(picture[1, i], /[0-9.]+%/)) { n++; t = substr(picture[1, i], RSTART) + 0; most = t > most ? t : most }
        near(most * n / 3 - 100, 1) }
    if (title ~ /down/) { look(2); t = said; sub(/.* level [A-Z]+: /, "", t); want = t + 0; all = some = 0
        for (i = 1; i <= count; i++) { copies_of(i); n = 0; for (t in has) n += up[t]; if (n < want) some = 1; else all++ }
        t = some ? all ? "Some keys" : "Nothing can be read" : "Nothing: all"
        if (index(answer, t) == 0) bad(answer ", by the text " t); seen["down"] = 1 }
    if (title ~ /first/) { t = said; sub(/.* down for /, "", t); if (index(answer, t + 0 > 3 ? "repair" : "Hints") == 0) bad(answer " after " (t + 0)); seen[title] = 1 }
}'
drilled read-slot-stats 4 6
reread read-slot-stats 40 4 '
function look(    i, n) {
    slots = 0
    for (i = 1; i <= lines[1]; i++) {
        if (match(picture[1, i], /^ *[0-9]+\) 1\) \(integer\) /)) slot[++slots] = substr(picture[1, i], RLENGTH + 1) + 0
        else if (match(picture[1, i], /"[a-z-]+"/)) n = substr(picture[1, i], RSTART + 1, RLENGTH - 2)
        else if (match(picture[1, i], /\(integer\) /)) value[slots, n] = substr(picture[1, i], RSTART + RLENGTH) + 0
    }
}
function judge(    i, best, t) {
    look()
    for (i = best = 1; i <= slots; i++) if (value[i, "cpu-usec"] > value[best, "cpu-usec"]) best = i
    if (title ~ /busy/) { near(slot[best], 0); t = said; sub(/.* counted +for +/, "", t); seconds = t + 0 }
    if (title ~ /asked/) { t = value[best, "network-bytes-out"] > value[best, "network-bytes-in"] ? "reads" : "writes"
        if (index(answer, t) == 0) bad(answer ", by the text " t); seen[title] = 1 }
    if (title ~ /full/) near(value[best, "cpu-usec"] / seconds / 10000, 1)
    if (title ~ /helps/) { t = value[best, "cpu-usec"] / seconds / 10000 > 70 ? "Cache|Sum" : "Move slot " slot[best]
        if (answer !~ t) bad(answer ", by the text " t); seen[title] = 1 }
}'
exit "$failed"
