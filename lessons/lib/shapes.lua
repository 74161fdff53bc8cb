-- shapes: what trouble looks like on a heat map, each played on a copy of the cluster and counted.
--
--   local shapes = require("shapes")
--   shapes.names                 "one key", "time in the key", "one tenant", "batch", "scan",
--                                "everybody at once", "split"
--   shapes.plan(name, r)         when and where it strikes; without r always the same
--   shapes.map(w, plan)          what a step's `heat` gives; played once a plan, then kept
--   shapes.read(values)          which shape it is, by the counts alone
--
-- A column is a second of the cluster. Rows are keys in the order of their names, or shards in the
-- order of their slots. Everywhere somebody asks now and then; a shape is what comes on top.

local shapes = { names = { "one key", "time in the key", "one tenant", "batch", "scan", "everybody at once", "split" } }

local ROWS, COLUMNS, CELL = 16, 32, 16384
local SHARDS = 12          -- before the split
local CALM, BUSY = 4, 64   -- requests a second for a row
local KEYS = {}
for i = 1, ROWS do KEYS[i] = string.format("k%02d", i) end

-- A number from low to high: the one in the middle where nobody draws.
local function draw(r, low, high)
  return r and r:between(low, high) or (low + high) // 2
end

local PLANS = {
  ["one key"] = function(r) return { row = draw(r, 3, ROWS - 2), from = draw(r, 4, 14) } end,
  ["time in the key"] = function(r) return { each = 2, busy = BUSY + draw(r, 0, 16) } end,
  ["one tenant"] = function(r) return { row = draw(r, 2, 10), tall = draw(r, 4, 5), from = draw(r, 4, 14) } end,
  ["batch"] = function(r) return { row = draw(r, 1, 9), tall = 8, from = draw(r, 2, 4), every = draw(r, 5, 7) } end,
  ["scan"] = function(r) return { from = draw(r, 4, 18), tall = 2 } end,
  ["everybody at once"] = function(r) return { from = draw(r, 6, 22), wide = 2 } end,
  ["split"] = function(r) return { shard = draw(r, 2, SHARDS - 3), at = draw(r, 12, 18) } end,
}

function shapes.plan(name, r)
  local plan = PLANS[name](r)
  plan.name = name
  return plan
end

-- --- rows of keys: what each key is asked for in column j ---

local ASKED = {
  ["one key"] = function(p, i, j) return i == p.row and j >= p.from and BUSY or CALM end,
  -- The newest key is written, the last ones are still read, and those to come are not there yet.
  ["time in the key"] = function(p, i, j)
    local age = 1 + (j - 1) // p.each - i
    if age < 0 then return 0 end
    return age == 0 and p.busy or age <= 3 and p.busy // (3 * age + 1) or CALM
  end,
  ["one tenant"] = function(p, i, j)
    return i >= p.row and i < p.row + p.tall and j >= p.from and BUSY or CALM
  end,
  ["batch"] = function(p, i, j)
    return i >= p.row and i < p.row + p.tall and j >= p.from and (j - p.from) % p.every == 0 and BUSY or CALM
  end,
  ["scan"] = function(p, i, j) return j >= p.from and (i - 1) // p.tall == j - p.from and BUSY or CALM end,
  ["everybody at once"] = function(p, i, j) return j >= p.from and j < p.from + p.wide and BUSY or CALM end,
}

-- What is usual comes by chance; what is the matter comes every second alike.
local function ask(f, key, rate)
  f:flow("read", key, rate, rate > CALM and "scattered" or "poisson")
end

local function keys_map(w, plan)
  local now = {}
  local values = w:heat { keys = KEYS, columns = COLUMNS, each = function(f, j)
    for i, key in ipairs(KEYS) do
      local rate = ASKED[plan.name](plan, i, j)
      if rate ~= (now[i] or 0) then
        ask(f, key, rate)
        now[i] = rate
      end
    end
  end }
  return values, KEYS
end

-- --- rows of shards: one is cut in two ---

