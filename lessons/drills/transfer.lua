-- Money goes from one shard to another: by nothing, by two-phase commit, as a saga. The coordinator
-- dies at a point that is drawn, amounts and steps are drawn too; what is left, locked and seen is
-- what a run of it gives. In the end: which way fits?

local PEOPLE = { "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi" }
local WAYS = { "Two-phase commit", "A saga", "One tag, one shard", "A derived index" }

local CASES = {
  { "Money moves between two accounts of one bank. Nobody may see a sum that is not there; readers wait at locked rows. Both shards are in one building.", 1, {
    [2] = { "half for a moment is no harm", "Between its steps the sum is wrong, and no lock keeps a reader away." },
    [3] = { "what changes together can be kept together", "Any two accounts may pay each other. They cannot all have one tag." },
    [4] = { "a moment late will do", "Then money is in neither account, or in both, for a moment." } },
    "both change or none, and who respects the locks sees no half." },
  { "A trip: a flight at one company, a hotel at another, a car at a third. Each may say no, and takes seconds to answer.", 2, {
    [1] = { "all or nothing needs locks", "Nobody lets a stranger lock seats for seconds, and wait for him when he dies." },
    [3] = { "what changes together can be kept together", "They are three companies." },
    [4] = { "a moment late will do", "Each may refuse, and then the others must be given back." } },
    "each step is done at once, and can be cancelled when a later one is refused." },
  { "A basket and its lines. A line is added, and the basket's sum changes with it. Nothing else ever does both.", 3, {
    [1] = { "two rows need a protocol", "Two rows of one shard change in one step, where its store has transactions of its own." },
    [2] = { "two steps need a saga", "There need not be two steps, if both lie on one shard." },
    [4] = { "a sum is always derived", "It could be, but then the basket shows an old sum." } },
    "with the tag of the basket in both keys one shard changes both, and no protocol is needed." },
  { "Each like should also stand in the list of its post, on another shard. The list never refuses, and may be a second late.", 4, {
    [1] = { "two shards need a transaction", "Each like would lock the list, and wait for it." },
    [2] = { "two steps need a saga", "Nothing is ever taken back: the list cannot refuse." },
    [3] = { "what changes together can be kept together", "A user likes many posts: the likes cannot have all their tags." } },
    "the like is one write, and the list is made from it when it can be." },
}

