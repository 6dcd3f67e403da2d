// Samples to floats. Included by every tier.

static void convert_load_u8(
    const uint8_t *in, ptrdiff_t step, float *out, ptrdiff_t count, float zero, float scale, float offset) {
  // Common steps have a loop of their own, because only a compile-time step vectorizes.
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)in[x] - zero) * scale + offset;
  } else if (step == 2) {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)in[2 * x] - zero) * scale + offset;
  } else {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)in[4 * x] - zero) * scale + offset;
  }
}

static void convert_load_u16(
    const uint16_t *in, ptrdiff_t step, int shift, float *out, ptrdiff_t count, float zero, float scale,
    float offset) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)(in[x] >> shift) - zero) * scale + offset;
  } else if (step == 2) {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)(in[2 * x] >> shift) - zero) * scale + offset;
  } else {
    for (ptrdiff_t x = 0; x < count; x++) out[x] = ((float)(in[4 * x] >> shift) - zero) * scale + offset;
  }
}

static void convert_load_f16(const uint16_t *in, ptrdiff_t step, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t half = in[step * x];
    // The exponent's bias differs by 112; the product also handles subnormal numbers.
    float size = from_bits((half & 0x7fff) << 13) * 0x1p112f;
    out[x] = from_bits(to_bits(size) | (half & 0x8000) << 16);
  }
}

static void convert_load_f32(const float *in, ptrdiff_t step, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t bits = to_bits(in[step * x]);
    out[x] = from_bits((bits & 0x7f800000) == 0x7f800000 ? 0 : bits);
  }
}
