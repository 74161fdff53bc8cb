-- A system and what it is asked for: will it cut something by itself, and does that help? What would
-- help instead? Systems, loads and rates are new each time; what comes of it is what a run of the
-- engine's model of that system shows, before and after.

local SERVED = 90 -- percent of what is asked for that is called served

local function round(x) return math.floor(x + 0.5) end
local function grouped(n) return n < 1000 and tostring(n) or n // 1000 .. string.format(",%03d", n % 1000) end
local function percent(part, all) return all > 0 and round(100 * part / all) or 100 end

-- --- systems, as the engine plays them ---

local RULES = {
  dynamodb = "DynamoDB cuts a partition under lasting heat (the model: after 60 s), between items, or within a collection by sort key.",
  kinesis = "With provisioned shards nothing is cut until somebody asks for it.",
  kafka = "Partitions become more when somebody says so, and never by themselves.",
  cassandra = "A ring cuts nothing. A node that joins brings its tokens.",
  cockroachdb = "A range is cut when it is asked for more than 2,500 times a second, where half of that is on either side (newer versions: by processor time).",
  hbase = "A region is cut by size, and not by load (unless one chooses BusyRegionSplitPolicy).",
  bigtable = "A tablet is cut by size and by load.",
  mongodb = "Ranges are cut as their bytes are moved. Load is not looked at.",
  redis = "A slot is the least there is, and an operator moves them.",
  vitess = "New shards are made when somebody reshards.",
}
local TITLES = { dynamodb = "DynamoDB", kinesis = "Kinesis", kafka = "Kafka", cassandra = "Cassandra", cockroachdb = "CockroachDB", hbase = "HBase",
  bigtable = "Bigtable", mongodb = "MongoDB", redis = "Redis Cluster", vitess = "Vitess" }
local PARTS = { dynamodb = "partition", kinesis = "shard", kafka = "partition", cassandra = "node", cockroachdb = "range", hbase = "region",
  bigtable = "tablet", mongodb = "shard", redis = "master", vitess = "shard" }

-- What does the work of a piece, and is full. Only two vendors name a number for it.
local PLACES = { dynamodb = "partition", kinesis = "shard", kafka = "broker", cassandra = "node", cockroachdb = "node", hbase = "region server",
  bigtable = "tablet server", mongodb = "shard", redis = "master", vitess = "shard" }
local DOCUMENTED = { dynamodb = true, kinesis = true }

local STREAM = { kinesis = true, kafka = true }

-- --- loads: what the question says, what is written, and what is in the way of a cut ---

local LOADS = {
  item = { say = "One row, {key}, is {done} {rate} times a second. Hardly anything else is asked for.",
    stream = "One key, {key}, has {rate} records a second. Hardly anything else comes.",
    obstacle = "All of it is for one key, and a key is never cut." },
  mixed = { say = "One row, {key}, is {done} {hot} times a second, seven others {each} times each.",
    obstacle = "A cut can take its neighbours away. The row itself is never cut." },
  many = { say = "{rate} rows a second are added to the collection {key}, each with a sort key of its own, at random.", items = "many",
    obstacle = "They have one partition key, and are rows of their own." },
  growing = { say = "{rate} rows a second are added to the collection {key}, with sort keys that only grow, such as times.", items = "growing",
    obstacle = "Every new row comes behind all others: the upper piece of a cut would get all of them." },
  series = { say = "{rate} rows a second are written, and each has a key that is the next number.",
    obstacle = "In key order every new row comes behind all others: the upper piece of a cut would get all of them." },
  warm = { say = "{count} rows are {done} {each} times a second each. All are in one {part}, and none is hot by itself.",
    stream = "{count} keys have {each} records a second each. All are in one {part}, and none is hot by itself.",
    obstacle = "Between two of these keys there is room for a cut." },
}
-- What may be asked of each; for how many seconds it is looked at (a system that cuts nothing by itself is the
-- same after a few as after a minute); how often it comes; and what one may try.
local CASES = {
  { "dynamodb", "item", 70, 1, { "salt", "units", "reads" } }, { "dynamodb", "mixed", 70, 1, { "salt", "units", "reads" } },
  { "dynamodb", "many", 70, 2, { "salt", "units", "reads" } }, { "dynamodb", "growing", 70, 1, { "salt", "units", "reads" } },
  { "kinesis", "item", 2, 5, { "salt", "cut", "reader" } }, { "kinesis", "warm", 2, 8, { "cut", "reader" } },
  { "kafka", "item", 2, 7, { "salt", "parts", "machine" } }, { "cassandra", "item", 2, 7 },
  { "cockroachdb", "item", 14, 1, { "front", "cut", "idle" } }, { "cockroachdb", "warm", 20, 2, { "move", "machine" } },
  { "cockroachdb", "series", 14, 10, { "prefix", "cut", "machine" } },
  { "hbase", "warm", 2, 8, { "move", "machine" } }, { "hbase", "item", 2, 5, { "front", "behind", "idle" } },
  { "bigtable", "warm", 25, 3, { "move", "machine" } }, { "bigtable", "item", 14, 2, { "front", "cut", "idle" } }, { "bigtable", "mixed", 25, 2, { "front", "cut", "idle" } },
  { "mongodb", "warm", 2, 8, { "move", "machine" } }, { "mongodb", "series", 2, 8, { "prefix", "cut", "machine" } },
  { "redis", "item", 2, 7, { "salt", "idle", "machine" } }, { "vitess", "item", 2, 7, { "salt", "reshard", "machine" } },
}

