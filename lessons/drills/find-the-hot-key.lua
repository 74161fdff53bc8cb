-- Another evening, another hot post: which shard, which post, what kind, what a sketch knows of it, and
-- which limit. New posts, rates and machines each time; what is asked is counted on the cluster.

local POSTS, LIKES_EACH, READS_EACH = 16, 5, 10
local WRITES, READS = 100, 300 -- ceilings of a usual shard
local LINE = 70                  -- percent of a ceiling, for the report

local function round(x)
  return math.floor(x + 0.5)
end


-- The posts of each shard, as the story's map has them.
local HOME = { [0] = {}, {}, {}, {} }
do
  local map = layout("slots", { shards = 4, deal = "ranges" })
  for i = 1, POSTS do table.insert(HOME[map:owner("{p" .. i .. "}")], "p" .. i) end
end

return drill {
  id = "find-the-hot-key", part = 3, title = "Find the hot key",
  make = function(r)
    -- The hot one, and a loud one on a machine four times as big, which is asked for more than any other.
    local order = r:shuffle { 0, 1, 2, 3 }
    local ill, big = order[1], order[2]
    local hot, loud = r:pick(HOME[ill]), r:pick(HOME[big])
    local kind = r:pick { "writes", "reads", "both" }
    local likes, reads = r:between(6, 9), r:between(12, 30)
    if kind ~= "reads" then likes = 5 * r:between(18, 34) end
    if kind ~= "writes" then reads = 10 * r:between(28, kind == "both" and 46 or 50) end
    local loud_reads = 10 * r:between(70, 76)
    local nines = r:between(4, 9)

    local function begin(w)
      for i = 1, POSTS do
        w:flow("like", "likes:{p" .. i .. "}", LIKES_EACH, "scattered")
        w:flow("read", "post:{p" .. i .. "}", READS_EACH, "scattered")
      end
      w:flow("like", "likes:{" .. hot .. "}", likes, "scattered")
      w:flow("read", "post:{" .. hot .. "}", reads, "scattered")
      w:flow("read", "post:{" .. loud .. "}", loud_reads, "scattered")
      for i = 0, 3 do
        local times = i == big and 4 or 1
        w:command("ceiling S" .. i .. " " .. times * WRITES .. " " .. times * READS)
      end
      w:command("sample 10 5000")
      w:play_for(6)
    end

    -- --- what the cluster says ---

    local function fullest(w)
      local most, which = -1, nil
      for i = 0, 3 do
        local s = w["S" .. i]
        local full = math.max(s.write_pct, s.read_pct)
        if full > most then most, which = full, "S" .. i end
      end
      return which
    end
    local function busiest(w)
      local most, which = -1, nil
      for i = 0, 3 do
        local s = w["S" .. i]
        if s.writes + s.reads > most then most, which = s.writes + s.reads, "S" .. i end
      end
      return which
    end
    -- The post that the fullest shard is asked for most.
    local function loudest(w)
      local s, most, which = fullest(w), -1, nil
      for _, post in ipairs(HOME[math.tointeger(tonumber(string.sub(s, 2)))]) do
        local asked = w:asked("likes:{" .. post .. "}").writes / WRITES + w:asked("post:{" .. post .. "}").reads / READS
        if asked > most then most, which = asked, post end
      end
      return which
    end
    local function kind_of(w)
      local s = w[fullest(w)]
      if s.write_pct > LINE and s.read_pct > LINE then return "both" end
      return s.write_pct > LINE and "writes" or "reads"
    end

    local names = { line = LINE, usual_writes = WRITES, usual_reads = READS, big = big, ill = ill, hot = hot, loud = loud, fullest = fullest, busiest = busiest, loudest = loudest,
      writes = function(w) return w[fullest(w)].write_pct end, reads = function(w) return w[fullest(w)].read_pct end }

    local wrong_shard = function(w)
      return { [busiest(w)] = busiest(w) ~= fullest(w) and { belief = "the longest bar is the fullest",
        why = "It is asked for most, and it is a bigger machine. Its percentages are lower." } or nil }
    end
    local function why_not(name)
      local reason = {
        writes = { "a busy shard is busy with writes", "Its reads are at {reads(w)}% of their ceiling, its writes at {writes(w)}%." },
        reads = { "what is read most is hot", "Its writes are at {writes(w)}% of their ceiling, its reads at {reads(w)}%." },
        both = { "a large share is enough", "Only one of the two ceilings is over {line}%: writes are at {writes(w)}%, reads at {reads(w)}%." },
      }
      return { name == "both" and "both" or name, belief = reason[name][1], why = reason[name][2],
        holds = function(w) return kind_of(w) == name end }
    end

    -- --- the limit ---

    local limited = kind == "writes" and "likes" or "post"
    local ceiling = limited == "likes" and WRITES or READS
    local each = limited == "likes" and LIKES_EACH or READS_EACH
    local beside = 3 * each
    local function limit(w)
      local of = "S" .. ill
      local shard = w[of]
      local own = w:asked(limited .. ":{" .. hot .. "}")
      local others = limited == "likes" and shard.writes - own.writes or shard.reads - own.reads
      local top = limited == "likes" and shard.write_ceiling or shard.read_ceiling
      return round(top * LINE / 100 - others)
    end
    names.what = limited == "likes" and "likes" or "reads"
    names.ceiling, names.each, names.key = ceiling, each, limited .. ":{" .. hot .. "}"

    -- --- a sketch ---

    -- A key of the first dozen that the sketch is not sure of.
    local from = r:between(1, 8)
    local function unsure(w)
      local rows, found = w:hot(12), nil
      for i, row in ipairs(rows) do
        if row.error > 0 and (i >= from or not found) then
          found = row
          if i >= from then break end
        end
      end
      return found or { key = "none", requests = 0, error = 0 }
    end
    names.unsure = unsure

    local show = { "bars", "top" }
    return { world = "story-quiet", steps = {
      { id = "where", title = "Where?", show = show, with = names, enter = begin,
        say = [[A smaller cluster: a shard takes {usual_writes} writes and {usual_reads} reads a second. S{big} is a bigger machine, with four times as much. Somebody's likes or reads
          fail, and somebody waits for you: the end of the drill says how long it took.]],
        predict = { id = "drill-find-where", kind = "text",
          ask = "Which shard is in trouble?",
          answer = fullest, wrong = wrong_shard,
          why = "It is over {line}% of a ceiling of its own, and the only one.",
          hints = { "The length of a bar is not the point.", "Compare each with its own ceiling.", "Which percentage is above {line}?" } },
        after = [[{fullest(w)}: writes at {writes(w)}%, reads at {reads(w)}%.]] },

      { id = "which", title = "Which?", show = show, with = names,
        say = [[{fullest(w)} is in trouble, and four posts live there. The sample names keys with their shards.]],
        predict = { id = "drill-find-which", kind = "text",
          ask = "Which post is hot? Write p and its number.",
          answer = loudest,
          wrong = { [loud] = { belief = "the loudest key is the hot one", why = "{loud} is on S{big}, which can serve it." },
            p9 = hot ~= "p9" and { belief = "it is always p9", why = "p9 is as quiet as any other tonight." } or nil },
          why = "Of all that {fullest(w)} is asked for, most is for this tag.",
          hints = { "Look only at keys of {fullest(w)}.", "The longest bar among them.", "{hot}." } },
        after = [[{loudest(w)}.]] },

      { id = "what", title = "What?", show = show, with = names,
        say = [[{fullest(w)} is asked for {writes(w)}% of its writes and {reads(w)}% of its reads. The report's line is {line}%.]],
        predict = { id = "drill-find-what", kind = "choice",
          ask = "What is {hot} hot in?",
          choices = { why_not("writes"), why_not("reads"), why_not("both") },
          why = "A kind counts if its ceiling is more than {line}% used.",
          hints = { "Two percentages, one line.", "Which of them are above {line}?", "{writes(w)} and {reads(w)}." } },
        after = [[Reads call for caches, writes for salting or sums.]] },

      { id = "limit", title = "The limit", show = show, with = names,
        say = [[{fullest(w)} takes {ceiling} {what} a second. Its three other posts get {each} each. A limit for `{=key}` is to keep it at {line}%.]],
        predict = { id = "drill-find-limit", kind = "number", unit = "a second", tolerance = ceiling // 50,
          ask = "Which limit, in {what} a second?",
          answer = limit,
          wrong = { [ceiling * LINE // 100] = { belief = "a shard holds one key", why = "Its neighbours bring {3 * each} of these." },
            [ceiling - beside] = { belief = "full is fine", why = "That fills it to 100%. The line is {line}%." } },
          why = "{line}% of {ceiling}, less what its neighbours bring.",
          hints = { "{line}% of {ceiling}?", "{ceiling * line // 100}. Who else is there?", "Less three times {each}." } },
        run = function(w)
          w:command("limit key " .. names.key .. " " .. limit(w))
          w:play_for(1)
        end,
        after = [[The neighbours are safe. {hot}'s fans wait for the real cure.]] },

      { id = "sketch", title = "How sure?", show = { "top" }, with = names,
        enter = function(w)
          w:flow("read", "post:{" .. hot .. "}", READS_EACH, "scattered")
          w:flow("like", "likes:{" .. hot .. "}", LIKES_EACH, "scattered")
          w:flow("read", "post:{" .. loud .. "}", READS_EACH, "scattered")
          w:command("flow read old:* " .. 100 * nines .. " scattered over 300")
          w:command("sample 2 5000")
          w:play_for(6)
        end,
        say = [[Later, every second request is counted, and hundreds of old posts are asked for: more than the sketch has cells. A key without one takes the cell with the lowest sum, counts
          from 0, and keeps that sum as its error.

          Of `{=unsure(w).key}` it says {unsure(w).requests} counted, error {unsure(w).error}.]],
        predict = { id = "drill-find-sketch", kind = "number", tolerance = 0,
          ask = "At most how often was it in the sample?",
          answer = function(w) return unsure(w).requests + unsure(w).error end,
          wrong = function(w)
            local row = unsure(w)
            return { [2 * (row.requests + row.error)] = { belief = "a sample is read as traffic",
                why = "Every second request was counted, so there were twice as many. The question is about the sample." },
              [row.requests] = row.error > 0 and { belief = "a sketch counts exactly", why = "It came into its cell late, and may have been seen before." } or nil,
              [row.error] = row.error ~= row.requests and { belief = "the error is all", why = "What was counted comes on top." } or nil }
          end,
          why = "What was counted, and all that may have come before.",
          hints = { "The count is what was surely seen.", "The error is what may have come before.", "Add them." } },
        after = [[Between {unsure(w).requests} and {unsure(w).requests + unsure(w).error} times. For a key that is hot the error is nothing against its count.]] },
    } }
  end,
}
