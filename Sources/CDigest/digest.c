#define _GNU_SOURCE
#include "digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef void blocks(uint32_t state[8], const uint8_t *bytes, size_t count);

static blocks *chosen(void) {
  static blocks *fastest;
  blocks *found = __atomic_load_n(&fastest, __ATOMIC_RELAXED);
  if (found) return found;
  found = cdg_has_sha_ni() ? cdg_blocks_sha_ni : cdg_blocks_plain;
  __atomic_store_n(&fastest, found, __ATOMIC_RELAXED);
  return found;
}

const char *cdg_tier(void) { return chosen() == cdg_blocks_plain ? "plain" : "sha-ni"; }

void cdg_begin(cdg_sha256 *digest) {
  *digest = (cdg_sha256){
    .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void add(cdg_sha256 *digest, const uint8_t *bytes, size_t count, blocks *take) {
  const size_t held = digest->length % 64;
  digest->length += count;
  if (held > 0) {
    const size_t missing = 64 - held < count ? 64 - held : count;
    memcpy(digest->pending + held, bytes, missing);
    bytes += missing;
    count -= missing;
    if (held + missing < 64) return;
    take(digest->state, digest->pending, 1);
  }
  if (count >= 64) take(digest->state, bytes, count / 64);
  if (count % 64 > 0) memcpy(digest->pending, bytes + count / 64 * 64, count % 64);
}

static void end(cdg_sha256 *digest, uint8_t result[32], blocks *take) {
  const uint64_t bits = digest->length * 8;
  uint8_t padding[72] = {0x80};
  const size_t held = digest->length % 64, count = held < 56 ? 56 - held : 120 - held;
  for (int i = 0; i < 8; i++) padding[count + (size_t)i] = (uint8_t)(bits >> (56 - 8 * i));
  add(digest, padding, count + 8, take);
  for (int i = 0; i < 32; i++) result[i] = (uint8_t)(digest->state[i / 4] >> (24 - 8 * (i % 4)));
}

void cdg_add(cdg_sha256 *digest, const void *bytes, size_t count) {
  if (count > 0) add(digest, bytes, count, chosen());
}

void cdg_end(cdg_sha256 *digest, uint8_t result[32]) { end(digest, result, chosen()); }

void cdg_plain(const void *bytes, size_t count, uint8_t result[32]) {
  cdg_sha256 digest;
  cdg_begin(&digest);
  if (count > 0) add(&digest, bytes, count, cdg_blocks_plain);
  end(&digest, result, cdg_blocks_plain);
}

static int read_all(int file, uint8_t *buffer, size_t size, bool (*should_stop)(void *), void *owner, cdg_sha256 *digest) {
  for (;;) {
    if (should_stop && should_stop(owner)) return -ECANCELED;
    const ssize_t count = read(file, buffer, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -errno;
    if (count == 0) return 0;
    cdg_add(digest, buffer, (size_t)count);
  }
}

int cdg_file(
    const char *path, bool (*should_stop)(void *owner), void *owner, uint64_t *byte_count, uint8_t result[32]) {
  enum { buffer_size = 1 << 20 };
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return -errno;
  struct stat information;
  uint8_t *buffer = malloc(buffer_size);
  int error = !buffer ? -ENOMEM : fstat(file, &information) < 0 ? -errno : !S_ISREG(information.st_mode) ? -EINVAL : 0;
  cdg_sha256 digest;
  cdg_begin(&digest);
  if (error == 0) {
    posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
    error = read_all(file, buffer, buffer_size, should_stop, owner, &digest);
  }
  free(buffer);
  close(file);
  if (error < 0) return error;
  if (byte_count) *byte_count = digest.length;
  cdg_end(&digest, result);
  return 0;
}
