-- From symptom to cause: the shape of a heat map, an overloaded shard, a board of figures with one that
-- is wrong, a number of that ill, and words that somebody typed in the night. New numbers and another ill
-- each time; heat maps are counted and boards computed on clusters that run from what is chosen here,
-- and so are the answers.

local shapes = require("shapes")

local POSTS, CELL = 16, 16384

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

-- --- heat maps: rows of keys or of shards, columns of seconds ---

local SHAPES = {
  ["one key"] = { "One key went viral.", "every heat is a hot key",
    "One key is one row, hot from some second on.",
    told = "One row, hot until now.", after = "Splitting ranges cannot cut it: limit it, then cache it or split its count." },
  ["time in the key"] = { "The time leads the key.", "what is hot is what is new",
    "Then keys come one after the other: the newest is the hot one, and below it there is nothing yet.",
    told = "A staircase: what is new is hot, and it ages. Below it nothing is there yet.", after = "Put something else before the time in the key." },
  ["one tenant"] = { "One tenant, with keys side by side, grew busy.", "behind a load is one customer",
    "A tenant's keys begin alike, so they are a band of some rows.",
    told = "A band of rows that lie together.", after = "Part it from the others, and give it a limit." },
  ["batch"] = { "A job runs at even intervals.", "behind a load is a job",
    "A job's rows are hot again and again, and calm between.",
    told = "The same rows again and again, at even distances.", after = "Give the job a rate of its own, or spread its start." },
  ["scan"] = { "One client read all keys in their order.", "behind a load is one who reads all",
    "A scan goes through all rows within some seconds, and all of them were there before.",
    told = "A steep slope through all rows, once. The rows are there before it and after it.", after = "Let it read from followers, or with a rate." },
  ["everybody at once"] = { "All came at one time.", "much load is many people at once",
    "A rush of everybody is a hot column: all rows, few seconds.",
    told = "A column: everybody, for a short time.", after = "Let clients come back at times of their own (jitter), and fetch once for all who wait. No one shard is hot: no split helps." },
  ["split"] = { "A shard was cut in two.", "what changes was our own doing",
    "Then one row falls to half, and a row that had nothing has the other half.",
    told = "A hot row falls to half, and an empty one beside it takes the other half.",
    after = "It helped, since its load came from many keys. One hot key would have gone to one of the two as a whole." },
}

-- Who takes one slope for the other believes something else.
local shapes_alike = { ["scan, time in the key"] = "every slope is time in the key", ["time in the key, scan"] = "every slope is a scan",
  ["everybody at once, batch"] = "what is over comes back", ["batch, everybody at once"] = "a rush comes again and again" }

local function shape_step(r, id, shape)
  local plan, others, choices = shapes.plan(shape, r), { shape }, {}
  for _, name in ipairs(r:shuffle(shapes.names)) do
    if name ~= shape and #others < 4 then others[#others + 1] = name end
  end
  for i, name in ipairs(r:shuffle(others)) do
    local s, other = SHAPES[name], name ~= shape
    choices[i] = { s[1], belief = other and (shapes_alike[shape .. ", " .. name] or s[2]) or nil, why = other and s[3] or nil,
      holds = function(w) return shapes.read(shapes.map(w, plan).values) == name end }
  end
  local of_shards = shape == "split"
  return { id = id, title = "A heat map", show = { "heat" },
    heat = function(w) return shapes.map(w, plan) end,
    with = { rows = of_shards and "shard, in the order of their slots" or "key, in the order of their names" },
    say = [[A row for each {rows}. A column for each second. The denser, the more requests.]],
    predict = { id = "drill-" .. id, kind = "choice",
      ask = "What happened?", choices = choices, why = SHAPES[shape].told,
      hints = { "Is it a row, a column, a band or a slope?", "A row is a place; a column is a time.", SHAPES[shape].told } },
    after = SHAPES[shape].after }
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

