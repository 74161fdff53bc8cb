-- The learner is the mover: a slot changes its shard while it is written and read, and each next act is
-- chosen. A wrong one is done, its shortest way to harm is told from exactly there, and one stands before
-- it again. What costs more than needed is allowed. Key, sizes, rates and the order of the choices are new
-- each time; pause, bytes and losses are the engine's, the ways to harm the checker's.

local TURNS, PROTOCOL = 16, "fence-and-flip"
local NAMES = { "likes", "votes", "views", "stars" }
local SHORTEST = { "leader", "tail", "fence", "drain", "commit", "mark", "delete" }

return drill {
  id = "fence-and-flip", part = 8, title = "You are the mover",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local name, number = r:pick(NAMES), r:between(100, 999)
    local key, rare = name .. ":{" .. number .. "}", "pins:{" .. number .. "}" -- the second is written once
    local source, target = "S" .. map:owner(key), "S4"
    local slot = map:position(key)
    local likes, reads = 20 * r:between(4, 10), 20 * r:between(4, 10)
    local seconds = r:pick({ 2, 3, 4 })
    local applies = likes * r:between(20, 30) // 10
    local speed = r:pick({ 20, 25, 50 })
    local mb = speed * seconds
    local deaf = "R" .. r:between(0, 5)
    local order = {}
    for turn = 1, TURNS do order[turn] = r:shuffle { 1, 2, 3, 4, 5, 6, 7, 8, 9 } end
    local did, from, lost, harm, paused, best = {}, {}, {}, {}, {}, {} -- by turn: its act, where it was done, what it showed

    local function move(w) return w:move_of(slot) end
    local function command(w, words) w:command((words:gsub("SLOT", tostring(slot)))) end
    local function begin(w)
      command(w, "migrate SLOT " .. target .. " " .. mb .. "MB " .. speed .. "MB")
      w:send("like", rare, "R0")
      w:play_until_phase(slot, "tailing")
    end
    local function without(w, rule, act)
      w:set_rule(rule, false)
      act()
      w:play_for(0.15)
    end
    local function fence(w)
      command(w, "fence SLOT")
      w:play_for(0.001)
    end

    -- The acts: what the choice says and what it does to the world. `turn` is the turn it is done in.
    local acts = {
      leader = { "copy from the leader", function(w) begin(w) end },
      follower = { "copy from a follower, stamped with " .. source .. "'s position", function(w)
        w:set_rule("snapshot-position", false)
        begin(w)
        w:set_rule("snapshot-position", true)
      end },
      early = { "let " .. target .. " serve, copy behind it", function(w)
        without(w, "target-waits-for-commit", function() begin(w) end)
      end },
      stop = { "stop " .. source .. " first, then copy", function(w)
        w:freeze(slot, slot, source, true)
        w:play_for(seconds)
      end },
      tail = { "let the tail run on", function(w) w:play_until_phase(slot, "caught-up") end },
      compare = { "compare both sides once more", function(w) w:play_for(1) end },
      fence = { "fence " .. source .. ": writes and reads", function(w) fence(w) end },
      unfit = { "fence " .. source .. ": writes and reads", function(w)
        without(w, "compare-before-fence", function() fence(w) w:play_until_phase(slot, "moved") end)
      end },
      writes = { "fence " .. source .. ": writes only", function(w)
        without(w, "fence-covers-reads", function() fence(w) w:play_until_phase(slot, "moved") end)
      end },
      unfenced = { "commit: " .. target .. " has a copy", function(w)
        without(w, "fence", function() fence(w) w:play_until_phase(slot, "moved") end)
      end },
      drain = { "let " .. target .. " apply on to the fence", function(w) w:play_until_phase(slot, "drained") end },
      hasty = { "commit now", function(w)
        without(w, "drain-to-fence", function() w:play_until_phase(slot, "moved") end)
      end },
      commit = { "commit now", function(w) w:play_until_phase(slot, "committed") end },
      answers = { "let " .. source .. " answer reads", function(w)
        without(w, "fence-covers-reads", function() w:play_until_phase(slot, "moved") end)
      end },
      serves = { "let " .. target .. " serve, commit later", function(w)
        without(w, "target-waits-for-commit", function() w:play_for(0.001) end)
      end },
      mark = { "tell " .. source .. ": moved, for ever", function(w) w:play_until_phase(slot, "moved") end },
      reopen = { "let " .. source .. " take what comes there", function(w)
        w:play_until_phase(slot, "moved")
        without(w, "slot-table-check", function() w:play_for(0.2) end)
      end },
      late = { "abort: " .. source .. " has it back", function(w)
        w:play_until_phase(slot, "moved")
        w:play_for(0.2)
        without(w, "abort-before-commit", function() command(w, "abort SLOT") end)
      end },
      delete = { "delete the copy on " .. source, function(w)
        command(w, "cleanup SLOT")
        w:play_for(0.01)
      end },
      abort = { "abort: drop the copy on " .. target, function(w)
        command(w, "abort SLOT")
        w:play_for(0.01)
      end },
    }

    -- What goes wrong by an act, from exactly where the move is: rules that it leaves out, the belief.
    local COPY, WRITE = "the mover copies the slot to B", { "a client asks R0 to write: w1", "shard A accepts w1" }
    local FENCE, APPLY = "shard A appends the fence to its log", "shard B applies the next entry of the tail"
    local COMMIT, OWN, CLOSE = "the directory commits: the slot is B's", "shard B marks the slot as owned",
      "shard A marks the slot as moved"
    local FOLLOWER = { WRITE[1], WRITE[2], COPY .. " | From a follower" }
    local wrong = {
      early = { rules = { "target-waits-for-commit" }, after = {}, belief = "a copy that is on its way can serve",
        why = "Whoever asks {target} reads a copy that lacks what was written since." },
      unfit = { rules = { "snapshot-position", "compare-before-fence" }, after = FOLLOWER,
        belief = "a copy is as new as its stamp says",
        why = "A follower lags. Here its copy bears the leader's position, and the tail begins behind that: what lies between is in neither." },
      writes = { rules = { "fence-covers-reads" }, after = { COPY }, belief = "reads do no harm during the flip",
        why = "{source} cannot know when the directory has committed. From then on its copy is old, and it answers from it." },
      unfenced = { rules = { "fence" }, after = { COPY }, belief = "a complete copy is enough to flip",
        why = "{source} takes writes until it hears of the commit. They are in no tail that anybody reads." },
      hasty = { rules = { "drain-to-fence" }, after = { COPY, WRITE[1], WRITE[2], FENCE }, belief = "behind the fence all is done",
        why = "The fence stops new writes. Those before it are still on their way to {target}." },
      answers = { rules = { "fence-covers-reads" }, after = { COPY, FENCE }, drained = { COPY, FENCE, APPLY }, belief = "reads do no harm during the flip",
        why = "{source} cannot know when the directory has committed. From then on its copy is old, and it answers from it." },
      serves = { rules = { "target-waits-for-commit" }, after = { COPY, FENCE, APPLY }, belief = "the map is a formality",
        why = "Until the commit the move may still be dropped, and {target}'s copy with it." },
      reopen = { rules = { "slot-table-check" }, after = { COPY, FENCE, APPLY, COMMIT, OWN, CLOSE },
        belief = "the old owner may help out",
        why = "A router with an old map writes there. {target} never hears of it." },
      late = { rules = { "abort-before-commit" }, after = { COPY, FENCE, APPLY, COMMIT, OWN },
        belief = "an abort is always safe",
        why = "{target} has taken writes since the commit, and {source} has none of them. After the commit the way back is a move back." },
      stop = { belief = "a copy needs a slot that rests", why = "Nothing is lost that way. But nobody is served while {mb} MB are copied: {seconds} s." },
    }

    -- Why what is right is so, by what it costs.
    local good = {
      leader = { [0] = "A copy needs a position in the log: what was written from there on is the tail." },
      follower = { [3] = "A follower will do if its copy bears its own position. Here it bears the leader's." },
      tail = { [0] = "The shorter the tail, the shorter the pause behind the fence.",
        [3] = "The tail is short now. What the copy lacks is in no tail." },
      compare = { [1] = "It tells the same as before. A second has passed, and nothing is lost by that." },
      fence = { [0] = "From here on nothing is accepted that the copy could miss. The pause begins.",
        [5] = "Nothing goes wrong. But the fence is the last of the tail: nobody serves the slot until all of it is applied." },
      drain = { [0] = "What was accepted before the fence is in the log, and has to be at {target} before it serves." },
      commit = { [0] = "One step at one place decides: the directory's next map." },
      mark = { [0] = "From now on it sends away whoever comes by an old map." },
      delete = { [0] = "Both tables say so, and both sides compared equal: nothing is only there." },
      abort = { [0] = "{source} never stopped serving. Nothing is lost but the copy.", [9] = "Nothing is lost. {mb} MB are copied once more." },
    }
    local hints = {
      none = { "What does {target} need first?", "It serves nobody before it has all.", "A copy, with its position in the log." },
      tailing = { "What would {target} lack if it served now?", "The tail, and what is written next.", "A short tail, both sides alike, then the fence." },
      fenced = { "Has {target} all that was accepted?", "The fence is the last entry: wait for that.", "Then the directory decides." },
      committed = { "Who does not know of it yet?", "{source} has not heard.", "It must send away whoever comes." },
      moved = { "What is still there that nobody needs?", "{source} holds a copy.", "It may go; its \"moved\" stays." },
    }
    hints.aborted = hints.none

    -- What was done rightly before turn `last`, in order.
    local function done(last)
      local list = {}
      for turn = 1, last - 1 do
        local a = answered("drill-flip-" .. turn)
        if a and (a.right or a.skipped) then list[#list + 1] = { id = did[turn], turn = turn } end
      end
      return list
    end

    -- What can be done now: its cost, false where it is wrong.
    local function offered(w)
      local m = move(w)
      if m.phase == "none" or m.phase == "aborted" then
        return { leader = 0, follower = 3, early = false, stop = false }
      elseif m.phase == "tailing" then
        local short = m.behind_ms < 30
        local list = { writes = false, unfenced = false, compare = 1 }
        if not short then list.tail = m.alike and 0 or 3 end
        if m.alike then
          list.fence, list.abort = short and 0 or 5, 9
        else
          list.unfit, list.abort = false, 0
        end
        return list
      elseif m.phase == "fenced" and m.tail > 0 then
        return { drain = 0, hasty = false, answers = false, abort = 9 }
      elseif m.phase == "fenced" then
        return { commit = 0, serves = false, answers = false, abort = 9 }
      elseif m.phase == "committed" then
        return { mark = 0, reopen = false, late = false }
      end
      return { delete = 0, reopen = false, late = false }
    end

    local function choices(turn)
      return function(w)
        local names, list, costs = {}, {}, offered(w)
        for id in pairs(costs) do names[#names + 1] = id end
        for _, place in ipairs(order[turn]) do
          local id = names[place]
          if id then
            local cost, bad = costs[id], wrong[id]
            list[#list + 1] = { acts[id][1], holds = function() return cost end, belief = bad and bad.belief,
              why = bad and bad.why or good[id] and good[id][cost],
              act = function(world)
                did[turn] = id
                from[turn] = bad and (move(world).tail == 0 and bad.drained or bad.after)
                acts[id][2](world)
                lost[turn], paused[turn], harm[turn] = move(world).lost, move(world).pause_ms, world:broken()
              end }
          end
        end
        return list
      end
    end

    local function ms(x) return math.floor(x + 0.5) end
    local function span(x) return x < 1000 and ms(x) .. " ms" or string.format("%.1f s", x / 1000) end
    local function status(w)
      local m = move(w)
      if m.phase == "none" then
        return "Slot " .. slot .. " with `" .. key .. "` moves from " .. source .. " to " .. target .. ": " .. mb .. " MB at " ..
          speed .. " MB/s, while " .. likes .. " likes and " .. reads .. " reads a second go on. Of the tail " .. target ..
          " applies " .. applies .. " entries a second.\n\n" .. #SHORTEST .. " acts will do, one after the other. A wrong one is taken back, and you choose again."
      elseif m.phase == "aborted" then
        return "The copy is dropped, and " .. source .. " serves. You begin again."
      elseif m.phase == "tailing" then
        return "The copy is there. Entries of the tail that wait: " .. m.tail .. ", the oldest for " .. span(m.behind_ms) ..
          ". The last compare: both sides " .. (m.alike and "the same." or "*differ*.")
      elseif m.phase == "fenced" then
        return "Nobody serves the slot, for " .. span(m.pause_ms) .. " so far. " ..
          (m.tail > 0 and "Entries that wait: " .. m.tail .. ", the fence is the last." or target .. " has applied the fence.")
      elseif m.phase == "committed" then
        return "The directory says " .. target .. ", and it serves. " .. source .. " has not heard: its table says \"migrating\"."
      end
      return source .. " says \"moved\". " .. deaf .. " has not heard of it and has the old map."
    end

    -- The checker's A and B are the two shards.
    local function named(words)
      words = words:gsub("shard A", source):gsub("shard B", target):gsub("slot to B", "slot to " .. target)
      return (words:gsub("B's", target .. "'s"))
    end
    local function told(w, turn)
      local bad = wrong[did[turn]]
      if not bad then return "" end
      local back = "You stand before it again."
      if not bad.rules then return back end
      local found = check.after(PROTOCOL, { without = bad.rules }, from[turn])
      local list = {}
      for i, step in ipairs(found.steps) do list[i] = "*" .. i .. "* " .. named(step.actor .. " " .. step.action) .. "." end
      local here = "nobody came in time to notice"
      if harm[turn] ~= "" then here = harm[turn]:gsub("^.-: ", "") end
      if lost[turn] > 0 then here = "writes lost: " .. lost[turn] end
      return "The shortest way from here:\n\n" .. table.concat(list, " ") .. "\n\nThen " .. found.broken .. ". In this world: " ..
        here .. ".\n\n" .. back
    end

    local function result()
      local sum = { pause = 0, mb = 0, mistakes = 0, lost = 0 }
      for _, d in ipairs(done(TURNS + 1)) do
        if d.id == "leader" or d.id == "follower" then sum.mb = sum.mb + mb end
        if d.id == "abort" or d.id == "delete" then sum.pause = sum.pause + paused[d.turn] end
        sum.ended = d.id == "delete"
      end
      for turn = 1, TURNS do
        local a = answered("drill-flip-" .. turn)
        if a and not a.right and not a.skipped then sum.mistakes, sum.lost = sum.mistakes + 1, sum.lost + lost[turn] end
      end
      return sum
    end
    local function grade()
      local s = result()
      if not s.ended then return "not finished: the slot has not moved" end
      if s.mistakes > 0 then return s.mistakes .. " of your acts would have done harm" end
      if s.mb > best.mb or s.pause > best.pause + 5 then return "safe, at a price" end
      return "as safe and as short as can be"
    end

    local function hint(w, n)
      local text = (hints[move(w).phase] or hints.moved)[n]
      return (text:gsub("{source}", source):gsub("{target}", target))
    end
    local names = { hint = hint, status = status, told = told, result = result, grade = grade, best = best, ms = ms,
      source = source, target = target, mb = mb, seconds = seconds }
    local steps = {}
    for turn = 1, TURNS do
      steps[turn] = { id = "turn-" .. turn, title = "Act " .. turn, show = { "move:" .. slot, "log:" .. slot },
        key = key, with = names,
        when = function(w) return move(w).phase ~= "deleted" end,
        enter = turn == 1 and function(w)
          w:add_shard("c")
          w:command("applies " .. target .. " " .. applies)
          w:flow("like", key, likes)
          w:flow("read", key, reads)
          w:deaf(deaf, true)
          w:play_for(0.2)
          local f = w:fork()
          for _, id in ipairs(SHORTEST) do acts[id][2](f) end
          best.pause, best.mb = move(f).pause_ms, mb
        end or nil,
        say = "{status(w)}",
        predict = { id = "drill-flip-" .. turn, kind = "choice", acts = true, ask = "What do you do next?",
          choices = choices(turn), hints = { "{hint(w, 1)}", "{hint(w, 2)}", "{hint(w, 3)}" } },
        after = "{told(w, " .. turn .. ")}" }
    end
    steps[TURNS + 1] = { id = "score", title = "How it went", show = { "move:" .. slot, "tables:" .. slot }, key = key, with = names,
      say = [[Pause: *{ms(result().pause)} ms*. The best is {ms(best.pause)} ms.

        Copied: *{result().mb} MB*. The best is {best.mb} MB.

        Writes lost by acts that were taken back: *{result().lost}*, of {result().mistakes} such acts.

        So it was *{grade()}*.]] }
    return { world = "story-quiet", steps = steps }
  end,
}
