-- Twelve systems: a table, its queries with their rates, and three keys. What a key costs, which one
-- it should be, whether it still is when other queries become frequent; and, by the seed, what a key
-- with few values does, what one hot value does, or what has to change together. Rates decide, so the
-- same system has another right key with other rates; every answer is counted from them.

-- what: the table; keys: of its two queries, and the row's own id; first, second: the queries; made: what is written; few: a
-- field with few values, and its largest one; with: which of the keys, and what of its own changes with each new row.
local SYSTEMS = {
  { what = "messages", keys = { "chat", "author", "message id" }, first = "read the newest of a chat", second = "list what an author wrote",
    made = "messages", few = { "language", "English" }, with = { 2, "how many more the author may send" } },
  { what = "orders", keys = { "customer", "seller", "order id" }, first = "list a customer's orders", second = "list a seller's orders",
    made = "orders", few = { "country", "the largest country" }, with = { 1, "the customer's credit" } },
  { what = "photos", keys = { "creator", "place", "photo id" }, first = "open a creator's page", second = "list a place's photos",
    made = "photos", few = { "camera maker", "the largest maker" }, with = { 1, "the creator's free space" } },
  { what = "bookings", keys = { "hotel", "guest", "booking id" }, first = "look up a hotel's nights", second = "list a guest's bookings",
    made = "bookings", few = { "country", "the largest country" }, with = { 1, "the hotel's free rooms" } },
  { what = "measurements", keys = { "car", "road", "measurement id" }, first = "draw one car's day", second = "draw one road's day",
    made = "measurements", few = { "kind", "speed" }, with = { 2, "the road's count of cars" } },
  { what = "payments", keys = { "merchant", "payer", "payment id" }, first = "add up a merchant's day", second = "list what a payer paid",
    made = "payments", few = { "currency", "the euro" }, with = { 2, "the payer's balance" } },
  { what = "rides", keys = { "driver", "rider", "ride id" }, first = "list a driver's rides", second = "list a rider's rides",
    made = "rides", few = { "city", "the largest city" }, with = { 1, "whether the driver is free" } },
  { what = "features", keys = { "item", "experiment", "feature id" }, first = "fetch an item's features",
    second = "list an experiment's rows", made = "features", few = { "version", "the newest version" }, with = { 1, "the item's version" } },
  { what = "clicks", keys = { "ad", "visitor", "click id" }, first = "count an ad's clicks", second = "list a visitor's clicks",
    made = "clicks", few = { "device", "phones" }, with = { 1, "what is left of the ad's budget" } },
  { what = "steps of agents", keys = { "session", "tool", "step id" }, first = "go on with a session", second = "list the calls of a tool",
    made = "steps", few = { "status", "done" }, with = { 1, "the session's state" } },
  { what = "scores", keys = { "player", "game", "score id" }, first = "show a player's scores", second = "list the scores of a game",
    made = "scores", few = { "region", "the largest region" }, with = { 2, "the game's highest score" } },
  { what = "jobs", keys = { "owner", "queue", "job id" }, first = "list an owner's jobs", second = "take the next of a queue",
    made = "jobs", few = { "state", "waiting" }, with = { 2, "the queue's length" } },
}

local function grouped(n)
  local s = tostring(n)
  while true do
    local t, found = s:gsub("^(%d+)(%d%d%d)", "%1,%2")
    s = t
    if found == 0 then return s end
  end
end