return drill {
  id = "which-split", part = 7, title = "Which split?",
  make = function(r)
    local function draw(than)
      local pool = {}
      for _, c in ipairs(CASES) do
        for _ = 1, c[4] do
          if not than and c[1] ~= "cassandra" or than and (c[1] ~= than[1] and c[1] .. than[1] ~= "hbasebigtable" and c[1] .. than[1] ~= "bigtablehbase") then pool[#pool + 1] = c end
        end
      end
      return r:pick(pool)
    end

    -- One system under one load.
    local function case(c)
      local one = { kind = c[1], load = c[2], seconds = c[3], name = c[1] == "bigtable" and "hbase" or c[1] }
      one.title, one.rule, one.obstacle, one.part = TITLES[one.kind], RULES[one.kind], LOADS[one.load].obstacle, PARTS[one.kind]
      one.post = r:between(1, 16)
      one.key = "`p" .. one.post .. "`"
      one.reads = one.kind == "cockroachdb" and one.load ~= "series" -- beyond the 2,500 of its line, and beyond a node's 3,000
      one.limit, one.done, one.unit = one.reads and 3000 or 1000, one.reads and "read" or "written", one.reads and "reads" or "writes"
      one.rate = 10 * (one.reads and r:between(440, 490) or one.kind == "cockroachdb" and r:between(260, 300) or r:between(160, 195))
      one.from = r:between(1, 8) -- warm rows: eight posts with numbers of one digit or more in a row
      one.count = 8
      one.each = 10 * math.ceil(one.rate / one.count / 10)
      if one.load == "warm" then one.rate = one.count * one.each end
      if one.load == "mixed" then
        one.each, one.hot = 30, one.rate
        one.from = math.max(1, math.min(9, one.post - 4)) -- the row is one of eight
        one.rate = one.hot + (one.count - 1) * one.each
      end
      one.cures = c[5]
      local text = STREAM[one.name] and LOADS[one.load].stream or LOADS[one.load].say
      for name, value in pairs { key = one.key, hot = one.hot or 0, done = one.done, rate = one.rate, count = one.count, each = one.each, part = one.part } do
        text = string.gsub(text, "{" .. name .. "}", type(value) == "number" and grouped(value) or value)
      end
      one.say = text .. (one.kind == "bigtable" and " (Drawn as HBase, told to cut by load.)" or "")
      local does = (STREAM[one.name] and "takes " or "does ") .. grouped(one.limit) .. " " .. one.unit .. " a second"
      one.does = "A " .. PLACES[one.kind] .. (DOCUMENTED[one.kind] and " " or " of the model ") .. does
      one.given = DOCUMENTED[one.kind] and "" or " (" .. one.does .. ". The vendor names no limit.)"
      return one
    end

    local function ask(w, one, tag, rate)
      local key = (one.reads and "post:{" or "likes:{") .. tag .. "}"
      w:flow(one.reads and "read" or "like", key, rate)
    end
    local function begin(w, one)
      w:command("capacity 1") -- the story's own routers turn all away, which is less to play; the system is asked all the same
      for name in pairs(RULES) do if name ~= "bigtable" and w:system(name) then w:command("system " .. name .. " off") end end
      for n = 1, 16 do
        pcall(w.flow, w, "like", "likes:{p" .. n .. "}", 0)
        pcall(w.flow, w, "read", "post:{p" .. n .. "}", 0)
      end
      pcall(w.command, w, "series row 0")
      local parts = one.load == "warm" and " 1" or ""
      w:command("system " .. one.name .. " on" .. parts)
      if LOADS[one.load].items then w:command("system " .. one.name .. " set items " .. LOADS[one.load].items) end
      if one.kind == "bigtable" then w:command("system hbase set splits load") end
      if one.load == "series" then w:command("series row " .. one.rate)
      elseif one.load == "warm" then
        for i = 0, one.count - 1 do ask(w, one, "p" .. one.from + i, one.each) end
      elseif one.load == "mixed" then
        for i = 0, one.count - 1 do ask(w, one, "p" .. one.from + i, one.from + i == one.post and one.hot or one.each) end
      else ask(w, one, "p" .. one.post, one.rate) end
    end
    -- Until the queue of a full machine is as long as anybody waits.
    local function fill(w, one) w:play_for(one.reads and 6.2 or 5.2) end
    local function served(w, one)
      local s = w:system(one.name).second
      assert(s.asked > 0, "this drill cannot be set up here: nothing is asked")
      return percent(s.ok, s.asked)
    end

    -- What a run of it shows, once.
    local function look(w, one)
      if one.seen then return one.seen end
      local f = w:fork()
      local seen = { parts = f:system(one.name).parts, before = served(f, one) }
      seen.beyond = f:system(one.name).second.asked - f:system(one.name).second.ok
      seen.asked = f:system(one.name).second.asked
      f:play_for(one.seconds)
      seen.after, seen.splits, seen.more = served(f, one), f:system(one.name).splits, f:system(one.name).parts
      seen.outcome = seen.splits == 0 and "none" or seen.after >= SERVED and "helps" or "useless"
      one.seen = seen
      return seen
    end

    local function outcomes(one)
      local function is(outcome) return function(w) return look(w, one).outcome == outcome end end
      return {
        { "It is cut, and nearly all is served", belief = "what is managed is split as needed", why = one.rule .. " " .. one.obstacle, holds = is("helps") },
        { "It is cut, and much is still turned away or late", belief = "whatever is busy is cut", why = one.rule .. " " .. one.obstacle, holds = is("useless") },
        { "Nothing is cut", belief = "nobody cuts a live store", why = one.rule .. " " .. one.obstacle, holds = is("none") },
      }
    end
    local TOLD = { helps = "It was cut, and {after}% is served.", useless = "It was cut, into {more}, and {after}% is served.", none = "Nothing was cut, and {after}% is served." }
    local function told(w, one)
      local seen = look(w, one)
      return (string.gsub(TOLD[seen.outcome], "{(%a+)}", function(name) return tostring(seen[name]) end))
    end

    -- --- what would help ---

    -- The busiest piece, in the middle of what it has; the number of the new piece.
    local function cut(f, one)
      local busy, tags, at, before = nil, {}, "", {}
      for _, p in ipairs(f:system_parts(one.name)) do
        before[p.number] = true
        if p.state == "open" and (not busy or p.writes > busy.writes) then busy = p end
      end
      for i = 0, one.count - 1 do tags[#tags + 1] = "p" .. one.from + i end
      table.sort(tags) -- as they lie in a table that keeps keys in order
      if one.name == "kinesis" then table.sort(tags, function(a, b) return f:system_key("kinesis", a).at < f:system_key("kinesis", b).at end) end
      if one.load == "warm" then at = " " .. tags[one.count // 2 + 1] end
      pcall(f.command, f, "system " .. one.name .. " cut " .. busy.number .. at)
      for _, p in ipairs(f:system_parts(one.name)) do
        if p.state == "open" and not before[p.number] then return p.number end
      end
    end
    -- The load of one key goes to eight.
    local function salted(f, one, name)
      local rate = one.hot or one.rate
      ask(f, one, "p" .. one.post, 0)
      for i = 1, 8 do ask(f, one, name(i), rate // 8) end
    end
    local function to_other(f, one, number)
      local piece = number and f:system_part(one.name, number)
      for _, m in ipairs(piece and f:system_machines(one.name) or {}) do
        if m.number ~= piece.machine and m.writes + m.reads < 100 and pcall(f.command, f, "system " .. one.name .. " move " .. number .. " " .. m.number) then return end
      end
    end
    local function set(words) return function(f, one) pcall(f.command, f, "system " .. one.name .. " " .. words) end end
    local CURES = {
      salt = { "Write it as eight keys, with salts that spread", "salts are for reads", "Eight keys are hashed to up to eight places. A sum is what a read pays.",
        function(f, one)
          local best, least -- the mark between key and salt by which the fewest meet in one place
          for _, mark in ipairs { "#", "-", ":", ".", "_", "/", "+", "~" } do
            local at, most = {}, 0
            for i = 1, 8 do
              local key = f:system_key(one.name, "p" .. one.post .. mark .. i)
              at[key.part] = (at[key.part] or 0) + 1
              most = math.max(most, at[key.part])
            end
            if not least or most < least then best, least = mark, most end
          end
          salted(f, one, function(i) return "p" .. one.post .. best .. i end)
        end },
      front = { "Write it as eight keys, a letter in front", "salts are for reads", "Keys that begin with other letters are in other places. A sum is what a read pays.",
        function(f, one) salted(f, one, function(i) return string.sub("bdhkoruy", i, i) .. ".p" .. one.post end) end },
      behind = { "Write it as eight keys, a number behind", "a salt is a salt", "In key order these eight are neighbours, and where only size cuts they stay together. (Where load cuts too, they are parted after a while.)",
        function(f, one) salted(f, one, function(i) return "p" .. one.post .. "#" .. i end) end },
      prefix = { "Put a hash in front of the number", "order is never given up", "With it the next number may be anywhere.",
        function(f, one)
          f:command("series row 0")
          for i = 1, 16 do ask(f, one, string.sub("gaqdxhbtkzmrcwnv", i, i) .. "row", one.rate // 16) end
        end },
      cut = { "Cut it by hand, between two keys", "a cut halves the load", "A cut parts what lies on both sides of it. What comes to one side only stays together.",
        function(f, one) cut(f, one) end },
      move = { "Cut it, and move one piece away", "pieces stay together", "Half of the keys are work for another machine then.",
        function(f, one)
          local number = cut(f, one)
          f:play_for(0.5)
          to_other(f, one, number)
        end },
      idle = { "Move it to an idle machine", "an idle machine can do more", "An idle machine can do as much as this one.",
        function(f, one) to_other(f, one, f:system_of(one.name, "p" .. one.post).number) end },
      reshard = { "Reshard: its shard becomes two", "a cut halves the load", "One of both gets all of it.",
        function(f, one)
          cut(f, one)
          f:play_for(1)
          set("set serves reads")(f, one)
          set("set serves new")(f, one)
          f:play_for(1)
        end },
      parts = { "Eight partitions instead of four", "more pieces, more room", "One key is in one partition, of four or of eight.", set("parts 8") },
      units = { "Provision 40,000 units for the table", "a table's units are everybody's", "One partition has its own limit, however much the table has.", set("set capacity 40000") },
      reads = { "Read eventually", "half the price is half the load", "A read costs half then. These are writes.", set("set reads eventual") },
      reader = { "Read it faster", "a full shard is read too slowly", "What is full is the way in.", set("set reader 2000") },
      machine = { "Add a machine", "more machines, more room", "A new machine is no help to what stays where it is.", set("grow") },
    }
    local function cured(w, one, cure)
      one.cured = one.cured or {}
      if one.cured[cure] == nil then
        local f = w:fork()
        CURES[cure][4](f, one)
        f:play_for((cure == "idle" or cure == "reshard") and 7 or 3) -- until the queue of a new place would be full as well
        one.cured[cure] = served(f, one)
      end
      return one.cured[cure]
    end
    local a = case(draw())
    local b = case(draw({ a.kind }))
    local choices = {}
    for i, cure in ipairs(r:shuffle(a.cures)) do
      choices[i] = { CURES[cure][1], belief = CURES[cure][2], why = CURES[cure][3], holds = function(w) return cured(w, a, cure) >= SERVED end }
    end
    local function all_cures(w)
      local out = {}
      for i, cure in ipairs(a.cures) do out[i] = CURES[cure][1] .. ": " .. cured(w, a, cure) .. "%" end
      return table.concat(out, ". ")
    end
    local with = { a = a, b = b, round = round, told = told, look = look, cures = all_cures }
    local function start(one) return function(w)
      begin(w, one)
      fill(w, one)
    end end
    local function show(one) return { (one.name == "cassandra" and "machines:" or "parts:") .. one.name } end
    local function beyond(w) return look(w, a).beyond end

    return { world = "story-quiet", steps = {
      { id = "beyond", title = "How much is too much", show = show(a), with = with,
        enter = function(w) begin(w, a) end,
        say = a.title .. ": " .. a.say .. " Nothing has been cut yet." .. a.given,
        predict = { id = "drill-split-beyond", kind = "number", unit = a.unit .. "/s", tolerance = a.rate // 50,
          ask = "About how many " .. a.unit .. " a second are turned away, or late?",
          answer = beyond,
          wrong = function(w)
            local right, out = look(w, a).beyond, {}
            local function add(value, belief, why)
              if math.abs(value - right) > a.rate // 25 then out[value] = { belief = belief, why = why } end
            end
            add(0, "there is room elsewhere", "Elsewhere is no help to what is here.")
            add(a.rate, "beyond a limit nothing is served", "Up to the limit it is. Only what is beyond it is not.")
            add(a.rate - a.rate // 4, "all pieces share it", "One piece has it all.")
            return out
          end,
          why = a.does .. ".",
          hints = { "How much can one " .. PLACES[a.kind] .. " do?", a.does .. ".", grouped(a.rate) .. " - " .. grouped(a.limit) .. "." } },
        run = function(w) fill(w, a) end,
        after = "{look(w, a).beyond} of {look(w, a).asked}." },

      { id = "first", title = a.title, show = show(a), with = with,
        say = "The same in " .. a.title .. ": " .. a.say .. " It goes on, and nobody does anything by hand.",
        predict = { id = "drill-split-first", kind = "choice", ask = "After a good minute:", choices = r:shuffle(outcomes(a)),
          why = a.rule .. " " .. a.obstacle,
          hints = { "Does this system cut by load?", a.rule, a.obstacle } },
        after = "{told(w, a)} " .. a.rule },

      { id = "cure", title = "What would help", show = show(a), with = with,
        say = "Still " .. a.title .. ", and nothing is cut yet. " .. a.say,
        predict = { id = "drill-split-cure", kind = "several", ask = "By which is nearly all served, some seconds later?", choices = choices,
          why = "Work for one piece must become work for several, on several machines.",
          hints = { "What is in the way?", a.obstacle, "Which of them changes that?" } },
        after = "Served then: {cures(w)}." },

      { id = "second", title = b.title, show = show(b), with = with, enter = start(b),
        say = b.title .. ": " .. b.say .. " It cannot all be served as it is. Nobody does anything by hand.",
        predict = { id = "drill-split-second", kind = "choice", ask = "After a good minute:", choices = r:shuffle(outcomes(b)),
          why = b.rule .. " " .. b.obstacle,
          hints = { "Does this system cut by load?", b.rule, b.obstacle } },
        after = "{told(w, b)} " .. b.rule },
    } }
  end,
}
