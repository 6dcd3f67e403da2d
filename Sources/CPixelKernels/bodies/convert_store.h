// Floats to samples. Included by every tier.

// Written so that NaN fails the first comparison and becomes 0.
static inline float limited_code(float value, float scale, float offset, float maximum) {
  float scaled = value * scale + offset + 0.5f;
  scaled = scaled > 0.0f ? scaled : 0.0f;
  return scaled < maximum ? scaled : maximum;
}

static void convert_store_u8(
    const float *in, uint8_t *out, ptrdiff_t step, ptrdiff_t count, float scale, float offset) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = (uint8_t)(int32_t)limited_code(in[x], scale, offset, 255.0f);
  } else if (step == 2) {
    for (ptrdiff_t x = 0; x < count; x++) out[2 * x] = (uint8_t)(int32_t)limited_code(in[x], scale, offset, 255.0f);
  } else {
    for (ptrdiff_t x = 0; x < count; x++) out[4 * x] = (uint8_t)(int32_t)limited_code(in[x], scale, offset, 255.0f);
  }
}

static void convert_store_u16(
    const float *in, uint16_t *out, ptrdiff_t step, int shift, ptrdiff_t count, float scale, float offset,
    float maximum) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) {
      out[x] = (uint16_t)((int32_t)limited_code(in[x], scale, offset, maximum) << shift);
    }
  } else {
    for (ptrdiff_t x = 0; x < count; x++) {
      out[step * x] = (uint16_t)((int32_t)limited_code(in[x], scale, offset, maximum) << shift);
    }
  }
}

static void convert_store_f16(const float *in, uint16_t *out, ptrdiff_t step, ptrdiff_t count) {
  const uint32_t largest_half = 0x477fe000;  // 65504
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t sign = to_bits(in[x]) >> 16 & 0x8000;
    // Clamped as bits, which are ordered by magnitude: a floating-point comparison may let a signaling NaN pass on AArch64.
    uint32_t size = to_bits(in[x]) & 0x7fffffff;
    size = size < largest_half ? size : largest_half;
    uint32_t bits = to_bits(from_bits(size) * 0x1p-112f);
    out[step * x] = (uint16_t)(sign | (bits + 0xfff + (bits >> 13 & 1)) >> 13);
  }
}

static void convert_store_f32(const float *in, float *out, ptrdiff_t step, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[step * x] = in[x];
}
