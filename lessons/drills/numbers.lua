-- Numbers to know: six cards of a deck. Each asks for what a number means for a system whose sizes are
-- new each time: so who knows the number alone, or the rule alone, does not get through. Answers are
-- the calculators' and the layouts'; after each the picture has the number to keep.

local CARDS = 6 -- of one visit

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end
-- Three figures are enough for a card.
local function short(x)
  return round(x, x >= 100 and 0 or x >= 10 and 1 or 2)
end
local function grouped(n)
  local whole, rest = string.match(tostring(n), "^(%d+)(.*)$")
  repeat
    local more
    whole, more = string.gsub(whole, "^(%d+)(%d%d%d)", "%1,%2")
  until more == 0
  return whole .. rest
end

-- --- the deck: what is asked, the answer, its mistakes, the number to keep ---

local DECK = {}
local function card(id, make) DECK[#DECK + 1] = { id = id, make = make } end

-- Placement.
card("modulo", function(r)
  local n = r:between(4, 20)
  local s = size("resize", { from = n, to = n + 1 })
  return { say = "A cache keeps its keys by hash mod N. It has " .. n .. " servers, and gets one more.",
    ask = "How many percent of the keys change server?", unit = "%", near = 3,
    answer = s.mod_moved_pct,
    wrong = {
      { s.ring_moved_pct, "a new server takes its part, and that is all", "So it is with slots or a ring. A remainder changes for almost every key." },
      { 50, "half of them", "Only for twice as many servers." } },
    why = "Of N + 1 keys one keeps its remainder: N / (N + 1) move.",
    hints = { "Which keys have the same remainder by both?", "One in " .. n + 1 .. ".", n .. " / " .. n + 1 .. "." },
    keep = { { "mod N, one more", "N / (N+1)" }, { "slots or ring", "1 / (N+1)" } }, from = 6 }
end)
card("ring", function(r)
  local n, keys = r:between(4, 24), 1000 * r:between(20, 900)
  local s = size("resize", { from = n, to = n + 1, keys = keys })
  return { say = "A ring of " .. n .. " nodes, with many tokens each, has " .. grouped(keys) .. " keys. One more node joins.",
    ask = "About how many keys move?", unit = "keys", near = 4,
    answer = round(s.ring_moved),
    wrong = { { round(s.mod_moved), "any growth moves nearly all", "So it is by hash mod N. On a ring keys move to the new node only." },
      { round(keys / n), "K / N, with the N of before", "The new node shares with them: it gets one part in " .. n + 1 .. "." }, { round(keys / 2), "half of them", "Only if one joins one." } },
    why = "As many as the new node is to have: K / (N + 1).",
    hints = { "Where do they move to?", "To the new node only.", grouped(keys) .. " / " .. n + 1 .. "." },
    keep = { { "of K keys, N nodes + 1, move", "K / (N+1)" } }, from = 6 }
end)
card("spread", function(r)
  local tokens = r:pick { 16, 25, 36, 64, 100, 144, 256, 400 }
  local s = size("tokens", { tokens = tokens, nodes = 100 })
  return { say = "A ring with many nodes, and " .. tokens .. " random tokens on each.",
    ask = "How far is a node usually from its fair share?", unit = "%", near = 6,
    answer = s.spread_rule_pct,
    wrong = {
      { 100 / tokens, "one over V", "Chance evens out more slowly: one over the square root." },
      { 0, "a hash is even", "Keys it spreads evenly. The arcs between random tokens are not even." } },
    why = "One over the square root of the tokens.",
    hints = { "Does it fall like 1/V?", "Like 1 over the square root of V.", "The root of " .. tokens .. " is " .. round(math.sqrt(tokens)) .. "." },
    keep = { { "spread of V tokens", "1 / sqrt V" }, { "V = 256", size("tokens", { tokens = 256 }).spread_rule_pct .. "%" } }, from = 6 }
end)
card("one-token", function(r)
  local n = r:between(4, 20)
  local s = size("tokens", { nodes = n, tokens = 1 })
  return { say = "A ring of " .. n .. " nodes with one random token each.",
    ask = "How many times its fair share has the largest, on average?", unit = "times", near = 6,
    answer = s.largest_one,
    wrong = {
      { 1, "a hash is even", "Arcs between random points are not." },
      { s.largest_one_ln, "ln N", "The rule of thumb is too low for few nodes: it is 1 + 1/2 + ... + 1/N." },
      { n, "one may have it all", "It may, and hardly ever does." } },
    why = "1 + 1/2 + 1/3 and so on to 1/" .. n .. ".", hints = { "It is a sum.", "1 + 1/2 + 1/3 ...", "... up to 1/" .. n .. "." },
    keep = { { "largest of N arcs", "1+1/2+..+1/N" }, { "N = 10", short(size("tokens", { nodes = 10, tokens = 1 }).largest_one) } }, from = 6 }
end)
card("tokens", function(r)
  local n, new = r:between(6, 60), r:chance(1, 2)
  local each = new and 16 or 256
  return { say = "A Cassandra cluster of " .. n .. " nodes, version " .. (new and "4" or "3") .. ", as it is installed.",
    ask = "How many tokens are on its ring?", unit = "tokens", near = 0,
    answer = n * each,
    wrong = {
      { n * (new and 256 or 16), new and "256, as ever" or "16, as now", new and "Since 4.0 it is 16, dealt by an allocator." or "16 came with 4.0. Before, it was 256." },
      { n, "a token a node", "So it was long ago, by hand." } },
    why = "num_tokens is " .. each .. ".", hints = { "What is num_tokens?", "16 since 4.0, 256 before.", n .. " times " .. each .. "." },
    keep = { { "num_tokens, 4.0 on", "16" }, { "before", "256" } }, from = 6 }
end)
card("slots", function(r)
  local masters = r:pick { 4, 8, 16, 32, 64, 128 }
  return { say = "A Redis Cluster of " .. masters .. " masters, its slots dealt evenly.",
    ask = "How many slots does each have?", unit = "slots", near = 0,
    answer = layout("slots", { shards = masters, deal = "ranges" }):slots_of(0),
    wrong = {
      { 65536 // masters, "as many as CRC16 has values", "The checksum has 65,536 values. It is taken modulo 16,384." },
      { 4096 // masters, "4,096", "There are 16,384." },
      { 1024 // masters, "1,024", "There are 16,384." } },
    why = "CRC16 mod 16,384.", hints = { "How many slots are there?", "16,384.", "16,384 / " .. masters .. "." },
    keep = { { "slots of Redis Cluster", "16,384" } }, from = 1 }
end)
card("bounded", function(r)
  local servers, many, c = r:pick { 4, 5, 8, 10, 20 }, 100 * r:between(10, 30), r:pick { 1.25, 1.5 }
  local busiest = layout("bounded-load", { shards = servers, factor = round(100 * c) }):busiest(keys("k%d", 0, many - 1))
  return { say = grouped(many) .. " requests go to " .. servers .. " servers by a ring with bounded loads, c = " .. c .. ".",
    ask = "How many does the busiest server get at most?", unit = "requests", near = 1,
    answer = math.max(round(c * many / servers), round(busiest * many / servers)),
    wrong = {
      { round(many / servers), "loads are made equal", "They are bounded, at c times the average." },
      { round((c - 1) * many / servers), "c is what is added", "That is what it may have beyond the average." },
      { many, "a ring has no bound", "This one has." } },
    why = "c times the average.", hints = { "What is the average?", grouped(round(many / servers)) .. ".", "Times " .. c .. "." },
    keep = { { "busiest at most", "c x average" }, { "usual c", "1.25 to 1.5" } }, from = 6 }
end)
card("kafka", function(r)
  local from, times = r:pick { 3, 4, 6, 8, 12 }, r:pick { 2, 3, 4 }
  local s = size("resize", { from = from, to = from * times })
  return { say = "A Kafka topic goes from " .. from .. " to " .. from * times .. " partitions. The partition is the hash of the key modulo their number.",
    ask = "How many percent of the keys go to another partition from then on?", unit = "%", near = 3,
    answer = s.mod_moved_pct,
    wrong = {
      { 0, "keys stay where they are", "Old records do. New ones go where hash and number say." },
      { 100, "everything moves", "A remainder stays, or becomes another one of " .. times .. "." },
      { round(100 / times, 1), "that is what moves", "That is what stays." } },
    why = "A remainder by " .. from .. " becomes one of " .. times .. ": one in " .. times .. " stays.",
    hints = { "A key has the remainder 2 by " .. from .. ". Which can it have by " .. from * times .. "?", times .. " of them.", "One in " .. times .. " stays." },
    keep = { { "Kafka's hash", "murmur2" }, { "twice the partitions", "half move" } }, from = 7 }
end)

-- Systems that people run.
card("dynamo-writes", function(r)
  local rate = 500 * r:between(3, 30)
  return { say = "One DynamoDB item of less than 1 KB is written " .. grouped(rate) .. " times a second. The table has capacity for 100,000.",
    ask = "How many times its partition's ceiling is that?", unit = "times", near = 2,
    answer = rate / 1000,
    wrong = {
      { rate / 3000, "3,000 of whatever", "3,000 are for reads. Writes have 1,000." },
      { rate / 100000, "the table's capacity is everybody's", "A partition has a ceiling of its own, and an item is on one." } },
    why = "A partition does 1,000 write units a second.",
    hints = { "Whose ceiling is it?", "The partition's: 1,000 write units.", grouped(rate) .. " / 1,000." },
    keep = { { "write units of a partition", "1,000" }, { "read units", "3,000" } }, from = 7 }
end)
card("dynamo-reads", function(r)
  local kb, strong = r:pick { 2, 4, 8, 12, 16, 20 }, r:chance(1, 2)
  local s = size("units", { answer_kb = kb, strong = strong and 1 or 0 })
  return { say = "Items of " .. kb .. " KB are read from one DynamoDB partition, " .. (strong and "strongly consistent." or "eventually consistent."),
    ask = "How many such reads a second can it do?", unit = "reads/s", near = 2,
    answer = s.reads_max,
    wrong = {
      { 3000, "a unit is a read", "A unit pays for 4 KB, strongly consistent; half a unit if the read may be old." },
      { short(s.reads_max * (strong and 2 or 0.5)), strong and "all reads are alike" or "a read is a read", strong and "Half the units are for reads that may be old." or "A read that may be old costs half." } },
    why = "3,000 units, and " .. s.units_each .. " for each read.",
    hints = { "What does one read cost?", s.units_each .. " units.", "3,000 / " .. s.units_each .. "." },
    keep = { { "read units of a partition", "3,000" }, { "one unit, strong", "4 KB" }, { "eventual", "half" } }, from = 7 }
end)
card("dynamo-size", function(r)
  local gb = 10 * r:between(3, 90)
  return { say = "A DynamoDB table has " .. gb .. " GB and little traffic.",
    ask = "How many partitions does it need at least?", unit = "partitions", near = 0,
    answer = size("storage", { items = gb * 1000000, item_kb = 1, copies = 1, partition_gb = 10 }).partitions_distinct,
    wrong = {
      { gb, "1 GB each", "A partition holds 10 GB." },
      { 1, "little traffic, one partition", "A partition is also cut by size: it holds 10 GB." } },
    why = "A partition holds 10 GB.", hints = { "By what else than traffic are they cut?", "By size, at 10 GB.", gb .. " / 10." },
    keep = { { "a DynamoDB partition", "10 GB" } }, from = 7 }
end)
card("cockroach", function(r)
  local gb = 8 * r:between(4, 60)
  return { say = "A CockroachDB table has " .. gb .. " GiB, and hardly any load.",
    ask = "Into how many ranges is it cut at least, as it is installed?", unit = "ranges", near = 0,
    answer = gb * 1024 // 512,
    wrong = {
      { gb * 8, "128 MiB each", "So it is with MongoDB's ranges. CockroachDB's are 512 MiB." },
      { gb * 16, "64 MiB each", "So it was in its first versions. Now it is 512 MiB." } },
    why = "A range holds 512 MiB.", hints = { "How large is a range?", "512 MiB.", "Two for each GiB." },
    keep = { { "a CockroachDB range", "512 MiB" } }, from = 7 }
end)
card("hash", function(r)
  local all = { { "Redis Cluster", "CRC16" }, { "Kafka, for a record's key", "Murmur2" }, { "Cassandra", "Murmur3" }, { "Kinesis", "MD5" } }
  local one = r:between(1, #all)
  local choices = {}
  for i, k in ipairs(r:shuffle { 1, 2, 3, 4 }) do
    choices[i] = { all[k][2], belief = "all systems hash alike", why = "That is the hash of " .. (all[k][1]:gsub(",.*", "")) .. ".", holds = function() return k == one end }
  end
  return { say = all[one][1] .. ": a hash says where a key goes.", ask = "Which hash is it?", choices = choices, why = "It is " .. all[one][2] .. ".",
    hints = { "One of them is a checksum.", "One has a number behind its name that is the younger one.", all[one][2] .. "." },
    keep = { { "Redis Cluster", "CRC16" }, { "Kafka", "Murmur2" }, { "Cassandra", "Murmur3" }, { "Kinesis", "MD5" } }, from = 7 }
end)

-- Sizes.
card("shards", function(r)
  local rate, each = 1000 * r:between(20, 200), 1000 * r:between(2, 8)
  local s = size("shards", { rate = rate, shard_rate = each, data_gb = 0 })
  return { say = grouped(rate) .. " requests a second at the peak. A shard's ceiling is " .. grouped(each) .. ", and it should run at 70% at most.",
    ask = "How many shards?", unit = "shards", near = 0,
    answer = s.shards,
    wrong = {
      { math.ceil(rate / each), "full is fine", "At its ceiling a shard has no room for a peak, a repair or a lost neighbour." },
      { math.floor(s.shards_exact), "rounding goes to the nearest", "One fewer, and all are over the line." } },
    why = "The load over 70% of a ceiling, rounded up.",
    hints = { "How much may one be asked?", grouped(round(each * 0.7)) .. ".", grouped(rate) .. " over it, rounded up." },
    keep = { { "a shard runs at", "70%" } }, from = 2 }
end)
card("buckets", function(r)
  local hosts = r:pick { 12, 16, 24, 32, 40, 48, 60, 80, 96 }
  return { say = "Notion cut its data into logical shards once, and never changes their number. They lie on " .. hosts .. " hosts, equally many each.",
    ask = "How many logical shards does each host have?", unit = "shards", near = 0,
    answer = 480 // hosts,
    wrong = {
      { short(512 / hosts), "a power of two", "480 has many more divisors: it can be dealt evenly to 12, 15, 16, 20, 24 and so on." },
      { 1, "a shard a host", "Then growth would cut shards. Logical ones move whole." } },
    why = "480 logical shards, a number with many divisors.", hints = { "It is no power of two.", "480.", "480 / " .. hosts .. "." },
    keep = { { "Notion's logical shards", "480" }, { "wanted", "many divisors" } }, from = 11 }
end)
card("partitions", function(r)
  local now, grow = r:between(4, 12), r:between(2, 8)
  return { say = "Partitions whose number is fixed for ever. Today there are " .. now .. " nodes; in the life of the system there may be " .. now * grow .. ".",
    ask = "How many partitions should there be, by the usual rule?", unit = "partitions", near = 5,
    answer = 10 * now * grow,
    wrong = {
      { 10 * now, "ten for each node of today", "The number cannot follow. Count the nodes that there may be." },
      { now * grow, "one for each node", "Then they cannot be dealt evenly on the way there." } },
    why = "Ten times the nodes that there may ever be.",
    hints = { "Which nodes count?", "The most there may be: " .. now * grow .. ".", "Ten times that." },
    keep = { { "fixed partitions", "10 x most nodes" } }, from = 2 }
end)
card("copies", function(r)
  local tb, copies, nodes = r:between(5, 60), r:pick { 3, 3, 5 }, r:pick { 5, 10, 20 }
  local s = size("storage", { items = tb * 1e9, item_kb = 1, copies = copies, nodes = nodes })
  return { say = tb .. " TB of data, " .. (copies == 3 and "with the usual number of copies" or "with five copies") .. ", on " .. nodes .. " nodes.",
    ask = "How many TB does each node hold?", unit = "TB", near = 2,
    answer = s.node_each_gb / 1000,
    wrong = {
      { short(tb / nodes), "the data is stored once", "Each copy is as large as the data." },
      { short(2 * tb / nodes), "a copy beside the original", "The usual number is three, or five where it matters more." } },
    why = tb .. " TB, " .. copies .. " times, over " .. nodes .. " nodes.",
    hints = { "How many copies?", copies .. ".", tb .. " x " .. copies .. " / " .. nodes .. "." },
    keep = { { "copies, usual", "3" }, { "where it matters more", "5" } }, from = 10 }
end)
card("hot", function(r)
  local average, times, ceiling = 10 * r:between(5, 20), r:between(6, 9), 1000 * r:between(2, 9)
  return { say = "A partition can do " .. grouped(ceiling) .. " requests a second. The average one gets " .. average .. ", the busiest " .. average * times .. ".",
    ask = "From how many requests a second on is one worth a look?", unit = "requests/s", near = 3,
    answer = 0.7 * ceiling,
    wrong = {
      { average, "above the average", "About half of them are, always." },
      { 5 * average, "five times the average", "Times an average say nothing: far below its ceiling a partition is well." },
      { ceiling, "at its ceiling", "Then it refuses already: a spike must fit." } },
    why = "70% of what it can do, whatever the others get.", hints = { "By the average, or by its ceiling?", "With room for a spike.", "70% of " .. grouped(ceiling) .. "." },
    keep = { { "look closer above", "70% of a ceiling" } }, from = 3 }
end)
card("zipf", function(r)
  local items = 10 ^ r:between(5, 9)
  local s = size("hotspot", { items = items, zipf = 1, top_pct = 1 })
  return { say = "A catalogue of " .. grouped(round(items)) .. " items whose popularity follows Zipf's law with exponent 1.",
    ask = "What share of the requests do the top 1% of items get?", unit = "%", near = 12,
    answer = s.top_share_pct,
    wrong = {
      { 20, "20% to 50%, as often said", "That fits flatter laws, of exponents below 0.9." },
      { 1, "each item has its part", "So it is where all items are asked alike." },
      { 50, "half", "So it is with an exponent of about 0.9." } },
    why = "At exponent 1 the top hundredth has " .. short(s.top_share_pct) .. "%: a sum of 1/n over its part of all.",
    hints = { "More than half.", "And more, the more items there are.", "About " .. round(s.top_share_pct / 10) * 10 .. "%." },
    keep = { { "Zipf 1, top 1% of a million", short(size("hotspot", { items = 1e6 }).top_share_pct) .. "%" } }, from = 3 }
end)

-- Requests.
card("tail", function(r)
  local shards, slow = r:pick { 10, 20, 50, 64, 100, 128, 200 }, r:pick { 1, 1, 2 }
  local s = size("tail", { shards = shards, slow_pct = slow })
  return { say = "A query asks " .. shards .. " shards and waits for all. Each is slow " .. slow .. " time" .. (slow > 1 and "s" or "") .. " in a hundred.",
    ask = "How many percent of the queries wait for a slow one?", unit = "%", near = 4,
    answer = s.any_slow_pct,
    wrong = {
      { slow, "rare stays rare", "That is one shard. The query waits for any of " .. shards .. "." },
      { shards * slow, "chances add up", "That counts queries twice that meet two slow ones." } },
    why = "1 - (1 - p)^N.", hints = { "How often are all quick?", (100 - slow) .. "% to the power of " .. shards .. ".", "The rest waits." },
    keep = { { "any of N is slow", "1 - (1-p)^N" }, { "1%, of 100 shards", short(size("tail", { shards = 100, slow_pct = 1 }).any_slow_pct) .. "%" } }, from = 9 }
end)
card("cache", function(r)
  local routers, fresh = r:between(3, 40), r:pick { 200, 250, 500, 1000, 2000 }
  local s = size("routers", { fresh_ms = fresh })
  return { say = "A page is read a hundred thousand times a second. Each of " .. routers .. " routers keeps it for " .. fresh .. " ms, with single-flight.",
    ask = "How many reads a second are left for its shard?", unit = "reads/s", near = 3,
    answer = s.hot_refills / s.routers * routers,
    wrong = {
      { short(1000 / fresh), "routers share a cache", "Each has its own." },
      { short(100000 / routers), "it is divided by the routers", "So many come to each. It asks once in " .. fresh .. " ms." } },
    why = "Each router once in " .. fresh .. " ms, whatever the crowd.",
    hints = { "Who asks the shard?", "Each router, once in " .. fresh .. " ms.", routers .. " x 1,000 / " .. fresh .. "." },
    keep = { { "left for the shard", "routers / freshness" } }, from = 4 }
end)
card("flight", function(r)
  local reads, query = 1000 * r:between(20, 200), r:pick { 2, 4, 5, 8, 10, 20, 25 }
  local s = size("coalesce", { reads = reads, query_ms = query })
  return { say = grouped(reads) .. " reads a second of one key share queries at one router. A query takes " .. query .. " ms.",
    ask = "About how many queries a second reach the shard?", unit = "queries/s", near = 8,
    answer = s.queries_by_key,
    wrong = {
      { 1, "one router, one query", "One at a time, and it lasts " .. query .. " ms." },
      { short(reads * query / 1000), "those who wait are queries", "So many readers share one query." } },
    why = "One after the other: hardly fewer than 1,000 / " .. query .. ".",
    hints = { "How many are under way at a time?", "One.", "How often do " .. query .. " ms fit into a second?" },
    keep = { { "shared queries a second", "1 / query time" } }, from = 4 }
end)
card("flush", function(r)
  local routers, window = r:between(4, 30), r:pick { 100, 200, 250, 500, 1000 }
  local s = size("routers", { flush_ms = window })
  return { say = "A post gets 50,000 likes a second. " .. routers .. " routers sum them, and flush every " .. window .. " ms.",
    ask = "How many writes a second of its count are left?", unit = "writes/s", near = 2,
    answer = s.hot_flushes / s.routers * routers,
    wrong = {
      { short(1000 / window), "routers share a total", "Each writes its own." },
      { short(50000 / routers), "it is divided by the routers", "A flush is one write, whatever it sums." },
      { routers, "once a second", "Every " .. window .. " ms." } },
    why = "Each router 1,000 / " .. window .. " times a second.",
    hints = { "How often does a router write?", 1000 // window .. " times a second.", "Times " .. routers .. "." },
    keep = { { "writes left", "routers / window" } }, from = 5 }
end)
card("majority", function(r)
  local copies = r:pick { 3, 5, 7, 9, 11 }
  local reads = r:between(1, (copies - 1) // 2)
  local s = size("quorum", { copies = copies, write = copies + 1 - reads, read = reads })
  return { say = copies .. " copies of each thing. A read asks " .. reads .. " of them, and shall meet every finished write.",
    ask = "How many copies must confirm a write, at least?", unit = "copies", near = 0,
    answer = s.reads_overlap and copies + 1 - reads,
    wrong = {
      { copies - reads, "R + W = N is enough", "Then both can miss each other. It must be one more." },
      { (copies // 2) + 1, "a majority always will do", "Together they must be more than " .. copies .. "." },
      { 1, "reads sort it out", "A read that asks " .. reads .. " may ask others." } },
    why = "R + W must be more than N.",
    hints = { "When do the two sets surely share one?", "When they are more than " .. copies .. " together.", copies .. " + 1 - " .. reads .. "." },
    keep = { { "reads meet writes", "R + W > N" } }, from = 10 }
end)
card("zones", function(r)
  local zones, each = r:pick { 2, 3, 4, 5 }, r:between(2, 9)
  local rate = 2000 * each * (zones - 1)
  local s = size("routers", { rate = rate, zones = zones })
  return { say = grouped(rate) .. " requests a second, " .. zones .. " zones, one of which may be lost. A router should carry " .. grouped(s.rate_each_max) .. " at most.",
    ask = "How many routers, equally many in each zone?", unit = "routers", near = 0,
    answer = s.routers,
    wrong = {
      { math.ceil(rate / s.rate_each_max), "zones do not fail", "That is enough only while all zones stand." },
      { math.ceil(rate / s.rate_each_max) + 1, "one to spare", "A zone takes all of its routers with it." } },
    why = "What is left, " .. zones - 1 .. " zones, carries it all.",
    hints = { "How many zones are left?", zones - 1 .. ", with " .. each .. " routers each.", "Times " .. zones .. "." },
    keep = { { "each zone has", "need / (zones-1)" } }, from = 10 }
end)

-- Failures, and moves.
card("recopy", function(r)
  local gb, speed = r:between(1, 40), r:pick { 50, 100, 200 }
  local s = size("move", { data_gb = gb, from = 0, mb_s = speed })
  return { say = "A node is lost. One of its partitions has " .. gb .. " GB, and is copied anew at " .. speed .. " MB a second.",
    ask = "How many seconds does that take?", unit = "s", near = 3,
    answer = s.seconds,
    wrong = {
      { short(s.seconds * 8), "MB/s are bits", "They are bytes. Links are sold in bits." },
      { gb, "a second for a GB", "A GB is 1,000 MB." } },
    why = gb .. ",000 MB over " .. speed .. ".", hints = { "How many MB is a GB?", "1,000.", gb .. ",000 / " .. speed .. "." },
    keep = { { "1 GB at 100 MB/s", short(size("move", { data_gb = 1, from = 0, mb_s = 100 }).seconds) .. " s" } }, from = 10 }
end)
card("throttle", function(r)
  local tb, mbit = r:between(1, 8), r:pick { 100, 200, 200, 400 }
  local s = size("move", { data_gb = 1000 * tb, from = 0, mb_s = mbit / 8 })
  return { say = "A node joins, and gets " .. tb .. " TB. Its stream is throttled to " .. mbit .. " Mbps.",
    ask = "How many hours does it take?", unit = "h", near = 4,
    answer = s.hours,
    wrong = {
      { short(s.hours / 8), "Mbps are megabytes", "They are bits, an eighth of it." },
      { 1, "up to an hour, as often said", "That is what a copy without a throttle may take." } },
    why = mbit .. " Mbps are " .. mbit / 8 .. " MB a second.",
    hints = { "How many MB a second is that?", mbit / 8 .. ".", tb .. ",000,000 / " .. mbit / 8 .. " seconds." },
    keep = { { "200 Mbps", "25 MB/s" }, { "1 TB at it", short(size("move", { data_gb = 1000, from = 0, mb_s = 25 }).hours) .. " h" } }, from = 11 }
end)
card("rebalance", function(r)
  local nodes, more, tb = r:pick { 30, 40, 50, 60 }, r:pick { 5, 10, 20 }, r:pick { 30, 50, 80 }
  local s = size("move", { data_gb = 1000 * tb, from = nodes, to = nodes + more, mb_s = 25, streams = more })
  return { say = tb .. " TB lie on " .. nodes .. " nodes. " .. more .. " more join at once, and each receives 25 MB a second.",
    ask = "How many hours until all have equally much?", unit = "h", near = 4,
    answer = s.hours,
    wrong = {
      { 1, "10 to 60 minutes, as often said", "That is only possible without the throttle." },
      { short(1000000 * tb / 25 / more / 3600), "everything moves", "Only what the new ones are to have: " .. more .. " of " .. nodes + more .. " parts." },
      { short(s.hours * more), "one after the other", "They receive side by side." } },
    why = short(s.moved_pct) .. "% of it moves, to " .. more .. " nodes at a time.",
    hints = { "How much moves?", grouped(round(s.moved_gb)) .. " GB.", "Over " .. 25 * more .. " MB a second." },
    keep = { { "50 TB, 50 + 10 nodes", short(size("move", { data_gb = 50000, from = 50, to = 60, mb_s = 25, streams = 10 }).hours) .. " h" } }, from = 11 }
end)
card("times", function(r)
  local all = { { "A node is declared dead", "10 to 30 seconds" }, { "A new leader is elected", "1 to 5 seconds" }, { "1 GB is copied at 100 MB/s", "about 10 seconds" }, { "A slot changes owner, while it is fenced", "tens of milliseconds" } }
  local one = r:between(1, #all)
  local choices = {}
  for i, k in ipairs(r:shuffle { 1, 2, 3, 4 }) do
    choices[i] = { all[k][2], belief = "all failovers take equally long", why = "That is the time for this: " .. string.lower(string.sub(all[k][1], 1, 1)) .. string.sub(all[k][1], 2) .. ".", holds = function() return k == one end }
  end
  return { say = all[one][1] .. ".", ask = "How long does that usually take?", choices = choices, why = "Usually " .. all[one][2] .. ".",
    hints = { "What has to be waited for?", "Several silent heartbeats, a vote, bytes, or the end of a tail.", all[one][2] .. "." },
    keep = { { "death noticed", "10-30 s" }, { "election", "1-5 s" }, { "1 GB at 100 MB/s", "10 s" }, { "fence", "ms" } }, from = 10 }
end)

-- --- a card as a step ---

-- `kept` has the numbers of the cards so far; the picture shows all of them.
local function step(r, c, number, kept)
  local q = c.make(r)
  local near = q.near or 0
  local right = q.answer and near > 0 and short(q.answer) or q.answer
  local tolerance = near == 0 and 0 or right * near / 100
  local wrong = {}
  for _, m in ipairs(q.wrong or {}) do
    local apart = math.abs(m[1] - right) > tolerance + 0.001
    for value in pairs(wrong) do apart = apart and math.abs(value - m[1]) > 0.001 end
    if apart then wrong[round(m[1], 3)] = { belief = m[2], why = m[3] } end
  end
  for _, row in ipairs(q.keep) do
    if #kept < 24 then kept[#kept + 1] = row end
  end
  local known = #kept
  local ask = q.ask .. (near > 0 and " (Within " .. near .. "%.)" or "")
  return { id = "card-" .. c.id, title = "Card " .. number .. " of " .. CARDS, show = { "table" },
    table = function()
      local rows = {}
      for i = 1, known do rows[i] = { label = kept[i][1], cells = { tostring(kept[i][2]) } } end
      return { title = "To know", columns = { "", "number" }, numbers = { 2 }, rows = rows }
    end,
    say = q.say,
    predict = { id = "drill-numbers-" .. c.id, kind = q.choices and "choice" or "number", unit = q.unit, tolerance = not q.choices and tolerance or nil, ask = ask,
      choices = q.choices, answer = not q.choices and function() return right end or nil, wrong = not q.choices and wrong or nil, why = q.why, hints = q.hints },
    after = "Part " .. q.from .. " has it." }
end

return drill {
  id = "numbers", part = 12, title = "Numbers to know",
  make = function(r)
    local steps, kept = {}, {}
    for i, c in ipairs(r:shuffle { table.unpack(DECK) }) do
      if i <= CARDS then steps[i] = step(r, c, i, kept) end
    end
    return { steps = steps }
  end,
}
