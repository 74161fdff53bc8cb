-- L12: comparators that lie, raise or never end.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local function list(n)
  local t = {}
  for i = 1, n do t[i] = (i * 7919) % 1000 end
  return t
end
return lesson { id = "l12_sort", part = 1, title = "L12", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("always", function()
    table.sort(list(100), function() return true end)
    table.sort(list(100), function() return false end)
    local n = 0
    table.sort(list(100), function() n = n + 1 return n % 3 == 0 end)
    error("no crash")
  end),
  step("raises", function() table.sort(list(10), function() error("no order") end) end),
  step("waits", function(w) table.sort(list(10), function(a, b) return a.x < b.x end) end),
  step("large", function()
    while true do table.sort(list(5000)) end
  end),
  step("mixed", function() table.sort({ 1, "a", {} }) end),
  step("unstable", function()
    local t = {}
    for i = 1, 100 do t[i] = { key = i % 3, order = i } end
    table.sort(t, function(a, b) return a.key < b.key end)
    for i = 2, 100 do
      assert(t[i - 1].key < t[i].key or t[i - 1].order < t[i].order, "equals changed places")
    end
    error("equals kept their order")
  end),
} }
