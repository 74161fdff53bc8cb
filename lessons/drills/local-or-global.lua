-- An index beside the rows or by its term: what a find asks, what a put writes, which of both is
-- cheaper, where they are equal, and which kind a need asks for. Shards, rates and needs are new each
-- time. What one find and one put ask is what a run of them asks; the rest is worked out from that.

local TABLES = {
  { "riders", "city", "rome" }, { "orders", "state", "failed" }, { "cars", "colour", "red" }, { "songs", "artist", "nova" },
  { "tickets", "queue", "urgent" }, { "photos", "place", "lima" },
}

local KINDS = { "Local", "Global, a moment later", "Global, with a transaction", "None: the key is named" }

-- What is needed, the kind that fits, and why each of the others does not: belief, why.
local NEEDS = {
  { "A support tool finds {rows} by {field}, ten times a day. They are written thousands of times a second.", 1, {
    [2] = { "an index by term is always better", "Each write would bring two more, for ten finds a day." },
    [3] = { "right means transactional", "A local entry is written with its row, and is right as well. This one costs each write a commit over shards." },
    [4] = { "every question names a key", "The tool has the {field} only." } }, "a find asks all shards, which ten times a day is nothing, and a write stays one write." },
  { "A page lists {rows} by {field}, thousands of times a second. A row that comes a second late is no harm.", 2, {
    [1] = { "local means quick", "Every page would ask every shard." },
    [3] = { "an index must never be late", "Here it may. Each write would pay for what nobody asked for." },
    [4] = { "every question names a key", "The page has the {field} only." } }, "each page asks one shard, and the writes need not wait for the index." },
  { "No two {rows} may have the same {field}, and a second one must be refused at once.", 3, {
    [1] = { "each shard can keep it unique", "A shard sees its own rows. The other one may be anywhere." },
    [2] = { "the index notices in time", "It would notice a moment after both were told OK." },
    [4] = { "the key keeps it unique", "The key is unique. The {field} is another value." } }, "each {field} has one place, where the second one is refused." },
  { "Customers list their own {rows} by {field}. Rows are placed by customer, and the page knows who asks.", 4, {
    [2] = { "another field needs another place", "All of the customer's rows are on one shard: the one that the page asks anyhow." },
    [3] = { "a list must be transactional", "Rows of one shard are read together, as they are." },
    [1] = { "without an index all shards are asked", "The customer names the shard. Within it an index may help, and there is nothing to ask elsewhere." } }, "the customer leads to the shard, and all of the rows are there." },
}

