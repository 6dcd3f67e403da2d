// Light curves in 32 cubic pieces, for tiers without permutations of 32 floats.

// Products and sums of curves are explicitly fused in every tier: a fifth faster on processors that have the instruction; slow, but with the same
// bits, on others.
#define FUSED __builtin_fmaf

static inline float on_pieces(float x, const cpk_light_curve *curve, uint32_t sign_mask, int root) {
  const uint32_t sign = to_bits(x) & sign_mask;
  x = from_bits(to_bits(x) ^ sign);
  if (root) x = __builtin_sqrtf(x > 0.0f ? x : 0.0f);
  x = FUSED(x, curve->scale, curve->bias);
  x = x > curve->low ? x : curve->low;
  x = x < curve->high ? x : curve->high;
  const uint32_t piece = to_bits(x) >> curve->shift & 31;
  const float *c = curve->coefficients[0] + piece;
  float y = c[0];
  y = FUSED(y, x, c[32]);
  y = FUSED(y, x, c[64]);
  y = FUSED(y, x, c[96]);
  return from_bits(to_bits(y) ^ sign);
}

static inline float weigh(const float *w, float a, float b, float c) { return FUSED(w[2], c, FUSED(w[1], b, w[0] * a)); }

static void light_curve(float *row, size_t count, const cpk_light_curve *curve) {
  const uint32_t sign_mask = curve->is_odd ? 0x80000000u : 0;
  const int root = curve->takes_root;
  for (size_t i = 0; i < count; i++) row[i] = on_pieces(row[i], curve, sign_mask, root);
}

static void light_matrix(float *a, float *b, float *c, size_t count, const float *matrix, const cpk_light_curve *curve) {
  const uint32_t sign_mask = curve->is_odd ? 0x80000000u : 0;
  const int root = curve->takes_root;
  float m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i++) {
    const float p = a[i], q = b[i], s = c[i];
    a[i] = on_pieces(weigh(m + 0, p, q, s), curve, sign_mask, root);
    b[i] = on_pieces(weigh(m + 3, p, q, s), curve, sign_mask, root);
    c[i] = on_pieces(weigh(m + 6, p, q, s), curve, sign_mask, root);
  }
}

static void light_factor(float *a, float *b, float *c, size_t count, const float *weights, const cpk_light_curve *curve) {
  const int root = curve->takes_root;
  for (size_t i = 0; i < count; i++) {
    float x;
    if (weights) {
      x = weigh(weights, a[i], b[i], c[i]);
    } else {
      x = a[i] > b[i] ? a[i] : b[i];
      x = x > c[i] ? x : c[i];
    }
    const float factor = x > 0.0f ? on_pieces(x, curve, 0, root) : 0.0f;
    a[i] *= factor;
    b[i] *= factor;
    c[i] *= factor;
  }
}

#undef FUSED
