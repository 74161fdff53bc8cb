/*
 * events: the table. Nothing here is a result: rates, counts and pauses come out of the run.
 */
#include "story/events.h"

#include "base/check.h"
#include "base/num.h"
#include <string.h>
#include <strings.h>

static const struct story_event events[] = {
    {"1", "20:00:00", "Sixteen posts, each with 50 likes and 100 reads a second, on four shards.",
     "M1: every shard is asked for 200 writes and 400 reads a second", false},
    {"2", "20:00:00", "The same traffic, with the creator, the time or the post as the key.",
     "by creator nova's shard leads; by time one shard has it all", true},
    {"3", "20:01:00", "nova, who has 60 million followers, promotes her post p9.", NULL, false},
    {"4", "20:02:00", "p9 takes off: 2,400 likes and 9,000 reads a second for one post.",
     "M2: S2 is asked for 255% of its writes and 310% of its reads", false},
    {"4a", "20:02:00", "What if there were more shards: 5, 8, 16 or 64 of them?",
     "p9 alone is 240% of any write ceiling; shards without a post idle", true},
    {"5", "20:02:05", "The routers' sample of one request in a hundred names the hot key.",
     "p9 is nine tenths of all writes of S2", false},
    {"6", "20:02:30", "The routers limit p9 and its owner: beyond it they answer 429, ask later.",
     "p9's fans are told to wait, its neighbours are served again", false},
    {"6a", "20:02:30",
     "Refused clients ask again at once; a budget, a breaker or shedding spares S2.",
     "three times the load for nothing gained; each guard has its price", true},
    {"7", "20:03:00", "Every router keeps p9's answer for a second, and fetches it once.",
     "p9 costs S2 6 reads a second instead of 9,000", false},
    {"7a", "20:02:00", "What if S2's two replicas answered reads too?",
     "9,300 reads on three times the ceiling: 103%", true},
    {"7b", "20:02:00",
     "What if identical reads under way shared one query: at each router, or at one?",
     "about 1,060 queries a second, or 196", true},
    {"7c", "20:03:30", "All caches restart at once, with single-flight and without.",
     "6 fetches, or one for each reader who waits", true},
    {"8", "20:04:00", "The limits go; p9's likes are spread over eight sub-keys on all shards.",
     "750 writes a second on S2, 800 on the others", false},
    {"8a", "20:03:30", "What if it were three sub-keys, or the salt stood outside the tag?",
     "two shards at their ceiling; or all of it in one slot again", true},
    {"9", "20:05:00", "Each router sums p9's likes and writes a total twice a second.",
     "M3: S2 is asked for 162 writes and 306 reads a second", false},
    {"10", "20:06:00.059", "R4 dies just before it would have written its sum, and comes back.",
     "about 200 likes are missing from the count, none from liked", false},
    {"11", "20:08:00", "A job recounts p9's likes from liked and writes the correction.",
     "the count is the durable likes again, less those on their way to it", false},
    {"K3", "20:00:00", "Day 2, twice the traffic: S5 takes a block with one post from each shard.",
     "M4: S5 is asked for 400 writes a second, S0 to S3 for 300 each", true},
    {"K4", "20:02:00", "p9 on Kinesis: its hot shard is cut in two, and read by two rules.",
     "p9's child is sent 2,500 records a second and takes 1,000", true},
    {"K5", "20:02:00", "On Kinesis a producer packs nine likes into one record.",
     "350 records a second instead of 3,150, and no record is of one post", true},
    {"K6", "20:02:00", "On Kinesis, 8 shards are asked for instead of 4.",
     "p9 is on shard 6 of 8; four closed parents, eight open children", true},
    {"D1", "20:01:00", "p9 on DynamoDB: burst, adaptive capacity, a split for consumption.",
     "in the end p9 is alone on a partition, and that is as far as it goes", true},
    {"D2", "20:02:00", "nova's likes under one index key on DynamoDB, then under eight.",
     "2,550 writes a second for one key; 318.75 for each of eight", true},
    {"F1", "20:02:00", "p9's topic on Kafka gets 8 partitions instead of 4.",
     "50.4% of 10,000 keys change partition; p9 stays on 2", true},
    {"13", "20:10:00", "A new shard S4 joins; p9's slot 12067 is copied to it while it is used.",
     "200 MB at 3 MB a second, and behind it the tail of the log", false},
    {"14", "20:11:07", "The copy is complete; both sides are compared until they agree.", NULL,
     false},
    {"15", "20:11:10.470", "The fence: S2 stops serving the slot, for reads and writes alike.",
     "13 ms long nobody serves it; who asks is told to retry", false},
    {"16", "20:11:10.483", "S4 has caught up to the fence; the directory commits map version 8.",
     "the pause was 13 ms", false},
    {"17", "20:11:10.500", "R5 has not heard of version 8: S2 turns it away, and it learns.",
     "M5: S4 is asked for 12 writes and 6 reads a second, S2 for 150 and 300", false},
    {"18", "20:12:00", "S2 deletes its old copy; its slot table says \"moved to S4\" for ever.",
     NULL, false},
    {"19", "20:11:09", "The move is dropped before the flip.", "nothing is lost", true},
    {"20", "20:11:11", "The move is taken back after the flip, by the same move in reverse.",
     "nothing is lost", true},
    {"21", "20:11:10.400", "The same move with shards that do not look into their slot table.",
     "a like that was answered OK is gone", true},
    {"22", "20:10:00", "The slot's keys go over one by one instead, and ASK shows the way.",
     "no pause, and one extra hop for keys that have gone", true},
    {"23", "20:10:00", "Both shards are written during the move, without versions and with them.",
     "an old value on the new shard; with versions both agree", true},
    {"24", "20:10:00", "p9's cold neighbours p1, p5 and p13 move instead.",
     "three small copies, the same isolation", true},
    {"25", "20:15:00", "Trending now: each time it asks all five shards and merges the answers.",
     "M6: S0 is asked for 1,400 reads a second, and waits for the slowest", false},
    {"26", "20:15:30", "A job in zone a computes it once a second; routers pass on its result.",
     "80 KB a second across zones instead of 66.7 MB", false},
    {"27", "20:15:20", "What if a slow shard were asked twice, or not waited for?",
     "the slowest of five decides; a hedge spares most of the wait", true},
    {"27a", "20:16:00", "A follow, whose list of followers is an index that follows the row.",
     "one write is waited for, and for a while a find misses it", true},
    {"27b", "20:16:00", "The same follow as one transaction, by two-phase commit.",
     "both rows or none; a dead coordinator leaves them locked", true},
    {"27c", "20:16:00", "The same follow as a saga: step by step, and taken back if one fails.",
     "no locks, and for a while others see half of it", true},
    {"28", "20:20:00", "One like of p9 from zone b, through every layer.",
     "answered from liked; in the count after the next flush", false},
    {"29", "20:20:00", "One read of p9 from zone b, through every layer.",
     "its router answers from its cache; no shard is asked", false},
    {"30", "20:20:00", "What if zone a were lost? The same with twelve routers instead of six.",
     "four routers are too few: twelve were needed", true},
    {NULL, NULL, NULL, NULL, false},
};

