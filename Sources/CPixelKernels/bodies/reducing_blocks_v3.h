// Area means of bytes (AVX2): one instruction adds neighbors, where loops need three. An incomplete block takes the common loop.

#define halve8_block halve8_part
#define quarter8_block quarter8_part
#include "reducing_blocks.h"
#undef halve8_block
#undef quarter8_block

static inline __m256i pair_sums8(const uint8_t *src) {
  return _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)src), _mm256_set1_epi8(1));
}

static inline __m256i halved_words(const uint8_t *src, ptrdiff_t src_stride) {
  const __m256i sums = _mm256_add_epi16(pair_sums8(src), pair_sums8(src + src_stride));
  return _mm256_srli_epi16(_mm256_add_epi16(sums, _mm256_set1_epi16(2)), 2);
}

static inline void halve8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  if (count != 32) { return halve8_part(dst, src, src_stride, count); }
  const __m256i bytes = _mm256_packus_epi16(halved_words(src, src_stride), halved_words(src + 32, src_stride));
  _mm256_storeu_si256((__m256i *)dst, _mm256_permute4x64_epi64(bytes, 0xd8));
}

static inline __m256i quartered_words(const uint8_t *src, ptrdiff_t src_stride) {
  const uint8_t *const third = src + 2 * src_stride;
  const __m256i upper = _mm256_add_epi16(pair_sums8(src), pair_sums8(src + src_stride));
  const __m256i lower = _mm256_add_epi16(pair_sums8(third), pair_sums8(third + src_stride));
  const __m256i sums = _mm256_madd_epi16(_mm256_add_epi16(upper, lower), _mm256_set1_epi16(1));
  return _mm256_srli_epi32(_mm256_add_epi32(sums, _mm256_set1_epi32(8)), 4);
}

static inline void quarter8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  if (count != 32) { return quarter8_part(dst, src, src_stride, count); }
  const __m256i low = _mm256_packus_epi32(quartered_words(src, src_stride), quartered_words(src + 32, src_stride));
  const __m256i high = _mm256_packus_epi32(quartered_words(src + 64, src_stride), quartered_words(src + 96, src_stride));
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  _mm256_storeu_si256((__m256i *)dst, _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order));
}
