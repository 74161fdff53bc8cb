-- L20: integer edges give what Lua defines.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l20_edges", part = 1, title = "L20", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("lua", function()
    assert(math.mininteger // -1 == math.mininteger)
    assert(math.mininteger % -1 == 0)
    assert(1 << 64 == 0 and 1 << 63 == math.mininteger and 1 >> -64 == 0)
    assert(math.maxinteger + 1 == math.mininteger)
    local n = 0
    for _ = math.maxinteger - 2, math.maxinteger do n = n + 1 end
    assert(n == 3)
    assert(not pcall(function() return 1 // 0 end))
    assert(math.random(math.mininteger, math.maxinteger))
    assert(("x"):sub(math.mininteger, math.maxinteger) == "x")
    assert(("x"):byte(math.mininteger, math.maxinteger) == 120)
    assert(#("x"):rep(math.mininteger) == 0)
    assert(select("#", table.unpack({}, math.maxinteger, math.mininteger)) == 0)
    assert(not pcall(table.unpack, {}, math.mininteger, math.maxinteger))
    assert(not pcall(table.concat, {}, "", math.mininteger, math.maxinteger))
    assert(not pcall(table.insert, {}, math.maxinteger, 1))
    assert(not pcall(string.rep, "x", 1 << 62))
  end),
  step("end"),
} }
