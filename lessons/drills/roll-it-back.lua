-- A slot has moved, or is about to, and something is wrong where it goes: too hot, too small, a disk that
-- dies. Which way back is right now, what does it cost, what would be lost? Three situations, each with a
-- slot of its own; cause, moment, sizes and rates are new each time. Costs and losses are what a run of
-- that way gives.

local WAYS = {
  abort = "Abort: drop S4's copy",
  stream = "Roll back over the stream",
  move = "Roll back by a copy",
  restore = "Serve the old copy again",
}
local DOWN, UNSEEN = 60, 0.3 -- s that S4 is down with a dead disk; until somebody acts
local ORDER = { "abort", "stream", "move", "restore" }

return drill {
  id = "roll-it-back", part = 8, title = "The way back",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local kinds = r:shuffle { "abort", "stream", "move", "restore" }
    local used, cases = {}, {}
    for i = 1, 3 do
      local number
      repeat number = r:between(100, 999) until not used[map:owner("likes:{" .. number .. "}")]
      local key = "likes:{" .. number .. "}"
      used[map:owner(key)] = true
      local bad = kinds[i] == "restore" or (kinds[i] == "stream" and r:chance(1, 2))
      cases[i] = { kind = kinds[i], key = key, slot = map:position(key), source = "S" .. map:owner(key),
        likes = 20 * r:between(2, 9), speed = r:pick({ 20, 25, 40, 50 }), seconds = r:between(2, 4), bad = bad,
        since = r:between(4, 12) / 10, order = r:shuffle(ORDER),
        cause = kinds[i] == "restore" and "S4's disk has failed. S4 is down, and nothing can be read from it any more"
          or bad and "S4's disk reports errors. It answers still, and may fail within a minute"
          or r:pick({ "S4 is too hot: another slot there takes all it has", "S4 is a size too small: it was ordered wrongly" }) }
      cases[i].mb = cases[i].speed * cases[i].seconds
    end

    local function move(w, c) return w:move_of(c.slot) end
    local function say(w, c, words) w:command((words:gsub("SLOT", tostring(c.slot)))) end

    -- To the moment at which somebody sees what is wrong.
    local function happen(w, c)
      w:flow("like", c.key, c.likes)
      w:play_for(0.2)
      local reverse = c.kind == "stream" and " reverse" or ""
      say(w, c, "migrate SLOT S4 " .. c.mb .. "MB " .. c.speed .. "MB" .. reverse)
      w:play_until_phase(c.slot, "tailing")
      w:play_for(0.1)
      if c.kind ~= "abort" then
        say(w, c, "fence SLOT")
        w:play_until_phase(c.slot, "moved")
        c.base = w:value(c.key, "S4")
        w:play_for(c.since)
        c.newer = w:value(c.key, "S4") - c.base
        if c.kind == "restore" then
          say(w, c, "crash S4 " .. 1000 * DOWN)
          w:play_for(UNSEEN)
        end
      end
    end

    -- Each way, done.
    local ways = {
      abort = function(w, c) say(w, c, "abort SLOT") end,
      stream = function(w, c)
        say(w, c, "rollback SLOT")
        w:play_for(0.05)
        say(w, c, "fence SLOT")
        w:play_until_phase(c.slot, "moved")
      end,
      move = function(w, c)
        say(w, c, "rollback SLOT")
        w:play_until_phase(c.slot, "tailing")
        say(w, c, "fence SLOT")
        w:play_until_phase(c.slot, "moved")
      end,
      restore = function(w, c) -- what nobody may do while S4 can be read
        w:set_rule("abort-before-commit", false)
        say(w, c, "abort SLOT")
        w:set_rule("abort-before-commit", true)
      end,
    }
    -- What that way has cost: writes lost, MB copied, ms without anybody who serves.
    local function cost(w, c)
      local m = move(w, c)
      local back = c.kind == "stream" or c.kind == "move"
      return { lost = m.lost, mb = c.kind == "move" and math.floor(m.bytes / 1000000 + 0.5) or 0,
        pause = back and math.floor(m.pause_ms + 0.5) or c.kind == "restore" and math.floor(1000 * UNSEEN + 0.5) or 0 }
    end

    -- Why a way is not the one, in a situation.
    local function refusal(c, way)
      if way == "abort" then
        return "an abort is always safe", "The directory has committed, and S4 has taken writes since. Dropping its copy drops them."
      elseif way == "stream" and c.kind == "abort" then
        return "every way back is a roll back", "Nothing has changed hands yet, so there is nothing to roll back."
      elseif way == "stream" then
        return "there is always a stream back", "Nobody asked for one, so {source}'s copy has what it had at the fence."
      elseif way == "move" and c.kind == "abort" then
        return "every way back is a roll back", "Nothing has changed hands yet. {source} serves, and needs no copy."
      elseif way == "move" and c.kind == "stream" then
        return "going back needs the whole copy", c.bad and "A copy would read a disk that may not last for it. {source} has it all already: the stream back kept it as new."
          or "{source} has it all already: the stream back kept it as new. A copy of {mb} MB would change nothing."
      elseif way == "move" then
        return "a move back always works", "It copies from S4, and S4 is down: there is nothing to copy from, and nobody to fence."
      elseif c.kind == "abort" then
        return "the last resort is the first", "{source} never gave the slot away: there is nothing to give back."
      end
      return "the old copy is as good as new", "It lacks what S4 has taken since the flip. That is for the day on which nothing else is left."
    end

    local right = {
      abort = "Before the commit {source} has all that was accepted. The copy may be dropped at any time.",
      stream = "{source}'s copy is as new as S4's. It needs its own fence, and no copy.",
      move = "S4 holds all of it and can be read. Back is a move like any other, in the other direction.",
      restore = "Nothing else is left: what S4 took since the flip is gone, and the rest is served again.",
    }

    local function mistakes(value, far, list)
      local out = {}
      for _, m in ipairs(list) do
        local apart = math.abs(m[1] - value) > far
        for other in pairs(out) do apart = apart and math.abs(other - m[1]) > far end
        if apart then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local figures = {
      lost = function(c, n)
        return { id = "drill-back-lost-" .. n, kind = "number", unit = "writes", tolerance = 0,
          ask = "How many accepted writes does that way lose?",
          answer = function(w) return cost(w, c).lost end,
          wrong = function(w)
            local value = cost(w, c).lost
            local all = w:acked(c.key)
            return mistakes(value, 0, {
              { c.newer or 0, "going back loses what came since", "Those writes are at both sides before the slot changes hands." },
              { 0, "an old copy is a whole copy", "S4 took {c.newer} writes after the flip. Nobody else has them." },
              { all, "a slot that goes back begins anew", "All that was there before stays where it is." } })
          end,
          why = "Count what only one side has when the other takes over.",
          hints = { "Who has taken writes since?", "Are they at the other side before it serves?", "What only the side that goes away has, is lost." } }
      end,
      mb = function(c, n)
        return { id = "drill-back-mb-" .. n, kind = "number", unit = "MB", tolerance = 0,
          ask = "How many MB does that way copy?",
          answer = function(w) return cost(w, c).mb end,
          wrong = function(w)
            local value = cost(w, c).mb
            return mistakes(value, 0, {
              { c.mb, "every way back copies", "{source} has its copy still. What it lacks, if anything, is a tail." },
              { 0, "the old copy can simply be used", "It was left behind at the flip. Without a stream back it is copied again, all of it." },
              { 2 * c.mb, "there and back", "What came here was copied before. The way back is counted alone." } })
          end,
          why = "Only a move without a stream back copies anew.",
          hints = { "Does {source} still hold the slot?", "Is its copy as new as what is served?", "If not, and it can be read: all of it." } }
      end,
      pause = function(c, n)
        return { id = "drill-back-pause-" .. n, kind = "number", unit = "ms", tolerance = 4,
          ask = "For how long does nobody serve the slot, on that way?",
          answer = function(w) return cost(w, c).pause end,
          wrong = function(w)
            local value = cost(w, c).pause
            return mistakes(value, 4, {
              { 1000 * c.seconds, "a copy needs a slot that rests", "S4 serves while the copy runs. Only the fence stops it." },
              { 13, "every way back has a fence", "No fence is needed: the slot does not change hands by a move." },
              { 0, "going back is for nothing", "It is a move: fence, the tail through it, commit. Nobody serves in between." } })
          end,
          why = "A fence costs its few ms, and nothing else does.",
          hints = { "Does the slot change hands by a move?", "If so: from the fence to the commit.", "The first flip had the same pause." } }
      end,
    }
    local asks = r:shuffle { "lost", "mb", "pause" }
    for i = 1, 3 do -- how long S4 is down before anybody acts is no part of a way back
      if asks[i] == "pause" and kinds[i] == "restore" then
        local other = i % 3 + 1
        asks[i], asks[other] = asks[other], asks[i]
      end
    end

    local steps = {}
    for i, c in ipairs(cases) do
      local names = { c = c, source = c.source, mb = c.mb, slot = tostring(c.slot), likes = c.likes,
        cost = function(w) return cost(w, c) end, cause = c.cause,
        where = c.kind == "abort" and "It is copied, and the tail follows. The fence is not set yet."
          or (c.kind == "restore" and "S4 served it. " or "S4 serves it. ") .. (c.kind == "stream" and "The stream back was asked for, and runs." or "No stream back was asked for.") }
      if i > 1 and kinds[i - 1] == "restore" then names.where = "S4 has a new disk. " .. names.where end
      local list = {}
      for _, way in ipairs(c.order) do
        local belief, why = refusal(c, way)
        list[#list + 1] = { WAYS[way], belief = belief, why = why, holds = function() return way == c.kind end }
      end
      steps[#steps + 1] = { id = "which-" .. i, title = "What now?", show = { "move:" .. c.slot, "tables:" .. c.slot }, key = c.key,
        with = names, enter = function(w)
          if i == 1 then w:add_shard("c") else w:flow("like", cases[i - 1].key, 0) end
          if i > 1 and kinds[i - 1] == "restore" then w:play_for(DOWN) end
          happen(w, c)
        end,
        say = [[Slot {slot}, {mb} MB with {likes} likes a second, moves from {source} to S4. {where}

          Now {cause}.]],
        predict = { id = "drill-back-which-" .. i, kind = "choice", ask = "Which is the way back, now?", choices = list,
          why = right[c.kind],
          hints = { "Has the directory committed?", "Who holds all that was accepted?", "Can S4 still be read?" } },
        after = c.kind ~= "abort" and [[Since the flip S4 has taken {c.newer} likes.]] or nil }
      steps[#steps + 1] = { id = "cost-" .. i, title = "What it costs", show = { "move:" .. c.slot, "tables:" .. c.slot }, key = c.key,
        with = names,
        say = [[Slot {slot}: ]] .. WAYS[c.kind]:sub(1, 1):lower() .. WAYS[c.kind]:sub(2) .. [[. {mb} MB, {likes} likes a second; ]] ..
          (c.kind == "abort" and "S4 has served nobody." or "S4 has served it for " .. c.since .. " s." ..
            (c.kind == "restore" and " Then it died." or "")),
        predict = figures[asks[i]](c, i),
        run = function(w)
          ways[c.kind](w, c)
          w:play_for(0.3)
        end,
        after = [[{w:move_of(c.slot).accepts} serves it. Without service for {cost(w).pause} ms, {cost(w).mb} MB copied, {cost(w).lost} writes lost.]] }
    end
    return { world = "story-quiet", steps = steps }
  end,
}