-- Two keys in each half of the shard's slots.
local function keys_in(w, first, last)
  local half, found, n = (first + last + 1) // 2, { {}, {} }, 0
  while #found[1] < 2 or #found[2] < 2 do
    local key = "item:" .. n
    local slot = w:slot(key)
    local side = slot >= half and found[2] or found[1]
    if slot >= first and slot <= last and #side < 2 then side[#side + 1] = key end
    n = n + 1
  end
  return { found[1][1], found[1][2], found[2][1], found[2][2] }, half
end

local function shards_map(w, plan)
  local order, hot = {}, nil -- by slots; the shard that is cut
  local last_new = "S" .. SHARDS
  local function range(n) return n * CELL // SHARDS, (n + 1) * CELL // SHARDS - 1 end
  -- Four shards with a quarter each become twelve: the first third stays.
  for n = 0, SHARDS - 1 do
    order[#order + 1] = "S" .. (n % 3 == 0 and n // 3 or 4 + n // 3 * 2 + n % 3 - 1)
    if n == plan.shard then
      hot = order[#order]
      order[#order + 1] = last_new
    end
  end
  local first, last = range(plan.shard)
  local _, half = keys_in(w, first, last)
  local function begin(f)
    for _ = 5, SHARDS do f:add_shard("a") end
    local n = 0
    for _, shard in ipairs(order) do
      if shard ~= last_new then
        local from, to = range(n)
        if f:owner(from) ~= shard then f:move(from, to, shard) end
        local keys = keys_in(f, from, to)
        for _, key in ipairs(keys) do
          ask(f, key, (n == plan.shard and BUSY or CALM) // #keys)
        end
        n = n + 1
      end
    end
  end
  local values = w:heat { shards = order, columns = COLUMNS, each = function(f, j)
    if j == 1 then begin(f) end
    if j == plan.at then
      f:add_shard("a")
      f:move(half, last, last_new)
    end
  end }
  return values, order
end

function shapes.map(w, plan)
  local shards = plan.name == "split"
  if not plan.values and shards then plan.values, plan.rows = shards_map(w, plan) end
  if not plan.values then plan.values, plan.rows = keys_map(w, plan) end
  local v, rows = plan.values, plan.rows
  return { title = "Requests", rows_are = shards and "shards" or "keys in order", columns_are = "seconds",
    first_row = rows[1], last_row = rows[#rows], first_column = "1", last_column = tostring(#v[1]), values = v }
end

-- --- reading one ---

-- Of each row: its bright stretches { from, to }, and whether it had nothing at all before the first.
local function stretches(v)
  local most, rows = 0, {}
  for _, row in ipairs(v) do
    for _, n in ipairs(row) do most = math.max(most, n) end
  end
  for i, row in ipairs(v) do
    local list, before = {}, 0
    for j, n in ipairs(row) do
      local bright = n > 0.3 * most
      if bright and (j == 1 or row[j - 1] <= 0.3 * most) then list[#list + 1] = { j, j } end
      if bright then list[#list][2] = j end
      if #list == 0 then before = before + n end
    end
    if #list > 0 then rows[#rows + 1] = { row = i, list = list, new = before == 0 and list[1][1] > 1 } end
  end
  return rows
end

function shapes.read(v)
  local rows, columns = stretches(v), #v[1]
  local first, again, rising, new = rows[1].list[1], 0, true, 0
  for k, one in ipairs(rows) do
    again = again + (#one.list >= 3 and 1 or 0)
    new = new + (one.new and 1 or 0)
    if k > 1 then
      local before = rows[k - 1]
      rising = rising and one.list[1][1] >= before.list[1][1] and one.row == before.row + 1
    end
  end
  local last = rows[#rows].list[1]
  if #rows == 1 then return "one key" end
  if again == #rows then return "batch" end
  if #rows == 2 and new == 1 then return "split" end
  if #rows == #v and last[1] == first[1] then return "everybody at once" end
  if rising and new >= #rows - 1 then return "time in the key" end
  if rising and #rows == #v and last[1] > first[1] then return "scan" end
  return first[2] == columns and "one tenant" or "none"
end

return shapes
