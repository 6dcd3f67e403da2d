// Separable filters with fixed-point weights: first down the rows of a plane into 16-bit integers with fractional bits, then along those. Included by
// every tier without a faster version. Sums are integers, so their order does not affect the result.

// Rows of a plane that a filter reaches; edge rows repeat beyond the edges.
static inline const void *filtered_row(const cpk_filter_rows *from, size_t tap) {
  const int32_t row = bounded(from->first + (int32_t)tap, 0, from->height - 1);
  return (const char *)from->src + row * from->src_stride;
}

enum { filter_block = 256 };

static inline void finish_words(int16_t *dst, const int32_t *sums, size_t count, int32_t shift) {
  const int32_t half = 1 << (shift - 1);
  for (size_t i = 0; i < count; i++) { dst[i] = (int16_t)((sums[i] + half) >> shift); }
}

static void filter_rows8(int16_t *dst, const cpk_filter_rows *from, size_t count) {
  for (size_t start = 0; start < count; start += filter_block) {
    const size_t part = count - start < filter_block ? count - start : filter_block;
    int32_t sums[filter_block] = {0};
    for (size_t tap = 0; tap < from->taps; tap++) {
      const uint8_t *row = (const uint8_t *)filtered_row(from, tap) + start;
      const int32_t weight = from->weights[tap];
      for (size_t i = 0; i < part; i++) { sums[i] += row[i] * weight; }
    }
    finish_words(dst + start, sums, part, from->shift);
  }
}

static void filter_rows16(int16_t *dst, const cpk_filter_rows *from, size_t count) {
  for (size_t start = 0; start < count; start += filter_block) {
    const size_t part = count - start < filter_block ? count - start : filter_block;
    int32_t sums[filter_block] = {0};
    for (size_t tap = 0; tap < from->taps; tap++) {
      const uint16_t *row = (const uint16_t *)filtered_row(from, tap) + start;
      const int32_t weight = from->weights[tap];
      for (size_t i = 0; i < part; i++) { sums[i] += row[i] * weight; }
    }
    finish_words(dst + start, sums, part, from->shift);
  }
}

static inline int32_t filtered_sample(const int16_t *src, const int16_t *weights, size_t taps, int32_t shift) {
  int32_t sum = 1 << (shift - 1);
  for (size_t tap = 0; tap < taps; tap++) { sum += src[tap] * weights[tap]; }
  return sum >> shift;
}

static void filter_columns8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  for (size_t row = 0; row < rows; row++, dst += dst_stride) {
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;
    for (size_t i = 0; i < count; i++) {
      const int32_t sum = filtered_sample(src + from->starts[i], from->weights + i * from->taps, from->taps, from->shift);
      dst[i] = (uint8_t)bounded(sum, 0, 255);
    }
  }
}

static void filter_columns16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  for (size_t row = 0; row < rows; row++) {
    uint16_t *to = (uint16_t *)((char *)dst + (ptrdiff_t)row * dst_stride);
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;
    for (size_t i = 0; i < count; i++) {
      const int32_t sum = filtered_sample(src + from->starts[i], from->weights + i * from->taps, from->taps, from->shift);
      to[i] = (uint16_t)bounded(sum, 0, top);
    }
  }
}
