// Lets ThreadSanitizer see two things that Swift's runtime does where nothing is instrumented. For sanitized programs alone: scripts/sanitize
// loads this before them (LD_PRELOAD).
//
// 1. The slow half of Mutex. Its fast half, two atomic exchanges, is compiled into the program and is seen; a thread that has to wait, or
//    that has to wake another, goes through a futex call inside libswiftSynchronization. Without this each contended lock looks like a race.
// 2. The reference count of FrameLease. Whoever lets go of a frame last gives its memory back to the pool, and the count alone orders that
//    after the others' reads. Other objects are left out, since a release that counts as a meeting of threads hides real races.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define LEASE "$s13CompositorAPI10FrameLeaseCN"

typedef __attribute__((swiftcall)) void (*Lock)(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void (*Unlock)(__attribute__((swift_context)) void *mutex);

// Absent in programs that a test starts and that are not sanitized.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

static void *find(void **found, void *where, const char *name) {
  void *symbol = __atomic_load_n(found, __ATOMIC_RELAXED);
  if (!symbol) {
    symbol = dlsym(where, name);
    __atomic_store_n(found, symbol, __ATOMIC_RELAXED);
  }
  return symbol;
}

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) __asm__(LOCK);
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  static void *original;
  ((Lock)find(&original, RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
  static void *original;
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)find(&original, RTLD_NEXT, UNLOCK))(mutex);
}

// The class's first word of an object is its isa.
static void note_release(void *object) {
  static void *lease;
  if (!object || !__tsan_release || *(void **)object != find(&lease, RTLD_DEFAULT, LEASE)) return;
  __tsan_release(object);
  __tsan_acquire(object);
}

void swift_release(void *object);
void swift_release(void *object) {
  static void *original;
  note_release(object);
  ((void (*)(void *))find(&original, RTLD_NEXT, "swift_release"))(object);
}

void swift_release_n(void *object, uint32_t count);
void swift_release_n(void *object, uint32_t count) {
  static void *original;
  note_release(object);
  ((void (*)(void *, uint32_t))find(&original, RTLD_NEXT, "swift_release_n"))(object, count);
}
