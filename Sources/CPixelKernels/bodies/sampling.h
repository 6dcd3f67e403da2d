// Bilinear sampling and coverage along a row. Included by every tier, so that each compiles the same loops for its own
// instructions.

static inline int32_t clamped(int64_t value, int32_t last) {
  return value < 0 ? 0 : value > last ? last : (int32_t)value;
}

static inline float fraction_of(int64_t position) { return (float)(uint32_t)((uint32_t)position >> 8) * 0x1p-24f; }

// Whether all positions and their right and lower neighbors lie in the plane: true if both ends do.
static inline int is_inside(const cpk_sample_row *row, size_t count) {
  const int64_t last = (int64_t)count - 1;
  const int64_t x0 = row->x >> 32, x1 = (row->x + last * row->dx) >> 32;
  const int64_t y0 = row->y >> 32, y1 = (row->y + last * row->dy) >> 32;
  return x0 >= 0 && x1 >= 0 && x0 < row->width - 1 && x1 < row->width - 1 && y0 >= 0 && y1 >= 0 && y0 < row->height - 1
         && y1 < row->height - 1;
}

// Two neighbors in one 32-bit value, loaded by a single gather; the lower address is the lower half.
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "pairs of samples are split as little-endian words");

static void sample16_inside(float *dst, const cpk_sample_row *row, size_t count) {
  const char *src = row->src;
  const ptrdiff_t stride = row->src_stride;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const int64_t x = row->x + (int64_t)i * row->dx, y = row->y + (int64_t)i * row->dy;
    const char *at = src + (y >> 32) * stride + (x >> 32) * 2;
    uint32_t p, q;
    memcpy(&p, at, sizeof p);
    memcpy(&q, at + stride, sizeof q);
    const float fx = fraction_of(x), fy = fraction_of(y);
    const int32_t p0 = (int32_t)(p & 0xffff), p1 = (int32_t)(p >> 16), q0 = (int32_t)(q & 0xffff), q1 = (int32_t)(q >> 16);
    const float upper = (float)p0 + fx * (float)(p1 - p0), lower = (float)q0 + fx * (float)(q1 - q0);
    dst[i] = upper + fy * (lower - upper);
  }
}

static void sample8(float *dst, const cpk_sample_row *row, size_t count) {
  const uint8_t *src = row->src;
  const int32_t right = row->width - 1, bottom = row->height - 1;
  for (size_t i = 0; i < count; i++) {
    const int64_t x = row->x + (int64_t)i * row->dx, y = row->y + (int64_t)i * row->dy;
    const float fx = fraction_of(x), fy = fraction_of(y);
    const int32_t x0 = clamped(x >> 32, right), x1 = clamped((x >> 32) + 1, right);
    const uint8_t *p = src + clamped(y >> 32, bottom) * row->src_stride;
    const uint8_t *q = src + clamped((y >> 32) + 1, bottom) * row->src_stride;
    const float upper = p[x0] + fx * (float)(p[x1] - p[x0]), lower = q[x0] + fx * (float)(q[x1] - q[x0]);
    dst[i] = upper + fy * (lower - upper);
  }
}

static void sample16(float *dst, const cpk_sample_row *row, size_t count) {
  if (count > 0 && is_inside(row, count)) {
    sample16_inside(dst, row, count);
    return;
  }
  const char *src = row->src;
  const int32_t right = row->width - 1, bottom = row->height - 1;
  for (size_t i = 0; i < count; i++) {
    const int64_t x = row->x + (int64_t)i * row->dx, y = row->y + (int64_t)i * row->dy;
    const float fx = fraction_of(x), fy = fraction_of(y);
    const int32_t x0 = clamped(x >> 32, right), x1 = clamped((x >> 32) + 1, right);
    const uint16_t *p = (const uint16_t *)(src + clamped(y >> 32, bottom) * row->src_stride);
    const uint16_t *q = (const uint16_t *)(src + clamped((y >> 32) + 1, bottom) * row->src_stride);
    const float upper = p[x0] + fx * (float)(p[x1] - p[x0]), lower = q[x0] + fx * (float)(q[x1] - q[x0]);
    dst[i] = upper + fy * (lower - upper);
  }
}

enum { wide_taps = 6 };

// The weights of the six neighbors of a position: interpolated linearly between phases.
static inline void wide_weights(float *weights, const float *phases, float fraction) {
  const float place = fraction * (float)cpk_wide_phases;
  const int32_t phase = (int32_t)(place < (float)(cpk_wide_phases - 1) ? place : (float)(cpk_wide_phases - 1));
  const float rest = place - (float)phase;
  const float *at = phases + (ptrdiff_t)phase * wide_taps;
  for (int tap = 0; tap < wide_taps; tap++) { weights[tap] = at[tap] + rest * (at[tap + wide_taps] - at[tap]); }
}

#define SAMPLE_WIDE(name, sample)                                                                                      \
  static void name(float *dst, const cpk_sample_row *row, const float *phases, float top, size_t count) {              \
    const int32_t right = row->width - 1, bottom = row->height - 1;                                                    \
    for (size_t i = 0; i < count; i++) {                                                                               \
      const int64_t x = row->x + (int64_t)i * row->dx, y = row->y + (int64_t)i * row->dy;                              \
      float across[wide_taps], down[wide_taps], sum = 0.0f;                                                            \
      int32_t columns[wide_taps];                                                                                      \
      wide_weights(across, phases, fraction_of(x));                                                                    \
      wide_weights(down, phases, fraction_of(y));                                                                      \
      for (int tap = 0; tap < wide_taps; tap++) { columns[tap] = clamped((x >> 32) + tap - 2, right); }                \
      for (int tap = 0; tap < wide_taps; tap++) {                                                                      \
        const char *line = (const char *)row->src + clamped((y >> 32) + tap - 2, bottom) * row->src_stride;            \
        const sample *samples = (const sample *)line;                                                                  \
        float part = 0.0f;                                                                                             \
        for (int column = 0; column < wide_taps; column++) { part += samples[columns[column]] * across[column]; }      \
        sum += part * down[tap];                                                                                       \
      }                                                                                                                \
      dst[i] = limited(sum, top);                                                                                      \
    }                                                                                                                  \
  }
SAMPLE_WIDE(sample_wide8, uint8_t)
SAMPLE_WIDE(sample_wide16, uint16_t)
#undef SAMPLE_WIDE

static inline double covered(double position, cpk_coverage_axis axis) {
  const double low = position - axis.footprint * 0.5, high = position + axis.footprint * 0.5;
  const double from = low > axis.low ? low : axis.low, to = high < axis.high ? high : axis.high;
  const double share = (to - from) / axis.footprint;
  return share > 0 ? (share < 1 ? share : 1) : 0;
}

static void coverage(float *dst, size_t count, cpk_coverage_axis x, cpk_coverage_axis y, double scale) {
  for (size_t i = 0; i < count; i++) {
    const double step = (double)(int64_t)i;
    dst[i] = (float)(covered(x.position + step * x.step, x) * covered(y.position + step * y.step, y) * scale);
  }
}
