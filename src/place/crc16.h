/*
 * crc16: CRC-16/XMODEM (polynomial 0x1021, initial value 0, no reflection), the hash of Redis
 * Cluster. Source: Redis Cluster specification, "Keys distribution model"; check value of
 * "123456789" is 0x31C3.
 */
#ifndef HOTSHARD_PLACE_CRC16_H
#define HOTSHARD_PLACE_CRC16_H

#include <stddef.h>
#include <stdint.h>

uint16_t crc16(const void *data, size_t length);
uint16_t crc16_step(uint16_t crc, uint8_t byte); /* one byte further: crc16_step(0, first), ... */

#endif
