// Convolution, halving and enlarging. Included by every tier.

// This many sums stay in registers during the loop over taps.
enum { sum_count = 64 };

static void effect_convolve_row(float *restrict out, const float *row, const float *weights, ptrdiff_t taps, ptrdiff_t count) {
  ptrdiff_t x = 0;
  for (; x + sum_count <= count; x += sum_count) {
    float sum[sum_count] = {0};
    for (ptrdiff_t t = 0; t < taps; t++) {
      const float weight = weights[t];
      const float *from = row + x + t;
      for (int i = 0; i < sum_count; i++) sum[i] += from[i] * weight;
    }
    for (int i = 0; i < sum_count; i++) out[x + i] = sum[i];
  }
  for (; x < count; x++) {
    float sum = 0;
    for (ptrdiff_t t = 0; t < taps; t++) sum += row[x + t] * weights[t];
    out[x] = sum;
  }
}

static void effect_convolve_rows(
    float *restrict out, const float *const *rows, const float *weights, ptrdiff_t taps, ptrdiff_t count) {
  ptrdiff_t x = 0;
  for (; x + sum_count <= count; x += sum_count) {
    float sum[sum_count] = {0};
    for (ptrdiff_t t = 0; t < taps; t++) {
      const float weight = weights[t];
      const float *from = rows[t] + x;
      for (int i = 0; i < sum_count; i++) sum[i] += from[i] * weight;
    }
    for (int i = 0; i < sum_count; i++) out[x + i] = sum[i];
  }
  for (; x < count; x++) {
    float sum = 0;
    for (ptrdiff_t t = 0; t < taps; t++) sum += rows[t][x] * weights[t];
    out[x] = sum;
  }
}

static void effect_widen_8(float *restrict out, const uint8_t *row, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = row[x];
}

static void effect_widen_16(float *restrict out, const uint16_t *row, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = row[x];
}

enum { halved_columns = 128 };

// The next sums need the two rows below, which hardware prefetchers do not find in time: prefetching them halves the time.
static inline void prefetch_halved(const void *above, const void *last, size_t byte_count) {
  const uintptr_t stride = (uintptr_t)last - (uintptr_t)above;
  for (int row = 1; row <= 2; row++) {
    for (size_t byte = 0; byte < byte_count; byte += 64) {
      __builtin_prefetch((const void *)((uintptr_t)last + (uintptr_t)row * stride + byte));
    }
  }
}

static void effect_halve_rows_8(
    float *restrict out, const uint8_t *a, const uint8_t *b, const uint8_t *c, const uint8_t *d, ptrdiff_t count) {
  for (ptrdiff_t start = 0; start < count; start += halved_columns) {
    const ptrdiff_t end = count - start < halved_columns ? count : start + halved_columns;
    prefetch_halved(c + start, d + start, halved_columns * sizeof *c);
    for (ptrdiff_t x = start; x < end; x++) out[x] = (float)(a[x] + d[x] + 3 * (b[x] + c[x])) * 0.125f;
  }
}

static void effect_halve_rows_16(
    float *restrict out, const uint16_t *a, const uint16_t *b, const uint16_t *c, const uint16_t *d, ptrdiff_t count) {
  for (ptrdiff_t start = 0; start < count; start += halved_columns) {
    const ptrdiff_t end = count - start < halved_columns ? count : start + halved_columns;
    prefetch_halved(c + start, d + start, halved_columns * sizeof *c);
    for (ptrdiff_t x = start; x < end; x++) out[x] = (float)(a[x] + d[x] + 3 * (b[x] + c[x])) * 0.125f;
  }
}

static void effect_halve_rows(
    float *restrict out, const float *a, const float *b, const float *c, const float *d, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = (a[x] + d[x]) * 0.125f + (b[x] + c[x]) * 0.375f;
}

// Every other column of two registers, with shuffles that compilers do not find.
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

static void effect_halve_row(float *restrict out, const float *restrict row, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + 16 <= count; i += 16) {
    // Columns 2i - 1 ... 2i + 30, and 2i + 1 ... 2i + 32.
    sixteen a, b, c, d;
    LOAD_SIXTEEN(a, row + 2 * i - 1);
    LOAD_SIXTEEN(b, row + 2 * i + 15);
    LOAD_SIXTEEN(c, row + 2 * i + 1);
    LOAD_SIXTEEN(d, row + 2 * i + 17);
    const sixteen half = (EVENS(a, b) + ODDS(c, d)) * 0.125f + (ODDS(a, b) + EVENS(c, d)) * 0.375f;
    STORE_SIXTEEN(out + i, half);
  }
  for (; i < count; i++) {
    out[i] = (row[2 * i - 1] + row[2 * i + 2]) * 0.125f + (row[2 * i] + row[2 * i + 1]) * 0.375f;
  }
}

