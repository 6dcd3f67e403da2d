// Convolution, area means and enlarging. Included by every tier.

// Sums of so many neighbors stay in registers while the taps go by.
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

static void effect_mean_row(float *restrict out, const float *row, ptrdiff_t factor, ptrdiff_t count) {
  const float share = 1.0f / (float)factor;
  for (ptrdiff_t x = 0; x < count; x++) {
    float sum = 0;
    for (ptrdiff_t t = 0; t < factor; t++) sum += row[x * factor + t];
    out[x] = sum * share;
  }
}

static void effect_add_row(float *restrict sum, const float *row, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) sum[x] += row[x];
}

static void effect_scale_row(float *row, float factor, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] *= factor;
}

static void effect_lerp_rows(float *restrict out, const float *a, const float *b, float weight, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = a[x] + (b[x] - a[x]) * weight;
}

static void effect_enlarge_row(float *restrict out, const float *row, ptrdiff_t factor, ptrdiff_t count) {
  const float step = 1.0f / (float)factor;
  for (ptrdiff_t first = 0; first < count; first += factor) {
    // All samples of a cell lie between the cell's middle and its neighbors' middles.
    const ptrdiff_t cell = first / factor;
    const float before = row[cell], own = row[cell + 1], after = row[cell + 2];
    const ptrdiff_t end = count - first < factor ? count - first : factor;
    for (ptrdiff_t i = 0; i < end; i++) {
      const float place = ((float)(int32_t)i + 0.5f) * step - 0.5f;
      out[first + i] = place < 0.0f ? own + (before - own) * -place : own + (after - own) * place;
    }
  }
}
