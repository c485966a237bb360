/* clock.c: see clock.h. SPDX-License-Identifier: MIT */
#if !defined(_WIN32) && !defined(__APPLE__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L
#endif
#include "base/clock.h"

#if defined(_WIN32)

/* Declared here, because <windows.h> would add `near`, `far` and thousands of other names to the one-file build. The
 * other clocks of Windows do not suit: clock_gettime needs libwinpthread, and timespec_get follows changes of the
 * system time. */
union _LARGE_INTEGER;
__declspec(dllimport) int __stdcall QueryPerformanceCounter(union _LARGE_INTEGER *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(union _LARGE_INTEGER *per_second);

uint64_t throng_clock_now(void) {
  uint64_t count, per_second;
  QueryPerformanceCounter((union _LARGE_INTEGER *)&count);
  QueryPerformanceFrequency((union _LARGE_INTEGER *)&per_second);
  return count / per_second * 1000000000u + count % per_second * 1000000000u / per_second;
}

#else
#include <time.h>

uint64_t throng_clock_now(void) {
  struct timespec now;
#if defined(CLOCK_MONOTONIC)
  clock_gettime(CLOCK_MONOTONIC, &now);
#else
  timespec_get(&now, TIME_UTC);
#endif
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