return drill {
  id = "pick-the-key", part = 2, title = "Pick the key",
  make = function(r)
    local order = r:shuffle { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }
    local one, two = SYSTEMS[order[1]], SYSTEMS[order[2]]

    -- A system with rates: those of the first key's query, of the second's, and of the row's own id. The id carries
    -- one of the two keys, so what fetches by it asks one shard under that key as well. `right` is the
    -- key that is to come out best: alone against both, or both together.
    local function rated(s, right, shards)
      local t = { s = s, rate = {}, shards = shards or r:pick { 6, 8, 10, 12, 16, 20, 24 } }
      local own, by_id = 100 * r:between(30, 60), 100 * r:between(30, 60)
      t.carried = r:chance(2, 3) and right or 3 - right
      local other = 3 - t.carried
      t.rate[t.carried], t.rate[3] = own, by_id
      if t.carried == right then -- two that lose one by one, and win together
        t.rate[other] = (math.max(own, by_id) + own + by_id) // 200 * 100
      else
        t.rate[other] = (own + by_id) * r:between(13, 22) // 1000 * 100
      end
      return t
    end
    local function cost(t, key)
      local total = 0
      for i = 1, 3 do total = total + t.rate[i] * ((i == key or i == 3 and t.carried == key) and 1 or t.shards) end
      return total
    end
    local function best(t)
      local found = 1
      for key = 2, 3 do
        if cost(t, key) < cost(t, found) then found = key end
      end
      return found
    end

    local a, b = rated(one, r:pick { 1, 2 }), rated(two, r:pick { 1, 2 })
    -- The same table later: with other rates the other key.
    local later = rated(two, 3 - best(b), b.shards)
    later.carried = b.carried
    if best(later) == best(b) then
      local now = 3 - best(b)
      later.rate[now] = (later.rate[best(b)] + later.rate[3]) * r:between(13, 22) // 1000 * 100
    end

    local function listed(t)
      return "  " .. grouped(t.rate[1]) .. " " .. t.s.first .. "\n  " .. grouped(t.rate[2]) .. " " .. t.s.second .. "\n  "
        .. grouped(t.rate[3]) .. " fetch one by its id\n\nEach id names the " .. t.s.keys[t.carried] .. ", too."
    end
    local function costs(t)
      return function()
        local rows = {}
        for key = 1, 3 do rows[key] = { label = t.s.keys[key], cells = { grouped(cost(t, key)) } } end
        return { title = t.s.what .. " on " .. t.shards .. " shards", columns = { "key", "asks of reads" }, numbers = { 2 }, rows = rows }
      end
    end
    -- What its own query and the ids ask for, of all reads.
    local function named_by(t, key)
      local count = t.rate[key] + (t.carried == key and t.rate[3] or 0)
      return (t.carried == key and "Its own query and the ids name it: " or "Its own query names it: ") .. grouped(count) .. " of "
        .. grouped(t.rate[1] + t.rate[2] + t.rate[3]) .. " reads."
    end
    -- What one key costs, query by query.
    local function fan_outs(t, key)
      return function()
        local rows = {}
        for i = 1, 3 do
          local n = (i == key or i == 3 and t.carried == key) and 1 or t.shards
          rows[i] = { label = "by " .. t.s.keys[i], cells = { grouped(t.rate[i]), tostring(n), grouped(t.rate[i] * n) } }
        end
        return { title = "Keyed by " .. t.s.keys[key], columns = { "query", "rate", "shards", "asks" }, numbers = { 2, 3, 4 }, rows = rows }
      end
    end
    -- The question which key it is, with the keys in a new order.
    local function which(id, t, was)
      local choices, right, busiest = {}, best(t), 1
      for i = 2, 3 do
        if t.rate[i] > t.rate[busiest] then busiest = i end
      end
      for key = 1, 3 do
        local belief = key == 3 and "each table has its own id as key" or was == key and "a key once right stays right"
          or key == busiest and "the one busiest query decides" or "any key that a query names will do"
        choices[key] = { t.s.keys[key], belief = belief,
          why = "By " .. t.s.keys[key] .. " the shards get " .. grouped(cost(t, key)) .. " asks a second, by " .. t.s.keys[right] .. " "
            .. grouped(cost(t, right)) .. ".",
          holds = function() return best(t) == key end }
      end
      choices[right].belief, choices[right].why = nil, nil
      return { id = id, kind = "choice", ask = "With which key do these make the fewest asks of shards?", choices = r:shuffle(choices),
        why = named_by(t, right) .. " These ask one shard.",
        hints = { "For each key: which reads ask one shard?", "Fetching by id counts for the " .. t.s.keys[t.carried] .. " as well.",
          "Add up, for each key, the reads that name it." } }
    end

    -- The query whose fan-out is worked out: the busiest of those that do not name the key.
    local key = r:pick { 1, 2 }
    local asked = 3 - key
    local fan = a.rate[asked] * a.shards

    local share, shards = r:pick { 20, 25, 30, 35, 40, 45, 60 }, r:pick { 8, 10, 12, 16, 20, 24 }
    local values = r:between(4, 40) + shards

    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        local far = math.abs(m[1] - right) > right / 50
        for value in pairs(out) do far = far and value ~= m[1] end
        if far then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    -- A hot value: the key of the busier query has it. What it writes is more than a shard can take.
    local hot = r:pick { 1, 2 }
    local cool, ceiling = 3 - hot, 1000 * r:between(2, 6)
    local hot_written = ceiling * r:between(12, 19) // 10
    local shares = {}
    for _, part in ipairs { 10, 20, 25, 40, 50 } do -- all of it is at most 60% of what the shards take together
      if hot_written * 100 // part <= ceiling * shards * 6 // 10 then shares[#shares + 1] = part end
    end
    local hot_share = r:pick(shares)
    local all_written = hot_written * 100 // hot_share
    local busy, calm = 100 * r:between(60, 90), 100 * r:between(10, 40)
    local function fits(key) return key ~= hot or hot_written <= ceiling end
    local function hot_cost(key) return (key == hot and 1 or shards) * busy + (key == cool and 1 or shards) * calm end
    local function best_that_fits()
      local found
      for k = 1, 3 do
        if fits(k) and (not found or hot_cost(k) < hot_cost(found)) then found = k end
      end
      return found
    end

    -- Whether rows keyed so lie with what changes with them: eight rows of three owners, and other values.
    local with = two.with[1]
    local function together(key)
      local l = layout("slots", { shards = shards })
      for i = 1, 8 do
        local value = key == with and i % 3 or 100 + i
        if l:position("row:{" .. two.keys[key] .. value .. "}:" .. i) ~= l:position("of:{" .. two.keys[with] .. i % 3 .. "}") then
          return false
        end
      end
      return true
    end

    local names = { what = one.what, listing = listed(a), n = a.shards, named = one.keys[key], query = asked == 1 and one.first or one.second,
      rate = a.rate[asked], fan = fan, best_of = one.keys[best(a)], least = cost(a, best(a)), what_b = two.what, list_b = listed(b),
      n_b = b.shards, best_b = two.keys[best(b)], list_later = listed(later), best_later = two.keys[best(later)],
      was_cost = cost(later, best(b)), now_cost = cost(later, best(later)), few = two.few[1], largest = two.few[2], share = share,
      shards = shards, values = values, fair = share * shards / 100, made = one.made,
      best_b_cost = cost(b, best(b)), made_b = two.made, hot = two.keys[hot], cool = two.keys[cool], id = two.keys[3], ceiling = ceiling,
      hot_share = hot_share, all_written = all_written, hot_written = all_written * hot_share // 100, busy = busy, calm = calm,
      busy_query = hot == 1 and two.first or two.second, calm_query = hot == 1 and two.second or two.first, with = two.keys[with],
      without = two.keys[3 - with], changes = two.with[2], other_query = with == 1 and two.second or two.first }

    local last = r:pick {
      { id = "few-values", title = "Few values", show = { "table" }, with = names,
        table = function()
          return { title = shards .. " shards", columns = { "", "percent" }, numbers = { 2 },
            rows = { { label = "a fair share", cells = { string.format("%.1f", 100 / shards) } }, { label = two.few[2], cells = { tostring(share) } } } }
        end,
        say = [[Somebody would key {what_b} by {few}, which has {values} values. There are {shards} shards. {share}% of the rows have one and the same
          value: {largest}.]],
        predict = { id = "drill-key-few", kind = "number", unit = "times", tolerance = 0.02,
          ask = "That value alone: how many times the fair share of a shard?",
          answer = function()
            local ks = keys { { "largest", share }, { "rest", 100 - share } }
            return ks:load(1) * shards / ks:total()
          end,
          wrong = mistakes(share * shards / 100, {
            { 1, "more values than shards is enough", "One value cannot be cut, and this one is large." },
            { share / 100, "a part of all is a part of a share", "A fair share is one part of {shards}." },
            { share * values / 100, "values are shared, not shards", "A fair share is one of {shards} shards, not one of {values} values." } }),
          why = "A fair share is 100% / {shards}. {share}% over that.",
          hints = { "What part of all is one shard's fair share?", "100% / {shards}.", "{share} x {shards} / 100." } },
        after = [[{fair} times, whatever else lies there. A key needs many values, and none that is much of the whole.]] },
      { id = "hot-value", title = "Writes", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for k = 1, 3 do rows[k] = { label = two.keys[k], cells = { fits(k) and "yes" or "no", grouped(hot_cost(k)) } } end
          return { title = two.what .. " on " .. shards .. " shards", columns = { "key", "it fits", "asks of reads" }, numbers = { 3 }, rows = rows }
        end,
        say = "{=what_b} on {shards} shards, each second:\n\n  {busy} {=busy_query}\n  {calm} {=calm_query}\n  {all_written} are written\n\n"
          .. "{hot_share}% of these for one {=hot}. A shard takes {ceiling} writes.",
        predict = { id = "drill-key-hot", kind = "choice",
          ask = "Which key gives no shard too much, and has the fewest asks?",
          choices = r:shuffle {
            { two.keys[hot], belief = "the busiest query decides, whatever is hot",
              why = "One {hot} makes {hot_written} writes a second, and a shard takes {ceiling}. One value is on one shard.",
              holds = function() return best_that_fits() == hot end },
            { two.keys[cool], holds = function() return best_that_fits() == cool end },
            { two.keys[3], belief = "each table has its own id as key", why = "It spreads the writes as well, but then both reads ask all {shards} shards.",
              holds = function() return best_that_fits() == 3 end },
          },
          why = "Of the keys that fit it has the fewest asks.",
          hints = { "How many writes does the large value make?", "{all_written} x {hot_share} / 100, against {ceiling}.", "Which of the other two does a read name?" } },
        after = [[The {hot} would be cheaper to read by, and does not fit: one value cannot be divided.]] },

      { id = "together", title = "In one step", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for k = 1, 3 do rows[k] = { label = two.keys[k], cells = { together(k) and "yes" or "no" } } end
          return { title = "Both on one shard", columns = { "key", "always" }, rows = rows }
        end,
        say = "{=what_b} on {shards} shards. Most people {=other_query}.\n\nBut a new row changes something else, too, in one transaction: {=changes}. "
          .. "That works on one shard only.",
        predict = { id = "drill-key-together", kind = "choice",
          ask = "By which key can that be?",
          choices = r:shuffle {
            { two.keys[with], holds = function() return together(with) end },
            { two.keys[3 - with], belief = "the busiest query decides, whatever changes together",
              why = "Then a new row lies with its {without}, and {changes} is on the shard of the {with}.",
              holds = function() return together(3 - with) end },
            { two.keys[3], belief = "each table has its own id as key", why = "Then the new row lies anywhere, and {changes} on the shard of the {with}.",
              holds = function() return together(3) end },
          },
          why = "Both rows carry the same {with}, so both are in one slot.",
          hints = { "What else changes?", "Whose is it?", "Which key puts both into one slot?" } },
        after = [[What most people ask for gets a second table, filled a moment later.]] },
    }

    return { steps = {
      { id = "fan-out", title = "What a query costs", show = { "table" }, with = names, table = fan_outs(a, key),
        say = "A table of {what} on {n} shards. Each second people\n\n{=listing}",
        predict = { id = "drill-key-fan", kind = "number", unit = "asks/s",
          ask = "Keyed by {named}: how many asks a second do those who {query} send to shards?",
          answer = function() return fan end,
          wrong = mistakes(fan, {
            { a.rate[asked], "a query is one ask", "This one does not name the {named}. All {n} shards must look." },
            { a.rate[asked] // a.shards, "shards share a query", "They do not divide it. Each of the {n} gets every one." },
            { a.rate[key] * a.shards, "the query that names the key is the dear one", "Those name the {named} and ask one shard." } }),
          why = "It does not name the {named}, so each asks all {n} shards.",
          hints = { "Does this query name the {named}?", "No. How many shards are asked each time?", "{rate} x {n}." } },
        after = [[{fan}.]] },

      { id = "which", title = "Which key?", show = { "table" }, with = names, table = costs(a),
        say = "Again, on {n} shards. Each second people\n\n{=listing}",
        predict = which("drill-key-which", a),
        after = [[By {best_of}: {least} asks a second.]] },

      { id = "another", title = "Another table", show = { "table" }, with = names, table = costs(b),
        say = "A table of {what_b} on {n_b} shards. Each second people\n\n{=list_b}",
        predict = which("drill-key-another", b),
        after = [[By {best_b}: {best_b_cost} asks a second.]] },

      { id = "later", title = "A year later", show = { "table" }, with = names, table = costs(later),
        say = "The same, keyed by {best_b}. But now each second people\n\n{=list_later}",
        predict = which("drill-key-later", later, best(b)),
        after = [[Now by {best_later}: {now_cost} asks instead of {was_cost}. Changing the key means to copy all rows, so ask for the rates
          first.]] },

      last,
    } }
  end,
}
