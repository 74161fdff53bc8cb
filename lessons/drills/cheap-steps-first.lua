-- Which step first? Thirteen situations, each with measurements of its own, three of them at a time. The right
-- step follows from the measurements by the rule in `first`: the cheapest one that cures what hurts,
-- and none where nothing does. Copies are a little behind, a cache more so: where no old answer is
-- allowed neither will do. Numbers are new each time.

local function grouped(n)
  local s = tostring(n)
  while true do
    local t, found = s:gsub("^(%d+)(%d%d%d)", "%1,%2")
    s = t
    if found == 0 then return s end
  end
end

local SYSTEMS = { "A shop", "A chat", "A library", "A hotel chain", "A game", "A newspaper", "A bank's archive", "A weather service",
  "A ticket office", "A school", "A clinic", "A parcel service" }

local TRIGGER, WASTE, READS_MOST = 60, 100, 70 -- percent of the writes; rows read for one shown; percent of the reads

-- The cheapest step that cures what hurts. A situation says only what differs from a healthy system.
local function first(m)
  local hurts = m.writes > TRIGGER or m.restore > m.allowed or m.hot > m.memory
  if m.scanned >= WASTE then return "index" end
  if m.reads > READS_MOST and m.repeated >= 50 and m.may_be_old then return "cache" end
  if m.reads > READS_MOST and not m.lag_will_do and m.larger >= 2 then return "bigger" end
  if m.reads > READS_MOST and m.lag_will_do and not hurts then return "copies" end
  if not hurts then return "none" end
  if m.larger >= 2 and m.restore <= m.allowed then return "bigger" end
  if m.writes > TRIGGER and m.aside > 0 and m.writes * (100 - m.aside) / 100 <= TRIGGER then return "apart" end
  if m.restore > m.allowed and m.old > 0 and m.restore * (100 - m.old) / 100 <= m.allowed and m.writes <= TRIGGER then return "parts" end
  return "shard"
end

-- What is over its limit, in words.
local function over(m)
  if m.scanned >= WASTE then return grouped(m.scanned) .. " rows are read for each one shown." end
  if m.writes > TRIGGER then return "Writes are above " .. TRIGGER .. "%." end
  if m.restore > m.allowed then return "A restore takes " .. m.restore .. " hours, and " .. m.allowed .. " are allowed." end
  if m.hot > m.memory then return "Hot data no longer fits in memory." end
  return "Reads are above " .. READS_MOST .. "%."
end

-- The steps, the belief behind each when it is not the right one, and why it is not.
local STEPS = {
  index = { "An index for a slow query", "a query is always at fault", function(m)
    return "Only " .. m.scanned .. " rows are read for each one shown. The queries are in order." end },
  bigger = { "A larger machine", "hardware cures everything", function(m, right)
    if right == "none" then return "Nothing is over its limit." end
    if right == "index" then return "It would have all these rows to read as well." end
    return m.larger >= 2 and "It would help, and a cheaper step does." or "They have the largest there is." end },
  copies = { "More copies to read from", "copies help with everything", function(m, right)
    if right == "none" then return "Nothing is over its limit." end
    if right == "index" then return "Each copy would read all these rows as well." end
    if right == "cache" then return "It would help, and each is a machine. A cache takes the repeats for less." end
    if m.reads > READS_MOST then return "A copy is a little behind: it would give old answers, and none is allowed." end
    return "A copy takes reads. It repeats every write, and holds all the data." end },
  cache = { "A cache", "a cache cures everything", function(m, right)
    if right == "none" then return "Nothing is over its limit." end
    if right == "copies" then return "Only " .. m.repeated .. "% are repeats. The rest would miss it." end
    if m.reads > READS_MOST and not m.lag_will_do then return "It would give old answers, and none is allowed." end
    if right == "index" then return "Whatever misses it would read all these rows as before." end
    return "It takes repeats, and " .. m.repeated .. "% are. " .. over(m) end },
  apart = { "A database for one job", "split before you look", function(m, right)
    if right == "none" then return "Nothing is over its limit." end
    return "No job here can be taken out and leave less to do of what hurts. " .. over(m) end },
  parts = { "Put old rows away", "old data is always the burden", function(m, right)
    if right == "none" then return "Nothing is over its limit." end
    return "Old rows are not what hurts. " .. over(m) end },
  shard = { "Shards", "growth means sharding", function(_, right)
    if right == "none" then return "Nothing is over its limit. Growth is no trigger." end
    return "They would cost joins and transactions, and a cheaper step is left." end },
  none = { "Nothing yet", "wait and see", function(m) return over(m) end },
}

