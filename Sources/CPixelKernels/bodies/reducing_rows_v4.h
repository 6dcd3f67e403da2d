// Weighted sums of neighbors. If the neighbors of sixteen sums are within 32 or 64 samples, they are permuted from registers, which is several times
// as fast as gathering them; `last` is the last sample known to be readable.

static inline __m512 reduce_gathered(const float *src, __m512i at, const float *weights, size_t count, size_t taps, __mmask16 lanes) {
  const __m512 none = _mm512_setzero_ps();
  __m512 sum = none;
  for (size_t tap = 0; tap < taps; tap++) {
    const __m512 samples = _mm512_mask_i32gather_ps(none, lanes, at, src + tap, 4);
    sum = _mm512_add_ps(sum, _mm512_mul_ps(samples, _mm512_maskz_loadu_ps(lanes, weights + tap * count)));
  }
  return sum;
}

static inline __m512 reduce_32(const float *src, __m512i away, const float *weights, size_t count, size_t taps) {
  __m512 sum = _mm512_setzero_ps();
  for (size_t tap = 0; tap < taps; tap++) {
    const __m512 samples = _mm512_permutex2var_ps(_mm512_loadu_ps(src + tap), away, _mm512_loadu_ps(src + tap + 16));
    sum = _mm512_add_ps(sum, _mm512_mul_ps(samples, _mm512_loadu_ps(weights + tap * count)));
  }
  return sum;
}

static inline __m512 reduce_64(const float *src, __m512i away, const float *weights, size_t count, size_t taps) {
  const __mmask16 beyond = _mm512_test_epi32_mask(away, _mm512_set1_epi32(32));
  __m512 sum = _mm512_setzero_ps();
  for (size_t tap = 0; tap < taps; tap++) {
    const float *const from = src + tap;
    const __m512 near = _mm512_permutex2var_ps(_mm512_loadu_ps(from), away, _mm512_loadu_ps(from + 16));
    const __m512 far = _mm512_permutex2var_ps(_mm512_loadu_ps(from + 32), away, _mm512_loadu_ps(from + 48));
    const __m512 samples = _mm512_mask_blend_ps(beyond, near, far);
    sum = _mm512_add_ps(sum, _mm512_mul_ps(samples, _mm512_loadu_ps(weights + tap * count)));
  }
  return sum;
}

static void reduce(float *dst, const float *src, size_t count, const int32_t *start, const float *weights, size_t taps) {
  if (count == 0) return;
  const ptrdiff_t last = (ptrdiff_t)start[count - 1] + (ptrdiff_t)taps - 1;
  for (size_t i = 0; i < count; i += 16) {
    const __mmask16 lanes = count - i < 16 ? (__mmask16)((1u << (count - i)) - 1) : (__mmask16)0xffff;
    const __m512i at = _mm512_maskz_loadu_epi32(lanes, start + i);
    const __m512i away = _mm512_sub_epi32(at, _mm512_set1_epi32(start[i]));
    // As unsigned numbers: one that lies before the first is far away.
    const __mmask16 within_32 = _mm512_cmplt_epu32_mask(away, _mm512_set1_epi32(32));
    const __mmask16 within_64 = _mm512_cmplt_epu32_mask(away, _mm512_set1_epi32(64));
    const ptrdiff_t first = start[i], reach = (ptrdiff_t)taps - 1;
    __m512 sum;
    if (within_32 == 0xffff && lanes == 0xffff && first + reach + 31 <= last) {
      sum = reduce_32(src + first, away, weights + i, count, taps);
    } else if (within_64 == 0xffff && lanes == 0xffff && first + reach + 63 <= last) {
      sum = reduce_64(src + first, away, weights + i, count, taps);
    } else {
      sum = reduce_gathered(src, at, weights + i, count, taps, lanes);
    }
    _mm512_mask_storeu_ps(dst + i, lanes, sum);
  }
}
