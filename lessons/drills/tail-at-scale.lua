-- A query that asks many shards: how many meet a slow one, how many shards are too many, what a hedge
-- and a timeout cost, where its job should run, and which cure fits. Shards, shares and sizes are new
-- each time. How often a query is slow is measured as well; the rest is worked out.

local CURES = { "A hedge to a replica", "A timeout, and say what is missing", "Once a second, for all", "None of these: more capacity" }

-- What is seen, the cure, and why not the others: belief, why.
local CASES = {
  { "A sum of all accounts. Each shard is slow once in a hundred times, whatever the others do. Each asks for another day.", 1, {
    [2] = { "almost all is enough", "A sum that lacks a shard is wrong." },
    [3] = { "everything can be kept", "Each asks for another day: no result serves two." },
    [4] = { "slow means too few machines", "99 of 100 are quick. It is bad luck, and with more shards to ask there is more of it." } },
    "somebody else with the same rows answers, and nothing is missing." },
  { "A page shows posts that are like this one. No shard has a replica. Each is slow now and then, and each reader sees another post.", 2, {
    [1] = { "a hedge is always there", "It needs somebody else who has the data." },
    [3] = { "everything can be kept", "There are as many answers as posts." },
    [4] = { "slow means too few machines", "They are slow now and then, not full." } },
    "a list may do without some posts, and nobody waits." },
  { "The ten most sold books, on the first page. 4,000 readers a second, and it may be a minute old. Reads of all shards are at 90%.", 3, {
    [1] = { "a hedge makes room", "It adds requests." },
    [2] = { "who gives up saves work", "The shards do the work all the same." },
    [4] = { "full means more machines", "A new shard is asked by each reader, too. More replicas would give the same answer 4,000 times a second." } },
    "one answer serves all of that second, and nearly all of the reads go." },
  { "Every search takes two seconds instead of 20 ms, on every shard, since the evening began. Each search is for something else.", 4, {
    [1] = { "a hedge is always cheap", "Every part is late, so each would be asked for twice: twice the load on full machines." },
    [2] = { "who gives up saves work", "All parts would be given up. And the shards still do the work." },
    [3] = { "everything can be kept", "Each search is for something else." } },
    "more replicas; or more shards, if the work of a part shrinks with its rows." },
}

local function power(x, k)
  local product = 1
  for _ = 1, k do product = product * x end
  return product
end

local function meets(k, percent) return 100 * (1 - power(1 - percent / 100, k)) end

