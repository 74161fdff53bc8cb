/*
 * template: what `lesson new` writes. It passes the check as it is.
 */
#include "base/file.h"
#include "lesson/lint.h"
#include <string.h>

static const char beginning[] =
    "-- What this lesson teaches, in one line. Check it with: hotshard lesson check THIS_FILE\n"
    "\n"
    "local KEY = \"post:{p9}\"\n"
    "\n"
    "return lesson {\n"
    "  id = \"";

static const char rest[] =
    "\", part = 1, title = \"A first lesson\", minutes = 3,\n"
    "  world = \"story-quiet\", -- \"story\" is the same cluster under traffic\n"
    "\n"
    "  steps = {\n"
    "    { id = \"ask\", title = \"Ask first\", show = { \"trace\" }, key = KEY, router = \"R0\",\n"
    "      say = [[\n"
    "        There are {cluster.shards} shards. A router is about to ask for `post:{p9}`, which is "
    "in slot\n"
    "        {w:slot(\"post:{p9}\")}.]],\n"
    "      predict = { id = \"first-how-many\", kind = \"choice\",\n"
    "        ask = \"How many shards does the router ask?\",\n"
    "        choices = {\n"
    "          { \"All of them.\", belief = \"a key has to be searched for\",\n"
    "            why = \"The router computes the slot and looks up its owner. It does not "
    "search.\",\n"
    "            holds = function(w) return last.asks == w:shards() end },\n"
    "          { \"One.\", holds = function(w) return last.asks == 1 end },\n"
    "        },\n"
    "        why = \"The key gives the slot, and the map gives the owner.\",\n"
    "        hints = { \"Does the router have to search?\", \"It can compute the slot of a "
    "key.\",\n"
    "                  \"A slot has one owner.\" } },\n"
    "      run = function(w)\n"
    "        w:send(\"read\", KEY, \"R0\")\n"
    "        w:play_answered()\n"
    "      end,\n"
    "      after = [[\n"
    "        It asked {last.shard}, and the answer took {last.ms} ms.]] },\n"
    "\n"
    "    { id = \"act\", title = \"Your turn\", show = { \"trace\" }, actions = { \"route\" },\n"
    "      say = [[\n"
    "        Press r, type a request, and watch where it goes.]],\n"
    "      try = { ask = \"Send a like to `likes:{p9}` through R0.\",\n"
    "        goal = function(w) return w:acked(\"likes:{p9}\") >= 1 end,\n"
    "        solution = { \"request like likes:{p9} via R0\" },\n"
    "        hints = { \"r sends a request.\", \"A like begins with the word like.\",\n"
    "                  \"Type `like likes:{p9}`.\" } } },\n"
    "  },\n"
    "}\n";

bool lesson_write_new(const char *path, const char *id, struct err *err)
{
    size_t good = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_-");
    const char *slash = strrchr(path, '/');
    struct str name = STR_EMPTY;
    str_addf(&name, "%s.lua", id);
    bool fits = strcmp(slash != NULL ? slash + 1 : path, str_text(&name)) == 0;
    str_free(&name);
    if (good == 0 || id[good] != '\0' || good > 60) {
        return err_set(err, "'%.60s' cannot be a lesson's name: use a-z, 0-9, _ and -", id);
    }
    if (!fits) {
        return err_set(err, "the lesson %s belongs into a file %s.lua, not %.200s", id, id, path);
    }
    if (file_exists(path)) {
        return err_set(err, "%.200s is there already; choose another name", path);
    }
    struct str text = STR_EMPTY;
    str_add(&text, beginning);
    str_add(&text, id);
    str_add(&text, rest);
    bool written = file_replace(path, text.text, text.length, err);
    str_free(&text);
    return written;
}
