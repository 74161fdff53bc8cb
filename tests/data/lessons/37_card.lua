-- A lesson with a card, and the story as a table whose rows are played when they are opened.
local function rows()
  local list = {}
  for _, e in ipairs(story_events()) do
    list[#list + 1] = { label = e.id, lazy = true, cells = { e.at, e.what },
      run = function(f) f:event(e.id) end }
  end
  return list
end

return lesson {
  id = "37_card", part = 98, title = "A card", minutes = 1, world = "story",
  card = function(w)
    return {
      { title = "Where a key is", lines = {
        "`post:{p9}` is in slot {w:slot(\"post:{p9}\")}, on {w:owner(\"post:{p9}\")}",
        "S2 takes {S2.write_ceiling} writes a second" } },
      { title = "Capacity", lines = { "{size(\"capacity\").masters} masters",
        "a viral item: {size(\"capacity\").viral_master} reads/s" } },
      { title = "In one line", lines = {
        "cut up or sum the writes of a hot key, cache its reads, or move it alone" } },
    }
  end,
  steps = {
    { id = "card", title = "The card", show = { "cheat" }, say = "It can be printed." },
    { id = "story", title = "The story", show = { "table", "bars" }, say = "Open a row.",
      table = function(w)
        return { title = "The story", columns = { "event", "at", "what" }, rows = rows() }
      end },
  },
}