return drill {
  id = "tail-at-scale", part = 9, title = "The tail at scale",
  make = function(r)
    local n, p = r:between(4, 16), r:pick({ 1, 2, 3, 4 })
    local p2, most = r:pick({ 1, 2 }), 5 * r:between(5, 12)
    local fits = 0
    while meets(fits + 1, p2) <= most do fits = fits + 1 end
    -- Of a shard's parts: so many percent within 5, 10, 20 and 50 ms.
    local over = { r:between(20, 45), r:between(8, 15), r:between(3, 5), r:between(1, 2) }
    local bounds = { 5, 10, 20, 50 }
    local hedge, wait = r:between(2, 4), r:between(3, 4)
    local n2 = r:between(4, 9)
    local kb = 5 * r:between(3, 12)
    local zones
    repeat zones = { r:between(1, 4), r:between(1, 5), r:between(2, 6) } until zones[1] ~= zones[2] and zones[2] ~= zones[3] and zones[1] ~= zones[3]
    local all, best = zones[1] + zones[2] + zones[3], math.max(zones[1], zones[2], zones[3])
    local worst = math.min(zones[1], zones[2], zones[3])
    local case, order = r:pick(CASES), r:shuffle { 1, 2, 3, 4 }

    local p50, p99 = 0, 0 -- measured
    local function tenths(x) return math.floor(10 * x + 0.5) / 10 end
    local function mistakes(right, far, list)
      local out = {}
      for _, m in ipairs(list) do
        local apart = math.abs(m[1] - right) > far
        for value in pairs(out) do apart = apart and math.abs(value - m[1]) > 0.001 end
        if apart then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local slow = tenths(meets(n, p))
    local lacks = tenths(meets(n2, over[wait]))
    local choices = {}
    for i, k in ipairs(order) do
      local why = case[3][k]
      choices[i] = { CURES[k], belief = why and why[1], why = why and why[2], holds = function() return k == case[2] end }
    end
    local names = { n = n, p = p, p2 = p2, most = most, fits = fits, n2 = n2, kb = kb, all = all, best = best, worst = worst, H = bounds[hedge], T = bounds[wait],
      a = zones[1], b = zones[2], c = zones[3], slow = slow, lacks = lacks, over_h = over[hedge], over_t = over[wait], case = case[1],
      cure = CURES[case[2]], fits_since = case[4], p50 = function() return p50 end, p99 = function() return p99 end, tenths = tenths, meets = meets, at_fits = tenths(meets(fits, p2)) }

    local function shares()
      local rows = {}
      for i, bound in ipairs(bounds) do rows[i] = { label = "over " .. bound .. " ms", cells = { over[i] .. "%" } } end
      return { title = "Parts of one shard", columns = { "", "of all" }, numbers = { 2 }, rows = rows }
    end
    local function given()
      local list = {}
      for i, bound in ipairs(bounds) do list[i] = over[i] .. "% take more than " .. bound .. " ms" end
      return table.concat(list, ", ")
    end
    names.given = given()

    local SLOW_LO, SLOW_HI = 50, 60 -- milliseconds
    names.SLOW_LO, names.SLOW_HI = SLOW_LO, SLOW_HI

    local function cluster(w)
      while w:shards() < n do w:add_shard("b") end
      for i = 0, n - 1 do pcall(w.move, w, i * 16384 // n, (i + 1) * 16384 // n - 1, "S" .. i) end -- what S0 has, it has
      w:send("like", "likes:{p1}", "R0")
      w:play_answered()
      for i = 0, n - 1 do -- or what is measured would be of another cluster
        assert(w:owner(i * 16384 // n) == "S" .. i and w:owner((i + 1) * 16384 // n - 1) == "S" .. i, "this drill cannot be set up here: a shard lacks its slots")
      end
      w:command("query list top 3 of likes:* bytes 1KB")
      w:command("times all 3 7 slow " .. p .. " " .. SLOW_LO .. " " .. SLOW_HI)
    end

    -- One that met a slow shard, for the picture.
    local function show_slow(w)
      for _ = 1, 400 do
        w:command("gather list via R3")
        w:play_for(0.008)
        if not w:query("list").last.ended then
          w:play_for(0.1)
          return
        end
      end
    end

    return { world = "story-near", steps = {
      { id = "slow", title = "Who meets a slow one", show = { "scatter:list" }, with = names,
        enter = cluster,
        say = [[A query asks {n} shards and waits for all of them. A part takes 3 to 7 ms, and in {p} of 100 cases {SLOW_LO} to {SLOW_HI} ms, whatever the others do.]],
        predict = { id = "drill-tail-slow", kind = "number", unit = "%", tolerance = 0.5,
          ask = "What percentage of queries meets at least one slow shard?",
          answer = function() return slow end,
          wrong = mistakes(slow, 0.5, {
            { p, "rare stays rare", "That is one shard. The query waits for any of {n}." },
            { n * p, "chances add up", "That counts queries twice that meet two slow ones." },
            { 100 - slow, "the quick ones are asked for", "So many meet none." } }),
          why = "100% less 0.9{10 - p} times itself {n} times.",
          hints = { "How often is one shard quick?", "{100 - p} of 100. And all {n} at once?", "1 - (1 - p)^N, with N = {n}." } },
        run = function(w)
          w:command("gather list 100")
          w:play_for(5)
          w:command("gather list 0")
          w:play_for(0.2)
          assert(w:query("list").whole > 450 and w:query("list").parts == n * w:query("list").asked, "the query did not ask all shards")
          p50, p99 = w:query("list").p50, w:query("list").p99
          show_slow(w)
        end,
        after = [[{slow}%; the picture has one of them. Of 500 queries the middle took {tenths(p50())} ms, and 99 of 100 at most {tenths(p99())}: a slow shard's time.]] },

      { id = "fits", title = "How many at most", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for i, label in ipairs { "one fewer", "at most", "one more" } do
            local k = fits + i - 2
            rows[i] = { label = label, cells = { tostring(k), tenths(meets(k, p2)) .. "%" } }
          end
          return { title = "Queries that meet a slow one", columns = { "", "shards", "of all" }, numbers = { 2, 3 }, rows = rows }
        end,
        say = [[Each shard is slow in {p2} of 100 cases. At most {most}% of queries may meet a slow one.]],
        predict = { id = "drill-tail-fits", kind = "number", 
          ask = "How many shards may a query ask at most?",
          answer = function() return fits end,
          wrong = mistakes(fits, 0, {
            { most // p2, "chances add up", "That counts queries twice that meet two slow ones: a few more shards are allowed." },
            { fits + 1, "rounding up will do", "One more, and it is {tenths(meets(fits + 1, p2))}%." },
            { 100 // p2, "a sure thing at a hundred", "With so many it is {tenths(meets(100 // p2, p2))}%." } }),
          why = "With {fits} it is {at_fits}%, with one more over {most}%.",
          hints = { "Multiply 0.9{10 - p2} with itself. Until when?", "Until it falls below {(100 - most) / 100}.", "More than {most // p2 - 1} shards." } },
        after = [[{fits} shards: {at_fits}%. One more, and {tenths(meets(fits + 1, p2))}% would be over the {most}% that are allowed.]] },

      { id = "hedge", title = "A hedge", show = { "table" }, with = names, table = shares,
        say = [[Parts of one shard: {given}. A query asks {n2} shards. A part that is not there after {H} ms is asked for once more, at a replica.]],
        predict = { id = "drill-tail-hedge", kind = "number", unit = "%",
          ask = "How many more requests is that, of a hundred parts?",
          answer = function() return over[hedge] end,
          wrong = mistakes(over[hedge], 0, {
            { 100, "a hedge asks everything twice", "Only what is late is asked for again." },
            { n2 * over[hedge], "the whole query is asked again", "Only its late part is." },
            { over[hedge - 1], "the bound before counts", "Those over {H} ms are late, and no others." },
            { over[1], "what is slower than usual is late", "Late is what takes more than {H} ms." } }),
          why = "As many as take more than {H} ms.",
          hints = { "Which parts are asked for again?", "Those over {H} ms.", "Read that line of the numbers." } },
        after = [[{over_h}%. So a hedge is set by a percentile: late enough to be rare.]] },

      { id = "timeout", title = "A timeout", show = { "table" }, with = names, table = shares,
        say = [[The same parts: {given}. No hedge. The query asks {n2} shards, gives a part up after {T} ms, and says what is missing.]],
        predict = { id = "drill-tail-timeout", kind = "number", unit = "%", tolerance = 0.3,
          ask = "What percentage of its answers lacks a part?",
          answer = function() return lacks end,
          wrong = mistakes(lacks, 0.3, {
            { over[wait], "rare stays rare", "That is one part. Any of {n2} may lack." },
            { n2 * over[wait], "chances add up", "That counts answers twice that lack two." } }),
          why = "1 - (1 - p)^N, with p = {over_t}% and N = {n2}.",
          hints = { "How often is one part in time?", "{100 - over_t} of 100. And all {n2}?", "{(100 - over_t) / 100} times itself, {n2} times." } },
        after = [[{lacks}% of the answers lack a part, though only {over_t}% of the parts are late.]] },

      { id = "job", title = "Where the job runs", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for i, zone in ipairs { "a", "b", "c" } do
            rows[i] = { label = "zone " .. zone, cells = { tostring(zones[i]), tostring((all - zones[i]) * kb) } }
          end
          return { title = "A job once a second", columns = { "in", "shards there", "KB/s" }, numbers = { 2, 3 }, rows = rows }
        end,
        say = [[Of {all} shards zone a has {a}, zone b {b} and zone c {c}. A job asks all of them once a second, for {kb} KB each. It runs where the fewest bytes cross a zone's border.]],
        predict = { id = "drill-tail-job", kind = "number", unit = "KB/s",
          ask = "How many KB a second cross?",
          answer = function() return (all - best) * kb end,
          wrong = mistakes((all - best) * kb, 0, {
            { all * kb, "every reply crosses", "Those of the job's own zone stay inside." },
            { best * kb, "the near ones are billed", "Those stay inside. The others cross." },
            { (all - worst) * kb, "any zone will do", "There most of the shards are elsewhere. Choose the zone with the most shards." },
            { (all - best), "a reply is a KB", "Each has {kb} KB." } }),
          why = "All but the {best} of its zone, {kb} KB each.",
          hints = { "Where are the most shards?", "{best} are in one zone; the job runs there.", "{all - best} replies of {kb} KB." } },
        after = [[{(all - best) * kb} KB/s: {all - best} of {all} replies cross. In the zone with the fewest shards it would be {(all - worst) * kb}.]] },

      { id = "cure", title = "Which cure?", show = { "slot_map" }, with = names,
        say = [[{case}]],
        predict = { id = "drill-tail-cure", kind = "choice", ask = "What helps?", choices = choices,
          why = "It fits what is slow, and what the answer may lack.",
          hints = { "Are some slow now and then, or all, always?", "May the answer lack a part?", "Do many ask for the same?" } },
        after = [[{cure}: {fits_since}]] },
    } }
  end,
}
