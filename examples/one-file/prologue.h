/* throng.c: all of the library, made by examples/one-file/make. Copy it and throng.h into your project:
 *   cc -O2 game.c throng.c -lm                              threads of its own; SSE2 (on AArch64 NEON), for every CPU
 *   cc -O2 -fopenmp -march=haswell game.c throng.c -lm      OpenMP's threads; AVX2. With -march=x86-64-v4: AVX-512
 * The compiler's target determines the instruction set; there is no choice at run time. If the CPU lacks it,
 * throng_world_create fails, or the program has crashed before that. -DTHRONG_NO_SIMD uses no intrinsics; -DNDEBUG
 * removes the assertions. throng.c needs only the C library. It is tested with GCC 12, Clang 14 and MinGW-w64 (GCC 12,
 * under Wine); -march=x86-64-v4 needs GCC 11.
 * Hashes are the same as the library's. The pragmas below ensure this for all flags for optimisation and contraction.
 * The licence, MIT:
 *
 * LICENCE
 * SPDX-License-Identifier: MIT */
#if !defined(__GNUC__)
#error "throng.c needs GCC or Clang (on Windows clang-cl)"
#endif
#if defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "throng's bits depend on IEEE arithmetic: do not compile throng.c with -ffast-math, -Ofast or -ffinite-math-only"
#endif

/* A fused multiply-add rounds once; a product and a sum round twice. GCC fuses by default. Its pragma forbids that, and
 * undoes the single flags of -ffast-math. Clang fuses within expressions by default; FP_CONTRACT forbids that.
 * -ffp-contract=fast overrides FP_CONTRACT, but not for operations that may trap (`maytrap`). `precise` undoes
 * -funsafe-math-optimizations. Clang has `maytrap` and `precise` only on x86, so do not use these flags on other
 * CPUs. */
#if !defined(__clang__)
#pragma GCC optimize("fp-contract=off", "no-math-errno", "no-unsafe-math-optimizations", "no-associative-math",        \
                     "no-reciprocal-math", "signed-zeros")
#else
#if defined(__x86_64__)
#pragma float_control(precise, on)
#pragma clang fp exceptions(maytrap)
#endif
#pragma STDC FP_CONTRACT OFF
#endif

#if !defined(_WIN32) && !defined(__APPLE__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L /* clock_gettime; on macOS it would hide _SC_NPROCESSORS_ONLN */
#endif

#define THRONG_BUILD
#if defined(_OPENMP)
#define THRONG_OPENMP
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) &&                 \
    !defined(THRONG_NO_SIMD)
#define THRONG_HAVE_AVX512
#define THRONG_PASS_ISA avx512
#define THRONG_LANES 16
#elif defined(__AVX2__) && defined(__FMA__) && !defined(THRONG_NO_SIMD)
#define THRONG_HAVE_AVX2
#define THRONG_PASS_ISA avx2
#define THRONG_LANES 8
#elif defined(__aarch64__) && !defined(THRONG_NO_SIMD)
#define THRONG_HAVE_NEON
#define THRONG_PASS_ISA neon
#define THRONG_LANES 4
#else
#define THRONG_HAVE_BASELINE
#define THRONG_PASS_ISA baseline
#define THRONG_LANES 4
#endif

#if defined(__SSE2__) && !defined(THRONG_NO_SIMD)
#define THRONG_INTRINSICS
#include <immintrin.h>
#endif

#include "throng.h"
