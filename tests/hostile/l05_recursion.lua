-- L05: as deep as it goes, in Lua and through C.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local function chain(n)
  local t = {}
  for _ = 1, n do t = setmetatable({}, { __index = t }) end
  return t
end
return lesson { id = "l05_recursion", part = 1, title = "L05", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("lua", function() local function f() return 1 + f() end f() end),
  step("gsub", function() local function f() return (("x"):gsub("x", f)) end f() end),
  step("pcall", function() local function f() local ok, why = pcall(f) error(why, 0) end f() end),
  step("sort", function() local function f() table.sort({ 2, 1, 3 }, f) return true end f() end),
  step("index", function()
    local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end })
    return t[1]
  end),
  step("concat", function()
    local mt = {}
    mt.__concat = function(a, b) return a .. b end
    local t = setmetatable({}, mt)
    return t .. t
  end),
  step("tostring", function()
    local t = setmetatable({}, { __tostring = function(t) return tostring(t) end })
    return tostring(t)
  end),
  step("chain", function() return chain(100000).x end),
  step("pattern", function() return (("x"):rep(2000)):find(("x?"):rep(2000)) end),
  step("arguments", function()
    local function f(...) return f(1, 2, 3, 4, 5, 6, 7, 8, ...) end
    f()
  end),
  step("self-chain", function()
    local t = chain(1900)
    while true do local x = t.y end
  end),
} }
