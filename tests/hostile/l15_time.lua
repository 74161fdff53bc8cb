-- L15: a lesson cannot tell what day it is.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l15_time", part = 1, title = "L15", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("time", function() return os.time() end),
  step("clock", function() return os.clock() end),
  step("date", function() return os.date() end),
} }
