-- L16: no addresses, and one order.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
return lesson { id = "l16_addresses", part = 1, title = "L16", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("texts", function(w)
    assert(tostring({}) == "table")
    assert(tostring(pairs) == "function")
    assert(tostring(w) == "world")
    assert(("%s"):format({}) == "table")
    assert(("%s"):format(pairs) == "function")
    assert(not pcall(string.format, "%p", {}))
    local ok, why = pcall(error, {})
    assert(tostring(why) == "table")
    assert(not tostring(select(2, pcall(function() return {} .. "x" end))):find("0x"))
  end),
  step("order", function()
    local t = { zebra = 1, apple = 2, [3] = 3, [1.5] = 4, [-2] = 5, mango = 6 }
    local seen = {}
    for k in pairs(t) do seen[#seen + 1] = tostring(k) end
    assert(table.concat(seen, " ") == "-2 1.5 3 apple mango zebra", table.concat(seen, " "))
    local k, walked = nil, {}
    repeat
      k = next(t, k)
      walked[#walked + 1] = k and tostring(k)
    until k == nil
    assert(table.concat(walked, " ") == table.concat(seen, " "))
    assert(not pcall(pairs, { [true] = 1 }))
    assert(not pcall(pairs, { [{}] = 1 }))
  end),
  step("end"),
} }
