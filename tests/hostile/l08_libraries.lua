-- L08: the libraries cannot be changed.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l08_libraries", part = 1, title = "L08", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("string-metatable", function() getmetatable("").__index = function() return 1 end end),
  step("string", function() string.rep = function() return "" end end),
  step("table", function() table.sort = nil end),
  step("new-field", function() math.mine = 1 end),
  step("rawset", function() rawset(string, "rep", 1) end),
  step("insert", function() table.insert(string, 1) end),
  step("metatable", function() setmetatable(math, {}) end),
  step("world", function(w) w.slot = 1 end),
  step("handle", function() S0.writes = 1 end),
  step("world-metatable", function(w) getmetatable(w).__index = 1 end),
  step("environment", function() setmetatable(_ENV, {}) end),
} }
