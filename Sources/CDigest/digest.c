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

/// A file whose digest is being made.
typedef struct reading {
  int file;
  /// 0, or a negated `errno`.
  int error;
  bool has_ended;
  uint8_t *buffer;
  /// Number of bytes in `buffer`.
  size_t count;
  cdg_sha256 digest;
} reading;

enum { buffer_size = 1 << 20 };

static void begin_reading(reading *reading, const char *path) {
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  *reading = (struct reading){.file = file, .error = file < 0 ? -errno : 0, .buffer = file < 0 ? NULL : malloc(buffer_size)};
  cdg_begin(&reading->digest);
  if (file < 0) return;
  struct stat information;
  reading->error = !reading->buffer ? -ENOMEM : fstat(file, &information) < 0 ? -errno : !S_ISREG(information.st_mode) ? -EINVAL : 0;
  if (reading->error == 0) posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
}

static void end_reading(reading *reading) {
  free(reading->buffer);
  if (reading->file >= 0) close(reading->file);
}

static bool is_reading(const reading *reading) { return reading->error == 0 && !reading->has_ended; }

static void read_more(reading *reading) {
  reading->count = 0;
  if (!is_reading(reading)) return;
  ssize_t count;
  do count = read(reading->file, reading->buffer, buffer_size);
  while (count < 0 && errno == EINTR);
  if (count < 0) reading->error = -errno;
  reading->has_ended = count == 0;
  if (count > 0) reading->count = (size_t)count;
}

/// Adds what was read of both files, as many blocks as possible at a time.
static void add_pair(reading pair[2]) {
  size_t blocks = (pair[0].count < pair[1].count ? pair[0].count : pair[1].count) / 64;
  const bool begins_blocks = pair[0].digest.length % 64 == 0 && pair[1].digest.length % 64 == 0;
  if (!begins_blocks || chosen() != cdg_blocks_sha_ni) blocks = 0;
  if (blocks > 0) {
    uint32_t *states[2] = {pair[0].digest.state, pair[1].digest.state};
    cdg_block_pairs_sha_ni(states, (const uint8_t *[2]){pair[0].buffer, pair[1].buffer}, blocks);
  }
  for (int i = 0; i < 2; i++) {
    pair[i].digest.length += blocks * 64;
    cdg_add(&pair[i].digest, pair[i].buffer + blocks * 64, pair[i].count - blocks * 64);
  }
}

void cdg_files(
    const char *const paths[], int count, bool (*should_stop)(void *owner), void *owner, cdg_file_digest results[]) {
  reading pair[2];
  for (int first = 0; first < count; first += 2) {
    const int width = count - first < 2 ? 1 : 2;
    pair[1] = (reading){.file = -1, .has_ended = true};
    for (int i = 0; i < width; i++) begin_reading(&pair[i], paths[first + i]);
    while (is_reading(&pair[0]) || is_reading(&pair[1])) {
      const bool stops = should_stop && should_stop(owner);
      for (int i = 0; i < 2; i++) {
        if (stops && is_reading(&pair[i])) pair[i].error = -ECANCELED;
        read_more(&pair[i]);
      }
      if (pair[0].count > 0 && pair[1].count > 0) {
        add_pair(pair);
      } else {
        for (int i = 0; i < 2; i++) cdg_add(&pair[i].digest, pair[i].buffer, pair[i].count);
      }
    }
    for (int i = 0; i < width; i++) {
      cdg_file_digest *result = &results[first + i];
      *result = (cdg_file_digest){.error = pair[i].error, .byte_count = pair[i].digest.length};
      cdg_end(&pair[i].digest, result->bytes);
      end_reading(&pair[i]);
    }
  }
}
