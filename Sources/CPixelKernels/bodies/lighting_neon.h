// Light curves in 32 cubic pieces, four samples at a time. The coefficients of a piece are adjacent: one load fetches all four, and four pieces are
// transposed into vectors by power. In Advanced SIMD, a look-up among 32 floats would be slower.

typedef struct light_pieces {
  float powers[32][4];
  float32x4_t scale, bias, least, most;
  int32x4_t shift;
  uint32x4_t sign_mask;
} light_pieces;

NEON_INLINE light_pieces load_light(const cpk_light_curve *curve) {
  light_pieces p;
  const float *c = curve->coefficients[0];
  for (int i = 0; i < 32; i += 4) {
    const float32x4x4_t four = {{vld1q_f32(c + i), vld1q_f32(c + 32 + i), vld1q_f32(c + 64 + i), vld1q_f32(c + 96 + i)}};
    vst4q_f32(p.powers[i], four);
  }
  p.scale = vdupq_n_f32(curve->scale);
  p.bias = vdupq_n_f32(curve->bias);
  p.least = vdupq_n_f32(curve->low);
  p.most = vdupq_n_f32(curve->high);
  p.shift = vdupq_n_s32(-curve->shift);
  p.sign_mask = vdupq_n_u32(curve->is_odd ? 0x80000000u : 0);
  return p;
}

NEON_INLINE float32x4_t on_even(float32x4_t x, const light_pieces *p, int takes_root) {
  if (takes_root) x = vsqrtq_f32(vmaxnmq_f32(x, vdupq_n_f32(0)));
  x = vfmaq_f32(p->bias, x, p->scale);
  x = vminnmq_f32(vmaxnmq_f32(x, p->least), p->most);
  const uint32x4_t piece = vandq_u32(vshlq_u32(vreinterpretq_u32_f32(x), p->shift), vdupq_n_u32(31));
  const four_vectors powers = look_four_up(p->powers[0], vshlq_n_u32(piece, 2));
  float32x4_t y = vfmaq_f32(powers.second, powers.first, x);
  y = vfmaq_f32(powers.third, y, x);
  return vfmaq_f32(powers.fourth, y, x);
}

NEON_INLINE float32x4_t on_pieces(float32x4_t x, const light_pieces *p, int takes_root) {
  const uint32x4_t sign = vandq_u32(vreinterpretq_u32_f32(x), p->sign_mask);
  const float32x4_t size = vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(x), sign));
  return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(on_even(size, p, takes_root)), sign));
}

NEON_INLINE void curve_row(float *row, size_t count, const cpk_light_curve *curve, int takes_root) {
  const light_pieces p = load_light(curve);
  size_t i = 0;
  for (; i + 4 <= count; i += 4) vst1q_f32(row + i, on_pieces(vld1q_f32(row + i), &p, takes_root));
  if (i < count) store_some(row + i, count - i, on_pieces(load_some(row + i, count - i), &p, takes_root));
}

static void light_curve(float *row, size_t count, const cpk_light_curve *curve) {
  if (curve->takes_root) curve_row(row, count, curve, 1); else curve_row(row, count, curve, 0);
}

NEON_INLINE float32x4_t weigh(const row_vectors *at, const float *w) {
  const float32x4_t first = vmulq_f32(vdupq_n_f32(w[0]), at->a);
  return vfmaq_f32(vfmaq_f32(first, vdupq_n_f32(w[1]), at->b), vdupq_n_f32(w[2]), at->c);
}

NEON_INLINE row_vectors turn_pixels(row_vectors at, const float *m, const light_pieces *p, int takes_root) {
  return (row_vectors){
    on_pieces(weigh(&at, m), p, takes_root), on_pieces(weigh(&at, m + 3), p, takes_root),
    on_pieces(weigh(&at, m + 6), p, takes_root)};
}

NEON_INLINE void matrix_rows(
    float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve, int takes_root) {
  const light_pieces p = load_light(curve);
  // A copy that the rows cannot alias.
  float m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i += 4) {
    const row_vectors pixels = load_rows_at(a + i, b + i, c + i, count - i);
    store_rows_at(a + i, b + i, c + i, count - i, turn_pixels(pixels, m, &p, takes_root));
  }
}

static void light_matrix(float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve) {
  if (curve->takes_root) matrix_rows(a, b, c, count, matrix, curve, 1); else matrix_rows(a, b, c, count, matrix, curve, 0);
}

NEON_INLINE row_vectors multiply_pixels(
    row_vectors at, const float *weights, const light_pieces *p, int sums, int takes_root) {
  const float32x4_t x = sums ? weigh(&at, weights) : vmaxnmq_f32(vmaxnmq_f32(at.a, at.b), at.c);
  const uint32x4_t shines = vcgtzq_f32(x);
  const float32x4_t factor = vreinterpretq_f32_u32(vandq_u32(shines, vreinterpretq_u32_f32(on_even(x, p, takes_root))));
  return (row_vectors){vmulq_f32(at.a, factor), vmulq_f32(at.b, factor), vmulq_f32(at.c, factor)};
}

NEON_INLINE void factor_rows(
    float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve, int sums, int takes_root) {
  const light_pieces p = load_light(curve);
  float w[3] = {0};
  if (sums) memcpy(w, weights, sizeof w);
  for (size_t i = 0; i < count; i += 4) {
    const row_vectors pixels = load_rows_at(a + i, b + i, c + i, count - i);
    store_rows_at(a + i, b + i, c + i, count - i, multiply_pixels(pixels, w, &p, sums, takes_root));
  }
}

static void light_factor(float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve) {
  if (curve->takes_root) {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 1); else factor_rows(a, b, c, count, weights, curve, 0, 1);
  } else {
    if (weights) factor_rows(a, b, c, count, weights, curve, 1, 0); else factor_rows(a, b, c, count, weights, curve, 0, 0);
  }
}
