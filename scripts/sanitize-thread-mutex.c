// Lets ThreadSanitizer see the slow half of Swift's Mutex. Its fast half, two atomic exchanges, is compiled into the program and is seen; a
// thread that has to wait, or that has to wake another, goes through a futex call inside libswiftSynchronization, which is not instrumented:
// without this every contended lock looks like a race. For the sanitized program alone (LD_PRELOAD of scripts/sanitize).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void (*Lock)(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void (*Unlock)(__attribute__((swift_context)) void *mutex);

// Absent in the programs that a test starts and that are not under the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void *next(void **found, const char *name) {
  void *function = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (!function) {
    function = dlsym(RTLD_NEXT, name);
    __atomic_store_n(found, function, __ATOMIC_RELAXED);
  }
  return function;
}

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  static void *found;
  ((Lock)next(&found, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
  static void *found;
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)next(&found, UNLOCK))(mutex);
}
