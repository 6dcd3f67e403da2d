// Blend modes of straight 16-bit pixels. Included by every tier.

static inline float least(float a, float b) { return a < b ? a : b; }
static inline float most(float a, float b) { return a < b ? b : a; }

// Compositing and Blending Level 1, clause 9.1: b is the backdrop, s the source.
static inline float separable(float b, float s, int32_t mode) {
  switch (mode) {
  case cpk_effect_multiply: return b * s;
  case cpk_effect_screen: return b + s - b * s;
  case cpk_effect_overlay: return b <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s);
  case cpk_effect_darken: return least(b, s);
  case cpk_effect_lighten: return most(b, s);
  case cpk_effect_color_dodge: return b <= 0.0f ? 0.0f : s >= 1.0f ? 1.0f : least(1.0f, b / (1.0f - s));
  case cpk_effect_color_burn: return b >= 1.0f ? 1.0f : s <= 0.0f ? 0.0f : 1.0f - least(1.0f, (1.0f - b) / s);
  case cpk_effect_hard_light: return s <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s);
  case cpk_effect_soft_light: {
    if (s <= 0.5f) return b - (1.0f - 2.0f * s) * b * (1.0f - b);
    const float d = b <= 0.25f ? ((16.0f * b - 12.0f) * b + 4.0f) * b : __builtin_elementwise_sqrt(b);
    return b + (2.0f * s - 1.0f) * (d - b);
  }
  case cpk_effect_difference: return b < s ? s - b : b - s;
  case cpk_effect_exclusion: return b + s - 2.0f * b * s;
  default: return s;
  }
}

static inline float luminosity(const float *c) { return 0.3f * c[0] + 0.59f * c[1] + 0.11f * c[2]; }
static inline float lowest(const float *c) { return least(c[0], least(c[1], c[2])); }
static inline float highest(const float *c) { return most(c[0], most(c[1], c[2])); }

// Clause 9.2: the colour with another luminosity, clipped towards grey.
static inline void with_luminosity(float *c, float wanted) {
  const float shift = wanted - luminosity(c);
  for (int i = 0; i < 3; i++) c[i] += shift;
  const float grey = luminosity(c), low = lowest(c), high = highest(c);
  for (int i = 0; i < 3; i++) {
    if (low < 0.0f) c[i] = grey + (c[i] - grey) * grey / (grey - low);
    if (high > 1.0f) c[i] = grey + (c[i] - grey) * (1.0f - grey) / (high - grey);
  }
}

static inline void with_saturation(float *c, float wanted) {
  const float low = lowest(c), range = highest(c) - low;
  for (int i = 0; i < 3; i++) c[i] = range > 0.0f ? (c[i] - low) * wanted / range : 0.0f;
}

static inline void nonseparable(float *out, const float *b, const float *s, int32_t mode) {
  const float *color = mode == cpk_effect_hue || mode == cpk_effect_color ? s : b;
  for (int i = 0; i < 3; i++) out[i] = color[i];
  if (mode == cpk_effect_hue) with_saturation(out, highest(b) - lowest(b));
  if (mode == cpk_effect_saturation) with_saturation(out, highest(s) - lowest(s));
  with_luminosity(out, luminosity(mode == cpk_effect_luminosity ? s : b));
}

static inline void blend(uint16_t *out, const uint16_t *under, const uint16_t *over, int32_t mode, float opacity) {
  float b[3], s[3], mixed[3];
  for (int i = 0; i < 3; i++) {
    b[i] = (float)under[i] * (1.0f / 65535.0f);
    s[i] = (float)over[i] * (1.0f / 65535.0f);
  }
  const float backdrop = (float)under[3] * (1.0f / 65535.0f), source = (float)over[3] * (1.0f / 65535.0f) * opacity;
  if (mode == cpk_effect_plus_lighter) {
    const float alpha = least(1.0f, backdrop + source);
    for (int i = 0; i < 3; i++) {
      const float sum = least(1.0f, b[i] * backdrop + s[i] * source);
      out[i] = code_16(alpha > 0.0f ? sum / alpha : 0.0f);
    }
    out[3] = code_16(alpha);
    return;
  }
  if (mode >= cpk_effect_hue) {
    nonseparable(mixed, b, s, mode);
  } else {
    for (int i = 0; i < 3; i++) mixed[i] = separable(b[i], s[i], mode);
  }
  const float alpha = source + backdrop * (1.0f - source);
  for (int i = 0; i < 3; i++) {
    const float color = (1.0f - backdrop) * s[i] + backdrop * mixed[i];
    const float sum = source * color + (1.0f - source) * backdrop * b[i];
    out[i] = code_16(alpha > 0.0f ? sum / alpha : 0.0f);
  }
  out[3] = code_16(alpha);
}

static void effect_blend_row(
    uint16_t *out, const uint16_t *under, const uint16_t *over, int32_t mode, float opacity, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) blend(out + 4 * x, under + 4 * x, over + 4 * x, mode, opacity);
}
