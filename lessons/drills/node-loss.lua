-- A node dies: which shards take no writes, who leads then, what if a second one dies, what is copied anew,
-- how long a copy takes and how long nobody leads. Where copies stand, who dies, sizes and times are new each
-- time. Who leads, what stops and what is copied is a run's.

local NODES = 5

return drill {
  id = "node-loss", part = 10, title = "A node dies",
  make = function(r)
    local count = r:between(6, 10)
    local dead = r:between(1, NODES)
    local zones = {}
    for i, zone in ipairs(r:shuffle { "a", "b", "c", "a", "b" }) do zones[i] = zone end

    -- Three nodes for each shard, the leader first. The dead one leads at least one shard and follows in one.
    local on, leads, holds = {}, 0, 0
    local all = {}
    for i = 1, NODES do all[i] = i end
    for i = 1, count do
      local dealt = r:shuffle(all)
      on[i] = { dealt[1], dealt[2], dealt[3] }
    end
    local function place(i, first)
      local rest = {}
      for _, n in ipairs(on[i]) do if n ~= dead then rest[#rest + 1] = n end end
      on[i] = first and { dead, rest[1], rest[2] } or { rest[1], dead, rest[2] }
    end
    place(1, true)
    place(2, false)
    for i = 1, count do
      for k, n in ipairs(on[i]) do
        if n == dead then
          holds = holds + 1
          if k == 1 then leads = leads + 1 end
        end
      end
    end
    -- P1 was led there. One follower has all of it, the other lacks the last write.
    local far, short = on[1][2], on[1][3]
    if r:chance(1, 2) then far, short = short, far end
    local second
    repeat second = r:between(1, NODES) until second ~= dead
    local gb, link = r:pick({ 1, 2, 4, 5 }), r:pick({ 50, 100, 125, 200 })
    local seconds = gb * 1000 / link
    local detect, elect = r:between(5, 40), r:between(1, 6)

    local function name(n) return "N" .. n end
    local function mistakes(right, far_off, list)
      local out = {}
      for _, m in ipairs(list) do
        local apart = math.abs(m[1] - right) > far_off
        for value in pairs(out) do apart = apart and math.abs(value - m[1]) > far_off end
        if apart then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local function leaderless(w)
      local n = 0
      for i = 1, count do if not w:group("P" .. i).led then n = n + 1 end end
      return n
    end
    -- So many lead on the second one, by themselves or since.
    local function led_there(w)
      local n = 0
      for i = 1, count do if w:group("P" .. i).leader == name(second) then n = n + 1 end end
      return n
    end
    local function both_dead(w)
      local f = w:fork()
      f:command("node " .. name(second) .. " down")
      f:play_for(4)
      return leaderless(f)
    end

    local names = { count = count, dead = name(dead), second = name(second), far = name(far), short = name(short), leads = leads,
      holds = holds, follows = holds - leads, gb = gb, link = link, detect = detect, elect = elect, seconds = seconds,
      round = function(x) return math.floor(x + 0.5) end }

    return { world = "story-quiet", steps = {
      { id = "leaders", title = "It dies", show = { "nodes" }, with = names,
        enter = function(w)
          for i = 1, NODES do w:command("node add " .. zones[i]) end
          w:command("node link 1250MB")
          for i = 1, count do
            w:command(string.format("group P%d N%d N%d N%d bytes %dGB", i, on[i][1], on[i][2], on[i][3], gb))
          end
          w:command("append P1 via " .. name(dead))
          w:play_for(0.35)
          w:command("split " .. name(short))
          w:command("append P1 via " .. name(dead))
          w:play_for(0.004)
          w:command("heal")
        end,
        say = [[{count} shards with three copies each, on five nodes: L leads, f follows. {dead} dies.]],
        predict = { id = "drill-loss-leaders", kind = "number", unit = "shards", tolerance = 0,
          ask = "How many shards take no writes, right after?",
          answer = leaderless,
          wrong = mistakes(leads, 0, {
            { holds, "a lost copy stops a shard", "Where {dead} only followed a leader and another copy are left: a majority." },
            { holds - leads, "followers take the writes", "Those lost a follower, and go on." },
            { count, "a cluster fails as a whole", "Shards without {dead} have noticed nothing." },
            { 0, "a follower takes over at once", "First it must be found out, then somebody is elected." } }),
          why = "Those that {dead} led.",
          hints = { "Look at {dead} in the picture.", "Which L are there?", "Where it has an f, somebody else leads." } },
        run = function(w)
          w:command("node " .. name(dead) .. " down")
          w:play_for(0.01)
        end },

      { id = "who", title = "Who leads P1?", show = { "replicas:P1", "nodes" }, with = names,
        say = [[{dead} led P1. {far} has all of P1's log. {short} lacks the last write, which was told OK.]],
        predict = { id = "drill-loss-who", kind = "choice", ask = "Who leads P1 next?",
          choices = r:shuffle {
            { name(far), belief = "the far one is too far", why = "Its log is as far as any.", holds = function(w) return w:group("P1").leader == name(far) end },
            { name(short), belief = "first come, first served", why = "It needs the vote of {far}, whose log is farther, and does not get it.",
              holds = function(w) return w:group("P1").leader == name(short) end },
            { "Nobody, until " .. name(dead) .. " is back", belief = "a leader is for good", why = "Two of three are a majority, and elect one of them.",
              holds = function(w) return w:group("P1").leader == nil end } },
          why = "Nobody votes for a log that is behind its own.",
          hints = { "How many votes are needed?", "Two: so both that are left.", "Does {far} vote for {short}?" } },
        run = function(w) w:play_for(4) end,
        after = [[{w:group("P1").leader}, in term {w:group("P1").term}.]] },

      { id = "second", title = "And another one", show = { "nodes" }, with = names,
        say = [[All shards have a leader again. Before any copy is made anew {second} dies as well.]],
        predict = { id = "drill-loss-second", kind = "number", unit = "shards", tolerance = 0,
          ask = "How many shards take no writes while both are down?",
          answer = both_dead,
          wrong = function(w)
            return mistakes(both_dead(w), 0, {
              { led_there(w), "who led must come back", "Where two copies are left one of them is elected." },
              { 0, "one copy is enough", "One of three is no majority: the other two might be alive, elsewhere." },
              { count, "two deaths stop a cluster", "Only shards with a copy on both are down to one." } })
          end,
          why = "Those with copies on both: one of three is left.",
          hints = { "Which shards have copies on {dead} and on {second}?", "They have one copy left.", "The others elect somebody." } },
        run = function(w)
          w:command("node " .. name(second) .. " down")
          w:play_for(4)
        end,
        after = [[One copy is left of each of these. (Where it led it may still believe that it leads: it reaches no majority.)]] },

      { id = "copies", title = "Made anew", show = { "nodes" }, with = names,
        enter = function(w)
          w:command("node " .. name(second) .. " up")
          w:play_for(3)
          w:command("recopy on " .. link .. "MB")
        end,
        say = [[{second} is back. {dead} stays dead, and is declared so. Each shard that lacks a copy gets one on another node.]],
        predict = { id = "drill-loss-copies", kind = "number", unit = "copies", tolerance = 0,
          ask = "How many copies are made anew?",
          answer = function(w) return w:recopy().done end,
          wrong = mistakes(holds, 0, {
            { leads, "only leaders are missed", "Who led is replaced by an election. What is missing is every copy that {dead} held." },
            { holds - leads, "followers alone are missed", "Where it led there are two copies left as well." },
            { count, "everything is dealt anew", "Shards without a copy there have their three." } }),
          why = "One for each that {dead} held, led or not.",
          hints = { "Look at {dead} in the picture.", "Count what it held.", "L and f alike." } },
        run = function(w)
          w:command("recopy now " .. name(dead))
          w:play_for(seconds + 5)
        end },

      { id = "time", title = "How long a copy takes", show = { "nodes" }, with = names,
        say = [[A shard has {gb} GB. Its copy may use {link} MB a second of both links, and gets that.]],
        predict = { id = "drill-loss-time", kind = "number", unit = "s", tolerance = 0.5,
          ask = "How many seconds does its copy take?",
          answer = function() return seconds end,
          wrong = mistakes(seconds, 0.5, {
            { seconds * 8, "a rate is in bits", "The rate is in bytes." },
            { seconds * 2, "two links, twice the time", "What one link sends the other takes, at the same time." },
            { seconds * holds, "all copies are one queue", "They went side by side. And this is one alone." } }),
          why = "{gb} GB are {gb * 1000} MB.",
          hints = { "How many MB are {gb} GB?", "{gb * 1000}.", "Divide by {link}." } } },

      { id = "until", title = "How long nobody leads", show = { "nodes" }, with = names,
        say = [[Elsewhere a node is declared dead after {detect} s, an election takes {elect} s, and a copy {round(seconds)} s.]],
        predict = { id = "drill-loss-until", kind = "number", unit = "s", tolerance = 0,
          ask = "For how many seconds does a shard take no writes when its leader dies?",
          answer = function() return detect + elect end,
          wrong = mistakes(detect + elect, 0, {
            { detect + elect + math.floor(seconds + 0.5), "a shard waits for its third copy", "Two copies are a majority. It writes while the third is made." },
            { elect, "death is noticed at once", "Nobody stands before the leader is taken for dead." },
            { detect, "a new leader is there at once", "First it is found, then somebody is elected." } }),
          why = "{detect} s until it is found, {elect} s until somebody leads.",
          hints = { "What must happen before a write is taken?", "It is found, then somebody is elected.", "And does anybody wait for the copy?" } } },
    } }
  end,
}