#undef EVENS
#undef ODDS

static void effect_scale_row(float *row, float factor, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] *= factor;
}

// The cells of sixteen samples, starting at sample `k` of a register.
#define CELLS_2(v, k) \
  __builtin_shufflevector( \
      v, v, k, k, k + 1, k + 1, k + 2, k + 2, k + 3, k + 3, k + 4, k + 4, k + 5, k + 5, k + 6, k + 6, k + 7, k + 7)
#define CELLS_4(v, k) \
  __builtin_shufflevector( \
      v, v, k, k, k, k, k + 1, k + 1, k + 1, k + 1, k + 2, k + 2, k + 2, k + 2, k + 3, k + 3, k + 3, k + 3)
#define CELLS_8(v, k) \
  __builtin_shufflevector(v, v, k, k, k, k, k, k, k, k, k + 1, k + 1, k + 1, k + 1, k + 1, k + 1, k + 1, k + 1)

// As many cells as make sixteen samples, while sixteen samples can be read: those beyond the last cell's neighbors may not exist.
#define SPLINE_SIXTEEN(CELLS, FACTOR) \
  { \
    sixteen w[5]; \
    for (int t = 0; t < 5; t++) { \
      float repeated[16]; \
      for (int i = 0; i < 16; i++) repeated[i] = weights[t * FACTOR + i % FACTOR]; \
      LOAD_SIXTEEN(w[t], repeated); \
    } \
    const ptrdiff_t cells = (count + FACTOR - 1) / FACTOR; \
    for (; first + 16 <= count && first / FACTOR + 14 <= cells + 2; first += 16, row += 16 / FACTOR) { \
      sixteen v; \
      LOAD_SIXTEEN(v, row - 2); \
      const sixteen places = CELLS(v, 0) * w[0] + CELLS(v, 1) * w[1] + CELLS(v, 2) * w[2] + CELLS(v, 3) * w[3] + CELLS(v, 4) * w[4]; \
      STORE_SIXTEEN(out + first, places); \
    } \
  }

static void effect_spline_row(
    float *restrict out, const float *restrict row, const float *restrict weights, ptrdiff_t factor, ptrdiff_t count) {
  ptrdiff_t first = 0;
  if (factor == 2) SPLINE_SIXTEEN(CELLS_2, 2)
  if (factor == 4) SPLINE_SIXTEEN(CELLS_4, 4)
  if (factor == 8) SPLINE_SIXTEEN(CELLS_8, 8)
  for (; first < count; first += factor, row++) {
    const float a = row[-2], b = row[-1], c = row[0], d = row[1], e = row[2];
    const ptrdiff_t end = count - first < factor ? count - first : factor;
    const float *w = weights;
    for (ptrdiff_t i = 0; i < end; i++) {
      out[first + i] = a * w[i] + b * w[factor + i] + c * w[2 * factor + i] + d * w[3 * factor + i] + e * w[4 * factor + i];
    }
  }
}

#undef CELLS_2
#undef CELLS_4
#undef CELLS_8
#undef SPLINE_SIXTEEN

static void effect_spline_rows_8(
    uint8_t *restrict out, const float *a, const float *b, const float *c, const float *d, const float weights[4],
    ptrdiff_t count) {
  const float p = weights[0], q = weights[1], r = weights[2], s = weights[3];
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint8_t)(int32_t)(limited(a[x] * p + b[x] * q + c[x] * r + d[x] * s, 255.0f) + 0.5f);
  }
}

static void effect_spline_rows_16(
    uint16_t *restrict out, const float *a, const float *b, const float *c, const float *d, const float weights[4],
    ptrdiff_t count) {
  const float p = weights[0], q = weights[1], r = weights[2], s = weights[3];
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = (uint16_t)(int32_t)(limited(a[x] * p + b[x] * q + c[x] * r + d[x] * s, 65535.0f) + 0.5f);
  }
}

static void effect_spline_rows(
    float *restrict out, const float *a, const float *b, const float *c, const float *d, const float weights[4],
    ptrdiff_t count) {
  const float p = weights[0], q = weights[1], r = weights[2], s = weights[3];
  for (ptrdiff_t x = 0; x < count; x++) out[x] = a[x] * p + b[x] * q + c[x] * r + d[x] * s;
}
