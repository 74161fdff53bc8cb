#!/bin/sh
# Part 3: the figures that the source gives; its placement check; its drills.
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
lesson 3 03_the_hot_key
taken
told
mistakes 60 50
figures <<'END'
asked for 255% of its writes and 310% of its reads. The cluster: 78.8% and 87.5%
S2 has 1,550 writes too many
4 shards S2 255% 79%
5 shards S3 255% 63%
16 shards S11 250% 20%
64 shards S47 240% 5%
In truth it is 94%
Your answer: 550 likes/s
Your answer: 46.5 reads
Your answer: 4650 reads
comes as 400 times
6,000 partitions: 600 times
END

placed "all right" "$(step_of find-it-alone)" 'type 240' 'key 2' 'key 2' 'key 2'
placed "a mistake" 1 'type 16'

drilled more-shards 5 10
drilled find-the-hot-key 5 10
drilled read-the-dashboard 5 20
# No kind of evening, no shape and no number of shards is always the answer.
kinds=$(for step in dash-shape dash-ill dash-night; do
    truths $step | sed 's/^[0-9]* //' | sort -u | wc -l
done | tr '\n' ' ')
[ "$kinds" = "7 3 3 " ]
say "read-the-dashboard: each shape, each ill and each night comes" $? "$kinds"
exit "$failed"
