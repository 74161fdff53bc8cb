#!/bin/sh
# Part 0: the figures that the source gives; its drills.
# shellcheck disable=SC1091,SC2154
set -u
. tests/lesson/lib.sh
lesson 0 00_start_here
taken
told
mistakes 30 30
figures <<'END'
Your answer: 22.2 times
One unit each: 66,667 over 3,000.
10 times over, in a table that is 20% busy
4 KB, strong: 22.2 times
units a second 100,000 units at most 3,000 times over 33.3
255% of its writes and 310% of its reads
3 machines 103.3% 255%
the 9,000 would be 60%
90.9% of the carts, 36.4 million, change their server, and 8.6% are hits. 45,682 reads
9.1% of the carts move, 86.4% are hits
Your answer: 6818 reads/s
500 GB and 1,125 writes
Your answer: 26.7 months
Your answer: 2500 hours
END
placed 'all four right' "$(step_of black-friday)" 'type 2.5' 'type 84' 'key 2' 'key 3 enter'
placed 'one wrong' 1 'type 2.5' 'type 84' 'key 2' 'key 1 enter'

drilled why-not-1024 5 20
drilled cheap-steps-first 3 40
# No step is always the first, and each of the eight comes.
kinds=$(truths '[^"]*' | sed 's/^[0-9]* [0-9]*,* *//' | sort -u | wc -l)
[ "$kinds" -ge 7 ]
say "cheap-steps-first: many different steps come first" $? "$kinds"
exit "$failed"
