-- L03: patterns that take for ever.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local subject = ("a"):rep(20000)
local bomb = ("a-"):rep(12) .. "b"
local stars = (".*"):rep(10) .. "x"
return lesson { id = "l03_patterns", part = 1, title = "L03", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("find", function() subject:find(bomb) end),
  step("match", function() subject:match(stars) end),
  step("gmatch", function() for _ in subject:gmatch(bomb) do end end),
  step("gsub", function() subject:gsub(bomb, "") end),
  step("balanced", function() (("("):rep(60000)):gsub("%b()", "") end),
  step("frontier", function() (("a"):rep(60000)):gsub("%f[" .. ("b"):rep(60000) .. "]", "") end),
  step("plain", function()
    local needle = ("a"):rep(30000) .. "b"
    while true do (("a"):rep(60000)):find(needle, 1, true) end
  end),
  step("back-reference", function() (("a"):rep(60000)):match("(.*)(.*)%1%2b") end),
} }
