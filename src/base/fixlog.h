/*
 * fixlog: a natural logarithm in whole numbers, the same on every machine.
 *
 * A drawn number d of 64 bits stands for u = (d + 0.5) / 2^64, which is never 0 and never 1. What
 * comes back is -ln u in units of 2^-58: from 0 (u within 2^-59 of 1) to 45.05 units of one. The
 * error is below 2^-57. (prng.h has a binary logarithm with 32 digits, enough for waiting times;
 * finding the best of thousands of draws needs more digits near u = 1.)
 *
 * Source: the pseudo-division of Briggs' tables, as in Knuth's TAOCP 1, 1.2.2, exercise 25.
 */
#ifndef HOTSHARD_BASE_FIXLOG_H
#define HOTSHARD_BASE_FIXLOG_H

#include <stdint.h>

#define FIXLOG_BITS 58

uint64_t fixlog_neg_ln(uint64_t drawn);

#endif
