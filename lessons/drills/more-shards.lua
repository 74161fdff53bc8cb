-- One hot post, and more and more shards: how full is the busiest, how full the average, when does it
-- help, and who still lives beside it. New posts, rates and numbers of shards each time; every
-- answer is read off a copy of the cluster with that many shards.

local CELL, POSTS = 16384, 16
local CEILING = 1000 -- writes a second of one shard

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

-- 11819 as texts show it.
local function grouped(n)
  return n < 1000 and tostring(n) or n // 1000 .. string.format(",%03d", n % 1000)
end

-- Equal runs of slots for n shards.
local function spread(w, n)
  while w:shards() < n do w:add_shard() end
  for i = n - 1, 0, -1 do -- a move to the owner is refused
    pcall(w.move, w, i * CELL // n, (i + 1) * CELL // n - 1, "S" .. i)
  end
end

return drill {
  id = "more-shards", part = 3, title = "More shards",
  make = function(r)
    local post = "p" .. r:between(1, POSTS)
    local hot, each = 50 * r:between(23, 60), 10 * r:between(2, 6)
    if r:chance(1, 2) then -- its neighbours make the difference
      each = 10 * r:between(4, 9)
      hot = 1000 - 10 * r:between(1, 3 * each // 10 - 1)
    end
    local n = r:pick { 8, 12, 16, 24, 32, 48, 64 }
    local key = "likes:{" .. post .. "}"
    local total = hot + (POSTS - 1) * each

    local function begin(w)
      for i = 1, POSTS do w:flow("like", "likes:{p" .. i .. "}", each) end
      w:flow("like", key, hot)
      w:play_for(1) -- a bucket that is full at the start hides what is refused later
    end
    local function of_hot(w) return w[w:owner(key)] end
    -- The cluster with so many shards, looked at once: nothing that counts changes in this drill.
    local seen = {}
    local function on(w, size)
      if not seen[size] then
        local f = w:fork()
        spread(f, size)
        local owners = {}
        for i = 1, POSTS do owners["p" .. i] = f:owner("{p" .. i .. "}") end
        seen[size] = { writes = of_hot(f).writes, pct = of_hot(f).write_pct, average = f.cluster.write_pct,
          all = f.cluster.writes, owners = owners }
      end
      return seen[size]
    end

    -- `averages`: with a column of them, where they are not asked for later.
    local function row(size, averages)
      return { label = size .. " shards", run = function(f) spread(f, size) end, cells = function(f)
        return { f:owner(key), of_hot(f).write_pct .. "%", averages and round(f.cluster.write_pct) .. "%" or nil }
      end }
    end
    local function what_if(averages, ...)
      local rows = {}
      for i, size in ipairs { ... } do rows[i] = row(size, averages) end
      return function()
        return { title = "writes against the ceiling", columns = { "shards", post .. " on", "its writes", averages and "average" or nil },
          numbers = averages and { 3, 4 } or { 3 }, rows = rows }
      end
    end
    local names = { post = post, hot = hot, each = each, n = n, total = total, ceiling = CEILING,
      busiest_likes = function(w) return on(w, n).writes end,
      busiest = function(w) return on(w, n).pct end }

    -- Posts that share its shard among four, and those that do among n.
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local slot, beside, listed = map:position("{" .. post .. "}"), {}, {}
    for i = 1, POSTS do
      local tag = "{p" .. i .. "}"
      if "p" .. i ~= post and map:owner(tag) == map:owner("{" .. post .. "}") then
        beside[#beside + 1] = { post = "p" .. i, slot = map:position(tag) }
        listed[#listed + 1] = "p" .. i .. " in " .. grouped(map:position(tag))
      end
    end
    local few = r:pick { 8, 12, 16 }
    local choices, stay = {}, 0
    for i, b in ipairs(beside) do
      choices[i] = { b.post, belief = "a new shard parts all neighbours",
        why = b.post .. " is in slot " .. grouped(b.slot) .. ", and runs of " .. grouped(CELL // few) .. " slots put it on S" .. b.slot * few // CELL .. ".",
        holds = function(w)
          local owners = on(w, few).owners
          return owners[b.post] == owners[post]
        end }
      if b.slot * few // CELL == slot * few // CELL then stay = stay + 1 end
    end
    choices[#choices + 1] = { "none of these", belief = "all neighbours move away",
      why = stay > 0 and "Some are close to it in slots, and stay." or "Each of them is in another run of slots.",
      holds = function(w)
        local owners, alone = on(w, few).owners, true
        for _, b in ipairs(beside) do alone = alone and owners[b.post] ~= owners[post] end
        return alone
      end }
    names.or_more = CELL % few == 0 and "" or " or one more"
    names.few, names.run, names.slot, names.listed = few, CELL // few, slot, table.concat(listed, ", ")

    local average = round(100 * total / (CEILING * n), 1)
    local first_wrong = { [average] = { belief = "the average decides", why = "That is the average of all {n}. One shard has {post}, whole." } }
    local smaller = round(100 * hot / (CEILING * n / 4), 1)
    if smaller ~= average then
      first_wrong[smaller] = { belief = "more shards, smaller pieces", why = "{post} is not cut. It is one key, and on one shard." }
    end

    local function enough(w, size) return on(w, size).pct <= 100 end
    names.pct, names.percent = function(w, size) return on(w, size).pct end, round(100 * hot / CEILING, 1)

    return { world = "story-quiet", steps = {
      { id = "busiest", title = "The busiest of many", show = { "table", "bars" }, with = names, enter = begin, table = what_if(false, 4, n),
        say = [[Four shards, each good for {ceiling} likes a second. {post} is liked {hot} times a second, and each of the other posts {each}
          times. Slots are dealt anew, in equal runs, to {n} shards.]],
        predict = { id = "drill-shards-busiest", kind = "number", unit = "%", tolerance = 5 + 300 * each / CEILING,
          ask = "About how high is the utilisation of the shard with {post} then? Some neighbours may still be there.",
          answer = function(w) return on(w, n).pct end, wrong = first_wrong,
          why = "{hot} over {ceiling}, and whoever is still beside it.",
          hints = { "What can be moved off its shard?", "All but {post} itself.", "At least {hot} over {ceiling}." } },
        after = [[{busiest(w)}%. Enter on a row opens its cluster.]] },

      { id = "average", title = "The average of many", show = { "table", "bars" }, with = names, table = what_if(true, 4, n),
        say = [[{total} likes a second in all, on {n} shards of {ceiling} each.]],
        predict = { id = "drill-shards-average", kind = "number", unit = "%", tolerance = 1,
          ask = "How high is the average utilisation?",
          answer = function(w) return on(w, n).average end,
          wrong = { [round(100 * total / CEILING)] = { belief = "the total is the average", why = "That is all of it on one shard." },
            [round(100 * hot / CEILING)] = { belief = "the busiest is the average", why = "That is {post}'s shard. The others have next to nothing." } },
          why = "{total} over {n} times {ceiling}.",
          hints = { "What can all of them take together?", "{n * ceiling}.", "{total} over that." } },
        after = [[A dashboard that shows this number shows nothing.]] },

      { id = "enough", title = "How many are enough?", show = { "table", "bars" }, with = names, table = what_if(true, 4, 8, 16, 64),
        say = [[{post}, in slot {slot}: {hot} likes a second. Each of the other posts: {each}. Among four it shares its shard with {listed}. A
          ceiling: {ceiling}.]],
        predict = { id = "drill-shards-enough", kind = "choice",
          ask = "From which number of shards on is every one at 100% or less?",
          choices = {
            { "8", belief = "the average decides", why = "With 8 the shard of {post} is at {pct(w, 8)}%.",
              holds = function(w) return enough(w, 8) end },
            { "16", belief = "many shards part all neighbours", why = "With 16 it is at {pct(w, 16)}%, and with 8 at {pct(w, 8)}%.",
              holds = function(w) return not enough(w, 8) and enough(w, 16) end },
            { "64", belief = "more shards, smaller pieces", why = "With 64 it is at {pct(w, 64)}%, and with 16 at {pct(w, 16)}%.",
              holds = function(w) return not enough(w, 16) and enough(w, 64) end },
            { "none of these", belief = "shards never help", why = "They part neighbours. With 64 its shard is at {pct(w, 64)}%.",
              holds = function(w) return not enough(w, 64) end },
          },
          why = "Neighbours can be moved away, and {post} itself stays whole: {hot} of {ceiling}, at least.",
          hints = { "What would a shard with nothing but {post} have?", "{hot} of {ceiling}. How many neighbours may stay?",
            "A run is 16,384 over the number of shards. Who is in the run of slot {slot}?" } },
        after = [[The rows tell. {post} alone is {percent}% of a ceiling; below that it never goes.]] },

      { id = "beside", title = "Who stays", show = { "table", "bars" }, with = names, table = what_if(true, 4, few),
        say = [[Among four, {post} in slot {slot} shares its shard with {listed}. Now there are {few} shards, and each has a run of {run} slots{or_more}.]],
        predict = { id = "drill-shards-beside", kind = "several",
          ask = "Who is still on the shard of {post}?", choices = choices,
          why = "Whoever is in the same run of slots stays.",
          hints = { "In which run is slot {slot}? Divide by {run}.", "Slots with the same whole part are together.", "{slot // run} is the whole part for {post}." } },
        after = [[They pay for {post} as before. Only who moved away is safe.]] },

      { id = "factor", title = "The hotspot factor", show = { "table", "bars" }, with = names, table = what_if(true, 4, n),
        say = [[The hotspot factor is the busiest shard over the average. With {n} shards the one of {post} has {busiest_likes(w)} likes a second; all
          {n} together have {total}.]],
        predict = { id = "drill-shards-factor", kind = "number", unit = "times", tolerance = 0.15,
          ask = "How large is the factor?",
          answer = function(w)
            return round(on(w, n).writes * n / on(w, n).all, 1)
          end,
          wrong = { [round(hot / CEILING, 1)] = { belief = "over the ceiling", why = "That is how full it is. The factor says how uneven." },
            [n] = { belief = "one shard has it all", why = "So it would be if the others had nothing." } },
          why = "Its likes times {n}, over {total}.",
          hints = { "What has one shard on average?", "{total} over {n}.", "Its likes over that." } },
        after = [[Every shard that is added makes it larger, and does nothing for {post}.]] },
    } }
  end,
}
