-- L01: loops that never end, in each place where a lesson's code runs.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l01_endless_loop", part = 1, title = "L01", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("while", function() while true do end end),
  step("goto", function() ::again:: goto again end),
  step("for", function() for i = 1, math.maxinteger do local x = i end end),
  step("recursion", function() local function f(n) if n > 0 then f(n - 1) end f(100) end f(100) end),
  { id = "in-text", title = "In a text", say = "{(function() while true do end end)()}" },
  { id = "in-run", title = "In a run", say = "Nothing.", run = function() while true do end end },
  { id = "in-wait", title = "Between waits", say = "Nothing.",
    run = function(w) while true do w:play_for(0) end end },
  { id = "in-goal", title = "In a goal", say = "Nothing.",
    try = { ask = "Nothing.", goal = function() while true do end end } },
  { id = "in-answer", title = "In an answer", say = "Nothing.",
    predict = { id = "q-endless", kind = "number", ask = "What?", answer = function() while true do end end } },
  step("end"),
} }
