-- L04: as much memory as there is.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l04_memory", part = 1, title = "L04", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("rep", function() return ("x"):rep(1 << 40) end),
  step("rep-overflow", function() return ("x"):rep(math.maxinteger, "yy") end),
  step("doubling", function() local s = "x" while true do s = s .. s end end),
  step("nested", function() local t = {} while true do t = { t, {}, {}, {} } end end),
  step("many-texts", function()
    local t = {}
    for i = 1, 1e9 do t[i] = ("x"):rep(60000) .. i end
  end),
  step("concat", function()
    local t = {}
    for i = 1, 2000 do t[i] = ("x"):rep(1000) end
    return table.concat(t)
  end),
  step("caught", function()
    local t = {}
    while true do pcall(function() for i = 1, 1e9 do t[#t + 1] = ("x"):rep(50000) .. #t end end) end
  end),
} }
