// Light curves in 32 cubic pieces whose coefficients are held in registers: a two-register permutation looks up 16 floats.

// The kind of curve is a compile-time constant of each loop: a test in the loop would cost a third of its speed.
#define LIGHT_INLINE static inline __attribute__((always_inline))

typedef struct light_registers {
  __m512 low[4], high[4];
  __m512 scale, bias, least, most;
  __m128i shift;
} light_registers;

LIGHT_INLINE light_registers load_light(const cpk_light_curve *curve) {
  light_registers r;
  for (int i = 0; i < 4; i++) {
    r.low[i] = _mm512_loadu_ps(curve->coefficients[i]);
    r.high[i] = _mm512_loadu_ps(curve->coefficients[i] + 16);
  }
  r.scale = _mm512_set1_ps(curve->scale);
  r.bias = _mm512_set1_ps(curve->bias);
  r.least = _mm512_set1_ps(curve->low);
  r.most = _mm512_set1_ps(curve->high);
  r.shift = _mm_cvtsi32_si128(curve->shift);
  return r;
}

LIGHT_INLINE __m512 on_even(__m512 x, const light_registers *r, int takes_root) {
  if (takes_root) x = _mm512_sqrt_ps(_mm512_max_ps(x, _mm512_setzero_ps()));
  x = _mm512_fmadd_ps(x, r->scale, r->bias);
  x = _mm512_min_ps(_mm512_max_ps(x, r->least), r->most);
  const __m512i piece = _mm512_srl_epi32(_mm512_castps_si512(x), r->shift);
  __m512 y = _mm512_permutex2var_ps(r->low[0], piece, r->high[0]);
  for (int i = 1; i < 4; i++) {
    y = _mm512_fmadd_ps(y, x, _mm512_permutex2var_ps(r->low[i], piece, r->high[i]));
  }
  return y;
}

LIGHT_INLINE __m512 on_registers(__m512 x, const light_registers *r, int is_odd, int takes_root) {
  if (!is_odd) return on_even(x, r, takes_root);
  const __m512i sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32((int)0x80000000u));
  const __m512 size = _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), sign));
  return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(on_even(size, r, takes_root)), sign));
}

// A mask for the lanes of the last vector of `count`, possibly none.
LIGHT_INLINE __mmask16 last_lanes(size_t count) { return (__mmask16)((1u << (count & 15)) - 1); }

LIGHT_INLINE void curve_row(float *row, size_t count, const cpk_light_curve *curve, int is_odd, int takes_root) {
  const light_registers r = load_light(curve);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    _mm512_storeu_ps(row + i, on_registers(_mm512_loadu_ps(row + i), &r, is_odd, takes_root));
  }
  const __mmask16 lanes = last_lanes(count);
  if (!lanes) return;
  _mm512_mask_storeu_ps(row + i, lanes, on_registers(_mm512_maskz_loadu_ps(lanes, row + i), &r, is_odd, takes_root));
}

static void light_curve(float *row, size_t count, const cpk_light_curve *curve) {
  if (curve->is_odd) {
    if (curve->takes_root) curve_row(row, count, curve, 1, 1); else curve_row(row, count, curve, 1, 0);
  } else {
    if (curve->takes_root) curve_row(row, count, curve, 0, 1); else curve_row(row, count, curve, 0, 0);
  }
}

typedef struct light_pixels {
  __m512 a, b, c;
} light_pixels;

LIGHT_INLINE light_pixels load_pixels(const float *a, const float *b, const float *c, __mmask16 lanes) {
  return (light_pixels){_mm512_maskz_loadu_ps(lanes, a), _mm512_maskz_loadu_ps(lanes, b), _mm512_maskz_loadu_ps(lanes, c)};
}

LIGHT_INLINE void store_pixels(float *a, float *b, float *c, __mmask16 lanes, light_pixels pixels) {
  _mm512_mask_storeu_ps(a, lanes, pixels.a);
  _mm512_mask_storeu_ps(b, lanes, pixels.b);
  _mm512_mask_storeu_ps(c, lanes, pixels.c);
}

