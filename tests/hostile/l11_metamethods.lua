-- L11: loops in metamethods are work like any other.
local function step(id, f) return { id = id, title = id, say = "Nothing.", enter = f } end
local function forever() while true do end end
local function thing(name) return setmetatable({}, { [name] = forever }) end
return lesson { id = "l11_metamethods", part = 1, title = "L11", minutes = 1, world = "story-quiet", steps = {
  step("start"),
  step("close", function() local c <close> = thing("__close") end),
  step("index", function() return thing("__index").x end),
  step("newindex", function() thing("__newindex").x = 1 end),
  step("eq", function() return thing("__eq") == thing("__eq") end),
  step("lt", function() return thing("__lt") < thing("__lt") end),
  step("le", function() return thing("__le") <= thing("__le") end),
  step("concat", function() return thing("__concat") .. "x" end),
  step("len", function() return #thing("__len") end),
  step("call", function() thing("__call")() end),
  step("add", function() return thing("__add") + 1 end),
  step("tostring", function() return tostring(thing("__tostring")) end),
} }
