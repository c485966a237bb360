/* assertion.h: ASSERT_ALONE of the library (base/assertion.h) for libthrong-mpi, which uses only its public headers.
 * SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_MPI_ASSERTION_H
#define THRONG_KERNEL_MPI_ASSERTION_H

#include <stdlib.h>

#if defined(NDEBUG) && !defined(THRONG_ASSERTIONS)
#define ASSERT_ALONE(condition) ((void)sizeof((condition) ? 1 : 0))
#else
#define ASSERT_ALONE(condition) ((condition) ? (void)0 : abort())
#endif

#endif
