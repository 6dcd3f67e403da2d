// Light curves in 32 cubic pieces, eight samples at a time. The coefficients of a piece are adjacent: one load fetches all four, and eight pieces
// are transposed into vectors by power. AVX2's gathers, and the single loads that compilers replace them by, take three times as long.

// The kind of curve is a compile-time constant of each loop.
#define LIGHT_INLINE static inline __attribute__((always_inline))

typedef struct light_pieces {
  float powers[32][4];
  __m256 scale, bias, least, most;
  __m128i shift;
} light_pieces;

LIGHT_INLINE void load_light(light_pieces *p, const cpk_light_curve *curve) {
  for (int piece = 0; piece < 32; piece++) {
    for (int power = 0; power < 4; power++) { p->powers[piece][power] = curve->coefficients[power][piece]; }
  }
  p->scale = _mm256_set1_ps(curve->scale);
  p->bias = _mm256_set1_ps(curve->bias);
  p->least = _mm256_set1_ps(curve->low);
  p->most = _mm256_set1_ps(curve->high);
  p->shift = _mm_cvtsi32_si128(curve->shift);
}

// The pieces of samples n and n + 4.
LIGHT_INLINE __m256 two_pieces(const light_pieces *p, const int32_t *pieces, int n) {
  const __m128 low = _mm_loadu_ps(p->powers[pieces[n]]), high = _mm_loadu_ps(p->powers[pieces[n + 4]]);
  return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

LIGHT_INLINE __m256 on_even(__m256 x, const light_pieces *p, int takes_root) {
  if (takes_root) x = _mm256_sqrt_ps(_mm256_max_ps(x, _mm256_setzero_ps()));
  x = _mm256_fmadd_ps(x, p->scale, p->bias);
  x = _mm256_min_ps(_mm256_max_ps(x, p->least), p->most);
  const __m256i piece = _mm256_and_si256(_mm256_srl_epi32(_mm256_castps_si256(x), p->shift), _mm256_set1_epi32(31));
  int32_t pieces[8];
  _mm256_storeu_si256((__m256i *)pieces, piece);
  const __m256 a = two_pieces(p, pieces, 0), b = two_pieces(p, pieces, 1);
  const __m256 c = two_pieces(p, pieces, 2), d = two_pieces(p, pieces, 3);
  const __m256 high_ab = _mm256_unpacklo_ps(a, b), high_cd = _mm256_unpacklo_ps(c, d);
  const __m256 low_ab = _mm256_unpackhi_ps(a, b), low_cd = _mm256_unpackhi_ps(c, d);
  __m256 y = _mm256_fmadd_ps(_mm256_shuffle_ps(high_ab, high_cd, 0x44), x, _mm256_shuffle_ps(high_ab, high_cd, 0xee));
  y = _mm256_fmadd_ps(y, x, _mm256_shuffle_ps(low_ab, low_cd, 0x44));
  return _mm256_fmadd_ps(y, x, _mm256_shuffle_ps(low_ab, low_cd, 0xee));
}

LIGHT_INLINE __m256 on_pieces(__m256 x, const light_pieces *p, int is_odd, int takes_root) {
  if (!is_odd) return on_even(x, p, takes_root);
  const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0f));
  return _mm256_xor_ps(on_even(_mm256_xor_ps(x, sign), p, takes_root), sign);
}

// A mask of the first `count` lanes, 8 at most.
LIGHT_INLINE __m256i first_lanes(size_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count < 8 ? (int)count : 8), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

LIGHT_INLINE void curve_row(float *row, size_t count, const cpk_light_curve *curve, int is_odd, int takes_root) {
  light_pieces p;
  load_light(&p, curve);
  size_t i = 0;
  for (; i + 8 <= count; i += 8) { _mm256_storeu_ps(row + i, on_pieces(_mm256_loadu_ps(row + i), &p, is_odd, takes_root)); }
  if (i == count) return;
  const __m256i lanes = first_lanes(count - i);
  _mm256_maskstore_ps(row + i, lanes, on_pieces(_mm256_maskload_ps(row + i, lanes), &p, is_odd, takes_root));
}

static void light_curve(float *row, size_t count, const cpk_light_curve *curve) {
  if (curve->is_odd) {
    if (curve->takes_root) curve_row(row, count, curve, 1, 1); else curve_row(row, count, curve, 1, 0);
  } else {
    if (curve->takes_root) curve_row(row, count, curve, 0, 1); else curve_row(row, count, curve, 0, 0);
  }
}