LIGHT_INLINE __m512 weigh(const light_pixels *at, __m512 wa, __m512 wb, __m512 wc) {
  return _mm512_fmadd_ps(wc, at->c, _mm512_fmadd_ps(wb, at->b, _mm512_mul_ps(wa, at->a)));
}

LIGHT_INLINE light_pixels turn_pixels(light_pixels at, const float *m, const light_registers *r, int is_odd, int takes_root) {
  const __m512 a = weigh(&at, _mm512_set1_ps(m[0]), _mm512_set1_ps(m[1]), _mm512_set1_ps(m[2]));
  const __m512 b = weigh(&at, _mm512_set1_ps(m[3]), _mm512_set1_ps(m[4]), _mm512_set1_ps(m[5]));
  const __m512 c = weigh(&at, _mm512_set1_ps(m[6]), _mm512_set1_ps(m[7]), _mm512_set1_ps(m[8]));
  return (light_pixels){
    on_registers(a, r, is_odd, takes_root), on_registers(b, r, is_odd, takes_root), on_registers(c, r, is_odd, takes_root)};
}

LIGHT_INLINE void matrix_rows(
    float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve, int is_odd,
    int takes_root) {
  const light_registers r = load_light(curve);
  // A copy that the rows cannot alias.
  float m[9];
  memcpy(m, matrix, sizeof m);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const light_pixels pixels = load_pixels(a + i, b + i, c + i, 0xffff);
    store_pixels(a + i, b + i, c + i, 0xffff, turn_pixels(pixels, m, &r, is_odd, takes_root));
  }
  const __mmask16 lanes = last_lanes(count);
  if (!lanes) return;
  const light_pixels pixels = load_pixels(a + i, b + i, c + i, lanes);
  store_pixels(a + i, b + i, c + i, lanes, turn_pixels(pixels, m, &r, is_odd, takes_root));
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

LIGHT_INLINE light_pixels multiply_pixels(
    light_pixels at, __m512 wa, __m512 wb, __m512 wc, const light_registers *r, int sums, int takes_root) {
  const __m512 x = sums ? weigh(&at, wa, wb, wc) : _mm512_max_ps(_mm512_max_ps(at.a, at.b), at.c);
  const __mmask16 shines = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ);
  const __m512 factor = _mm512_maskz_mov_ps(shines, on_even(x, r, takes_root));
  return (light_pixels){_mm512_mul_ps(at.a, factor), _mm512_mul_ps(at.b, factor), _mm512_mul_ps(at.c, factor)};
}

LIGHT_INLINE void factor_rows(
    float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve, int sums, int takes_root) {
  const light_registers r = load_light(curve);
  const __m512 wa = _mm512_set1_ps(sums ? weights[0] : 0.0f), wb = _mm512_set1_ps(sums ? weights[1] : 0.0f);
  const __m512 wc = _mm512_set1_ps(sums ? weights[2] : 0.0f);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    const light_pixels pixels = load_pixels(a + i, b + i, c + i, 0xffff);
    store_pixels(a + i, b + i, c + i, 0xffff, multiply_pixels(pixels, wa, wb, wc, &r, sums, takes_root));
  }
  const __mmask16 lanes = last_lanes(count);
  if (!lanes) return;
  const light_pixels pixels = load_pixels(a + i, b + i, c + i, lanes);
  store_pixels(a + i, b + i, c + i, lanes, multiply_pixels(pixels, wa, wb, wc, &r, sums, takes_root));
}

static void light_factor(float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve) {
  if (curve->takes_root) {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 1); else factor_rows(a, b, c, count, weights, curve, 0, 1);
  } else {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 0); else factor_rows(a, b, c, count, weights, curve, 0, 0);
  }
}

#undef LIGHT_INLINE
