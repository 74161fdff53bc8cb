-- How many shards: by load, by size, the larger of both; how many buckets; and how many when the
-- writes have grown, and one shard has more than the average. Systems, ceilings and sizes are new each time; every answer is worked out from
-- the numbers that the question tells.

local function grouped(n)
  local s = tostring(n)
  while true do
    local t, found = s:gsub("^(%d+)(%d%d%d)", "%1,%2")
    s = t
    if found == 0 then return s end
  end
end

local function up(a, b)
  return (a + b - 1) // b
end

local SYSTEMS = {
  { "wallet", "transfers" }, { "chat", "messages" }, { "ticket shop", "sales" }, { "fleet of scooters", "positions" },
  { "game", "moves" }, { "newspaper", "comments" }, { "weather service", "measurements" }, { "store of photos", "likes" },
}

return drill {
  id = "shard-count", part = 2, title = "Shard count",
  make = function(r)
    local system = r:pick(SYSTEMS)
    local ceiling, target, writes, gb, most, load, size, bare, times, skew
    local function clear(rest, whole) return rest >= whole // 8 and rest <= whole * 7 // 8 end
    -- Neither count is near a whole number, and what people mistake comes out differently.
    local function fair()
      local unit = ceiling * target
      if not clear(writes * 100 % unit, unit) or not clear(writes * times * skew % unit, unit) or not clear(gb % most, most) then
        return false
      end
      if load == size or load - 1 == size or load == size - 1 or bare == load or bare == load - 1 then return false end
      return load >= 4 and size >= 4
    end
    repeat
      ceiling, target = 500 * r:between(2, 10), r:pick({ 60, 70, 75, 80 })
      writes = ceiling * target * r:between(310, 2490) // 10000 // 10 * 10
      most = 100 * r:between(3, 20)
      gb = most * r:between(310, 2490) // 1000 * 10
      load, size, bare = up(writes * 100, ceiling * target), up(gb, most), up(writes, ceiling)
      times, skew = r:pick({ 2, 3, 4 }), r:pick({ 110, 120, 130 })
    until fair()
    local room = ceiling * target // 100
    local count = math.max(load, size)
    local evenly = math.max(up(writes * times * 100, ceiling * target), size)
    local grown = math.max(up(writes * times * skew, ceiling * target), size)

    -- What people take for the answer; one that is the answer, or was listed, is left out.
    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        if m[1] ~= right and not out[m[1]] then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local function exact(a, b)
      return string.format("%.1f", a / b)
    end

    local names = { who = "A " .. system[1], the = "The " .. system[1], skew = skew // 100 .. "." .. skew % 100 // 10, what = system[2], ceiling = ceiling, target = target, writes = writes, gb = gb, most = most,
      room = room, load = load, size = size, count = count, times = times, grown = grown, more = writes * times,
      raw_load = exact(writes * 100, ceiling * target), raw_size = exact(gb, most), raw_grown = exact(writes * times * skew, ceiling * target),
      decides = load > size and "load" or "size" }

    -- Four numbers of buckets; one has room to grow tenfold, and makes a small map.
    local right, billion = r:pick({ 1024, 2048, 4096, 16384 }), 1000000000
    local list = {
      { count, "one bucket a shard", "Then the first new shard has nothing to take: no bucket is left to give." },
      { 2 * count, "twice is plenty", "At twice as many shards each has one, and it ends. {10 * count} shards may come." },
      { billion, "the finer the better", "That is a row a key: each router would keep a map of a billion rows." },
      { right },
    }
    -- How much more than the average the fullest shard has, in per cent.
    local function uneven(n) return string.format("%.1f%%", 100 * up(n, count) * count / n - 100) end
    local choices = {}
    for i, one in ipairs(list) do
      choices[i] = { grouped(one[1]), belief = one[2], why = one[3], holds = function() return one[1] >= 10 * count and one[1] <= 65536 end }
    end
    choices = r:shuffle(choices)
    names.right, names.uneven = right, uneven(right)

    local function calculation()
      return { title = "How many shards", columns = { "", "amount", "a shard", "shards" }, numbers = { 2, 3, 4 },
        rows = { { label = "writes/s", cells = { grouped(writes), grouped(room), exact(writes * 100, ceiling * target) } },
          { label = "GB", cells = { grouped(gb), grouped(most), exact(gb, most) } },
          { label = "shards", cells = { "-", "-", tostring(count) } } } }
    end

    return { steps = {
      { id = "by-load", title = "By load", show = { "table" }, with = names,
        table = function()
          return { title = "By load", columns = { "", "amount", "a shard", "shards" }, numbers = { 2, 3, 4 },
            rows = { { label = "writes/s", cells = { grouped(writes), grouped(room), exact(writes * 100, ceiling * target) } } } }
        end,
        say = [[{who} takes {writes} {what} a second at the worst. One shard can do {ceiling}, and is planned for {target}% of that.]],
        predict = { id = "drill-count-load", kind = "number", unit = "shards",
          ask = "How many shards does the load need?",
          answer = function() return load end,
          wrong = mistakes(load, {
            { bare, "plan to the ceiling", "That plans each shard at 100%. Planned are {target}%." },
            { load - 1, "rounding down will do", "{raw_load}: one less, and all are above {target}%." },
            { up(writes * target, ceiling * 100), "the target makes it fewer", "A lower target leaves less on each shard, so it takes more of them." } }),
          why = "{writes} / {room}, rounded up.",
          hints = { "What is one shard planned for?", "{room} a second.", "{writes} / {room}, rounded up." } },
        after = [[{raw_load}, so {load}.]] },

      { id = "both", title = "Load and size", show = { "table" }, with = names, table = calculation,
        say = [[{the} also holds {gb} GB. A shard should hold at most {most} GB, so that it can be copied in time. By load it is {load} shards.]],
        predict = { id = "drill-count-both", kind = "number", unit = "shards",
          ask = "How many shards does it need?",
          answer = function() return count end,
          wrong = mistakes(count, {
            { load, "load alone decides", "They could do the work, but each would hold too much: the size asks for {raw_size}." },
            { size, "size alone decides", "They could hold it, but not do the work: the load asks for {raw_load}." },
            { load + size, "both are added", "One shard does work and holds data at once." },
            { count - 1, "rounding down will do", "One less, and the {decides} is above its limit." } }),
          why = "By load {raw_load}, by size {raw_size}: the larger, rounded up.",
          hints = { "What does the size ask for?", "{gb} / {most} = {raw_size}.", "The larger of {load} and {size}." } },
        after = [[{count}: here the {decides} decides.]] },

      { id = "buckets", title = "Buckets", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for i, c in ipairs(choices) do
            local n = math.tointeger(tonumber((c[1]:gsub(",", ""))))
            rows[i] = { label = n == billion and "1 billion" or c[1], cells = { grouped(up(n, count)), uneven(n), grouped(n // 10 // count) } }
          end
          return { title = "On " .. count .. " shards", columns = { "buckets", "fullest", "over", "at x 10" }, numbers = { 2, 3, 4 }, rows = rows }
        end,
        say = [[{the} starts with {count} shards, and has a billion keys. They are hashed into a fixed number of buckets. It should be able to grow
          tenfold. Each router keeps the map of the buckets.]],
        predict = { id = "drill-count-buckets", kind = "choice", ask = "How many buckets?", choices = choices,
          why = "Many for each shard, also when there are ten times as many shards, and a small map.",
          hints = { "How many would each shard have?", "Ten times as many shards need at least one each.", "And how many rows has the map?" } },
        after = [[{right} on {count} shards: the fullest has {uneven} more than the average. What does not divide evenly costs next to nothing when there are many.]] },

      { id = "grown", title = "Later", show = { "table" }, with = names,
        table = function()
          return { title = "Later", columns = { "", "amount", "a shard", "shards" }, numbers = { 2, 3, 4 },
            rows = { { label = "writes/s", cells = { grouped(writes * times), grouped(room), exact(writes * times * 100, ceiling * target) } },
              { label = "fullest", cells = { "x " .. names.skew, grouped(room), exact(writes * times * skew, ceiling * target) } },
              { label = "GB", cells = { grouped(gb), grouped(most), exact(gb, most) } },
              { label = "shards", cells = { "-", "-", tostring(grown) } } } }
        end,
        say = [[{the}, later: {times} times as many {what}, {more} a second. A shard does {ceiling}, planned at {target}%. And it was measured: the
          fullest has {skew} times the average.

          There are still {gb} GB, at most {most} on a shard.]],
        predict = { id = "drill-count-grown", kind = "number", unit = "shards",
          ask = "How many shards now?",
          answer = function() return grown end,
          wrong = mistakes(grown, {
            { evenly, "the average decides", "Then the average shard is in order, and the fullest has {skew} times as much." },
            { count * times, "everything grows alike", "Only the writes have grown, and they are not even." },
            { load * times, "everything grows alike", "Work it out anew, and for the fullest shard." },
            { count, "what was enough stays enough", "For the writes of before. They are {times} times as many." },
            { grown - 1, "rounding down will do", "One less is too few for {raw_grown} or for the size." },
            { up(writes * times, ceiling), "plan to the ceiling", "That plans each shard at 100%. Planned are {target}%." } }),
          why = "By load {raw_grown}, by size {raw_size}: the larger, rounded up.",
          hints = { "Work out the load anew, of the fullest.", "{more} / {room} x {skew}.", "{raw_grown} by load, {raw_size} by size. The larger, rounded up." } },
        after = [[{grown}.]] },
    } }
  end,
}
