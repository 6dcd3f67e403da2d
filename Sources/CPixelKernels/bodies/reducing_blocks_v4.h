// Area means of bytes (AVX-512 BW): one instruction adds neighbors, where loops need three. Masked narrowing stores are slow on some processors, and
// avoided.

static inline __m512i pair_sums8(__mmask64 lanes, const uint8_t *src) {
  return _mm512_maddubs_epi16(_mm512_maskz_loadu_epi8(lanes, src), _mm512_set1_epi8(1));
}

static inline __mmask64 first_bytes(size_t count) { return count < 64 ? ((__mmask64)1 << count) - 1 : ~(__mmask64)0; }

static inline void halve8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t i = 0; i < count; i += 32) {
    const size_t part = count - i < 32 ? count - i : 32;
    const __mmask64 lanes = first_bytes(2 * part);
    const __m512i sums = _mm512_add_epi16(pair_sums8(lanes, src + 2 * i), pair_sums8(lanes, src + 2 * i + src_stride));
    const __m512i means = _mm512_srli_epi16(_mm512_add_epi16(sums, _mm512_set1_epi16(2)), 2);
    _mm256_mask_storeu_epi8(dst + i, (__mmask32)first_bytes(part), _mm512_cvtepi16_epi8(means));
  }
}

static inline void quarter8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t i = 0; i < count; i += 16) {
    const size_t part = count - i < 16 ? count - i : 16;
    const __mmask64 lanes = first_bytes(4 * part);
    const uint8_t *const first = src + 4 * i, *const third = first + 2 * src_stride;
    const __m512i upper = _mm512_add_epi16(pair_sums8(lanes, first), pair_sums8(lanes, first + src_stride));
    const __m512i lower = _mm512_add_epi16(pair_sums8(lanes, third), pair_sums8(lanes, third + src_stride));
    const __m512i sums = _mm512_madd_epi16(_mm512_add_epi16(upper, lower), _mm512_set1_epi16(1));
    const __m512i means = _mm512_srli_epi32(_mm512_add_epi32(sums, _mm512_set1_epi32(8)), 4);
    _mm_mask_storeu_epi8(dst + i, (__mmask16)first_bytes(part), _mm512_cvtepi32_epi8(means));
  }
}
