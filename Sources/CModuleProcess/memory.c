#define _GNU_SOURCE
#include "CModuleProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static size_t whole_pages(size_t count) { return (count + page() - 1) / page() * page(); }
static int protection(int prot) { return prot == 0 ? PROT_NONE : prot == 1 ? PROT_READ : PROT_READ | PROT_WRITE; }

int module_memory_make(size_t byte_count) {
  const int descriptor = memfd_create("compositor-frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  if (ftruncate(descriptor, (off_t)whole_pages(byte_count)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    const int number = errno;
    close(descriptor);
    return -number;
  }
  return descriptor;
}

int module_memory_map(int descriptor, size_t byte_count, int prot, void **base) {
  const size_t inner = whole_pages(byte_count);
  char *outer = mmap(NULL, inner + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (outer == MAP_FAILED) return -errno;
  if (mmap(outer + page(), inner, protection(prot), MAP_SHARED | MAP_FIXED, descriptor, 0) == MAP_FAILED) {
    const int number = errno;
    munmap(outer, inner + 2 * page());
    return -number;
  }
  *base = outer + page();
  return 0;
}

void module_memory_unmap(void *base, size_t byte_count) {
  munmap((char *)base - page(), whole_pages(byte_count) + 2 * page());
}

int module_memory_read_only(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  const int result = open(path, O_RDONLY | O_CLOEXEC);
  return result < 0 ? -errno : result;
}

int module_bytes_are(const void *bytes, size_t count, uint8_t value) {
  const uint8_t *next = bytes;
  for (size_t i = 0; i < count; i++)
    if (next[i] != value) return 0;
  return 1;
}
