/* compiler.h: what is asked of the compiler, where it is one that can be asked. SPDX-License-Identifier: MIT */
#ifndef THRONG_COMPILER_H
#define THRONG_COMPILER_H

#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#define COLD __attribute__((noinline, cold)) /* and seldom called */
#else
#define OUT_OF_LINE
#define COLD
#endif

#endif
