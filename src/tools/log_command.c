/*
 * log_command: see log_command.h. What a server calls a write is one here; a command that may
 * write by a word among its arguments is neither.
 */
#include "tools/log_command.h"

#include <string.h>

#define NAME_MAX_LENGTH 31

/* Ascending by name. */
static const struct log_command commands[] = {
    {"acl", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"add", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"append", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"asking", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"auth", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"bgrewriteaof", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"bgsave", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"bitcount", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"bitfield", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"bitfield_ro", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"bitop", LOG_KEYS_RANGE, LOG_WRITE, 2, -1, 1},
    {"bitpos", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"blmove", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"blmpop", LOG_KEYS_COUNTED, LOG_WRITE, 2, 0, 0},
    {"blpop", LOG_KEYS_RANGE, LOG_WRITE, 1, -2, 1},
    {"brpop", LOG_KEYS_RANGE, LOG_WRITE, 1, -2, 1},
    {"brpoplpush", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"bzmpop", LOG_KEYS_COUNTED, LOG_WRITE, 2, 0, 0},
    {"bzpopmax", LOG_KEYS_RANGE, LOG_WRITE, 1, -2, 1},
    {"bzpopmin", LOG_KEYS_RANGE, LOG_WRITE, 1, -2, 1},
    {"cas", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"client", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"cluster", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"command", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"config", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"copy", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"dbsize", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"debug", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"decr", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"decrby", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"del", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"delete", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"discard", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"dump", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"echo", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"eval", LOG_KEYS_COUNTED, LOG_EITHER, 2, 0, 0},
    {"eval_ro", LOG_KEYS_COUNTED, LOG_READ, 2, 0, 0},
    {"evalsha", LOG_KEYS_COUNTED, LOG_EITHER, 2, 0, 0},
    {"evalsha_ro", LOG_KEYS_COUNTED, LOG_READ, 2, 0, 0},
    {"exec", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"exists", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"expire", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"expireat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"expiretime", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"failover", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"fcall", LOG_KEYS_COUNTED, LOG_EITHER, 2, 0, 0},
    {"fcall_ro", LOG_KEYS_COUNTED, LOG_READ, 2, 0, 0},
    {"flushall", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"flushdb", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"function", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"geoadd", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"geodist", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"geohash", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"geopos", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"georadius", LOG_KEYS_STORE, LOG_EITHER, 1, 1, 1},
    {"georadius_ro", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"georadiusbymember", LOG_KEYS_STORE, LOG_EITHER, 1, 1, 1},
    {"georadiusbymember_ro", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"geosearch", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"geosearchstore", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"get", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"getbit", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"getdel", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"getex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"getrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"gets", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"getset", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hdel", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hello", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"hexists", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hexpire", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hexpireat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hexpiretime", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hget", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hgetall", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hgetdel", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hgetex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hincrby", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hincrbyfloat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hkeys", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hlen", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hmget", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hmset", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hpersist", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hpexpire", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hpexpireat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hpexpiretime", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hpttl", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hrandfield", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hscan", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hset", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hsetex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hsetnx", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"hstrlen", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"httl", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"hvals", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"incr", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"incrby", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"incrbyfloat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"info", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"keys", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"lastsave", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"latency", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"lcs", LOG_KEYS_RANGE, LOG_READ, 1, 2, 1},
    {"lindex", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"linsert", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"llen", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"lmove", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"lmpop", LOG_KEYS_COUNTED, LOG_WRITE, 1, 0, 0},
    {"lolwut", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"lpop", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"lpos", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"lpush", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"lpushx", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"lrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"lrem", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"lset", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"ltrim", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"memory", LOG_KEYS_RANGE, LOG_READ, 2, 2, 1},
    {"mget", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"migrate", LOG_KEYS_CLUSTER, LOG_EITHER, 0, 0, 0},
    {"module", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"monitor", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"move", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"mset", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 2},
    {"msetnx", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 2},
    {"multi", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"object", LOG_KEYS_RANGE, LOG_READ, 2, 2, 1},
    {"persist", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"pexpire", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"pexpireat", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"pexpiretime", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"pfadd", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"pfcount", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"pfdebug", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"pfmerge", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"pfselftest", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"ping", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"prepend", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"psetex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"psubscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"psync", LOG_KEYS_CLUSTER, LOG_EITHER, 0, 0, 0},
    {"pttl", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"publish", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"pubsub", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"punsubscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"quit", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"randomkey", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"readonly", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"readwrite", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"rename", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"renamenx", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"replace", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"replconf", LOG_KEYS_CLUSTER, LOG_EITHER, 0, 0, 0},
    {"replicaof", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"reset", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"restore", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"restore-asking", LOG_KEYS_CLUSTER, LOG_EITHER, 0, 0, 0},
    {"role", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"rpop", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"rpoplpush", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"rpush", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"rpushx", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"sadd", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"save", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"scan", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"scard", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"script", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"sdiff", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"sdiffstore", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"select", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"set", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"setbit", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"setex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"setnx", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"setrange", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"shutdown", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"sinter", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"sintercard", LOG_KEYS_COUNTED, LOG_READ, 1, 0, 0},
    {"sinterstore", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"sismember", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"slaveof", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"slowlog", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"smembers", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"smismember", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"smove", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"sort", LOG_KEYS_STORE, LOG_EITHER, 1, 1, 1},
    {"sort_ro", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"spop", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"spublish", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"srandmember", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"srem", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"sscan", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"ssubscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"strlen", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"subscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"substr", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"sunion", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"sunionstore", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"sunsubscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"swapdb", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"sync", LOG_KEYS_CLUSTER, LOG_EITHER, 0, 0, 0},
    {"time", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"touch", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"ttl", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"type", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"unlink", LOG_KEYS_RANGE, LOG_WRITE, 1, -1, 1},
    {"unsubscribe", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"unwatch", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"wait", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"waitaof", LOG_KEYS_NONE, LOG_EITHER, 0, 0, 0},
    {"watch", LOG_KEYS_RANGE, LOG_READ, 1, -1, 1},
    {"xack", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xadd", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xautoclaim", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xclaim", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xdel", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xgroup", LOG_KEYS_RANGE, LOG_WRITE, 2, 2, 1},
    {"xinfo", LOG_KEYS_RANGE, LOG_READ, 2, 2, 1},
    {"xlen", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"xpending", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"xrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"xread", LOG_KEYS_STREAMS, LOG_READ, 0, 0, 0},
    {"xreadgroup", LOG_KEYS_STREAMS, LOG_WRITE, 0, 0, 0},
    {"xrevrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"xsetid", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"xtrim", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zadd", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zcard", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zcount", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zdiff", LOG_KEYS_COUNTED, LOG_READ, 1, 0, 0},
    {"zdiffstore", LOG_KEYS_COUNTED, LOG_WRITE, 2, 1, 0},
    {"zincrby", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zinter", LOG_KEYS_COUNTED, LOG_READ, 1, 0, 0},
    {"zintercard", LOG_KEYS_COUNTED, LOG_READ, 1, 0, 0},
    {"zinterstore", LOG_KEYS_COUNTED, LOG_WRITE, 2, 1, 0},
    {"zlexcount", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zmpop", LOG_KEYS_COUNTED, LOG_WRITE, 1, 0, 0},
    {"zmscore", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zpopmax", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zpopmin", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zrandmember", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrangebylex", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrangebyscore", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrangestore", LOG_KEYS_RANGE, LOG_WRITE, 1, 2, 1},
    {"zrank", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrem", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zremrangebylex", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zremrangebyrank", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zremrangebyscore", LOG_KEYS_RANGE, LOG_WRITE, 1, 1, 1},
    {"zrevrange", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrevrangebylex", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrevrangebyscore", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zrevrank", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zscan", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zscore", LOG_KEYS_RANGE, LOG_READ, 1, 1, 1},
    {"zunion", LOG_KEYS_COUNTED, LOG_READ, 1, 0, 0},
    {"zunionstore", LOG_KEYS_COUNTED, LOG_WRITE, 2, 1, 0},
};

const struct log_command *log_command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? &commands[index] : NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Below, above or equal to 0, as name is to the table's. */
static int compare(struct bytes name, const char *known)
{
    for (size_t i = 0; i < name.length; i++) {
        unsigned char c = (unsigned char)lower(name.at[i]);
        if (c != (unsigned char)known[i]) {
            return c < (unsigned char)known[i] ? -1 : 1;
        }
    }
    return known[name.length] == '\0' ? 0 : -1;
}

const struct log_command *log_command_find(struct bytes name)
{
    size_t low = 0;
    size_t high = sizeof commands / sizeof commands[0];
    if (name.length == 0 || name.length > NAME_MAX_LENGTH ||
        memchr(name.at, '\0', name.length) != NULL) {
        return NULL;
    }
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(name, commands[middle].name);
        if (order == 0) {
            return &commands[middle];
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

static bool is_word(struct bytes argument, const char *word)
{
    return compare(argument, word) == 0;
}

static size_t range_keys(const struct log_command *c, const struct bytes *argument, size_t args,
                         struct bytes *key)
{
    int64_t last = c->last < 0 ? (int64_t)args + c->last : c->last;
    size_t count = 0;
    if (last >= (int64_t)args) {
        return 0;
    }
    for (int64_t i = c->first; i <= last; i += c->step) {
        key[count++] = argument[i];
    }
    return count;
}

static size_t counted_keys(const struct log_command *c, const struct bytes *argument, size_t args,
                           struct bytes *key)
{
    size_t at = (size_t)c->first;
    size_t wanted = 0;
    size_t count = 0;
    if (at >= args || argument[at].length == 0 || argument[at].length > 7) {
        return 0;
    }
    for (size_t i = 0; i < argument[at].length; i++) {
        char digit = argument[at].at[i];
        if (digit < '0' || digit > '9') {
            return 0;
        }
        wanted = wanted * 10 + (size_t)(digit - '0');
    }
    if (wanted > args - at - 1) {
        return 0;
    }
    if (c->last == 1) {
        key[count++] = argument[1];
    }
    for (size_t i = 0; i < wanted; i++) {
        key[count++] = argument[at + 1 + i];
    }
    return count;
}

static size_t stream_keys(const struct bytes *argument, size_t args, struct bytes *key)
{
    size_t at = 1;
    while (at < args && !is_word(argument[at], "streams")) {
        at++;
    }
    size_t count = at < args ? (args - at - 1) / 2 : 0;
    for (size_t i = 0; i < count; i++) {
        key[i] = argument[at + 1 + i];
    }
    return count;
}

static size_t store_keys(const struct bytes *argument, size_t args, struct bytes *key)
{
    size_t count = 0;
    if (args < 2) {
        return 0;
    }
    key[count++] = argument[1];
    for (size_t i = args - 1; i > 2; i--) {
        if (is_word(argument[i - 1], "store") || is_word(argument[i - 1], "storedist")) {
            key[count++] = argument[i];
            break;
        }
    }
    return count;
}

size_t log_command_keys(const struct log_command *command, const struct bytes *argument,
                        size_t args, struct bytes *key)
{
    switch (command->keys) {
    case LOG_KEYS_RANGE:
        return range_keys(command, argument, args, key);
    case LOG_KEYS_COUNTED:
        return counted_keys(command, argument, args, key);
    case LOG_KEYS_STREAMS:
        return stream_keys(argument, args, key);
    case LOG_KEYS_STORE:
        return store_keys(argument, args, key);
    case LOG_KEYS_NONE:
    case LOG_KEYS_CLUSTER:
        break;
    }
    return 0;
}
