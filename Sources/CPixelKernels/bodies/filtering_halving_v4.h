// Filters along rows that reduce by exactly two: the pairs of taps of adjacent destination columns are adjacent, so nothing is transposed.

static inline __m512i halving_sums(const int16_t *src, const cpk_filter_columns *from, __mmask16 lanes, __m512i half, __m128i shift) {
  __m512i sums = half;
  for (size_t tap = 0; tap < from->taps; tap += 2) {
    const __m512i weights = _mm512_set1_epi32(weight_pair(from->weights + tap));
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_maskz_loadu_epi32(lanes, src + tap), weights));
  }
  return _mm512_max_epi32(_mm512_sra_epi32(sums, shift), _mm512_setzero_si512());
}

// Sums of 64 columns, so that each weight is loaded once for four registers.
static inline void sixty_four_halving_sums(__m512i *sums, const int16_t *src, const cpk_filter_columns *from, __m512i half, __m128i shift) {
  __m512i a = half, b = half, c = half, d = half;
  for (size_t tap = 0; tap < from->taps; tap += 2) {
    const __m512i weights = _mm512_set1_epi32(weight_pair(from->weights + tap));
    const int16_t *at = src + tap;
    a = _mm512_add_epi32(a, _mm512_madd_epi16(_mm512_loadu_si512(at), weights));
    b = _mm512_add_epi32(b, _mm512_madd_epi16(_mm512_loadu_si512(at + 32), weights));
    c = _mm512_add_epi32(c, _mm512_madd_epi16(_mm512_loadu_si512(at + 64), weights));
    d = _mm512_add_epi32(d, _mm512_madd_epi16(_mm512_loadu_si512(at + 96), weights));
  }
  const __m512i zero = _mm512_setzero_si512();
  sums[0] = _mm512_max_epi32(_mm512_sra_epi32(a, shift), zero);
  sums[1] = _mm512_max_epi32(_mm512_sra_epi32(b, shift), zero);
  sums[2] = _mm512_max_epi32(_mm512_sra_epi32(c, shift), zero);
  sums[3] = _mm512_max_epi32(_mm512_sra_epi32(d, shift), zero);
}

static inline __mmask16 halving_lanes(size_t count) { return count < 16 ? (__mmask16)((1u << count) - 1) : (__mmask16)0xffff; }

static void filter_halving8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t row = 0; row < rows; row++, dst += dst_stride) {
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride + from->starts[0];
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
      __m512i sums[4];
      sixty_four_halving_sums(sums, src + 2 * i, from, half, shift);
      for (size_t part = 0; part < 4; part++) {
        _mm_storeu_si128((__m128i *)(dst + i + 16 * part), _mm512_cvtusepi32_epi8(sums[part]));
      }
    }
    for (; i < count; i += 16) {
      const __mmask16 lanes = halving_lanes(count - i);
      _mm_mask_storeu_epi8(dst + i, lanes, _mm512_cvtusepi32_epi8(halving_sums(src + 2 * i, from, lanes, half, shift)));
    }
  }
}

static void filter_halving16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1)), most = _mm512_set1_epi32(top);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t row = 0; row < rows; row++) {
    uint16_t *const to = (uint16_t *)(void *)((char *)dst + (ptrdiff_t)row * dst_stride);
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride + from->starts[0];
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
      __m512i sums[4];
      sixty_four_halving_sums(sums, src + 2 * i, from, half, shift);
      for (size_t part = 0; part < 4; part++) {
        _mm256_storeu_si256((__m256i *)(to + i + 16 * part), _mm512_cvtepi32_epi16(_mm512_min_epi32(sums[part], most)));
      }
    }
    for (; i < count; i += 16) {
      const __mmask16 lanes = halving_lanes(count - i);
      const __m512i sums = _mm512_min_epi32(halving_sums(src + 2 * i, from, lanes, half, shift), most);
      _mm256_mask_storeu_epi16(to + i, lanes, _mm512_cvtepi32_epi16(sums));
    }
  }
}
