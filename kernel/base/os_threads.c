/* os_threads.c: see os_threads.h. SPDX-License-Identifier: MIT */
/* On macOS, _POSIX_C_SOURCE would hide _SC_NPROCESSORS_ONLN. */
#if !defined(_WIN32) && !defined(__APPLE__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L
#endif
#include "base/os_threads.h"

#if defined(_WIN32)

/* Declared here, because <windows.h> would add thousands of names to the one-file build. All are in kernel32.dll;
 * WaitOnAddress would need one more import library. */
__declspec(dllimport) void *__stdcall CreateThread(void *security, size_t stack,
                                                   unsigned long(__stdcall *run)(void *context), void *context,
                                                   unsigned long flags, unsigned long *id);
__declspec(dllimport) unsigned long __stdcall WaitForSingleObject(void *handle, unsigned long milliseconds);
__declspec(dllimport) int __stdcall CloseHandle(void *handle);
__declspec(dllimport) void __stdcall AcquireSRWLockExclusive(void **lock);
__declspec(dllimport) void __stdcall ReleaseSRWLockExclusive(void **lock);
__declspec(dllimport) int __stdcall SleepConditionVariableSRW(void **changed, void **lock, unsigned long milliseconds,
                                                              unsigned long flags);
__declspec(dllimport) void __stdcall WakeConditionVariable(void **changed);
__declspec(dllimport) int __stdcall SwitchToThread(void);
__declspec(dllimport) unsigned long __stdcall GetActiveProcessorCount(unsigned short group);
#define STACK_IS_RESERVED 0x10000ul /* STACK_SIZE_PARAM_IS_A_RESERVATION */
#define WITHOUT_END 0xFFFFFFFFul    /* INFINITE */
#define ALL_GROUPS 0xFFFFu          /* ALL_PROCESSOR_GROUPS */

static unsigned long __stdcall begin(void *context) {
  const struct os_thread *thread = context;
  thread->run(thread->context);
  return 0;
}

bool throng_os_thread_start(struct os_thread *thread, size_t stack, void (*run)(void *context), void *context) {
  *thread = (struct os_thread){.run = run, .context = context};
  thread->handle = CreateThread(NULL, stack, begin, thread, STACK_IS_RESERVED, NULL);
  return thread->handle != NULL;
}

void throng_os_thread_join(struct os_thread *thread) {
  WaitForSingleObject(thread->handle, WITHOUT_END);
  CloseHandle(thread->handle);
}

void throng_os_sleep(struct os_thread *thread, _Atomic uint32_t *number, uint32_t value) {
  AcquireSRWLockExclusive(&thread->lock);
  while (atomic_load(number) == value) SleepConditionVariableSRW(&thread->changed, &thread->lock, WITHOUT_END, 0);
  ReleaseSRWLockExclusive(&thread->lock);
}

void throng_os_wake(struct os_thread *thread, _Atomic uint32_t *number) {
  (void)number;
  AcquireSRWLockExclusive(&thread->lock);
  WakeConditionVariable(&thread->changed);
  ReleaseSRWLockExclusive(&thread->lock);
}

void throng_os_yield(void) { SwitchToThread(); }

uint32_t throng_os_processors(void) {
  const unsigned long count = GetActiveProcessorCount(ALL_GROUPS);
  return count > 0 ? (uint32_t)count : 1;
}

#elif defined(OS_THREADS)
#include <sched.h>
#include <unistd.h>

static void *begin(void *context) {
  const struct os_thread *thread = context;
  thread->run(thread->context);
  return NULL;
}

bool throng_os_thread_start(struct os_thread *thread, size_t stack, void (*run)(void *context), void *context) {
  *thread = (struct os_thread){
      .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .run = run, .context = context};
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  bool started = pthread_attr_setstacksize(&attributes, stack) == 0 &&
                 pthread_create(&thread->handle, &attributes, begin, thread) == 0;
  pthread_attr_destroy(&attributes);
  /* glibc takes the host's thread-local variables from the stack. If they are too large for it, the usual size is. */
  if (!started) started = pthread_create(&thread->handle, NULL, begin, thread) == 0;
  return started;
}

void throng_os_thread_join(struct os_thread *thread) { pthread_join(thread->handle, NULL); }

void throng_os_yield(void) { sched_yield(); }

#if defined(__linux__)
#include <sys/syscall.h>

#define FUTEX_WAIT_PRIVATE 128
#define FUTEX_WAKE_PRIVATE 129

long syscall(long number, ...); /* <unistd.h> declares it only without _POSIX_C_SOURCE */

void throng_os_sleep(struct os_thread *thread, _Atomic uint32_t *number, uint32_t value) {
  (void)thread;
  syscall(SYS_futex, number, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void throng_os_wake(struct os_thread *thread, _Atomic uint32_t *number) {
  (void)thread;
  syscall(SYS_futex, number, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Counts the processors of the affinity mask: under taskset they are fewer than those of the machine. */
uint32_t throng_os_processors(void) {
  unsigned char mask[1024] = {0};
  uint32_t count = 0;
  const long bytes = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  for (long k = 0; k < bytes; k++)
    for (unsigned bits = mask[k]; bits > 0; bits &= bits - 1) count++;
  return count > 0 ? count : 1;
}

#else

void throng_os_sleep(struct os_thread *thread, _Atomic uint32_t *number, uint32_t value) {
  pthread_mutex_lock(&thread->lock);
  while (atomic_load(number) == value) pthread_cond_wait(&thread->changed, &thread->lock);
  pthread_mutex_unlock(&thread->lock);
}

void throng_os_wake(struct os_thread *thread, _Atomic uint32_t *number) {
  (void)number;
  pthread_mutex_lock(&thread->lock);
  pthread_cond_signal(&thread->changed);
  pthread_mutex_unlock(&thread->lock);
}

uint32_t throng_os_processors(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (uint32_t)count : 1;
}

#endif
#endif
