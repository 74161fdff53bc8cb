/*
 * check: assertions that stay on in every build.
 *
 * CHECK is for our own mistakes, never for bad input (that is `struct err`). A failed check writes
 * one line to standard error and aborts; while the screen is open the terminal layer's fatal
 * handler restores the terminal first and shows the line afterwards.
 */
#ifndef HOTSHARD_BASE_CHECK_H
#define HOTSHARD_BASE_CHECK_H

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

_Noreturn void check_failed(const char *file, int line, const char *condition);

#endif
