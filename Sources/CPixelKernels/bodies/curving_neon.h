// Curves through nodes, four samples at a time: one load fetches a node's value, its bend and the next node's value. The fourth float is the next
// node's bend, which exists for the last segment, too.

NEON_INLINE float32x4_t on_curve(float32x4_t x, const float *nodes, float32x4_t slope) {
  const int32x4_t first = vdupq_n_s32((127 + CPK_CONVERT_CURVE_FIRST_EXPONENT) << 23);
  const int32x4_t last = vdupq_n_s32(((127 + CPK_CONVERT_CURVE_LAST_EXPONENT) << 23) - 1);
  const uint32x4_t bits = vreinterpretq_u32_f32(x), sign = vandq_u32(bits, vdupq_n_u32(0x80000000u));
  const int32x4_t size = vreinterpretq_s32_u32(veorq_u32(bits, sign));
  const int32x4_t inside = vminq_s32(vmaxq_s32(size, first), last);
  const uint32x4_t index = vshrq_n_u32(vreinterpretq_u32_s32(vsubq_s32(inside, first)), 15);
  const four_vectors node = look_four_up(nodes, vshlq_n_u32(index, 1));
  const int32x4_t rest = vandq_s32(inside, vdupq_n_s32(0x7fff));
  const float32x4_t fraction = vmulq_f32(vcvtq_f32_s32(rest), vdupq_n_f32(0x1p-15f));
  const float32x4_t low = node.first, bend = node.second, high = node.third;
  const float32x4_t bent = vmulq_f32(bend, vsubq_f32(vdupq_n_f32(1.0f), fraction));
  const float32x4_t between = vaddq_f32(low, vmulq_f32(vaddq_f32(vsubq_f32(high, low), bent), fraction));
  const float32x4_t below = vmulq_f32(vreinterpretq_f32_s32(size), slope);
  const float32x4_t value = vbslq_f32(vcltq_s32(size, first), below, between);
  return vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(value), sign));
}

static void convert_curve(float *restrict row, ptrdiff_t count, const float *restrict nodes) {
  const float32x4_t slope = vdupq_n_f32(nodes[0] * 0x1p32f);
  ptrdiff_t x = 0;
  for (; x + 4 <= count; x += 4) vst1q_f32(row + x, on_curve(vld1q_f32(row + x), nodes, slope));
  const size_t rest = (size_t)(count - x);
  if (rest > 0) store_some(row + x, rest, on_curve(load_some(row + x, rest), nodes, slope));
}

NEON_INLINE void curve_factor_rows(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const float *weights, const float *restrict nodes,
    int sums) {
  const float32x4_t slope = vdupq_n_f32(nodes[0] * 0x1p32f);
  const float p = sums ? weights[0] : 0.0f, q = sums ? weights[1] : 0.0f, r = sums ? weights[2] : 0.0f;
  for (ptrdiff_t x = 0; x < count; x += 4) {
    const size_t rest = (size_t)(count - x);
    const row_vectors at = load_rows_at(a + x, b + x, c + x, rest);
    const float32x4_t sum = vaddq_f32(vaddq_f32(vmulq_n_f32(at.a, p), vmulq_n_f32(at.b, q)), vmulq_n_f32(at.c, r));
    const float32x4_t size = sums ? sum : vmaxnmq_f32(vmaxnmq_f32(at.a, at.b), at.c);
    const float32x4_t factor = on_curve(vmaxnmq_f32(size, vdupq_n_f32(0.0f)), nodes, slope);
    const row_vectors turned = {vmulq_f32(at.a, factor), vmulq_f32(at.b, factor), vmulq_f32(at.c, factor)};
    store_rows_at(a + x, b + x, c + x, rest, turned);
  }
}

static void convert_factor(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const float weights[3],
    const float *restrict nodes) {
  if (weights) {
    curve_factor_rows(a, b, c, count, weights, nodes, 1);
  } else {
    curve_factor_rows(a, b, c, count, weights, nodes, 0);
  }
}
