-- Part 2. Core path: one key over more partitions; the same likes keyed by post, by time and by creator;
-- keys in order, and their tail; buckets; the queries, the transactions and the values that decide; how
-- many shards; what a hash deals, keys and load measured apart; the choice defended. Deeper: the
-- procedure alone, ids that grow, merging, partitions with a bound, sub-keys, borders, big tenants,
-- placement by measured load, what is better copied, ten and a hundred times the size, other tables.

local POSTS = 16
EACH = 50
local NOVAS = { 3, 6, 9, 12 }
local NOVA = "nova"
-- Whose the other twelve are: three of them on each shard.
local OTHERS = { "ben", "leo", "ivy", "mia", "max", "ada", "tom", "kai", "lea", "ana", "zoe", "amy" }
local SHARDS = { "S0", "S1", "S2", "S3" }
local MINUTE = "20:00"
local FANS = 2400
local PARTITION_WRITES, LIKED = 1000, 3000

-- --- for texts ---

function decimals(x, n)
  return (string.format("%." .. n .. "f", x))
end

function percent(part, whole, n)
  return decimals(100 * part / whole, n or 0) .. "%"
end

function grouped(n)
  local s = tostring(math.floor(n + 0.5))
  while true do
    local t, found = s:gsub("^(%d+)(%d%d%d)", "%1,%2")
    s = t
    if found == 0 then return s end
  end
end

function ceil(x)
  return math.ceil(x - 1e-9)
end

-- --- the cluster: the same likes under three keys ---

local creator = {}
do
  local next_one = 0
  for n = 1, POSTS do
    for _, hers in ipairs(NOVAS) do
      if n == hers then creator[n] = NOVA end
    end
    if not creator[n] then
      next_one = next_one + 1
      creator[n] = OTHERS[next_one]
    end
  end
end

local WAYS = {
  post = function(n) return "likes:{p" .. n .. "}" end,
  time = function(n) return "likes:{" .. MINUTE .. "}:p" .. n end,
  creator = function(n) return "likes:{" .. creator[n] .. "}:p" .. n end,
}

-- Ends a flow, if there is one.
local function quiet(w, key)
  pcall(w.flow, w, "like", key, 0)
end

local function keyed(w, way)
  for name, key_of in pairs(WAYS) do
    for n = 1, POSTS do
      if name == way then
        w:flow("like", key_of(n), EACH)
      else
        quiet(w, key_of(n))
      end
    end
  end
end

function extremes(w)
  local most, least = 0, math.huge
  for _, id in ipairs(SHARDS) do
    most, least = math.max(most, w[id].writes), math.min(least, w[id].writes)
  end
  return most, least
end

local function different(list)
  local seen, count = {}, 0
  for _, one in ipairs(list) do
    if not seen[one] then count = count + 1 end
    seen[one] = true
  end
  return count
end

