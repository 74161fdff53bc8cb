-- From symptom to cause: the shapes of a heat map, two overloaded shards, a number that went wrong, and
-- words that somebody typed in the night. New numbers and another ill each time; heat maps are filled,
-- and clusters run, from what is chosen here, and the answers are counted on them.

local POSTS, CELL = 16, 16384

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

-- --- heat maps: rows of keys in order, columns of minutes ---

local ROWS, COLUMNS = 16, 30

local function blank(r)
  local v = {}
  for i = 1, ROWS do
    v[i] = {}
    for j = 1, COLUMNS do v[i][j] = r:between(8, 14) end
  end
  return v
end

local PAINT = {
  ["one key"] = function(r, v)
    local row, from = r:between(3, ROWS - 2), r:between(4, 14)
    for j = from, COLUMNS do v[row][j] = r:between(110, 140) end
  end,
  ["time in the key"] = function(r, v)
    for j = 1, COLUMNS do
      local row = 1 + (j - 1) * ROWS // COLUMNS
      v[row][j] = r:between(110, 140)
    end
  end,
  ["everybody at once"] = function(r, v)
    local from, wide = r:between(6, 22), r:between(2, 3)
    for i = 1, ROWS do
      for j = from, from + wide - 1 do v[i][j] = r:between(110, 140) end
    end
  end,
  ["one tenant"] = function(r, v)
    local row, tall, from = r:between(3, 9), r:between(4, 5), r:between(4, 14)
    for i = row, row + tall - 1 do
      for j = from, COLUMNS do v[i][j] = r:between(110, 140) end
    end
  end,
}

-- What a map shows, from its values: how many rows are ever bright, how many columns, and how long a
-- bright row stays so.
local function seen(v)
  local rows, columns, longest = 0, {}, 0
  for i = 1, ROWS do
    local bright = 0
    for j = 1, COLUMNS do
      if v[i][j] > 100 then
        bright = bright + 1
        columns[j] = true
      end
    end
    rows, longest = rows + (bright > 0 and 1 or 0), math.max(longest, bright)
  end
  local wide = 0
  for _ in pairs(columns) do wide = wide + 1 end
  if wide <= 3 then return "everybody at once" end
  if rows == 1 then return "one key" end
  return longest <= 3 and "time in the key" or "one tenant"
end

local SHAPES = {
  { "one key", "One key went viral.", "every bright map is a hot key",
    "One key is one row, bright from some minute on." },
  { "time in the key", "The time leads the key.", "load moves by itself",
    "Then the newest keys are the hot ones, and the bright spot walks through the rows." },
  { "everybody at once", "All came at one time.", "a rush is a hot key",
    "A rush of everybody is a bright column: all rows, few minutes." },
  { "one tenant", "One tenant, with keys side by side, grew busy.", "neighbours in the map are chance",
    "A tenant's keys begin alike, so they are a band of some rows." },
}

local function shape_step(r, id, shape, other)
  local v = blank(r)
  PAINT[shape](r, v)
  local choices = {}
  for i, s in ipairs(r:shuffle(SHAPES)) do
    choices[i] = { s[2], belief = s[1] ~= shape and s[3] or nil, why = s[1] ~= shape and s[4] or nil,
      holds = function() return seen(v) == s[1] end }
  end
  local told = { ["one key"] = "One row, bright until now.", ["time in the key"] = "A diagonal: what is new is hot, and it ages.",
    ["everybody at once"] = "A column: everybody, for a short time.", ["one tenant"] = "A band of rows that lie together." }
  return { id = id, title = other and "Another map" or "A heat map", show = { "heat" },
    heat = function()
      return { title = "Requests", rows_are = "keys in order", columns_are = "minutes", first_row = "a", last_row = "p",
        first_column = "20:00", last_column = "20:29", values = v }
    end,
    say = [[A row for each sixteenth of the keys, in order of their names. A column for each minute. The brighter, the more requests.]],
    predict = { id = "drill-" .. id, kind = "choice",
      ask = "What happened?", choices = choices, why = told[shape],
      hints = { "Is it a row, a column, a band or a diagonal?", "A row is keys; a column is a time.", told[shape] } },
    after = told[shape] .. (shape == "everybody at once" and " Room helps, and a queue of seconds." or
      shape == "one key" and " Splitting ranges cannot cut it." or
      shape == "time in the key" and " Put something else before the time." or " Part it from the others, and give it a limit.") }
end

-- --- clusters ---

local function base(w)
  for i = 1, POSTS do
    w:flow("like", "likes:{p" .. i .. "}", 50)
    w:flow("read", "post:{p" .. i .. "}", 100)
  end
end

local function fullest(w)
  local most, which = -1, nil
  for i = 0, w:shards() - 1 do
    local s = w["S" .. i]
    local full = math.max(s.write_pct, s.read_pct)
    if full > most then most, which = full, "S" .. i end
  end
  return which, most
