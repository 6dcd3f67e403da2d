// Implementations of the SHA-256 compression function.
#pragma once
#include "CDigest.h"

/// The round constants (FIPS 180-4, 4.2.2).
extern const uint32_t cdg_constants[64];

/// Updates the state with `count` blocks of 64 bytes.
void cdg_blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t count);
/// The same with the SHA extensions of x86-64. Call it only if cdg_has_sha_ni() returns true.
void cdg_blocks_sha_ni(uint32_t state[8], const uint8_t *bytes, size_t count);
/// Updates two states with `count` blocks each, in less than the time of one after the other: the rounds of one wait for each other.
void cdg_block_pairs_sha_ni(uint32_t *const states[2], const uint8_t *const bytes[2], size_t count);
bool cdg_has_sha_ni(void);
