// Codes blended into rows of frames. Included by every tier.

static inline uint8_t solid_8(uint8_t under, uint16_t weight, uint16_t code) {
  const uint16_t wide = (uint16_t)(under << 8);
  const uint32_t sum = (uint32_t)(uint16_t)(wide - part(wide, weight)) + part(code, weight) + 128;
  return (uint8_t)(sum > 65535 ? 255 : sum >> 8);
}

static void overlay_solid_8(uint8_t *row, ptrdiff_t step, const uint16_t *weights, uint16_t code, ptrdiff_t count) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) row[x] = solid_8(row[x], weights[x], code);
  } else {
    for (ptrdiff_t x = 0; x < count; x++) row[x * step] = solid_8(row[x * step], weights[x], code);
  }
}

static inline uint16_t blend_16(uint16_t under, uint16_t codes, uint16_t weight, int32_t shift) {
  const uint16_t wide = (uint16_t)(under << shift);
  const uint32_t sum = (uint32_t)(uint16_t)(wide - part(wide, weight)) + codes + ((1u << shift) >> 1);
  return (uint16_t)((sum > 65535 ? 65535 : sum) >> shift);
}

static void overlay_solid_16(
    uint16_t *row, ptrdiff_t step, int32_t shift, const uint16_t *weights, uint16_t code, ptrdiff_t count) {
  if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) row[x] = blend_16(row[x], part(code, weights[x]), weights[x], shift);
  } else {
    for (ptrdiff_t x = 0; x < count; x++) {
      row[x * step] = blend_16(row[x * step], part(code, weights[x]), weights[x], shift);
    }
  }
}

static inline uint8_t codes_8(uint8_t under, uint16_t codes, uint16_t weight) {
  const uint16_t wide = (uint16_t)(under << 8);
  const uint32_t sum = (uint32_t)(uint16_t)(wide - part(wide, weight)) + codes + 128;
  return (uint8_t)(sum > 65535 ? 255 : sum >> 8);
}

static void overlay_codes_8(
    uint8_t *row, ptrdiff_t step, const uint16_t *codes, const uint16_t *weights, uint16_t opacity, ptrdiff_t count) {
  if (opacity == 65535 && step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) row[x] = codes_8(row[x], codes[x], weights[x]);
  } else if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) row[x] = codes_8(row[x], part(codes[x], opacity), part(weights[x], opacity));
  } else {
    for (ptrdiff_t x = 0; x < count; x++) {
      const uint16_t c = opacity == 65535 ? codes[x] : part(codes[x], opacity);
      const uint16_t w = opacity == 65535 ? weights[x] : part(weights[x], opacity);
      row[x * step] = codes_8(row[x * step], c, w);
    }
  }
}

static void overlay_codes_16(
    uint16_t *row, ptrdiff_t step, int32_t shift, const uint16_t *codes, const uint16_t *weights, uint16_t opacity,
    ptrdiff_t count) {
  if (opacity == 65535 && step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) row[x] = blend_16(row[x], codes[x], weights[x], shift);
  } else if (step == 1) {
    for (ptrdiff_t x = 0; x < count; x++) {
      row[x] = blend_16(row[x], part(codes[x], opacity), part(weights[x], opacity), shift);
    }
  } else {
    for (ptrdiff_t x = 0; x < count; x++) {
      const uint16_t c = opacity == 65535 ? codes[x] : part(codes[x], opacity);
      const uint16_t w = opacity == 65535 ? weights[x] : part(weights[x], opacity);
      row[x * step] = blend_16(row[x * step], c, w, shift);
    }
  }
}

// One loop for each step, because only a compile-time step vectorizes.
#define REPLACE_ROW(type, step, shift, top)                                                        \
  for (ptrdiff_t x = 0; x < count; x++) {                                                          \
    const float under = (float)(row[(step) * x] >> (shift));                                       \
    const float change = (values[x] * scale + offset - under) * ((float)weights[x] * (1.0f / 65535.0f)); \
    row[(step) * x] = (type)((uint32_t)(int32_t)(limited(under + change, top) + 0.5f) << (shift)); \
  }

static void overlay_replace_8(
    uint8_t *restrict row, ptrdiff_t step, const float *restrict values, float scale, float offset,
    const uint16_t *restrict weights, ptrdiff_t count) {
  if (step == 1) {
    REPLACE_ROW(uint8_t, 1, 0, 255.0f)
  } else if (step == 2) {
    REPLACE_ROW(uint8_t, 2, 0, 255.0f)
  } else {
    REPLACE_ROW(uint8_t, 4, 0, 255.0f)
  }
}

static void overlay_replace_16(
    uint16_t *restrict row, ptrdiff_t step, int32_t shift, const float *restrict values, float scale, float offset, float top,
    const uint16_t *restrict weights, ptrdiff_t count) {
  if (step == 1) {
    REPLACE_ROW(uint16_t, 1, shift, top)
  } else if (step == 2) {
    REPLACE_ROW(uint16_t, 2, shift, top)
  } else {
    REPLACE_ROW(uint16_t, 4, shift, top)
  }
}

#undef REPLACE_ROW
