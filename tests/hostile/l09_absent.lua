-- L09: nothing that reaches the machine is there, by any name.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local names = { "io", "os", "package", "debug", "dofile", "loadfile", "load", "loadstring", "coroutine",
  "collectgarbage", "print", "warn", "_G", "module", "unpack", "setfenv", "newproxy", "lesson_path" }
return lesson { id = "l09_absent", part = 1, title = "L09", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("names", function()
    for _, name in ipairs(names) do
      assert(not pcall(function() return _ENV[name] end), name)
      assert(rawget(_ENV, name) == nil, name)
    end
    assert(getmetatable(_ENV) == false)
    assert(not pcall(function() return string.dump end) or string.dump == nil)
    assert(not pcall(require, "../secret"))
    assert(not pcall(require, "/etc/passwd"))
    assert(not pcall(require, "os"))
    assert(not pcall(require, "a.b"))
    assert(not pcall(require, ""))
  end),
  step("end"),
} }