return drill {
  id = "transfer", part = 9, title = "A transfer",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local people = r:shuffle { 1, 2, 3, 4, 5, 6, 7, 8 }
    local from, to
    for _, i in ipairs(people) do
      local key = "acct:{" .. PEOPLE[i] .. "}"
      if not from then from = PEOPLE[i]
      elseif not to and map:owner(key) ~= map:owner("acct:{" .. from .. "}") then to = PEOPLE[i] end
    end
    local A, B = "acct:{" .. from .. "}", "acct:{" .. to .. "}"
    local have, has = 10 * r:between(20, 60), 10 * r:between(10, 60)
    local pay = 5 * r:between(3, 30) + r:pick({ 0, 1, 2 })
    local router = "R" .. r:between(0, 5)
    local down = r:between(2, 5)
    local give_first = r:chance(1, 2)
    local point = r:pick({ { "asked", "when it has asked both to prepare" }, { "voted", "when both votes are in, before it writes anything down" },
      { "decided", "when it has written commit down, before it tells anybody" }, { "told-one", "when it has told one of them to commit" } })
    local refused = r:chance(1, 2)
    local case, order = r:pick(CASES), r:shuffle { 1, 2, 3, 4 }
    local between
    local seat -- on another shard than the account
    for n = 1, 40 do
      if not seat and map:owner("seat:{" .. n .. "}") ~= map:owner(A) then seat = "seat:{" .. n .. "}" end
    end

    local function set(w, taken)
      assert(w:owner(A) == "S" .. map:owner(A) and w:owner(B) == "S" .. map:owner(B) and w:owner(A) ~= w:owner(B)
        and w:owner(seat) ~= w:owner(A), "this drill cannot be set up here: its rows are not on two shards")
      w:command("coordinator lives")
      w:command("row " .. A .. " " .. have)
      w:command("row " .. B .. " " .. has)
      w:command("row " .. seat .. " " .. (taken and 1 or 0))
    end
    local function steps()
      local take, give = "take " .. A .. " " .. pay, "give " .. B .. " " .. pay
      return give_first and give .. " " .. take or take .. " " .. give
    end
    local function txn(w, by, what) w:command("txn " .. by .. " via " .. router .. " " .. (what or steps())) end

    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        if m[1] ~= right and not out[m[1]] then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local half = have + has + (give_first and pay or -pay)
    local paid = point[1] == "decided" or point[1] == "told-one"
    local ends = paid and have - pay or have
    local choices = {}
    for i, k in ipairs(order) do
      local why = case[3][k]
      choices[i] = { WAYS[k], belief = why and why[1], why = why and why[2], holds = function() return k == case[2] end }
    end
    local names = { from = from, to = to, A = A, B = B, have = have, has = has, pay = pay, router = router, down = down, half = half, ends = ends,
      first_step = give_first and "gives " .. to .. " the money" or "takes it from " .. from, point = point[2],
      shard = "S" .. map:owner(A), way = WAYS[case[2]], fits = case[4], case = case[1],
      booked = have - pay, refused = refused and "The seat is gone already." or "The seat is free.",
      whole = function(x) return math.floor(x + 0.5) end, tenths = function(x) return math.floor(10 * x + 0.5) / 10 end,
      paid = paid and "It was decided: commit is in its log." or "Its log says nothing, and that means abort.",
      seen = function() return between end, give_first = give_first,
      then_seen = refused and "Between the two steps anyone could see" or "From the first step on, before the seat was sure, anyone could see", total = function(w) return w:row(A).value + w:row(B).value end }

    return { world = "story-near", steps = {
      { id = "plain", title = "By nothing", show = { "txn" }, with = names, router = router,
        enter = function(w) set(w) end,
        say = [[{from} has {have}, {to} has {has}, on two shards. {from} pays {to} {pay}: {router} sends two changes, and nobody takes care of them. The first {first_step}. {router} dies when that one is sent.]],
        predict = { id = "drill-transfer-plain", kind = "number",
          ask = "How much do both have together in the end?",
          answer = function(w) return w:row(A).value + w:row(B).value end,
          wrong = mistakes(half, {
            { have + has, "what is half done is undone", "Who should undo it? Each shard has done what it was asked for." },
            { have + has + (give_first and -pay or pay), "the taking comes first", "Look which of both is sent first." } }),
          why = "One of two changes is done.",
          hints = { "Which change is done?", "The first {first_step}.", "{have} + {has}, and that change." } },
        run = function(w)
          w:command("coordinator dies told-one 1000")
          txn(w, "plain")
          w:play_for(2)
        end,
        after = [[{total(w)}, where {have + has} should be: {router} had sent one of two changes, and nobody sends the other or takes it back.]] },

      { id = "ends", title = "Two-phase commit", show = { "txn" }, with = names, router = router,
        enter = function(w) set(w) end,
        say = [[Once more, by two-phase commit: {from} has {have}, and pays {to} {pay}. The coordinator {router} dies {point}. It comes back {down} s later.]],
        predict = { id = "drill-transfer-ends", kind = "number",
          ask = "How much does {from} have when all is over?",
          answer = function(w) return w:row(A).value end,
          wrong = mistakes(ends, {
            { paid and have or have - pay, paid and "a dead coordinator aborts" or "the votes decide", paid and "Commit is in its log. It comes back, reads it, and tells both." or "Only a line in its log decides. There is none." },
            { have - 2 * pay, "sent again is done again", "Who hears it twice does it once." },
            { have + pay, "who aborts pays back", "Nothing was taken yet." } }),
          why = "A line in {router}'s log decides, and nothing else.",
          hints = { "What does {router} know when it comes back?", "What its log says.", "Was commit in it?" } },
        run = function(w)
          w:command("coordinator dies " .. point[1] .. " " .. down * 1000)
          txn(w, "2pc")
          w:play_for(down + 2)
        end,
        after = [[{from} has {w:row(A).value}, {to} {w:row(B).value}: together {total(w)}, as before. {paid}]] },

      { id = "locked", title = "How long locked", show = { "txn" }, with = names, router = router,
        enter = function(w) set(w) end,
        say = [[The same, and this time {router} dies when both have voted yes and nothing is written down. It is down for {down} s. {from} wants to pay somebody else meanwhile.]],
        predict = { id = "drill-transfer-locked", kind = "number", unit = "s", tolerance = 0.3,
          ask = "For about how many seconds is {from}'s row locked?",
          answer = function(w) return math.floor(10 * w:txn().steps[give_first and 2 or 1].locked_ms / 1000 + 0.5) / 10 end,
          wrong = mistakes(down, {
            { 0, "a dead coordinator frees its locks", "The shard has promised to wait for its word." },
            { 1, "who waits too long may leave", "Who voted yes may not decide alone, however long it takes." },
            { 2 * down, "both rows wait one after the other", "Both wait at the same time." } }),
          why = "Until {router} is back, asks its log, and says abort.",
          hints = { "What may a participant do that has voted yes?", "Wait for the word of {router}.", "{router} is back after {down} s." } },
        run = function(w)
          w:command("coordinator dies voted " .. down * 1000)
          txn(w, "2pc")
          w:play_for(down + 2)
        end,
        after = [[{tenths(w:txn().steps[give_first and 2 or 1].locked_ms / 1000)} s: {router} was down for {down}, and then has to be asked. Until it is back {from} can pay nobody.]] },

      { id = "between", title = "A saga", show = { "txn" }, with = names, router = router,
        enter = function(w) set(w, refused) end,
        say = [[{from} books a seat for {pay}, and has {have}. A saga: first the {pay} are taken, then the seat is claimed. {refused}]],
        predict = { id = "drill-transfer-between", kind = "number",
          ask = "What does {from} have when the saga is over?",
          answer = function(w) return w:row(A).value end,
          wrong = mistakes(refused and have or have - pay, {
            { refused and have - pay or have, refused and "a step that is done stays done" or "a saga shows nothing until the end", refused and "Its compensation gives the {pay} back." or "Each step is done for good, and none was refused." },
            { refused and have + pay or have - 2 * pay, "each step is done twice", "A step has an id, and is done once." } }),
          why = refused and "The seat says no, and the step before is taken back." or "Both steps are done.",
          hints = { "What does the second step say?", refused and "No. What becomes of the first?" or "Yes.", refused and "It is taken back." or "Both stay." } },
        run = function(w)
          txn(w, "saga", "take " .. A .. " " .. pay .. " claim " .. seat)
          between = have
          for _ = 1, 40 do
            w:play_for(0.001)
            between = math.min(between, w:row(A).value)
          end
          w:play_for(0.5)
        end,
        after = [[{w:row(A).value}. {then_seen} {seen()}.]] },

      { id = "which", title = "Which way?", show = { "slot_map" }, with = names,
        say = [[{case}]],
        predict = { id = "drill-transfer-which", kind = "choice", ask = "Which way fits?", choices = choices,
          why = "It gives what this change needs, and no more.",
          hints = { "May a part be refused after another is done?", "May anybody see the half of it?", "Could both lie on one shard?" } },
        after = [[{way}: {fits}]] },
    } }
  end,
}
