-- A sale: one product page on one node of a cache. How full the node is, who suffers, what more nodes
-- do, and then a small cache in each application server: what is left for the node, what a restart
-- does, and how long an old price may be shown. New numbers each time; every answer is a run's. As a
-- node of Redis does, a full one refuses nobody: it has one line for all its keys, and that grows.

local NODES, SERVERS, QUERY = 4, 6, 5
local LINE = 20000 -- reads that may wait: longer than any of these sales
local NAMES = { "product", "item", "article", "offer" }
local SLOTS = 16384

return drill {
  id = "melted-redis", part = 4, title = "One page on one node",
  make = function(r)
    local map = layout("slots", { shards = NODES, deal = "ranges" })
    local name, hot = r:pick(NAMES), r:between(100, 899)
    local function page(n) return name .. ":{" .. n .. "}" end
    local key = page(hot)
    local home = map:owner(key)
    local others, n = {}, hot -- three more pages of the same node
    while #others < 3 do
      n = n + 1
      if map:owner(page(n)) == home then others[#others + 1] = page(n) end
    end
    local ceiling = r:pick({ 1200, 1500, 1800 })
    local reads = ceiling * r:between(24, 36) // 1000 * 100
    local each = ceiling * r:between(3, 7) // 100
    local fresh = r:pick({ 500, 1000, 1500, 2000 })
    local stale = fresh * r:between(2, 4)
    local editor = "R" .. r:between(0, SERVERS - 1)

    local function ceilings(w, line)
      for i = 0, w:shards() - 1 do w:command("ceiling S" .. i .. " 1000 " .. ceiling .. " " .. line) end
    end
    local function sale(w, arrivals) w:flow("read", key, reads, arrivals or "scattered") end
    local function cache(w) w:command("reads " .. key .. " cached " .. fresh .. " " .. stale) end
    local function node(w) return w["S" .. home] end

    -- Twice the nodes: the upper half of each node's slots goes to a new one.
    local function doubled(w)
      local part = SLOTS // NODES
      for i = 0, NODES - 1 do
        w:add_shard()
        w:command("ceiling S" .. NODES + i .. " 1000 " .. ceiling .. " " .. LINE)
        w:move(i * part + part // 2, (i + 1) * part - 1, "S" .. NODES + i)
      end
    end
    local function fullest(w)
      local most = 0
      for i = 0, w:shards() - 1 do most = math.max(most, w["S" .. i].read_pct) end
      return most
    end

    local function fetched(w)
      local f = w:fork()
      f:flow("read", key, 600, "steady") -- however many they are
      f:play_for(1)
      local before = f:reads_of(key).fetches
      f:play_for(6)
      return math.floor((f:reads_of(key).fetches - before) / 6 + 0.5)
    end

    -- The oldest answer that a server may give, found by trying, to the millisecond.
    local function oldest(w)
      local f, most = w:fork(), 0
      f:flow("read", key, 0)
      f:play_for(0.1)
      for _, ms in ipairs { fresh, stale - 1, stale } do
        f:command("reads " .. key .. " plain")
        cache(f)
        f:send("read", key, "R0")
        f:play_answered()
        f:play_for((ms - QUERY) / 1000)
        f:send("read", key, "R0")
        f:play_answered()
        most = math.max(most, f:reads_of(key, "R0").oldest_ms)
      end
      return math.floor(most + 1)
    end
    local function showing_old(w, ms)
      local count = 0
      for i = 0, SERVERS - 1 do
        if w:reads_of(key, "R" .. i).held_ms > ms then count = count + 1 end
      end
      return count
    end

    local names = { key = key, S = "S" .. home, ceiling = ceiling, reads = reads, each = each, fresh = fresh, stale = stale,
      query = QUERY, servers = SERVERS, editor = editor, nodes = NODES, alone = 100 * reads // ceiling,
      other = others[1], node = node, fullest = fullest, showing_old = showing_old,
      later = function(w) return math.floor((node(w).reads - ceiling) * 1000 / ceiling + 0.5) end,
      ms = function(x) return math.floor(x + 0.5) end }

    return { world = "story-near", steps = {
      { id = "how-full", title = "The sale begins", show = { "bars" }, key = key, with = names,
        enter = function(w)
          ceilings(w, LINE)
          for _, other in ipairs(others) do w:flow("read", other, each, "scattered") end
        end,
        say = [[Pages of a shop are in a small cache of {nodes} nodes, S0 to S{nodes - 1}, each good for {ceiling} reads a second. (A large node does a hundred times that, and has a hundred times the readers.) Three pages of {S} are read {each} times each.

          A sale begins: another page there, `{=key}`, is read {reads} times a second, through {servers} application servers, R0 to R{servers - 1}.]],
        predict = { id = "drill-melted-full", kind = "number", unit = "%", tolerance = 3,
          ask = "How full is {S} now, in reads?",
          answer = function(w) return node(w).read_pct end,
          wrong = {
            [(reads + 3 * each) * 100 // (NODES * ceiling)] = { belief = "load spreads by itself",
              why = "That would be all reads over all nodes. A page is on one node." } },
          why = "All reads of that node over its ceiling.",
          hints = { "Add up what {S} is asked for.", "{reads} and three times {each}.", "That, divided by {ceiling}." } },
        run = function(w) sale(w) end, -- the second from its beginning has exactly so many
        after = [[{node(w).read_pct}%, while the other nodes idle.]] },

      { id = "who-suffers", title = "The others", show = { "bars", "trace:" .. others[1] }, key = others[1], with = names,
        say = [[A node of Redis does one thing after the other, and refuses nobody: what comes too fast waits in one line. Somebody opens `{=other}`, a page of the same node that is read {each} times a second, as always.]],
        predict = { id = "drill-melted-others", kind = "choice",
          ask = "What do they see?",
          choices = r:shuffle {
            { "The page, at once: only the hot one is slow.", belief = "a node has a line for each key",
              why = "It has one line. It does not look for which page a read is.",
              holds = function(w) return w.last.outcome == "OK" and w.last.ms < 50 end },
            { "The page, as late as readers of the hot one", holds = function(w) return w.last.outcome == "OK" and w.last.ms >= 50 end },
            { "An error, at once", belief = "a full node refuses", why = "It does not refuse. It falls behind, and who waits gives up in the end.",
              holds = function(w) return w.last.outcome ~= "OK" end },
          },
          why = "One line for all pages of the node.",
          hints = { "Is there a line for each page?", "There is one for the node.", "So all of its pages wait equally long." } },
        run = function(w)
          w:play_for(0.15)
          w:send("read", others[1], "R0")
          w:play_answered()
        end,
        after = [[After {ms(last.ms)} ms, and each second of the sale adds {later(w)} ms. Soon people give up before they are served: all pages of {S} time out.]] },

      { id = "more-nodes", title = "Twice the nodes", show = { "bars" }, key = key, with = names,
        enter = function(w)
          w:flow("read", key, 0) -- the line has to end first
          w:play_for(3)
          sale(w)
        end,
        say = [[The sale goes on. The nodes are doubled: half of the slots of each go to a new one.]],
        predict = { id = "drill-melted-nodes", kind = "number", unit = "%", tolerance = 300 * each // ceiling + 3,
          ask = "About how full is the fullest node then?",
          answer = function(w)
            local f = w:fork()
            if f:shards() == NODES then doubled(f) end
            f:flow("read", key, reads, "steady")
            return math.floor(fullest(f) + 0.5)
          end,
          wrong = { [100 * reads // ceiling // 2] = { belief = "twice the nodes, half the load",
            why = "The slots were halved. One page is in one slot, and was not." } },
          why = "Wherever that page is, all its {reads} reads go with it.",
          hints = { "What can be moved: pages, or parts of a page?", "The page is on one node before and after.", "{reads} of {ceiling}, and perhaps some of the others." } },
        run = doubled,
        after = [[{ms(fullest(w))}% on the one that has the page. A page is not cut, however many nodes there are.]] },

      { id = "a-small-cache", title = "In each server", show = { "cache:" .. key, "bars" }, key = key, with = names,
        enter = function(w)
          w:flow("read", key, 0)
          w:play_for(3)
          ceilings(w, 0)
          sale(w)
        end,
        say = [[Each of the {servers} application servers now keeps the page itself: fresh for {fresh} ms, stale until {stale} ms, with single-flight.]],
        predict = { id = "drill-melted-cache", kind = "number", unit = "reads/s", tolerance = 0.4,
          ask = "How many reads of it a second are left for the node?",
          answer = fetched,
          wrong = {
            [1000 / fresh] = { belief = "servers share one cache", why = "Each server has its own, and asks the node for itself." },
            [reads // SERVERS] = { belief = "a cache helps one reader in six", why = "So many come to each server. It asks the node once in {fresh} ms." },
            [reads] = { belief = "a cache only makes answers faster", why = "What a server answers itself, the node never hears of." } },
          why = "Each server once in {fresh} ms, however many readers there are.",
          hints = { "Who asks the node now?", "{servers} servers, each once in {fresh} ms.", "{servers} times 1,000 / {fresh}." } },
        run = function(w)
          cache(w)
          w:play_for(0.2)
        end,
        after = [[Before, it was {reads} for this page alone.]] },

      { id = "deployed", title = "A new version", show = { "waterfall:" .. key, "cache:" .. key }, key = key, with = names,
        enter = function(w)
          w:flow("read", key, 0)
          w:play_for(0.1)
          ceilings(w, 0)
          sale(w, "steady")
          w:command("reads " .. key .. " plain")
          w:set_rule("single-flight", false)
        end,
        say = [[A new version is rolled out to all servers at once. Their caches are empty, and somebody left single-flight out of it. A fetch takes {query} ms.]],
        predict = { id = "drill-melted-restart", kind = "number", tolerance = 7,
          ask = "{reads} readers come a second. About how many reads go to the node before the first answers are back?",
          answer = function(w) return w:reads_of(key).fetches end,
          wrong = {
            [SERVERS] = { belief = "a server fetches once", why = "By single-flight it would." },
            [reads] = { belief = "everybody asks for a whole second", why = "Only until the first answers are back and kept." } },
          why = "All who come in the {query} ms of a fetch.",
          hints = { "How long are the caches empty?", "{query} ms.", "{reads} x 0.005." } },
        run = function(w)
          cache(w)
          w:play_for(0.05)
        end,
        after = [[{w:reads_of(key).fetches}; with single-flight it is {servers}.]] },

      { id = "a-price", title = "An old price", show = { "cache:" .. key }, key = key, router = editor, with = names,
        enter = function(w)
          w:set_rule("single-flight", true)
          w:play_for(0.2)
        end,
        say = [[The price was wrong. It is set right through {editor}, which drops its copy of the page. Ages count from when a server asked. A page is fresh for {fresh} ms and given until {stale} ms.]],
        predict = { id = "drill-melted-price", kind = "number", unit = "ms", tolerance = 1,
          ask = "For how long after that may some visitor see the old price, at most?",
          answer = oldest,
          wrong = {
            [0] = { belief = "a write clears all caches", why = "Only {editor} knows of it. The other servers hear nothing." },
            [fresh] = { belief = "the fresh bound is the bound", why = "After it a page is still given, to the first who comes. In a quiet hour that may be late." } },
          why = "Until nobody may give it any more: the stale bound.",
          hints = { "Which servers know of the new price?", "In the others only age ends a page.", "At {stale} ms nobody gives it." } },
        run = function(w)
          w:send("edit", key, editor)
          w:play_answered()
          w:play_for(0.01)
        end,
        after = [[Right now {showing_old(w, 10)} of the {servers} servers have the old one. While the sale goes on it is gone after {fresh} ms and a read. In a quiet hour it may last {stale} ms.]] },
    } }
  end,
}
