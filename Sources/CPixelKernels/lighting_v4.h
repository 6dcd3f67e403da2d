// Curves of light in 32 cubic pieces whose coefficients sit in registers: a permutation of two of them looks 16 floats up.

typedef struct light_registers {
  __m512 low[4], high[4];
  __m512 scale, bias, least, most;
  __m128i shift;
  __m512i sign_mask;
  int takes_root;
} light_registers;

static inline light_registers load_light(const cpk_light_curve *curve, int is_odd) {
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
  r.sign_mask = _mm512_set1_epi32(is_odd ? (int)0x80000000u : 0);
  r.takes_root = curve->takes_root;
  return r;
}

static inline __m512 on_registers(__m512 x, const light_registers *r) {
  const __m512i sign = _mm512_and_si512(_mm512_castps_si512(x), r->sign_mask);
  x = _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(x), sign));
  if (r->takes_root) x = _mm512_sqrt_ps(_mm512_max_ps(x, _mm512_setzero_ps()));
  x = _mm512_add_ps(_mm512_mul_ps(x, r->scale), r->bias);
  x = _mm512_min_ps(_mm512_max_ps(x, r->least), r->most);
  const __m512i piece = _mm512_srl_epi32(_mm512_castps_si512(x), r->shift);
  __m512 y = _mm512_permutex2var_ps(r->low[0], piece, r->high[0]);
  for (int i = 1; i < 4; i++) {
    y = _mm512_add_ps(_mm512_mul_ps(y, x), _mm512_permutex2var_ps(r->low[i], piece, r->high[i]));
  }
  return _mm512_castsi512_ps(_mm512_xor_si512(_mm512_castps_si512(y), sign));
}

// The lanes of the last vector of `count`, which may be none.
static inline __mmask16 last_lanes(size_t count) { return (__mmask16)((1u << (count & 15)) - 1); }

static void light_curve(float *row, size_t count, const cpk_light_curve *curve) {
  const light_registers r = load_light(curve, curve->is_odd);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) _mm512_storeu_ps(row + i, on_registers(_mm512_loadu_ps(row + i), &r));
  const __mmask16 lanes = last_lanes(count);
  _mm512_mask_storeu_ps(row + i, lanes, on_registers(_mm512_maskz_loadu_ps(lanes, row + i), &r));
}

typedef struct light_pixels {
  __m512 a, b, c;
} light_pixels;

static inline void multiply_pixels(light_pixels *at, __m512 wa, __m512 wb, __m512 wc, int sums, const light_registers *r) {
  const __m512 sum = _mm512_add_ps(
    _mm512_add_ps(_mm512_mul_ps(wa, at->a), _mm512_mul_ps(wb, at->b)), _mm512_mul_ps(wc, at->c));
  const __m512 x = sums ? sum : _mm512_max_ps(_mm512_max_ps(at->a, at->b), at->c);
  const __mmask16 shines = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ);
  const __m512 factor = _mm512_maskz_mov_ps(shines, on_registers(x, r));
  at->a = _mm512_mul_ps(at->a, factor);
  at->b = _mm512_mul_ps(at->b, factor);
  at->c = _mm512_mul_ps(at->c, factor);
}

static void light_factor(float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve) {
  const light_registers r = load_light(curve, 0);
  const int sums = weights != NULL;
  const __m512 wa = _mm512_set1_ps(sums ? weights[0] : 0.0f), wb = _mm512_set1_ps(sums ? weights[1] : 0.0f);
  const __m512 wc = _mm512_set1_ps(sums ? weights[2] : 0.0f);
  size_t i = 0;
  for (; i + 16 <= count; i += 16) {
    light_pixels pixels = {_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), _mm512_loadu_ps(c + i)};
    multiply_pixels(&pixels, wa, wb, wc, sums, &r);
    _mm512_storeu_ps(a + i, pixels.a);
    _mm512_storeu_ps(b + i, pixels.b);
    _mm512_storeu_ps(c + i, pixels.c);
  }
  const __mmask16 lanes = last_lanes(count);
  light_pixels pixels = {
    _mm512_maskz_loadu_ps(lanes, a + i), _mm512_maskz_loadu_ps(lanes, b + i), _mm512_maskz_loadu_ps(lanes, c + i)};
  multiply_pixels(&pixels, wa, wb, wc, sums, &r);
  _mm512_mask_storeu_ps(a + i, lanes, pixels.a);
  _mm512_mask_storeu_ps(b + i, lanes, pixels.b);
  _mm512_mask_storeu_ps(c + i, lanes, pixels.c);
}