return drill {
  id = "local-or-global", part = 9, title = "Local or global",
  make = function(r)
    local one = r:pick(TABLES)
    local rows, field, term = one[1], one[2], one[3]
    local n = 2 * r:between(3, 8) + 1
    local finds = 10 * r:between(4, 60)
    local indexes = r:between(3, 5)
    local changed = r:between(1, indexes - 1)
    local puts
    repeat puts = 10 * r:between(20, 400) until math.abs(puts - finds * (n - 1) / 2) > finds
    local id = r:between(1, 30)
    local need = r:pick(NEEDS)
    local order = r:shuffle { 1, 2, 3, 4 }

    -- So many shards with slots of their own.
    local function cluster(w)
      while w:shards() < n do w:add_shard("b") end
      for i = 0, n - 1 do pcall(w.move, w, i * 16384 // n, (i + 1) * 16384 // n - 1, "S" .. i) end -- what S0 has, it has
      w:play_for(0.1)
      for i = 0, n - 1 do -- or the numbers below would be of another cluster
        assert(w:owner(i * 16384 // n) == "S" .. i and w:owner((i + 1) * 16384 // n - 1) == "S" .. i, "this drill cannot be set up here: a shard lacks its slots")
      end
    end
    local function catalog(w, mode)
      cluster(w)
      w:command("catalog " .. rows .. " " .. mode)
      w:command("put " .. rows .. " " .. id .. " old via R0")
      w:command("put " .. rows .. " " .. id + 1 .. " " .. term .. " via R0")
      w:play_for(0.1)
      assert(w:catalog(rows).mode == mode and w:catalog_row(rows, id).term == "old", "this drill cannot be set up here: its rows are not written")
    end
    local function find(w)
      w:command("find " .. rows .. " " .. term .. " via R0")
      w:play_for(0.1)
      local found = w:catalog(rows).found
      assert(found.done and found.failed == 0 and found.count == 1 and found.parts == n, "the find did not ask all shards")
    end
    local function put(w)
      w:command("put " .. rows .. " " .. id .. " " .. term .. " via R0")
      w:play_for(0.1)
      assert(w:catalog(rows).put == "stored", "the put did not come through")
    end
    local function asked(w) return w:catalog(rows).found.parts end
    local written -- by one put that changes the term

    local local_cost, global_cost = puts + n * finds, 3 * puts + finds
    local cheaper = math.min(local_cost, global_cost)

    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        if m[1] ~= right and not out[m[1]] then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local choices = {}
    for i, k in ipairs(order) do
      local why = need[3][k]
      choices[i] = { KINDS[k], belief = why and why[1], why = why and why[2], holds = function() return k == need[2] end }
    end

    local names = { rows = rows, field = field, term = term, n = n, finds = finds, puts = puts, indexes = indexes, changed = changed,
      id = id, local_cost = local_cost, global_cost = global_cost, cheaper = cheaper, dearer = math.max(local_cost, global_cost), fits = (string.gsub(need[4], "{field}", field)), kind = KINDS[need[2]],
      which = local_cost < global_cost and "local" or "global" }
    local show = { "catalog:" .. rows }

    return { world = "story-near", steps = {
      { id = "find", title = "A find", show = show, with = names,
        enter = function(w) catalog(w, "local") end,
        say = [[The {rows} are kept by number on {n} shards. Each shard has an index of its own rows by {field}. {finds} times a second somebody asks: which {rows} have the {field} {term}?]],
        predict = { id = "drill-index-find", kind = "number", unit = "requests/s",
          ask = "How many requests a second do the shards get by that?",
          answer = function(w) return finds * asked(w) end,
          wrong = mistakes(n * finds, {
            { finds, "an index says where to look", "It says so within its shard. Whoever asks does not know which shards have one." },
            { n + finds, "shards are asked once, then the finds", "Each find asks each shard." },
            { finds * (n // 2), "half of the shards will do", "Any shard may have some, so all are asked." } }),
          why = "Each of them asks all {n}.",
          hints = { "Which shards may have such a row?", "All {n}.", "{n} x {finds}." } },
        run = find,
        after = [[One find asked {w:catalog(rows).found.parts} shards; {finds} of them, {n * finds} requests.]] },

      { id = "put", title = "A put", show = show, with = names,
        enter = function(w) catalog(w, "sync") end,
        say = [[Now each of {indexes} fields has a global index, cut by its own values and written at once. A put changes {changed} of these fields of a row.]],
        predict = { id = "drill-index-put", kind = "number", 
          ask = "How many writes is such a put?",
          answer = function() return 1 + changed * (written - 1) end,
          wrong = mistakes(1 + 2 * changed, {
            { 1 + changed, "the old entry goes by itself", "Then the row would be found under both. It has to be taken out." },
            { 1 + 2 * indexes, "every index is written each time", "Where the value is the same nothing changes." },
            { 2 * changed, "only entries are written", "And the row." },
            { 1, "an index keeps itself", "Its entries lie on other shards, and each has to be written." } }),
          why = "The row, and for each changed field the entry that goes and the one that comes.",
          hints = { "What does one changed field cost?", "Two entries: one goes, one comes.", "1 + 2 x {changed}." } },
        run = function(w)
          local before = w:catalog(rows).writes
          put(w)
          written = w:catalog(rows).writes - before
        end,
        after = [[1 + 2 x {changed}. The picture shows one of these indexes.]] },

      { id = "cheaper", title = "The cheaper one", show = { "table" }, with = names,
        table = function()
          return { title = "Requests a second", columns = { "index", "puts", "finds", "all" }, numbers = { 2, 3, 4 }, rows = {
            { label = "local", cells = function() return { puts, n * finds, local_cost } end },
            { label = "global", cells = function() return { 3 * puts, finds, global_cost } end } } }
        end,
        say = [[{n} shards again, and one index by {field}. {puts} puts a second change the {field}, and {finds} finds a second ask for it. A local entry is written with its row; a global put writes 3 times.]],
        predict = { id = "drill-index-cheaper", kind = "number", unit = "requests/s",
          ask = "How many requests a second does the cheaper of both kinds need?",
          answer = function() return cells[names.which == "local" and 1 or 2][4] end,
          wrong = mistakes(cheaper, {
            { math.max(local_cost, global_cost), "which is cheaper is always the same", "It depends on what there is more of: puts or finds. Work out both." },
            { puts + finds, "an index is free", "Either the finds ask all shards, or the puts write more than the row." },
            { 3 * puts + n * finds, "both are paid for", "It is one index or the other." } }),
          why = "Local: {puts} + {n} x {finds} = {local_cost}. Global: 3 x {puts} + {finds} = {global_cost}.",
          hints = { "Work out local: puts once, finds {n} times.", "And global: puts 3 times, finds once.", "The smaller of {local_cost} and {global_cost}." } },
        after = [[The {which} index, with {cheaper}; the other needs {dearer}. Few finds for each put speak for a local one, many for a global one.]] },

      { id = "equal", title = "Where they meet", show = { "table" }, with = names,
        table = function()
          local list = {}
          local puts_a_find = { { "few", 1 }, { "where they meet", (n - 1) // 2 }, { "many", n } }
          for i, k in ipairs(puts_a_find) do
            list[i] = { label = k[1], cells = function() return { k[2], k[2] + n, 3 * k[2] + 1 } end }
          end
          return { title = "For each find, " .. n .. " shards", columns = { "", "puts", "local", "global" }, numbers = { 2, 3, 4 }, rows = list }
        end,
        say = [[Still {n} shards. With few puts the global index is cheaper, with many the local one.]],
        predict = { id = "drill-index-equal", kind = "number", 
          ask = "At how many puts for each find do both cost the same?",
          answer = function() return (n - 1) // 2 end,
          wrong = mistakes((n - 1) // 2, {
            { n, "one put is worth one shard", "A global put costs two requests more, not one." },
            { n - 1, "a global put costs one more", "Two: an entry goes and an entry comes." },
            { 1, "evenly mixed is even", "At one put for each find: local {1 + n}, global 4." } }),
          why = "A put costs 2 more, a find saves {n - 1}.",
          hints = { "How much more does a global put cost?", "2 more. And how much does a find save?", "{n - 1} over 2." } },
        after = [[At {(n - 1) // 2}, half of the other shards: a put costs 2 more, a find saves {n - 1}. With more shards local finds get dearer, and global ones do not.]] },

      { id = "need", title = "A need", show = { "slot_map" }, with = names,
        say = need[1],
        predict = { id = "drill-index-need", kind = "choice", ask = "Which index?", choices = choices,
          why = "It gives what is asked for, and no more.",
          hints = { "Does the question name the key?", "How often is it asked, and how often written?", "May the answer be late, or not at all?" } },
        after = [[{kind}: {fits}]] },
    } }
  end,
}
