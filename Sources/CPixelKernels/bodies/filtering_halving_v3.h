// Filters along rows that reduce by exactly two: the pairs of taps of adjacent destination columns are adjacent, so nothing is transposed.

// 16 columns as words of 0 ... 65535, in order.
static inline __m256i sixteen_halving_sums(const int16_t *src, const cpk_filter_columns *from, __m256i half, __m128i shift) {
  __m256i a = half, b = half;
  for (size_t tap = 0; tap < from->taps; tap += 2) {
    const __m256i weights = _mm256_set1_epi32(weight_pair(from->weights + tap));
    a = _mm256_add_epi32(a, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(src + tap)), weights));
    b = _mm256_add_epi32(b, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(src + tap + 16)), weights));
  }
  const __m256i words = _mm256_packus_epi32(_mm256_sra_epi32(a, shift), _mm256_sra_epi32(b, shift));
  return _mm256_permute4x64_epi64(words, 0xd8);
}

// A column whose taps may be the last of the row.
static inline int32_t halving_sum(const int16_t *src, const cpk_filter_columns *from, int32_t most) {
  int32_t sum = 1 << (from->shift - 1);
  for (size_t tap = 0; tap < from->taps; tap++) { sum += src[tap] * from->weights[tap]; }
  return bounded(sum >> from->shift, 0, most);
}

static void filter_halving8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  const __m256i half = _mm256_set1_epi32(1 << (from->shift - 1)), most = _mm256_set1_epi16(255);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t row = 0; row < rows; row++, dst += dst_stride) {
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride + from->starts[0];
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
      const __m256i low = _mm256_min_epu16(sixteen_halving_sums(src + 2 * i, from, half, shift), most);
      const __m256i high = _mm256_min_epu16(sixteen_halving_sums(src + 2 * i + 32, from, half, shift), most);
      _mm256_storeu_si256((__m256i *)(dst + i), _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xd8));
    }
    for (; i < count; i++) { dst[i] = (uint8_t)halving_sum(src + 2 * i, from, 255); }
  }
}

static void filter_halving16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  const __m256i half = _mm256_set1_epi32(1 << (from->shift - 1)), most = _mm256_set1_epi16((int16_t)(uint16_t)top);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t row = 0; row < rows; row++) {
    uint16_t *const to = (uint16_t *)(void *)((char *)dst + (ptrdiff_t)row * dst_stride);
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride + from->starts[0];
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
      _mm256_storeu_si256((__m256i *)(to + i), _mm256_min_epu16(sixteen_halving_sums(src + 2 * i, from, half, shift), most));
    }
    for (; i < count; i++) { to[i] = (uint16_t)halving_sum(src + 2 * i, from, top); }
  }
}
