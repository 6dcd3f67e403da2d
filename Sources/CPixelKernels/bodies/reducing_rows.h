// Weighted sums of neighbors at arbitrary positions.

static void reduce(float *dst, const float *src, size_t count, const int32_t *start, const float *weights, size_t taps) {
  memset(dst, 0, count * sizeof *dst);
  for (size_t tap = 0; tap < taps; tap++) {
    const float *weight = weights + tap * count;
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; i++) { dst[i] += src[start[i] + (int32_t)tap] * weight[i]; }
  }
}
