-- A fleet of routers: what is asked at the peak, how many routers a zone needs so that one may be lost, what
-- happens to a fleet that is too small when it is, which fleets hold, and what they cost the hot key. Rates,
-- capacity, line and zones are new each time. What a lost zone does is a run's.

local ROUTERS, ZONES = 6, 3 -- of the cluster that is played
local SECONDS = 2 -- over which the refused are counted

return drill {
  id = "size-the-fleet", part = 10, title = "Size the fleet",
  make = function(r)
    local posts = r:between(8, 16)
    local likes, reads = 10 * r:between(2, 5), 10 * r:between(4, 9)
    local hot_likes, hot_reads = 100 * r:between(3, 12), 250 * r:between(4, 10)
    local peak = (posts - 1) * (likes + reads) + hot_likes + hot_reads
    local capacity = math.ceil(peak / ROUTERS * 100 / r:between(72, 94) / 10) * 10
    local line = r:pick({ 60, 70, 75, 80 })
    local planned = capacity * line // 100
    local zones = r:pick({ 2, 3, 4 })
    local flush = r:pick({ 200, 250, 500, 1000 })

    local function per_zone(n, each) return math.ceil(peak / each / (n - 1)) end
    local function fleet(n) return n * per_zone(n, planned) end
    local function decimals(x, n) return (string.format("%." .. (n or 1) .. "f", x)) end

    local function mistakes(right, far, list)
      local out = {}
      for _, m in ipairs(list) do
        local apart = math.abs(m[1] - right) > far
        for value in pairs(out) do apart = apart and math.abs(value - m[1]) > far end
        if apart then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local function everybody(w, on)
      for n = 1, posts do
        pcall(w.flow, w, "like", "likes:{p" .. n .. "}", on and (n == 9 and hot_likes or likes) or 0)
        pcall(w.flow, w, "read", "post:{p" .. n .. "}", on and (n == 9 and hot_reads or reads) or 0)
      end
      if posts < 9 then -- then p9 is one of them all the same, and p8 is not
        pcall(w.flow, w, "like", "likes:{p9}", on and hot_likes or 0)
        pcall(w.flow, w, "read", "post:{p9}", on and hot_reads or 0)
        pcall(w.flow, w, "like", "likes:{p8}", 0)
        pcall(w.flow, w, "read", "post:{p8}", 0)
      end
    end

    local names = { posts = posts, others = posts - 1, likes = likes, reads = reads, hot_likes = hot_likes, hot_reads = hot_reads,
      peak = peak, capacity = capacity, line = line, planned = planned, zones = zones, others_left = zones == 2 and "one zone" or zones - 1 .. " zones", flush = flush,
      ROUTERS = ROUTERS, decimals = decimals, fleet = fleet, each = function() return peak / planned / (zones - 1) end,
      up = ROUTERS - ROUTERS // ZONES }

    -- What a router that is up is asked for, in percent of what it can do, to a tenth.
    local function asked(w)
      local all = 0
      for i = 0, ROUTERS - 1 do all = all + w:fleet_router("R" .. i).rate end
      return math.floor(all * 1000 / names.up / capacity + 0.5) / 10
    end
    names.asked = asked

    local refused = 0
    names.refused = function() return refused end
    local candidates = {}
    local holding = r:between(2, 4) -- this one holds; the others by chance
    local failing = 2 + (holding - 1) % 3 -- and this one does not
    for n = 2, 4 do
      local short = n == failing or n ~= holding and r:chance(1, 2)
      local k = per_zone(n, planned) - (short and 1 or 0)
      candidates[#candidates + 1] = { n .. " zones with " .. k .. " each", belief = short and "all zones count" or "more is always needed",
        why = short and "With a zone lost " .. (n - 1) * k .. " are left, " .. decimals(peak / ((n - 1) * k)) .. " a second each. The line is " .. planned .. "."
          or "With a zone lost " .. (n - 1) * k .. " are left, " .. decimals(peak / ((n - 1) * k)) .. " a second each: under " .. planned .. ".",
        holds = function() return peak / ((n - 1) * k) <= planned end }
    end

    return { world = "story-quiet", steps = {
      { id = "peak", title = "The peak", show = { "fleet" }, with = names,
        enter = function(w) w:command("capacity " .. capacity) end,
        say = [[{posts} posts. One of them is hot: {hot_likes} likes and {hot_reads} reads a second. Each of the {others} others has {likes} likes and {reads} reads.]],
        predict = { id = "drill-fleet-peak", kind = "number", unit = "requests/s", tolerance = 0,
          ask = "How many requests a second come to the routers?",
          answer = function() return peak end,
          wrong = mistakes(peak, 0, {
            { hot_likes + hot_reads, "the hot one is all", "The {others} others come on top, with {likes} and {reads} each." },
            { posts * (likes + reads) + hot_likes + hot_reads, "the hot one is one more", "It is one of the {posts}. So there are {others} others." },
            { (posts - 1) * reads + hot_reads, "only reads count", "A like takes a router's time as well." } }),
          why = "{others} x ({likes} + {reads}), and the hot one.",
          hints = { "The hot one first: {hot_likes} + {hot_reads}.", "The others: {others} times {likes} + {reads}.", "Add both." } },
        run = function(w)
          everybody(w, true)
          w:play_for(1.2)
        end },

      { id = "size", title = "A zone to spare", show = { "fleet" }, with = names,
        say = [[{peak} requests a second. A router can do {capacity}, and should run at {line}% at most. There are to be {zones} zones, and one of them may be lost.]],
        predict = { id = "drill-fleet-size", kind = "number", unit = "routers", tolerance = 0,
          ask = "How many routers are needed, with as many in each zone?",
          answer = function() return fleet(zones) end,
          wrong = mistakes(fleet(zones), 0, {
            { math.ceil(peak / planned), "zones do not fail", "That is for a day with all zones. With one lost the rest is over the line." },
            { zones * per_zone(zones, capacity), "a line is a wish", "That fills them to {capacity}. The line is {line}% of it." },
            { (zones - 1) * per_zone(zones, planned), "the spare zone is empty", "Nobody knows which zone will be lost: each has its routers." },
            { math.ceil(peak / planned * 1.5), "half as much again", "What must be left is {decimals(peak / planned, 2)} routers, in {others_left}. Round up per zone." },
            { zones * math.max(1, per_zone(zones, planned) - 1), "rounding goes to the nearest", "A zone needs {decimals(each(), 2)}: less than that is over the line." } }),
          why = "{decimals(peak / planned, 2)} must be left in {others_left}: {decimals(each(), 2)} in each, rounded up, times {zones}.",
          hints = { "What does one carry at {line}%?", "{planned}. What is left, {others_left}, carries {peak}.", "{decimals(each(), 2)} in each, rounded up, times {zones}." } } },

      { id = "lost", title = "Zone b is lost", show = { "fleet" }, with = names,
        say = [[But there are only {ROUTERS} routers, two in each of three zones. They do {capacity} each, and {peak} requests a second come. The power fails in zone b, and clients turn to the others.]],
        predict = { id = "drill-fleet-lost", kind = "number", unit = "%", tolerance = 2,
          ask = "How many percent of its capacity is each router that is left asked for?",
          answer = asked,
          wrong = mistakes(peak / 4 / capacity * 100, 2, {
            { math.floor(peak / 6 / capacity * 100 + 0.5), "zones do not fail", "So full they are on a day with all three zones. {up} are left." },
            { 100, "full is the most there is", "It is the most that is served. What is asked for is more." },
            { math.floor(peak / 4 / planned * 100 + 0.5), "full is where the line is", "That is against the line of {line}%. Full is {capacity}." } }),
          why = "{peak} / {up} is {decimals(peak / up)}, of {capacity}.",
          hints = { "How many are left?", "{up}, with {decimals(peak / up)} each.", "Of {capacity}." } },
        run = function(w)
          w:command("zone b down 300")
          w:play_for(2)
        end,
        after = [[{decimals(asked(w))}%. What is beyond 100% they refuse.]] },

      { id = "refused", title = "Refused", show = { "fleet" }, with = names,
        say = [[Zone b is down still. {up} routers, {capacity} a second each; {peak} come.]],
        predict = { id = "drill-fleet-refused", kind = "number", unit = "requests/s", tolerance = math.ceil(peak / 60),
          ask = "How many requests a second do the routers refuse?",
          answer = function() return refused end,
          wrong = mistakes(peak - 4 * capacity, math.ceil(peak / 60), {
            { 0, "the others take over", "They take {capacity} each, and not more." },
            { math.floor(peak / 3 + 0.5), "a lost zone's share is lost", "So much came to b. Now the others get it, and serve what fits." },
            { math.max(0, peak - 4 * planned), "what is over the line is refused", "The line is for planning. Refused is what is beyond {capacity}." } }),
          why = "{peak} less {up} x {capacity}.",
          hints = { "How much can be served?", "{up} x {capacity}.", "The rest of {peak}." } },
        run = function(w)
          local before = w:fleet().refused
          w:play_for(SECONDS)
          refused = math.floor((w:fleet().refused - before) / SECONDS + 0.5)
          everybody(w, false)
        end,
        after = [[{refused()}, for good: nobody queues here.]] },

      { id = "which", title = "Which fleets hold?", show = { "fleet" }, with = names,
        enter = function(w) pcall(w.command, w, "zone b up") end,
        say = [[{peak} requests a second again, {planned} a second as planned for each router. One zone may be lost.]],
        predict = { id = "drill-fleet-which", kind = "several",
          ask = "Which of these fleets are large enough?",
          choices = r:shuffle(candidates),
          why = "What is left must carry {peak}, at {planned} each.",
          hints = { "Take a zone away from each.", "Divide {peak} by the routers that are left.", "It may be {planned} at most." } } },

      { id = "price", title = "What they cost", show = { "fleet" }, with = names,
        say = [[The fleet for {zones} zones has {fleet(zones)} routers. Each sums the likes of the hot post and writes its total to the post's shard, every {flush} ms. (On this evening there were {ROUTERS} routers.)]],
        predict = { id = "drill-fleet-price", kind = "number", unit = "writes/s", tolerance = 0,
          ask = "How many writes a second does the shard get for the hot post?",
          answer = function() return fleet(zones) * 1000 // flush end,
          wrong = mistakes(fleet(zones) * 1000 // flush, 0, {
            { ROUTERS * 1000 // flush, "more routers are free", "Each writes a total of its own, so the writes grow with the fleet." },
            { hot_likes, "every like is a write", "A total is one write, however many likes it holds." },
            { fleet(zones), "once a second", "Every {flush} ms." } }),
          why = "{fleet(zones)} routers, {1000 // flush} times a second.",
          hints = { "How often does one router write?", "{1000 // flush} times a second.", "Times {fleet(zones)}." } } },
    } }
  end,
}
