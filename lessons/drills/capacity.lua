-- A sizing worksheet: room with its copies, different partitions, nodes, reads and writes at a node, how far one
-- key lifts its partition, and one item that goes viral. New figures each time; they are the calculators'
-- (storage, throughput, hotspot), and mistakes are what people make of the same figures.

return drill {
  id = "capacity", part = 11, title = "Capacity",
  make = function(r)
    local millions = r:pick({ 200, 300, 400, 500, 800, 1200, 1500, 2000 })
    local kb = r:pick({ 0.5, 1, 2, 3, 4 })
    local copies = r:pick({ 2, 3, 3, 5 })
    local partition_gb = r:pick({ 1, 2, 4, 5 })
    local node_gb = r:pick({ 200, 300, 400, 500 })
    local raw_gb = millions * kb
    local nodes = math.ceil(raw_gb * copies / node_gb)
    local reads = 10000 * r:between(20, 90)
    local writes = 1000 * r:between(20, 90)
    local key_pct = r:pick({ 2, 4, 5, 8, 10, 12, 15, 20 })
    local kept_on = r:pick({ 20, 40, 60, 80 }) -- app servers
    local many = r:pick({ 4, 8 })

    local store = { items = millions * 1000000, item_kb = kb, copies = copies, partition_gb = partition_gb, node_gb = node_gb }
    local function s(name) return size("storage", store)[name] end
    local distinct = size("storage", store).partitions_distinct
    local function load_of() return { reads = reads, writes = writes, partitions = s("partitions"), nodes = nodes, copies = copies } end
    local function t(name) return size("throughput", load_of())[name] end
    local function hot_of() return { rate = reads, partitions = distinct, key_pct = key_pct } end
    local function h(name) return size("hotspot", hot_of())[name] end

    local function decimals(x, n) return (string.format("%." .. (n or 0) .. "f", x)) end
    local function whole(x) return math.floor(x + 0.5) end
    local function short(x) -- 2,500 as 2500, 2.5 as 2.5
      return x == math.floor(x) and math.tointeger(x) or math.floor(x * 1000 + 0.5) / 1000
    end

    -- Mistakes that lie apart from the right answer and from each other.
    local function mistakes(right, far, list)
      local out = {}
      for _, m in ipairs(list) do
        local value = short(m[1])
        local apart = math.abs(value - right) > far
        for other in pairs(out) do apart = apart and math.abs(other - value) > far end
        if apart then out[value] = { belief = m[2], why = m[3] } end
      end
      return out
    end
    local function near(x) return math.max(0.01, x / 200) end

    -- One item has this part of all reads.
    local viral = reads * key_pct / 100
    local at_its_node = viral + (reads - viral) / nodes
    local after = {
      double = viral + (reads - viral) / (2 * nodes),
      copied = viral / many + (reads - viral) / nodes,
      kept = kept_on + (reads - viral) / nodes,
    }
    -- A ceiling under which two of the three come, or one: between two that lie well apart.
    local order = { after.double, after.copied, after.kept }
    table.sort(order)
    local gap = r:between(1, 2)
    if order[gap + 1] < 1.05 * order[gap] then gap = 3 - gap end
    local ceiling = whole((order[gap] + order[gap + 1]) / 2)

    local names = { millions = millions, kb = kb, copies = copies, partition_gb = partition_gb, node_gb = node_gb, raw_gb = raw_gb,
      nodes = nodes, reads = reads, writes = writes, key_pct = key_pct, kept_on = kept_on, many = many, viral = viral,
      at_its_node = at_its_node, ceiling = ceiling, after = after, distinct = distinct,
      decimals = decimals, whole = whole, s = s, t = t, h = h }
    local function sheet(what, give, only)
      return function() return { what = what, give = give(), only = only } end
    end
    local total, each, factor = raw_gb * copies / 1000, t("reads_node"), h("key_factor")

    return { world = "story-quiet", steps = {
      { id = "room", title = "Room", show = { "worksheet" }, with = names, worksheet = sheet("storage", function() return store end,
        { "items", "item_kb", "copies", "raw_tb", "total_tb" }),
        say = [[{millions} million items of {kb} KB, each kept {copies} times.]],
        predict = { id = "drill-capacity-room", kind = "number", unit = "TB", tolerance = near(total),
          ask = "How many TB must be stored in all?",
          answer = function() return s("total_tb") end,
          wrong = mistakes(total, near(total), {
            { raw_gb / 1000, "copies take no room", "That is one copy. There are {copies}." },
            { raw_gb * (copies + 1) / 1000, "copies are beside the data", "{copies} copies in all: the first is one of them." },
            { raw_gb * copies, "the unit does not matter", "That is in GB. A thousand of them are a TB." } }),
          why = "{millions} million x {kb} KB x {copies}.",
          hints = { "One copy first.", "{raw_gb} GB.", "Times {copies}, over 1,000." } } },

      { id = "different", title = "Different partitions", show = { "worksheet" }, with = names, worksheet = sheet("storage", function() return store end,
        { "items", "item_kb", "copies", "partition_gb", "raw_tb", "partitions", "partitions_distinct" }),
        say = [[{raw_gb} GB, kept {copies} times. A partition shall have {partition_gb} GB.]],
        predict = { id = "drill-capacity-different", kind = "number", unit = "partitions", tolerance = distinct / 200,
          ask = "Into how many different partitions are keys divided?",
          answer = function() return s("partitions_distinct") end,
          wrong = mistakes(distinct, distinct / 200, {
            { raw_gb * copies / partition_gb, "a copy is a partition", "A copy has the same keys as its partition. {copies} copies are one part of the keys." },
            { raw_gb / partition_gb / copies, "copies share the keys", "Each copy has all keys of its partition." },
            { raw_gb, "a GB is a partition", "One has {partition_gb} GB." } }),
          why = "One copy of everything, over {partition_gb} GB.",
          hints = { "Do copies divide keys?", "No: count one copy.", "{raw_gb} over {partition_gb}." } } },

      { id = "nodes", title = "Nodes", show = { "worksheet" }, with = names, worksheet = sheet("storage", function() return store end,
        { "items", "item_kb", "copies", "node_gb", "raw_tb", "total_tb", "nodes" }),
        say = [[{raw_gb} GB, kept {copies} times. A node may hold {node_gb} GB.]],
        predict = { id = "drill-capacity-nodes", kind = "number", unit = "nodes", tolerance = 0,
          ask = "How many nodes does the data need, at least?",
          answer = function() return s("nodes") end,
          wrong = mistakes(nodes, 0, {
            { math.ceil(raw_gb / node_gb), "copies take no room", "All {copies} copies must lie somewhere." },
            { raw_gb * copies // node_gb, "rounding goes down", "Then the last {whole(raw_gb * copies % node_gb)} GB have no room." },
            { nodes * copies, "copies are counted twice", "They are in the {decimals(raw_gb * copies / 1000, 1)} TB already." } }),
          why = "{raw_gb} x {copies} over {node_gb}, rounded up.",
          hints = { "How much is it with all copies?", "{whole(raw_gb * copies)} GB.", "Over {node_gb}, rounded up." } } },

      { id = "reads", title = "Reads", show = { "worksheet" }, with = names, worksheet = sheet("throughput", load_of, { "reads", "nodes", "copies", "reads_node" }),
        say = [[{nodes} nodes hold {copies} copies of everything. {reads} reads a second come, and any copy may answer.]],
        predict = { id = "drill-capacity-reads", kind = "number", unit = "reads/s", tolerance = math.max(1, each / 200),
          ask = "How many reads a second does a node get, if they are even?",
          answer = function() return whole(t("reads_node")) end,
          wrong = mistakes(each, math.max(1, each / 200), {
            { reads * copies / nodes, "each copy does each read", "One copy answers. It is writes that each copy does." },
            { reads / distinct, "a partition is a node", "That is for one of {distinct} partitions. A node has many." },
            { reads / nodes / copies, "copies are more nodes", "They are on the same {nodes} nodes." } }),
          why = "{reads} over {nodes}.",
          hints = { "How often is a read done?", "Once, by one copy.", "{reads} over {nodes}." } } },

      { id = "writes", title = "Writes", show = { "worksheet" }, with = names, worksheet = sheet("throughput", load_of, { "writes", "nodes", "copies", "writes_node", "writes_node_copied" }),
        say = [[{nodes} nodes, {copies} copies of everything. {writes} writes a second come.]],
        predict = { id = "drill-capacity-writes", kind = "number", unit = "writes/s", tolerance = math.max(1, writes * copies / nodes / 200),
          ask = "How many writes a second does a node do, copies and all?",
          answer = function() return whole(t("writes_node_copied")) end,
          wrong = mistakes(writes * copies / nodes, math.max(1, writes * copies / nodes / 200), {
            { writes / nodes, "copies do not write", "Each write is done by {copies} nodes." },
            { writes, "every node does all", "Each node does what its copies are asked for." },
            { writes * (copies + 1) / nodes, "copies are beside the data", "{copies} copies in all." } }),
          why = "{writes} x {copies} over {nodes}. Round at the end.",
          hints = { "How often is a write done?", "{copies} times.", "{writes} x {copies} over {nodes}." } } },

      { id = "factor", title = "One key", show = { "worksheet" }, with = names, worksheet = sheet("hotspot", hot_of, { "rate", "partitions", "key_pct", "average", "key_rate", "key_factor" }),
        say = [[{reads} reads a second on {distinct} partitions, which leaders answer. One key has {key_pct}% of all reads.]],
        predict = { id = "drill-capacity-factor", kind = "number", unit = "times", tolerance = near(factor),
          ask = "How many times the average partition is that key alone?",
          answer = function() return h("key_factor") end,
          wrong = mistakes(factor, near(factor), {
            { factor * copies, "a copy is a partition", "Only leaders answer: {distinct} of them." },
            { key_pct, "a percentage is a factor", "{key_pct}% of all is much for one of {distinct}." },
            { reads * key_pct / 100, "a rate is a factor", "That is the key's rate. Over the average." } }),
          why = "{whole(viral)} over {decimals(reads / distinct, 1)}.",
          hints = { "What is the average?", "{decimals(reads / distinct, 1)}.", "The key: {whole(viral)}." } } },

      { id = "viral", title = "Its node", show = { "worksheet" }, with = names, worksheet = sheet("hotspot", hot_of, { "rate", "key_pct", "key_rate" }),
        say = [[{reads} reads a second on {nodes} nodes. One item goes viral: {key_pct}% of them are for it. One node alone answers for an item. All others are even.]],
        predict = { id = "drill-capacity-viral", kind = "number", unit = "reads/s", tolerance = math.max(1, at_its_node / 400),
          ask = "How many reads a second come to its node?",
          answer = function() return whole(h("key_rate") + (reads - h("key_rate")) / nodes) end,
          wrong = mistakes(at_its_node, math.max(1, at_its_node / 400), {
            { reads / nodes, "the mean is the plan", "Nobody spreads one item." },
            { viral, "a hot key comes alone", "Its node has other items, and they are read as well." },
            { viral + reads / nodes, "hot reads come on top", "They are among the {reads}. Take them off before you divide." } }),
          why = "{whole(viral)}, and its part of the other {whole(reads - viral)}.",
          hints = { "Its own, and a part of the rest.", "The rest: {whole(reads - viral)}.", "That over {nodes}, and {whole(viral)}." } } },

      { id = "fix", title = "What helps?", show = { "worksheet" }, with = names, worksheet = sheet("hotspot", hot_of, { "rate", "key_pct", "key_rate" }),
        say = [[As before: {whole(at_its_node)} reads a second at the viral item's node. Say that a node can answer {ceiling}.]],
        predict = { id = "drill-capacity-fix", kind = "several",
          ask = "Which of these keep that node within it?",
          choices = r:shuffle({
            { "{2 * nodes} nodes", belief = "more shards, less load each", why = "The others' reads halve. The item's do not: {whole(after.double)}.",
              holds = function() return after.double <= ceiling end },
            { "{many} copies of the item, read at random", belief = "a copy is as good as a cache", why = "A part of its reads, and the neighbours' as before: {whole(after.copied)}.",
              holds = function() return after.copied <= ceiling end },
            { "{kept_on} servers keep it 1 s each", belief = "a cache is only faster", why = "{kept_on} reads a second for it, and the neighbours' as before: {whole(after.kept)}.",
              holds = function() return after.kept <= ceiling end },
          }),
          why = "{2 * nodes} nodes leave {whole(after.double)} at that node, {many} copies {whole(after.copied)}, {kept_on} servers {whole(after.kept)}.",
          hints = { "The item's reads and its neighbours', apart.", "Neighbours: {whole((reads - viral) / nodes)}.", "What is left of {whole(viral)} with each?" } } },
    } }
  end,
}
