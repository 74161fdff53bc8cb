-- A table by email beside users by number: what a login saves, who gets in without it, what a crash
-- leaves, which claims may be cleaned up, and a change of email that stops halfway. Numbers, emails,
-- shards, crashes and ages are new each time.

local NAMES = { "ana", "ben", "cleo", "dan", "eva", "finn", "gil", "hana" }

return drill {
  id = "login-by-email", part = 9, title = "Login by email",
  make = function(r)
    local map = layout("slots", { shards = 4, deal = "ranges" })
    local n, logins = r:between(6, 40), 10 * r:between(20, 90)
    local who = r:pick(NAMES)
    local hosts = r:shuffle { "sea", "lake", "hill", "wood" }
    local old, new = who .. "@" .. hosts[1], who .. "@" .. hosts[2]

    -- Several who sign up with one email at once; each shard checks its own rows.
    local ids, places, distinct = {}, {}, {}
    local count = r:between(4, 6)
    local different = 0
    repeat
      ids, places, distinct, different = {}, {}, {}, 0
      for i = 1, count do
        local id
        repeat id = r:between(10, 99) until not distinct["id" .. id]
        distinct["id" .. id] = true
        local shard = "S" .. map:owner("users:" .. id)
        if not distinct[shard] then distinct[shard], different = true, different + 1 end
        ids[i], places[i] = id, "user " .. id .. " on " .. shard
      end
    until different > 1 and different < count

    -- A sign-up of two rows that stops after the first.
    local email_first = r:chance(1, 2)
    local stopped = r:pick({ 0, 1, 1, 1, 2 })
    local has_email = stopped == 2 or stopped == 1 and email_first
    local has_user = stopped == 2 or stopped == 1 and not email_first
    local left = has_email and has_user and "both" or has_email and "email" or has_user and "user" or "nothing"
    local function stops() return stopped == 0 and "before both" or stopped == 1 and "between the two" or "after both, before it could answer" end

    -- Claims, some of them without a user.
    local takes = r:between(2, 9)
    local claims, may, without, old_ones = {}, 0, 0, 0
    repeat
      claims, may, without, old_ones = {}, 0, 0, 0
      for i = 1, r:between(6, 8) do
        local age = r:chance(1, 2) and r:between(1, takes) or takes + r:between(1, 40)
        local user = r:chance(2, 5)
        if not user then without = without + 1 end
        if age > takes then old_ones = old_ones + 1 end
        if not user and age > takes then may = may + 1 end
        claims[i] = { label = NAMES[i] .. "@" .. hosts[3], cells = { age .. " min", user and "yes" or "no" } }
      end
    until may > 0 and may < without and may < old_ones and without ~= old_ones

    -- A change of email: claim, user, free. So many steps are done.
    local done = r:between(0, 3)
    local open = done == 0 and "new" or done == 3 and "old" or "neither"
    local order = r:shuffle { "old", "new", "neither", "both" }
    local says = { old = "Only " .. old, new = "Only " .. new, neither = "Neither", both = "Both" }
    local beliefs = {
      old = { "what will be given back is free", "It is given back in the last step, and that is not done." },
      new = { "what is not used yet is free", "It was claimed in the first step." },
      neither = { "everything is locked until the end", done == 0 and "Nothing was claimed yet but the old one." or "The last step gave the old one back." },
      both = { "a saga that stops holds nothing", "What is done stays done until the saga goes on: it locks nothing, and gives nothing up." },
    }
    local choices = {}
    for i, which in ipairs(order) do
      choices[i] = { says[which], belief = beliefs[which][1], why = beliefs[which][2], holds = function() return which == open end }
    end
    local steps_done = ({ [0] = "none of them is done", "the first is done", "the first and the second are done", "all three are done, and nobody was told" })[done]

    local left_order, left_choices = r:shuffle { "email", "user", "both", "nothing" }, {}
    local left_says = { email = "An email that leads to nobody", user = "A user whom no email leads to", both = "Both rows", nothing = "Nothing" }
    local left_beliefs = {
      email = { "the email's row is always first", "Here " .. (stopped == 1 and "the user's row is the first." or "it stopped " .. stops() .. ".") },
      user = { "the user is always first", "Here " .. (stopped == 1 and "the email's row is the first." or "it stopped " .. stops() .. ".") },
      both = { "what is begun is finished", "Nobody finishes what is left of it." },
      nothing = { "who was told nothing has nothing", "What a shard has written stays written, whatever the client was told." },
    }
    for i, which in ipairs(left_order) do
      left_choices[i] = { left_says[which], belief = left_beliefs[which][1], why = left_beliefs[which][2], holds = function() return which == left end }
    end

    local function mistakes(right, list)
      local out = {}
      for _, m in ipairs(list) do
        if m[1] ~= right and not out[m[1]] then out[m[1]] = { belief = m[2], why = m[3] } end
      end
      return out
    end

    local saved = (n - 2) * logins
    local names = { n = n, logins = logins, saved = saved, old = old, new = new, people = table.concat(places, ", "), count = count, different = different,
      first_row = email_first and "the email's row" or "the user's row", second_row = email_first and "the user's row" or "the email's row",
      list = function()
        local out = {}
        for i, c in ipairs(claims) do out[i] = c.label .. " " .. c.cells[1] .. (c.cells[2] == "no" and ", no user" or "") end
        return table.concat(out, "; ")
      end, stops = stops(), takes = takes, may = may, without = without, steps_done = steps_done }

    return { steps = {
      { id = "saved", title = "A login", show = { "table" }, with = names,
        table = function()
          return { title = "Requests a second", columns = { "a login asks", "shards", "requests" }, numbers = { 2, 3 }, rows = {
            { label = "everybody", cells = function() return { n, n * logins } end },
            { label = "by its email", cells = function() return { 2, 2 * logins } end } } }
        end,
        say = [[{n} shards hold users by number. {logins} people a second log in by email. Each login asks all shards at once; a table by email, on the shard of the email's hash, would give the user's number.]],
        predict = { id = "drill-login-saved", kind = "number", unit = "requests/s",
          ask = "How many requests a second does that table save?",
          answer = function() return saved end,
          wrong = mistakes(saved, {
            { (n - 1) * logins, "the email's row is the user", "It has the user's number only. The user's shard is asked then." },
            { n * logins, "an index costs nothing", "Two requests remain: the email's row and the user's." },
            { 2 * logins, "what is left is what is saved", "So many remain." } }),
          why = "Each asks 2 shards instead of {n}.",
          hints = { "How many shards does a login ask then?", "Two: the email's, and the user's.", "{n} less 2, for each of {logins}." } },
        after = [[{saved} of {n * logins} requests a second are saved; {2 * logins} remain, two for each login.]] },

      { id = "in", title = "All at once", show = { "table" }, with = names,
        table = function()
          local rows, seen = {}, {}
          for i, id in ipairs(ids) do
            local shard = "S" .. map:owner("users:" .. id)
            rows[i] = { label = "user " .. id, cells = { shard, seen[shard] and "no" or "yes" } }
            seen[shard] = true
          end
          return { title = old, columns = { "who", "on", "gets in" }, rows = rows }
        end,
        say = [[There is no such table yet. Each shard sees to it that no email is twice *in its own rows*. {count} people sign up with {old} at once: {people}.]],
        predict = { id = "drill-login-in", kind = "number", 
          ask = "How many of them get in?",
          answer = function() return different end,
          wrong = mistakes(different, {
            { 1, "unique is unique", "Within a shard. No shard sees the rows of another." },
            { count, "nobody checks", "Each shard does, among its own: of those on one shard one gets in." },
            { 0, "they block each other", "Shards do not ask each other." },
            { 4, "one on each shard", "Only on the shards that some of them are on." } }),
          why = "One on each shard that any of them is on.",
          hints = { "Who checks, and what does it see?", "On one shard only the first gets in.", "Count the different shards." } },
        after = [[{different}, with one email. With a row for the email it is one.]] },

      { id = "left", title = "Halfway", show = { "table" }, with = names,
        table = function()
          local function row(label, is) return { label = label, cells = { is and "yes" or "no" } } end
          return { title = "A sign-up that stopped", columns = { "row", "written" }, rows = { row("the email's", has_email), row("the user's", has_user) } }
        end,
        say = [[Now there are two tables. A sign-up writes {first_row} first, then {second_row}. Its router dies {stops}.]],
        predict = { id = "drill-login-left", kind = "choice", ask = "What is left of this sign-up?", choices = left_choices,
          why = "What was written is there.",
          hints = { "Which rows were written?", "The router died {stops}.", "{first_row} comes first." } },
        after = [[The email's row first is the better order: what it may leave behind harms nobody but the next who wants this email, and can be found by a job.]] },

      { id = "clean", title = "Cleaning up", show = { "table" }, with = names,
        table = function() return { title = "Emails", columns = { "email", "claimed", "user?" }, rows = claims } end,
        say = [[A job removes emails that no user will ever come to. A sign-up takes at most {takes} minutes, from its claim to its user. The table with all claims appears with your answer; here it is in words:

          {list()}.]],
        predict = { id = "drill-login-clean", kind = "number", 
          ask = "How many may it remove?",
          answer = function()
            local sum = 0
            for i = 1, #claims do
              local age = tonumber(string.match(cells[i][2], "%d+"))
              if cells[i][3] == "no" and age > takes then sum = sum + 1 end
            end
            return sum
          end,
          wrong = mistakes(may, {
            { without, "without a user it is left over", "Some are younger than {takes} minutes: their user may still come." },
            { old_ones, "old is left over", "Some of the old ones have a user, and log in by them." },
            { #claims, "claims are temporary", "An email with a user is in use." },
            { 0, "nobody can know", "The one who still came would find that the claim is not his any more." } }),
          why = "No user, and older than a sign-up can take.",
          hints = { "Which have no user?", "And which of these are older than {takes} minutes?", "Both must hold." } },
        after = [[{may} may go. A router that slept for long may still write its user after that. So this write asks whether the claim is still *its* own, by the claim's id; age alone makes such a double rare, not impossible.]] },

      { id = "change", title = "A new email", show = { "table" }, with = names,
        table = function()
          local rows = {}
          for i, what in ipairs { "claim the new", "change the user", "give the old back" } do
            rows[i] = { label = what, cells = { i <= done and "yes" or "no" } }
          end
          return { title = "The saga's steps", columns = { "step", "done" }, rows = rows }
        end,
        say = [[{old} becomes {new}, by a saga of three steps: claim the new one, change the user, give the old one back. Its coordinator dies when {steps_done}.]],
        predict = { id = "drill-login-change", kind = "choice", ask = "Which of the two can somebody else claim at that moment?", choices = choices,
          why = "Both are the user's from the first step to the last.",
          hints = { "Which steps are done?", "The first takes the new one, the last gives the old one back.", "In between both are taken." } },
        after = [[When it comes back it goes on from its log. Until then what is claimed stays claimed.]] },
    } }
  end,
}
