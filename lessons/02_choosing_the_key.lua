-- Part 2. Core path: the same likes keyed by post, by time and by creator; keys in order, and their
-- tail; buckets; the queries, the transactions and the values that decide; how many shards; keys and
-- load, measured apart. Deeper: the procedure alone, ids that grow, merging, partitions with a bound,
-- sub-keys, borders, big tenants, placement by measured load, what is better copied, ten times the size.

local POSTS = 16
EACH = 50
local NOVAS = { 3, 6, 9, 12 }
local NOVA = "nova"
-- Whose the other twelve are: three of them on each shard.
local OTHERS = { "ben", "leo", "ivy", "mia", "max", "ada", "tom", "kai", "lea", "ana", "zoe", "amy" }
local SHARDS = { "S0", "S1", "S2", "S3" }
local MINUTE = "20:00"
local FANS, READERS = 2400, 9000

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

-- The counts of nova's posts are read one by one; by time those of four minutes. How many shards
-- were asked.
local function her_page(f, way)
  local list = {}
  for i, n in ipairs(NOVAS) do
    local number = f:send("read", way == "time" and "likes:{20:0" .. i - 1 .. "}:p" .. n or WAYS[way](n), "R0")
    f:play_answered()
    list[i] = f:request(number).shard
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

-- Whether all of eight bookings lie where the rooms of their hotel are.
local function beside(w, what)
  for i = 1, 8 do
    local tag = what == "hotel" and "hotel7" or what .. i
    if w:slot("booking:{" .. tag .. "}:" .. i) ~= w:slot("rooms:{hotel7}") then return false end
  end
  return true
end

