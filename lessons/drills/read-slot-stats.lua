-- One node of a cluster, slot by slot, as CLUSTER SLOT-STATS counts: which slot works it hardest, what it is
-- asked, how full it makes the node, and what would help. Other keys, rates and times each time; sometimes
-- one key is the load, sometimes two slots share it.

local readings = require("readings")
local NODES, WRITES, READS = 4, 1000, 3000 -- what a node can do in a second

local function round(x) return math.floor(x + 0.5) end

return drill {
  id = "read-slot-stats", part = 11, title = "Read slot statistics",
  make = function(r)
    local map = layout("slots", { shards = NODES, deal = "ranges" })
    local home = r:between(0, NODES - 1)
    local S = "S" .. home
    -- Tags whose slots are this node's, each in a slot of its own.
    local tags, number = {}, r:between(1000, 8999)
    local taken = {}
    while #tags < 4 do
      local tag = "u" .. number
      local slot = map:position("{" .. tag .. "}")
      if map:owner("{" .. tag .. "}") == home and not taken[slot] then
        taken[slot] = true
        tags[#tags + 1] = { tag = tag, slot = slot }
      end
      number = number + 1
    end
    local hot, crowd, second, third = tags[1], tags[2], tags[3], tags[4]
    local reading = r:chance(1, 2)
    local alone = r:chance(1, 2)
    local seconds = r:between(3, 6)
    local many = r:between(9, 30)
    -- Percent of the node that each of them takes.
    local percent = alone and { hot = r:between(74, 88), second = r:between(2, 5), third = r:between(1, 3) }
      or { hot = r:between(46, 50), second = r:between(36, 42), third = r:between(2, 5) }

    local function ask(w, tag, part, reads)
      if reads then
        w:flow("read", "post:{" .. tag .. "}", READS * part // 100, "scattered")
      else
        w:flow("like", "likes:{" .. tag .. "}", WRITES * part // 100, "scattered")
      end
    end
    local hot_percent, kept -- percent of the node that the hot slot takes, before anything moves
    local function begin(w)
      for i = 1, many do w:command("request like cart:{" .. crowd.tag .. "}:" .. i .. " via R0") end
      w:play_for(1)
      w:command("system redis on")
      ask(w, hot.tag, percent.hot, reading)
      ask(w, second.tag, percent.second, not reading)
      ask(w, third.tag, percent.third, reading)
      w:flow("read", "cart:{" .. crowd.tag .. "}:1", 30, "scattered")
      w:play_for(seconds)
      kept = hot_percent(w)
    end

    local function stats(w, by, limit)
      return readings.stats((w:readout("slot-stats", S, { by = by, limit = limit or 5 })))
    end
    local function top(w) return stats(w, "cpu-usec")[1] end
    local function used(row) return 100 * row.cpu / (seconds * 1000000) end
    function hot_percent(w) return round(used(top(w))) end
    local function whole(w)
      local sum = 0
      for _, row in ipairs(stats(w, "cpu-usec")) do sum = sum + row.cpu end
      return sum
    end

    local names = { kept = function() return kept end, host = readings.host(home), seconds = seconds, hot = hot.slot, crowd = crowd.slot, second = second.slot, many = many,
      tag = hot.tag, alone = alone, reading = reading, top = top, round = round, micro = function(w) return top(w).cpu end,
      used = function(w) return round(used(top(w))) end, rest = function(w) return round(100 * (whole(w) - top(w).cpu) / (seconds * 1000000)) end,
      all = function(w) return round(100 * whole(w) / (seconds * 1000000)) end }
    local by_keys, by_work = { "readout:slot-stats:" .. S .. ":key-count:4" }, { "readout:slot-stats:" .. S .. ":cpu-usec:2" }

    local function kind(name, text, belief, why)
      return { text, belief = belief, why = why, holds = function(w)
        local row = top(w)
        return (row.bytes_out > 4 * row.bytes_in and "reads" or row.bytes_in > 4 * row.bytes_out and "writes" or "both") == name
      end }
    end
    -- What its own part is decides whether another node could bear it.
    local function helps(name, text, belief, why)
      return { text, belief = belief, why = why, holds = function(w)
        return (used(top(w)) > 70 and "key" or "slot") == name
      end }
    end

    return { world = "story-quiet", steps = {
      { id = "which", title = "A busy node", show = by_keys, with = names, enter = begin,
        say = [[{host} is slow, and four slots of it are in use. Its work has been counted for {seconds} seconds. This list is ordered by keys.]],
        predict = { id = "drill-slots-which", kind = "number", tolerance = 0,
          ask = "Which slot takes most of the node's time?",
          answer = function(w) return top(w).slot end,
          wrong = { [crowd.slot] = { belief = "many keys are much work", why = "It holds {many} keys, and hardly anybody asks for them. Work is cpu-usec: time of the processor, in microseconds." },
            [second.slot] = not reading and { belief = "many bytes are much work", why = "Bytes are what went over the network. The processor's time is cpu-usec." } or nil },
          why = "The highest cpu-usec.",
          hints = { "How many keys there are says nothing of how often they are asked for.", "cpu-usec is the processor's time.", "The highest of the four." } },
        after = [[Slot {=hot}: {micro(w)} microseconds, with {top(w).keys} key{top(w).keys == 1 and "" or "s"}.]] },

      { id = "what", title = "What is it asked?", show = by_work, with = names,
        say = [[Ordered by cpu-usec now. A read sends a short question in and a post of a kilobyte out. A write sends the command in, and a number out.]],
        predict = { id = "drill-slots-kind", kind = "choice",
          ask = "What is slot {=hot} asked?",
          choices = {
            kind("reads", "Mostly reads", "a busy slot is read", "What comes out is less than what goes in: nobody gets a post."),
            kind("writes", "Mostly writes", "a busy slot is written", "Much more comes out than goes in: posts, and those are reads."),
            kind("both", "As many of both", "a slot is asked for everything", "Then both numbers would be large. One is many times the other."),
          },
          why = "The two network numbers tell.",
          hints = { "Compare network-bytes-in with network-bytes-out.", "A read brings a kilobyte out.", "Which of the two is many times the other?" } },
        after = [[{top(w).bytes_in} bytes in, {top(w).bytes_out} out.]] },

      { id = "full", title = "How full?", show = by_work, with = names,
        say = [[The node does its commands one after the other, on one processor. Its counters were set to 0 {seconds} seconds ago.]],
        predict = { id = "drill-slots-full", kind = "number", unit = "%", tolerance = 1,
          ask = "How much of the node's time does slot {=hot} alone take?",
          answer = function(w) return round(used(top(w))) end,
          wrong = function(w)
            local right = round(used(top(w)))
            local list = {}
            for _, m in ipairs { { round(100 * top(w).cpu / whole(w)), "percent are of what is used", "That is its part of all that was used. The node had {seconds} seconds." },
              { round(100 * top(w).cpu / 1000000), "counters are of the last second", "They are sums since they were last set to 0, {seconds} seconds ago." } } do
              if math.abs(m[1] - right) > 1 and not list[m[1]] then list[m[1]] = { belief = m[2], why = m[3] } end
            end
            return list
          end,
          why = "Its microseconds over those of {seconds} seconds.",
          hints = { "A second has a million microseconds.", "{seconds} seconds have {seconds * 1000000}.", "{micro(w)} / {seconds * 1000000}." } },
        after = [[{used(w)}%, and all slots of the node together {all(w)}%.]] },

      { id = "helps", title = "What helps?", show = by_work, with = names,
        say = [[Another node of the same size takes over what you move to it. It is idle now. Aim: no node over 70%.]],
        predict = { id = "drill-slots-helps", kind = "choice",
          ask = "What do you do first?",
          choices = r:shuffle {
            helps("slot", "Move slot {=hot} to the idle node.", "a hot slot is moved away",
              "It takes {kept()}% wherever it is. The other node would be as full, and nothing is won."),
            helps("key", reading and "Cache what is read of slot {=hot}, in front of the node." or "Sum the likes of slot {=hot} before they are written.",
              "a hot slot needs a cure of its own", "It would help, and is code to write. {kept()}% fit on another node, and moving them is a command."),
            helps("none", "Move half of slot {=hot} to the idle node.", "a slot can be cut", "A slot is the least that moves, and what is hot in it is one key."),
            helps("none", "Move slot {=crowd}, which has the most keys.", "keys are the load", "Its keys are hardly asked for. It would take long and help nobody."),
          },
          why = "A slot moves with all its load. The other node must be able to bear it.",
          hints = { "How full would the other node be with it?", "{kept()}%.", "Is that below 70%?" } },
        run = function(w)
          if used(top(w)) <= 70 then
            w:command("move " .. hot.slot .. " S" .. (home + 1) % NODES)
            w:play_for(0.1)
          end
        end,
        after = [[{alone and "Moving is for slots that a node can bear. This one is too hot for any: its one key has to be asked for less." or "Now each of the two busy slots has a node of its own, and neither node is over 70%."}]] },
    } }
  end,
}
