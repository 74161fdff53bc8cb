-- An expansion: a new shard joins, and data moves to it while everybody reads. Copies use the disks that
-- requests use. What a read costs then, the fastest throttle that keeps p99, how long it all takes, what
-- several copies at once change, and what is left for the evening. Then a node dies: copies fill the links, and
-- heartbeats come late. Every answer is a run's.

local QUERY = 5 -- ms, without copies
local FIRST = 900 -- GB of a slot

return drill {
  id = "storm", part = 8, title = "The throttle",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local key = r:pick({ "photo", "video", "album", "track" }) .. ":{" .. r:between(100, 999) .. "}"
    local slot, source, target = map:position(key), "S" .. map:owner(key), "S4"
    local disk = r:pick({ 200, 400, 500, 800 })
    local total = r:between(10, 40) / 10 -- TB to move
    local part = r:pick({ { 1, 2 }, { 3, 5 }, { 3, 4 }, { 4, 5 } })
    local first = disk * part[1] // part[2]
    local bound = r:pick({ 8, 10, 14, 18 })
    local reads = 50 * r:between(5, 9)
    local spare = r:pick({ 0.45, 0.55, 0.65, 0.70 }) -- of the ceiling, without copies
    local ceiling = math.floor(reads / (1 - spare))
    local link = r:pick({ 50, 100, 200 }) -- MB/s of a node
    local held = link * r:between(2, 4) -- MB of a partition
    local timeout = r:pick({ 1400, 1500, 2500, 3000 })
    local budgets = {}
    for _, percent in ipairs { 10, 20, 30, 45, 70, 90 } do budgets[#budgets + 1] = link * percent // 100 end
    local throttles = {}
    for _, percent in ipairs { 5, 10, 20, 30, 40, 50, 60, 80 } do throttles[#throttles + 1] = disk * percent // 100 end

    local function copy(w, throttle)
      w:command("budget " .. throttle .. "MB")
      w:command("migrate " .. slot .. " " .. target .. " " .. FIRST .. "GB")
    end
    -- Long enough that a bucket that runs empty is empty. Asked in one step only, so the world is the same.
    local measured = {}
    local function beside(f, throttle)
      f:command("budget " .. throttle .. "MB")
      f:play_for(3)
      return (f:latency("read", 99))
    end
    local function p99(w, throttle)
      measured[throttle] = measured[throttle] or beside(w:fork(), throttle)
      return measured[throttle]
    end
    -- The fastest that keeps the bound, found by trying one after the other.
    local function best(w)
      local fastest
      for _, throttle in ipairs(throttles) do
        if p99(w, throttle) > bound then break end
        fastest = throttle
      end
      return fastest
    end
    local function hours(bytes, speed) return math.floor(bytes / speed / 360 + 0.5) / 10 end
    local function tb() return string.format("%.1f", total) end
    local function left(w)
      local f = w:fork()
      f:flow("read", key, 3 * ceiling, "steady")
      f:command("ceiling " .. source .. " 1000 " .. ceiling)
      f:play_for(1)
      local before = f[source].served
      f:play_for(1)
      return f[source].served - before
    end

    local NODES = r:pick({ 5, 6, 8, 10 })
    local SHORT = 1500
    -- As many partitions as nodes, of three copies each. Nothing of an earlier death is left.
    local function cluster(w, ms)
      if w:nodes() == 0 then
        for i = 1, NODES do w:command("node add " .. ({ "a", "b", "c" })[i % 3 + 1]) end
      end
      w:command("beats off")
      w:command("recopy off")
      w:command("node N3 up")
      w:command("node link " .. link .. "MB")
      for i = 1, NODES do
        w:command("group P" .. i .. " N" .. i .. " N" .. i % NODES + 1 .. " N" .. (i + 1) % NODES + 1 .. " bytes " .. held .. "MB")
      end
      w:command("beats 1000 timeout " .. ms)
      w:play_for(4)
    end
    local function death(f, budget)
      f:command("recopy on" .. (budget and " " .. budget .. "MB" or ""))
      f:command("node N3 down")
      f:play_for(12)
    end
    -- How many copies share the fullest link, at a budget that leaves all of them room.
    local function together(w)
      local f, most = w:fork(), 0
      f:command("recopy on 1MB")
      f:command("node N3 down")
      f:play_for(4)
      for i = 1, NODES do most = math.max(most, f:node("N" .. i).bulk // 1000000) end
      return most
    end
    local calm = {}
    local function is_calm(w, budget)
      if calm[budget] == nil then
        local f = w:fork()
        death(f, budget)
        calm[budget] = f:beats().falsely == 0
      end
      return calm[budget]
    end
    local function largest(w)
      local last
      for _, budget in ipairs(budgets) do
        if not is_calm(w, budget) then break end
        last = budget
      end
      return last
    end

    local function mistakes(right, far, list)
      local out = {}
      for _, m in ipairs(list) do
        local apart = math.abs(m[1] - right) > far
        for value in pairs(out) do apart = apart and math.abs(value - m[1]) > far end
        if apart then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local names = { key = key, S = source, T = target, disk = disk, total = tb, first = first, bound = bound, reads = reads,
      ceiling = ceiling, query = QUERY, gb = FIRST, slot = slot, p99 = p99, best = best, spans = hours,
      rest = function(w) return disk - w:move_of(slot).speed // 1000000 end,
      slower = function() return part[2] - part[1] end, of = function() return part[2] end,
      ms = function(x) return string.format("%.1f", x) end,
      nodes = NODES, link = link, held = held, seconds = function(x) return string.format("%.1f", x / 1000) end, timeout = timeout, short = SHORT,
      together = together, largest = largest }

    return { world = "story-near", steps = {
      { id = "one-read", title = "One disk for both", show = { "move:" .. slot, "latency" }, key = key, with = names,
        enter = function(w)
          w:add_shard("c")
          w:command("disk " .. source .. " " .. disk .. "MB")
          w:flow("read", key, 100, "scattered")
          w:play_for(0.5)
        end,
        say = [[{T} joins, and data moves there from {S}, whose disk does {disk} MB/s. Copies and requests share it: what a copy takes of it is missing for them. A read of `{=key}` takes {query} ms.

          A copy begins, at {first} MB/s.]],
        predict = { id = "drill-storm-read", kind = "number", unit = "ms", tolerance = 0.5,
          ask = "How long does a read take while it runs?",
          answer = function(w) return (w:latency("read", 50)) end,
          wrong = mistakes(QUERY * part[2] / (part[2] - part[1]), 0.5, {
            { QUERY, "a copy runs in the background", "It reads the same disk. Nothing on a disk is in the background." },
            { QUERY * (part[1] + part[2]) / part[2], "it adds its share", "The read has what is left of the disk, {slower()} of {of()} parts: it takes as many times longer." } }),
          why = "What is left of the disk decides: {slower()} of {of()} parts.",
          hints = { "How much of the disk is left?", "{slower()} of {of()} parts.", "{query} ms x {of()} / {slower()}." } },
        run = function(w)
          copy(w, first)
          w:play_for(4)
        end,
        after = [[{ms(w:latency("read", 50))} ms. For the same reason fewer reads fit into a second.]] },

      { id = "throttle", title = "As fast as may be", show = { "table", "bars" }, key = key, with = names,
        enter = function(w)
          w:command("ceiling " .. source .. " 1000 " .. ceiling .. " 5000")
          w:command("budget " .. throttles[1] .. "MB")
          w:flow("read", key, reads, "scattered")
          w:play_for(1)
        end,
        table = function()
          local rows = {}
          for i, throttle in ipairs(throttles) do
            rows[i] = { label = throttle .. " MB/s", run = function(f) beside(f, throttle) end,
              cells = function(f) return { string.format("%.1f", (f:latency("read", 99))), throttle * 100 // disk } end }
          end
          return { title = "Reads beside a copy", columns = { "throttle", "p99 in ms", "% of disk" }, numbers = { 2, 3 }, rows = rows }
        end,
        knobs = { { name = "cap", label = "throttle", values = throttles } },
        say = [[Now {reads} reads a second come. Without a copy {S} can serve up to {ceiling}, its ceiling. 99 of 100 reads shall be answered within *{bound} ms*.

          At {knob.cap} MB/s p99 is *{ms(p99(w, knob.cap))} ms*.]],
        predict = { id = "drill-storm-throttle", kind = "number", unit = "MB/s", tolerance = 0,
          ask = "Which is the fastest throttle of these that keeps it? (C turns it.)",
          answer = best,
          wrong = function(w) return mistakes(best(w), 0, {
            { throttles[#throttles], "a copy runs in the background", "At that speed p99 is {ms(p99(w, " .. throttles[#throttles] .. "))} ms." },
            { throttles[1], "slow is safe, and safe is best", "It keeps the bound, and so does {best(w)} MB/s: a slow expansion is one that is not there when it is needed." } }) end,
          why = "The next one would break the bound.",
          hints = { "Turn the throttle up, and read p99.", "Up to the last one within {bound} ms.", "One more is too much." } },
        after = [[{best(w)} MB/s: {ms(p99(w, best(w)))} ms. It does not grow evenly: towards the end reads also have to queue.]] },

      { id = "how-long", title = "How long it takes", show = { "move:" .. slot }, key = key, with = names,
        enter = function(w) w:command("budget " .. best(w) .. "MB") end,
        say = [[{total()} TB have to move, slot after slot, at {best(w)} MB/s. (A TB is 1,000,000 MB.) The picture shows the first slot alone, which holds {gb} GB.]],
        predict = { id = "drill-storm-hours", kind = "number", unit = "h", tolerance = 0.2,
          ask = "How many hours does the expansion take?",
          answer = function(w) return hours(total * 1000000000000, w:move_of(slot).speed) end,
          wrong = function(w)
            local speed = w:move_of(slot).speed
            return mistakes(hours(total * 1000000000000, speed), 0.2, {
              { hours(total * 1000000000000, disk * 1000000), "it goes at the disk's speed", "Readers have their part of the disk. The throttle is what copies get." },
              { hours(total * 1000000000000, speed / 8), "a rate is in bits", "The throttle is in bytes. Only links are sold in bits." } })
          end,
          why = "All bytes over the rate that readers allow.",
          hints = { "All MB over MB a second.", "{total()} x 1,000,000 / {best(w)} seconds.", "An hour has 3,600." } },
        after = [[{spans(total() * 1000000000000, w:move_of(slot).speed)} h. An expansion has to begin so long before it is needed.]] },

      { id = "at-once", title = "Several at once", show = { "table" }, key = key, with = names,
        table = function()
          local rows = {}
          for copies = 1, 3 do
            rows[copies] = { label = tostring(copies), run = function(f)
                for i = 2, copies do f:command("migrate " .. slot + (slot % 4096 < 4000 and i or -i) .. " " .. target .. " " .. FIRST .. "GB") end
                f:play_for(0.5)
              end,
              cells = function(f)
                local all = math.floor(f:move_of(slot).speed * copies / 1000000 + 0.5)
                return { string.format("%.1f", all / copies), all, hours(total * 1000000, all) }
              end }
          end
          return { title = "Under one throttle", columns = { "copies", "MB/s each", "all", "hours" }, numbers = { 2, 3, 4 }, rows = rows }
        end,
        say = [[The throttle is for all copies together, {best(w)} MB/s. Somebody starts a second and a third slot at the same time, so that it goes faster.]],
        predict = { id = "drill-storm-two", kind = "choice",
          ask = "What becomes of the expansion?",
          choices = r:shuffle {
            { "It takes a third of the time.", belief = "more copies are faster", why = "They share what the readers leave.",
              holds = function() return cells[3][4] < cells[1][4] * 0.9 end },
            { "It takes as long as before.", holds = function() return math.abs(cells[3][4] - cells[1][4]) <= cells[1][4] * 0.1 end },
            { "It takes longer.", belief = "copies get in each other's way", why = "Each goes slower, and there are as many more. The sum is the throttle.",
              holds = function() return cells[3][4] > cells[1][4] * 1.1 end } },
          why = "The sum is what counts for readers, and for the hours.",
          hints = { "What does the throttle limit?", "The sum of all copies.", "A third of the speed, three at a time." } },
        after = [[Each goes slower, all together as fast. And while its copy lasts the writes to a slot pile up in its log, its tail: now three slots do so, each for three times as long.]] },

      { id = "evening", title = "In the evening", show = { "bars" }, key = key, with = names,
        say = [[The copy goes on at {best(w)} MB/s, of {disk} that the disk of {S} does. Without it {S} serves {ceiling} reads a second. In the evening {3 * ceiling} come; what it cannot serve it refuses.]],
        predict = { id = "drill-storm-evening", kind = "number", unit = "reads/s", tolerance = math.floor(ceiling / 40) + 2,
          ask = "How many does it serve a second, while the copy runs?",
          answer = left,
          wrong = function(w)
            return mistakes(left(w), math.floor(ceiling / 40) + 2, {
              { ceiling, "a ceiling stays where it is", "It is what the disk can do. The copy has its part of that." },
              { math.floor(ceiling * best(w) / disk + 0.5), "the copy's part is what is left", "That is what the copy takes. What is left is the rest." } })
          end,
          why = "Of the ceiling the same part is left as of the disk.",
          hints = { "Which part of the disk is left?", "{rest(w)} of {disk}.", "{ceiling} x {rest(w)} / {disk}." } },
        run = function(w)
          w:flow("read", key, 3 * ceiling, "steady")
          w:command("ceiling " .. source .. " 1000 " .. ceiling)
          w:play_for(1)
        end,
        after = [[So the throttle of the night is not that of the evening: it follows what is spare, or the copies wait.]] },

      { id = "deaths", title = "Dead, or late", show = { "nodes" }, with = names,
        enter = function(w)
          w:flow("read", key, 0)
          cluster(w, timeout)
        end,
        say = [[Another cluster: {nodes} nodes, each partition on three of them, {held} MB each. Once a second a node tells the directory that it lives: its *heartbeat*. Silent for *{seconds(timeout)} s* it is declared dead, and its copies are made anew, at full speed.

          At a link that copies fill a heartbeat comes a second late. N3 dies.]],
        predict = { id = "drill-storm-deaths", kind = "choice",
          ask = "Who is declared dead?",
          choices = r:shuffle {
            { "N3 alone", belief = "only the dead are silent", why = "Two heartbeats are a second apart. If the second one is a second late, that is two seconds of silence, and {seconds(timeout)} s are enough for a death.",
              holds = function(w) return w:beats().declared == 1 end },
            { "N3, and nodes that live", belief = "late is dead", why = "Two heartbeats that are a second apart, the second a second late: two seconds of silence. {seconds(timeout)} s are longer.",
              holds = function(w) return w:beats().falsely > 0 end },
            { "Nobody", belief = "a directory cannot know", why = "It cannot know. It waits {seconds(timeout)} s, and N3 stays silent for longer.",
              holds = function(w) return w:beats().declared == 0 end } },
          why = "A heartbeat that is a second late makes two seconds of silence.",
          hints = { "How long is the silence before a heartbeat that comes a second late?", "A second, and one more.", "Is the timeout, {seconds(timeout)} s, longer than that?" } },
        run = function(w) death(w) end,
        after = [[{w:beats().declared} declared, {w:beats().falsely} of them alive. Copies that were made anew: {w:recopy().done}. Where the living are declared dead, their copies fill more links: it feeds itself.]] },

      { id = "late", title = "A budget for each copy", show = { "table" }, with = names,
        enter = function(w) cluster(w, SHORT) end,
        table = function()
          local rows = {}
          for i, budget in ipairs(budgets) do
            rows[i] = { label = budget .. " MB/s", run = function(f) death(f, budget) end,
              cells = function(f) return { f:beats().falsely, f:recopy().done } end }
          end
          return { title = "N3 dies, 12 s later", columns = { "each copy", "dead, alive", "copies made" }, numbers = { 2, 3 }, rows = rows }
        end,
        say = [[The same cluster, with a timeout of {seconds(short)} s. A link does {link} MB/s. Now each copy has a budget. When N3 dies, {together(w)} copies meet at the fullest link.

          A heartbeat waits 10 ms at a link that is half full, 90 ms at nine tenths, a second at one that is full.]],
        predict = { id = "drill-storm-budget", kind = "number", unit = "MB/s", tolerance = 0,
          ask = "Which is the largest budget of these with which nobody who lives is declared dead?",
          answer = largest,
          wrong = function(w) return mistakes(largest(w), 0, {
            { budgets[#budgets], "one copy is not the link", "One is not. But {together(w)} of them meet at one link, and fill it." },
            { budgets[1], "slow is safe, and safe is best", "It is calm, and so is {largest(w)} MB/s. Until the copies are made, one more death may lose data." } }) end,
          why = "{together(w)} x {largest(w)} MB/s leave room at a link of {link}; the next one does not.",
          hints = { "How much do {together(w)} copies take of a link?", "Together less than {link} MB/s.", "{link} / {together(w)}: the next smaller one." } },
        after = [[{largest(w)} MB/s. A longer timeout would do as well, and find a true death later.]] },
    } }
  end,
}
