#!/bin/sh
# The thirty questions of the interview, asked of a lesson that has nothing else: each fits its pane
# with its good answer and its points, each figure in it can be worked out, and each step that is
# named as teaching it is there.
# shellcheck disable=SC1091,SC2154
set -u
. tests/session/lib.sh
trap 'rm -rf "$work"' EXIT
file=lessons/lib/questions.lua

mkdir -p "$work/lessons/lib" "$work/assets"
cp lessons/lib/*.lua "$work/lessons/lib/"
cp assets/glossary.txt "$work/assets/"
cat >"$work/lessons/thirty.lua" <<'END'
function decimals(x, n) return (string.format("%." .. (n or 0) .. "f", x)) end
function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end
local steps = require("questions").steps()
for _, step in ipairs(steps) do step.show, step.deeper = { "bars" }, nil end
return lesson { id = "thirty", part = 12, title = "Thirty", minutes = 12, world = "story-quiet", steps = steps }
END
run lesson check "$work/lessons/thirty.lua"
has "$work/out" "30 steps, 30 questions" && ! grep -q 'error: question' "$work/out" "$work/err"
say "thirty questions, each with its answer in the pane" $? "$(head -n 5 "$work/out" "$work/err")"

run run "$work/lessons/thirty.lua" --json
[ "$status" -eq 0 ] && [ "$(wc -l <"$work/out")" -eq 30 ]
say "they are asked one after the other" $? "status $status: $(head -n 3 "$work/err")"

# Every one is filled in: no brace of an expression is left.
! grep -q '{[a-z]*(' "$work/out"
say "no figure is left open" $? "$(grep -o '{[a-z]*([^}]*' "$work/out" | head -n 3)"

grep -o '"[0-9][0-9]_[a-z_]*:[a-z0-9-]*"' "$file" | tr -d '"' | sort -u >"$work/taught"
[ "$(wc -l <"$work/taught")" -ge 60 ]
say "they name the steps that teach them" $? "$(wc -l <"$work/taught")"
while IFS=: read -r lesson step; do
    grep -q "id = \"$step\"" "lessons/$lesson.lua" 2>/dev/null || echo "$lesson:$step"
done <"$work/taught" >"$work/faults"
[ ! -s "$work/faults" ]
say "and these are there" $? "$(head -n 5 "$work/faults")"

# Each part has one, and they come in the order of the parts.
grep -o 'part = [0-9]*' "$file" | awk '{ print $3 }' >"$work/parts"
[ "$(sort -nu "$work/parts" | wc -l)" -eq 12 ] && sort -nc "$work/parts" 2>/dev/null
say "each part but the last asks, in order" $? "$(tr '\n' ' ' <"$work/parts")"
exit "$failed"
