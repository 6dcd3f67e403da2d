// A warp of 16-bit samples of at most 10 bits by tiles of 8x8 samples whose source fits a 16x16 window: the window is held in eight registers, and
// each tap of 32 samples takes four table look-ups (AVX-512 BW). Included after warping_positions_v4.h.

typedef struct wide_window {
  __m512i rows[8];
} wide_window;

static inline wide_window load_wide_window(const uint8_t *src, ptrdiff_t stride) {
  wide_window window;
#pragma clang loop unroll(full)
  for (int pair = 0; pair < 8; pair++, src += 2 * stride) {
    const __m256i upper = _mm256_loadu_si256((const __m256i *)src), lower = _mm256_loadu_si256((const __m256i *)(src + stride));
    window.rows[pair] = _mm512_inserti64x4(_mm512_castsi256_si512(upper), lower, 1);
  }
  return window;
}

// Looks up indices 0 ... 255 of a window; the two highest bits of an index select the quarter.
static inline __m512i wide_look_up(const wide_window *w, __m512i place) {
  const __mmask32 odd = _mm512_test_epi16_mask(place, _mm512_set1_epi16(64));
  const __mmask32 late = _mm512_test_epi16_mask(place, _mm512_set1_epi16(128));
  const __m512i first = _mm512_permutex2var_epi16(w->rows[0], place, w->rows[1]);
  const __m512i second = _mm512_permutex2var_epi16(w->rows[2], place, w->rows[3]);
  const __m512i third = _mm512_permutex2var_epi16(w->rows[4], place, w->rows[5]);
  const __m512i fourth = _mm512_permutex2var_epi16(w->rows[6], place, w->rows[7]);
  return _mm512_mask_blend_epi16(
      late, _mm512_mask_blend_epi16(odd, first, second), _mm512_mask_blend_epi16(odd, third, fourth));
}

static inline __m512i wide_bilinear(const wide_window *window, __m512i x, __m512i y) {
  const __m512i row = _mm512_and_si512(_mm512_srli_epi16(y, 8), _mm512_set1_epi16(0xf0));
  const __m512i at = _mm512_or_si512(row, _mm512_srli_epi16(x, 12));
  const __m512i p = wide_look_up(window, at), pr = wide_look_up(window, _mm512_add_epi16(at, _mm512_set1_epi16(1)));
  const __m512i q = wide_look_up(window, _mm512_add_epi16(at, _mm512_set1_epi16(16)));
  const __m512i qr = wide_look_up(window, _mm512_add_epi16(at, _mm512_set1_epi16(17)));
  const __m512i low12 = _mm512_set1_epi16(4095);
  const __m512i fx = _mm512_slli_epi16(_mm512_and_si512(x, low12), 3);
  const __m512i fy = _mm512_slli_epi16(_mm512_and_si512(y, low12), 3);
  const __m512i top = _mm512_add_epi16(_mm512_slli_epi16(p, 4), scaled_step(p, pr, 5, fx));
  const __m512i bottom = _mm512_add_epi16(_mm512_slli_epi16(q, 4), scaled_step(q, qr, 5, fx));
  return _mm512_add_epi16(top, scaled_step(top, bottom, 1, fy));
}

static inline __m512i load_four_wide(const char *dst, ptrdiff_t stride) {
  __m512i rows = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)dst));
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(dst + stride)), 1);
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(dst + 2 * stride)), 2);
  return _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)(dst + 3 * stride)), 3);
}

static inline void store_four_wide(char *dst, ptrdiff_t stride, __m512i value) {
  const __m512i rounded = _mm512_srai_epi16(_mm512_add_epi16(value, _mm512_set1_epi16(9)), 4);
  _mm_storeu_si128((__m128i *)dst, _mm512_castsi512_si128(rounded));
  _mm_storeu_si128((__m128i *)(dst + stride), _mm512_extracti32x4_epi32(rounded, 1));
  _mm_storeu_si128((__m128i *)(dst + 2 * stride), _mm512_extracti32x4_epi32(rounded, 2));
  _mm_storeu_si128((__m128i *)(dst + 3 * stride), _mm512_extracti32x4_epi32(rounded, 3));
}

static inline void warp_wide_tile(
    uint16_t *dst, ptrdiff_t stride, const cpk_warp8_plan *plan, const cpk_warp8_band *band, size_t column) {
  int16_t weights[tile_samples];
  if (!band->is_covered) { weigh_tile(weights, plan, band, (float)(int32_t)column); }
  const int64_t columns = (int64_t)column;
  const int32_t x = to_4096ths(band->x + columns * band->x_step), y = to_4096ths(band->y + columns * band->y_step);
  const int32_t x_first = (x + plan->x_least) >> 12, y_first = (y + plan->y_least) >> 12;
  const ptrdiff_t sx = bounded(x_first, band->x_min, band->x_max), sy = bounded(y_first, band->y_min, band->y_max);
  const wide_window window = load_wide_window(band->src + sy * band->src_stride + 2 * sx, band->src_stride);
  const int replaces = band->is_covered && band->weight >= 32768;
  char *to = (char *)dst;
  for (int half = 0; half < 2; half++, to += 4 * stride) {
    const __m512i px = local_positions(plan->x + 32 * half, x - x_first * 4096);
    const __m512i py = local_positions(plan->y + 32 * half, y - y_first * 4096);
    __m512i value = wide_bilinear(&window, px, py);
    if (!replaces) {
      const __m512i weight = band->is_covered ? _mm512_set1_epi16((int16_t)band->weight)
                                              : _mm512_loadu_si512(weights + 32 * half);
      const __m512i under = _mm512_slli_epi16(load_four_wide(to, stride), 4);
      value = _mm512_add_epi16(under, scaled_step(under, value, 1, weight));
    }
    store_four_wide(to, stride, value);
  }
}
