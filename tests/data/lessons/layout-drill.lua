-- A drill without a world, for the tests of the player.
return drill {
  id = "layout-drill", part = 6, title = "Layouts",
  make = function(r)
    local n = r:between(3, 1000)
    local before = layout("slots", { shards = n, hash = "fnv1a", slots = 4096 })
    local after = before:add()
    local ks = keys("k:%03d", 0, 999)
    assert(before:shards() == n and after:shards() == n + 1)
    assert(after:taken(before, ks, n) == before:moved(after, ks))
    assert(before:donors(after, ks) <= n)
    assert(after:remove(n):moved(after, ks) >= 0)
    local total = 0
    for id = 0, 9 do total = total + before:slots_of(id) end
    assert(total > 0 and #r:shuffle({ 1, 2, 3 }) == 3 and not r:chance(0, 5))
    return { steps = {
      { id = "one", title = "One", say = "{n} shards.", with = { n = n },
        grids = function() return { { title = "Slots", keys = ks, before = before, after = after } } end,
        predict = { id = "q-moved", kind = "number", ask = "How many move?",
          answer = function() return before:moved(after, ks) end, why = "Counted.",
          wrong = { [1001] = { belief = "more than there are", why = "There are a thousand." } } } } } }
  end,
}
