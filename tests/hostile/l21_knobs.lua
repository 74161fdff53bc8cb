-- L21: a knob is the learner's: no script turns it, renames it or makes another one.
local KNOBS = { { name = "tokens", values = { 1, 16 } } }
local function step(id, f)
  return { id = id, title = id, say = "Nothing.", knobs = KNOBS,
           predict = { id = "q-" .. id, kind = "number", ask = "?", answer = function(w) f() return knob.tokens end } }
end
return lesson { id = "l21_knobs", part = 1, title = "L21", minutes = 1, world = "story-quiet", steps = {
  step("set", function() knob.tokens = 16 end),
  step("more", function() knob.shards = 4 end),
  step("number", function() knob[1] = 4 end),
  step("raw", function() rawset(knob, "tokens", 16) end),
  step("meta", function() setmetatable(knob, { __index = function() return 16 end }) end),
  step("mine", function() local k = knob; k.tokens = k.tokens end),
} }
