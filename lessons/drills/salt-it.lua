-- Place sub-keys so that no shard is above 80% of its ceiling: the room, the smallest S, do it, and
-- place one of them anew when its shard gets busy. A hot post, its likes and what the shards have
-- besides are new each time; every answer is measured on a copy of the cluster.

local CEILING, LINE, SALTS = 1000, 800, 8
local POSTS = 16

return drill {
  id = "salt-it", part = 5, title = "Salt it",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local post, likes, rates, owner, places, best, naive, busy, more

    -- What each shard is asked for with S sub-keys, worked out by hand, to choose numbers that are
    -- neither trivial nor close to the line.
    local function loads(count)
      local load = { [0] = 0, 0, 0, 0 }
      for n = 1, POSTS do
        if n ~= post then load[owner[n]] = load[owner[n]] + rates[n] end
      end
      for i = 0, count - 1 do load[places[i]] = load[places[i]] + likes / count end
      return load
    end
    local function most(count)
      local load = loads(count)
      return math.max(load[0], load[1], load[2], load[3])
    end

    -- A shard with a sub-key that gets so busy that one of its sub-keys must go, and no more than one;
    -- and which of its posts does it.
    local function gets_busy()
      local load, each = loads(best), likes / best
      local list = {}
      for n = 1, POSTS do
        local id = owner[n]
        local lowest, highest = LINE + 20 - load[id], LINE - 20 - load[id] + each
        local holds = false
        for i = 0, best - 1 do holds = holds or places[i] == id end
        if n ~= post and holds and lowest + 10 < highest then list[#list + 1] = { n, lowest, highest } end
      end
      if #list == 0 then return nil end
      local one = r:pick(list)
      return one[1], 10 * r:between(math.ceil(one[2] / 10), math.floor(one[3] / 10))
    end

    owner = {}
    for n = 1, POSTS do owner[n] = map:owner("{p" .. n .. "}") end
    for _ = 1, 400 do
      post, rates, places = r:between(1, POSTS), {}, {}
      for n = 1, POSTS do rates[n] = 10 * r:between(2, 7) end
      rates[r:between(1, POSTS)] = 10 * r:between(25, 45)
      for i = 0, SALTS - 1 do places[i] = map:owner("{p" .. post .. "#" .. i .. "}") end
      likes = 240 * r:between(5, 11)
      best, naive = nil, math.ceil(likes / CEILING)
      local fair = rates[post] <= 70
      for count = 2, SALTS do
        if math.abs(most(count) - LINE) < 12 then fair = false end
        if not best and most(count) < LINE then best = count end
      end
      if fair and best and best > 2 and best < SALTS and best ~= naive then
        busy, more = gets_busy()
        if busy then break end
      end
    end

    local key = "likes:{p" .. post .. "}"
    local tightest, others = 0, loads(1)
    others[places[0]] = others[places[0]] - likes
    for id = 0, 3 do others[id] = math.floor(others[id] + 0.5) end
    for id = 1, 3 do
      if others[id] > others[tightest] then tightest = id end
    end
    local listed, slots, have, goes = {}, {}, {}, nil
    for i = 0, SALTS - 1 do listed[i + 1] = "#" .. i .. " S" .. places[i] end
    for i = 0, best - 1 do
      slots[i + 1] = "#" .. i .. " " .. map:position("{p" .. post .. "#" .. i .. "}") .. " S" .. places[i]
      if places[i] == owner[busy] then goes = map:position("{p" .. post .. "#" .. i .. "}") end
    end
    for id = 0, 3 do have[id + 1] = "S" .. id .. " " .. others[id] end
    local names = { post = "p" .. post, key = key, likes = likes, tightest = "S" .. tightest, ceiling = CEILING,
      others = table.concat(have, ", "), places = table.concat(listed, ", "), best = best, each = likes // best,
      room = LINE - others[tightest], slots = table.concat(slots, ", "), busy = "p" .. busy, more = more,
      where = "S" .. owner[busy], goes = goes }

    local function start(w)
      for n = 1, POSTS do
        if n ~= post then w:flow("like", "likes:{p" .. n .. "}", rates[n]) end
      end
      w:flow("like", key, likes)
      w:play_for(0.5) -- until no bucket is full any more
    end
    local function fullest(w)
      local most = 0
      for id = 0, w:shards() - 1 do most = math.max(most, w["S" .. id].write_pct) end
      return most
    end
    local function salted(w, count)
      local f = w:fork()
      f:command("writes " .. key .. " salted " .. count)
      f:play_for(0.5)
      return f
    end
    local function smallest(w)
      for count = 2, SALTS do
        if fullest(salted(w, count)) <= 80 then return count end
      end
    end

    local wrong = {}
    local function mistake(count, belief, why)
      if count ~= best and not wrong[count] then wrong[count] = { belief = belief, why = why } end
    end
    mistake(naive, "the ceiling divides the likes", "So many would do on empty shards. But each has other keys, and a line at 80%.")
    mistake(4, "one for each shard", "Look where they land and what is there: the fullest shard decides.")
    mistake(SALTS, "more is safer", "Fewer will do, or as many do harm: each read asks all of them.")

    return { world = "story-near", steps = {
      { id = "room", title = "How much room?", show = { "bars" }, key = key, with = names, enter = start,
        say = [[{post} takes {likes} likes a second and is to be salted. Without it the shards have, in writes a second: {others}. Each can
          take {ceiling}, and none should be above 80%.]],
        predict = { id = "drill-salt-room", kind = "number", unit = "likes/s", tolerance = 2,
          ask = "How many of its likes fit on {tightest}, which has least room?",
          answer = function(w)
            local f = w:fork()
            f:flow("like", key, 0)
            return LINE - f["S" .. tightest].writes
          end,
          wrong = {
            [CEILING - others[tightest]] = { belief = "the ceiling is the line", why = "That fills it to 100%. Up to 80% it is 200 less." },
            [LINE] = { belief = "only the hot key counts", why = "It has other keys, and they stay." },
          },
          why = "80% of the ceiling, less what is there.",
          hints = { "What is 80% of {ceiling}?", "{ceiling * 8 // 10}. What has {tightest} already?", "{ceiling * 8 // 10} less that." } },
        after = [[{room}. A sub-key there must not be larger.]] },

      { id = "smallest", title = "How many?", show = { "table" }, key = key, with = names,
        table = function()
          local rows = {}
          for count = 2, SALTS do
            rows[count - 1] = { label = "S = " .. count,
              run = function(f)
                f:command("writes " .. key .. " salted " .. count)
                f:play_for(1)
              end,
              cells = function(f) return { f.S0.writes, f.S1.writes, f.S2.writes, f.S3.writes } end }
          end
          return { title = "writes a second", columns = { "salts", "S0", "S1", "S2", "S3" }, numbers = { 2, 3, 4, 5 }, rows = rows }
        end,
        say = [[{post}: {likes} likes a second. The others: {others}. Its sub-keys land like this: {places}.]],
        predict = { id = "drill-salt-smallest", kind = "number", tolerance = 0,
          ask = "S from 2 to {8}: which is the smallest that keeps every shard at 80% or less?",
          answer = smallest, wrong = wrong,
          why = "Other writes and its sub-keys, for each shard; the fullest decides.",
          hints = { "Try S = 2: likes / 2 on each of two shards.", "Add what is there, and go up until nobody is above {ceiling * 8 // 10}.",
            "S = {best}, {each} for each sub-key." } },
        after = [[S = {best}. Each row of the table is a run: enter opens it.]] },

      { id = "do-it", title = "Do it", show = { "bars", "counter:" .. key }, key = key, with = names,
        say = [[{post} again. Sub-keys land like this: {places}. Press : and type, for example, `writes {=key} salted 2`.]],
        try = { ask = "Salt {post} with the smallest S that keeps every shard at 80% or less.",
          goal = function(w) return w:count(key).mode == "salted" and w:count(key).salts == best and fullest(w) <= 80 end,
          solution = { "writes " .. key .. " salted " .. best },
          hints = { "You know S from the step before.", "u takes a command back.", "S is {best}." } } },

      { id = "place", title = "Another place", show = { "bars" }, key = key, with = names,
        enter = function(w)
          if w:count(key).salts ~= best then pcall(w.command, w, "writes " .. key .. " salted " .. best) end
          if w:shards() < 5 then w:add_shard() end
          w:flow("like", "likes:{p" .. busy .. "}", rates[busy] + more)
          w:play_for(0.5)
        end,
        say = [[{busy} on {where} takes {more} more. S4 has joined, empty. A sub-key lies where its slot lies: {slots}. `move 4711 S3` would give
          slot 4711 to S3.]],
        try = { ask = "Keep S = {best}, and place one sub-key so that no shard is above 80%.",
          goal = function(w)
            return w:count(key).mode == "salted" and w:count(key).salts == best and fullest(w) <= 80
          end,
          builds = true,
          solution = { "move " .. goes .. " S4" },
          hints = { "Which shard is above 80%?", "Which sub-key lies there, and which slot is it?", "`move {=goes} S4`" } } },
    } }
  end,
}
