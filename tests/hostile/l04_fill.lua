-- L04: one table that grows; memory or work ends first.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l04_fill", part = 1, title = "L04", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("fill", function() local t = {} for i = 1, 1e9 do t[i] = i end end),
  step("names", function() local t = {} for i = 1, 1e9 do t["k" .. i] = i end end),
  step("functions", function() local t = {} for i = 1, 1e9 do t[i] = function() return i end end end),
  step("format", function() local t = {} for i = 1, 1e9 do t[i] = ("%99d"):format(i) end end),
} }
