-- Think first: one of eleven situations, from any part, and the title does not say which. A number is
-- said before any figure is seen; then the run shows what it is, and a second question goes on
-- from there. Rates, sizes and numbers are new each time; the answers are what the runs measure.

local LIKES, POST = "likes:{p9}", "post:{p9}"
local ROUTERS, QUERY = 6, 5
local WRITES, READS = 1000, 3000 -- ceilings of a shard

local function round(x, n)
  local by = 10 ^ (n or 0)
  local y = math.floor(x * by + 0.5) / by
  return math.tointeger(y) or y
end

-- What people take for the answer: what is within `far` of it, or of another, is left out.
local function mistakes(right, far, list)
  local out = {}
  for _, m in ipairs(list) do
    local apart = math.abs(m[1] - right) > far
    for value in pairs(out) do apart = apart and math.abs(value - m[1]) > far + 0.001 end
    if apart then out[m[1]] = { belief = m[2], why = m[3] } end
  end
  return out
end

-- The posts that share p9's shard.
local NEIGHBOURS = {}
do
  local map = layout("slots", { shards = 4, deal = "ranges" })
  for i = 1, 16 do
    if i ~= 9 and map:owner("{p" .. i .. "}") == map:owner("{p9}") then NEIGHBOURS[#NEIGHBOURS + 1] = "p" .. i end
  end
end

-- --- situations: each gives its world and two steps, `first` and `next` ---

local SITUATIONS = {}

-- Part 0: copies share reads, and each has all the writes.
function SITUATIONS.copies(r)
  local reads, likes, copies = 100 * r:between(20, 29), 10 * r:between(40, 60), r:between(3, 6)
  local later = likes + 10 * r:between(15, 35)
  local first = {
    with = { reads = reads, likes = likes, copies = copies, READS = READS, WRITES = WRITES },
    show = { "bars" }, key = POST,
    enter = function(w)
      w:flow("read", POST, reads, "steady")
      w:flow("like", LIKES, likes, "steady")
    end,
    say = [[A post is read {reads} times a second and liked {likes} times. It is on S2, which takes {READS} reads and {WRITES} writes a second. Now {copies} copies of S2, the leader among them, answer reads in turn.]],
    ask = "How full is S2, the leader, in reads?", unit = "%", tolerance = 2,
    run = function(w)
      w:command("replicas S2 " .. copies)
      w:command("reads " .. POST .. " replicas")
      w:play_for(0.5)
    end,
    answer = function(w) return w.S2.read_pct end,
    wrong = function(right) return mistakes(right, 2, {
      { round(reads / READS * 100), "copies are for safety", "These answer reads, in turn." },
      { round((reads / copies + likes) / READS * 100), "writes are a kind of read", "They have a ceiling of their own." } }) end,
    why = "One of {copies} copies answers each read: {reads} / {copies}, of {READS}.",
    hints = { "Who answers a read?", "One of {copies}, in turn.", "{reads} / {copies}, of {READS}." },
    after = [[{S2.read_pct}%, and as much on each of the others.]],
  }
  return "story-near", first, {
    with = { later = later, copies = copies, WRITES = WRITES, likes = likes },
    say = [[So reads are at {S2.read_pct}%. Tomorrow {later} likes a second come, and still there are {copies} copies.]],
    ask = "How full is S2 in writes then?", unit = "%", tolerance = 2,
    run = function(w)
      w:flow("like", LIKES, later, "steady")
      w:play_for(0.5)
    end,
    answer = function(w) return w.S2.write_pct end,
    wrong = function(right) return mistakes(right, 2, {
      { round(later / copies / WRITES * 100), "copies share all work", "A write goes to every copy. Only reads are shared." },
      { round(likes / WRITES * 100), "copies take what is new", "No copy takes a write off the leader." } }) end,
    why = "Each write goes to each copy: {later} of {WRITES}, whatever their number.",
    hints = { "Which copies need the write?", "All of them.", "{later} of {WRITES}." },
    after = [[{S2.write_pct}%. Copies are for reads. When writes reach the ceiling, it is another step's turn. (Part 0)]],
  }
end

-- Part 1: an old map costs one hop, once.
function SITUATIONS.map(r)
  local likes, deaf, each = r:between(6, 30), r:between(2, 5), r:between(3, 9)
  local function asks(w, n)
    local sum = 0
    for i = w.last.number - n + 1, w.last.number do sum = sum + w:request(i).asks end
    return sum
  end
  local function ask(w, router)
    w:send("like", LIKES, router)
    w:play_answered()
  end
  return "story-near", {
    with = { likes = likes, asks = asks, ROUTERS = ROUTERS }, show = { "maps", "trace" }, key = LIKES, router = "R5",
    enter = function(w)
      w:deaf("R5", true)
      w:move(12067, 12067, "S3")
      w:play_for(0.2)
    end,
    say = [[A slot has moved from S2 to S3, and R5 has not heard of it. Now {likes} likes of a post in that slot come through R5, one after the other.]],
    ask = "How often is a shard asked, in all?", tolerance = 0,
    run = function(w) for _ = 1, likes do ask(w, "R5") end end,
    answer = function(w) return asks(w, likes) end,
    wrong = function(right) return mistakes(right, 0, {
      { 2 * likes, "an old map stays old", "MOVED makes R5 load the map. From then on it asks the owner." },
      { likes, "a router knows that its map is old", "From the inside an old map looks like a new one." } }) end,
    why = "The first one costs a hop more. With MOVED the map is loaded, and all others go straight.",
    hints = { "Whom does the first one ask?", "S2, which says MOVED. What does R5 do then?", "{likes}, and one." },
    after = [[{asks(w, likes)}: the first of them took one more.]],
  }, {
    with = { deaf = deaf, each = each, asks = asks, ROUTERS = ROUTERS, all = each * ROUTERS, likes = likes },
    say = [[R5 asked {asks(w, likes)} times for {likes} likes. The slot goes on, to S0. This time {deaf} of the {ROUTERS} routers do not hear of it. Each of the {ROUTERS} gets {each} likes.]],
    enter = function(w)
      w:deaf("R5", false)
      for i = 0, ROUTERS - 1 do
        if w["R" .. i].version < w:map_version() then w:reload("R" .. i) end
      end
      w:play_for(0.2)
      for i = 0, deaf - 1 do w:deaf("R" .. i, true) end
      w:move(12067, 12067, "S0")
      w:play_for(0.2)
    end,
    ask = "How often is a shard asked this time, in all?", tolerance = 0,
    run = function(w)
      for _ = 1, each do
        for i = 0, ROUTERS - 1 do ask(w, "R" .. i) end
      end
    end,
    answer = function(w) return asks(w, each * ROUTERS) end,
    wrong = function(right) return mistakes(right, 0, {
      { each * ROUTERS + 1, "one router tells the others", "Each has a map of its own, and finds out by itself." },
      { each * (ROUTERS + deaf), "an old map stays old", "Each of the {deaf} is sent on once, and has the new map from then on." },
      { each * ROUTERS, "a router knows that its map is old", "{deaf} of them ask the old owner first." } }) end,
    why = "{all} likes, and one hop more for each of {deaf} routers.",
    hints = { "How many likes are there?", "{all}. Which of them are sent on?", "One for each router with an old map." },
    after = [[{asks(w, all)}. Old maps cost little, since shards look into their own tables. (Part 1)]],
  }
end

-- Part 2: a query without the key asks all shards, and more shards do not help it.
function SITUATIONS.fanout(r)
  local shards, rate = r:between(5, 8), 10 * r:between(4, 12)
  local more = r:between(3, 6)
  local function parts(w)
    local before = w:query("near").parts
    local f = w:fork()
    f:play_for(2)
    return round((f:query("near").parts - before) / 2)
  end
  local function grow(w, n)
    while w:shards() < n do w:add_shard("b") end
    for i = 0, n - 1 do pcall(w.move, w, i * 16384 // n, (i + 1) * 16384 // n - 1, "S" .. i) end -- what S0 has, it has
    w:play_for(0.1)
  end
  return "story-near", {
    with = { shards = shards, rate = rate, parts = parts }, show = { "scatter:near" }, key = POST,
    enter = function(w)
      grow(w, shards)
      w:send("like", LIKES, "R0") -- there must be something to find
      w:play_answered()
      w:command("query near top 3 of likes:*")
    end,
    say = [[Photos are sharded by user, over {shards} shards. A page asks for those near a place, of any user, {rate} times a second.]],
    ask = "How many questions a second is that for the shards, in all?", unit = "a second", tolerance = 3,
    run = function(w)
      w:command("gather near " .. rate)
      w:play_for(0.5)
    end,
    answer = parts,
    wrong = function(right) return mistakes(right, 3, {
      { rate, "a query finds its shard", "The place is not the key: any shard may have such photos." },
      { round(rate / shards), "a query is shared out", "Each shard gets the whole query, and looks in what it has." } }) end,
    why = "Nobody knows which shards have them, so all {shards} are asked.",
    hints = { "What is the key?", "The user. So which shards may have photos of a place?", "{rate} x {shards}." },
    after = [[{parts(w)} a second. Sharded by place it would be {rate}.]],
  }, {
    with = { more = more, shards = shards, rate = rate, parts = parts, each = function(w) return round(parts(w) / w:shards()) end },
    say = [[{parts(w)} questions a second came to {shards} shards. The team adds {more} more, so that each has less to do.]],
    enter = function(w) w:play_for(0.1) end,
    ask = "How many of these questions a second does each shard get then?", unit = "a second", tolerance = 2,
    run = function(w)
      grow(w, shards + more)
      w:play_for(0.5)
    end,
    answer = function(w) return round(parts(w) / w:shards()) end,
    wrong = function(right) return mistakes(right, 2, {
      { round(rate * shards / (shards + more)), "more shards, less for each", "So it is for what has a key. This query asks each of them." },
      { rate * (shards + more), "that is one shard's part", "That is all of it together. Each shard is asked once a query." } }) end,
    why = "Every shard is asked by every query, however many shards there are.",
    hints = { "How often is one shard asked by one query?", "Once.", "{rate} queries a second." },
    after = [[{each(w)} each, as before, and {parts(w)} in all. The busiest query decides about the key. (Part 2)]],
  }
end

-- Part 3: a full shard refuses without looking, and what a limit gives back.
function SITUATIONS.limit(r)
  local hot, other = 100 * r:between(14, 26), 10 * r:between(4, 9)
  local limit = 10 * r:between(40, 65)
  local function refused(w) return round(100 * w.S2.writes_refused / w.S2.writes) end
  local all = hot + 3 * other
  return "story-near", {
    with = { hot = hot, other = other, refused = refused, WRITES = WRITES, all = all }, show = { "bars" }, key = LIKES,
    enter = function(w)
      for _, tag in ipairs(NEIGHBOURS) do w:flow("like", "likes:{" .. tag .. "}", other, "steady") end
    end,
    say = [[Four posts are on S2, which takes {WRITES} writes a second. Three of them have {other} likes a second each, and the fourth now gets {hot}. What S2 cannot serve it refuses at once.]],
    ask = "Of 100 likes for S2, how many are refused?", tolerance = 3,
    run = function(w)
      w:flow("like", LIKES, hot, "steady")
      w:play_for(1.5)
    end,
    answer = refused,
    wrong = function(right) return mistakes(right, 3, {
      { 0, "a shard serves what it must", "Its ceiling is what it can do." },
      { round(100 * WRITES / all), "that is what is refused", "That is what is served." },
      { round(100 * (hot - WRITES) / all), "only the hot post is too much", "The ceiling is for all four together." } }) end,
    why = "{all} come and {WRITES} are served; what is left over is refused.",
    hints = { "How many likes come to S2?", "{all}, and {WRITES} are served.", "{all - WRITES} of {all}." },
    after = [[{refused(w)} of 100, of each of the four posts: S2 does not look whose they are.]],
  }, {
    with = { hot = hot, other = other, refused = refused, limit = limit, turned = function(w) return w.cluster.writes_turned end },
    say = [[{refused(w)} of 100 likes fail, for each of the four posts. Now the routers let at most {limit} a second pass for the hot post, of {hot}; who is beyond it gets 429.]],
    ask = "How many likes a second are not done then, in all?", unit = "likes/s", tolerance = round(hot / 40),
    run = function(w)
      w:command("limit key " .. LIKES .. " " .. limit)
      w:play_for(2)
    end,
    answer = function(w) return w.cluster.writes_turned + w.S2.writes_refused end,
    wrong = function(right) return mistakes(right, hot / 40, {
      { 0, "a limit cures", "It protects the others. The fans of the hot post pay for it." },
      { limit, "that is what is turned away", "That is what passes." },
      { all - WRITES, "as many as before", "So many were refused before. A limit is lower than what S2 could do, and all of it is the hot post's." } }) end,
    why = "What is beyond the limit, all of it the hot post's. The others have room.",
    hints = { "What passes of the hot post?", "{limit}. And do the others fit beside it?", "{hot} - {limit}." },
    after = [[{turned(w)} at the routers, {S2.writes_refused} at S2. A limit is for tonight; the cure is another step. (Part 3)]],
  }
end

-- Part 4: readers who share a query, at each router or at one.
function SITUATIONS.together(r)
  local reads = 600 * r:between(5, 14)
  local function queries(w)
    local f = w:fork()
    f:play_for(0.1)
    local before = f:reads_of(POST).fetches
    f:play_for(1)
    return f:reads_of(POST).fetches - before
  end
  local each, one = reads / ROUTERS, reads / (1 + reads * QUERY / 1000)
  local shared = ROUTERS * each / (1 + each * QUERY / 1000)
  return "story-near", {
    with = { reads = reads, ROUTERS = ROUTERS, QUERY = QUERY, queries = queries, each = round(each), coming = round(each * QUERY / 1000, 1) },
    show = { "waterfall:" .. POST }, key = POST,
    enter = function(w) w:command("reads " .. POST .. " coalesced") end,
    say = [[A page is read {reads} times a second, at random moments, through {ROUTERS} routers. No answer may be old, so nothing is kept. But who asks while the router has a query for it under way, which takes {QUERY} ms, shares its answer.]],
    ask = "About how many queries a second are left for the shard?", unit = "queries/s", tolerance = round(shared * 0.15),
    run = function(w)
      w:flow("read", POST, reads, "scattered")
      w:play_for(0.1)
    end,
    answer = queries,
    wrong = function(right) return mistakes(right, shared * 0.15, {
      { ROUTERS, "a query lasts for a second", "It lasts {QUERY} ms. Then the next reader needs another." },
      { round(1000 / QUERY), "routers share as well", "Each router has its own queries: six of them at a time." },
      { reads, "without a cache nothing is saved", "Who comes during a query shares it." } }) end,
    why = "At a router {each} come a second. One asks, and some {coming} more come before its answer is there.",
    hints = { "How many readers a second has one router?", "{each}. And how many of them come within {QUERY} ms?", "{each} / (1 + {coming}), at each of {ROUTERS} routers." },
    after = [[{queries(w)}, for {reads} reads.]],
  }, {
    with = { reads = reads, ROUTERS = ROUTERS, QUERY = QUERY, queries = queries, joined = round(reads * QUERY / 1000, 1) },
    say = [[{queries(w)} queries a second are left. Now readers of a page are sent to one router of the {ROUTERS}, chosen by its key; the query still takes {QUERY} ms.]],
    ask = "About how many queries a second are left now?", unit = "queries/s", tolerance = round(one / 12),
    run = function(w)
      w:command("reads " .. POST .. " coalesced by-key")
      w:play_for(0.1)
    end,
    answer = queries,
    wrong = function(right) return mistakes(right, one / 12, {
      { round(shared), "it is the same readers", "But more of them meet: all of them wait at one place." },
      { 1, "one router, one query", "One at a time, and it lasts {QUERY} ms." },
      { reads // ROUTERS, "it is a sixth of the reads", "So many came to each router before." } }) end,
    why = "One query after the other, {QUERY} ms each, with a short wait for the next reader between them.",
    hints = { "How many queries can be under way at a time?", "One. How many fit into a second?", "{reads} / (1 + {joined})." },
    after = [[{queries(w)}: no more than {1000 // QUERY}, whatever the crowd. (Part 4)]],
  }
end

-- Part 5: sums, and how far the count is behind.
function SITUATIONS.sums(r)
  local likes, window = 120 * r:between(8, 24), r:pick { 200, 250, 500, 1000 }
  local slots = ROUTERS * 1000 // window
  local function flushes(w)
    local f, sum = w:fork(), 0
    for _ = 1, 1 do
      sum = sum + f:asked(LIKES).writes
      for _, sub in ipairs(f:subkeys(LIKES)) do sum = sum + (sub.key ~= LIKES and f:asked(sub.key).writes or 0) end
      f:play_for(1)
    end
    return round(sum / 2)
  end
  local behind
  local function measured(w)
    if not behind then
      local f, sum = w:fork(), 0
      for _ = 1, 40 do
        f:play_for(0.0503)
        sum = sum + f:count(LIKES).told - f:count(LIKES).shown
      end
      behind = round(sum / 40)
    end
    return behind
  end
  local right = likes * window / 2000
  return "story-near", {
    with = { likes = likes, window = window, ROUTERS = ROUTERS, flushes = flushes, times = 1000 // window }, show = { "counter:" .. LIKES }, key = LIKES,
    enter = function(w) w:flow("like", LIKES, likes, "scattered") end,
    say = [[{likes} likes a second for one post. Each of {ROUTERS} routers now adds up its own, and writes its total to the count's shard every {window} ms.]],
    ask = "How many writes a second does that count cost its shard?", unit = "writes/s", tolerance = 0,
    run = function(w)
      w:command("writes " .. LIKES .. " summed " .. window)
      w:play_for(3)
    end,
    answer = flushes,
    wrong = function(truth) return mistakes(truth, 0, {
      { 1000 // window, "routers share one total", "Each has its own, and writes it by itself." },
      { likes // ROUTERS, "it is divided by the routers", "A total is one write, however many likes it holds." },
      { likes, "each like is a write", "A like is added in the router's memory." } }) end,
    why = "{ROUTERS} routers, {times} times a second each, whatever the number of likes.",
    hints = { "What does one router write?", "One total, {times} times a second.", "Times {ROUTERS}." },
    after = [[{flushes(w)}, and ten times the likes would cost as many.]],
  }, {
    with = { likes = likes, window = window, measured = measured, flushes = flushes },
    say = [[{flushes(w)} writes a second instead of {likes}. The price: somebody who looks sees a count that lacks what routers have not written yet. They write every {window} ms, not all at once.]],
    ask = "About how many likes does it lack, on average?", unit = "likes", tolerance = math.max(10, round(right / 7)),
    run = function(w) w:play_for(1) end,
    answer = measured,
    wrong = function(truth) return mistakes(truth, math.max(10, right / 7), {
      { 0, "a sum is exact", "It is, once it has been written." },
      { likes, "it is a second old", "Totals come every {window} ms." },
      { likes * window // 1000, "all buffers are full", "Just before its flush one is. On average they are half full." } }) end,
    why = "A total is half a window old on average: {likes} a second, for {window / 2} ms.",
    hints = { "How old is a router's last total?", "Between nothing and {window} ms.", "{likes} x {window} / 1,000, and half of it." },
    after = [[{measured(w)}, looked at forty times. A shorter window lacks less, and writes more. (Part 5)]],
  }
end

-- Part 6: a shard joins; what moves, and what of the load.
function SITUATIONS.joins(r)
  local shards = r:between(4, 9)
  local hot, other = 100 * r:between(9, 20), 10 * r:between(2, 6)
  local posts = 16
  local function join(w)
    local n, moved = w:shards(), 0
    local name = "S" .. n
    w:add_shard("b")
    for i = 0, n - 1 do
      local first = i * 16384 // n
      local last = first + 16384 // n // (n + 1) - 1
      local mine = last
      for tag = 1, posts do -- the one that is hot stays where it is
        local slot = w:slot("post:{p" .. tag .. "}")
        if tag == 9 and slot >= first and slot <= last then mine = slot - 1 end
      end
      w:move(first, mine, name)
      moved = moved + mine - first + 1
      if mine < last then
        w:move(mine + 2, last + 1, name)
        moved = moved + last - mine
      end
    end
    w:play_for(0.1)
    return moved
  end
  local function fullest(w)
    local most = 0
    for i = 0, w:shards() - 1 do most = math.max(most, w["S" .. i].read_pct) end
    return most
  end
  local moved
  return "story-near", {
    with = { shards = shards, moved = function() return moved end }, show = { "slot_map" }, key = POST,
    enter = function(w)
      while w:shards() < shards do w:add_shard("b") end
      for i = 0, shards - 1 do pcall(w.move, w, i * 16384 // shards, (i + 1) * 16384 // shards - 1, "S" .. i) end
      w:play_for(0.1)
    end,
    say = [[{shards} shards have 16,384 slots, equally many each. One more joins, and gets slots from all of them, until all have equally many again.]],
    ask = "About how many slots move?", unit = "slots", tolerance = 80,
    run = function(w) moved = join(w) end,
    answer = function() return moved end,
    wrong = function(truth) return mistakes(truth, 80, {
      { 16384 * shards // (shards + 1), "it is as with the remainder", "By hash mod N so many keys would move. Slots move only to the one that joins." },
      { 16384 // shards, "one shard's slots", "That is what one had before. Now {shards + 1} share them." },
      { 16384, "everything is dealt anew", "What stays where it was need not move." } }) end,
    why = "What the new one is to have: 16,384 / {shards + 1}.",
    hints = { "To which shards do slots move?", "To the new one alone. How many shall it have?", "16,384 / {shards + 1}." },
    after = [[{moved()}: what the new one has.]],
  }, {
    with = { moved = function() return moved end, hot = hot, other = other, fullest = fullest, READS = READS, owner = function(w) return w:owner(POST) end, shards = shards },
    show = { "bars" },
    say = [[{moved()} slots moved. Now a post is read {hot} times a second, fifteen others {other} times each. A shard takes {READS}. The team moves everything else away from the hot post's shard, {owner(w)}, to the others.]],
    ask = "How full is the fullest shard then, in reads?", unit = "%", tolerance = 2,
    run = function(w)
      for tag = 1, posts do w:flow("read", "post:{p" .. tag .. "}", tag == 9 and hot or other, "steady") end
      local home, slot = w:owner(POST), w:slot(POST)
      for tag = 1, posts do
        local at = w:slot("post:{p" .. tag .. "}")
        if at ~= slot and w:owner(at) == home then
          local to = (tag + 1) % w:shards()
          if "S" .. to == home then to = (to + 1) % w:shards() end
          w:move(at, at, "S" .. to)
        end
      end
      w:play_for(0.5)
    end,
    answer = fullest,
    wrong = function(truth) return mistakes(truth, 2, {
      { round((hot + 15 * other) / (shards + 1) / READS * 100), "load spreads over shards", "That is the average. The hot post is on one shard." },
      { round(hot / 2 / READS * 100), "a shard of its own halves it", "It takes the neighbours away. The post's own reads stay together." } }) end,
    why = "The hot post alone: {hot} of {READS}.",
    hints = { "What is left on its shard?", "The hot post, and nothing else.", "{hot} of {READS}." },
    after = [[{fullest(w)}%. Moving helps the neighbours, and is as far as it goes: a key is not cut. (Part 6)]],
  }
end

-- Part 7: one key has one partition, and a partition one reader.
function SITUATIONS.readers(r)
  local members = r:between(3, 6)
  local seconds = r:between(4, 8)
  local reader = 10 * r:between(10, 35)
  local rate = reader + 10 * r:between(6, 1200 // seconds // 10) -- the story keeps 4,096 records a partition
  local function unread(w) return w:system("kafka").unread end
  local was, PAUSE = 0, 2.2 -- seconds: the group pauses when members come
  local lag = (rate - reader) * seconds
  return "story-quiet", {
    with = { members = members, rate = rate, reader = reader, seconds = seconds, unread = unread, more = rate - reader }, show = { "parts:kafka" }, key = LIKES,
    enter = function(w)
      w:command("capacity 1") -- the story's own routers have nothing to do with it
      w:command("system kafka on " .. members)
      w:command("system kafka set reader " .. reader)
      w:command("system kafka set members " .. members)
      w:play_for(PAUSE)
    end,
    say = [[A Kafka topic has {members} partitions, and a group of {members} members reads it, each up to {reader} records a second. All records are of one key, {rate} a second.]],
    ask = "How many records are unread after {seconds} seconds?", unit = "records", tolerance = rate // 5,
    run = function(w)
      w:flow("like", LIKES, rate, "steady")
      w:play_for(seconds)
    end,
    answer = unread,
    wrong = function(truth) return mistakes(truth, rate // 5, {
      { math.max(0, rate - reader * members) * seconds, "members help each other", "A partition has one reader of the group. The other members have nothing to read." },
      { rate * seconds, "who is behind reads nothing", "One member reads {reader} a second of them." } }) end,
    why = "One key, one partition, one reader: it falls {more} a second behind.",
    hints = { "In how many partitions is the key?", "One. How many members read it?", "{rate} - {reader}, for {seconds} seconds." },
    after = [[{unread(w)}.]],
  }, {
    with = { members = members, seconds = seconds, unread = unread, rate = rate, reader = reader, was = function() return was end, more = rate - reader },
    say = [[{unread(w)} are unread by now, since nobody read while partitions were dealt anew: there are twice as many members, {2 * members}. It goes on as before: {rate} records a second of one key, {reader} at most by a member.]],
    enter = function(w)
      w:command("system kafka set members " .. 2 * members)
      w:play_for(PAUSE)
      was = unread(w)
    end,
    ask = "How many are unread after another {seconds} seconds?", unit = "records", tolerance = rate // 2,
    run = function(w) w:play_for(seconds) end,
    answer = unread,
    wrong = function(truth) return mistakes(truth, rate // 2, {
      { 0, "more members catch up", "More members than partitions: half of them have none." },
      { lag, "twice the members hold it", "It falls behind as before. Nobody came to help with this partition." },
      { math.max(0, lag + (rate - 2 * reader) * seconds), "two read the partition now", "A partition has one reader of a group." } }) end,
    why = "It falls {more} a second behind as before.",
    hints = { "Who reads the partition now?", "Still one member.", "As much again as before, and what there was." },
    after = [[{unread(w)}. {members} members have no partition. With more partitions the key would still be in one. (Part 7)]],
  }
end

-- Part 8: what comes during a copy, and how long its tail takes.
function SITUATIONS.tail(r)
  local likes, seconds = 10 * r:between(6, 10), r:between(4, 9) -- the story's log of a move has room for 1,024 entries
  local speed = 10 * r:between(2, 8)
  local mb = speed * seconds
  local applies = likes + 10 * r:between(3, 12)
  local function move(w) return w:move_of(12067) end
  local spent
  local function seconds_of(clock)
    local h, m, s = string.match(clock, "(%d+):(%d+):([%d.]+)")
    return tonumber(h) * 3600 + tonumber(m) * 60 + tonumber(s)
  end
  local tail = likes * seconds
  local took = tail / (applies - likes)
  return "story-near", {
    with = { likes = likes, speed = speed, mb = mb, seconds = seconds, move = move }, show = { "move:12067" }, key = LIKES,
    enter = function(w)
      w:add_shard("c")
      w:command("applies S4 " .. applies)
      w:flow("like", LIKES, likes, "steady")
      w:play_for(0.5)
    end,
    say = [[A slot of {mb} MB goes from S2 to S4 while it is written, {likes} times a second. The copy gets {speed} MB a second. What is written meanwhile waits in the log for S4.]],
    ask = "About how many writes wait when the copy is done?", unit = "writes", tolerance = math.max(20, tail // 20),
    run = function(w)
      w:command("migrate 12067 S4 " .. mb .. "MB " .. speed .. "MB")
      w:play_until_phase(12067, "tailing", 40)
    end,
    answer = function(w) return move(w).tail end,
    wrong = function(truth) return mistakes(truth, math.max(20, tail // 20), {
      { 0, "a copy is of now", "It is of the moment at which it began." },
      { likes, "the last second waits", "All that came since the copy began." },
      { mb * likes, "each MB costs a second", "{speed} of them are copied in a second." } }) end,
    why = "The copy takes {mb} / {speed} seconds, and {likes} writes come in each.",
    hints = { "How long does the copy take?", "{mb} / {speed} seconds.", "{seconds} seconds, with {likes} writes in each." },
    after = [[{move(w).tail}.]],
  }, {
    with = { likes = likes, applies = applies, move = move, spent = function() return spent end, gain = applies - likes },
    say = [[{move(w).tail} writes wait. S4 applies {applies} a second, and {likes} more come each second.]],
    ask = "After about how many seconds has S4 caught up?", unit = "s", tolerance = math.max(1, round(took / 12)),
    run = function(w)
      local from = seconds_of(w:clock())
      w:play_until_phase(12067, "caught-up", 60)
      spent = round(seconds_of(w:clock()) - from, 1)
    end,
    answer = function() return spent end,
    wrong = function(truth) return mistakes(truth, math.max(1, took / 12), {
      { round(tail / applies, 1), "nothing new comes", "So long it would be if writes stopped. {likes} a second still come." },
      { seconds, "as long as the copy", "The copy's time made the tail. What S4 gains on it decides now." } }) end,
    why = "It gains {gain} a second on them.",
    hints = { "By how much does the tail shrink in a second?", "{applies} - {likes}.", "What waits, divided by {gain}." },
    after = [[{spent()} s. Only then is it time for the fence: the pause is what is left of the tail. (Part 8)]],
  }
end

-- Part 9: two-phase commit, and a coordinator that dies.
function SITUATIONS.locks(r)
  local down, every = r:between(2, 9), r:pick { 50, 100, 200, 250 }
  local A, B = "acct:{alice}", "acct:{carol}"
  local refused
  local function slow(w) return round(w:txn().steps[1].locked_ms / 1000, 1) end
  local function dies(w)
    w:command("coordinator dies voted " .. down * 1000)
    w:command("txn 2pc via R0 take " .. A .. " 1 give " .. B .. " 1")
  end
  return "story-near", {
    with = { down = down, slow = slow }, show = { "txn" }, router = "R0",
    enter = function(w)
      w:command("row " .. A .. " 1000")
      w:command("row " .. B .. " 1000")
    end,
    say = [[Alice pays Carol, on two shards, by two-phase commit. Both shards have voted yes, and then the coordinator dies, before it has decided. It is back after {down} seconds. Others want to change Alice's row meanwhile.]],
    ask = "For about how many seconds can they not?", unit = "s", tolerance = 0.3,
    run = function(w)
      dies(w)
      w:play_for(down + 1)
    end,
    answer = slow,
    wrong = function(truth) return mistakes(truth, 0.3, {
      { 0, "a yes can be taken back", "Who voted yes has promised to wait: the other shard may have been told commit." },
      { 1, "a shard gives up after a second", "Before its vote it may. After a yes it waits for the decision." },
      { 2 * down, "both rows, twice the time", "Both wait at the same time." } }) end,
    why = "Who voted yes waits until somebody knows the decision: as long as the coordinator is down.",
    hints = { "What has a shard promised that voted yes?", "To do as is decided. Who knows it?", "The coordinator, and it is down for {down} seconds." },
    after = [[{slow(w)} s.]],
  }, {
    with = { down = down, every = every, refused = function() return refused end, slow = slow },
    say = [[Alice's row was locked for {slow(w)} s. The same happens once more, and this time somebody tries to change her row every {every} ms; what finds it locked is refused.]],
    ask = "About how many of these tries are refused?", tolerance = math.max(2, round(down * 1000 / every / 20)),
    run = function(w)
      local before = w:txns().refused_by_lock
      dies(w)
      w:play_for(0.05)
      for _ = 1, (down * 1000 + 600) // every do
        w:command("txn plain via R1 give " .. A .. " 1")
        w:play_for(every / 1000)
      end
      refused = w:txns().refused_by_lock - before
    end,
    answer = function() return refused end,
    wrong = function(truth) return mistakes(truth, math.max(2, down * 50 / every), {
      { 0, "only the two rows' own payment waits", "It is the row that is locked, for whoever wants it." },
      { 1, "who is refused does not come back", "Each try finds the row locked, until the coordinator is back." },
      { 1000 // every, "a second of them", "It is locked for longer." } }) end,
    why = "All that come while the row is locked.",
    hints = { "How long is it locked?", "Some {down} seconds.", "{down} x 1,000 / {every}." },
    after = [[{refused()}. A saga would lock nothing, and others would see half of it. (Part 9)]],
  }
end

-- Part 10: gossip.
function SITUATIONS.gossip(r)
  local routers = r:pick { 64, 80, 96, 128, 160, 192, 256 }
  local factor = r:pick { 4, 8, 16 }
  local known = {}
  local function rounds(w, n)
    known[n] = known[n] or w:gossip_rounds(n, "push-pull", 9).median
    return known[n]
  end
  local function table_of(list) return function(w)
    local rows = {}
    for i, n in ipairs(list) do rows[i] = { label = tostring(n), cells = function() return { rounds(w, n) } end } end
    return { title = "Until all have it", columns = { "routers", "rounds" }, numbers = { 2 }, rows = rows }
  end end
  return "story-quiet", {
    with = { routers = routers, rounds = rounds }, show = { "table" }, table = table_of { routers // 4, routers // 2, routers },
    say = [[{routers} routers, and one of them has a new map. Once a second each of them calls one other, chosen at random, and both have the newer map of the two then.]],
    ask = "After about how many rounds do all have it?", unit = "rounds", tolerance = 2,
    run = function(w) w:play_for(0.1) end,
    answer = function(w) return rounds(w, routers) end,
    wrong = function(truth) return mistakes(truth, 2, {
      { routers - 1, "one tells all others", "Whoever has heard of it tells it on as well." },
      { routers // 2, "two are told in a round", "At first. Soon many tell it." },
      { 1, "everybody calls somebody", "In the first round almost all who call know nothing of it." } }) end,
    why = "Those who know become about twice as many in a round, and more while both sides tell; those who are left take a few rounds.",
    hints = { "How many know after one round, after two?", "At least twice as many each time.", "How often must one be doubled to be {routers}?" },
    after = [[{rounds(w, routers)}.]],
  }, {
    with = { routers = routers, factor = factor, rounds = rounds, many = routers * factor }, table = table_of { routers, routers * factor },
    say = [[{rounds(w, routers)} rounds for {routers} routers. Now the fleet is {factor} times as large: {many}.]],
    ask = "After about how many rounds do all have a new map?", unit = "rounds", tolerance = 2,
    run = function(w) w:play_for(0.1) end,
    answer = function(w) return rounds(w, routers * factor) end,
    wrong = function(truth, w) return mistakes(truth, 2, {
      { factor * rounds(w, routers), "as many more rounds as routers", "Each round multiplies those who know." },
      { routers * factor - 1, "one tells all others", "Whoever has heard of it tells it on as well." },
      { routers, "a round for each of the old fleet", "A round tells many at once." } }) end,
    why = "Each doubling of the fleet is one round more.",
    hints = { "How many rounds does a doubling cost?", "About one.", "How often must one be doubled to be {factor}? So many more." },
    after = [[{rounds(w, many)}. That is why gossip suits large fleets. (Part 10)]],
  }
end

-- Part 11: the job ends with its slowest worker.
function SITUATIONS.barrier(r)
  local workers, each = r:pick { 4, 8, 16 }, r:between(2, 6)
  local waves, long = r:between(3, 8), 0
  long = each * r:between(waves + 3, waves + 12)
  local count = workers * waves
  local function deal_of(first, n)
    local costs = {}
    for i = 1, count do costs[i] = each end
    if first then table.insert(costs, 1, long) else costs[count + 1] = long end
    return deal(costs, { workers = n or workers, by = "steal", pieces = count + 1 })
  end
  local function end_of(first, n) return round(deal_of(first, n):barrier()) end
  local function at(first, n, label) return { label = label, deal = deal_of(first, n) } end
  return "story-quiet", {
    with = { workers = workers, each = each, count = count, long = long, end_of = end_of, waves = waves }, show = { "workers" },
    workers = function() return { title = "The long one last", unit = "min", deals = { at(false, nil, workers .. " workers") } } end,
    say = [[{workers} workers have {count} files to read, {each} minutes each, and one of {long} minutes, the last on the list. Who is free takes the next. The job is done when all are.]],
    ask = "After how many minutes is it done?", unit = "min", tolerance = 1,
    answer = function() return end_of(false) end,
    wrong = function(truth) return mistakes(truth, 1, {
      { round((count * each + long) / workers), "work is shared evenly", "A file is read by one worker." },
      { long, "the longest decides", "It is the last on the list, and begins when the others are nearly done." },
      { waves * each, "one file does not count", "All wait for it." } }) end,
    why = "{count} files take {waves} turns of {each} minutes. Then one worker has {long} minutes more.",
    hints = { "When are the short ones done?", "{count} / {workers} turns, {each} minutes each.", "And then {long} more." },
    after = [[{end_of(false)} minutes. All but one worker are idle for {long} of them.]],
  }, {
    with = { workers = workers, each = each, count = count, long = long, end_of = end_of, twice = 2 * workers }, show = { "workers" },
    workers = function() return { title = "The long one last, and first", unit = "min", deals = { at(false, nil, "last"), at(true, nil, "first") } } end,
    say = [[{end_of(false)} minutes. Somebody wants twice the workers. Instead, the list is sorted, and the file of {long} minutes comes first. Still {workers} workers.]],
    ask = "After how many minutes is it done now?", unit = "min", tolerance = each,
    answer = function() return end_of(true) end,
    wrong = function(truth) return mistakes(truth, each, {
      { end_of(false), "the same work takes as long", "The long one runs beside the others now, not behind them." },
      { round(end_of(false) / 2), "half of it", "The long file alone takes {long} minutes, and is not cut." } }) end,
    why = "The long one begins at once. While it runs the others read the rest.",
    hints = { "What runs beside the long file?", "{count} short ones, on {workers - 1} workers.", "The later of both ends." },
    after = [[{end_of(true)} minutes; twice the workers, with the long one last, would need {end_of(false, twice)}. (Part 11)]],
  }
end

local NAMES = { "copies", "map", "fanout", "limit", "together", "sums", "joins", "readers", "tail", "locks", "gossip", "barrier" }

local function step(name, which, title, q)
  return { id = name .. "-" .. which, title = title, show = q.show, key = q.key, router = q.router, with = q.with, enter = q.enter, say = q.say, run = q.run, after = q.after,
    workers = q.workers, table = q.table,
    predict = { id = "drill-think-" .. name .. "-" .. which, kind = "number", unit = q.unit, tolerance = q.tolerance, ask = q.ask, answer = q.answer,
      wrong = function(w) return q.wrong(q.answer(w), w) end, why = q.why, hints = q.hints } }
end

return drill {
  id = "think-first", part = 12, title = "Think first",
  make = function(r)
    local name = r:shuffle(NAMES)[1]
    local world, first, second = SITUATIONS[name](r)
    second.show, second.key, second.router = second.show or first.show, second.key or first.key, second.router or first.router
    return { world = world, steps = { step(name, "first", "Before any figure", first), step(name, "then", "And then", second) } }
  end,
}
