#include "digest.h"

#include <string.h>

const uint32_t cdg_constants[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
  0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
  0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
  0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
  0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
  0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t value, int bits) { return value >> bits | value << (32 - bits); }

static void take(uint32_t state[8], const uint8_t *block) {
  uint32_t words[64];
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + words[i - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
  }
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 64; i++) {
    const uint32_t first = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + cdg_constants[i] + words[i];
    const uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const uint32_t sums[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; i++) state[i] += sums[i];
}

void cdg_blocks_plain(uint32_t state[8], const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes += 64) take(state, bytes);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

bool cdg_has_sha_ni(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  const unsigned ssse3 = 1u << 9, sse41 = 1u << 19, sha = 1u << 29;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha) != 0;
}

#define SHA_NI __attribute__((target("sha,sse4.1,ssse3")))

/// A state in the arrangement that the instructions require: A, B, E, F in one register and C, D, G, H in the other.
typedef struct lane {
  __m128i high, low;
} lane;

static inline SHA_NI lane arranged(const uint32_t state[8]) {
  const __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  return (lane){.high = _mm_alignr_epi8(cdab, efgh, 8), .low = _mm_blend_epi16(efgh, cdab, 0xf0)};
}

static inline SHA_NI void store(lane lane, uint32_t state[8]) {
  const __m128i feba = _mm_shuffle_epi32(lane.high, 0x1b), dchg = _mm_shuffle_epi32(lane.low, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Computes four rounds, whose message words are `words`.
#define ROUNDS(lane, at, words)                                                                             \
  do {                                                                                                      \
    __m128i sum = _mm_add_epi32(words, _mm_loadu_si128((const __m128i *)(cdg_constants + (at))));           \
    lane.low = _mm_sha256rnds2_epu32(lane.low, lane.high, sum);                                             \
    lane.high = _mm_sha256rnds2_epu32(lane.high, lane.low, _mm_shuffle_epi32(sum, 0x0e));                   \
  } while (0)

/// Replaces w0 with the four message words that follow w3.
#define NEXT(w0, w1, w2, w3)                                                                                \
  w0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w0, w1), _mm_alignr_epi8(w3, w2, 4)), w3)

/// Sixteen rounds of one lane, whose words are computed first.
#define SIXTEEN(lane, at, w)                                                                                \
  do {                                                                                                      \
    NEXT(w[0], w[1], w[2], w[3]);                                                                           \
    ROUNDS(lane, at, w[0]);                                                                                 \
    NEXT(w[1], w[2], w[3], w[0]);                                                                           \
    ROUNDS(lane, at + 4, w[1]);                                                                             \
    NEXT(w[2], w[3], w[0], w[1]);                                                                           \
    ROUNDS(lane, at + 8, w[2]);                                                                             \
    NEXT(w[3], w[0], w[1], w[2]);                                                                           \
    ROUNDS(lane, at + 12, w[3]);                                                                            \
  } while (0)

static inline SHA_NI __m128i words(const uint8_t *bytes, int index) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  return _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * index)), order);
}

SHA_NI void cdg_blocks_sha_ni(uint32_t state[8], const uint8_t *bytes, size_t count) {
  lane a = arranged(state);
  for (; count > 0; count--, bytes += 64) {
    const lane before = a;
    __m128i w[4];
    for (int i = 0; i < 4; i++) w[i] = words(bytes, i);
    for (int i = 0; i < 4; i++) ROUNDS(a, 4 * i, w[i]);
    for (int i = 16; i < 64; i += 16) SIXTEEN(a, i, w);
    a.high = _mm_add_epi32(a.high, before.high);
    a.low = _mm_add_epi32(a.low, before.low);
  }
  store(a, state);
}

SHA_NI void cdg_block_pairs_sha_ni(uint32_t *const states[2], const uint8_t *const bytes[2], size_t count) {
  lane a = arranged(states[0]), b = arranged(states[1]);
  const uint8_t *first = bytes[0], *second = bytes[1];
  for (; count > 0; count--, first += 64, second += 64) {
    const lane before_a = a, before_b = b;
    __m128i v[4], w[4];
    for (int i = 0; i < 4; i++) {
      v[i] = words(first, i);
      w[i] = words(second, i);
    }
    for (int i = 0; i < 4; i++) {
      ROUNDS(a, 4 * i, v[i]);
      ROUNDS(b, 4 * i, w[i]);
    }
    for (int i = 16; i < 64; i += 16) {
      SIXTEEN(a, i, v);
      SIXTEEN(b, i, w);
    }
    a.high = _mm_add_epi32(a.high, before_a.high);
    a.low = _mm_add_epi32(a.low, before_a.low);
    b.high = _mm_add_epi32(b.high, before_b.high);
    b.low = _mm_add_epi32(b.low, before_b.low);
  }
  store(a, states[0]);
  store(b, states[1]);
}
#else
bool cdg_has_sha_ni(void) { return false; }

void cdg_blocks_sha_ni(uint32_t state[8], const uint8_t *bytes, size_t count) { cdg_blocks_plain(state, bytes, count); }

void cdg_block_pairs_sha_ni(uint32_t *const states[2], const uint8_t *const bytes[2], size_t count) {
  for (int i = 0; i < 2; i++) cdg_blocks_plain(states[i], bytes[i], count);
}
#endif