/* Rates are steady where nothing is refused, and scattered where a ceiling refuses, so that
 * refusals fall on everybody in proportion (docs/story.md). */
static const struct story_command commands[] = {
    {"20:00:00", "1", "sample 100 5000"},
    {"20:01:00", "3", "tenant nova likes:{p9}"},
    {"20:01:00", "3", "tenant nova post:{p9}"},
    {"20:02:00", "4", "flow like likes:{p9} 2400 scattered"},
    {"20:02:00", "4", "flow read post:{p9} 9000 scattered"},
    {"20:02:00", "4", "flow like likes:{p1} 50 scattered"},
    {"20:02:00", "4", "flow like likes:{p5} 50 scattered"},
    {"20:02:00", "4", "flow like likes:{p13} 50 scattered"},
    {"20:02:00", "4", "flow read post:{p1} 100 scattered"},
    {"20:02:00", "4", "flow read post:{p5} 100 scattered"},
    {"20:02:00", "4", "flow read post:{p13} 100 scattered"},
    {"20:02:30", "6", "limit key likes:{p9} 600"},
    {"20:02:30", "6", "limit key post:{p9} 2000"},
    {"20:02:30", "6", "limit tenant nova 2500"},
    {"20:03:00", "7", "limit key post:{p9} none"},
    {"20:03:00", "7", "limit tenant nova none"},
    {"20:03:00", "7", "reads post:{p9} cached"},
    {"20:03:00", "7", "flow read post:{p9} 9000 steady"},
    {"20:03:00", "7", "flow read post:{p1} 100 steady"},
    {"20:03:00", "7", "flow read post:{p5} 100 steady"},
    {"20:03:00", "7", "flow read post:{p13} 100 steady"},
    {"20:04:00", "8", "limit key likes:{p9} none"},
    {"20:04:00", "8", "writes likes:{p9} salted 8"},
    {"20:04:00", "8", "flow like likes:{p9} 2400 steady"},
    {"20:04:00", "8", "flow like likes:{p1} 50 steady"},
    {"20:04:00", "8", "flow like likes:{p5} 50 steady"},
    {"20:04:00", "8", "flow like likes:{p13} 50 steady"},
    {"20:05:00", "9", "writes likes:{p9} summed"},
    {"20:05:00", "9", "reads post:{p9} cached with likes:{p9}"},
    {"20:06:00.059", "10", "crash R4 100"},
    {"20:08:00", "11", "rebuild likes:{p9}"},
    {"20:10:00", "13", "shard add"},
    {"20:10:00", "13", "migrate 12067 S4 200000000 3000000"},
    {"20:11:00", "15", "deaf R5 on"},
    {"20:11:10.470", "15", "fence 12067"},
    {"20:11:11", "17", "deaf R5 off"},
    {"20:12:00", "18", "cleanup 12067"},
    {"20:15:00", "25", "query trending top 10 of likes:* bytes 20KB"},
    {"20:15:00", "25", "times all 3 7 slow 1 50 200"},
    {"20:15:00", "25", "gather trending 1000"},
    {"20:15:29", "26", "popular trending zone a every 1000"},
    {"20:20:00", "28", "request like likes:{p9} via R3"},
    {"20:20:00", "29", "request read post:{p9} via R3"},
    {NULL, NULL, NULL},
};

static const struct story_moment moments[] = {
    {"M1", "20:00:00", "1", "the baseline", false},
    {"M2", "20:02:00", "4", "a hot key", false},
    {"M3", "20:05:00", "9", "the micro-cache and the sums together", false},
    {"M4", "20:00:00", "K3", "day 2, a fifth shard with chosen slots", true},
    {"M5", "20:11:10.500", "17", "p9's slot on a shard of its own", false},
    {"M6", "20:15:00", "25", "a query over all shards, on every request", false},
    {NULL, NULL, NULL, NULL, false},
};

const struct story_event *story_events(void)
{
    return events;
}

const struct story_command *story_commands(void)
{
    return commands;
}

const struct story_moment *story_moments(void)
{
    return moments;
}

const struct story_event *story_event_find(const char *id, struct err *err)
{
    for (const struct story_event *e = events; e->id != NULL; e++) {
        if (strcasecmp(e->id, id) == 0) {
            return e;
        }
    }
    err_set(err, "\"%s\" is no event of the story; `hotshard story --events` lists them",
            err_word(id, 40).text);
    return NULL;
}

int64_t story_event_time(const struct story_event *event)
{
    int64_t us = 0;
    CHECK(num_parse_clock(event->at, &us, NULL));
    return us;
}
