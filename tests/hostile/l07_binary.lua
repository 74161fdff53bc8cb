-- L07: there is no way to make or load compiled code.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l07_binary", part = 1, title = "L07", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("dump", function() return string.dump(function() end) end),
  step("load", function() return load("\27Lua") end),
} }
