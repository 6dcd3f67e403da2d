#define _GNU_SOURCE
#include "CFuzzer.h"

#include <sys/mman.h>
#include <unistd.h>

int fuzzer_file(const void *bytes, size_t count) {
  const int file = memfd_create("fuzz", MFD_CLOEXEC);
  if (file < 0) return -1;
  const char *next = bytes;
  while (count > 0) {
    const ssize_t written = write(file, next, count);
    if (written <= 0) {
      close(file);
      return -1;
    }
    next += written;
    count -= (size_t)written;
  }
  return file;
}
