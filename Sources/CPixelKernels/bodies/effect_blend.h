// Blend modes on 16-bit pixels with straight alpha. Included by every tier.

static inline void blend(uint16_t *out, const uint16_t *under, const uint16_t *over, int32_t mode, float opacity) {
  float b[3], s[3], mixed[3];
  for (int i = 0; i < 3; i++) {
    b[i] = (float)under[i] * (1.0f / 65535.0f);
    s[i] = (float)over[i] * (1.0f / 65535.0f);
  }
  const float backdrop = (float)under[3] * (1.0f / 65535.0f), source = (float)over[3] * (1.0f / 65535.0f) * opacity;
  if (mode == blend_plus_lighter) {
    const float alpha = blend_least(1.0f, backdrop + source);
    for (int i = 0; i < 3; i++) {
      const float sum = blend_least(1.0f, b[i] * backdrop + s[i] * source);
      out[i] = code_16(alpha > 0.0f ? sum / alpha : 0.0f);
    }
    out[3] = code_16(alpha);
    return;
  }
  blend_colors(mixed, b, s, mode);
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
