// Porter-Duff over, and coverage. Included by every tier.

static void general_over_opaque(float *restrict under, const float *restrict over, float weight, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) under[x] += (over[x] - under[x]) * weight;
}

static void general_over_weights(
    float *restrict under, const float *restrict over, const float *restrict weight, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) under[x] += (over[x] - under[x]) * weight[x];
}

static void general_over_alpha(
    float *restrict under, const float *restrict over, const float *alpha, const float *restrict weight,
    ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    under[x] = over[x] * weight[x] + under[x] * (1.0f - alpha[x] * weight[x]);
  }
}

// Rounds half up; NaN becomes 0.
static inline int32_t laid_code(float under, float over, float alpha, float scale, float offset, float top) {
  const float code = under + alpha * (offset - under) + over * scale + 0.5f;
  return (int32_t)limited(code, top);
}

static void general_lay_8(
    uint8_t *restrict under, ptrdiff_t step, const float *restrict over, const float *restrict alpha, float scale, float offset,
    ptrdiff_t count) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) {
      under[x] = (uint8_t)laid_code((float)under[x], over[x], alpha[x], scale, offset, 255.0f);
    }
    return;
  }
  for (ptrdiff_t x = 0; x < count; x++) {
    under[x * step] = (uint8_t)laid_code((float)under[x * step], over[x], alpha[x], scale, offset, 255.0f);
  }
}

static void general_lay_16(
    uint16_t *restrict under, ptrdiff_t step, int shift, const float *restrict over, const float *restrict alpha, float scale,
    float offset, float top, ptrdiff_t count) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) {
      under[x] = (uint16_t)(laid_code((float)(under[x] >> shift), over[x], alpha[x], scale, offset, top) << shift);
    }
    return;
  }
  for (ptrdiff_t x = 0; x < count; x++) {
    uint16_t *const at = under + x * step;
    *at = (uint16_t)(laid_code((float)(*at >> shift), over[x], alpha[x], scale, offset, top) << shift);
  }
}

#define STRAIGHT(type) \
  { \
    const type *restrict const o = over, *restrict const a = alpha; \
    for (ptrdiff_t x = 0; x < count; x++) { \
      const float share = (float)a[x] * weight, code = (float)o[x] * scale + (offset + noise[x]); \
      const float below = (float)under[x]; \
      under[x] = (LAID)(int32_t)limited(below + (code - below) * share + 0.5f, top); \
    } \
  }

#define LAID uint8_t
static void general_straight_8(
    uint8_t *restrict under, const void *over, const void *alpha, bool wide, const float *restrict noise, float scale,
    float offset, float weight, ptrdiff_t count) {
  const float top = 255.0f;
  if (wide) STRAIGHT(uint16_t) else STRAIGHT(uint8_t)
}
#undef LAID

#define LAID uint16_t
static void general_straight_16(
    uint16_t *restrict under, const void *over, const void *alpha, bool wide, const float *restrict noise, float scale,
    float offset, float weight, float top, ptrdiff_t count) {
  if (wide) STRAIGHT(uint16_t) else STRAIGHT(uint8_t)
}
#undef LAID
#undef STRAIGHT

#define WEIGH(type) \
  { \
    const type *const *const a = (const type *const *)alpha, *const *const o = (const type *const *)overs; \
    const type *const a0 = a[0], *const a1 = a[1], *const a2 = a[2]; \
    if (r == 0.0f) { \
      for (ptrdiff_t x = 0; x < count; x++) { \
        const float one = (float)a0[x] * p, two = (float)a1[x] * q; \
        alphas[x] = one + two; \
        first[x] = (float)o[0][x] * one + (float)o[1][x] * two; \
        second[x] = (float)o[3][x] * one + (float)o[4][x] * two; \
      } \
    } else { \
      for (ptrdiff_t x = 0; x < count; x++) { \
        const float one = (float)a0[x] * p, two = (float)a1[x] * q, three = (float)a2[x] * r; \
        alphas[x] = one + two + three; \
        first[x] = (float)o[0][x] * one + (float)o[1][x] * two + (float)o[2][x] * three; \
        second[x] = (float)o[3][x] * one + (float)o[4][x] * two + (float)o[5][x] * three; \
      } \
    } \
  }

static void general_weigh_rows(
    float *restrict alphas, float *restrict first, float *restrict second, const void *const *overs, const void *const *alpha,
    bool wide, const float weights[3], ptrdiff_t count) {
  const float p = weights[0], q = weights[1], r = weights[2];
  if (wide) WEIGH(uint16_t) else WEIGH(uint8_t)
}
#undef WEIGH

static inline double covered_share(double position, double half, double low, double high, double scale) {
  const double right = position + half < high ? position + half : high;
  const double left = position - half > low ? position - half : low;
  const double share = (right - left) * scale;
  return share > 0.0 ? share < 1.0 ? share : 1.0 : 0.0;
}

static void general_coverage(
    cpk_coverage_axis x, cpk_coverage_axis y, double opacity, float *restrict out, ptrdiff_t count) {
  const double halfX = 0.5 * x.footprint, halfY = 0.5 * y.footprint;
  const double scaleX = 1.0 / x.footprint, scaleY = 1.0 / y.footprint;
  for (ptrdiff_t i = 0; i < count; i++) {
    const double column = (double)(int32_t)i;
    const double cx = covered_share(x.position + column * x.step, halfX, x.low, x.high, scaleX);
    const double cy = covered_share(y.position + column * y.step, halfY, y.low, y.high, scaleY);
    out[i] = (float)(cx * cy * opacity);
  }
}

static void general_accumulate(float *restrict sum, const float *restrict row, float weight, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) sum[x] += row[x] * weight;
}
