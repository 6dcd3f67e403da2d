// Bilinear sampling and coverage along a row. Included by every tier, so that each compiles the same loops for its own
// instructions.

static inline int32_t clamped(int64_t value, int32_t last) {
  return value < 0 ? 0 : value > last ? last : (int32_t)value;
}

static inline float fraction_of(int64_t position) { return (float)(uint32_t)((uint32_t)position >> 8) * 0x1p-24f; }

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