typedef struct light_pixels {
  __m256 a, b, c;
} light_pixels;

LIGHT_INLINE light_pixels load_pixels(const float *a, const float *b, const float *c, size_t count) {
  if (count >= 8) return (light_pixels){_mm256_loadu_ps(a), _mm256_loadu_ps(b), _mm256_loadu_ps(c)};
  const __m256i lanes = first_lanes(count);
  return (light_pixels){_mm256_maskload_ps(a, lanes), _mm256_maskload_ps(b, lanes), _mm256_maskload_ps(c, lanes)};
}

LIGHT_INLINE void store_pixels(float *a, float *b, float *c, size_t count, light_pixels pixels) {
  if (count >= 8) {
    _mm256_storeu_ps(a, pixels.a);
    _mm256_storeu_ps(b, pixels.b);
    _mm256_storeu_ps(c, pixels.c);
    return;
  }
  const __m256i lanes = first_lanes(count);
  _mm256_maskstore_ps(a, lanes, pixels.a);
  _mm256_maskstore_ps(b, lanes, pixels.b);
  _mm256_maskstore_ps(c, lanes, pixels.c);
}

LIGHT_INLINE __m256 weigh(const light_pixels *at, const float *w) {
  const __m256 first = _mm256_mul_ps(_mm256_set1_ps(w[0]), at->a);
  return _mm256_fmadd_ps(_mm256_set1_ps(w[2]), at->c, _mm256_fmadd_ps(_mm256_set1_ps(w[1]), at->b, first));
}

LIGHT_INLINE light_pixels turn_pixels(light_pixels at, const float *m, const light_pieces *p, int is_odd, int takes_root) {
  return (light_pixels){
    on_pieces(weigh(&at, m), p, is_odd, takes_root), on_pieces(weigh(&at, m + 3), p, is_odd, takes_root),
    on_pieces(weigh(&at, m + 6), p, is_odd, takes_root)};
}

LIGHT_INLINE void matrix_rows(
    float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve, int is_odd,
    int takes_root) {
  light_pieces p;
  load_light(&p, curve);
  // A copy that the rows cannot alias.
  float m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i += 8) {
    const light_pixels pixels = load_pixels(a + i, b + i, c + i, count - i);
    store_pixels(a + i, b + i, c + i, count - i, turn_pixels(pixels, m, &p, is_odd, takes_root));
  }
}

static void light_matrix(float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve) {
  if (curve->is_odd) {
    if (curve->takes_root) matrix_rows(a, b, c, count, matrix, curve, 1, 1);
    else matrix_rows(a, b, c, count, matrix, curve, 1, 0);
  } else {
    if (curve->takes_root) matrix_rows(a, b, c, count, matrix, curve, 0, 1);
    else matrix_rows(a, b, c, count, matrix, curve, 0, 0);
  }
}

LIGHT_INLINE light_pixels multiply_pixels(light_pixels at, const float *weights, const light_pieces *p, int sums, int takes_root) {
  const __m256 x = sums ? weigh(&at, weights) : _mm256_max_ps(_mm256_max_ps(at.a, at.b), at.c);
  const __m256 shines = _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_GT_OQ);
  const __m256 factor = _mm256_and_ps(shines, on_even(x, p, takes_root));
  return (light_pixels){_mm256_mul_ps(at.a, factor), _mm256_mul_ps(at.b, factor), _mm256_mul_ps(at.c, factor)};
}

LIGHT_INLINE void factor_rows(
    float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve, int sums, int takes_root) {
  light_pieces p;
  load_light(&p, curve);
  float w[3] = {0};
  if (sums) memcpy(w, weights, sizeof w);
  for (size_t i = 0; i < count; i += 8) {
    const light_pixels pixels = load_pixels(a + i, b + i, c + i, count - i);
    store_pixels(a + i, b + i, c + i, count - i, multiply_pixels(pixels, w, &p, sums, takes_root));
  }
}

static void light_factor(float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve) {
  if (curve->takes_root) {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 1); else factor_rows(a, b, c, count, weights, curve, 0, 1);
  } else {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 0); else factor_rows(a, b, c, count, weights, curve, 0, 0);
  }
}

#undef LIGHT_INLINE