-- The counts of nova's posts are read one by one; by time those of ten minutes, since a count has a part
-- under each. How many shards were asked.
local function her_page(f, way)
  local list = {}
  for minute = 0, way == "time" and 9 or 0 do
    for _, n in ipairs(NOVAS) do
      local number = f:send("read", way == "time" and "likes:{20:0" .. minute .. "}:p" .. n or WAYS[way](n), "R0")
      f:play_answered()
      list[#list + 1] = f:request(number).shard
    end
  end
  return different(list)
end

function page_asks(w, way)
  return her_page(w:fork(), way)
end

-- On how many shards nova's posts are, keyed in that way.
function spread_out(w, key_of)
  local list = {}
  for i, n in ipairs(NOVAS) do list[i] = w:owner(key_of(n)) end
  return different(list)
end

local function three_ways()
  local rows = {}
  for i, way in ipairs { "post", "time", "creator" } do
    local most, least, asked
    rows[i] = { label = "by " .. way,
      run = function(f)
        keyed(f, way)
        most, least = extremes(f)
        asked = her_page(f, way)
      end,
      cells = function() return { most, least, asked } end }
  end
  return { title = "The same " .. POSTS * EACH .. " likes a second", columns = { "key", "fullest", "idlest", "her page" },
    numbers = { 2, 3, 4 }, rows = rows }
end

local function slots_of(w, list)
  local out = {}
  for i, key in ipairs(list) do out[i] = w:slot(key) end
  return different(out)
end

-- A hundred bookings of ten hotels: how many lie on the shard of their hotel's rooms.
BOOKINGS = 100
function beside(w, what)
  local count = 0
  for i = 1, BOOKINGS do
    local number = what == "hotel" and i % 10 or what == "night" and i % 7 or i
    if w:owner("booking:{" .. what .. number .. "}:" .. i) == w:owner("rooms:{hotel" .. i % 10 .. "}") then count = count + 1 end
  end
  return count
end
local function bookings()
  local rows = {}
  for i, what in ipairs { "booking", "hotel", "guest", "night" } do
    rows[i] = { label = what == "booking" and "number" or what, cells = function(w) return { beside(w, what) } end }
  end
  return { title = BOOKINGS .. " bookings, ten hotels", columns = { "keyed by", "with their rooms" }, numbers = { 2 }, rows = rows }
end

local function photos(people)
  local list = {}
  for _, who in ipairs(people) do
    for m = 0, 2 do list[#list + 1] = "photo:{" .. who .. "}:20:0" .. m end
  end
  return list
end

local EVERYBODY = { NOVA, table.unpack(OTHERS) }
local function photo_queries()
  local function row(label, people)
    return { label = label, cells = function(w) return { slots_of(w, photos(people)) } end }
  end
  return { title = "Photos by creator, sorted by time", columns = { "query", "partitions" }, numbers = { 2 },
    rows = { row("nova's ten", { "nova" }), row("everybody's hour", EVERYBODY), row("nova's hour", { "nova" }) } }
end

-- --- one counter, more partitions ---

local COUNTER = keys { { "likes:{p9}", LIKED } }
function times_over(n)
  local l = layout("slots", { shards = n })
  return l:load(COUNTER, l:owner(COUNTER[1])) // PARTITION_WRITES
end
local function partitions()
  local rows = {}
  for i, n in ipairs { 10, 40 } do
    rows[i] = { label = tostring(n), cells = { tostring(times_over(n)), decimals(LIKED / PARTITION_WRITES / n, 3) } }
  end
  return { title = "Times the limit of a partition", columns = { "partitions", "the counter's", "average" }, numbers = { 2, 3 }, rows = rows }
end

-- --- keys in order ---

local PHOTOS = keys("photo:%04d", 0, 999)
local SCAN = keys("photo:%04d", 300, 319)
NEXT = keys("photo:%04d", 1000, 1099)
function in_order() return layout("range", { shards = 4, keys = PHOTOS }) end
function hashed() return layout("slots", { shards = 4 }) end

function shards_of(l, list)
  local count = 0
  for id = 0, l:shards() - 1 do
    if l:owned(list, id) > 0 then count = count + 1 end
  end
  return count
end

-- One range is cut in the middle, and the upper half goes to one more shard.
function cut_range(l, range)
  local fresh, key = l:shards(), l:cut(range)
  local more = l:add() -- which takes half of some range: that is given back
  for i = 2, more:ranges() do
    if more:range(i).shard == fresh then
      more = more:merge(i - 1)
      break
    end
  end
  return more:split(key, fresh)
end
function cut_tail(l) return cut_range(l, l:ranges()) end

-- Of the next hundred, how many go to the last of n ranges.
function newest(n)
  local l = in_order()
  while l:ranges() < n do l = cut_tail(l) end
  return l:owned(NEXT, l:range(l:ranges()).shard)
end

-- --- range, hash, directory ---

local BILLION = 1000000000
local function of_photos(name)
  return layout(name, { shards = 4, keys = name == "range" and PHOTOS or nil })
end
-- Shards that are asked for twenty in a row. Where each photo has a row of its own, each was put on
-- the shard that had least.
local function in_a_row(name)
  return name == "each" and 4 or shards_of(of_photos(name), SCAN)
end
-- The most of the next hundred that one shard gets.
local function most_of_next(name)
  if name == "each" then return #NEXT // 4 end
  local l, most = of_photos(name), 0
  for id = 0, 3 do most = math.max(most, l:owned(NEXT, id)) end
  return most
end
-- Whether somebody may give one piece of it to another shard: the engine refuses where not.
local function can_move(name)
  if name == "each" then return true end
  local l = of_photos(name)
  if name == "range" then return (pcall(function() return l:split("photo:0900", 0) end)) end
  return (pcall(function() return l:give(0, 0, 1) end))
end
local MAP_ROWS = { range = 4, ["mod-n"] = 0, slots = 16384, each = BILLION }
function suits(name)
  return most_of_next(name) < #NEXT // 2 and can_move(name) and MAP_ROWS[name] < BILLION // 1000
end
local function ways_compared()
  local rows = {}
  for i, name in ipairs { "range", "mod-n", "each", "slots" } do
    rows[i] = { label = ({ "ranges", "mod N", "by photo", "slots" })[i], cells = { tostring(in_a_row(name)), tostring(most_of_next(name)),
      can_move(name) and "yes" or "no", MAP_ROWS[name] == BILLION and "1 bn" or grouped(MAP_ROWS[name]) } }
  end
  return { title = "Photos on 4 shards", columns = { "way", "in row", "newest", "move", "rows" }, numbers = { 2, 3, 5 }, rows = rows }
end

-- --- the orders table ---

ORDERS = { { "by its id", 40000 }, { "of a customer", 8000 }, { "of a seller", 500 } }
WRITTEN = 9000
-- Shards asked by each of the three, of n; an id may carry one more value, and so names that as well.
local function asks(key, n, carried)
  local by_id = (key == "order" or carried == key) and 1 or n
  return { by_id, key == "customer" and 1 or n, (key == "seller" or key == "time") and 1 or n } -- today is one range
end
function orders_cost(key, n, carried)
  local total = 0
  for i, each in ipairs(asks(key, n, carried)) do total = total + ORDERS[i][2] * each end
  return total
end
local ORDER_KEYS = { "order", "time", "seller", "customer" }
function fewest_asks(n)
  local least = math.huge
  for _, key in ipairs(ORDER_KEYS) do
    least = math.min(least, orders_cost(key, n, key))
  end
  return least
end
function cheapest(n)
  for _, key in ipairs(ORDER_KEYS) do
    if orders_cost(key, n, key) == fewest_asks(n) then return key end
  end
end

-- One seller has so many per cent of all.
local FIVE = 5
-- The values that the orders of a second have.
local VALUES = { order = keys("order:%d", 0, WRITTEN - 1), customer = keys("customer:%d", 0, 4999), time = keys { "today" },
  seller = keys("seller:%d", 0, 399, function(i) return i == 0 and 399 * FIVE or 100 - FIVE end) }
-- Of the orders written in a second, how many the fullest of 8 shards takes.
local function fullest_written(key)
  return WRITTEN * layout("slots", { shards = 8 }):busiest(VALUES[key]) / 8
end

local function workbench(_, knob)
  local key, carried, rows = knob and knob.key or "order", knob and knob.choice, {}
  for i, each in ipairs(asks(key, 8, carried)) do
    rows[i] = { label = ({ "by id", "customer's", "seller's" })[i], cells = { grouped(ORDERS[i][2]), tostring(each), grouped(ORDERS[i][2] * each) } }
  end
  rows[4] = { label = "reads", cells = { grouped(ORDERS[1][2] + ORDERS[2][2] + ORDERS[3][2]), "-", grouped(orders_cost(key, 8, carried)) } }
  rows[5] = { label = "written", cells = { grouped(WRITTEN), "1", "-" } }
  rows[6] = { label = "on fullest", cells = { grouped(fullest_written(key)), "-", "-" } }
  return { title = "Keyed by " .. key .. ", 8 shards", columns = { "orders", "a second", "shards", "asks" },
    numbers = { 2, 3, 4 }, rows = rows }
end

-- The sellers' lists of a shop that has grown by so much, in shards as well.
function sellers_asks(by) return by * ORDERS[3][2] * asks("customer", 8 * by, "customer")[3] end
local customers_80 = orders_cost("customer", 80, "customer")
local with_copy = customers_80 - ORDERS[3][2] * 79

-- --- messages, with two sets of rates ---

local MESSAGE_RATES = { chats = { 9000, 300 }, users = { 400, 12000 } }
local MESSAGE_QUERIES = { "of a chat", "of a user" }
local function message_asks(key)
  return { key == "chat" and 1 or 10, key == "user" and 1 or 10 }
end
function messages_cost(key, mix)
  local total = 0
  for i, each in ipairs(message_asks(key)) do total = total + MESSAGE_RATES[mix][i] * each end
  return total
end
local function messages(_, knob)
  local key, mix, rows = knob and knob.key or "message", knob and knob.choice or "chats", {}
  for i, each in ipairs(message_asks(key)) do
    local rate = MESSAGE_RATES[mix][i]
    rows[i] = { label = MESSAGE_QUERIES[i], cells = { grouped(rate), tostring(each), grouped(rate * each) } }
  end
  rows[3] = { label = "reads", cells = { "-", "-", grouped(messages_cost(key, mix)) } }
  return { title = "Keyed by " .. key .. ", 10 shards", columns = { "messages", "a second", "shards", "asks" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- --- how many shards ---

-- By what the fullest shard gets, where that is known.
function by_load(s) return s.writes * (s.skew or 1) / (s.ceiling * 7 / 10) end
function by_size(s) return s.gb / s.most end
function shards_for(s) return math.max(ceil(by_load(s)), ceil(by_size(s))) end

local WALLET = { writes = 38750, ceiling = 4000, gb = 9000, most = 1000 }
local CHAT = { writes = 20000, ceiling = 4000, gb = 9100, most = 800 }
local TICKETS = { writes = 26000, ceiling = 4000, gb = 13000, most = 1500 }
local CONCERTS = { writes = 33000, ceiling = 5000, gb = 12500, most = 1500, skew = 1.3 }
local MAPS = { writes = 8700, ceiling = 1000, gb = 6800, most = 600, skew = 1.2 }

-- Full buckets of one shard, when so many are dealt as evenly as they can be.
BUCKETS = 1024
function most_buckets(n) return ceil(BUCKETS / n) end
function least_buckets(n) return BUCKETS // n end
-- How many buckets each of n shards has, dealt in turn: "64", or "68-69".
local function each_gets(buckets, n)
  local l = layout("slots", { shards = n, slots = buckets, deal = "round-robin" })
  local most, least = l:slots_of(0), l:slots_of(n - 1)
  return most == least and grouped(most) or grouped(least) .. "-" .. grouped(most)
end
-- The most shards that each get a bucket when they are dealt in turn.
function most_shards()
  local n = BUCKETS
  while layout("slots", { shards = n, slots = BUCKETS }):slots_of(n - 1) == 0 do n = n - 1 end
  return n
end
-- The first number of shards at the target or under, with equally many buckets on all.
local function first_even()
  local n = shards_for(WALLET)
  while BUCKETS % n ~= 0 do n = n + 1 end
  return n
end
function fullest_of(n) return 100 * WALLET.writes * most_buckets(n) / BUCKETS / WALLET.ceiling end

local function calculation(s)
  local rows = { { label = "writes/s", cells = { grouped(s.writes), grouped(s.ceiling * 7 / 10), decimals(by_load(s) / (s.skew or 1), 1) } } }
  if s.skew then rows[2] = { label = "fullest", cells = { "x " .. s.skew, grouped(s.ceiling * 7 / 10), decimals(by_load(s), 1) } } end
  rows[#rows + 1] = { label = "GB", cells = { grouped(s.gb), grouped(s.most), decimals(by_size(s), 1) } }
  rows[#rows + 1] = { label = "shards", cells = { "-", "-", tostring(shards_for(s)) } }
  return { title = "How many shards", columns = { "", "amount", "a shard", "shards" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- --- values: countries, users ---

local COUNTRIES = keys("country:%d", 0, 199, function(i) return i == 0 and 398 or 3 end)
function eight() return layout("slots", { shards = 8 }) end
local USERS = keys("user:%d", 0, 9999)

-- --- ids that grow with time ---

local HEX = "0123456789abcdef"
local function hex(n, digits)
  local out = {}
  for i = digits, 1, -1 do
    out[i] = HEX:sub(n % 16 + 1, n % 16 + 1)
    n = n // 16
  end
  return table.concat(out)
end
local function noise(i) return (i * 2654435761 + 12345) * 40503 % 4294967296 end
local BORN = 1912368000000
-- The i-th id made: one each 20 ms.
local IDS = {
  uuid4 = function(i) return hex(noise(i), 8) .. "-" .. hex(noise(i + 5000), 4) end,
  uuid7 = function(i) return hex(BORN + 20 * i, 12) .. "-7" .. hex(noise(i), 3) end,
  snowflake = function(i) return string.format("%019d", (BORN + 20 * i) << 22 | noise(i) % 4096) end,
  ulid = function(i) return string.format("%013d", BORN + 20 * i) .. hex(noise(i), 8) end,
  prefixed = function(i) return "t" .. noise(i) % 16 .. "/" .. hex(BORN + 20 * i, 12) end,
}
local function ids(kind, first, last)
  local list = {}
  for i = first, last do list[#list + 1] = IDS[kind](i) end
  return keys(list)
end
-- Of the next hundred ids, how many go to the last of four ranges that were cut over a thousand.
function at_tail(kind)
  local l = layout("range", { shards = 4, keys = ids(kind, 0, 999) })
  local later = ids(kind, 1000, 1099)
  return l:owned(later, l:range(l:ranges()).shard)
end

-- --- ranges that nobody asks for ---

local DAYS = keys("day:%03d", 0, 99, function(i) return i < 50 and 1 or 20 end)
-- Eight ranges, two on each of four shards.
local function sliced()
  local l = layout("range", { shards = 4, keys = DAYS })
  for i = 1, 4 do l = l:split(l:cut(2 * i - 1), i - 1) end
  return l
end
function load_of(l, range)
  return l:range(range).load
end

-- --- a partition with a bound ---

local MESSAGES, BYTES, CAP_MB = 40000, 300, 100 -- a day, of one channel
local YEARS_3, SHARD_MB, SMALL, SMALL_MB = 1095, 8000, 40, 200 -- days; what a shard holds; other channels, after three years
local DAY_BUCKETS = { 1, 2, 4, 7, 10, 30, 90, YEARS_3 }
function bucket_mb(days) return MESSAGES * BYTES * days // 1000000 end
local function longest_bucket()
  local best = DAY_BUCKETS[1]
  for _, days in ipairs(DAY_BUCKETS) do
    if bucket_mb(days) < CAP_MB then best = days end
  end
  return best
end
-- All channels after three years, the large one in buckets of days. A range that is more than a shard
-- holds is cut, and its upper part goes to one more shard, until all fit or a cut is refused.
local function channels(_, knob)
  local days, list = knob and knob.size or YEARS_3, {}
  for i = 0, (YEARS_3 - 1) // days do
    list[#list + 1] = { string.format("big:%04d", i), bucket_mb(math.min(days, YEARS_3 - i * days)) }
  end
  for i = 1, SMALL do list[#list + 1] = { string.format("chan:%02d", i), SMALL_MB } end
  local l = layout("range", { shards = 1, keys = keys(list), split = "load" })
  local function fullest()
    local full = 1
    for i = 2, l:ranges() do
      if l:range(i).load > l:range(full).load then full = i end
    end
    return full, l:range(full).load
  end
  local full, load = fullest()
  while load > SHARD_MB and l:cut(full) do
    l = cut_range(l, full)
    full, load = fullest()
  end
  return { title = "After three years", columns = { "", "" }, numbers = { 2 },
    rows = { { label = "a bucket, MB", cells = { grouped(bucket_mb(days)) } }, { label = "the fullest shard, MB", cells = { grouped(load) } },
      { label = "a shard holds, MB", cells = { grouped(SHARD_MB) } }, { label = "a split of it", cells = { l:cut(full) and "possible" or "refused" } },
      { label = "shards", cells = { tostring(l:shards()) } } } }
end

-- --- symbols of an exchange, by hash and by what was measured ---

local SYMBOLS = {}
do
  local list = {}
  for i = 0, 31 do list[i + 1] = { "sym:" .. i, 20 + 4000 // (i + 1) } end
  SYMBOLS.keys = keys(list)
end
local function by_hash() return layout("slots", { shards = 4 }) end
-- The busiest first, each to the shard that has least so far.
local function by_measure()
  local l, sum = by_hash(), { [0] = 0, 0, 0, 0 }
  for i = 1, #SYMBOLS.keys do
    local least = 0
    for id = 1, 3 do
      if sum[id] < sum[least] then least = id end
    end
    sum[least] = sum[least] + SYMBOLS.keys:load(i)
    local slot = l:position(SYMBOLS.keys[i])
    if l:slot_owner(slot) ~= least then l = l:give(slot, slot, least) end
  end
  return l
end

-- --- shops ---

local SHOPS = 12
local function shop(i) return "stock:{shop" .. i .. "}" end
local ACME, BIG = "stock:{acme}", 600
local function closed(w)
  for i = 1, SHOPS do quiet(w, shop(i)) end
  quiet(w, ACME)
end
local function shops(w)
  closed(w)
  keyed(w, "none")
  for i = 1, SHOPS do w:flow("like", shop(i), 100) end
  w:flow("like", ACME, BIG)
  w:play_for(2)
end

-- --- minutes and their sub-keys ---

local PART = 40 -- percent of the writes of a minute, on one shard
local SUB = { 1, 2, 4, 8, 16, 32 }
-- Of each minute of an hour, the percent of its writes that the fullest of four shards gets; sorted.
local function hour_of(count)
  local l, list = layout("slots", { shards = 4, hash = "mix64", deal = "ranges" }), {}
  for minute = 0, 59 do
    local sum = { [0] = 0, 0, 0, 0 }
    for i = 0, count - 1 do
      local id = l:owner(string.format("due:{20:%02d#%d}", minute, i))
      sum[id] = sum[id] + 1
    end
    list[#list + 1] = 100 * math.max(sum[0], sum[1], sum[2], sum[3]) / count
  end
  table.sort(list)
  return list
end
function fullest_minute(count) return math.floor(hour_of(count)[30] + 0.5) end
local function fewest()
  for _, count in ipairs(SUB) do
    if fullest_minute(count) <= PART then return count end
  end
end
local function minutes(_, knob)
  local count = knob and knob.size or 1
  return { title = "Sub-keys: " .. count, columns = { "60 minutes of 20:00", "" }, numbers = { 2 },
    rows = { { label = "fullest, usual minute", cells = { fullest_minute(count) .. "%" } },
      { label = "fullest, worst minute", cells = { math.floor(hour_of(count)[60] + 0.5) .. "%" } },
      { label = "keys that a reader asks", cells = { tostring(count) } } } }
end

-- --- one hash and another ---

local MANY = 16000
local MANY_KEYS = keys("likes:{p%d}", 1, MANY)
local SIXTEEN_EVEN = keys("likes:{p%d}", 1, POSTS)
local SIXTEEN = keys("likes:{p%d}", 1, POSTS, function(i) return i == 9 and FANS or EACH end)
local function by(hash) return layout("slots", { shards = 4, hash = hash, deal = "ranges" }) end
function most_dealt(hash)
  local l, most = by(hash), 0
  for id = 0, 3 do most = math.max(most, l:owned(SIXTEEN, id)) end
  return most
end
local function dealt()
  local rows = {}
  for i, hash in ipairs { "crc16", "mix64", "murmur3" } do
    local l, cells = by(hash), {}
    for id = 0, 3 do cells[id + 1] = tostring(l:owned(SIXTEEN, id)) end
    cells[5], cells[6] = decimals(l:busiest(SIXTEEN_EVEN), 2), decimals(l:busiest(MANY_KEYS), 2)
    rows[i] = { label = ({ "CRC16", "mix64", "murmur3" })[i], cells = cells }
  end
  return { title = "Sixteen keys; x average also of " .. grouped(MANY), columns = { "hash", "S0", "S1", "S2", "S3", "x avg", grouped(MANY) },
    numbers = { 2, 3, 4, 5, 6, 7 }, rows = rows }
end
-- The shard with the most keys, or the most load, by mix64.
function most_of(what)
  local l, most, found = by("mix64"), -1, 0
  for id = 0, 3 do
    local here = what == "keys" and l:owned(SIXTEEN, id) or what == "load" and l:load(SIXTEEN, id)
    if here > most then most, found = here, id end
  end
  return "S" .. found
end

-- Keys and writes of each shard when p9 is hot: as the cluster has them, and as mix64 would.
local function skews()
  local rows, other = {}, by("mix64")
  local function on(f, id)
    local count = 0
    for n = 1, POSTS do
      if f:owner(WAYS.post(n)) == id then count = count + 1 end
    end
    return count
  end
  for i, id in ipairs(SHARDS) do -- no row is a run of its own: the hash of the cluster is one of the two
    rows[i] = { label = id, cells = function(w)
      local f = w:fork()
      f:flow("like", WAYS.post(9), FANS)
      return { tostring(on(f, id)), grouped(f[id].writes), tostring(other:owned(SIXTEEN, i - 1)), grouped(other:load(SIXTEEN, i - 1)) }
    end }
  end
  return { title = "Keys and writes a second, by two hashes", columns = { "shard", "CRC16", "writes", "mix64", "writes" },
    numbers = { 2, 3, 4, 5 }, rows = rows }
end

-- --- what is copied, and what grows ---

local NEAR, SERVERS, INDEX_GB, CITY = 20000, 10, 6, 30 -- questions a second; servers; percent of them about one city

-- --- a country's users ---

function french(number) return "fr-" .. number % 4 end
local function residents()
  local function on_s0(w, tag_of)
    local count = 0
    for i = 1, 100 do
      if w:owner("{" .. tag_of(i) .. "}") == "S0" then count = count + 1 end
    end
    return count
  end
  local function row(label, fr, us)
    return { label = label, cells = function(w) return { on_s0(w, fr), on_s0(w, us) } end }
  end
  return { title = "100 users of each: on S0, in France", columns = { "tag", "French", "American" }, numbers = { 2, 3 },
    rows = { row("the user", function(i) return "fr" .. i end, function(i) return "us" .. i end),
      row("the country", french, function(i) return "us-" .. i % 4 end) } }
end

-- --- other tables, and what is written into them now ---

BRANCHES = 200
local PROPOSED = {
  hour = { "sensors", keys { "hour:20" }, "sensor, day", keys("sensor:%d:day:1", 0, 9999) },
  document = { "texts", keys("document:%d", 0, 9999) },
  branch = { "sales", keys("day:1:branch:%d", 0, BRANCHES - 1) },
  session = { "cache", keys("session:%d", 0, 9999) },
  kind = { "events", keys { { "kind:paid", 45 }, { "kind:packed", 25 }, { "kind:sent", 20 }, { "kind:returned", 10 } },
    "order", keys("order:%d", 0, 9999) },
}
function spreads(key) return by("mix64"):busiest(PROPOSED[key][2]) < 1.5 end
local function other_tables()
  local rows, l = {}, by("mix64")
  for i, key in ipairs { "hour", "document", "branch", "session", "kind" } do
    local p = PROPOSED[key]
    rows[i] = { label = p[1], cells = { decimals(l:busiest(p[2]), 1), p[3] or "as it is", decimals(l:busiest(p[4] or p[2]), 1) } }
  end
  return { title = "The fullest of 4, in fair shares", columns = { "table", "so", "better key", "then" }, numbers = { 2, 4 }, rows = rows }
end

local CHECK = { id = 9300 * 10, user = 9000 * 10 + 300, chat = 9000 + 300 * 10 }

return lesson {
  id = "02_choosing_the_key", part = 2, title = "Choosing the key", minutes = 12,
  needs = { "01_what_a_shard_is" }, world = "story-quiet", placement = { go = "two-skews" },

  steps = {
    { id = "recall-limit", title = "More partitions", show = { "table" }, table = partitions,
      say = [[
        Back to Part 0, with other numbers. A table has 10 partitions, and each takes {MOST} writes a second. One counter in it gets {LIKED} likes a second.

        To help, the table is divided into 40 partitions.]],
      with = { MOST = PARTITION_WRITES, LIKED = LIKED },
      predict = { id = "p2-recall-limit", kind = "number", unit = "times",
        ask = "How many times its limit is the counter's partition asked for now?",
        answer = function() return times_over(40) end,
        wrong = { [0.75] = { belief = "more partitions share a key", why = "A counter is one item, and one item is in one partition, of ten or of forty." },
          [0.3] = { belief = "the average decides", why = "That is the load of a table of ten, spread evenly. The counter is in one of them." },
          [0.075] = { belief = "the average decides", why = "That is the load of a table of forty, spread evenly. The counter is in one of them." } },
        why = "{LIKED} over {MOST}, as before.",
        hints = { "How many partitions keep the counter?", "One, whatever their number.", "{LIKED} divided by {MOST}." } },
      after = [[
        A key is not divided by adding machines. So what a key *is* decides: that is this part.]] },

    { id = "recall", title = "Her four posts", show = { "slot_map" }, key = "likes:{nova}",
      say = [[
        nova, a photographer, has four posts: p3, p6, p9 and p12. Likes are counted under keys like `likes:{p9}`, so hers lie on
        {spread_out(w, WAYS.post)} shards.

        A new programmer wants all of hers in one slot, by the tag nova. For p9 that is `likes:{nova}:p9`.]],
      with = { WAYS = WAYS },
      predict = { id = "p2-recall-tag", kind = "text",
        ask = "Type the key for p12.",
        answer = function() return WAYS.creator(12) end,
        wrong = { ["likes:nova:p12"] = { belief = "a name is enough", why = "Without braces all of it is hashed." },
          ["likes:{p12}:nova"] = { belief = "any part of a key will do", why = "Its tag is p12, and nova is not hashed." },
          ["likes:{nova:p12}"] = { belief = "a tag may hold more", why = "All that is in the braces is hashed: nova:p12 is another tag." },
          ["likes:{nova}"] = { belief = "the tag is the key", why = "It lies in that slot, but p3, p6 and p9 would have the same key." },
          ["likes:{p12}"] = { belief = "the post is always the key", why = "That lies where p12 was: on {w:owner(\"{p12}\")}." } },
        why = "The tag alone is hashed. The same tag, another key.",
        hints = { "What do braces do?", "The tag stays, the post is another.", "As for p9, with p12 at the end." } },
      run = function(w)
        for _, n in ipairs(NOVAS) do
          w:send("like", WAYS.creator(n), "R0")
          w:play_answered()
        end
      end,
      after = [=[
        All four are in slot {w:slot("likes:{nova}:p12")}, on {w:owner("{nova}")}. What decides where a row lives is the [[sharding key]], or
        [[partition key]]. Is nova a good one?]=] },

    { id = "by-post", title = "By post, then by time", show = { "bars" },
      enter = function(w) keyed(w, "post") end,
      say = [[
        Sixteen posts, and each takes {EACH} likes a second: {cluster.writes} in all. The sharding key is the post. Each shard happens
        to have four of the sixteen.
]],
      predict = { id = "p2-by-time", kind = "choice", confidence = true,
        ask = "Keyed by minute instead, `likes:{20:00}:p9`: where do all likes of this minute go?",
        choices = {
          { "To all four shards: a hash mixes.", belief = "a hash spreads everything",
            why = "A hash spreads different tags. All likes of one minute have the same one.",
            holds = function(w) return select(2, extremes(w)) > 0 end },
          { "To one shard.", holds = function(w)
            local most = extremes(w)
            return most == w.cluster.writes
          end },
          { "To two: old likes and new ones.", belief = "time spreads by itself",
            why = "New likes are all there is to write, and they carry one minute.",
            holds = function(w)
              local most, least = extremes(w)
              return least == 0 and most < w.cluster.writes
            end },
        },
        why = "Every like that comes now has the tag 20:00.",
        hints = { "Which tag has a like on p9, and which one on p3?", "Both have `20:00`.", "One tag is in one slot." } },
      run = function(w) keyed(w, "time") end,
      after = [[
        S1 is asked for {S1.writes} writes, {S1.write_pct}% of what it can do. Three shards rest. At 20:01 it is
        {w:owner("{20:01}")}'s turn. So time alone never leads a key that is written to now.]],
      notes = "Some say: then take the second. Ask what changes. Still one tag at a time." },

    { id = "by-creator", title = "By creator", show = { "bars" },
      enter = function(w) keyed(w, "post") end,
      say = [[
        Now the creator: `likes:{nova}:p9`. nova has four posts, and lies on {w:owner("{nova}")}. The other twelve belong to twelve
        people, three of them on each shard. Each post takes {EACH} likes a second; so far the picture has them by post.]],
      predict = { id = "p2-by-creator", kind = "number", unit = "writes/s",
        ask = "How many writes a second does {w:owner(\"{nova}\")} get?",
        answer = function(w) return w[w:owner("{nova}")].writes end,
        wrong = { [200] = { belief = "each shard has a quarter", why = "nova's four posts are a quarter by themselves, and three other people live there as well." },
          [250] = { belief = "one key more is all", why = "The other three people bring 150, and nova's four posts 200." },
          [800] = { belief = "one name takes all", why = "Only what is nova's, and what lies beside it. Others are elsewhere." } },
        why = "Four posts of nova and three of others, {EACH} each.",
        hints = { "How many posts are on that shard?", "Four of nova, three of others.", "7 x {EACH}." } },
      run = function(w) keyed(w, "creator") end,
      after = [[
        {S1.writes}, and {S0.writes} on each of the others. nova is one key, and in this store nobody can put half of her elsewhere.]] },

    { id = "three-keys", title = "Which is best?", show = { "table", "bars" }, table = three_ways,
      say = [[
        By post the load is even. But likes are also read. When somebody opens nova's page, the counts of her four posts
        are fetched.]],
      predict = { id = "p2-her-page", kind = "choice",
        ask = "With which key does one shard have all that her page needs?",
        choices = {
          { "The creator", holds = function(w) return page_asks(w, "creator") == 1 end },
          { "The post", belief = "the even key is the best key", why = "Her four posts have four tags, on {page_asks(w, \"post\")} shards.",
            holds = function(w) return page_asks(w, "post") == 1 end },
          { "The time", belief = "new things lie together", why = "A count has a part under every minute in which somebody liked.",
            holds = function(w) return page_asks(w, "time") == 1 end },
        },
        why = "All of nova's keys have her tag.",
        hints = { "Which tag is the same for her four posts?", "Not p3, p6, p9, p12.", "nova is in each of them." } },
      after = [[
        So no key is best at everything. The table has all three: writes of the fullest and of the idlest shard, and shards asked for her
        page.]] },

    { id = "in-order", title = "Keys in order", show = { "ranges" },
      placing = function() return { { title = "1,000 photos in four ranges", before = in_order(), keys = PHOTOS, lookup = "photo:0300" } } end,
      say = [=[
        A hash forgets order. Some stores hash nothing: keys stay in *order*, and the line of keys is cut
        into [[ranges]]. Here each shard has one; real ones have thousands.

        {#PHOTOS} photos, 250 on each. A page shows photo:0300 to photo:0319.]=],
      with = { PHOTOS = PHOTOS, by_hash = function() return shards_of(hashed(), SCAN) end },
      predict = { id = "p2-scan", kind = "number",
        ask = "How many shards are asked for these 20?",
        answer = function() return shards_of(in_order(), SCAN) end,
        wrong = { [4] = { belief = "neighbours are apart", why = "So it would be with a hash. In order, neighbours are neighbours." },
          [2] = { belief = "a page always crosses an edge", why = "It can happen. The second range goes from 0250 to 0499, and has all 20." },
          [20] = { belief = "each key is asked for alone", why = "One shard has them all, in a row." } },
        why = "They lie in a row, inside one range.",
        hints = { "Where does the second range begin and end?", "0250 to 0499.", "All 20 are in it." } },
      after = [=[
        One. By hash these 20 lie on {by_hash()} shards. A [[range query]], from here to there, is what ranges are for.]=] },

    { id = "tail", title = "New photos come", show = { "ranges", "table" },
      placing = function() return { { title = "1,000 photos in four ranges", before = in_order(), keys = PHOTOS } } end,
      table = function()
        local l = in_order()
        return { title = "The next 100 photos", columns = { "range", "of them" }, numbers = { 2 },
          rows = { { label = "the last, S3", cells = { tostring(l:owned(NEXT, 3)) } },
            { label = "the other three", cells = { tostring(#NEXT - l:owned(NEXT, 3)) } } } }
      end,
      say = [[
        Photos are numbered as they come. The next hundred will be photo:1000 to photo:1099.]],
      predict = { id = "p2-tail", kind = "number",
        ask = "How many of these 100 go to the last range?",
        answer = function() return in_order():owned(NEXT, 3) end,
        wrong = { [25] = { belief = "load spreads by itself", why = "Each new number is larger than all before. It belongs at the end." },
          [50] = { belief = "the last two share", why = "Each new number is larger than all before. It belongs at the end." },
          [0] = { belief = "new keys make a new range", why = "The last range has no end. Whatever is larger is in it." } },
        why = "Whatever grows is always at the end.",
        hints = { "Where does the last range end?", "Nowhere: it takes all that is larger.", "All of them." } },
      after = [=[
        All. Three shards hold old photos and take no new ones. Such keys are [[monotonic]], and the end of the line is their [[tail]].]=] },

    { id = "new-tail", title = "S3 is too busy", show = { "ranges", "table" },
      placing = function()
        return { { title = "the last range is cut", before = in_order(), after = cut_tail(in_order()), keys = PHOTOS } }
      end,
      table = function()
        local rows = {}
        for i, n in ipairs { 4, 5, 8 } do
          rows[i] = { label = n .. " ranges", cells = { tostring(newest(n)), decimals(newest(n) * n / #NEXT, 1) } }
        end
        return { title = "The next 100 photos", columns = { "cut into", "to the last", "x fair share" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [=[
        S3 has the last range, and is too busy. So the range is [[split]]: a mark in the middle. Then a second step moves its upper half
        to a new shard, S4.

        Now the hundred new photos come.]=],
      predict = { id = "p2-new-tail", kind = "number", confidence = true,
        ask = "How many of the 100 go to S3?",
        answer = function() return cut_tail(in_order()):owned(NEXT, 3) end,
        wrong = { [50] = { belief = "a split halves the load", why = "It halves what is there. What comes is larger than all of it." },
          [20] = { belief = "five shards share", why = "Only the last one can take a number that is larger than all others." },
          [100] = { belief = "the old tail stays the tail", why = "S4 has the upper half, and so the end of the line." } },
        why = "The split made a new tail, on S4, and that takes everything.",
        hints = { "Which half has the end of the line?", "The upper one, and it went to S4.", "So what is left for S3?" } },
      after = [[
        None. All {cut_tail(in_order()):owned(NEXT, 4)} go to S4, which is as busy as S3 was. With eight ranges the last one takes
        {decimals(newest(8) * 8 / #NEXT, 0)} times its fair share. More splits, the same tail.]],
      notes = "In most stores a split moves nothing: both halves stay where they are until a balancer moves one." },

    { id = "buckets", title = "How far can it grow?", show = { "table" },
      table = function()
        local rows, sizes = {}, { 480, BUCKETS, 4096 }
        for i, buckets in ipairs(sizes) do
          local cells = {}
          for k, n in ipairs { 4, 12, 15, 16 } do cells[k] = each_gets(buckets, n) end
          rows[i] = { label = grouped(buckets), cells = cells }
        end
        return { title = "Buckets on each of so many shards", columns = { "buckets", "4", "12", "15", "16" }, numbers = { 2, 3, 4, 5 }, rows = rows }
      end,
      say = [=[
        A third way: look it up. A [[directory]] with a row a key can put any key anywhere, and is huge.

        Most systems combine. A hash puts each key into one of {BUCKETS} [[buckets]], and that never changes. A
        directory says which shard has a bucket: on 16 shards, {BUCKETS // 16} each.]=],
      predict = { id = "p2-bucket-cap", kind = "number",
        ask = "How many shards can it grow to before keys must be hashed anew?",
        answer = function() return most_shards() end,
        wrong = { [64] = { belief = "a shard needs its share of buckets", why = "That is what each of 16 has. A shard may have fewer, down to one." },
          [16] = { belief = "the number of shards is in the hash", why = "The hash knows buckets. The directory can be given more shards." },
          [16384] = { belief = "a bucket can be cut", why = "So many slots has our store. Here there are 1,024 buckets." } },
        why = "One bucket each, and then there is nothing left to give away.",
        hints = { "What moves when a shard joins?", "Whole buckets.", "At least one bucket a shard." } },
      after = [=[
        The [[slots]] of Part 1 are such buckets, {16384} of them. Logical shard, partition: other names for the piece that moves. Others
        take 4,096, or 480, which many numbers divide: see the table.]=] },

    { id = "range-hash-directory", title = "A billion photos", show = { "table" }, table = ways_compared,
      say = [[
        Photos again, a billion. Their numbers rise, people open single ones. Some day busy ones must move, and most others not.
        Each router keeps the map.]],
      predict = { id = "p2-which-way", kind = "choice",
        ask = "Which way suits?",
        choices = {
          { "Ranges", belief = "order is always worth having", why = "Nobody asks for a run of photos, and all new ones would go to the tail.",
            holds = function() return suits("range") end },
          { "The hash mod the number of shards", belief = "a formula is enough", why = "It is even. But the formula decides for all keys at once: none can be moved alone.",
            holds = function() return suits("mod-n") end },
          { "A directory with a row a photo", belief = "the freest way is the best", why = "Any photo could move alone. But the map has a billion rows, and each router needs it.",
            holds = function() return suits("each") end },
          { "A hash into slots, and a directory of slots", holds = function() return suits("slots") end },
        },
        why = "Even, whatever the order of keys, and a small map in which a row can be changed.",
        hints = { "Where do new photos go, by each?", "Which of the others have a map to write in?", "And which of those maps is small?" } },
      after = [[
        The table: shards asked for 20 in a row, the most of the newest 100 on one shard, whether a piece can move, rows of the map.
        A row for a single key pays where that key is far from usual.]] },

    { id = "queries", title = "Ask the queries", show = { "table" }, table = workbench,
      say = [[
        So what is asked chooses the key. A shop's orders, on 8 shards. Each second {ORDERS[1][2]} read one order by its id,
        {ORDERS[2][2]} list a customer's, {ORDERS[3][2]} list a seller's of today.

        A query that names the sharding key asks one shard. Any other asks all. Each shard that a read is sent to is an *ask*.]],
      predict = { id = "p2-fan-out", kind = "number", unit = "asks/s",
        ask = "Keyed by order id: how many asks do the customers' lists send to shards, each second?",
        answer = function() return ORDERS[2][2] * asks("order", 8)[2] end,
        wrong = { [8000] = { belief = "a query is one ask", why = "The list does not name an order id. All 8 shards must look." },
          [1000] = { belief = "shards share a query", why = "They do not divide it. Each of the 8 gets every list." },
          [4000] = { belief = "half of them have some", why = "Nobody knows which shards have some. So all 8 are asked." } },
        why = "8,000 lists, and each asks 8 shards: a [[scatter-gather]].",
        hints = { "Does a customer's list name an order id?", "No, so how many shards are asked each time?", "8,000 x 8." } },
      after = [[
        More than the {ORDERS[1][2]} reads by id, and it grows with every shard. The last two lines are of the {WRITTEN} orders that are
        written: how many of them the fullest shard takes. Next you choose the key.]] },

    { id = "workbench", title = "The workbench", show = { "table" }, table = workbench,
      knobs = { { name = "key", values = ORDER_KEYS }, { name = "choice", label = "id carries", values = { "nothing", "customer", "seller", "time" } } },
      say = [[
        An order's id may carry one more value. A read by id then names that, too.

        Key {knob.key}, the id carries {knob.choice}: reads make {orders_cost(knob.key, 8, knob.choice)} asks. {PROBLEM[knob.key]}]],
      with = { PROBLEM = {
        order = "Each list asks everywhere.",
        time = "Today's shard takes all that is written.",
        seller = "Only the rarest list asks one shard.",
        customer = "Only sellers' lists ask everywhere.",
      } },
      try = { ask = "Turn the key with y, what the id carries with H, to the fewest asks.",
        goal = function() return knob.key == cheapest(8) and orders_cost(knob.key, 8, knob.choice) == fewest_asks(8) end,
        solution = { "knob choice customer", "knob key customer" },
        hints = { "Turn y, and read the row `reads`.", "Which value do the most frequent lists carry?", "The customer: as key, and in the id." } },
      notes = "Ask which query each key serves for free, what it costs the others, and where the writes go." },

    { id = "together", title = "A booking", show = { "table" }, table = bookings,
      say = [=[
        Changes that belong together are one [[transaction]]: all of them happen, or none. On one shard that is easy. On two it is
        dear (Part 9).

        A booking writes a row, and takes one from the free rooms of the hotel, `rooms:{hotel7}`.]=],
      predict = { id = "p2-transaction", kind = "choice",
        ask = "Which sharding key should bookings have?",
        choices = {
          { "The booking's number", belief = "each table has its own id as key", why = "Even load, but a booking then seldom lies with its rooms.",
            holds = function(w) return beside(w, "booking") == BOOKINGS end },
          { "The hotel", holds = function(w) return beside(w, "hotel") == BOOKINGS end },
          { "The guest", belief = "the user is always the key", why = "One guest's bookings lie together, but the rooms are the hotel's.",
            holds = function(w) return beside(w, "guest") == BOOKINGS end },
          { "The night", belief = "what is sold by time is keyed by time", why = "All bookings of one night on one shard, and the rooms elsewhere.",
            holds = function(w) return beside(w, "night") == BOOKINGS end },
        },
        why = "`booking:{hotel7}:81` has the tag of `rooms:{hotel7}`: one slot, one transaction.",
        hints = { "Which two rows change together?", "Which value do both carry?", "It is in the tag of the rooms." } },
      after = [[
        Both are in slot {w:slot("rooms:{hotel7}")}, and move together. By other keys some meet by luck.
        A guest's own list is a second table, written a moment later.]] },

    { id = "cardinality", title = "A key by country", show = { "table" },
      table = function()
        return { title = "On 8 shards, in fair shares", columns = { "key", "values", "largest", "its shard" }, numbers = { 2, 3, 4 },
          rows = { { label = "country", cells = { tostring(#COUNTRIES), decimals(8 * COUNTRIES:load(1) / COUNTRIES:total(), 2), decimals(eight():busiest(COUNTRIES), 2) } },
            { label = "user", cells = { grouped(#USERS), decimals(8 / #USERS, 4), decimals(eight():busiest(USERS), 2) } } } }
      end,
      say = [=[
        How many values a key has is its [[cardinality]]. Somebody shards users by country: {#COUNTRIES} values. The
        largest country has {percent(COUNTRIES:load(1), COUNTRIES:total())} of the users. There are 8 shards.]=],
      with = { COUNTRIES = COUNTRIES, USERS = USERS },
      predict = { id = "p2-cardinality", kind = "number", unit = "times", tolerance = 0.05,
        ask = "That country alone: how many times the fair share of a shard is it?",
        answer = function() return 8 * COUNTRIES:load(1) / COUNTRIES:total() end,
        wrong = { [1] = { belief = "more values than shards is enough", why = "200 values, but one of them is as heavy as many shards' shares." },
          [0.4] = { belief = "a part of all is a part of a share", why = "A fair share is one part of 8, and that is 12.5%." },
          [5] = { belief = "40% is eight times 5%", why = "A fair share is 100% / 8. 40% over that." } },
        why = "A fair share is 12.5%. One value cannot be cut.",
        hints = { "What part of all is one shard's fair share?", "100% / 8 = 12.5%.", "40 / 12.5." } },
      after = [[
        With what else lies there, its shard has {decimals(eight():busiest(COUNTRIES), 1)} fair shares. By user the fullest shard has
        {decimals(eight():busiest(USERS), 2)}. A good key has far more values than shards, and none that is much of the whole.]] },

    { id = "sizing", title = "Wallets", show = { "table" }, table = function() return calculation(WALLET) end,
      say = [[
        An example. Wallets move money {WALLET.writes} times a second at the worst, and hold {WALLET.gb} GB.

        Their shards can do {WALLET.ceiling}. The plan is 70%, {WALLET.ceiling * 7 // 10}, to have room. And at most
        {WALLET.most} GB, to be copied in time.

          load  {decimals(by_load(WALLET), 1)} shards
          size  {decimals(by_size(WALLET), 1)} shards

        The larger one counts, rounded up: {shards_for(WALLET)}. That is for an even load. Else plan for the fullest shard.]],
      with = { WALLET = WALLET } },

    { id = "sizing-last", title = "A chat", show = { "table" }, table = function() return calculation(CHAT) end,
      say = [[
        A chat takes {CHAT.writes} messages a second and holds {CHAT.gb} GB. A shard does {CHAT.ceiling}, planned at 70%, and
        should hold at most {CHAT.most} GB.

          load  {decimals(by_load(CHAT), 1)} shards
          size  {decimals(by_size(CHAT), 1)} shards

        The last step is yours.]],
      with = { CHAT = CHAT },
      predict = { id = "p2-size-last", kind = "number", unit = "shards",
        ask = "How many shards?",
        answer = function() return shards_for(CHAT) end,
        wrong = function()
          return { [ceil(by_load(CHAT))] = { belief = "load alone decides", why = "So many could do the work. Each would hold more than anybody wants to copy." },
            [math.floor(by_size(CHAT))] = { belief = "round to the nearest", why = "Down is too few: some shard would be over its limit." },
            [ceil(by_load(CHAT)) + ceil(by_size(CHAT))] = { belief = "both are added", why = "One shard does work and holds data at once." } }
        end,
        why = "The larger of both, rounded up.",
        hints = { "Which of the two asks for more?", "The size.", "Round it up." } },
      after = [[
        {shards_for(CHAT)}. And far more buckets than that, {BUCKETS} say, so that growing means to give buckets away.]] },

    { id = "deal", title = "Sixteen keys, four shards", show = { "table" }, table = dealt,
      say = [[
        By CRC16 each shard has four of the sixteen posts. That code was made to find errors, not to mix: p8 and p9, say, never share a
        shard.

        mix64 is a hash that mixes.]],
      predict = { id = "p2-deal", kind = "choice", confidence = true,
        ask = "May one shard get six or more of the sixteen?",
        choices = {
          { "Yes", holds = function() return most_dealt("mix64") >= 6 end },
          { "No: it deals evenly, four on each.", belief = "a good hash deals evenly",
            why = "A good hash is like dice: each key may go anywhere. Sixteen throws are seldom even.",
            holds = function() return most_dealt("mix64") == 4 end },
          { "No: nearly evenly, five at most.", belief = "chance evens out at once",
            why = "With thousands of keys it does, as the last column shows. Sixteen are few.",
            holds = function() return most_dealt("mix64") == 5 end },
        },
        why = "Each key goes anywhere, whatever is there already.",
        hints = { "Does a hash look at what a shard has?", "Sixteen throws of a die with four sides.", "Even would be a rare throw." } },
      after = [=[
        {most_dealt("mix64")} on one shard, {decimals(most_dealt("mix64") * 4 / POSTS, 2)} times the average: that is [[key skew]]. The last column has it
        for {MANY} keys: many keys are even, few are not.]=],
      with = { POSTS = POSTS, MANY = MANY } },

    { id = "two-skews", title = "Even, and yet", show = { "table", "bars" },
      enter = function(w)
        closed(w)
        keyed(w, "post")
      end,
      table = skews,
      say = [[
        The photo app takes the post: with CRC16 four on each shard, {S2.writes} writes a second. So its keys are even.

        Then p9, on S2, is liked {FANS} times a second.]],
      with = { FANS = FANS, skew = function(w) return extremes(w) / (w.cluster.writes / w:shards()) end },
      predict = { id = "p2-load-skew", kind = "number", unit = "times", tolerance = 0.05,
        ask = "How many times the writes of S0 does S2 get then?",
        answer = function(w) return w.S2.writes / w.S0.writes end,
        wrong = { [1] = { belief = "even keys are even load", why = "Each shard still has four posts. One of them is asked for far more." },
          [12] = { belief = "only the hot key counts", why = "Its three neighbours have {EACH} each as well." },
          [48] = { belief = "a shard is its hottest key", why = "That is p9 over a usual post. S0 has four of those." } },
        why = "{FANS} and three times {EACH}, over four times {EACH}.",
        hints = { "What does S2 get in all?", "{FANS} and three others of {EACH}.", "{FANS + 3 * EACH} / {4 * EACH}." } },
      run = function(w)
        w:flow("like", "likes:{p9}", FANS)
        w:play_for(1)
      end,
      after = [=[
        {S2.writes / S0.writes}. S2 has {decimals(skew(w), 2)} times the average: [[load skew]]. By mix64 most keys lie on {most_of("keys")}, most
        writes on {most_of("load")}, which has p9. Measure both: they are two things. No hash helps against a hot key: Part 3.]=] },

    { id = "tell", title = "In your own words", show = { "table" }, table = workbench,
      say = [[
        The shop's orders again: {ORDERS[1][2]} reads by id, {ORDERS[2][2]} lists of customers, {ORDERS[3][2]} lists of sellers. A colleague says: "By
        order id. That is even."]],
      predict = { id = "p2-tell", kind = "explain",
        ask = "Which key, and what of sellers?",
        model = "The customer, in each id as well: busy reads ask one shard. By order id lists ask all 8. Sellers do so still: rare, or a second table.",
        rubric = { "busy reads name the key", "the id carries the key", "other reads ask all", "what sellers do" },
        hints = { "Begin with what is asked most." } },
      after = [[
        The steps from here on go deeper.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "sizing-two", title = "Tickets", deeper = true, show = { "table" }, table = function() return calculation(CONCERTS) end,
      say = [[
        Tickets: {CONCERTS.writes} writes a second and {CONCERTS.gb} GB. A shard does {CONCERTS.ceiling}, planned at 70%, and holds at most
        {CONCERTS.most} GB.

          evenly  {decimals(CONCERTS.writes / (CONCERTS.ceiling * 7 // 10), 1)} shards

        But the fullest was measured: {CONCERTS.skew} times the average.]],
      with = { CONCERTS = CONCERTS },
      predict = { id = "p2-size-two", kind = "number", unit = "shards",
        ask = "How many shards, so that the fullest keeps to 70%, too?",
        answer = function() return shards_for(CONCERTS) end,
        wrong = function()
          return { [ceil(by_size(CONCERTS))] = { belief = "size alone decides", why = "So many could hold it. They could not do the work." },
            [ceil(by_load(CONCERTS) / CONCERTS.skew)] = { belief = "the average decides", why = "Then the average shard is under 70%, and the fullest at about {70 * CONCERTS.skew // 1}%." },
            [ceil(CONCERTS.writes / CONCERTS.ceiling)] = { belief = "plan to the ceiling", why = "That leaves no room at all. Planned are 70%." } }
        end,
        why = "The size asks for {decimals(by_size(CONCERTS), 1)}, the load of the fullest for more.",
        hints = { "How much more than the average has the fullest?", "Multiply by {CONCERTS.skew}. And by size?", "{decimals(by_load(CONCERTS), 1)}, rounded up." } },
      after = [[
        {shards_for(CONCERTS)}. With more shards the same hot key is a larger part of a shard: measure again.]] },

    { id = "sizing-alone", title = "Positions of cars", deeper = true, show = { "table" }, table = function() return calculation(MAPS) end,
      say = [[
        Positions of cars: {MAPS.writes} writes a second, {MAPS.gb} GB. A shard does {MAPS.ceiling} writes a second, is planned at 70%, and
        should hold at most {MAPS.most} GB. The fullest one has {MAPS.skew} times the average.]],
      with = { MAPS = MAPS },
      predict = { id = "p2-size-alone", kind = "number", unit = "shards",
        ask = "How many shards?",
        answer = function() return shards_for(MAPS) end,
        wrong = function()
          return { [ceil(by_size(MAPS))] = { belief = "size alone decides", why = "So many could hold it. They could not do the work." },
            [ceil(by_load(MAPS) / MAPS.skew)] = { belief = "the average decides", why = "The fullest would be above 70%." },
            [ceil(MAPS.writes / MAPS.ceiling)] = { belief = "plan to the ceiling", why = "All of them would be full, and the first burst is refused." } }
        end,
        why = "By load {decimals(by_load(MAPS), 1)}, by size {decimals(by_size(MAPS), 1)}.",
        hints = { "What may one shard be planned for?", "{MAPS.ceiling * 7 // 10} a second. And the fullest?", "{MAPS.writes} / {MAPS.ceiling * 7 // 10} x {MAPS.skew}, rounded up." } },
      after = [[
        {shards_for(MAPS)}. `hotshard size shards` works this out for numbers of your own.]] },

    { id = "rates-decide", title = "A law changes the queries", deeper = true, show = { "table" }, table = messages,
      knobs = { { name = "key", values = { "message", "chat", "user" } }, { name = "choice", label = "day of", values = { "chats", "users" } } },
      say = [[
        Messages on 10 shards. On most days (chats) people read chats. After a new law (users) they ask for all
        that somebody wrote.

        A day of {knob.choice}, keyed by {knob.key}: reads make {messages_cost(knob.key, knob.choice)} asks a second. {knob.choice == "users" and knob.key == "user" and "Other rates, another key." or ""}]],
      try = { ask = "Press H and y to find the day on which the user is the best key, and take it.",
        goal = function() return knob.choice == "users" and knob.key == "user" end,
        solution = { "knob choice users", "knob key user" },
        hints = { "Press H, and look at the rates.", "On a day of users, which key does the busiest query name?", "The user: press y until it says so." } },
      notes = "Ask which rates of theirs they know." },

    { id = "even-buckets", title = "Fourteen, or more?", deeper = true, show = { "table" },
      knobs = { { name = "shards", values = { 13, 14, 15, 16, 17, 18, 19, 20 } } },
      table = function(_, knob)
        local n = knob and knob.shards or 13
        return { title = n .. " shards", columns = { "shard", "buckets", "of its ceiling" }, numbers = { 2, 3 },
          rows = { { label = "the fullest", cells = { tostring(most_buckets(n)), decimals(fullest_of(n), 2) .. "%" } },
            { label = "the average", cells = { decimals(BUCKETS / n, 2), decimals(100 * WALLET.writes / n / WALLET.ceiling, 2) .. "%" } },
            { label = "the emptiest", cells = { tostring(least_buckets(n)), decimals(fullest_of(n) * least_buckets(n) / most_buckets(n), 2) .. "%" } } } }
      end,
      say = [[
        The wallets, {BUCKETS} buckets, {knob.shards} shards: the fullest has {most_buckets(knob.shards)} buckets, and is at
        {decimals(fullest_of(knob.shards), 2)}% of its ceiling.

        {knob.shards == 13 and "Above 70%: too few." or knob.shards == 14 and "A hair above 70%, as buckets are whole. It would do, with no room left." or knob.shards == 16 and "Equally many on all. Fourteen would do: sixteen has room, and is simple." or "Below 70%."}]],
      try = { ask = "Turn with + and - to the first number where all shards have equally many.",
        goal = function() return knob.shards == first_even() end,
        solution = { "knob shards 16" },
        hints = { "Read both rows while you turn.", "1,024 is a power of two.", "The next power of two after 13." } } },

    { id = "ids-in-order", title = "Five kinds of id", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, kind in ipairs { "uuid4", "uuid7", "snowflake", "ulid", "prefixed" } do
          rows[i] = { label = ({ "UUIDv4", "UUIDv7", "Snowflake", "ULID", "shop/UUIDv7" })[i], cells = { tostring(at_tail(kind)) } }
        end
        return { title = "100 new ids, 4 ranges", columns = { "id", "to the last range" }, numbers = { 2 }, rows = rows }
      end,
      say = [[
        A UUIDv4 is random. UUIDv7, Snowflake ids and ULIDs begin with the time. All are keys of a store with ranges.]],
      predict = { id = "p2-ids", kind = "several",
        ask = "Which send all new rows to the tail?",
        choices = {
          { "UUIDv4", belief = "every id grows", why = "A UUIDv4 is random: new ones fall anywhere.", holds = function() return at_tail("uuid4") == #NEXT end },
          { "UUIDv7", belief = "every UUID is random", why = "A UUIDv7 begins with milliseconds.", holds = function() return at_tail("uuid7") == #NEXT end },
          { "Snowflake", belief = "a machine number spreads", why = "In a Snowflake id the time stands before the machine.", holds = function() return at_tail("snowflake") == #NEXT end },
          { "ULID", belief = "random bits spread", why = "The random part of a ULID comes last. The time comes first.", holds = function() return at_tail("ulid") == #NEXT end },
          { "A shop, then a UUIDv7", belief = "time anywhere is a tail", why = "The shop leads, and there are many of them: each has a tail of its own.",
            holds = function() return at_tail("prefixed") == #NEXT end },
        },
        why = "What leads decides. Three of them lead with the time.",
        hints = { "What are the first characters of each?", "Time first: the newest is the largest.", "Three of the five." } },
      after = [[
        Hash such ids, or put something before them that has many values. One database alone may keep them as they are.]] },

    { id = "merge", title = "Days of a diary", deeper = true, show = { "ranges" },
      placing = function() return { { title = "100 days in eight ranges", before = sliced(), after = sliced():merge(1), keys = DAYS } } end,
      say = [=[
        A diary in eight ranges, two a shard. The last fifty days are read 20 times as much. A range costs memory and
        messages, so two neighbours on one shard that nobody asks for are [[merged]].

        S0's two have loads {load_of(sliced(), 1)} and {load_of(sliced(), 2)}, like S1's.]=],
      with = { sliced = sliced, DAYS = DAYS },
      predict = { id = "p2-merge", kind = "number",
        ask = "S0's two are merged. What is the load of S0 then?",
        answer = function() return sliced():merge(1):load(DAYS, 0) end,
        wrong = { [13] = { belief = "the larger one swallows the other", why = "All days are still there, and are still read." },
          [12] = { belief = "a merge halves the load", why = "All days are still there, and are still read." },
          [0] = { belief = "a merge frees the shard", why = "Its days stay where they are. One range has them, no longer two." } },
        why = "What is read stays the same. There is one range less to keep.",
        hints = { "Do days leave S0?", "No, they are in one range now.", "Add their loads." } },
      after = [[
        {sliced():merge(1):load(DAYS, 0)}, as before. A merge moves no load: it saves a range. Only neighbours can be merged, since a range is one piece of
        the line.]] },

    { id = "unbounded", title = "One channel, three years", deeper = true, show = { "table" },
      knobs = { { name = "size", label = "days", values = DAY_BUCKETS, start = YEARS_3 } },
      table = channels,
      say = [=[
        Messages keyed by channel: each channel is one [[partition]], and grows for ever. One has {bucket_mb(1)} MB a day. A shard holds
        {SHARD_MB} MB.

        So time joins the key, *behind* the channel: a bucket of {knob.size} days is {bucket_mb(knob.size)} MB.
        {knob.size == YEARS_3 and "Its shard is full, and one key cannot be split." or "They lie on several shards."}]=],
      with = { SHARD_MB = SHARD_MB, YEARS_3 = YEARS_3, CAP = CAP_MB },
      try = { ask = "Turn with Z to the longest bucket under {CAP} MB.",
        goal = function() return knob.size == longest_bucket() end,
        solution = { "knob size 7" },
        hints = { "How many MB has one day?", "{bucket_mb(1)}. How many days fit under {CAP}?", "{CAP} / {bucket_mb(1)}, rounded down to what the knob has." } },
      notes = "The newest page reads one bucket, or two at its edge. Ask what a channel with ten messages a year would prefer." },

    { id = "sort-key", title = "Two parts of a key", deeper = true, show = { "table" }, table = photo_queries,
      say = [=[
        Many stores split the key in two. The [[partition key]] is hashed and picks the shard. The [[sort key]] keeps rows in order inside
        that partition. Photos: partition key the creator, sort key the time.]=],
      predict = { id = "p2-sort-key", kind = "several",
        ask = "Which need one partition only?",
        choices = {
          { "nova's newest ten", belief = "an order needs all shards", why = "nova's newest ten lie in her partition, in order.",
            holds = function(w) return slots_of(w, photos({ "nova" })) == 1 end },
          { "everybody's, 20:00 to 21:00", belief = "sorted is sorted everywhere", why = "Everybody's rows lie in as many partitions as there are people.",
            holds = function(w) return slots_of(w, photos(EVERYBODY)) == 1 end },
          { "nova's, yesterday 20:00 to 21:00", belief = "a hash has no ranges", why = "Inside nova's partition rows keep their order: from 20:00 to 21:00.",
            holds = function(w) return slots_of(w, photos({ "nova" })) == 1 end },
        },
        why = "Who names the partition key asks one partition, and has an order inside.",
        hints = { "Which of them name the creator?", "Inside one creator rows are sorted by time.", "Two of the three." } },
      after = [[
        A million sensors by device: a device's hour is in one partition, the hour of all devices in a million. If both are frequent, keep a
        copy for each.]] },

    { id = "this-minute", title = "Found by time", deeper = true, show = { "table" },
      knobs = { { name = "size", label = "sub-keys", values = SUB } }, table = minutes,
      say = [=[
        Due jobs are found by time. So a minute is cut into [[sub-keys]], `due:{20:00#0}`, `due:{20:00#1}` ... Writers take turns, a reader asks for all.

        The table: 60 minutes, by mix64. With {knob.size} the fullest of four shards has {fullest_minute(knob.size)}% of a usual minute.]=],
      with = { PART = PART },
      try = { ask = "Turn with Z to the fewest with {PART}% or less in a usual one.",
        goal = function() return knob.size == fewest() end,
        solution = { "knob size 8" },
        hints = { "Even would be 25%.", "Go up, and stop at the first that is not above {PART}%.", "Go back if a smaller one will do." } },
      notes = "By CRC16 the last digits 0 to 3 always fall on four shards: a gift of that hash, not of sub-keys. Part 5 salts keys that way." },

    { id = "border", title = "A user in France", deeper = true, show = { "slot_map" }, key = "user:{fr12}",
      say = [=[
        User fr12 lives in France, and the law keeps her data there: [[residency]]. S0 stands in France. The hash put her slot,
        {w:slot("user:{fr12}")}, on {w:owner("user:{fr12}")}.

        A directory can be told to bring her to S0.]=],
      predict = { id = "p2-border", kind = "several",
        ask = "Whose data move to France?",
        choices = {
          { "`user:{fr12}`", why = "The slot is hers.", holds = function(w) return w:owner("user:{fr12}") == "S0" end },
          { "`user:{us5098}`, in slot {w:slot(\"user:{us5098}\")}", belief = "a slot holds one kind of user", why = "Whoever has the same slot goes along, American or not.",
            holds = function(w) return w:owner("user:{us5098}") == "S0" end },
          { "`user:{fr13}`, in slot {w:slot(\"user:{fr13}\")}", belief = "a hash knows what a name means", why = "fr13 is another tag, in another slot.",
            holds = function(w) return w:owner("user:{fr13}") == "S0" end },
        },
        why = "The slot moves, with all that is in it and nothing else.",
        hints = { "What is it that moves?", "Who else is in the slot, and who is not?", "The first two." } },
      run = function(w)
        if w:owner("user:{fr12}") ~= "S0" then w:move(w:slot("user:{fr12}"), w:slot("user:{fr12}"), "S0") end
      end,
      after = [[
        A slot is not a country. And replicas, backups and caches have to stay inside as well.]] },

    { id = "border-tag", title = "The country's tags", deeper = true, show = { "table" }, table = residents,
      say = [=[
        So the country leads the tag. France has four buckets, `{fr-0}` to `{fr-3}`: the number of a user, mod 4, picks hers. For `fr12`
        that is `user:{fr-0}:fr12`.

        The slots of the four are given to S0, once.]=],
      predict = { id = "p2-border-tag", kind = "text",
        ask = "Type the key of fr13.",
        answer = function() return "user:{" .. french(13) .. "}:fr13" end,
        wrong = { ["user:{fr13}"] = { belief = "the user is always the key", why = "Then each user has a slot of her own, anywhere." },
          ["user:{fr}:fr13"] = { belief = "one tag is enough for a country", why = "Then France is one slot, and can never be divided." },
          ["user:{fr-0}:fr13"] = { belief = "any bucket of the country will do", why = "Who looks for her works out 13 mod 4, and looks there." },
          ["user:{fr13}:fr-1"] = { belief = "any part of a key will do", why = "Its tag is fr13: the braces decide." } },
        why = "13 mod 4 picks the bucket, and the bucket is the tag.",
        hints = { "What is left of 13 when you take fours away?", "One, so the bucket is `fr-1`.", "`user:{fr-1}:` and her name." } },
      run = function(w)
        for i = 0, 3 do
          local slot = w:slot("{fr-" .. i .. "}")
          if w:owner(slot) ~= "S0" then w:move(slot, slot, "S0") end
        end
      end,
      after = [[
        All hundred are in France. The price: France can have four shards at most, so take as many buckets as it will ever need.]] },

    { id = "whale", title = "One large shop", deeper = true, show = { "bars" }, key = ACME,
      enter = shops,
      say = [=[
        Some customers of a service are shops: its [[tenants]]. {SHOPS} small ones write 100 times a second each, and acme writes {BIG} times: a [[whale]], far larger
        than the rest. {w:owner(ACME)}, where acme lives, is at {w[w:owner(ACME)].write_pct}%.

        acme's bucket alone is given to a new shard, S4.]=],
      with = { SHOPS = SHOPS, BIG = BIG, ACME = ACME },
      predict = { id = "p2-whale", kind = "number", unit = "%", tolerance = 1,
        ask = "How full is S4 then?",
        answer = function(w) return w.S4.write_pct end,
        wrong = { [30] = { belief = "a move halves", why = "The bucket moves whole, with all of acme's writes." },
          [36] = { belief = "a new shard takes a fair share", why = "It takes what it is given: acme, and nothing else." } },
        why = "All of acme, and nobody else.",
        hints = { "What is in that bucket?", "acme, and its {BIG} writes.", "{BIG} of 1,000." } },
      run = function(w)
        if w:shards() < 5 then w:add_shard() end
        if w:owner(ACME) ~= "S4" then w:move(w:slot(ACME), w:slot(ACME), "S4") end
      end,
      after = [[
        {S4.write_pct}%, and no small shop shares a shard with acme. But acme is still one unit. When it outgrows S4, its key has to be cut: acme and a
        branch, say (Part 5).]] },

    { id = "by-measure", title = "Symbols of an exchange", deeper = true, show = { "table" },
      table = function()
        local rows, hash, measure = {}, by_hash(), by_measure()
        for id = 0, 3 do
          rows[id + 1] = { label = "S" .. id, cells = { grouped(hash:load(SYMBOLS.keys, id)), grouped(measure:load(SYMBOLS.keys, id)) } }
        end
        return { title = "Trades a second", columns = { "shard", "by hash", "by measure" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        An exchange has {#SYMBOLS.keys} symbols. The busiest is traded {decimals(SYMBOLS.keys:load(1) / SYMBOLS.keys:load(32), 0)} times as much as the quietest. By
        hash the fullest of four shards has {decimals(by_hash():busiest(SYMBOLS.keys), 2)} times the average.

        So measure. The busiest first, each goes to the shard that has least so far.]],
      with = { SYMBOLS = SYMBOLS, by_hash = by_hash, by_measure = by_measure },
      predict = { id = "p2-measured", kind = "choice",
        ask = "How full is the fullest then?",
        choices = {
          { "About the same", belief = "placement cannot help a busy key", why = "No symbol is cut. But the quiet ones go where there is room.",
            holds = function() return by_measure():busiest(SYMBOLS.keys) > 1.2 end },
          { "Below the average", belief = "a good plan beats the average", why = "The fullest is never below the average.",
            holds = function() return by_measure():busiest(SYMBOLS.keys) < 0.99 end },
          { "Hardly above the average", holds = function()
            local b = by_measure():busiest(SYMBOLS.keys)
            return b <= 1.2 and b > 0.99
          end },
        },
        why = "Small ones fill what big ones leave.",
        hints = { "Where do the quiet symbols go?", "To the shards that have least.", "They fill the gaps." } },
      after = [[
        {decimals(by_measure():busiest(SYMBOLS.keys), 2)} times. It works while no symbol alone is more than a shard's fair share. The price: a directory with a row a
        symbol, and measuring on.]] },

    { id = "copied", title = "An index of places", deeper = true, show = { "table" },
      table = function()
        return { title = "10 servers, each second", columns = { "way", "asks", "fullest", "GB each" }, numbers = { 2, 3, 4 },
          rows = { { label = "by id", cells = { grouped(NEAR * SERVERS), grouped(NEAR), decimals(INDEX_GB / SERVERS, 1) } },
            { label = "by area", cells = { grouped(NEAR), grouped(NEAR * CITY // 100), decimals(INDEX_GB / SERVERS, 1) } },
            { label = "copied", cells = { grouped(NEAR), grouped(NEAR // SERVERS), tostring(INDEX_GB) } } } }
      end,
      say = [[
        An index of places: {INDEX_GB} GB, hardly ever written. {NEAR} times a second somebody asks what is near. On {SERVERS} servers:

        By id of the place, each question asks all ten. By area it asks one, but {CITY}% are about one city. A server has 64 GB of memory.]],
      with = { NEAR = NEAR, SERVERS = SERVERS, INDEX_GB = INDEX_GB, CITY = CITY },
      predict = { id = "p2-copied", kind = "number", unit = "asks/s",
        ask = "With a whole copy on each, how many asks does the fullest server get?",
        answer = function() return NEAR // SERVERS end,
        wrong = { [20000] = { belief = "every server must look", why = "So it is by id, where each has a part. With a whole copy one is enough." },
          [6000] = { belief = "a city is hot wherever it is", why = "By area its server has them all. With copies any server may answer." } },
        why = "Each has everything, so any one may answer.",
        hints = { "Which servers can answer a question alone?", "All ten, so they take turns.", "{NEAR} / {SERVERS}." } },
      after = [[
        {NEAR // SERVERS}, and {NEAR * CITY // 100} by area. What is small and seldom written is copied. Sharding is for what does not fit.]] },

    { id = "hundredfold", title = "The shop grows", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, by in ipairs { 1, 10, 100 } do
          rows[i] = { label = by == 1 and "today" or "x " .. by, cells = { tostring(8 * by), grouped(sellers_asks(by)), grouped(by * orders_cost("customer", 8 * by, "customer")) } }
        end
        return { title = "Keyed by customer, asks a second", columns = { "orders", "shards", "sellers'", "all" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        The shop grows tenfold: ten times as many orders and as many lists, on 80 shards instead of 8. The key is the customer, so a
        seller's list still asks every shard.]],
      predict = { id = "p2-hundredfold", kind = "number", unit = "times",
        ask = "How many times as many asks a second do the sellers' lists make?",
        answer = function() return sellers_asks(10) // sellers_asks(1) end,
        wrong = { [10] = { belief = "asks grow as the shop does", why = "There are ten times as many lists, and each of them asks ten times as many shards." },
          [1] = { belief = "more shards carry it", why = "Each shard gets every list, however many shards there are." },
          [80] = { belief = "one ask a shard is all", why = "That counts the shards. There are ten times as many, and ten times as many lists." } },
        why = "Ten times as many lists, each to ten times as many shards.",
        hints = { "How many lists are there now?", "Ten times as many. And each asks how many shards?", "10 x 10." } },
      after = [[
        {sellers_asks(10) // sellers_asks(1)}: {sellers_asks(1)} then, {sellers_asks(10)} now. A hundred times the shop makes it ten thousand times. What asks all does not scale:
        it gets a table of its own. And placement becomes a service that measures, and moves something every day.]] },

    { id = "ten-times", title = "One seller's part", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, n in ipairs { 8, 80, 800 } do
          rows[i] = { label = n .. " shards", cells = { grouped(orders_cost("order", n)), grouped(orders_cost("customer", n, "customer")), decimals(n * FIVE / 100, 1) } }
        end
        return { title = "As many orders as today, in asks", columns = { "on", "order", "customer", "5%" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        One seller has {FIVE}% of all traffic. On 8 shards that was {FIVE * 8 / 100} of a shard's fair share: nobody noticed. Now there are 80.]],
      with = { FIVE = FIVE },
      predict = { id = "p2-ten-times", kind = "number", unit = "times",
        ask = "On 80 shards, how many times a fair share are these {FIVE}%?",
        answer = function() return FIVE * 80 / 100 end,
        wrong = { [0.4] = { belief = "a part stays a part", why = "5% stays 5%. A fair share became a tenth of what it was." },
          [0.04] = { belief = "more shards, less load", why = "A key is not divided. The shares are." } },
        why = "A fair share is 1.25% now.",
        hints = { "What is a fair share of 80?", "100% / 80 = 1.25%.", "5 / 1.25." } },
      after = [[
        {FIVE * 80 / 100}, and on 800 shards {FIVE * 800 / 100}. More shards make a hot key stand out more. The table has it beside the asks of today's reads, keyed
        by order and by customer.]] },

    { id = "second-copy", title = "A second table", deeper = true, show = { "table" },
      table = function()
        return { title = "On 80 shards, asks a second", columns = { "tables", "today", "x 10" }, numbers = { 2, 3 },
          rows = { { label = "by customer", cells = { grouped(customers_80), grouped(10 * customers_80) } },
            { label = "and by seller", cells = { grouped(with_copy), grouped(10 * with_copy) } } } }
      end,
      say = [[
        Orders keyed by customer, on 80 shards. {10 * ORDERS[3][2]} times a second a seller's list asks all 80. A second table is kept, keyed by
        seller, and filled from the first one's changes.]],
      with = { customers_80 = customers_80, with_copy = with_copy, FIVE = FIVE },
      predict = { id = "p2-second-copy", kind = "number", unit = "asks/s",
        ask = "How many asks a second do the sellers' lists make now?",
        answer = function() return 10 * ORDERS[3][2] end,
        wrong = { [400000] = { belief = "a list asks everywhere", why = "That was before. The second table has a seller's rows in one place." },
          [10000] = { belief = "both tables are asked", why = "The second one has the rows. The first is left alone." } },
        why = "Each names its key and asks one shard.",
        hints = { "Which table do they ask?", "The one keyed by seller.", "One shard a list." } },
      after = [[
        In all {with_copy} instead of {customers_80} at today's rates, {10 * with_copy} instead of {10 * customers_80} at ten times. The price: each order is written twice,
        the copy lags a little, and a seller with {FIVE}% of all is a hot key in it.]] },

    { id = "five-tables", title = "Five other tables", deeper = true, show = { "table" }, table = other_tables,
      say = [[
        Five tables, and a key that somebody proposes for each. There are four shards.]],
      predict = { id = "p2-five-tables", kind = "several",
        ask = "Which of them spread what is written?",
        choices = {
          { "Sensors' values: the hour", belief = "what is read by time is keyed by time", why = "Sensors: all that is measured in one hour goes to one shard.",
            holds = function() return spreads("hour") end },
          { "Texts to be searched: the document", belief = "search wants the word as key", why = "Texts: by word a document goes to nearly all shards, and one word is in every text.",
            holds = function() return spreads("document") end },
          { "Sales for reports: day, then branch", belief = "time anywhere is a tail", why = "Sales: the day is shared by {BRANCHES} branches, so no shard has all of it.",
            holds = function() return spreads("branch") end },
          { "A cache: the session", belief = "a cache is keyed by user", why = "Cache: each session is asked for by its name, and there are many.",
            holds = function() return spreads("session") end },
          { "Events of orders: their kind", belief = "a kind of event is a good key", why = "Events: kinds are few and one is frequent, and one order's events have no order among them.",
            holds = function() return spreads("kind") end },
        },
        why = "Many values among what is written now, and none that is much of it.",
        hints = { "How many values has each key among the rows of this minute?", "An hour is one value. How many kinds are there?", "Three of the five." } },
      with = { BRANCHES = BRANCHES },
      after = [[
        The table has a key for each, and the load of the fullest shard. A text search still asks all shards, since a document has many words. Users, items,
        chats, sessions of agents: their id, hashed.]] },

    { id = "check-time", title = "Check: devices", check = true, show = { "slot_map" }, key = "event:{20:00}",
      enter = function(w)
        for i = 1, 8 do w:flow("like", "event:{" .. MINUTE .. "}:d" .. i, 100) end
      end,
      say = [[
        Eight devices write 100 events a second each, under keys like `event:{20:00}:d3`: the minute, and the device. There are four shards.]],
      predict = { id = "p2-check-time", kind = "number", unit = "writes/s",
        ask = "How many writes a second does the fullest shard get?",
        answer = function(w) return (extremes(w)) end,
        wrong = { [200] = { belief = "a hash spreads everything", why = "All have the tag 20:00." },
          [300] = { belief = "devices are spread", why = "The device stands outside the braces." } },
        why = "One tag, one shard: all of them." } },

    { id = "check-tail", title = "Check: invoices", check = true, show = { "ranges" },
      placing = function() return { { title = "in order", before = in_order(), keys = PHOTOS } } end,
      say = [[
        Invoices numbered as they come, in four ranges. Auditors read the oldest all day. So the *first* range, on S0, is split, and its upper
        half goes to a new shard, S4.]],
      predict = { id = "p2-check-tail", kind = "number",
        ask = "Of the next 100 invoices, with larger numbers, how many go to S4?",
        answer = function() return cut_range(in_order(), 1):owned(NEXT, 4) end,
        wrong = { [100] = { belief = "the newest shard takes the newest keys", why = "It took old ones. New ones go where the line ends: to S3." },
          [20] = { belief = "five shards share", why = "Only the last range can take a number that is larger than all others." },
          [50] = { belief = "a split halves the load", why = "It halves what was in the first range. New ones go to the last." } },
        why = "None: the end of the line is still on S3." } },

    { id = "check-queries", title = "Check: messages", check = true, show = { "slot_map" }, key = "likes:{p9}",
      say = [[
        Chat messages on 10 shards. Each second 9,000 read the newest of a chat, 300 read what one user wrote. A user writes in many chats.]],
      predict = { id = "p2-check-queries", kind = "choice",
        ask = "By which key do these reads make the fewest asks?",
        choices = {
          { "Message id", belief = "each table has its own id as key", why = "No query names it: all 9,300 ask everywhere.",
            holds = function() return CHECK.id < CHECK.chat and CHECK.id < CHECK.user end },
          { "User", belief = "the user is always the key", why = "The 9,000 name a chat. By user they would ask all ten.",
            holds = function() return CHECK.user < CHECK.chat and CHECK.user < CHECK.id end },
          { "Chat", holds = function() return CHECK.chat < CHECK.id and CHECK.chat < CHECK.user end },
        },
        why = "The busiest query names the chat." }, },

    { id = "check-size", title = "Check: a ticket office", check = true, show = { "slot_map" }, key = "likes:{p9}",
      say = [[
        {TICKETS.writes} writes a second, {TICKETS.gb} GB. One shard can do {TICKETS.ceiling} writes a second, is planned at 70%, and should hold at most
        {TICKETS.most} GB.]],
      with = { TICKETS = TICKETS },
      predict = { id = "p2-check-size", kind = "number", unit = "shards",
        ask = "How many shards, at least?",
        answer = function() return shards_for(TICKETS) end,
        wrong = function()
          return { [ceil(by_size(TICKETS))] = { belief = "size alone decides", why = "They could not do the work." },
            [ceil(TICKETS.writes / TICKETS.ceiling)] = { belief = "plan to the ceiling", why = "Planned are 70% of it." } }
        end,
        why = "{decimals(by_load(TICKETS), 1)} by load, rounded up." } },
  },
}