end

-- The part of the fullest shard's writes that its busiest post has.
local function top_share(w)
  local s, most = w[fullest(w)], 0
  for i = 1, POSTS do
    local key = "likes:{p" .. i .. "}"
    if w:owner(key) == fullest(w) then most = math.max(most, w:asked(key).writes) end
  end
  return most / math.max(s.writes, 1)
end

-- Why a shard is overloaded: read off the cluster.
local function cause(w)
  local s = w[fullest(w)]
  local most = 0
  for i = 0, w:shards() - 1 do most = math.max(most, w["S" .. i].writes) end
  if w:amplification() > 1.5 then return "retries" end
  if s.writes < most or s.write_ceiling < 1000 then return "small machine" end
  if top_share(w) > 0.5 then return "hot key" end
  return s.slots > CELL * 0.4 and "placement" or "none"
end

local ILLS = {
  ["hot key"] = function(r)
    local post = "p" .. r:between(1, POSTS)
    local likes = 50 * r:between(20, 40)
    return function(w) w:flow("like", "likes:{" .. post .. "}", likes) end
  end,
  ["placement"] = function(r)
    local from, to = r:pick { 0, 1, 2, 3 }, nil
    repeat to = r:between(0, 3) until to ~= from
    return function(w)
      for i = 1, POSTS do w:flow("like", "likes:{p" .. i .. "}", 140) end
      w:move(from * CELL // 4, (from + 1) * CELL // 4 - 1, "S" .. to)
    end
  end,
  ["small machine"] = function(r)
    local shard, writes = r:between(0, 3), 10 * r:between(12, 18)
    return function(w) w:command("ceiling S" .. shard .. " " .. writes .. " 3000") end
  end,
}

local WORDS = {
  { "hot key", "One key is hot.", "all overload is a hot key", "The busiest post has {share(w)}% of the writes there, and a hot one would have most of them." },
  { "placement", "It owns too many slots.", "slots are always even", "It owns {slots(w)} of 16,384 slots, a quarter of them like the others." },
  { "small machine", "It can do less than the others.", "all machines are equal", "Its ceiling is {ceiling(w)} writes, as it is everywhere." },
}

local function ill_step(r, id, ill, other)
  local begin = ILLS[ill](r)
  local choices = {}
  for i, c in ipairs(r:shuffle(WORDS)) do
    local mine = c[1] ~= ill
    choices[i] = { c[2], belief = mine and c[3] or nil, why = mine and c[4] or nil, holds = function(w) return cause(w) == c[1] end }
  end
  local why = { ["hot key"] = "Most of its writes are for one post.", ["placement"] = "It has the slots of two, and the posts in them.",
    ["small machine"] = "It is asked for no more than the others, and its ceiling is lower." }
  return { id = id, title = other and "Another shard" or "One shard too full", show = { "bars", "top" },
    enter = function(w)
      if w:shards() == 4 then
        for i = 0, 3 do -- a move to the owner is refused
          pcall(w.move, w, i * CELL // 4, (i + 1) * CELL // 4 - 1, "S" .. i)
          w:command("ceiling S" .. i .. " 1000 3000")
        end
      end
      base(w)
      begin(w)
      w:command("sample 20 2000")
      w:play_for(3)
    end,
    with = { full = function(w) return (fullest(w)) end, pct = function(w) return w[fullest(w)].write_pct end,
      share = function(w) return round(100 * top_share(w)) end, slots = function(w) return w[fullest(w)].slots end,
      ceiling = function(w) return w[fullest(w)].write_ceiling end, writes = function(w) return w[fullest(w)].writes end },
    say = [[{full(w)} is at {pct(w)}% of its writes: {writes(w)} of {ceiling(w)} a second. It owns {slots(w)} of the 16,384
      slots.]],
    predict = { id = "drill-" .. id, kind = "choice",
      ask = "Why is it too full?", choices = choices, why = why[ill],
      hints = { "Is it asked for more than the others, or can it do less?", "If it is asked for more: by one key, or by many?", why[ill] } },
    after = ill == "hot key" and [[No slots to move will cure it. Limit it, then cache or split its load.]]
      or ill == "placement" and [[Give some of its slots to others: that helps here.]]
      or [[A weight that fits the machine, or a machine that fits the weight.]] }
end

-- --- what somebody wrote in the night ---

local NIGHT = {
  { "retries", "Clients ask again and again.",
    function(r) return { likes = 100 * r:between(18, 30), times = r:between(2, 4) } end,
    function(n) return function(w)
      w:flow("like", "likes:{p9}", n.likes, "scattered")
      w:command("clients at-once times " .. n.times)
    end end,
    "Shards count far more asks than there are taps in the app.", "more asks are more people", "Taps did not grow, asks did." },
  { "stale map", "A router has an old map.",
    function(r) return { router = "R" .. r:between(0, 5), to = r:pick { "S0", "S1", "S3" } } end,
    function(n) return function(w)
      w:command("deaf " .. n.router .. " on")
      w:set_rule("reload-on-moved", false)
      w:move(CELL // 2, CELL // 4 * 3 - 1, n.to)
    end end,
    "Nothing fails, but some requests take an extra hop. Redirects went from none to many.", "a redirect is an error", "MOVED answers come from a map that is behind." },
  { "shedding", "Routers are full, and turn people away.",
    function(r) return { shed = r:between(2, 3), reads = 1000 * r:between(5, 8) } end,
    function(n) return function(w)
      w:flow("read", "post:{p9}", n.reads, "scattered")
      w:command("shed " .. n.shed)
    end end,
    "Posts on all shards fail now and then, with 503, and no shard is even half full of writes.", "an error comes from a shard", "503 is a router's answer." },
}

local function redirects(w)
  local sum = 0
  for i = 0, w:routers() - 1 do sum = sum + w["R" .. i].redirects end
  return sum
end

-- `before`: the redirects of earlier steps. A few more are news that was under way.
local function night_of(w, before)
  if redirects(w) - before > 20 then return "stale map" end
  if w:amplification("S2") > 1.3 then return "retries" end
  return w:turned().all > 0 and "shedding" or "none"
end

return drill {
  id = "read-the-dashboard", part = 3, title = "Read the dashboard",
  make = function(r)
    local shapes = r:shuffle { "one key", "time in the key", "everybody at once", "one tenant" }
    local ills = r:shuffle { "hot key", "placement", "small machine" }

    local night = r:pick(NIGHT)
    local start = night[4](night[3](r))
    local choices, mark = {}, 0
    for i, n in ipairs(r:shuffle(NIGHT)) do
      local other = n[1] ~= night[1]
      choices[i] = { n[2], belief = other and n[6] or nil, why = other and n[7] .. " That is not what was written." or nil,
        holds = function(w) return night_of(w, mark) == n[1] end }
    end

    local servers, hits = r:between(8, 24), r:pick { 90, 95, 98 }
    local ks = keys("session:%d", 0, 1999)
    local before = layout("mod-n", { shards = servers })
    local function hits_after() return round(hits * (1 - before:moved(before:add(), ks) / #ks)) end
    local ring_hits = round(hits * servers / (servers + 1))

    return { world = "story-quiet", steps = {
      shape_step(r, "dash-shape", shapes[1], false),
      ill_step(r, "dash-ill", ills[1], false),
      shape_step(r, "dash-shape-2", shapes[2], true),

      { id = "dash-hits", title = "A number that fell", show = { "grid" },
        grids = function() return { { title = servers .. " servers, then one more", keys = ks, before = before, after = before:add() } } end,
        with = { servers = servers, hits = hits, after_that = hits_after, moved = before:moved(before:add(), ks), all = #ks },
        say = [[A cache of {servers} servers answers {hits}% of all reads itself. Clients find a key's server by its hash mod the number of servers.
          At noon one server is added.]],
        predict = { id = "drill-dash-hits", kind = "number", unit = "%", tolerance = 3,
          ask = "To what does the {hits}% fall, at first?",
          answer = hits_after,
          wrong = { [ring_hits] = { belief = "only the new server's share is cold", why = "So it would be on a ring. By the remainder nearly every key has another server." },
            [hits] = { belief = "more servers, more hits", why = "Keys are asked for where they are not." },
            [round(hits / 2)] = { belief = "half is lost", why = "That would be a doubling. One more is far worse." } },
          why = "Only a key with the same remainder by {servers} and by {servers + 1} is found: one in {servers + 1}.",
          hints = { "Which keys keep their server?", "One in {servers + 1}.", "{hits}% of that part." } },
        after = [[{moved} of {all} keys moved, and {after_that()}% is left. When hits collapse after a resize, look at the hash first.]] },

      { id = "dash-night", title = "In the night", show = { "bars", "maps" }, key = "post:{p9}",
        enter = function(w)
          for i = 0, 3 do
            pcall(w.move, w, i * CELL // 4, (i + 1) * CELL // 4 - 1, "S" .. i)
            w:command("ceiling S" .. i .. " 1000 3000")
          end
          w:play_for(1)
          base(w)
          mark = redirects(w)
          start(w)
          w:play_for(2)
        end,
        with = { words = night[5] },
        say = [[Somebody on call wrote: "{words}"]],
        predict = { id = "drill-dash-night", kind = "choice",
          ask = "What is behind it?", choices = choices, why = night[7],
          hints = { "Is anything refused, and by whom?", "Read what grew: asks, hops or errors.", night[7] } },
        after = night[1] == "retries" and [[A retry budget, and waits that grow.]]
          or night[1] == "stale map" and [[It costs a hop each. Let the router load its map.]]
          or [[The place to look is what fills the routers.]] },
    } }
  end,
}
