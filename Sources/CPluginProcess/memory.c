#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }
static size_t whole_pages(size_t count) { return (count + page() - 1) / page() * page(); }
static int protection(int prot) { return prot == 0 ? PROT_NONE : prot == 1 ? PROT_READ : PROT_READ | PROT_WRITE; }

int module_memory_make(size_t byte_count) {
  const int descriptor = memfd_create("compositor-frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return -errno;
  if (ftruncate(descriptor, (off_t)whole_pages(byte_count)) != 0) {
    const int number = errno;
    close(descriptor);
    return -number;
  }
  return descriptor;
}

int module_memory_seal(int descriptor, bool against_writing) {
  const int size = F_SEAL_SHRINK | F_SEAL_GROW;
  if (!against_writing) return fcntl(descriptor, F_ADD_SEALS, size | F_SEAL_SEAL) == 0 ? 0 : -errno;
  // Without the owner's write permission, only this descriptor allows writing; before Linux 5.1 this is the only protection.
  fchmod(descriptor, S_IRUSR);
  if (fcntl(descriptor, F_ADD_SEALS, size | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) == 0) return 1;
  return fcntl(descriptor, F_ADD_SEALS, size | F_SEAL_SEAL) == 0 ? 0 : -errno;
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

int module_memory_private(size_t byte_count, void **base) {
  const size_t inner = whole_pages(byte_count);
  char *outer = mmap(NULL, inner + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (outer == MAP_FAILED) return -errno;
  if (mprotect(outer + page(), inner, PROT_READ | PROT_WRITE) != 0) {
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

// The bytes mapped by one entry of an upper-level page table on most machines.
enum { LARGE_PAGE = 2 << 20 };

size_t module_output_length(size_t byte_count) {
  const size_t length = page() + whole_pages(byte_count);
  return byte_count < LARGE_PAGE / 2 ? length : (length + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

size_t module_output_offset(size_t byte_count) { return module_output_length(byte_count) - whole_pages(byte_count); }

int module_output_make(size_t byte_count, struct module_output *output) {
  const size_t length = module_output_length(byte_count);
  *output = (struct module_output){.outer_length = length + 2 * LARGE_PAGE, .descriptor = module_memory_make(length)};
  if (output->descriptor < 0) return output->descriptor;
  output->outer = mmap(NULL, output->outer_length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int number = output->outer == MAP_FAILED ? errno : 0;
  if (number == 0) {
    char *start = (char *)(((uintptr_t)output->outer + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
    output->base = start + module_output_offset(byte_count);
    if (module_memory_seal(output->descriptor, false) < 0 ||
        mmap(start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, output->descriptor, 0) == MAP_FAILED) {
      number = errno;
      munmap(output->outer, output->outer_length);
    } else if (length % LARGE_PAGE == 0) {
      // Untouched memory cannot be collapsed into huge pages. If there are none, small pages serve.
      for (size_t i = 0; i < length; i += LARGE_PAGE) ((volatile char *)start)[i] = 0;
      madvise(start, length, MADV_COLLAPSE);
    }
  }
  if (number != 0) close(output->descriptor);
  return -number;
}

void module_output_free(struct module_output *output) {
  munmap(output->outer, output->outer_length);
  close(output->descriptor);
}

int module_memory_read_only(int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  const int result = open(path, O_RDONLY | O_CLOEXEC);
  return result < 0 ? -errno : result;
}

// Non-temporal stores do not read the lines that they overwrite. A render uses more frames than caches hold, and the next step often runs on another
// core, so they save more of the copy than they cost the next reader.
void module_copy(void *to, const void *from, size_t count) {
#if __has_builtin(__builtin_nontemporal_store)
  typedef uint64_t block __attribute__((vector_size(16)));
  block *next = to;
  const block *source = from;
  if (((uintptr_t)to | (uintptr_t)from) % sizeof(block) == 0) {
    const size_t blocks = count / sizeof(block) / 4 * 4;
    for (size_t i = 0; i < blocks; i += 4) {
      const block a = source[i], b = source[i + 1], c = source[i + 2], d = source[i + 3];
      __builtin_nontemporal_store(a, next + i);
      __builtin_nontemporal_store(b, next + i + 1);
      __builtin_nontemporal_store(c, next + i + 2);
      __builtin_nontemporal_store(d, next + i + 3);
    }
    // Non-temporal stores are not ordered with others; make them visible before the frame is announced.
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    const size_t done = blocks * sizeof(block);
    to = (char *)to + done;
    from = (const char *)from + done;
    count -= done;
  }
#endif
  memcpy(to, from, count);
}

bool module_bytes_are(const void *bytes, size_t count, uint8_t value) {
  const uint8_t *next = bytes;
  for (size_t i = 0; i < count; i++)
    if (next[i] != value) return false;
  return true;
}