-- kind, what is told beside the measurements, what differs.
local SITUATIONS = {
  { "slow search", "Its search takes seconds.", function(r) return { scanned = 1000 * r:between(2, 90), reads = r:between(72, 95), larger = r:between(1, 4) } end },
  { "slow list", "Its lists are slow, its processors full.", function(r)
    return { scanned = 100 * r:between(20, 90), larger = r:between(1, 4), writes = r:between(30, 55), reads = r:between(40, 60) } end },
  { "memory", "Answers wait for the disk.", function(r)
    local ram = 64 * r:between(1, 6)
    return { memory = ram, hot = ram + 8 * r:between(2, 7), larger = r:between(3, 8) } end },
  { "writes, small machine", "Commits queue up.", function(r) return { writes = r:between(70, 95), larger = r:between(3, 8) } end },
  { "reports", "Each report is another. A second of lag will do.", function(r)
    return { reads = r:between(80, 98), repeated = r:between(5, 25) } end },
  { "readers", "Readers wait, each for something else. A second of lag will do.", function(r)
    return { reads = r:between(78, 97), repeated = r:between(10, 30) } end },
  { "stocks", "Readers wait. Not even a moment's lag is allowed.", function(r)
    return { reads = r:between(78, 97), repeated = r:between(20, 90), lag_will_do = false, larger = r:between(3, 8) } end },
  { "front page", "All open the same pages. Ten seconds old will do.", function(r)
    return { reads = r:between(80, 99), repeated = r:between(70, 97), may_be_old = true } end },
  { "log", "One job writes a log that no other reads.", function(r)
    return { writes = r:between(66, 90), aside = r:between(50, 80) } end },
  { "old rows", "Old rows, OLD% of all, are never read.", function(r)
    local allowed = r:between(2, 5)
    return { allowed = allowed, restore = allowed + r:between(1, 3), old = r:between(70, 90) } end },
  { "writes, largest machine", "One job writes it all, and all is in use.", function(r) return { writes = r:between(68, 97) } end },
  { "size", "All rows are in use.", function(r)
    local allowed = r:between(1, 4)
    return { allowed = allowed, restore = 3 * allowed + r:between(1, 9), writes = r:between(40, 58) } end },
  { "growth", "It grew threefold. They say: shard it.", function(r)
    return { writes = r:between(15, 45), reads = r:between(30, 60), larger = r:between(1, 4) } end },
}

local function measured(r, change)
  local m = { scanned = r:between(1, 6), writes = r:between(12, 40), reads = r:between(20, 50), repeated = r:between(10, 30), may_be_old = false, lag_will_do = true,
    hot = 8 * r:between(4, 10), memory = 8 * r:between(12, 20), restore = r:between(1, 2), allowed = r:between(3, 6), larger = 1, aside = 0, old = 0 }
  for name, value in pairs(change(r)) do m[name] = value end
  return m
end

return drill {
  id = "cheap-steps-first", part = 0, title = "Cheap steps first",
  make = function(r)
    local order, systems, steps = {}, r:shuffle { table.unpack(SYSTEMS) }, {}
    for i = 1, #SITUATIONS do order[i] = i end
    order = r:shuffle(order)
    local names = { "index", "bigger", "copies", "cache", "apart", "parts", "shard", "none" }

    for i = 1, 3 do
      local s = SITUATIONS[order[i]]
      local m = measured(r, s[3])
      local right = first(m)
      -- The right step, and three that people would take. Sharding is always among them.
      local offered = { right }
      if right ~= "shard" then offered[2] = "shard" end
      for _, name in ipairs(r:shuffle { table.unpack(names) }) do
        if #offered < 4 and name ~= right and name ~= "shard" then offered[#offered + 1] = name end
      end
      local choices = {}
      for n, name in ipairs(r:shuffle(offered)) do
        local step = STEPS[name]
        choices[n] = { step[1], belief = step[2], why = step[3](m, right), holds = function() return first(m) == name end }
      end
      steps[i] = { id = "first-" .. i, title = systems[i], show = { "table" },
        with = { m = m, most = { rows = WASTE, reads = READS_MOST, writes = TRIGGER }, told = (s[2]:gsub("OLD", tostring(m.old))), larger = m.larger >= 2 and m.larger .. " times" or "none" },
        table = function()
          return { title = "Against its limits", columns = { "measured", "now", "limit" }, numbers = { 2, 3 }, rows = {
            { label = "rows for one shown", cells = { grouped(m.scanned), tostring(WASTE) } },
            { label = "reads", cells = { m.reads .. "%", READS_MOST .. "%" } },
            { label = "writes", cells = { m.writes .. "%", TRIGGER .. "%" } },
            { label = "hot data", cells = { m.hot .. " GB", m.memory .. " GB" } },
            { label = "restore", cells = { m.restore .. " h", m.allowed .. " h" } } } }
        end,
        say = "\n{told} Measured, and its limits:\n\n" ..
          "  rows for one shown {m.scanned} ({most.rows})\n" ..
          "  reads {m.reads}% ({most.reads}%), repeats {m.repeated}%\n" ..
          "  writes {m.writes}% ({most.writes}%)" .. (m.aside > 0 and ", the log {m.aside}%" or "") .. "\n" ..
          "  hot {m.hot} GB, memory {m.memory} GB\n" ..
          "  restore {m.restore} h, allowed {m.allowed} h\n" ..
          "  larger machine: {larger}",
        predict = { id = "drill-first-" .. i, kind = "choice", ask = "Which step comes first?", choices = choices,
          why = right == "none" and "No number is over its limit. To grow is no trigger." or over(m) .. " What costs less does not cure it.",
          hints = { "Which number is over its limit?", "How old may an answer be, and what has been tried already?",
            "Go down the steps from the cheapest: which is the first that makes this number smaller?" } },
        after = [[The limits are theirs: others plan with more room, or less.]] }
    end
    return { steps = steps }
  end,
}
