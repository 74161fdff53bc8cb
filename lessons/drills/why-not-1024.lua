-- Why not a thousand shards at once? What each would hold, what all of them cost, what a query without
-- the key asks of them, and what to have many of instead. New sizes and prices each time; every answer
-- is worked out from the numbers that the question tells.

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

local function grouped(n)
  return n < 1000 and tostring(n) or n // 1000 .. string.format(",%03d", n % 1000)
end

-- What people take for the answer; one that is the answer, or was listed, is left out.
local function mistakes(right, list)
  local out = {}
  for _, m in ipairs(list) do
    if m[1] ~= right and not out[m[1]] then out[m[1]] = { belief = m[2], why = m[3] } end
  end
  return out
end

local SYSTEMS = { "A shop", "A chat", "A library", "A hotel chain", "A game", "A newspaper", "A ticket office", "A parcel service" }

return drill {
  id = "why-not-1024", part = 0, title = "Why not a thousand?",
  make = function(r)
    local many = r:pick { 1024, 1536, 2048, 4096 }
    local few = r:pick { 4, 8, 16 }
    local tb, copies, price = r:between(2, 9), r:between(2, 4), 10 * r:between(8, 40)
    local asks, logical = r:between(3, 40), r:pick { 1024, 2048, 4096 }
    local new = 2 * few
    local names = { who = r:pick(SYSTEMS), many = many, few = few, tb = tb, copies = copies, price = price, asks = asks, logical = logical,
      new = new, round = round }
    local each = round(1000 * tb / many, 1)
    local bill, need = many * copies * price, few * copies * price
    local load = asks * many

    -- Buckets of the logical cut that have to move when the shards double, counted on the layout.
    local function slots(n) return layout("slots", { shards = n, slots = logical, deal = "round-robin" }) end
    local function of_each(n) return slots(n):slots_of(0) end

    local ways = r:shuffle {
      { grouped(many) .. " machines, one shard each", many, many, "room to grow has to be bought",
        "Each machine costs its price now, and most would idle." },
      { few .. " shards, hash mod " .. few, few, few, "the number of shards can stay in the hash",
        "Then each growth moves most keys to another shard, and half of them at best." },
      { few .. " machines, " .. grouped(logical) .. " logical parts", few, logical },
      { "one machine, for as long as it goes", 1, 1, "later is always cheaper", "The load needs " .. few .. " today." },
    }
    local choices = {}
    for i, way in ipairs(ways) do
      choices[i] = { way[1], belief = way[4], why = way[5],
        holds = function() return way[2] >= few and way[2] < many and way[3] >= 10 * way[2] end }
    end

    return { steps = {
      { id = "each", title = "What each holds", show = { "table" }, with = names,
        table = function()
          return { title = "Data in each", columns = { "shards", "GB" }, numbers = { 2 }, rows = {
            { label = tostring(few), cells = { tostring(round(1000 * tb / few, 1)) } },
            { label = grouped(many), cells = { tostring(each) } } } }
        end,
        say = [[{who} has {tb} TB. So that nobody ever has to divide it again, somebody wants {many} shards from the first day.]],
        predict = { id = "drill-1024-each", kind = "number", unit = "GB", tolerance = 0.2,
          ask = "How many GB does each hold?",
          answer = function() return each end,
          wrong = mistakes(each, {
            { round(tb / many, 4), "TB and GB are one", "That is in TB. One TB is 1,000 GB." },
            { 1000 * tb, "a shard is a copy", "That is all of it. Each shard holds its part only." } }),
          why = "{tb} TB, divided by {many}.",
          hints = { "How many GB are {tb} TB?", "{1000 * tb}.", "{1000 * tb} divided by {many}." } },
        after = [[{round(1000 * tb / many, 1)} GB: a telephone holds more. On {few} it would be {round(1000 * tb / few, 1)}.]] },

      { id = "bill", title = "What all of them cost", show = { "table" }, with = names,
        table = function()
          return { title = "A month", columns = { "shards", "machines", "$" }, numbers = { 2, 3 }, rows = {
            { label = tostring(few), cells = { "{few * copies}", "{few * copies * price}" } },
            { label = grouped(many), cells = { "{many * copies}", "{many * copies * price}" } } } }
        end,
        say = [[Each shard is a leader and its replicas: {copies} machines, each with backups and monitoring, for {price} dollars a month. The
          load needs {few} shards.]],
        predict = { id = "drill-1024-bill", kind = "number", unit = "$", tolerance = 0,
          ask = "How many dollars a month more do {many} shards cost?",
          answer = function() return bill - need end,
          wrong = mistakes(bill - need, {
            { (many - few) * price, "a shard is one machine", "Each has {copies}: a leader and its replicas." },
            { bill, "what is needed is free", "That is the whole bill. {few} shards would be paid anyway." },
            { 0, "small shards are small machines", "Each has a price of its own, however little it holds." } }),
          why = "{many - few} shards too many, {copies} machines each, {price} dollars each.",
          hints = { "How many shards are too many?", "{many - few}, of {copies} machines each.", "{(many - few) * copies} machines, {price} dollars each." } },
        after = [[{(many - few) * copies * price} dollars a month, and {(many - few) * copies} machines that somebody has to look after.]] },

      { id = "fan-out", title = "Without the key", show = { "table" }, with = names,
        table = function()
          return { title = "Asks a second", columns = { "shards", "asks" }, numbers = { 2 }, rows = {
            { label = tostring(few), cells = { "{asks * few}" } }, { label = grouped(many), cells = { "{asks * many}" } } } }
        end,
        say = [[{asks} times a second the app runs a query that does not name the key it is divided by. Such a query asks every shard.]],
        predict = { id = "drill-1024-fan", kind = "number", unit = "asks/s", tolerance = 0,
          ask = "How many asks a second is that on {many} shards?",
          answer = function() return load end,
          wrong = mistakes(load, {
            { asks, "a query is one ask", "Nobody knows which shard has the answer, so all are asked." },
            { asks * few, "only full shards are asked", "That would be {few} shards. All {many} are asked." } }),
          why = "{asks} queries, each asks {many}.",
          hints = { "Who has the answer?", "Each query asks all {many}.", "{asks} times {many}." } },
        after = [[On {few} it would be {asks * few}. And each query waits for the slowest.]] },

      { id = "instead", title = "What instead?", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for i, way in ipairs(ways) do rows[i] = { label = "way " .. i, cells = { grouped(way[2]), grouped(way[3]) } } end
          return { title = "Ways", columns = { "", "shards", "parts" }, numbers = { 2, 3 }, rows = rows }
        end,
        say = [[{who} needs {few} shards today and wants to grow tenfold, by moving no more than the new machines get, and with no machine idle.]],
        predict = { id = "drill-1024-instead", kind = "choice", ask = "What does it start with?", choices = choices,
          why = "Many parts, few machines, and a map between them. Growing moves parts.",
          hints = { "What costs a price each, and what does not?", "A part without a machine of its own costs a line in a map.",
            "Many logical parts on few machines." } },
        after = [[A logical part is a line in a map. It gets a machine of its own only when it needs one.]] },

      { id = "grow", title = "And growing?", show = { "table" }, with = names,
        table = function()
          return { title = "Logical parts", columns = { "shards", "parts each" }, numbers = { 2 }, rows = {
            { label = tostring(few), cells = { tostring(of_each(few)) } }, { label = tostring(new), cells = { tostring(of_each(new)) } } } }
        end,
        say = [[{logical} logical parts lie on {few} shards, as many on each. {few} more shards join, and then all shall have as many parts again.]],
        predict = { id = "drill-1024-grow", kind = "number", unit = "parts", tolerance = 0,
          ask = "How many parts does each new shard take?",
          answer = function() return of_each(new) end,
          wrong = mistakes(logical // new, {
            { logical // few, "a share of the old shards", "So many has each of the {few} now. Afterwards there are {new}." },
            { logical, "everything is dealt anew", "That is all of them. Half may stay where they are." },
            { logical // 2, "one newcomer takes it all", "So many move in all. {few} new shards share them." } }),
          why = "{logical} parts on {new} shards.",
          hints = { "How many shards are there then?", "{new}.", "{logical} divided by {new}." } },
        after = [[{logical // new}, whole ones: half of the data moves, to new shards only, and no key leaves its part.]] },
    } }
  end,
}
