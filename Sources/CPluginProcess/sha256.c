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

// The loader says best what is wrong with a smaller file. Linkers leave holes of some pages; a file of holes takes no room on the disk, but its image could take
// memory of any size.
enum { LARGE_FILE = 1 << 20 };

static int write_all(int to, const char *bytes, size_t count, off_t place) {
  for (size_t done = 0; done < count;) {
    const ssize_t written = pwrite(to, bytes + done, count - done, place + (off_t)done);
    if (written < 0 && errno != EINTR) return -errno;
    if (written > 0) done += (size_t)written;
  }
  return 0;
}

static int copy_part(int from, int to, off_t place, off_t end) {
  char bytes[1 << 16];
  while (place < end) {
    const off_t left = end - place;
    const ssize_t count = pread(from, bytes, left < (off_t)sizeof bytes ? (size_t)left : sizeof bytes, place);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
    // The file has become shorter.
    if (count == 0) return 0;
    const int result = write_all(to, bytes, (size_t)count, place);
    if (result < 0) return result;
    place += count;
  }
  return 0;
}

// Finds the next part of a file that has data; false if there is none.
static bool next_part(int file, off_t place, off_t size, off_t *start, off_t *end) {
  *start = lseek(file, place, SEEK_DATA);
  if (*start < 0 && errno == ENXIO) return false;
  *end = *start < 0 ? -1 : lseek(file, *start, SEEK_HOLE);
  // A file system that knows no holes.
  if (*end < 0) *start = place, *end = size;
  return *start < *end;
}

// Goes through the parts of a file that have data, and copies them unless `to` is negative: what are holes stay holes. Returns -ENODATA if they are too many.
static int copy_parts(int from, int to) {
  off_t place = 0, holes = 0, start, end;
  const off_t size = lseek(from, 0, SEEK_END);
  while (next_part(from, place, size, &start, &end)) {
    holes += start - place;
    // A file may grow while it is read.
    if (end > MODULE_LARGEST_FILE) return -EFBIG;
    if (holes > MODULE_MOST_HOLES) return -ENODATA;
    const int result = to < 0 ? 0 : copy_part(from, to, start, end);
    if (result < 0) return result;
    place = end;
  }
  if (size > place) holes += size - place;
  if (holes > MODULE_MOST_HOLES) return -ENODATA;
  return to >= 0 && size > place && ftruncate(to, size) != 0 ? -errno : 0;
}

static int sealed_copy(int from, const char *name) {
  // Some systems require this memory to be declared as not executable by exec; loading a library is not affected.
  int to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (to < 0 && errno == EINVAL) to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (to < 0) return -errno;
  int result = copy_parts(from, to);
  if (result == 0 && fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) result = -errno;
  if (result == 0) return to;
  close(to);
  return result;
}

// Why a file is refused before it is read: a negative error; 0 if it isn't. A large one that is no library would be read for nothing.
static int refusal(int file) {
  struct stat state;
  if (fstat(file, &state) != 0) return -errno;
  if (!S_ISREG(state.st_mode)) return -EINVAL;
  if (state.st_size > MODULE_LARGEST_FILE) return -EFBIG;
  if (state.st_size <= LARGE_FILE) return 0;
  unsigned char start[4];
  if (pread(file, start, sizeof start, 0) != sizeof start || memcmp(start, "\177ELF", sizeof start) != 0) return -ENOEXEC;
  return copy_parts(file, -1);
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
  const bool is_found = refusal(file) == 0 && contains(file, text, strlen(text));
  close(file);
  return is_found;
}

void module_library_rename(void *library, const char *path) {
  struct link_map *map = NULL;
  char *name = strdup(path);
  if (name && dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map) map->l_name = name;
  else free(name);
}

int module_image_make(const char *path, const char *name, uint8_t digest[32]) {
  const int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return -errno;
  int result = refusal(from);
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
