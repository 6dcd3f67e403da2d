// The SHA-256 of a file, which identifies trusted code instead of its name.
#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <CDigest.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

int module_file_digest(const char *path, uint8_t digest[32]) {
  cdg_file_digest found;
  cdg_files(&path, 1, NULL, NULL, &found);
  memcpy(digest, found.bytes, sizeof found.bytes);
  return found.error;
}

// MARK: immutable bytes

// The loader says best what is wrong with a smaller file.
enum { LARGE_FILE = 1 << 20 };

static int copy_all(int from, int to) {
  char bytes[1 << 16];
  for (int64_t left = MODULE_LARGEST_FILE;; left -= (int64_t)sizeof bytes) {
    const ssize_t count = read(from, bytes, sizeof bytes);
    if (count == 0) return 0;
    // A file may grow while it is read.
    if (left <= 0) return -EFBIG;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
    for (ssize_t done = 0; done < count;) {
      const ssize_t written = write(to, bytes + done, (size_t)(count - done));
      if (written < 0 && errno != EINTR) return -errno;
      if (written > 0) done += written;
    }
  }
}

static int sealed_copy(int from, const char *name) {
  // Some systems require this memory to be declared as not executable by exec; loading a library is not affected.
  int to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (to < 0 && errno == EINVAL) to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (to < 0) return -errno;
  int result = copy_all(from, to);
  if (result == 0 && fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) result = -errno;
  if (result == 0) return to;
  close(to);
  return result;
}

// Reads the file piece by piece: mapped pages of a file that becomes shorter meanwhile would end this process.
static bool contains(int file, const char *text, size_t length) {
  enum { PIECE = 1 << 18 };
  // A piece follows the end of the one before, so that a text across both is found.
  char *bytes = malloc(length + PIECE);
  size_t kept = 0;
  bool is_found = false;
  for (off_t place = 0; bytes && !is_found && place <= MODULE_LARGEST_FILE;) {
    const ssize_t count = pread(file, bytes + kept, PIECE, place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    const size_t filled = kept + (size_t)count;
    is_found = memmem(bytes, filled, text, length) != NULL;
    kept = filled < length ? filled : length;
    memmove(bytes, bytes + filled - kept, kept);
    place += count;
  }
  free(bytes);
  return is_found;
}

bool module_file_contains(const char *path, const char *text) {
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return false;
  struct stat state;
  const bool is_searched = fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size <= MODULE_LARGEST_FILE;
  const bool is_found = is_searched && contains(file, text, strlen(text));
  close(file);
  return is_found;
}

void module_library_rename(void *library, const char *path) {
  struct link_map *map = NULL;
  char *name = strdup(path);
  if (name && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) map->l_name = name;
  else free(name);
}

// Whether a large file is no library, by its first bytes: all of it would be read for nothing, and a sparse one takes no room on the disk.
static bool is_large_and_no_library(int file, off_t length) {
  unsigned char start[4];
  return length > LARGE_FILE && (pread(file, start, sizeof start, 0) != sizeof start || memcmp(start, "\177ELF", sizeof start) != 0);
}

int module_image_make(const char *path, const char *name, uint8_t digest[32]) {
  const int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return -errno;
  struct stat state;
  int result = fstat(from, &state) != 0 ? -errno : !S_ISREG(state.st_mode) ? -EINVAL : 0;
  if (result == 0 && state.st_size > MODULE_LARGEST_FILE) result = -EFBIG;
  if (result == 0 && is_large_and_no_library(from, state.st_size)) result = -ENOEXEC;
  if (result == 0) result = sealed_copy(from, name);
  close(from);
  if (result < 0) return result;
  char place[64];
  snprintf(place, sizeof place, "/proc/self/fd/%d", result);
  const int failure = module_file_digest(place, digest);
  if (failure == 0) return result;
  close(result);
  return failure;
}
