// Counts the allocations of a process, for benchmarks that report allocations per frame. Build and preload it:
//
//     cc -O2 -shared -fPIC -o count.so Benchmarks/count-allocations.c
//     LD_PRELOAD=./count.so compositor bench --work W2 --json
//
// It replaces the C library's functions, which all allocations of Swift and of the libraries use.

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uint64_t allocations, buffers;

uint64_t compositor_counted_allocations(void) { return atomic_load(&allocations); }
uint64_t compositor_counted_buffers(void) { return atomic_load(&buffers); }

// Buffers are allocations that could hold a row of pixels: 8 KiB or more.
static void count(size_t size) {
  atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed);
  if (size >= 8192) atomic_fetch_add_explicit(&buffers, 1, memory_order_relaxed);
}

// The C library's own entry points, which need no symbol look-up; that would allocate.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count(size);
  return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = memalign(alignment, size);
  if (!memory) return 12;
  *result = memory;
  return 0;
}
