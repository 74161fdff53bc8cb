/*
 * sanitized: whether this is a build with sanitizers, and whether a test's longest loops are
 * shorter here: the release build by gcc plays the whole of them.
 */
#ifndef HOTSHARD_TESTS_SANITIZED_H
#define HOTSHARD_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#ifdef __clang__
#define BRIEF 1
#else
#define BRIEF SANITIZED
#endif

#endif
