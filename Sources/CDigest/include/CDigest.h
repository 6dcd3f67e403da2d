// SHA-256 (FIPS 180-4) of bytes in memory and of files.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A digest in progress.
typedef struct cdg_sha256 {
  uint32_t state[8];
  /// Number of bytes so far.
  uint64_t length;
  /// The bytes of an incomplete block.
  uint8_t pending[64];
} cdg_sha256;

/// Starts a digest of no bytes.
void cdg_begin(cdg_sha256 *digest);
/// Adds bytes.
void cdg_add(cdg_sha256 *digest, const void *bytes, size_t count);
/// Finishes the digest; nothing may be added afterward.
void cdg_end(cdg_sha256 *digest, uint8_t result[32]);

/// The digest of a file's bytes.
typedef struct cdg_file_digest {
  /// 0, or a negated `errno`; then the rest has no meaning.
  int error;
  uint64_t byte_count;
  uint8_t bytes[32];
} cdg_file_digest;

/// The digests of the bytes of `count` files. Two files are read at a time, which takes less time than one after the other.
///
/// `should_stop` is called before each MiB; true ends the call, with -ECANCELED for the files that were not read to their end. NULL never stops.
void cdg_files(
    const char *const paths[], int count, bool (*should_stop)(void *owner), void *owner, cdg_file_digest results[]);

/// The name of the implementation for this processor: "plain" or "sha-ni".
const char *cdg_tier(void);
/// The digest of bytes with the portable implementation, to compare the others with.
void cdg_plain(const void *bytes, size_t count, uint8_t result[32]);
