-- A router that sums likes dies: how many are missing from the count, how many from `liked`, and how
-- many if it dies at another moment. Rates, windows and the order of row and OK are new each time;
-- every answer is what the run lost.

local ROUTERS, KEY = 6, "likes:{p9}"
local FIRST_US, STEP_US, USUAL_US = 226000, 83333, 500000 -- when routers flush (docs/story.md)

return drill {
  id = "crash-the-router", part = 5, title = "Crash the router",
  make = function(r)
    local window, likes, router, moment
    repeat
      window, likes, router = r:pick({ 200, 250, 500, 1000 }), 120 * r:between(5, 24), r:between(0, ROUTERS - 1)
      moment = window * r:between(2, 8) // 10
    until moment * 2 ~= window and likes * window // ROUTERS // 1000 >= 40
    local durable = r:chance(1, 2) -- the row is written before OK
    local each, name = likes // ROUTERS, "R" .. router
    local full, part = each * window // 1000, each * moment // 1000
    local phase = (FIRST_US + router * STEP_US) * window // (USUAL_US // 1000) % (window * 1000) / 1000000

    local function start(w)
      if not durable then w:set_rule("durable-before-ack", false) end
      w:flow("like", KEY, likes)
      w:command("writes " .. KEY .. " summed " .. window)
      w:play_for(4)
    end
    -- `ms` after its last flush; a whole window less a third of a millisecond at most. Worlds come here
    -- at a whole second.
    local function crash(w, ms)
      w:play_for(phase + window / 1000 + math.min(ms / 1000, window / 1000 - 0.0003))
      w:command("crash " .. name .. " 100")
      w:play_for(1)
    end
    local function missing(w)
      local count = w:count(KEY)
      return count.lost + count.forgotten
    end
    local function crashed(w, ms)
      local f = w:fork()
      crash(f, ms)
      return f
    end

    local order = durable and "For each like a router writes the row to `liked`, then tells the fan OK, then adds one to its buffer."
      or "For each like a router tells the fan OK, then adds one to its buffer. The rows go to `liked` with each flush."
    local names = { likes = likes, window = window, routers = ROUTERS, name = name, order = order, moment = moment,
      each = each, full = full, part = part, gone = durable and 0 or full }

    -- What people take for the answer, unless it is near it.
    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        local far = math.abs(m[1] - right) > 5
        for value in pairs(out) do far = far and math.abs(value - m[1]) > 5 end
        if far then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    return { world = "story-near", steps = {
      { id = "count", title = "From the count", show = { "counter:" .. KEY }, key = KEY, with = names, enter = start,
        say = [[p9 takes {likes} likes a second. Each of {routers} routers sums its own and flushes every {window} ms. {order}

          {name} dies just before it flushes.]],
        predict = { id = "drill-crash-count", kind = "number", unit = "likes", tolerance = 4,
          ask = "How many likes are missing from the count?",
          answer = missing,
          wrong = mistakes(full, {
            { likes * window // 1000, "every buffer is lost", "Only {name} died. The others flush as ever." },
            { each, "a second is lost", "So many reach {name} in a second. Its buffer holds one window." },
            { full // 2, "a buffer is half full", "On average, yes. This one was about to be flushed." },
            { 0, "a sum is durable", "What was summed since the last flush was only in memory." } }),
          why = "One router's likes of one window.",
          hints = { "How many likes a second reach one router?", "{likes} / {routers} = {each}. How many come in {window} ms?",
            "{each} x {window} / 1,000." } },
        run = function(w) crash(w, window) end,
        after = [[{full} were in its buffer.]] },

      { id = "liked", title = "From liked", show = { "counter:" .. KEY }, key = KEY, with = names,
        say = [[The same crash. {order}

          Some fans were told OK, and their like has no row.]],
        predict = { id = "drill-crash-liked", kind = "number", unit = "likes", tolerance = 4,
          ask = "How many?",
          answer = function(w) return w:count(KEY).forgotten end,
          wrong = mistakes(durable and 0 or full, {
            { full, "memory holds the only copy", "Each had its row before its fan was told." },
            { 0, "liked always has them", "Here the fan is told first, and the row comes with the flush. There was none." },
            { likes * window // 1000, "every buffer is lost", "Only {name} died." } }),
          why = "What was written before the crash is there, and nothing else is.",
          hints = { "When is the row written?", "Before the OK, or with the flush? Read it again.", "{gone}." } },
        after = [[{gone}. A rebuild can put back what has rows, and no more.]] },

      { id = "moment", title = "Another moment", show = { "table", "counter:" .. KEY }, key = KEY, with = names,
        enter = function(w)
          w:play_for(1 - phase) -- to a whole second, or a third of a millisecond before
          w:play_for(0.0003)
        end,
        table = function()
          local rows = {}
          for _, ms in ipairs { window // 10, moment, window } do
            rows[#rows + 1] = { label = ms == window and "just before the next" or ms .. " ms after a flush",
              run = function(f)
                local was = f:count(KEY)
                crash(f, ms)
                return was
              end,
              cells = function(f) return { missing(f) - missing(w), f:count(KEY).forgotten - w:count(KEY).forgotten } end }
          end
          return { title = name .. " dies", columns = { "when", "count", "liked" }, numbers = { 2, 3 }, rows = rows }
        end,
        say = [[{likes} likes a second, {routers} routers, a flush every {window} ms. {name} is back, and dies again: {moment} ms after a flush.]],
        predict = { id = "drill-crash-moment", kind = "number", unit = "likes", tolerance = 4,
          ask = "How many likes does this crash take from the count?",
          answer = function(w) return missing(crashed(w, moment)) - missing(w) end,
          wrong = mistakes(part, {
            { full, "a crash takes a whole window", "So many only if it dies just before a flush. This buffer has filled for {moment} ms." },
            { full - part, "what would have come is lost", "That is what was still to come until the next flush." },
            { likes * moment // 1000, "every buffer is lost", "Only {name} died." },
            { 0, "a flush saves all", "What came after it is in the buffer." } }),
          why = "What reached it since its last flush.",
          hints = { "What has reached it since the flush?", "{each} likes a second, for {moment} ms.", "{each} x {moment} / 1,000." } },
        after = [[{part}. Each row is a run: enter opens it.]] },
    } }
  end,
}
