-- Part 6. Core path: what earlier parts know of growing; what a fifth shard costs by the remainder,
-- on a ring and by slots; how many tokens are enough; which slots, and who decides; a plan of one's
-- own; splitting, and where it ends. Deeper: what
-- tokens cost, copies, weights, every scheme on equal terms, and the traps of growing.

local KEYS = keys("k%d", 0, 9999)
local GRID = keys("k%d", 0, 999)
local POSTS, CELL = 16, 16384
local RING = 2 -- the seed of the ring that the core path looks at

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. n .. "f", x))
end

function percent(part, whole, n)
  return decimals(100 * part / whole, n or 0) .. "%"
end

local function grouped(n)
  return n < 1000 and tostring(n) or string.format("%d,%03d", n // 1000, n % 1000)
end

local function round(x)
  return math.floor(x + 0.5)
end

-- --- the cluster ---

-- A copy on which p9's slot was given away.
function given(w)
  local f, slot = w:fork(), w:slot("{p9}")
  f:move(slot, slot, w:owner(slot) == "S3" and "S2" or "S3")
  return f
end

local function flows(w, likes, reads)
  for n = 1, POSTS do
    w:flow("like", "likes:{p" .. n .. "}", likes)
    w:flow("read", "post:{p" .. n .. "}", reads)
  end
end

local function hot_evening(w)
  flows(w, 50, 100)
  w:flow("like", "likes:{p9}", 2400)
  w:flow("read", "post:{p9}", 9000)
end

-- The lowest block of `size` slots from `first` on that holds exactly one post.
local function block_with_one_post(w, first, size)
  local slots = {}
  for n = 1, POSTS do
    local slot = w:slot("post:{p" .. n .. "}")
    if slot >= first and slot < first + CELL // 4 then slots[#slots + 1] = slot end
  end
  for start = first, first + CELL // 4 - size do
    local inside = 0
    for _, slot in ipairs(slots) do
      if slot >= start and slot < start + size then inside = inside + 1 end
    end
    if inside == 1 then return start, start + size - 1 end
  end
end

-- Three plans for the slots that the fifth shard takes: lists of { first, last }.
local function plan(w, name)
  local list = {}
  if name == "one shard" then
    return { { 2 * CELL // 4, 2 * CELL // 4 + CELL // 5 } }
  end
  for shard = 0, 3 do
    local first, size = shard * CELL // 4, shard < 3 and 819 or 820
    if name == "last" then
      list[#list + 1] = { first + CELL // 4 - size, first + CELL // 4 - 1 }
    else
      list[#list + 1] = { block_with_one_post(w, first, size) }
    end
  end
  return list
end

-- Five shards, and the slots where the four had them.
local function deal_back(w)
  if w:shards() < 5 then w:add_shard() end
  for shard = 0, 3 do -- a move to the owner is refused
    pcall(w.move, w, shard * CELL // 4, (shard + 1) * CELL // 4 - 1, "S" .. shard)
  end
end

-- As it was before one slot was given away, and p9 read through caches.
local function give_back(w)
  local slot = w:slot("{p9}")
  if w:owner(slot) ~= "S2" then w:move(slot, slot, "S2") end
  if w:reads_of("post:{p9}").mode ~= "plain" then w:command("reads post:{p9} plain") end
end

local function move_by(w, name)
  for _, block in ipairs(plan(w, name)) do w:move(block[1], block[2], "S4") end
end

-- Writes of the new shard, and of the busiest and the idlest old one, tried on a copy.
function planned(w, name)
  local f, most, least = w:fork(), 0, math.huge
  deal_back(f)
  move_by(f, name)
  for _, shard in ipairs { f.S0, f.S1, f.S2, f.S3 } do
    most, least = math.max(most, shard.writes), math.min(least, shard.writes)
  end
  return f.S4.writes, most, least
end

local function even(w, name)
  local new, most, least = planned(w, name)
  return math.max(new, most) - math.min(new, least) <= 100
end

-- Four teams in need, each as keys with their load; `ceiling` is what a shard does of that.
local LIKES, READS, NEW = 2400, 9000, 1500
local FAN = 11
local FORECAST, PLANNED = 3300, 70 -- likes/s of the autumn; how full a shard is planned, in percent
local TEAMS = {
  { "a post, " .. grouped(LIKES) .. " likes", { { "likes:{p9}", LIKES } }, 1000 },
  { "a post, " .. grouped(READS) .. " reads", { { "post:{p9}", READS } }, 3000 },
  { "400 posts, " .. FAN .. " likes", keys("likes:{q%d}", 0, 399, function() return FAN end), 1000 },
  { "by time, " .. grouped(NEW) .. " new", { { "2030-06-14 20:00", NEW } }, 1000 },
}

-- How full the fullest of so many shards is, in percent.
local function fullest(team, shards)
  local l, most = layout("slots", { shards = shards, hash = "mix64" }), 0
  local list = type(team[2]) == "table" and keys(team[2]) or team[2]
  for id = 0, shards - 1 do most = math.max(most, l:load(list, id)) end
  return round(100 * most / team[3])
end

local function teams()
  local rows = {}
  for i, team in ipairs(TEAMS) do
    rows[i] = { label = team[1], cells = function() return { fullest(team, 4) .. "%", fullest(team, 5) .. "%" } end }
  end
  return { title = "The fullest shard", columns = { "team", "of 4", "of 5" }, numbers = { 2, 3 }, rows = rows }
end

-- The same posts on another day, and the most that one shard should have.
local ANOTHER = { p9 = 400, p5 = 300, p11 = 300, p3 = 200, p7 = 200 }
local MOST = 600
local function another_day(w)
  flows(w, 100, 200)
  for post, rate in pairs(ANOTHER) do w:flow("like", "likes:{" .. post .. "}", rate) end
end
function typed(w, key) return tostring(w:slot(key)) end
function relieved(w)
  for id = 0, w:shards() - 1 do
    if w["S" .. id].writes > MOST then return false end
  end
  return true
end

-- --- layouts ---

local function mod(n) return layout("mod-n", { shards = n, hash = "crc16" }) end

function mod_moved(n, to)
  return mod(n):moved(mod(to), GRID)
end

local function ring(tokens, shards) return layout("ring", { shards = shards or 4, tokens = tokens, seed = RING }) end

-- On that ring with one token each: where the tokens stand, and a key past the last one of them.
local PAST, WHERE, LAST, TOKENS = nil, 0, nil, nil
do
  local r = ring(1)
  local list = r:tokens()
  local told = {}
  for i, token in ipairs(list) do
    told[i] = "S" .. token.shard .. " " .. decimals(100 * token.at, 0) .. "%"
    LAST = "S" .. token.shard
  end
  TOKENS = table.concat(told, ", ")
  for i = 1, #KEYS do
    WHERE = r:position(KEYS[i])
    if WHERE > list[#list].at then
      PAST = KEYS[i]
      break
    end
  end
end

function chosen() return layout("ring", { shards = 4, tokens = 16, token_rule = "chosen" }) end

function uneven() return layout("ring", { shards = 3, tokens = 100, weights = { knob.weight, 50, 100 } }) end

-- Whether a scheme lets somebody decide what moves: the engine refuses where it does not.
local function lets_choose(name)
  return (pcall(function() return layout(name, { shards = 4 }):give(0, 0, 1) end))
end

local function joined(title, before, list, lookup)
  return { { title = title, before = before, after = before:add(), keys = list or KEYS, lookup = lookup } }
end

local function least_given(before, after)
  local least = math.huge
  for id = 0, before:shards() - 1 do least = math.min(least, before:gave(after, KEYS, id)) end
  return least
end

local function with_unit(tokens) return tokens .. (tokens == 1 and " token" or " tokens") end

local function thirty(tokens)
  return { label = with_unit(tokens), times = 30, try = function(i)
    return layout("ring", { shards = 4, tokens = tokens, seed = i }):add():busiest(KEYS)
  end }
end

local SCHEMES = { "mod-n", "ring", "slots", "jump", "rendezvous", "maglev", "ketama" }

local function ten(name, options)
  options = options or {}
  options.shards = 10
  return layout(name, options)
end

-- Keys that moved although the new shard did not take them.
local function shuffled(name)
  local before = ten(name)
  local after = before:add()
  return before:moved(after, KEYS) - after:taken(before, KEYS, 10)
end

-- Keys of other shards that moved when shard 3 of ten left.
function bystanders(before, list)
  return before:moved(before:remove(3), list) - before:owned(list, 3)
end

-- A thousand keys in order of time; the newest are asked for most.
local TIMES = keys("2030-06-14 %05d", 0, 999, function(i) return i < 750 and 1 or 5 end)
local LATER = keys("2030-06-14 %05d", 1000, 1099)

local function prefixed(list)
  local hand, out = layout("mod-n", { shards = 8 }), {}
  for i = 1, #list do out[i] = hand:owner(list[i]) .. "/" .. list[i] end
  return keys(out)
end

local function by_time() return layout("range", { shards = 4, keys = TIMES, split = "load" }) end

-- The last range split once more.
local function again(l)
  return l:split(l:cut(l:ranges()), 0)
end

-- The most of a hundred new keys that one of eight ranges gets, with a hash before the time.
function fullest_prefix()
  local l, later, most = layout("range", { shards = 8, keys = prefixed(TIMES) }), prefixed(LATER), 0
  for id = 0, 7 do most = math.max(most, l:owned(later, id)) end
  return most
end

function salted(shards, hash)
  local list = {}
  for i = 0, 7 do list[i + 1] = { "post:42:likes#" .. i, 10000 } end
  local l, most = layout("mod-n", { shards = shards, hash = hash or "fnv1a" }), 0
  local ks = keys(list)
  for id = 0, shards - 1 do most = math.max(most, l:load(ks, id)) end
  return most
end

-- Both programs of the code experiment: by 4,096 slots dealt in turn, and by the remainder.
function experiment_moved(name)
  local users = keys("user:%d", 0, 99999)
  local l = layout(name, { shards = 4, hash = "fnv1a", slots = name == "slots" and 4096 or nil })
  return l:moved(l:add(), users)
end

-- The share of each of three shards when draws are multiplied by their weights, and done right.
local WEIGHTS = { 400, 100, 200 }
local won -- by each, of the draws tried
function multiplied(id)
  local l, list = layout("rendezvous", { shards = 3 }), keys("k%d", 0, 2999)
  if not won then
    won = { 0, 0, 0 }
    for i = 1, #list do
      local best, winner = -1, 0
      for s = 1, 3 do
        local draw = l:score(list[i], s - 1) * WEIGHTS[s]
        if draw > best then best, winner = draw, s end
      end
      won[winner] = won[winner] + 1
    end
  end
  return won[id + 1] / #list
end
function weighted(id)
  local l = layout("rendezvous", { shards = 3, weights = WEIGHTS })
  return l:owned(KEYS, id) / #KEYS
end

-- Keys that move when bucket 3 of ten leaves and the last one takes its number.
function renamed()
  local before, after, moved, list = ten("jump"), layout("jump", { shards = 9 }), 0, keys("k%d", 0, 3999)
  for i = 1, #list do
    local was, is = before:owner(list[i]), after:owner(list[i])
    if was ~= (is == 3 and 9 or is) then moved = moved + 1 end
  end
  return moved / #list
end

local function names(ids)
  local out = {}
  for i, id in ipairs(ids) do out[i] = "S" .. id end
  return table.concat(out, ", ")
end

-- A ring on which the walk of this key meets a shard twice before it has met three.
local SIX = layout("ring", { shards = 6, tokens = 4, seed = 9 })
local ZONES = { "1", "1", "2", "2", "3", "3" }

local function differ(list)
  local seen = {}
  for _, id in ipairs(list) do
    if seen[id] then return false end
    seen[id] = true
  end
  return true
end

-- The first key whose third token belongs to a shard that was met, and whose copies share a zone.
for i = 1, #GRID do
  local w3, c3, z3 = SIX:walk(GRID[i], 3), SIX:replicas(GRID[i], 3), SIX:replicas(GRID[i], 3, ZONES)
  if not differ(w3) and names(c3) ~= names(z3) then
    WALKER = GRID[i]
    break
  end
end

local function zones_of(ids)
  local seen, count = {}, 0
  for _, id in ipairs(ids) do
    local z = ZONES[id + 1]
    if not seen[z] then count = count + 1 end
    seen[z] = true
  end
  return count
end

-- A cache of eleven servers before a database; a twelfth joins.
local REQUESTS, HITS = 20000, 95
local USUAL = REQUESTS * (100 - HITS) // 100
function cold(name)
  local l = layout(name, { shards = 11 })
  return l:moved(l:add(), KEYS) / #KEYS
end
function reaching(name)
  return round(USUAL + (REQUESTS - USUAL) * cold(name))
end

function capped() return layout("bounded-load", { shards = 10, tokens = 16, factor = knob.cap }) end

function spilled() return ten("ring", { tokens = 16 }):moved(capped(), KEYS) end

return lesson {
  id = "06_growing_the_cluster", part = 6, title = "Growing the cluster", minutes = 12,
  needs = { "01_what_a_shard_is" },
  world = "story-quiet",

  steps = {
    { id = "recall", title = "One slot", show = { "maps" }, key = "post:{p9}",
      say = [=[
        Four questions on what you know, and then the cluster grows.

        The operator gives [[slot]] {w:slot("{p9}")}, where p9 lives, from S2 to S3.]=],
      predict = { id = "p6-recall", kind = "several",
        ask = "What changes?",
        choices = {
          { "The slot of p9", belief = "a key moves to another slot", why = "A slot is computed from the key alone. It never changes.",
            holds = function(w) return given(w):slot("{p9}") ~= w:slot("{p9}") end },
          { "The owner in the directory", why = "The directory now says that S3 has the slot.", holds = function(w) return given(w):owner("{p9}") ~= w:owner("{p9}") end },
          { "The epoch of the slot", belief = "an epoch is a clock", why = "An epoch goes up whenever its slot changes hands.",
            holds = function(w) return given(w):epoch("{p9}") ~= w:epoch("{p9}") end },
          { "The version of the map", belief = "the map has no version", why = "Each change of the map gives it a new version.",
            holds = function(w) return given(w):map_version() ~= w:map_version() end },
        },
        why = "The key stays in its slot, and the map says something new.",
        hints = { "Two steps: a function, and a map.", "Which of them can change?", "All but the slot." } },
      run = function(w)
        local slot = w:slot("{p9}")
        w:move(slot, slot, "S3")
        w:play_for(0.2)
      end,
      after = [[
        Slot {w:slot("{p9}")} is {w:owner("{p9}")}'s, in epoch {w:epoch("{p9}")}, and the map has version {w:map_version()}. That
        was one slot. When a cluster grows, much has to change hands.]] },

    { id = "four-teams", title = "Four teams", show = { "table" }, table = teams,
      say = [[
        Four teams want a fifth shard. One does {LIKE_CEILING} writes or {READ_CEILING} reads a second. They have a post with {LIKES} likes a
        second, one with {READS} reads, {COUNT} posts with {FAN} likes each, and {NEW} new orders, keyed by the minute.]],
      with = { LIKE_CEILING = TEAMS[1][3], READ_CEILING = TEAMS[2][3], LIKES = LIKES, READS = READS, COUNT = #TEAMS[3][2], FAN = FAN, NEW = NEW },
      predict = { id = "p6-four-teams", kind = "several",
        ask = "With five, whose shards are all under 100%?",
        choices = {
          { TEAMS[1][1], belief = "a shard more relieves a hot key", why = "A key is on one shard, however many there are.",
            holds = function() return fullest(TEAMS[1], 5) <= 100 end },
          { TEAMS[2][1], belief = "reads spread by themselves", why = "All of them ask the shard that has the post.",
            holds = function() return fullest(TEAMS[2], 5) <= 100 end },
          { TEAMS[3][1], why = "Many keys, and each is small: those can be dealt to more shards.",
            holds = function() return fullest(TEAMS[3], 5) <= 100 end },
          { TEAMS[4][1], belief = "new orders go to new shards", why = "All new orders have one time, and so one place.",
            holds = function() return fullest(TEAMS[4], 5) <= 100 end },
        },
        why = "More shards help where load is of many keys.",
        hints = { "Of how many keys is the load of each?", "Which load can be dealt to five?", "Only the third." } },
      after = [[
        The others need what Parts 2, 4 and 5 have: another key than the time, a cache, sub-keys.]] },

    { id = "one-post", title = "One of the four", show = { "cache:post:{p9}" }, key = "post:{p9}",
      say = [[
        The team with {READS} reads a second takes caches: each of the {w:routers()} routers keeps the post for a second, and then
        asks again.]],
      with = { READS = READS },
      predict = { id = "p6-one-post", kind = "number", unit = "reads/s", tolerance = 1,
        ask = "How many reads a second still come to the shard of p9?",
        answer = function(w) return w:asked("post:{p9}").reads end,
        wrong = function(w)
          return {
            [READS] = { belief = "each read asks the shard", why = "Only the first one of each router in a second does." },
            [1] = { belief = "there is one cache", why = "Each router has its own, and fills it itself." },
            [READS // w:routers()] = { belief = "routers share the reads out", why = "That is what each router is asked. It has the answer already." } }
        end,
        why = "One a router and second, however many people read.",
        hints = { "Who asks the shard?", "A router, when a second has passed.", "{w:routers()} routers, once a second each." } },
      run = function(w)
        w:command("reads post:{p9} cached")
        w:flow("read", "post:{p9}", READS)
        w:play_for(2)
      end,
      after = [[
        {w:asked("post:{p9}").reads}, and no shard had to be bought.]] },

    { id = "autumn", title = "The autumn", show = { "bars" },
      enter = function(w)
        give_back(w)
        w:flow("read", "post:{p9}", 0)
        w:play_for(0.1) -- what is on its way
      end,
      say = [[
        So growing is for load of many keys. That will come: for the autumn {FORECAST} likes a second are forecast, spread over
        thousands of posts. A shard does {S0.write_ceiling}, and you plan it at {PLANNED}%.]],
      with = { FORECAST = FORECAST, PLANNED = PLANNED, EACH = function(w) return w.S0.write_ceiling * PLANNED // 100 end },
      predict = { id = "p6-autumn", kind = "number", unit = "shards",
        ask = "How many shards does that take?",
        answer = function(w) return math.ceil(FORECAST / (w.S0.write_ceiling * PLANNED // 100)) end,
        wrong = { [4] = { belief = "a ceiling is a plan", why = "At the forecast each would be at {percent(FORECAST, 4 * S0.write_ceiling)}: no room for a busy hour, nor for a shard that is fuller than the others." },
          [3] = { belief = "plan for a part of the load", why = "All of the load has to fit. It is the shards that are filled in part." } },
        why = "{FORECAST} over {EACH(w)} is {decimals(FORECAST / EACH(w), 1)}, and shards are whole.",
        hints = { "How much does one shard take, as planned?", "{EACH(w)} a second.", "{FORECAST} over {EACH(w)}, and up to the next whole number." } },
      after = [[
        One more than there are.]] },

    { id = "day-two", title = "Day two", show = { "bars" },
      enter = function(w)
        flows(w, 100, 200)
      end,
      say = [[
        So grow before it comes. A copy of the cluster, the day after: each of the {w:shards()} shards takes
        {S0.writes} writes a second, {S0.write_pct}% of its ceiling. A fifth shard, S4, is to join, and it
        comes empty.]],
      predict = { id = "p6-least", kind = "number", unit = "%", tolerance = 1,
        ask = "In the end all five should hold equally much. What part of all keys has to move, at least?",
        answer = function(w) return 100 / (w:shards() + 1) end,
        wrong = { [25] = { belief = "a share of the old shards", why = "A quarter is what each of the four holds now. Afterwards there are five." },
          [80] = { belief = "everything is dealt anew", why = "Four fifths may stay: they are on shards that remain." },
          [100] = { belief = "everything is dealt anew", why = "What stays where it is need not move." } },
        why = "S4 must end with one part of five, and all of that has to come from the others.",
        hints = { "What does S4 hold at the end?", "One part of five.", "100 divided by 5." } },
      after = [[
        Remember that number. What follows are four ways to grow, measured against it.]],
      notes = "Write 20% on the board. Every scheme of this part is compared with it." },

    { id = "by-remainder", title = "By the remainder", show = { "grid" },
      grids = function() return { { title = "hash mod 4, then mod 5", keys = GRID, before = mod(4), after = mod(5) } } end,
      say = [=[
        The simplest rule: hash the key, divide by the number of shards, and the [[remainder]] is its shard.
        With 4 shards it is the hash [[mod]] 4. S4 joins, so from now on it is the hash mod 5.]=],
      predict = { id = "p6-mod-n", kind = "number", tolerance = 40,
        ask = "Of {#GRID} keys, how many change their shard?",
        answer = function() return mod_moved(4, 5) end,
        wrong = { [200] = { belief = "only the new shard's share moves", why = "That is the least. But the remainder by 5 has nothing to do with the one by 4, so old shards swap keys as well." },
          [250] = { belief = "a share of the old shards", why = "The remainder by 5 has nothing to do with the one by 4. Nearly every key gets another one." },
          [500] = { belief = "half moves", why = "Half moves when the number doubles. One more shard is far worse." },
          [1000] = { belief = "everything moves", why = "A fifth of the hashes have the same remainder by luck." } },
        why = "A key stays only if both remainders agree. Of 20 hashes in a row, 4 do.",
        hints = { "Write 0 to 19, each mod 4 and mod 5.", "They agree for 0, 1, 2 and 3 only.", "16 of 20 move." } },
      with = { GRID = GRID },
      after = [[
        {mod_moved(4, 5)} of {#GRID}, {percent(mod_moved(4, 5), #GRID, 1)}: four times what had to.]] },

    { id = "doubling", title = "Is any size good?", show = { "grid" },
      knobs = { { name = "shards", values = { 5, 6, 7, 8 } } },
      grids = function() return { { title = "hash mod 4, then mod " .. knob.shards, keys = GRID, before = mod(4), after = mod(knob.shards) } } end,
      say = [[
        Now to {knob.shards} shards: {mod_moved(4, knob.shards)} of {#GRID} keys move, {percent(mod_moved(4, knob.shards), #GRID, 1)}.
        {knob.shards == 8 and DOUBLED or ""}]],
      with = { GRID = GRID, DOUBLED = "A hash mod 8 is what it is mod 4, or that and 4: so half stay. It is the least, and it takes twice the machines." },
      try = { ask = "Turn the shards with + and -. With which number, 5 to 8, do the fewest keys move? Stop there.",
        goal = function() return knob.shards == 8 end,
        solution = { "knob shards 8" },
        hints = { "Press + and read the number.", "Try all four.", "It is 8: the double of 4." } } },

    { id = "a-circle", title = "A circle", show = { "ring" }, key = "k17",
      placing = function()
        local r = ring(1)
        return { { title = "one token each", before = r, keys = KEYS, lookup = "k17", asked = PAST } }
      end,
      say = [=[
        Doubling moves half, and the remainder can do no better. So drop it. Bend the
        numbers that a hash can give into a circle, and put each shard on it at one random point, its
        [[token]]. A key belongs to the first token clockwise: k17 to that of S{OWNER}.]=],
      predict = { id = "p6-clockwise", kind = "text",
        ask = "{PAST} stands at {decimals(100 * WHERE, 1)}%, just before the top. The tokens are at {TOKENS}. Whose is it?",
        answer = function() return "S" .. ring(1):owner(PAST) end,
        wrong = { [LAST] = { belief = "a key belongs to the token before it", why = "That token is behind the key. Clockwise it goes on, over the top." } },
        why = "Past the last token the circle begins again, with the first one.",
        hints = { "Go clockwise from {PAST}.", "There is no token up to 100%. What comes after that?", "The token at the smallest percentage." } },
      with = { OWNER = ring(1):owner("k17"), WHERE = WHERE, TOKENS = TOKENS, PAST = PAST },
      after = [=[
        Each shard owns the arc that ends at its token. This is [[consistent hashing]].]=] },

    { id = "one-token", title = "S4 lands on it", show = { "ring" },
      placing = function() return joined("one token each, S4 joins", ring(1)) end,
      say = [[
        S4 joins with one token of its own. The others stay where they are.]],
      predict = { id = "p6-donors", kind = "choice", confidence = true,
        ask = "Which old shards give keys to S4?",
        choices = {
          { "All four, a quarter each.", belief = "a newcomer relieves everybody",
            why = "S4 cuts one arc in two. Arcs elsewhere on the circle do not notice.",
            holds = function() return ring(1):donors(ring(1):add(), KEYS) == 4 end },
          { "Its two neighbours.", belief = "both neighbours give",
            why = "An arc ends at its token. S4 takes the front part of one arc, and that has one owner.",
            holds = function() return ring(1):donors(ring(1):add(), KEYS) == 2 end },
          { "One: the next clockwise.", holds = function() return ring(1):donors(ring(1):add(), KEYS) == 1 end },
          { "None: it starts empty.", belief = "only new keys go to a new shard",
            why = "The circle has changed, and so have the owners of keys that were there before.",
            holds = function() return ring(1):donors(ring(1):add(), KEYS) == 0 end },
        },
        why = "S4 takes the front part of one arc. Nobody else is touched.",
        hints = { "Where does S4's arc begin, and where does it end?", "Who owned that arc before?", "One shard: the owner of the next token." } },
      after = [[
        {MOVED} keys moved, {percent(MOVED, 10000)}, all from S{DONOR}. No other key moved, and that is the
        gift of the circle. But three shards shed nothing, and the fullest still has {decimals(BUSIEST, 2)} times the
        average.]],
      with = (function()
        local r = layout("ring", { shards = 4, tokens = 1, seed = RING })
        local a, donor = r:add(), 0
        for id = 0, 3 do if r:gave(a, KEYS, id) > 0 then donor = id end end
        return { MOVED = r:moved(a, KEYS), DONOR = donor, BUSIEST = a:busiest(KEYS) }
      end)() },

    { id = "many-tokens", title = "Many small arcs", show = { "ring" },
      knobs = { { name = "tokens", values = { 1, 16, 100, 256 } } },
      placing = function() return joined(with_unit(knob.tokens) .. " each", ring(knob.tokens)) end,
      say = [=[
        Give each shard many tokens, and so many small arcs. These are [[virtual nodes]]. A new shard then cuts
        a little from many arcs.

        With {knob.tokens} the fullest has {decimals(now().busiest, 2)} times the average, and the shard that gave least
        gave {now().least} keys. {knob.tokens == 16 and UNEVEN or now().busiest < 1.1 and EVEN or ""}]=],
      with = { UNEVEN = "This ring is unlucky: the average fell, and the fullest shed little.",
        EVEN = "Every old shard gave, and all hold about the same.", now = function()
        local r = layout("ring", { shards = 4, tokens = knob.tokens, seed = RING })
        return { busiest = r:add():busiest(KEYS), least = least_given(r, r:add()) }
      end },
      try = { ask = "Turn the tokens with T until the fullest shard has less than 1.1 times the average.",
        goal = function() return ring(knob.tokens):add():busiest(KEYS) < 1.1 end,
        solution = { "knob tokens 100" },
        hints = { "T goes to the next number of tokens.", "The text says how full the fullest is.", "Go on until it says less than 1.1." } } },

    { id = "thirty-rings", title = "How many are enough?", show = { "layouts" },
      say = [=[
        That was one ring. Tokens are random, and another ring may be luckier. So try thirty for each number
        of tokens, and look at the [[median]]: half of the rings are better, half are worse.]=],
      predict = { id = "p6-sixteen", kind = "choice",
        ask = "With 16 tokens each, how full is the fullest of five, in the median ring?",
        choices = {
          { "About 1.05 times the average", belief = "a few tokens even it out",
            why = "Sixteen random arcs still differ a lot. The unevenness only shrinks with the square root of their number.",
            holds = function() return experiment[2].median < 1.1 end },
          { "About 1.3 times", holds = function() return experiment[2].median >= 1.2 and experiment[2].median < 1.5 end },
          { "About 2 times", belief = "randomness stays bad",
            why = "One token each is that bad. Sixteen arcs are added up, and long ones meet short ones.",
            holds = function() return experiment[2].median >= 1.7 end },
        },
        why = "The unevenness shrinks with the square root of the tokens: four times as many, half as uneven.",
        hints = { "With one token it was more than twice the average.", "16 tokens: a quarter of the unevenness.", "A bit above 1.25." } },
      experiment = { title = "busiest of five over the average",
        groups = { thirty(1), thirty(16), thirty(100), thirty(256) } },
      after = [[
        Medians: {decimals(experiment[1].median, 2)} with one token, {decimals(experiment[2].median, 2)} with 16, {decimals(experiment[3].median, 2)}
        with 100, {decimals(experiment[4].median, 2)} with 256. From 100 on little is left to gain.]],
      notes = "Let the group watch the dots come in. Ask which of the four rows they would buy." },

    { id = "slots-again", title = "Or slots", show = { "slot_map" }, key = "post:{p9}",
      say = [[
        Part 1 had another way: {SLOTS} fixed slots, and a map from slot to shard. Nothing is hashed anew. S4
        is simply given some slots.]],
      with = { SLOTS = CELL },
      predict = { id = "p6-slots", kind = "number", tolerance = 1,
        ask = "How many slots are a fair share for the fifth shard?",
        answer = function(w) return round(CELL / (w:shards() + 1)) end,
        wrong = { [4096] = { belief = "a share of the old shards", why = "That is a quarter. There will be five shards." },
          [820] = { belief = "one donor's part is the whole", why = "So many come from each old shard. There are four of them." } },
        why = "16,384 divided by five.",
        hints = { "All five should have equally many.", "Divide 16,384 by 5.", "3,276.8, so 3,277." } },
      after = [[
        About 819 from each of the four. And now there is a choice that no ring gives you: *which*.]] },

    { id = "which-slots", title = "Which slots?", show = { "bars", "slot_map:*" },
      say = [[
        Three plans, each with the fair share of slots. Each old shard has four posts, dots on the map: CRC16 deals such names so.
        Where in its slots they lie is not even, and a slot without a post carries nothing.]],
      predict = { id = "p6-which-slots", kind = "choice",
        ask = "After which do all five carry nearly the same?",
        choices = {
          { "819 from each, each block with one post in it", holds = function(w) return even(w, "picked") end },
          { "The last 819 slots of each old shard", belief = "equal slots are equal load",
            why = "S4 would get {planned(w, \"last\")} writes a second: what happens to lie there. Slots are not load.",
            holds = function(w) return even(w, "last") end },
          { "All of them from S2", belief = "any fifth will do",
            why = "S2 would be left with almost nothing, and the other three would stay as they are.",
            holds = function(w) return even(w, "one shard") end },
        },
        why = "Who knows where the load is can move load, and not just slots.",
        hints = { "Count posts, not slots.", "To be even, how many posts should S4 take from each?", "One from each." } },
      run = function(w)
        deal_back(w)
        move_by(w, "picked")
      end,
      after = [[
        S4 has {S4.slots} slots, four posts and {S4.write_pct}% of its ceiling, the others three posts and {S0.write_pct}%. Posts
        stay whole, so 16 on five shards cannot be more even.]] },

    { id = "your-plan", title = "Your plan", show = { "bars", "slot_map:*" }, actions = { "key" },
      enter = function(w)
        deal_back(w)
        another_day(w)
      end,
      say = [[
        Another day, and S4 is empty. Posts have 100 likes a second; p9 {P9}, p5 and p11 {P5}, p3 and p7 {P3}. S0 has
        {S0.writes}, S2 {S2.writes}.

          on S0      on S2
          p15 {typed(w, "{p15}")}   p13 {typed(w, "{p13}")}
          p11 {typed(w, "{p11}")}   p1  {typed(w, "{p1}")}
          p3  {typed(w, "{p3}")}   p5  {typed(w, "{p5}")}
          p7  {typed(w, "{p7}")}   p9  {typed(w, "{p9}")}

        Press : and type, say, `move 0-99 S4`.]],
      with = { P9 = ANOTHER.p9, P5 = ANOTHER.p5, P3 = ANOTHER.p3, MOST = MOST },
      try = { ask = "Give S4 blocks of slots, so that no shard, S4 too, has more than {MOST} likes.", builds = true,
        goal = function(w) return relieved(w) end,
        solution = { "move 11900-11999 S4", "move 3600-3699 S4" },
        hints = { "S2 must give {S2.writes - MOST}, S0 {S0.writes - MOST}: which posts have that?", "p5 from S2, and p3 or p7 from S0. u takes a move back.",
          "`move {=w:slot(\"{p5}\")}-{=w:slot(\"{p5}\")} S4`, and one more so." } } },

    { id = "in-the-middle", title = "Cut in the middle", show = { "bars", "slot_map:*" },
      enter = function(w)
        deal_back(w)
        hot_evening(w)
        w:play_for(3) -- until what a quiet shard has in reserve is used up
      end,
      say = [=[
        Some stores have no fixed slots. A shard there has many [[ranges]]. One that grows too big is [[split]] in two, and
        a half may then move.

        The evening when p9 was hot. S2 has slots {LOW} to {HIGH}, here one range, and {S2.writes} writes a second. It is cut in
        the middle, and S4 gets the lower half.]=],
      with = { LOW = CELL // 2, HIGH = CELL // 4 * 3 - 1, MIDDLE = CELL // 8 * 5 },
      predict = { id = "p6-middle", kind = "number", unit = "writes/s", tolerance = 0,
        ask = "How many writes a second does that take from S2?",
        answer = function(w) return w.S4.writes end,
        wrong = function(w)
          return { [w.S2.writes // 2] = { belief = "half the keys is half the load",
            why = "Half of the slots, and none of the posts: they all lie above the middle." } }
        end,
        why = "Half of the slots went, and no load.",
        hints = { "The middle is slot {MIDDLE}. Where are the posts of S2?", "Find the lowest dot of S2. It is p13, in slot {w:slot(\"{p13}\")}.", "None lies below the middle." } },
      run = function(w) w:move(CELL // 2, CELL // 8 * 5 - 1, "S4") end,
      after = [[
        S4 has {S4.slots} slots and {S4.writes} writes. A split by size halves what is stored, and does not look at what
        is asked for.]] },

    { id = "by-load", title = "Cut by load", show = { "bars", "slot_map:*" },
      say = [[
        So cut where the load is: right before slot {w:slot("{p9}")}, where p9 is, with {HOT} of the {S2.writes} writes. All
        below goes to S4.]],
      with = { HOT = 2400 },
      predict = { id = "p6-by-load", kind = "choice",
        ask = "How full is S2 then? Its ceiling is {cluster.write_ceiling // w:shards()} writes a second.",
        choices = {
          { "Under 100%", belief = "splitting cures a hot key",
            why = "Splitting parts neighbours. It cannot divide one key.",
            holds = function(w) return w.S2.write_pct <= 100 end },
          { "Near 120%", belief = "a split halves the load",
            why = "One post cannot be cut. Its {HOT} writes are all on one side.",
            holds = function(w) return w.S2.write_pct > 100 and w.S2.write_pct < 200 end },
          { "240%", holds = function(w) return w.S2.write_pct >= 200 end },
        },
        why = "Splitting ends at one slot, and in it at one key.",
        hints = { "What lies in slot {w:slot(\"{p9}\")}?", "One post, with {HOT} likes a second.", "It stays whole." } },
      run = function(w) w:move(CELL // 8 * 5, w:slot("{p9}") - 1, "S4") end,
      after = [[
        S2: {S2.write_pct}%. The neighbours of p9 are safe on S4, with {S4.writes} writes. p9 itself is for Part 5.]] },

    { id = "which-one", title = "Which one?", show = { "slot_map" },
      say = [[
        A fifth shard joined. By the remainder {percent(mod_moved(4, 5), #GRID, 1)} of the keys moved, on a ring with 100 tokens
        {percent(RING_MOVED, #GRID, 1)}, by slots {percent(SLOTS_MOVED, #GRID, 1)}.]],
      with = { GRID = GRID, RING_MOVED = ring(100):moved(ring(100):add(), GRID),
        SLOTS_MOVED = layout("slots", { shards = 4 }):moved(layout("slots", { shards = 4 }):add(), GRID) },
      predict = { id = "p6-which-one", kind = "choice",
        ask = "You know which posts are busy. Which way lets you choose what the new shard takes?",
        choices = {
          { "The remainder", belief = "a formula can be steered", why = "The formula decides, for every key at once.",
            holds = function() return lets_choose("mod-n") end },
          { "Slots and a map", holds = function() return lets_choose("slots") end },
          { "A ring with 256 tokens", belief = "more tokens, more control",
            why = "Tokens fall where they fall. Many of them make shares even in keys, and nobody looks at load.",
            holds = function() return lets_choose("ring") end },
        },
        why = "A map is data, and you can write into it what you like.",
        hints = { "Two of them are formulas.", "Which one is a table?", "The map." } },
      after = [[
        The map has its price: somebody has to keep it, and every router needs a copy.]] },

    { id = "tell", title = "Tell the team", show = { "slot_map" },
      say = [[
        A colleague: "Five? Then hash mod 5."]],
      predict = { id = "p6-tell", kind = "explain",
        ask = "What does that move? And instead?",
        model = "Mod 5 moves {percent(mod_moved(4, 5), #GRID)} of all keys; {LEAST} must. A ring with many tokens moves that; so do slots, and there we choose.",
        rubric = { "mod N moves most keys", "a fifth is the least", "a ring, many tokens", "slots: we choose which" },
        hints = { "What must move at least?", "What moves by the remainder?", "Which ways move only that, and which lets you choose?" } },
      with = { GRID = GRID, LEAST = "20%" },
      after = [[
        From here on it goes deeper.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "cost-of-tokens", title = "What tokens cost", deeper = true, show = { "ring" },
      placing = function() return joined("16 tokens, placed by rule", chosen()) end,
      say = [[
        A ring is a sorted table, and each router holds all of it. It has one entry a token. A cluster has 100
        shards with 256 tokens each.]],
      predict = { id = "p6-entries", kind = "number", tolerance = 0,
        ask = "How many entries has the table?",
        answer = function() return layout("ring", { shards = 100, tokens = 256 }):points() end,
        wrong = { [256] = "So many has each shard. There are 100 of them.", [356] = "Each of the shards has its own tokens." },
        why = "One a token: 100 x 256.",
        hints = { "One entry a token.", "Each shard has 256.", "100 times 256." } },
      after = [[
        {big():memory() // 1024} KB here. A new shard also fetches from up to 256 arcs, and each is a stream to start, watch and
        repair. So tokens may be placed by rule instead, where they even out most. With 16 of those the fullest of five has
        {decimals(chosen():add():busiest(KEYS), 2)} times the average.]],
      with = { big = function() return layout("ring", { shards = 100, tokens = 256 }) end, KEYS = KEYS } },

    { id = "copies", title = "Three copies", deeper = true, show = { "ring" },
      placing = function() return { { title = "six shards, four tokens each", before = SIX, keys = GRID, lookup = WALKER, copies = 3 } } end,
      say = [[
        A store keeps each key three times. On a ring the copies go on clockwise from the owner. The next
        tokens after {WALKER} belong to {WALK}.]],
      with = { WALKER = WALKER, WALK = names(SIX:walk(WALKER, 6)), COPIES = names(SIX:replicas(WALKER, 3)) },
      predict = { id = "p6-copies", kind = "choice",
        ask = "Where are the three copies?",
        choices = {
          { "All on S" .. SIX:owner(WALKER), belief = "a copy beside the original", why = "Then one machine holds all three, and its loss is the loss of the key.",
            holds = function() return names(SIX:replicas(WALKER, 3)) == names({ SIX:owner(WALKER), SIX:owner(WALKER), SIX:owner(WALKER) }) end },
          { "On " .. names(SIX:walk(WALKER, 3)), belief = "a token is a machine",
            why = "Two of these tokens are one machine. If it dies, two copies are gone at once.",
            holds = function() return names(SIX:replicas(WALKER, 3)) == names(SIX:walk(WALKER, 3)) end },
          { "On " .. names(SIX:replicas(WALKER, 3)),
            holds = function() return differ(SIX:replicas(WALKER, 3)) end },
        },
        why = "The walk passes over tokens of shards that have a copy already.",
        hints = { "What must not happen when one machine dies?", "Two copies on one machine are one copy.", "Skip a shard that was met before." } },
      after = [[
        {COPIES}. The first is the owner, and leads. Since each shard owns arcs all around the circle, leaders are spread as
        evenly as keys.]] },

    { id = "zones", title = "Three zones", deeper = true, show = { "ring" },
      placing = function() return { { title = "six shards in three zones", before = SIX, keys = GRID, lookup = WALKER,
        copies = 3, zones = table.concat(ZONES, " ") } } end,
      say = [=[
        The six stand in three [[zones]], buildings that fail alone: S0 and S1 in zone 1, S2 and S3 in zone 2, S4 and S5
        in zone 3. The copies of {WALKER} are on {COPIES}: {COUNT} zones.]=],
      with = { WALKER = WALKER, COPIES = names(SIX:replicas(WALKER, 3)), COUNT = zones_of(SIX:replicas(WALKER, 3)),
        ZONED = names(SIX:replicas(WALKER, 3, ZONES)) },
      predict = { id = "p6-zones", kind = "choice",
        ask = "Let the walk also pass over zones that have a copy. Where do the copies go?",
        choices = {
          { names(SIX:replicas(WALKER, 3, ZONES)),
            holds = function() return zones_of(SIX:replicas(WALKER, 3, ZONES)) == 3 end },
          { names(SIX:replicas(WALKER, 3)), belief = "different machines are enough",
            why = "Two of them are in one zone, and go down together.",
            holds = function() return names(SIX:replicas(WALKER, 3, ZONES)) == names(SIX:replicas(WALKER, 3)) end },
        },
        why = "A zone may now fail, and two copies remain.",
        hints = { "In which zone is each of the three?", "Pass over a shard whose zone has one.", "One in zone 1, one in 2, one in 3." } },
      after = [[
        {ZONED}. The price: what is written crosses zones twice, every time.]] },

    { id = "equal-parts", title = "Parts of one size", deeper = true, show = { "grid" },
      grids = function()
        local parts = layout("slots", { shards = 4, slots = 4096 })
        return { { title = "4,096 parts", keys = GRID, before = parts, after = parts:add() } }
      end,
      say = [[
        The authors of Dynamo tried random tokens first. In the end they cut the circle into parts of one
        size, many more than shards, and gave each shard its fair number of parts. A part is a file, and moves as one.]],
      predict = { id = "p6-equal-parts", kind = "number", tolerance = 1,
        ask = "4,096 parts on 4 shards. A fifth joins. How many parts does it take?",
        answer = function() return layout("slots", { shards = 4, slots = 4096 }):add():slots_of(4) end,
        wrong = { [1024] = { belief = "a share of the old shards", why = "So many has each of the four now." } },
        why = "4,096 divided by five, in whole parts.",
        hints = { "All five should have equally many.", "Divide 4,096 by 5.", "819, and one is left over." } },
      after = [[
        That is slots by another name. And if a server is split into two, half of its parts change the machine
        ({percent(HALF, 4096)}), while no key changes its part.]],
      with = { HALF = layout("slots", { shards = 1, slots = 4096 }):add():slots_of(1) } },

    { id = "a-bigger-machine", title = "A bigger machine", deeper = true, show = { "ring" },
      knobs = { { name = "weight", label = "weight of S0", values = { 50, 100, 200, 400 }, start = 100 } },
      placing = function() return { { title = "weights: S0 " .. knob.weight .. ", S1 50, S2 100", before = uneven(), keys = KEYS } } end,
      say = [=[
        S0 is a big machine, S1 a small one, S2 a usual one. On a ring a bigger one gets more tokens: its [[weight]]. Usual is 100.

        At {knob.weight} S0 owns {percent(uneven():share(0), 1)} of the circle. By weight it would be {percent(knob.weight, knob.weight + 150)}: random tokens
        miss a little.]=],
      try = { ask = "Turn it with W until S0 owns more than half of the circle, and less than two thirds.",
        goal = function() local s = uneven():share(0) return s > 0.5 and s < 2 / 3 end,
        solution = { "knob weight 200" },
        hints = { "S1 and S2 have 150 together.", "To own half, S0 needs more than 150.", "200 of 350." } } },

    { id = "equal-terms", title = "On equal terms", deeper = true, show = { "schemes" },
      placing = function()
        local list = {}
        for _, name in ipairs(SCHEMES) do list[#list + 1] = joined(name, ten(name))[1] end
        return list
      end,
      say = [[
        Seven rules on the same keys, from ten shards to eleven. You know three; the next steps show the rest.]],
      predict = { id = "p6-only-new", kind = "several",
        ask = "Where do keys move only to the new shard, and never between old ones?",
        choices = {
          { "mod N", belief = "mod N moves little", why = "By the remainder old shards swap keys among each other.", holds = function() return shuffled("mod-n") == 0 end },
          { "a ring", belief = "a ring shuffles", why = "A new token takes a part of an arc, and nothing else moves.", holds = function() return shuffled("ring") == 0 end },
          { "slots", belief = "a map shuffles", why = "Old shards only give slots.", holds = function() return shuffled("slots") == 0 end },
          { "jump hash", belief = "no table, no order", why = "A key either jumps to the new shard or stays.", holds = function() return shuffled("jump") == 0 end },
          { "rendezvous", belief = "a draw shuffles", why = "Only where the new shard draws highest does anything change.", holds = function() return shuffled("rendezvous") == 0 end },
          { "Maglev", belief = "a table moves as little as a ring", why = "Its table is filled in turns, and a newcomer disturbs some turns of the others.", holds = function() return shuffled("maglev") == 0 end },
        },
        why = "By the remainder nearly all are shuffled, and by Maglev a few. The other four only give to the newcomer.",
        hints = { "You have seen two answers in the core path.", "Which one computes everything anew?", "Two do not: mod N, and a little Maglev." } },
      after = [[
        Read the table by its columns: how even it is, what moved, and of that without need, what a lookup takes here, what a router must hold. No row
        is best in all.]] },

    { id = "jump", title = "Jump hash", deeper = true, show = { "schemes" },
      placing = function()
        local list = {}
        for i, name in ipairs(SCHEMES) do
          list[i] = { title = name, before = ten(name), after = ten(name):remove(3), keys = KEYS }
        end
        return list
      end,
      say = [[
        Jump hash needs no table: a few multiplications give a number from 0 to N-1. Growing is perfect. But
        numbers have no gaps: only the last shard can leave. If shard 3 of ten dies, 4 becomes 3, 5 becomes 4, and so on.]],
      predict = { id = "p6-jump", kind = "number", unit = "%", tolerance = 4,
        ask = "What part of the keys moves when shard 3 of ten leaves?",
        answer = function() return round(100 * ten("jump"):moved(ten("jump"):remove(3), KEYS) / #KEYS) end,
        wrong = { [10] = { belief = "only its own keys move", why = "Its own keys, and those of all shards behind it, which have another number now." },
          [100] = { belief = "everything moves", why = "Shards 0, 1 and 2 keep their numbers, and most of their keys." } },
        why = "Everything behind the gap moves up by one.",
        hints = { "Which shards keep their number?", "0, 1 and 2: three of ten keep their keys.", "About 70%." } },
      after = [[
        If the last shard takes the free number instead, {percent(renamed(), 1)} move. Rings, slots and
        draws do not care which one leaves. Jump hash is for machines that only grow in number.]] },

    { id = "rendezvous", title = "Every shard draws", deeper = true, show = { "rendezvous" },
      placing = function()
        local r = layout("rendezvous", { shards = 6 })
        return { { title = "six shards; the winner leaves", before = r, after = r:remove(r:owner("k17")), keys = KEYS, lookup = "k17" } }
      end,
      say = [[
        Rendezvous hashing: for each key every shard draws a number, made of the key and its own name. The
        highest wins the key. Now the winner of k17 leaves.]],
      predict = { id = "p6-rendezvous", kind = "text",
        ask = "Who has k17 then?",
        answer = function()
          local r = layout("rendezvous", { shards = 6 })
          return "S" .. r:remove(r:owner("k17")):owner("k17")
        end,
        why = "The second highest draw. All other keys keep their winners.",
        hints = { "The draws of the others do not change.", "Who drew highest among those that remain?", "The second in the picture." } },
      after = [[
        No table at all, and the keys of a dead shard spread over all others. The price: each lookup asks every shard's
        draw, and with a thousand shards that is a thousand.]] },

    { id = "fair-draws", title = "Weights", deeper = true, show = { "rendezvous" },
      placing = function()
        return { { title = "draws, then by weight", before = layout("rendezvous", { shards = 3 }),
          after = layout("rendezvous", { shards = 3, weights = WEIGHTS }), keys = KEYS, lookup = "k17" } }
      end,
      say = [[
        Three shards of weights 4, 1 and 2 should get 57, 14 and 29%. Somebody multiplies each draw by the weight, and the
        highest wins: for k17 {TIMES(0)}, {TIMES(1)} and {TIMES(2)}.]],
      with = { TIMES = function(id)
        local draw = layout("rendezvous", { shards = 3 }):score("k17", id)
        return WEIGHTS[id + 1] // 100 .. " x " .. percent(draw, 1, 1)
      end },
      predict = { id = "p6-multiplied", kind = "number", unit = "%", tolerance = 3,
        ask = "What share does the one with weight 1 get?",
        answer = function() return round(100 * multiplied(1)) end,
        wrong = { [14] = { belief = "a factor on the draw is a factor on the share", why = "To win it must draw high while a shard whose draws are four times as large draws low. That is rarer than one in seven." } },
        why = "Against draws of up to four, a draw of up to one seldom wins.",
        hints = { "Its draws reach from 0 to 1, those of the first from 0 to 4.", "The first must draw below 1: one time in four.", "About 4%." } },
      after = [[
        {percent(multiplied(0), 1)}, {percent(multiplied(1), 1)} and {percent(multiplied(2), 1)}. Right is the weight divided by
        the draw's negative logarithm, as the picture does it now: {percent(weighted(0), 1)}, {percent(weighted(1), 1)} and {percent(weighted(2), 1)}.]] },

    { id = "maglev", title = "A table, filled in turn", deeper = true, show = { "maglev" },
      placing = function()
        local m = ten("maglev", { table = 65537 })
        return { { title = "ten shards, S3 leaves", before = m, after = m:remove(3), keys = KEYS, lookup = "k17" } }
      end,
      say = [[
        Maglev fills a flat table: the shards take turns, and each takes the next free entry of a random order of
        its own. A lookup is one step into the table. This one has {ENTRIES} entries and ten shards. S3 leaves, and it is filled anew.]],
      predict = { id = "p6-maglev", kind = "choice",
        ask = "Do entries of shards that stay change their owner?",
        choices = {
          { "A few, under 1%.", holds = function()
            local n = bystanders(ten("maglev"), KEYS)
            return n > 0 and n < 100
          end },
          { "None do.", belief = "a table moves as little as a ring",
            why = "Turns come earlier now, so a shard may take an entry before another one gets to it.",
            holds = function() return bystanders(ten("maglev"), KEYS) == 0 end },
          { "Most of them.", belief = "a new table is a new deal",
            why = "Each shard asks for the same entries in the same order as before, and mostly gets them.",
            holds = function() return bystanders(ten("maglev"), KEYS) >= 1000 end },
        },
        why = "Nearly minimal, and that is enough where only connections are at stake.",
        hints = { "Each shard's order stays the same.", "But turns come earlier.", "A few entries change hands." } },
      after = [[
        {bystanders(MAGLEV(), KEYS)} of {#KEYS} keys moved without need; by a table of {SMALL} entries it would be {bystanders(MAGLEV(SMALL), KEYS)}. For
        a load balancer a few are nothing; for a store each is data in the wrong place.]],
      with = { KEYS = KEYS, SMALL = 1021, ENTRIES = 65537,
        MAGLEV = function(entries) return ten("maglev", { table = entries }) end } },

    { id = "ketama", title = "A twelfth server", deeper = true, show = { "schemes" },
      placing = function()
        local list = {}
        for _, name in ipairs { "mod-n", "ketama" } do
          list[#list + 1] = joined(name, layout(name, { shards = 11 }))[1]
        end
        return list
      end,
      say = [=[
        Ketama is the ring of memcached: MD5, and 160 points a server. Eleven such servers stand before a
        database and answer {HITS}% of {REQUESTS} reads a second. A twelfth joins, and whatever moves is [[cold]]: not there yet.]=],
      with = { HITS = HITS, REQUESTS = REQUESTS, USUAL = USUAL },
      predict = { id = "p6-cold", kind = "number", unit = "reads/s", tolerance = 400,
        ask = "By mod N, how many reads reach the database in the first moment?",
        answer = function() return reaching("mod-n") end,
        wrong = { [1000] = { belief = "a cache keeps what it has", why = "It has the answers, but nobody asks it for them any more: the keys belong to other servers now." },
          [20000] = { belief = "everything is cold", why = "One key in twelve stays where it was." } },
        why = "Eleven of twelve keys are asked for where they are not.",
        hints = { "{100 - HITS}% always reach it: {USUAL}.", "Of the others {percent(cold(\"mod-n\"), 1)} are cold.", "{USUAL}, and that part of {REQUESTS - USUAL}." } },
      after = [[
        Usually it is {USUAL}. By mod N the database gets {reaching("mod-n")}, by Ketama {reaching("ketama")}: with that many points a server
        the newcomer takes about its fair share. Grow at a quiet hour, or warm it first.]] },

    { id = "bounded", title = "With a cap", deeper = true, show = { "ring" },
      knobs = { { name = "cap", label = "cap percent", values = { 110, 125, 150, 200 }, start = 200 } },
      placing = function()
        return { { title = "a ring, then with a cap of " .. knob.cap .. "%", before = ten("ring", { tokens = 16 }), after = capped(), keys = KEYS } }
      end,
      say = [=[
        [[Bounded loads]]: a ring on which no shard may hold more than a cap, in percent of the average. The
        rest spills over clockwise.

        At {knob.cap}% the fullest has {decimals(capped():busiest(KEYS), 2)} times the average; {spilled()} of {#KEYS} keys are not where
        the ring has them.]=],
      with = { KEYS = KEYS },
      try = { ask = "Turn C to the lowest cap. What does it cost?",
        goal = function() return knob.cap == 110 end, solution = { "knob cap 110" },
        hints = { "C goes to the next cap.", "From 200 it goes round to the first.", "110 is the lowest." } } },

    { id = "not-for-a-store", title = "The likes beyond", deeper = true, show = { "bars" },
      enter = function(w)
        hot_evening(w)
        w:play_for(3)
      end,
      say = [[
        p9 has {HOT} of {cluster.writes} writes, {percent(HOT, cluster.writes)}. On {w:shards()} shards and with a cap
        of 125% one shard may take {percent(CAP, w:shards())} of all.]],
      with = { HOT = 2400, CAP = 1.25 },
      predict = { id = "p6-store", kind = "choice",
        ask = "What happens to the likes of p9 beyond that?",
        choices = {
          { "They are spread, and p9 is cured.", belief = "bounded loads cure a hot key",
            why = "They are spread over machines that do not have p9.",
            holds = function(w) return 2400 / w.cluster.writes <= 1.25 / w:shards() end },
          { "They wait for their own shard.", belief = "a cap makes a queue", why = "A cap like this one does not let them wait. It sends them on.",
            holds = function() return false end },
          { "They go to shards that do not have p9.", holds = function(w) return 2400 / w.cluster.writes > 1.25 / w:shards() end },
        },
        why = "Where a key is would hang on the load of the moment. A store has to find it again.",
        hints = { "Who holds the counter of p9?", "Does the next shard on the ring have it?", "It has not." } },
      after = [[
        For caches and workers any shard will do, and there a cap is a gift. For a store, and for a router that cannot know
        everybody's load, it is the wrong tool.]] },

    { id = "while-it-splits", title = "While it splits", deeper = true, show = { "trace" }, key = "likes:{p13}", router = "R0",
      enter = function(w)
        flows(w, 0, 0)
        w:play_for(1)
      end,
      say = [[
        A range that is being split stops serving for a moment. Here the slot of p13 is held for 30 ms, and a like for it
        arrives.]],
      predict = { id = "p6-splitting", kind = "choice",
        ask = "What does the fan see?",
        choices = {
          { "An error.", belief = "a split is an outage", why = "The reply is \"retry\", and the router does so by itself.",
            holds = function() return last.outcome ~= "OK" end },
          { "A like, some milliseconds late.", holds = function() return last.outcome == "OK" and last.retries > 0 end },
          { "Nothing special.", belief = "a split costs nothing", why = "Somebody waits: the router had to ask again.",
            holds = function() return last.outcome == "OK" and last.retries == 0 end },
        },
        why = "The router waits a little and asks again, each time a little longer.",
        hints = { "The shard says that the slot is busy, and not that it is gone.", "A router may ask again.", "It does, after 10 ms, then 20." } },
      run = function(w)
        local owner, slot = w:owner("likes:{p13}"), w:slot("likes:{p13}")
        w:freeze(slot, slot, owner, true)
        w:send("like", "likes:{p13}", "R0")
        w:play_for(0.03)
        w:freeze(slot, slot, owner, false)
        w:play_answered()
      end,
      after = [=[
        {last.retries} retries, {last.ms} ms. For one slot this is nothing. For a store whose splits take minutes it is [[throttling]]:
        so split before the peak.]=] },

    { id = "the-tail", title = "Keys by time", deeper = true, show = { "ranges" },
      placing = function()
        return { { title = "keys in order of time", before = by_time():add(), after = again(by_time():add()), keys = TIMES } }
      end,
      say = [[
        Keys that begin with the time, in four ranges. Each new key is larger than all before it. The busiest range,
        the last one, has just been split, and S4 has its upper half.]],
      predict = { id = "p6-tail", kind = "number", unit = "%", tolerance = 0,
        ask = "What part of the next hundred keys does S4 get?",
        answer = function() return by_time():add():owned(LATER, 4) end,
        wrong = { [50] = { belief = "a split halves the writes", why = "It halved what was there. What comes is larger than all of that." },
          [20] = { belief = "new keys are spread", why = "In order of bytes new keys are all at the end." } },
        why = "There is always one last range, and it takes every write.",
        hints = { "Where is a key that is larger than all others?", "In the last range.", "All of them." } },
      after = [[
        The new tail is as hot as the old one: split it too, as the picture does now, and S0 gets them all. Put a hash before the time, `3/2030-06-14 ...`, and the
        fullest of eight ranges gets {fullest_prefix()}% of the new keys. The price: an hour of keys is in eight places.]] },

    { id = "two-programs", title = "Two programs", deeper = true, show = { "schemes" },
      placing = function()
        local list = {}
        for _, name in ipairs { "slots", "mod-n" } do
          list[#list + 1] = joined(name, layout(name, { shards = 4, hash = "fnv1a", slots = name == "slots" and 4096 or nil }),
            keys("user:%d", 0, 99999))[1]
        end
        return list
      end,
      say = [[
        Two programs place `user:0` to `user:99999` on four shards by FNV-1a, a simple hash. One goes through
        4,096 slots and a map, the other takes the hash mod N. Both add a fifth shard and print what moved.]],
      predict = { id = "p6-programs", kind = "number", unit = "%", tolerance = 1,
        ask = "What does the first one print?",
        answer = function() return round(1000 * experiment_moved("slots") / 100000) / 10 end,
        wrong = { [80] = { belief = "slots are a hash mod N too", why = "That is the other program. Slots stay, and only the map changes." },
          [25] = { belief = "a share of the old shards", why = "Afterwards there are five." } },
        why = "One part of five, and what the slots hold by chance.",
        hints = { "How many of the 4,096 slots move?", "819.", "819 of 4,096." } },
      after = [[
        {percent(experiment_moved("slots"), 100000, 1)} against {percent(experiment_moved("mod-n"), 100000, 1)}. `hotshard plan` counts the
        same on keys of your own.]] },

    { id = "eight-sub-keys", title = "Eight sub-keys", deeper = true, show = { "grid" },
      grids = function()
        local list = {}
        for i = 0, 7 do list[i + 1] = "post:42:likes#" .. i end
        return { { title = "8, then 7 shards", keys = keys(list), before = layout("mod-n", { shards = 8, hash = "fnv1a" }),
          after = layout("mod-n", { shards = 7, hash = "fnv1a" }) } }
      end,
      say = [[
        And a third program: 80,000 likes of one post, dealt in turn over eight sub-keys `post:42:likes#0` to `#7`,
        on eight shards, again by FNV-1a. The fullest shard takes {salted(8)}: one sub-key each.]],
      predict = { id = "p6-sub-keys", kind = "number", tolerance = 0,
        ask = "With seven shards instead, how many does the fullest take?",
        answer = function() return salted(7) end,
        wrong = { [11429] = { belief = "likes can be cut anywhere", why = "That is a seventh of 80,000. But a sub-key is a key, and stays whole." },
          [10000] = { belief = "sub-keys avoid each other", why = "Eight of them on seven shards: two have to share." } },
        why = "Eight sub-keys on seven shards: at least two meet.",
        hints = { "How many sub-keys does each shard get?", "One of them gets two.", "Two times 10,000." } },
      after = [[
        And one each on eight was a gift of FNV-1a: its lowest bits follow the last digit. By mix64, which mixes, the fullest of eight
        takes {salted(8, "mix64")}. Growing helps whole keys; the pieces of a hot one have to be placed with care.]] },
  },
}
