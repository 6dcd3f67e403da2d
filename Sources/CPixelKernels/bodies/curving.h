// Curves through nodes, for tiers without a faster look-up.

// Nodes are at equal steps of a float's bit pattern, so the index is a shift, and the fraction is linear in the remaining mantissa bits: the relative
// resolution near black equals that near white. Each node is a value and the bend of the curve up to the next node.
static inline float on_curve(float x, const float *restrict nodes, float slope) {
  const int32_t first = (127 + CPK_CONVERT_CURVE_FIRST_EXPONENT) << 23;
  const int32_t last = ((127 + CPK_CONVERT_CURVE_LAST_EXPONENT) << 23) - 1;
  const uint32_t bits = to_bits(x);
  const int32_t size = (int32_t)(bits & 0x7fffffff);
  int32_t inside = size > first ? size : first;
  inside = inside < last ? inside : last;
  const int32_t index = (inside - first) >> 15;
  const float fraction = (float)(inside & 0x7fff) * 0x1p-15f;
  const float low = nodes[2 * index], bend = nodes[2 * index + 1], high = nodes[2 * index + 2];
  const float between = low + ((high - low) + bend * (1.0f - fraction)) * fraction;
  const float below = from_bits((uint32_t)size) * slope;
  const float value = size < first ? below : between;
  return from_bits(to_bits(value) ^ (bits & 0x80000000));
}

static void convert_curve(float *restrict row, ptrdiff_t count, const float *restrict nodes) {
  const float slope = nodes[0] * 0x1p32f;
  for (ptrdiff_t x = 0; x < count; x++) row[x] = on_curve(row[x], nodes, slope);
}

static void convert_factor(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const float weights[3],
    const float *restrict nodes) {
  const float slope = nodes[0] * 0x1p32f;
  if (weights) {
    const float p = weights[0], q = weights[1], r = weights[2];
    for (ptrdiff_t x = 0; x < count; x++) {
      const float sum = p * a[x] + q * b[x] + r * c[x];
      const float factor = on_curve(sum > 0.0f ? sum : 0.0f, nodes, slope);
      a[x] *= factor;
      b[x] *= factor;
      c[x] *= factor;
    }
    return;
  }
  for (ptrdiff_t x = 0; x < count; x++) {
    float most = a[x] > b[x] ? a[x] : b[x];
    most = most > c[x] ? most : c[x];
    const float factor = on_curve(most > 0.0f ? most : 0.0f, nodes, slope);
    a[x] *= factor;
    b[x] *= factor;
    c[x] *= factor;
  }
}
