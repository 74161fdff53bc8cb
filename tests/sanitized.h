/*
 * sanitized: whether this is a build with sanitizers. There a test's loops may be shorter: the
 * release build plays the whole of them.
 */
#ifndef HOTSHARD_TESTS_SANITIZED_H
#define HOTSHARD_TESTS_SANITIZED_H

#define SANITIZED 0
#if defined(__SANITIZE_ADDRESS__)
#undef SANITIZED
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef SANITIZED
#define SANITIZED 1
#endif
#endif

#endif
