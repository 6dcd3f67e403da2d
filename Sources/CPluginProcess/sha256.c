// SHA-256 (FIPS 180-4) of a file: by it, not by a name, people say which code they trust.
#define _GNU_SOURCE
#include "CPluginProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

static const uint32_t constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t value, int bits) { return value >> bits | value << (32 - bits); }

static void take(uint32_t state[8], const uint8_t block[64]) {
  uint32_t words[64], s[8];
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; i++) {
    const uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]), majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const uint32_t first = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) + choice + constants[i] + words[i];
    const uint32_t second = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + majority;
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

static int digest_of(FILE *file, uint8_t digest[32]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t block[128] = {0};
  uint64_t length = 0;
  size_t count;
  while ((count = fread(block, 1, 64, file)) == 64) {
    take(state, block);
    length += 64;
  }
  if (ferror(file)) return -EIO;
  length = (length + count) * 8;
  memset(block + count, 0, sizeof block - count);
  block[count] = 0x80;
  const size_t end = count < 56 ? 64 : 128;
  for (int i = 0; i < 8; i++) block[end - 1 - (size_t)i] = (uint8_t)(length >> (8 * i));
  take(state, block);
  if (end == 128) take(state, block + 64);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
  return 0;
}

int module_file_digest(const char *path, uint8_t digest[32]) {
  FILE *file = fopen(path, "rbe");
  if (!file) return -errno;
  const int result = digest_of(file, digest);
  fclose(file);
  return result;
}

// MARK: bytes that stay

static int copy_all(int from, int to) {
  char bytes[1 << 16];
  for (;;) {
    const ssize_t count = read(from, bytes, sizeof bytes);
    if (count == 0) return 0;
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
  // Systems that allow no memory of both kinds want it said that this is no program; loading a library is another thing.
  int to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
  if (to < 0 && errno == EINVAL) to = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (to < 0) return -errno;
  int result = copy_all(from, to);
  if (result == 0 && fcntl(to, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) result = -errno;
  if (result == 0) return to;
  close(to);
  return result;
}

int module_image_make(const char *path, const char *name, uint8_t digest[32]) {
  const int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return -errno;
  struct stat state;
  const int result = fstat(from, &state) != 0 ? -errno : !S_ISREG(state.st_mode) ? -EINVAL : sealed_copy(from, name);
  close(from);
  if (result < 0) return result;
  char place[64];
  snprintf(place, sizeof place, "/proc/self/fd/%d", result);
  const int failure = module_file_digest(place, digest);
  if (failure == 0) return result;
  close(result);
  return failure;
}