local function ill_step(r, id, ill)
  local begin = ILLS[ill](r)
  local choices = {}
  for i, c in ipairs(r:shuffle(WORDS)) do
    local mine = c[1] ~= ill
    choices[i] = { c[2], belief = mine and c[3] or nil, why = mine and c[4] or nil, holds = function(w) return cause(w) == c[1] end }
  end
  local why = { ["hot key"] = "Most of its writes are for one post.", ["placement"] = "It has the slots of two, and the posts in them.",
    ["small machine"] = "It is asked for no more than the others, and its ceiling is lower." }
  return { id = id, title = "One shard too full", show = { "bars", "top" },
    enter = function(w)
      if w:shards() == 4 then
        for i = 0, 3 do -- a move to the owner is refused
          pcall(w.move, w, i * CELL // 4, (i + 1) * CELL // 4 - 1, "S" .. i)
          w:command("ceiling S" .. i .. " 1000 3000")
        end
      end
      base(w)
      begin(w)
      w:command("sample 20 1000")
      w:play_for(2)
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
    "Shards count far more asks than there are taps in the app.", "more asks are more people",
    "Repeats would show as more asks than taps.", "Taps did not grow, asks did." },
  { "stale map", "A router has an old map.",
    function(r) return { router = "R" .. r:between(0, 5), to = r:pick { "S0", "S1", "S3" } } end,
    function(n) return function(w)
      w:command("deaf " .. n.router .. " on")
      w:set_rule("reload-on-moved", false)
      w:move(CELL // 2, CELL // 4 * 3 - 1, n.to)
    end end,
    "Nothing fails, but some requests take an extra hop. Redirects went from none to many.", "a redirect is an error",
    "An old map costs hops, and redirects would go up.", "MOVED answers come from a map that is behind." },
  { "shedding", "Routers are full, and turn people away.",
    function(r) return { shed = r:between(2, 3), reads = 1000 * r:between(5, 8) } end,
    function(n) return function(w)
      w:flow("read", "post:{p9}", n.reads, "scattered")
      w:command("shed " .. n.shed)
    end end,
    "Posts on all shards fail now and then, with 503, and no shard is even half full of writes.", "an error comes from a shard",
    "A full router answers 503, for all shards alike.", "503 is a router's answer." },
}

-- What the words above say, for those who read something else in them.
local WRITTEN = { retries = "Written is: more asks than taps.", ["stale map"] = "Written is: nothing fails, and there are redirects.",
  shedding = "Written is: 503, on all shards, and no shard is full." }

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

-- --- a board with one figure that is wrong ---

local SESSIONS = keys("session:%d", 0, 1999)

-- A ring of six nodes: what part the fullest owns.
local function fullest_part(tokens, seed)
  local ring, most = layout("ring", { shards = 6, tokens = tokens, seed = seed }), 0
  for id = 0, 5 do most = math.max(most, ring:share(id)) end
  return 100 * most, ring
end

-- A board on which all is well.
local function board_of(r)
  local hits = r:pick { 92, 95, 97 }
  return { servers = 10 + r:between(0, 9), hits = hits, now = hits - r:between(0, 2), part = round((fullest_part(256, r:between(1, 50)))),
    asked = r:between(1, 2), moving = 0, wait = r:between(6, 9), machines = 6, disk = r:between(40, 60) }
end

local BOARDS = {
  { "mod N", "The hash follows the number of servers.", "a cache that misses is a slow cache",
    "Then hits fall when a server is added. Here they went from {before}% to {now}%.",
    function(r, b) -- one server more
      local old = layout("mod-n", { shards = b.servers })
      b.wait = 100 * r:between(6, 30)
      b.now = round(b.hits * (1 - old:moved(old:add(), SESSIONS) / #SESSIONS))
    end },
  { "tokens", "Each node has one token.", "nodes on a ring are equal",
    "Then one node owns far more than a sixth. The fullest owns {part}%.",
    function(r, b)
      repeat
        b.seed = r:between(1, 5000)
        b.part = round((fullest_part(1, b.seed)))
      until b.part >= 30 and b.part <= 60
      b.wait = 100 * r:between(3, 9)
    end },
  { "expansion", "A copy without a limit takes the network.", "moving data is free",
    "Then data is on the move. Here it is {moving} TB.",
    function(r, b)
      b.moving, b.wait = r:between(4, 12), 100 * r:between(6, 12)
    end },
  { "scatter", "A hot query names no sharding key.", "shards are asked one by one",
    "Then one login asks all shards. Here it asks {asked}.",
    function(r, b)
      b.asked = r:pick { 32, 64, 128, 256 }
      b.wait = 100 * r:between(8, 13)
    end },
  { "one machine", "It was never sharded, and it is full.", "one large machine is enough",
    "Then there is one machine. Here there are {machines}.",
    function(r, b)
      b.machines, b.part, b.disk, b.wait = 1, 100, r:between(88, 96), 100 * r:between(4, 9)
    end },
}

-- Which ill a board shows, from its figures alone.
local function diagnosis(b)
  if b.now < b.hits // 2 then return "mod N" end
  if b.machines == 1 then return "one machine" end
  if b.part > 25 then return "tokens" end
  if b.moving > 0 then return "expansion" end
  return b.asked > 8 and "scatter" or "none"
end

local function board_step(r, b, ill)
  local right, choices = nil, {}
  for i, c in ipairs(r:shuffle(BOARDS)) do
    local other = c[1] ~= ill
    if not other then right = c end
    choices[i] = { c[2], belief = other and c[3] or nil, why = other and c[4] or nil, holds = function() return diagnosis(b) == c[1] end }
  end
  return { id = "dash-board", title = "One figure is wrong",
    with = { before = b.hits, now = b.now, part = b.part, moving = b.moving, asked = b.asked, machines = b.machines, wait = b.wait, disk = b.disk },
    say = [[
      Logins are slow or fail. The board:

        hits yesterday      {before}%
        hits now            {now}%
        machines            {machines}
        the fullest owns    {part}%
        shards a login asks {asked}
        data on the move    {moving} TB
        slowest of 100      {wait} ms]],
    predict = { id = "drill-dash-board", kind = "choice",
      ask = "What is behind it?", choices = choices, why = "One line is not as it should be.",
      hints = { "Go down the board: what is usual?", "With six machines each owns near 17%. A login asks one shard or two.", right[2] } },
    after = ill == "mod N" and [[Hash so that a new server takes only its own part: a ring, or slots.]]
      or ill == "tokens" and [[More tokens a node, or tokens that are chosen.]]
      or ill == "expansion" and [[Limit the copy, and add a few nodes at a time. A slow node is not dead: do not move its data as well.]]
      or ill == "scatter" and [[A table from e-mail to customer, sharded by e-mail: two asks instead of all.]]
      or [[Part it by the key that most queries name, into many more buckets than machines.]] }
end

-- --- a number of that ill ---

-- With `all` shards, the percentage of fan-outs that meet one that is slow one time in a hundred.
local function meets_slow(all)
  local none = 1
  for _ = 1, all do none = none * 0.99 end
  return round(100 * (1 - none))
end

local NUMBERS = {
  ["mod N"] = function(r, b)
    local servers, hits = b.servers, b.hits
    local before = layout("mod-n", { shards = servers })
    local moved = before:moved(before:add(), SESSIONS)
    local function hits_after() return round(hits * (1 - moved / #SESSIONS)) end
    return { id = "dash-hits", title = "A number that fell", show = { "grid" },
      grids = function() return { { title = servers .. " servers, then one more", keys = SESSIONS, before = before, after = before:add() } } end,
      with = { servers = servers, hits = hits, after_that = hits_after, moved = moved, all = #SESSIONS },
      say = [[Another cache: {servers} servers answer {hits}% of all reads. Clients find a key's server by its hash mod the number of servers.
        At noon one server is added.]],
      predict = { id = "drill-dash-hits", kind = "number", unit = "%", tolerance = 3,
        ask = "To what does the {hits}% fall, at first?",
        answer = hits_after,
        wrong = { [round(hits * servers / (servers + 1))] = { belief = "only the new server's share is cold", why = "So it would be on a ring. By the remainder nearly every key has another server." },
          [hits] = { belief = "more servers, more hits", why = "Keys are asked for where they are not." },
          [round(hits / 2)] = { belief = "half is lost", why = "That would be a doubling. One more is far worse." } },
        why = "Only a key with the same remainder by {servers} and by {servers + 1} is found: one in {servers + 1}.",
        hints = { "Which keys keep their server?", "One in {servers + 1}.", "{hits}% of that part." } },
      after = [[{moved} of {all} keys moved, and {after_that()}% is left. When hits collapse after a resize, look at the hash first.]] }
  end,
  tokens = function(r, b)
    local part, ring = fullest_part(1, b.seed)
    local listed = {}
    for id = 0, 5 do listed[#listed + 1] = string.format("  UN  N%d   1 token  %4.1f%%", id, 100 * ring:share(id)) end
    return { id = "dash-tokens", title = "Who owns what", show = { "ring" },
      placing = function() return { { title = "six nodes, a token each", before = ring, keys = SESSIONS } } end,
      with = { list = table.concat(listed, "\n"), part = round(part, 1), many = round((fullest_part(16, b.seed))) },
      say = "The store's own status:\n\n{list}",
      predict = { id = "drill-dash-tokens", kind = "number", unit = "times", tolerance = 0.05,
        ask = "How many times its fair share does the fullest own?",
        answer = function() return round(part * 6 / 100, 2) end,
        wrong = { [round(part / 100, 2)] = { belief = "a share is a factor", why = "That is its part of everything. A fair part is a sixth." },
          [1] = { belief = "nodes on a ring are equal", why = "They are equal machines. Their arcs are as long as chance made them." } },
        why = "Its {part}%, over a sixth.",
        hints = { "What would be fair for one of six?", "16.7%.", "{part} over 16.7." } },
      after = [[Usual for one token each. With 16 tokens a node the fullest would own {many}%.]] }
  end,
  expansion = function(r, b)
    local old, more, tb = 10 * r:between(2, 8), r:between(2, 10), 10 * r:between(3, 9)
    local before = layout("slots", { shards = old, slots = 4096, deal = "ranges" })
    local after = before
    for _ = 1, more do after = after:add() end
    local part, near = before:moved(after, SESSIONS) / #SESSIONS, math.max(0.3, tb * 0.02)
    local mistakes = { [tb] = { belief = "a resize moves everything", why = "So it would be with a hash mod the number of nodes. Slots that stay need no copy." } }
    local twice = round(tb * more / old, 1)
    if twice - tb * part > 2 * near and twice ~= tb then
      mistakes[twice] = { belief = "the new ones get what the old ones had", why = "Then the old ones would be left with less than the new ones have. Divide by all {old + more}." }
    end
    return { id = "dash-expansion", title = "How much moves", show = { "grid" },
      grids = function() return { { title = old .. " nodes, then " .. old + more, keys = SESSIONS, before = before, after = after } } end,
      with = { old = old, more = more, tb = tb, part = round(100 * part, 1) },
      say = [[A store of {old} nodes holds {tb} TB in slots. {more} nodes join at once, and each shall have as much as the old ones.]],
      predict = { id = "drill-dash-expansion", kind = "number", unit = "TB", tolerance = near,
        ask = "How many TB go through the network, at least?",
        answer = function() return round(tb * part, 1) end,
        wrong = mistakes,
        why = "The new ones' fair part: {more} of {old + more}.",
        hints = { "What shall the new nodes hold in the end?", "{more} of {old + more} equal parts.", "{tb} x {more} / {old + more}." } },
      after = [[{part}% of the data, beside all the traffic. Give the copy a rate, and do a few nodes at a time.]] }
  end,
  scatter = function(r, b)
    local all = r:pick { 16, 32, 64, 100, 128, 256 }
    return { id = "dash-scatter", title = "The slowest of many", with = { all = all, slow = meets_slow(all) },
      say = [[A login asks all {all} shards, and waits for all. Each shard answers 99 of 100 questions within 20 ms.]],
      predict = { id = "drill-dash-scatter", kind = "number", unit = "%", tolerance = 4,
        ask = "What part of the logins takes longer than 20 ms?",
        answer = function() return meets_slow(all) end,
        wrong = { [1] = { belief = "all are as slow as one", why = "A login is fast only if all {all} are." },
          [all < 90 and all + 5 or 100] = all < 90 and { belief = "chances add up", why = "Added up they pass 100 some time. Chances to be fast are multiplied." }
            or all < 200 and { belief = "it is certain", why = "Nearly. There is a chance that none of {all} is slow." } or nil },
        why = "Fast are 0.99 to the power {all}; the others wait.",
        hints = { "When is a login fast?", "If all {all} are: 0.99 x 0.99 x ...", "100% less 0.99 to the power {all}." } },
      after = [[{slow}%: the slow ones become the usual ones. Ask one shard, or two.]] }
  end,
  ["one machine"] = function(r, b)
    local full, times = b.disk, r:pick { 3, 4, 5, 8, 10 }
    local mistakes = { [times] = { belief = "so many times, so many machines", why = "Each would be at {full}% again." } }
    local brim = math.ceil(full * times / 100)
    if brim ~= times then mistakes[brim] = { belief = "a ceiling is a plan", why = "Then all would be near 100%." } end
    return { id = "dash-primary", title = "Outgrown", with = { full = full, times = times },
      say = [[One primary is at {full}% of its writes. In two years it will be {times} times as many. Plan for 70% of a machine.]],
      predict = { id = "drill-dash-primary", kind = "number", unit = "shards", tolerance = 0,
        ask = "How many shards?",
        answer = function() return math.ceil(full * times / 70) end,
        wrong = mistakes,
        why = "{full}% times {times}, over 70%, rounded up.",
        hints = { "What will be asked for, in percent of one machine?", "{full * times}%.", "Over 70, rounded up." } },
      after = [[And many more buckets than shards, so that the next step moves whole buckets.]] }
  end,
}

return drill {
  id = "read-the-dashboard", part = 3, title = "Read the dashboard",
  make = function(r)
    local shape = r:pick(shapes.names)
    local ill = r:pick { "hot key", "placement", "small machine" }

    local wrong = r:pick(BOARDS)
    local board = board_of(r)
    wrong[5](r, board)
    local other = r:pick(BOARDS)
    local numbers = board_of(r) -- of another evening
    other[5](r, numbers)

    local night = r:pick(NIGHT)
    local start = night[4](night[3](r))
    local choices, mark = {}, 0
    for i, n in ipairs(r:shuffle(NIGHT)) do
      local mistaken = n[1] ~= night[1]
      choices[i] = { n[2], belief = mistaken and n[6] or nil, why = mistaken and n[7] .. " " .. WRITTEN[night[1]] or nil,
        holds = function(w) return night_of(w, mark) == n[1] end }
    end

    return { world = "story-quiet", steps = {
      shape_step(r, "dash-shape", shape),
      ill_step(r, "dash-ill", ill),
      board_step(r, board, wrong[1]),
      NUMBERS[other[1]](r, numbers),

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
          ask = "What is behind it?", choices = choices, why = night[8],
          hints = { "Is anything refused, and by whom?", "Read what grew: asks, hops or errors.", night[8] } },
        after = night[1] == "retries" and [[A retry budget, and limits.]]
          or night[1] == "stale map" and [[It costs a hop each. Let the router load its map.]]
          or [[The place to look is what fills the routers.]] },
    } }
  end,
}
