-- How old may an answer be, and what does it cost? The bounds of a cache are given, or have to be
-- chosen: refills, the promise, what readers of a hot key get, what a seldom reader gets. New numbers
-- each time; every answer is a run's.

local SERVERS, QUERY = 6, 5
local NAMES = { "post", "page", "score", "seat", "song", "price" }

return drill {
  id = "staleness-budget", part = 4, title = "A budget of staleness",
  make = function(r)
    local key = r:pick(NAMES) .. ":{" .. r:between(100, 999) .. "}"
    local reads = r:between(60, 90) * 100
    local fresh = r:pick({ 400, 500, 600, 800, 1200, 1500, 2000 })
    local stale = fresh * r:between(2, 4) + r:pick({ 0, 100, 200 })
    local from_read = r:chance(1, 2)

    local function ms(x) return math.floor(x + 0.5) end
    local function age(x) return math.floor(x) end -- as the picture tells it
    local function per_second(x) return math.floor(10 * x + 0.5) / 10 end
    local function cache(w, f, s)
      if w:reads_of(key).mode ~= "plain" then w:command("reads " .. key .. " plain") end
      w:command("reads " .. key .. " cached " .. f .. " " .. s)
    end
    local function ask(w)
      w:send("read", key, "R0")
      w:play_answered()
    end
    local function busy(w, f, s, rate)
      cache(w, f, s)
      w:flow("read", key, rate or reads, "steady")
    end

    -- Fetches a second while the key is busy, without the first ones.
    local function refills(w, f, s)
      local c = w:fork()
      busy(c, f, s, 600) -- however many they are
      c:play_for(f / 2000)
      local before = c:reads_of(key).fetches
      c:play_for(3 * f / 1000)
      return (c:reads_of(key).fetches - before) * 1000 / (3 * f)
    end
    -- Until shortly before the next fetch few readers do as well as many.
    local function rush(w, f)
      w:flow("read", key, 600, "steady")
      w:play_for(f / 1000 - 0.03)
      w:flow("read", key, reads, "steady")
      w:play_for(0.06)
    end
    local function oldest_busy(w, f, s)
      local c = w:fork()
      cache(c, f, s)
      rush(c, f)
      return c:reads_of(key).oldest_ms
    end
    -- The oldest answer that may be given, found by trying, to the millisecond; and a millisecond more.
    local function bound(w, f, s)
      local c, most = w:fork(), 0
      for _, after in ipairs { f, s - 1, s, s + QUERY - 1, s + QUERY } do
        cache(c, f, s)
        ask(c)
        c:play_for((after - QUERY) / 1000)
        ask(c)
        most = math.max(most, c:reads_of(key, "R0").oldest_ms)
      end
      return ms(most + 1)
    end

    -- A reader who comes so often, exactly: sooner than a fetch is due, while it is stale, or too late.
    local step = r:pick({ fresh // 100 * 100 // 4 + 30, fresh + (stale - fresh) // 2, stale + 200 })
    local function every(w)
      cache(w, fresh, stale)
      ask(w)
      for _ = 1, 9 do
        w:play_for((step - QUERY) / 1000)
        w:send("read", key, "R0")
        w:play_for(QUERY / 1000)
      end
      w:play_for(0.01)
    end
    local case = step < fresh and "The first of them after {fresh} ms gets a stale one, and starts a fetch."
      or step < stale and "Each gets what the one before had fetched."
      or "All kept answers are too old by then, so each of them waits for a fetch."

    -- What must be kept, and four settings: one keeps both demands.
    local limit = r:pick({ 1500, 2000, 2500, 3000, 4000 })
    local good = { limit * r:pick({ 60, 65, 70 }) // 100, limit - r:pick({ 0, 50, 100 }) }
    local most = math.ceil(SERVERS * 1000 / good[1])
    local settings = r:shuffle({
      { good[1], good[2], true },
      { good[1] // 2, good[2], false, "refills cost nothing",
        "Half as long fresh is twice as many fetches." },
      { good[1], limit * 3 // 2, false, "the fresh bound is the bound",
        "Between both bounds it is still given, and that may be when it is older than " .. limit .. " ms." },
      { limit, limit * 2, false, "what is measured may be promised",
        "While it is busy nothing gets much older than " .. limit .. " ms. In a quiet moment it does." },
    })
    local function told(s) return s[1] .. " and " .. s[2] .. " ms" end
    local function keeps(w, s) return bound(w, s[1], s[2]) <= limit and per_second(refills(w, s[1], s[2])) <= most end
    local choices, rows, right = {}, {}, 1
    for i, s in ipairs(settings) do
      if s[3] then right = i end
      choices[i] = { told(s), belief = s[4], why = s[5], holds = function(w) return keeps(w, s) end }
      rows[i] = { label = told(s), run = function(f)
        busy(f, s[1], s[2], 600)
        f:play_for(5)
      end, cells = function(f)
        local quiet, fetches = f:fork(), f:reads_of(key).fetches
        quiet:flow("read", key, 0)
        quiet:play_for(0.1)
        return { per_second(fetches / 5), bound(quiet, s[1], s[2]) }
      end }
    end

    local names = { key = key, reads = reads, fresh = fresh, stale = stale, query = QUERY, servers = SERVERS, step = step,
      limit = limit, most = most, right = told(settings[right]), per_second = per_second, refills = refills, age = age,
      counted = from_read and "when the fetch was sent" or "when its answer came", bound = bound }
    local show = { "cache:" .. key }

    local function wrong_bounds()
      local out = { [fresh] = { belief = "the fresh bound is the bound", why = "After it the answer is still given, and the first who comes may come late." } }
      if from_read then
        out[stale + QUERY] = { belief = "an age begins when the answer comes", why = "Here it begins when the fetch is sent, so the fetch is in it already." }
      else
        out[stale] = { belief = "an age begins with the fetch", why = "Here it begins when the answer comes, and by then the value is a fetch old." }
      end
      return out
    end
    local function wrong_busy()
      local out = { [stale] = { belief = "what is allowed happens", why = "The first reader after {fresh} ms starts a fetch, and somebody always comes." },
        [fresh] = { belief = "a refill takes no time", why = "Until the new answer is there the old one is given." } }
      if not from_read then
        out[fresh + QUERY] = { belief = "an age begins with the fetch", why = "When its age begins, the value is a fetch old already." }
      end
      return out
    end

    return { world = "story-near", steps = {
      { id = "refills", title = "What it costs", show = show, key = key, with = names,
        say = [[`{=key}` is read {reads} times a second through {servers} routers. Each keeps the answer: fresh for {fresh} ms, stale until {stale} ms, with single-flight.]],
        predict = { id = "drill-budget-refills", kind = "number", unit = "reads/s", tolerance = 0.3,
          ask = "About how many of these reads a second reach the shard?",
          answer = function(w) return per_second(refills(w, fresh, stale)) end,
          wrong = {
            [per_second(1000 / fresh)] = { belief = "routers share one cache", why = "Each router has its own, and fetches for itself." },
            [per_second(SERVERS * 1000 / stale)] = { belief = "a fetch waits for the stale bound", why = "It begins with the first reader after {fresh} ms." },
            [reads] = { belief = "a cache only makes answers faster", why = "What a router answers itself, the shard never hears of." } },
          why = "Each router once in {fresh} ms.",
          hints = { "When does a router fetch?", "Once in {fresh} ms.", "{servers} times 1,000 / {fresh}." } },
        run = function(w)
          busy(w, fresh, stale)
          w:play_for(0.05)
          w:flow("read", key, 600, "steady") -- as many fetches as with more readers
          w:play_for(fresh / 1000 + 0.1)
        end,
        after = [[Each fetches again after {fresh} ms: {per_second(refills(w, fresh, stale))} a second. Twice the routers would be twice that; twice the readers nothing more.]] },

      { id = "promise", title = "What may be promised", show = show, key = key, with = names,
        enter = function(w)
          w:flow("read", key, 0)
          w:play_for(2 * stale / 1000) -- what was is out of the picture
          w:set_rule("age-from-read", from_read)
          cache(w, fresh, stale)
          ask(w)
        end,
        say = [[The same cache, busy or not: fresh for {fresh} ms, stale until {stale} ms. A fetch takes {query} ms. An age counts from {counted}.]],
        predict = { id = "drill-budget-promise", kind = "number", unit = "ms", tolerance = 1,
          ask = "Below which age is every answer that anybody ever gets?",
          answer = function(w) return bound(w, fresh, stale) end,
          wrong = wrong_bounds(),
          why = from_read and "The stale bound, and nothing more." or "The stale bound, and a fetch.",
          hints = { "Which bound ends an answer, whoever comes or not?", "The stale one. And where does its age begin?",
            from_read and "With the fetch: {stale} ms." or "A fetch later: {stale} + {query} ms." } },
        run = function(w) -- quiet, until it is just not too old
          w:play_for((stale - 1 - (from_read and QUERY or 0)) / 1000)
          ask(w)
        end,
        after = [[{bound(w, fresh, stale)} ms. Nobody asked for long, and then R0 gave what was {age(w:reads_of(key, "R0").oldest_ms)} ms old.]] },

      { id = "busy", title = "What readers get", show = show, key = key, with = names,
        enter = function(w)
          w:play_for(2 * stale / 1000)
          cache(w, fresh, stale)
        end,
        say = [[Now it is busy again, {reads} reads a second. Fresh for {fresh} ms, stale until {stale} ms, a fetch takes {query} ms. An age counts from {counted}.]],
        predict = { id = "drill-budget-busy", kind = "number", unit = "ms", tolerance = 3,
          ask = "How old, counted from before its fetch, is the oldest answer that readers get?",
          answer = function(w) return math.floor(oldest_busy(w, fresh, stale)) end,
          wrong = wrong_busy(),
          why = from_read and "Fresh, and a fetch until the new one is there." or "A fetch, fresh, and a fetch until the new one is there.",
          hints = { "When does the next fetch begin?", "With the first reader after {fresh} ms, at once.",
            from_read and "{fresh} + {query}." or "{query} + {fresh} + {query}." } },
        run = function(w)
          rush(w, fresh)
        end,
        after = [[{age(w:reads_of(key).oldest_ms)} ms.]] },

      { id = "seldom", title = "A reader now and then", show = show, key = key, router = "R0", with = names,
        enter = function(w)
          w:flow("read", key, 0)
          w:play_for(2 * stale / 1000)
          if not from_read then w:set_rule("age-from-read", true) end
          cache(w, fresh, stale)
        end,
        say = [[The crowd is gone. At R0 one reader comes every {step} ms, exactly. Fresh for {fresh} ms, stale until {stale} ms, a fetch takes {query} ms. Ages count from when the fetch was sent.]],
        predict = { id = "drill-budget-seldom", kind = "number", unit = "ms", tolerance = 6,
          ask = "How old is the oldest answer that these readers get?",
          answer = function(w) return age(w:reads_of(key, "R0").oldest_ms) end,
          wrong = function(w)
            local out, truth = {}, age(w:reads_of(key, "R0").oldest_ms)
            local function add(value, belief, why)
              if math.abs(value - truth) > 6 then out[value] = { belief = belief, why = why } end
            end
            add(fresh, "the fresh bound is the bound", "At that moment nobody comes.")
            add(stale, "what is allowed happens", "So old nothing is given, and nobody comes just before.")
            add(step, "each gets the one before", "Only if the answer of the one before is stale by then, and not too old.")
            return out
          end,
          why = case,
          hints = { "How old is the kept answer when each of them comes?", "Multiples of {step} ms. Which is the first that is not fresh?",
            "If it is below {stale} it is given; else they wait {query} ms." } },
        run = every,
        after = [[{age(w:reads_of(key, "R0").oldest_ms)} ms.]] },

      { id = "choose", title = "Choose", show = { "table" }, key = key, with = names,
        enter = function(w)
          w:play_for(0.1)
          cache(w, fresh, stale)
        end,
        table = function() return { title = "Busy for 5 s; and how old at most", columns = { "fresh and stale", "fetches/s", "below ms" }, numbers = { 2, 3 }, rows = rows } end,
        say = [[No answer may ever be {limit} ms old or older, and the shard has room for {most} fetches a second, from {servers} routers. Ages count from when the fetch was sent.]],
        predict = { id = "drill-budget-choose", kind = "choice",
          ask = "Fresh for, and stale until:",
          choices = choices,
          why = "Its stale bound is within " .. limit .. " ms, and it fetches at most " .. most .. " times a second.",
          hints = { "Which bound says how old at most?", "The stale one must be {limit} ms or less.", "And {servers} x 1,000 / fresh must be {most} or less." } },
        after = [[{right}. Open a row of the table to see its run.]] },
    } }
  end,
}
