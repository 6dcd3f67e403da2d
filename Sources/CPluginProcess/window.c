#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

// Whole page tables of this many bytes are moved at once on most machines; on others it is only slower.
enum { TABLE = 2 << 20 };

static uintptr_t up(uintptr_t value, size_t step) { return (value + step - 1) / step * step; }

static int move(void *from, void *to, size_t length) {
  return mremap(from, length, length, MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP, to) == MAP_FAILED ? -errno : 0;
}

int module_window_make(int descriptor, size_t length, struct module_window *window) {
  // Separated by more than a table, so that each has its own and the surrounding pages are not affected.
  const size_t outer_length = 2 * up(length, TABLE) + 4 * TABLE;
  char *outer = mmap(NULL, outer_length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (outer == MAP_FAILED) return -errno;
  char *place = (char *)up((uintptr_t)outer + 1, TABLE);
  *window = (struct module_window){outer, outer_length, place, place + up(length, TABLE) + TABLE, length};
  int result = mmap(window->shelf, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED ? -errno : 0;
  // Before Linux 5.13, only private memory can be moved such that no other mapping appears at its old address.
  if (result == 0 && (module_window_open(window) != 0 || module_window_close(window) != 0)) {
    window->shelf = NULL;
    result = mmap(place, length, PROT_NONE, MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED ? -errno : 0;
  }
  if (result != 0) munmap(outer, outer_length);
  return result;
}

int module_window_open(struct module_window *window) {
  if (window->shelf) return move(window->shelf, window->place, window->length);
  return mprotect(window->place, window->length, PROT_READ | PROT_WRITE) == 0 ? 0 : -errno;
}

int module_window_close(struct module_window *window) {
  const int result = window->shelf ? move(window->place, window->shelf, window->length) : 0;
  if (result != 0) return result;
  // After moving, the old range maps the same pages on access; deny that.
  return mprotect(window->place, window->length, PROT_NONE) == 0 ? 0 : -errno;
}

void module_window_free(struct module_window *window) { munmap(window->outer, window->outer_length); }
