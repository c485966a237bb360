/* os_threads.h: the operating system's threads, for own_team.c and executor.c. SPDX-License-Identifier: MIT */
#ifndef THRONG_KERNEL_BASE_OS_THREADS_H
#define THRONG_KERNEL_BASE_OS_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define OS_THREADS
struct os_thread {
  void *handle, *lock, *changed; /* lock: an SRWLOCK; changed: a CONDITION_VARIABLE */
  void (*run)(void *context);
  void *context;
};
#elif (defined(__unix__) || defined(__APPLE__)) && !defined(__wasm__)
#define OS_THREADS
#define OS_FORKS /* a process may be made by fork */
#include <pthread.h>
struct os_thread {
  pthread_t handle;
  pthread_mutex_t lock; /* Linux needs neither lock nor changed */
  pthread_cond_t changed;
  void (*run)(void *context);
  void *context;
};
#endif

#if defined(OS_THREADS)

/* Starts a thread that runs run(context) on a stack of `stack` bytes. Returns false if the system refuses. */
bool throng_os_thread_start(struct os_thread *thread, size_t stack, void (*run)(void *context), void *context);
/* Waits until the thread has returned from `run`. */
void throng_os_thread_join(struct os_thread *thread);

/* Sleeps while *number is `value`. It may return earlier. One thread at a time may sleep with the same `thread`. */
void throng_os_sleep(struct os_thread *thread, _Atomic uint32_t *number, uint32_t value);
/* Wakes the thread that sleeps. Call it after *number was changed. */
void throng_os_wake(struct os_thread *thread, _Atomic uint32_t *number);

/* Lets another thread run that waits for this one's core. */
void throng_os_yield(void);

/* Returns the number of processors that this process may use; at least 1. */
uint32_t throng_os_processors(void);

#endif
#endif