local function photos(people)
  local list = {}
  for _, who in ipairs(people) do
    for m = 0, 2 do list[#list + 1] = "photo:{" .. who .. "}:20:0" .. m end
  end
  return list
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

-- The last range is cut in the middle, and the upper half goes to one more shard.
function cut_tail(l)
  local fresh = l:shards()
  local more = l:add() -- which takes half of some range: that is given back
  for i = 2, more:ranges() do
    if more:range(i).shard == fresh then
      more = more:merge(i - 1)
      break
    end
  end
  return more:split(more:cut(more:ranges()), fresh)
end

-- Of the next hundred, how many go to the last of n ranges.
function newest(n)
  local l = in_order()
  while l:ranges() < n do l = cut_tail(l) end
  return l:owned(NEXT, l:range(l:ranges()).shard)
end

-- --- range, hash, directory ---

local function of_photos(name)
  return layout(name, { shards = 4, keys = name == "range" and PHOTOS or nil })
end
-- The most of the next hundred that one shard gets.
local function most_of_next(name)
  local l, most = of_photos(name), 0
  for id = 0, 3 do most = math.max(most, l:owned(NEXT, id)) end
  return most
end
-- Whether somebody may give one piece of it to another shard: the engine refuses where not.
local function can_move(name)
  local l = of_photos(name)
  if name == "range" then return (pcall(function() return l:split("photo:0900", 0) end)) end
  return (pcall(function() return l:give(0, 0, 1) end))
end
local function suits(name) return most_of_next(name) < #NEXT // 2 and can_move(name) end
local function ways_compared()
  local rows = {}
  for i, name in ipairs { "range", "mod-n", "slots" } do
    rows[i] = { label = ({ "ranges", "hash mod N", "buckets" })[i], cells = { tostring(shards_of(of_photos(name), SCAN)),
      tostring(most_of_next(name)), can_move(name) and "yes" or "no" } }
  end
  return { title = "1,000 photos, 4 shards", columns = { "way", "20 in row", "new 100", "move" }, numbers = { 2, 3 }, rows = rows }
end

-- --- the orders table ---

ORDERS = { { "by its id", 40000 }, { "of a customer", 8000 }, { "of a seller", 500 } }
-- Shards asked by each of the three, of n.
local function asks(key, n)
  if key == "order" then return { 1, n, n } end
  if key == "time" then return { n, n, 1 } end -- of today, and today is one range
  if key == "seller" then return { n, n, 1 } end
  return { 1, 1, n } -- the customer, whose shard stands in each order's id
end
function orders_cost(key, n)
  local total = 0
  for i, each in ipairs(asks(key, n)) do total = total + ORDERS[i][2] * each end
  return total
end
local ORDER_KEYS = { "order", "time", "seller", "customer" }
function cheapest(n)
  local best = ORDER_KEYS[1]
  for _, key in ipairs(ORDER_KEYS) do
    if orders_cost(key, n) < orders_cost(best, n) then best = key end
  end
  return best
end

local function workbench(_, knob)
  local key, rows = knob and knob.key or "order", {}
  for i, each in ipairs(asks(key, 8)) do
    rows[i] = { label = ORDERS[i][1], cells = { grouped(ORDERS[i][2]), tostring(each), grouped(ORDERS[i][2] * each) } }
  end
  rows[4] = { label = "all", cells = { grouped(ORDERS[1][2] + ORDERS[2][2] + ORDERS[3][2]), "", grouped(orders_cost(key, 8)) } }
  return { title = "Keyed by " .. key .. ", 8 shards", columns = { "orders", "a second", "shards", "asks" },
    numbers = { 2, 3, 4 }, rows = rows }
end

-- --- messages, with two sets of rates ---

local MESSAGE_RATES = { chats = { 9000, 300, 1000 }, users = { 400, 12000, 1000 } }
local MESSAGE_QUERIES = { "of a chat", "of a user", "written" }
local function message_asks(key)
  return { key == "chat" and 1 or 10, key == "user" and 1 or 10, 1 }
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
  rows[4] = { label = "all", cells = { "", "", grouped(messages_cost(key, mix)) } }
  return { title = "Keyed by " .. key .. ", 10 shards", columns = { "messages", "a second", "shards", "asks" }, numbers = { 2, 3, 4 }, rows = rows }
end

-- --- how many shards ---

function by_load(s) return s.writes / (s.ceiling * 7 / 10) end
function by_size(s) return s.gb / s.most end
function shards_for(s) return math.max(ceil(by_load(s)), ceil(by_size(s))) end

local WALLET = { writes = 38750, ceiling = 4000, gb = 9000, most = 1000 }
local CHAT = { writes = 20000, ceiling = 4000, gb = 9100, most = 800 }
local TICKETS = { writes = 26000, ceiling = 4000, gb = 13000, most = 1500 }
local MAPS = { writes = 8700, ceiling = 1000, gb = 5000, most = 600 }

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
  return { title = "How many shards", columns = { "", "amount", "a shard", "shards" }, numbers = { 2, 3, 4 },
    rows = { { label = "writes/s", cells = { grouped(s.writes), grouped(s.ceiling * 7 / 10), decimals(by_load(s), 1) } },
      { label = "GB", cells = { grouped(s.gb), grouped(s.most), decimals(by_size(s), 1) } },
      { label = "shards", cells = { "", "", tostring(shards_for(s)) } } } }
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
local function sliced() return layout("range", { shards = 4, keys = DAYS }) end
function load_of(l, range)
  return l:range(range).load
end

-- --- a partition with a bound ---

local MESSAGES, BYTES, CAP_MB = 40000, 300, 100 -- a day, of one channel
local DAY_BUCKETS = { 1, 2, 4, 7, 10, 30, 90 }
function bucket_mb(days) return math.tointeger(MESSAGES * BYTES * days // 1000000) end
local function longest_bucket()
  local best = DAY_BUCKETS[1]
  for _, days in ipairs(DAY_BUCKETS) do
    if bucket_mb(days) < CAP_MB then best = days end
  end
  return best
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
local ACME, BIG = "stock:{acme}", 700
local function minute_keys(count)
  local out = {}
  for i = 0, count - 1 do out[i + 1] = "log:{" .. MINUTE .. "#" .. i .. "}" end
  return out
end
local function closed(w)
  for i = 1, SHOPS do quiet(w, shop(i)) end
  quiet(w, ACME)
  for _, key in ipairs(minute_keys(16)) do quiet(w, key) end
end
local function shops(w)
  closed(w)
  keyed(w, "none")
  for i = 1, SHOPS do w:flow("like", shop(i), 100) end
  w:flow("like", ACME, BIG)
end

-- --- minutes and their sub-keys ---

local PART = 30 -- percent of the writes of a minute, on one shard
local SUB = { 1, 2, 4, 8, 16 }
local function sub_keyed(w, count)
  closed(w)
  keyed(w, "none")
  local now = {}
  for i, key in ipairs(minute_keys(count)) do now[key] = i end
  for _, key in ipairs(minute_keys(16)) do
    if now[key] then
      w:flow("like", key, POSTS * EACH // count)
    else
      quiet(w, key)
    end
  end
end
function spread_of(w, count)
  local f = w:fork()
  sub_keyed(f, count)
  return (extremes(f))
end

local function fewest(w)
  for _, count in ipairs(SUB) do
    if spread_of(w, count) <= POSTS * EACH * PART // 100 then return count end
  end
end

-- Keys and load of each shard when p9 is hot, each over its average.
local function skews()
  local rows = {}
  local function on(f, id)
    local count = 0
    for n = 1, POSTS do
      if f:owner(WAYS.post(n)) == id then count = count + 1 end
    end
    return count
  end
  for i, id in ipairs(SHARDS) do
    rows[i] = { label = id, run = function(f) f:flow("like", WAYS.post(9), FANS) end,
      cells = function(f) return { on(f, id), decimals(on(f, id) * #SHARDS / POSTS, 2), f[id].writes,
        decimals(f[id].writes * #SHARDS / f.cluster.writes, 2) } end }
  end
  return { title = "p9 is liked " .. grouped(FANS) .. " times a second", columns = { "shard", "keys", "x avg", "writes", "x avg" },
    numbers = { 2, 3, 4, 5 }, rows = rows }
end

-- --- what is copied, and what grows ---

local NEAR, SERVERS, INDEX_GB = 20000, 10, 6
local FIVE = 5 -- percent of all traffic, one seller's

local CHECK = { id = 9300 * 10 + 1000, user = 9000 * 10 + 300 + 1000, chat = 9000 + 300 * 10 + 1000 }

return lesson {
  id = "02_choosing_the_key", part = 2, title = "Choosing the key", minutes = 12,
  needs = { "01_what_a_shard_is" }, world = "story-quiet", placement = { go = "two-skews" },

  steps = {
    { id = "recall", title = "From Part 1", show = { "slot_map" }, key = "likes:{nova}:p9",
      say = [[
        Likes are counted under keys like `likes:{p9}`. nova's four posts, p3, p6, p9 and p12, lie on {spread_out(w, WAYS.post)} shards.

        A new programmer writes the owner into the key: `likes:{nova}:p9`.]],
      with = { WAYS = WAYS },
      predict = { id = "p2-recall-shards", kind = "number",
        ask = "With keys like this, on how many shards are her four?",
        answer = function(w) return spread_out(w, WAYS.creator) end,
        wrong = { [4] = { belief = "each key has its own place", why = "All four have the tag nova, so all are in slot {w:slot(\"{nova}\")}." },
          [2] = { belief = "a tag is half of a key", why = "The tag alone is hashed. It is the same four times." } },
        why = "One tag, one slot, one shard.",
        hints = { "What do braces do?", "What is between them is hashed, and nothing else.", "nova, four times." } },
      after = [[
        All on {w:owner("{nova}")}. What decides where a row lives is the *sharding key*, or *partition key*. Here it is the tag.]] },

    { id = "recall-tag", title = "Write one", show = { "crc16:likes:{nova}:p9" },
      say = [[
        The tag of `likes:{nova}:p9` is nova. Whoever writes the key decides what lies together.]],
      predict = { id = "p2-recall-tag", kind = "text",
        ask = "Type the key for the likes of p12, so that it lies with nova's others.",
        answer = function() return WAYS.creator(12) end,
        wrong = { ["likes:nova:p12"] = { belief = "a name is enough", why = "Without braces all of it is hashed." },
          ["likes:{p12}:nova"] = { belief = "any part of a key will do", why = "Its tag is p12, and nova is not hashed." },
          ["likes:{nova:p12}"] = { belief = "a tag may hold more", why = "All that is in the braces is hashed: nova:p12 is another tag." },
          ["likes:{p12}"] = { belief = "the post is always the key", why = "That lies where p12 was: on {w:owner(\"{p12}\")}." } },
        why = "The same tag, another key.",
        hints = { "Take the key above as an example.", "The tag stays, the post is another.", "`likes:{nova}:p12`." } },
      after = [[
        Slot {w:slot("likes:{nova}:p12")}, like her others. Is that a good key? See what it does to load.]] },

    { id = "by-post", title = "By post, then by time", show = { "bars" },
      enter = function(w) keyed(w, "post") end,
      say = [[
        Sixteen posts, and each takes {EACH} likes a second: {cluster.writes} in all. The sharding key is the post. Each shard has
        four of the sixteen.

        Two other keys will carry the very same likes.]],
      predict = { id = "p2-by-time", kind = "choice", confidence = true,
        ask = "First, the minute: `likes:{20:00}:p9`. Where do all likes of this minute go?",
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
        S1 is asked for {S1.writes} writes, {S1.write_pct}% of what it can do, and three shards rest. At 20:01 it is
        {w:owner("{20:01}")}'s turn. Time never leads a key.]],
      notes = "Some say: then take the second. Ask what changes. Still one tag at a time." },

    { id = "by-creator", title = "By creator", show = { "bars" },
      enter = function(w) keyed(w, "time") end,
      say = [[
        Now the creator: `likes:{nova}:p9`. nova has four posts. The other twelve belong to twelve people, three on
        each shard. nova is on {w:owner("{nova}")}. Each post still takes {EACH} likes a second.]],
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
        {S1.writes}, and {S0.writes} on each of the others. nova is one key, and nobody can put half of her elsewhere.]] },

    { id = "three-keys", title = "Which is best?", show = { "table", "bars" }, table = three_ways,
      say = [[
        By post the load is even. But likes are also read. When somebody opens nova's page, the counts of her four posts
        are fetched.]],
      predict = { id = "p2-her-page", kind = "choice",
        ask = "With which key does one shard have all that her page needs?",
        choices = {
          { "The post", belief = "the even key is the best key", why = "Her four posts have four tags, on {page_asks(w, \"post\")} shards.",
            holds = function(w) return page_asks(w, "post") == 1 end },
          { "The time", belief = "new things lie together", why = "A count has a part under every minute in which somebody liked.",
            holds = function(w) return page_asks(w, "time") == 1 end },
          { "The creator", holds = function(w) return page_asks(w, "creator") == 1 end },
        },
        why = "All of nova's keys have her tag.",
        hints = { "Which tag is the same for her four posts?", "Not p3, p6, p9, p12.", "nova." } },
      after = [[
        So no key is best at everything. The table has all three: writes of the fullest and of the idlest shard, and shards asked for her
        page. Enter opens a row.]] },

    { id = "in-order", title = "Keys in order", show = { "ranges" },
      placing = function() return { { title = "1,000 photos in four ranges", before = in_order(), keys = PHOTOS, lookup = "photo:0300" } } end,
      say = [[
        A hash forgets order. Some stores hash nothing: keys stay in *order*, and the line of keys is cut
        into *ranges*, one a shard.

        {#PHOTOS} photos, 250 on each. A page shows photo:0300 to photo:0319.]],
      with = { PHOTOS = PHOTOS, by_hash = function() return shards_of(hashed(), SCAN) end },
      predict = { id = "p2-scan", kind = "number",
        ask = "How many shards are asked for these 20?",
        answer = function() return shards_of(in_order(), SCAN) end,
        wrong = { [4] = { belief = "neighbours are apart", why = "So it would be with a hash. In order, neighbours are neighbours." },
          [2] = { belief = "a page always crosses an edge", why = "It can happen. The second range goes from 0250 to 0499, and has all 20." },
          [20] = { belief = "each key is asked for alone", why = "One shard has them all, in a row." } },
        why = "They lie in a row, inside one range.",
        hints = { "Where does the second range begin and end?", "0250 to 0499.", "All 20 are in it." } },
      after = [[
        One. By hash these 20 lie on {by_hash()} shards. A *range query*, from here to there, is what ranges are for.]] },

    { id = "tail", title = "The tail", show = { "ranges" },
      placing = function() return { { title = "1,000 photos in four ranges", before = in_order(), keys = PHOTOS } } end,
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
      after = [[
        All. Three shards hold old photos and take no new ones. Such keys are *monotonic*, and the end of the line is their *tail*.]] },

    { id = "new-tail", title = "Split the tail", show = { "ranges", "table" },
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
      say = [[
        S3 is too busy. So the last range is *split*: it is cut in the middle, and the upper half goes to a new
        shard, S4. Then the next hundred photos come.]],
      predict = { id = "p2-new-tail", kind = "number",
        ask = "How many of the 100 go to S4?",
        answer = function() return cut_tail(in_order()):owned(NEXT, 4) end,
        wrong = { [50] = { belief = "a split halves the load", why = "It halves what is there. What comes is larger than all of it." },
          [20] = { belief = "five shards share", why = "Only the last one can take a number that is larger than all others." },
          [0] = { belief = "the old tail stays the tail", why = "S4 has the upper half, and so the end of the line." } },
        why = "The split made a new tail, and it takes everything again.",
        hints = { "Which half has the end of the line?", "The upper one, on S4.", "All of them." } },
      after = [[
        All {cut_tail(in_order()):owned(NEXT, 4)}, and now S3 rests too. With eight ranges the last one takes
        {decimals(newest(8) * 8 / #NEXT, 0)} times its fair share. More splits, the same tail.]] },

    { id = "buckets", title = "Hash, then look up", show = { "table" },
      table = function()
        local rows, sizes = {}, { 480, BUCKETS, 4096 }
        for i, buckets in ipairs(sizes) do
          local cells = {}
          for k, n in ipairs { 4, 12, 15, 16 } do cells[k] = each_gets(buckets, n) end
          rows[i] = { label = grouped(buckets), cells = cells }
        end
        return { title = "Buckets on each of so many shards", columns = { "buckets", "4", "12", "15", "16" }, numbers = { 2, 3, 4, 5 }, rows = rows }
      end,
      say = [[
        A third way is a *directory*: a table from each key to its shard. Any place is possible, and the table is huge.

        Most systems combine. A hash puts each key into one of {BUCKETS} *buckets*, and that never changes. A
        directory says which shard has a bucket: on 16 shards, {BUCKETS // 16} each.]],
      predict = { id = "p2-bucket-cap", kind = "number",
        ask = "How many shards can it grow to before keys must be hashed anew?",
        answer = function() return most_shards() end,
        wrong = { [64] = { belief = "a shard needs its share of buckets", why = "That is what each of 16 has. A shard may have fewer, down to one." },
          [16] = { belief = "the number of shards is in the hash", why = "The hash knows buckets. The directory can be given more shards." },
          [16384] = { belief = "a bucket can be cut", why = "So many slots has our store. Here there are 1,024 buckets." } },
        why = "One bucket each, and then there is nothing left to give away.",
        hints = { "What moves when a shard joins?", "Whole buckets.", "At least one bucket a shard." } },
      after = [[
        The *slots* of Part 1 are such buckets, {16384} of them. Others take 4,096, or 480, since many numbers divide 480: see the table.]] },

    { id = "range-hash-directory", title = "Range, hash, directory", show = { "table" }, table = ways_compared,
      say = [[
        The photos again. Their numbers rise. People open single photos, in no order. Some day a few photos may be busy, and should move
        without the others.]],
      predict = { id = "p2-which-way", kind = "choice",
        ask = "Which way suits?",
        choices = {
          { "Ranges", belief = "order is always worth having", why = "Nobody asks for a run of photos, and all new ones would go to the tail.",
            holds = function() return suits("range") end },
          { "The hash mod the number of shards", belief = "a formula is enough", why = "It is even. But the formula decides for all keys at once: none can be moved alone.",
            holds = function() return suits("mod-n") end },
          { "A hash into buckets, and a directory of buckets", holds = function() return suits("slots") end },
        },
        why = "Even, whatever the order of keys, and a row of the directory can be changed.",
        hints = { "Where do new photos go, by each?", "Ranges are out. Which of the others has a table to write in?", "The buckets." } },
      after = [[
        The table: shards asked for 20 photos in a row, the most of the next 100 on one shard, and whether a piece can move alone. A
        directory of single keys pays where a few differ much from the rest.]] },

    { id = "queries", title = "Ask the queries", show = { "table" }, table = workbench,
      say = [[
        So the key is chosen by what is asked. A shop's table of orders, on 8 shards. Each second
        {ORDERS[1][2]} fetch one order by its id, {ORDERS[2][2]} list a customer's orders, {ORDERS[3][2]} list a
        seller's of today.

        A query that names the sharding key asks one shard. Any other asks all.]],
      predict = { id = "p2-fan-out", kind = "number", unit = "asks/s",
        ask = "Keyed by order id: how many asks do the customers' lists send to shards, each second?",
        answer = function() return ORDERS[2][2] * asks("order", 8)[2] end,
        wrong = { [8000] = { belief = "a query is one ask", why = "The list does not name an order id. All 8 shards must look." },
          [1000] = { belief = "shards share a query", why = "They do not divide it. Each of the 8 gets every list." },
          [4000] = { belief = "half of them have some", why = "Nobody knows which shards have some. So all 8 are asked." } },
        why = "8,000 lists, and each asks 8 shards: a *scatter-gather*.",
        hints = { "Does a customer's list name an order id?", "No, so how many shards are asked each time?", "8,000 x 8." } },
      after = [[
        More than the {ORDERS[1][2]} fetches, and it grows with every shard. Next you choose the key.]] },

    { id = "workbench", title = "The workbench", show = { "table" }, table = workbench,
      knobs = { { name = "key", values = ORDER_KEYS } },
      say = [[
        Keyed by {knob.key}: {orders_cost(knob.key, 8)} asks a second. {PROBLEM[knob.key]}]],
      with = { PROBLEM = {
        order = "A customer's list asks everywhere.",
        time = "A seller's day is one range, but nothing else is, and all new orders go to the tail.",
        seller = "Only the rarest query asks one shard, and a big seller is one hot key.",
        customer = "The shard of the customer is written into each order id, so an id is enough. Only sellers ask everywhere: rare.",
      } },
      try = { ask = "Turn the key with y. Stop at the one with the fewest asks.",
        goal = function() return knob.key == cheapest(8) end,
        solution = { "knob key customer" },
        hints = { "Press y and read the last row.", "Which key do the two most frequent queries carry?", "The customer." } },
      notes = "Ask which query each key serves for free, and what it costs the others." },

    { id = "together", title = "What changes together", show = { "slot_map" }, key = "rooms:{hotel7}",
      say = [[
        Changes that belong together are one *transaction*: all of them happen, or none. On one shard that is easy. On two it is
        dear (Part 9).

        A booking writes a row, and takes one from the free rooms of the hotel, `rooms:{hotel7}`.]],
      predict = { id = "p2-transaction", kind = "choice",
        ask = "Which sharding key should bookings have?",
        choices = {
          { "The booking's number", belief = "each table has its own id as key", why = "Even load, but a booking then seldom lies with its rooms.",
            holds = function(w) return beside(w, "booking") end },
          { "The guest", belief = "the user is always the key", why = "One guest's bookings lie together, but the rooms are the hotel's.",
            holds = function(w) return beside(w, "guest") end },
          { "The hotel", holds = function(w) return beside(w, "hotel") end },
          { "The night", belief = "what is sold by time is keyed by time", why = "All bookings of one night on one shard, and the rooms elsewhere.",
            holds = function(w) return beside(w, "night") end },
        },
        why = "`booking:{hotel7}:81` has the tag of `rooms:{hotel7}`: one slot, one transaction.",
        hints = { "Which two rows change together?", "Which value do both carry?", "The hotel." } },
      after = [[
        Both are in slot {w:slot("rooms:{hotel7}")}. A guest's own list is a second table, written a moment later.]] },

    { id = "cardinality", title = "Enough values", show = { "table" },
      table = function()
        return { title = "On 8 shards", columns = { "key", "values", "largest", "x fair share" }, numbers = { 2, 3, 4 },
          rows = { { label = "country", cells = { tostring(#COUNTRIES), percent(COUNTRIES:load(1), COUNTRIES:total()), decimals(eight():busiest(COUNTRIES), 1) } },
            { label = "user", cells = { grouped(#USERS), percent(1, #USERS, 2), decimals(eight():busiest(USERS), 1) } } } }
      end,
      say = [[
        How many values a key has is its *cardinality*. Somebody shards users by country: {#COUNTRIES} values. The
        largest country has {percent(COUNTRIES:load(1), COUNTRIES:total())} of the users. There are 8 shards.]],
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
        By country the fullest has {decimals(eight():busiest(COUNTRIES), 1)} times its share, by user {decimals(eight():busiest(USERS), 1)}. Far more
        values than shards, and none that is much of the whole.]] },

    { id = "sizing", title = "How many shards?", show = { "table" }, table = function() return calculation(WALLET) end,
      say = [[
        An example. Wallets move money {WALLET.writes} times a second at the worst, and hold {WALLET.gb} GB.

        One shard can do {WALLET.ceiling}, and should not be planned above 70%: {WALLET.ceiling * 7 // 10}. Nobody wants to copy
        more than {WALLET.most} GB when it breaks.

          load  {decimals(by_load(WALLET), 1)} shards
          size  {decimals(by_size(WALLET), 1)} shards

        The larger one counts, rounded up: {shards_for(WALLET)}.]],
      with = { WALLET = WALLET } },

    { id = "sizing-last", title = "The last step is yours", show = { "table" }, table = function() return calculation(CHAT) end,
      say = [[
        A chat takes {CHAT.writes} messages a second and holds {CHAT.gb} GB. A shard does {CHAT.ceiling}, planned at 70%, and
        should hold at most {CHAT.most} GB.

          load  {decimals(by_load(CHAT), 1)} shards
          size  {decimals(by_size(CHAT), 1)} shards]],
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

    { id = "two-skews", title = "Two kinds of uneven", show = { "table", "bars" },
      enter = function(w)
        closed(w)
        keyed(w, "post")
      end,
      table = skews,
      say = [[
        The photo app takes the post: four on each shard, {S2.writes} writes a second. No shard has more keys than another: no
        *key skew*.

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
      run = function(w) w:flow("like", "likes:{p9}", FANS) end,
      after = [[
        {S2.writes / S0.writes}. Keys are as even as before, and S2 has {decimals(skew(w), 2)} times the average load: *load skew*. No hash helps. That is Part
        3. The steps from here on go deeper.]] },

    -- ------------------------------------------------------------------ deeper

    { id = "sizing-two", title = "Two steps are yours", deeper = true, show = { "table" }, table = function() return calculation(TICKETS) end,
      say = [[
        Tickets: {TICKETS.writes} writes a second and {TICKETS.gb} GB. A shard does {TICKETS.ceiling}, planned at 70%, and holds at most
        {TICKETS.most} GB.

          load  {decimals(by_load(TICKETS), 1)} shards]],
      with = { TICKETS = TICKETS },
      predict = { id = "p2-size-two", kind = "number", unit = "shards",
        ask = "How many shards?",
        answer = function() return shards_for(TICKETS) end,
        wrong = function()
          return { [ceil(by_size(TICKETS))] = { belief = "size alone decides", why = "So many could hold it. They could not do the work." },
            [math.floor(by_load(TICKETS))] = { belief = "round to the nearest", why = "Down is too few: each would be above 70%." },
            [ceil(TICKETS.writes / TICKETS.ceiling)] = { belief = "plan to the ceiling", why = "That leaves no room at all. Planned are 70%." } }
        end,
        why = "The size asks for {decimals(by_size(TICKETS), 1)}, the load for more.",
        hints = { "{TICKETS.gb} / {TICKETS.most}.", "That is {decimals(by_size(TICKETS), 1)}. Which one is larger?", "{decimals(by_load(TICKETS), 1)}, rounded up." } },
      after = [[
        {shards_for(TICKETS)}.]] },

    { id = "sizing-alone", title = "Alone", deeper = true, show = { "table" }, table = function() return calculation(MAPS) end,
      say = [[
        Positions of cars: {MAPS.writes} writes a second, {MAPS.gb} GB. A shard does {MAPS.ceiling} writes a second, and is planned at 70%. It should
        hold at most {MAPS.most} GB.]],
      with = { MAPS = MAPS },
      predict = { id = "p2-size-alone", kind = "number", unit = "shards",
        ask = "How many shards?",
        answer = function() return shards_for(MAPS) end,
        wrong = function()
          return { [ceil(by_size(MAPS))] = { belief = "size alone decides", why = "So many could hold it. They could not do the work." },
            [ceil(MAPS.writes / MAPS.ceiling)] = { belief = "plan to the ceiling", why = "All of them would be full, and the first burst is refused." },
            [math.floor(by_load(MAPS))] = { belief = "round to the nearest", why = "Down is too few: each would be above 70%." } }
        end,
        why = "By load {decimals(by_load(MAPS), 1)}, by size {decimals(by_size(MAPS), 1)}.",
        hints = { "What may one shard be planned for?", "{MAPS.ceiling * 7 // 10} a second. And by size?", "{MAPS.writes} / {MAPS.ceiling * 7 // 10}, rounded up." } },
      after = [[
        {shards_for(MAPS)}. `hotshard size shards` works this out for numbers of your own.]] },

    { id = "rates-decide", title = "Rates decide", deeper = true, show = { "table" }, table = messages,
      knobs = { { name = "key", values = { "message", "chat", "user" } }, { name = "choice", values = { "chats", "users" } } },
      say = [[
        Messages of a chat, on 10 shards. One day (chats, key H) people mostly read chats. After a new law (users) most ask for all
        that somebody wrote.

        Keyed by {knob.key}: {messages_cost(knob.key, knob.choice)} asks a second.]],
      try = { ask = "Find the rates and the key (y) where the user is the best key, and stay there.",
        goal = function() return knob.choice == "users" and knob.key == "user" end,
        solution = { "knob choice users", "knob key user" },
        hints = { "Turn H, and look at the rates.", "With `users`, which key does the busiest query name?", "The user." } },
      notes = "The same table, the same queries, another key. Ask which rates of theirs they know." },

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
        The wallets, {BUCKETS} buckets, {knob.shards} shards: some have {most_buckets(knob.shards)} buckets, some {least_buckets(knob.shards)}. The
        fullest is at {decimals(fullest_of(knob.shards), 2)}% of its ceiling.

        {knob.shards == 13 and "Above 70%: too few." or knob.shards == 14 and "The average is below 70%. Buckets are whole, so the fullest is above." or ""}]],
      try = { ask = "Turn with + and - to the first number where all shards have equally many.",
        goal = function() return knob.shards == first_even() end,
        solution = { "knob shards 16" },
        hints = { "Read both rows while you turn.", "1,024 is a power of two.", "16." } } },

    { id = "ids-in-order", title = "Ids that grow", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, kind in ipairs { "uuid4", "uuid7", "snowflake", "ulid", "prefixed" } do
          rows[i] = { label = ({ "UUIDv4", "UUIDv7", "Snowflake", "ULID", "tenant/UUIDv7" })[i], cells = { tostring(at_tail(kind)) } }
        end
        return { title = "100 new ids, 4 ranges", columns = { "id", "to the last range" }, numbers = { 2 }, rows = rows }
      end,
      say = [[
        A UUIDv4 is random. UUIDv7, Snowflake ids and ULIDs begin with the time, which one database alone likes.

        Now they are keys of a store with ranges.]],
      predict = { id = "p2-ids", kind = "several",
        ask = "Which send all new rows to the tail?",
        choices = {
          { "UUIDv4", belief = "every id grows", why = "A UUIDv4 is random: new ones fall anywhere.", holds = function() return at_tail("uuid4") == #NEXT end },
          { "UUIDv7", belief = "every UUID is random", why = "A UUIDv7 begins with milliseconds.", holds = function() return at_tail("uuid7") == #NEXT end },
          { "Snowflake", belief = "a machine number spreads", why = "In a Snowflake id the time stands before the machine.", holds = function() return at_tail("snowflake") == #NEXT end },
          { "ULID", belief = "random bits spread", why = "The random part of a ULID comes last. The time comes first.", holds = function() return at_tail("ulid") == #NEXT end },
          { "A tenant, then a UUIDv7", belief = "time anywhere is a tail", why = "The tenant leads, and there are many of them: each has a tail of its own.",
            holds = function() return at_tail("prefixed") == #NEXT end },
        },
        why = "What leads decides. Three of them lead with the time.",
        hints = { "What are the first characters of each?", "Time first: the newest is the largest.", "Three of the five." } },
      after = [[
        Hash such ids, or put something before them that has many values. One database alone may keep them as they are.]] },

    { id = "merge", title = "Cold neighbours", deeper = true, show = { "ranges" },
      placing = function() return { { title = "100 days in four ranges", before = sliced(), after = sliced():merge(1), keys = DAYS } } end,
      say = [[
        Days of a diary. The last fifty are read 20 times as much. Four ranges: loads {load_of(sliced(), 1)}, {load_of(sliced(), 2)},
        {load_of(sliced(), 3)}, {load_of(sliced(), 4)}. A range costs memory and messages, so two that nobody
        asks for are *merged*.]],
      with = { sliced = sliced },
      predict = { id = "p2-merge", kind = "number",
        ask = "Merge the two coldest. What is the load of the range that comes out?",
        answer = function() return load_of(sliced():merge(1), 1) end,
        wrong = { [25] = { belief = "the larger one swallows the other", why = "Both loads are there, and are added." },
          [500] = { belief = "a merged range is a usual one", why = "It is as cold as both were, together." } },
        why = "A split divides, a merge adds.",
        hints = { "Which two are they?", "The first two, side by side.", "Add their loads." } },
      after = [[
        {load_of(sliced():merge(1), 1)}: still cold. Only neighbours can be merged, since a range is one piece of the line.]] },

    { id = "unbounded", title = "A partition that only grows", deeper = true, show = { "table" },
      knobs = { { name = "size", values = DAY_BUCKETS, start = 90 } },
      table = function(_, knob)
        local days = knob and knob.size or 90
        local rows = {}
        for i, n in ipairs { days, 365, 1095 } do
          rows[i] = { label = i == 1 and "one bucket" or i == 2 and "a year, uncut" or "3 years, uncut", cells = { grouped(n), grouped(bucket_mb(n)) } }
        end
        return { title = "One channel", columns = { "partition", "days", "MB" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        Messages keyed by channel: all of one channel are one *partition*, and it grows for ever. {MESSAGES} a day, {BYTES}
        bytes each.

        So time joins the key, *behind* the channel: channel and a bucket of days. With {knob.size} days a bucket has
        {bucket_mb(knob.size)} MB.]],
      with = { MESSAGES = MESSAGES, BYTES = BYTES, CAP = CAP_MB },
      try = { ask = "Turn with Z to the longest bucket under {CAP} MB.",
        goal = function() return knob.size == longest_bucket() end,
        solution = { "knob size 7" },
        hints = { "How many MB has one day?", "12. How many days fit under 100?", "Seven." } } ,
      notes = "The newest page reads one bucket, or two at its edge. Ask what a channel with ten messages a year would prefer." },

    { id = "sort-key", title = "Two parts of a key", deeper = true, show = { "slot_map" }, key = "photo:{nova}",
      say = [[
        Many stores split the key in two. The *partition key* is hashed and picks the shard. The *sort key* keeps rows in order inside
        that partition. Photos: partition key the creator, sort key the time.]],
      predict = { id = "p2-sort-key", kind = "several",
        ask = "Which need one shard only?",
        choices = {
          { "nova's newest ten", belief = "an order needs all shards", why = "nova's newest ten lie in her partition, in order.",
            holds = function(w) return slots_of(w, photos({ "nova" })) == 1 end },
          { "nova's, yesterday 20:00 to 21:00", belief = "a hash has no ranges", why = "Inside nova's partition rows keep their order: from 20:00 to 21:00.",
            holds = function(w) return slots_of(w, photos({ "nova" })) == 1 end },
          { "everybody's, 20:00 to 21:00", belief = "sorted is sorted everywhere", why = "Everybody's rows lie in as many partitions as there are people.",
            holds = function(w) return slots_of(w, photos(OTHERS)) == 1 end },
        },
        why = "Who names the partition key asks one shard, and has an order inside.",
        hints = { "Which of them name the creator?", "Inside one creator rows are sorted by time.", "Two of the three." } },
      after = [[
        A million sensors by device: a device's hour is one ask, the hour of all devices is one ask a shard. If both are frequent, keep a
        copy for each.]] },

    { id = "this-minute", title = "The current minute", deeper = true, show = { "bars" },
      knobs = { { name = "size", values = SUB } },
      enter = function(w) sub_keyed(w, 1) end,
      say = [[
        Some rows must be found by time, such as jobs that are due. So the minute is cut into *sub-keys*: `log:{20:00#0}`,
        `log:{20:00#1}` and so on. Writers take turns, readers ask for all.

        With {knob.size} of them the fullest shard gets {spread_of(w, knob.size)} of {ALL} writes.]],
      with = { ALL = POSTS * EACH, PART = PART },
      try = { ask = "Turn with Z to the fewest with which no shard gets over {PART}% of them.",
        goal = function(w) return knob.size == fewest(w) end,
        solution = { "knob size 4" },
        hints = { "How much is {PART}% of {ALL}?", "Go up, and stop at the first that is not above it.", "Go back if a smaller one will do." } } },

    { id = "border", title = "A border", deeper = true, show = { "slot_map" }, key = "user:{fr12}", actions = { "move" },
      say = [[
        User fr12 lives in a country whose law keeps her data inside it: *residency*. The shard there is S0, in zone {S0.zone}. The
        hash put her slot, {w:slot("user:{fr12}")}, on {w:owner("user:{fr12}")}.

        A hash knows no borders. A directory can be told.]],
      try = { ask = "Give her slot to S0: m moves it.",
        goal = function(w) return w:owner("user:{fr12}") == "S0" end,
        solution = { "move 10390-10390 S0" },
        hints = { "Where does it say who has a slot?", "In the directory, and m writes there.", "Press m, type `S0`, press enter." } },
      notes = "In earnest the country leads the tag, so that each bucket holds people of one country only." },

    { id = "whale", title = "A whale", deeper = true, show = { "bars" }, key = ACME,
      enter = shops,
      say = [[
        {SHOPS} small shops write 100 times a second each, and acme writes {BIG} times. acme is a *whale*: one tenant, far larger
        than the rest. {w:owner(ACME)}, where acme lives, is at {w[w:owner(ACME)].write_pct}%.

        acme's bucket alone is given to a new shard, S4.]],
      with = { SHOPS = SHOPS, BIG = BIG, ACME = ACME, HOME = function(w) return w[HOME_OF_ACME] end },
      predict = { id = "p2-whale", kind = "number", unit = "%", tolerance = 1,
        ask = "How full is S4 then?",
        answer = function(w) return w.S4.write_pct end,
        wrong = { [35] = { belief = "a move halves", why = "The bucket moves whole, with all of acme's writes." },
          [20] = { belief = "a new shard takes a fair share", why = "It takes what it is given: acme, and nothing else." } },
        why = "All of acme, and nobody else.",
        hints = { "What is in that bucket?", "acme, and its {BIG} writes.", "{BIG} of 1,000." } },
      run = function(w)
        if w:shards() < 5 then w:add_shard() end
        if w:owner(ACME) ~= "S4" then w:move(w:slot(ACME), w:slot(ACME), "S4") end
      end,
      after = [[
        {S4.write_pct}%, and no small shop shares a shard with acme. But acme is still one unit. When it outgrows S4, its key has to be cut: acme and a
        branch, say (Part 5).]] },

    { id = "by-measure", title = "By what was measured", deeper = true, show = { "table" },
      table = function()
        local rows, hash, measure = {}, by_hash(), by_measure()
        for id = 0, 3 do
          rows[id + 1] = { label = "S" .. id, cells = { grouped(hash:load(SYMBOLS.keys, id)), grouped(measure:load(SYMBOLS.keys, id)) } }
        end
        return { title = "Trades a second", columns = { "shard", "by hash", "by measure" }, numbers = { 2, 3 }, rows = rows }
      end,
      say = [[
        An exchange has {#SYMBOLS.keys} symbols. One is traded {decimals(SYMBOLS.keys:load(1) / SYMBOLS.keys:load(32), 0)} times as much as another. By
        hash the fullest of four shards has {decimals(by_hash():busiest(SYMBOLS.keys), 2)} times the average.

        So measure. The busiest first, each goes to the shard that has least so far.]],
      with = { SYMBOLS = SYMBOLS, by_hash = by_hash, by_measure = by_measure },
      predict = { id = "p2-measured", kind = "choice",
        ask = "How full is the fullest then?",
        choices = {
          { "About the same", belief = "placement cannot help a busy key", why = "No symbol is cut. But the quiet ones go where there is room.",
            holds = function() return by_measure():busiest(SYMBOLS.keys) > 1.2 end },
          { "Hardly above the average", holds = function()
            local b = by_measure():busiest(SYMBOLS.keys)
            return b <= 1.2 and b > 0.99
          end },
          { "Below the average", belief = "a good plan beats the average", why = "The fullest is never below the average.",
            holds = function() return by_measure():busiest(SYMBOLS.keys) < 0.99 end },
        },
        why = "Small ones fill what big ones leave.",
        hints = { "Where do the quiet symbols go?", "To the shards that have least.", "They fill the gaps." } },
      after = [[
        {decimals(by_measure():busiest(SYMBOLS.keys), 2)}. The price is a directory with a row a symbol, and measuring on.]] },

    { id = "copied", title = "Better copied", deeper = true, show = { "table" },
      table = function()
        return { title = "10 servers, each second", columns = { "way", "asks", "GB a server" }, numbers = { 2, 3 },
          rows = { { label = "sharded", cells = { grouped(NEAR * SERVERS), decimals(INDEX_GB / SERVERS, 1) } },
            { label = "copied", cells = { grouped(NEAR), tostring(INDEX_GB) } } } }
      end,
      say = [[
        An index of places: {INDEX_GB} GB, hardly ever written. {NEAR} times a second somebody asks what is near. Sharded by place over {SERVERS}
        servers, each question goes to all. A server has 64 GB of memory.]],
      with = { NEAR = NEAR, SERVERS = SERVERS, INDEX_GB = INDEX_GB },
      predict = { id = "p2-copied", kind = "number", unit = "asks/s",
        ask = "With a whole copy on each server: how many asks do all servers get together?",
        answer = function() return NEAR end,
        wrong = { [200000] = { belief = "every server must look", why = "So it is when each has a part. With a whole copy one is enough." },
          [2000] = { belief = "all together is one of them", why = "That is what each of ten gets." } },
        why = "Each has everything, so one ask is enough.",
        hints = { "How many servers can answer alone?", "Each of them.", "One ask a question." } },
      after = [[
        {NEAR} instead of {NEAR * SERVERS}. What is small and seldom written is copied. Sharding is for what does not fit.]] },

    { id = "ten-times", title = "Ten times the size", deeper = true, show = { "table" },
      table = function()
        local rows = {}
        for i, n in ipairs { 8, 80 } do
          rows[i] = { label = n .. " shards", cells = { grouped(orders_cost("order", n)), grouped(orders_cost("customer", n)), decimals(n * 0.05, 1) } }
        end
        return { title = "Asks a second; x fair share", columns = { "key", "order", "customer", "5% seller" }, numbers = { 2, 3, 4 }, rows = rows }
      end,
      say = [[
        The shop grows tenfold, to 80 shards. One seller has 5% of all traffic. On 8 shards that was {FIVE * 8 / 100} of a shard's fair
        share: nobody noticed.]],
      with = { FIVE = FIVE },
      predict = { id = "p2-ten-times", kind = "number", unit = "times",
        ask = "On 80 shards, how many times a fair share are these 5%?",
        answer = function() return FIVE * 80 / 100 end,
        wrong = { [0.4] = { belief = "a part stays a part", why = "5% stays 5%. A fair share became a tenth of what it was." },
          [0.04] = { belief = "more shards, less load", why = "A key is not divided. The shares are." } },
        why = "A fair share is 1.25% now.",
        hints = { "What is a fair share of 80?", "100% / 80 = 1.25%.", "5 / 1.25." } },
      after = [[
        {FIVE * 80 / 100}. More shards make a hot key stand out more, and queries that ask all cost ten times as much: see the table. At a hundred times the size
        placement is a service of its own: it measures, and moves something every day.]] },

    { id = "second-copy", title = "A second copy", deeper = true, show = { "table" },
      table = function()
        return { title = "Orders on 80 shards, asks a second", columns = { "tables", "asks" }, numbers = { 2 },
          rows = { { label = "by customer", cells = { grouped(orders_cost("customer", 80)) } },
            { label = "and by seller", cells = { grouped(orders_cost("customer", 80) - ORDERS[3][2] * 79) } } } }
      end,
      say = [[
        Orders keyed by customer, on 80 shards. The sellers' {ORDERS[3][2]} lists a second ask all 80. A second table is kept, keyed by seller, and
        filled from the first one's changes.]],
      predict = { id = "p2-second-copy", kind = "number", unit = "asks/s",
        ask = "How many asks a second do the sellers' lists make now?",
        answer = function() return ORDERS[3][2] * 1 end,
        wrong = { [40000] = { belief = "a list asks everywhere", why = "That was before. The second table has a seller's rows in one place." },
          [1000] = { belief = "both tables are asked", why = "The second one has the rows. The first is left alone." } },
        why = "Each names its key and asks one shard.",
        hints = { "Which table do they ask?", "The one keyed by seller.", "One shard a list." } },
      after = [[
        In all {orders_cost("customer", 80) - ORDERS[3][2] * 79} instead of {orders_cost("customer", 80)}. The price: each order is written twice, and the copy lags a
        little.]] },

    { id = "check-time", title = "Check: by time", check = true, show = { "slot_map" }, key = "event:{20:00}",
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

    { id = "check-tail", title = "Check: a tail", check = true, show = { "ranges" },
      placing = function() return { { title = "in order", before = in_order(), keys = PHOTOS } } end,
      say = [[
        Photos in order of their number, in four ranges. The last range is split, and its upper half goes to S4.]],
      predict = { id = "p2-check-tail", kind = "number",
        ask = "Of the next 100 photos, with larger numbers, how many go to S3, which had the tail?",
        answer = function() return cut_tail(in_order()):owned(NEXT, 3) end,
        wrong = { [50] = { belief = "a split halves the load", why = "What comes is larger than all that is there." },
          [100] = { belief = "the old tail stays the tail", why = "S4 has the upper half, and so the end." } },
        why = "None: S4 is the tail now." } },

    { id = "check-queries", title = "Check: the queries", check = true, show = { "slot_map" }, key = "likes:{p9}",
      say = [[
        Chat messages on 10 shards. Each second 9,000 read the newest of a chat, 300 read what one user wrote, and 1,000 are written. A user writes in many chats.]],
      predict = { id = "p2-check-queries", kind = "choice",
        ask = "By which key do the fewest asks reach the shards?",
        choices = {
          { "Message id", belief = "each table has its own id as key", why = "No query names it: all 9,300 ask everywhere.",
            holds = function() return CHECK.id < CHECK.chat and CHECK.id < CHECK.user end },
          { "User", belief = "the user is always the key", why = "The 9,000 name a chat. By user they would ask all ten.",
            holds = function() return CHECK.user < CHECK.chat and CHECK.user < CHECK.id end },
          { "Chat", holds = function() return CHECK.chat < CHECK.id and CHECK.chat < CHECK.user end },
        },
        why = "The busiest query names the chat." }, },

    { id = "check-size", title = "Check: how many", check = true, show = { "slot_map" }, key = "likes:{p9}",
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
