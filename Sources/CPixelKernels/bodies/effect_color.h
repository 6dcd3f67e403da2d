// Linear functions and matrices on codes, and chroma keys. Included by every tier.

static void effect_line_8(uint8_t *out, const uint8_t *row, float scale, float offset, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint8_t)(int32_t)(limited((float)row[x] * scale + offset, 255.0f) + 0.5f);
  }
}

static void effect_line_16(uint16_t *out, const uint16_t *row, float scale, float offset, float top, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint16_t)(int32_t)(limited((float)row[x] * scale + offset, top) + 0.5f);
  }
}

#define CHROMA(T) \
  for (ptrdiff_t x = 0; x < count; x++) { \
    const float a = (float)u[x] - m.neutral, b = (float)v[x] - m.neutral; \
    outU[x] = (T)(int32_t)(limited(m.uu * a + m.uv * b + m.u, m.top) + 0.5f); \
    outV[x] = (T)(int32_t)(limited(m.vu * a + m.vv * b + m.v, m.top) + 0.5f); \
  }

static void effect_chroma_8(
    uint8_t *restrict outU, uint8_t *restrict outV, const uint8_t *u, const uint8_t *v, cpk_effect_chroma_matrix m,
    ptrdiff_t count) {
  CHROMA(uint8_t)
}

static void effect_chroma_16(
    uint16_t *restrict outU, uint16_t *restrict outV, const uint16_t *u, const uint16_t *v, cpk_effect_chroma_matrix m,
    ptrdiff_t count) {
  CHROMA(uint16_t)
}

#define KEY(T) \
  _Pragma("clang loop vectorize(enable)") \
  for (ptrdiff_t x = 0; x < count; x++) { \
    const float a = (float)u[x] - key.u, b = (float)v[x] - key.v; \
    const float distance = __builtin_elementwise_sqrt(a * a + b * b); \
    alpha[x] = limited((distance - key.inner) * key.slope, 1.0f); \
    const float c = (float)u[x] - key.neutral, d = (float)v[x] - key.neutral; \
    const float towards = c * key.wayU + d * key.wayV; \
    const float turned = c * key.wayV - d * key.wayU, across = turned < 0.0f ? -turned : turned; \
    const float excess = towards > across ? (towards - across) * key.spill : 0.0f; \
    outU[x] = (T)(int32_t)(limited((float)u[x] - excess * key.wayU, key.top) + 0.5f); \
    outV[x] = (T)(int32_t)(limited((float)v[x] - excess * key.wayV, key.top) + 0.5f); \
  }

static void effect_key_8(
    float *restrict alpha, uint8_t *restrict outU, uint8_t *restrict outV, const uint8_t *u, const uint8_t *v,
    cpk_effect_key key, ptrdiff_t count) {
  KEY(uint8_t)
}

static void effect_key_16(
    float *restrict alpha, uint16_t *restrict outU, uint16_t *restrict outV, const uint16_t *u, const uint16_t *v,
    cpk_effect_key key, ptrdiff_t count) {
  KEY(uint16_t)
}

// Values are at integer positions; the last one repeats beyond the end.
static inline float spread_between(const float *a, const float *b, float weight, float place, ptrdiff_t last) {
  const float low = place > 0.0f ? place : 0.0f;
  const ptrdiff_t index = (ptrdiff_t)low < last ? (ptrdiff_t)low : last;
  const ptrdiff_t next = index < last ? index + 1 : last;
  const float fraction = low - (float)index;
  const float left = a[index] + (b[index] - a[index]) * weight, right = a[next] + (b[next] - a[next]) * weight;
  return left + (right - left) * (fraction < 1.0f ? fraction : 1.0f);
}

static void effect_spread_8(
    uint8_t *restrict out, const float *a, const float *b, float weight, ptrdiff_t shift, float phase, ptrdiff_t count) {
  const ptrdiff_t last = ((count + (1 << shift) - 1) >> shift) - 1;
  const float step = shift == 1 ? 0.5f : 1.0f;
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint8_t)(int32_t)(spread_between(a, b, weight, (float)(int32_t)x * step + phase, last) * 255.0f + 0.5f);
  }
}

static void effect_spread_16(
    uint16_t *restrict out, const float *a, const float *b, float weight, ptrdiff_t shift, float phase, float top,
    ptrdiff_t count) {
  const ptrdiff_t last = ((count + (1 << shift) - 1) >> shift) - 1;
  const float step = shift == 1 ? 0.5f : 1.0f;
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint16_t)(int32_t)(spread_between(a, b, weight, (float)(int32_t)x * step + phase, last) * top + 0.5f);
  }
}

#undef CHROMA
#undef KEY
