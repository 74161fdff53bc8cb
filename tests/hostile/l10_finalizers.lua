-- L10: nothing runs when memory is collected.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local function forever() while true do end end
return lesson { id = "l10_finalizers", part = 1, title = "L10", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("gc", function() setmetatable({}, { __gc = forever }) end),
  step("placeholder", function()
    local mt = { __gc = true }
    setmetatable({}, mt)
    mt.__gc = forever
  end),
  step("later", function()
    local mt = {}
    local t = setmetatable({}, mt)
    mt.__gc = forever
    t = nil
    local junk = {}
    for i = 1, 20000 do junk[i % 100] = { i } end
    error("it was never called")
  end),
} }
