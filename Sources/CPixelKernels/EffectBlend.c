#include "EffectRows.h"
#include "RowTiers.h"
#include "blending.h"

#pragma STDC FP_CONTRACT OFF

#define BLEND_NAME(name) #name,
static const char *const names[] = {BLEND_MODES(BLEND_NAME)};

const char *blend_mode_name(int32_t mode) { return mode >= 0 && mode < blend_mode_count ? names[mode] : NULL; }

static inline uint16_t stored(float value) {
  const float code = value * 65535.0f;
  return (uint16_t)(int32_t)((code > 0.0f ? (code < 65535.0f ? code : 65535.0f) : 0.0f) + 0.5f);
}

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
      out[i] = stored(alpha > 0.0f ? sum / alpha : 0.0f);
    }
    out[3] = stored(alpha);
    return;
  }
  blend_colors(mixed, b, s, mode);
  const float alpha = source + backdrop * (1.0f - source);
  for (int i = 0; i < 3; i++) {
    const float color = (1.0f - backdrop) * s[i] + backdrop * mixed[i];
    const float sum = source * color + (1.0f - source) * backdrop * b[i];
    out[i] = stored(alpha > 0.0f ? sum / alpha : 0.0f);
  }
  out[3] = stored(alpha);
}

ROW_TIERS
void effect_blend_row(
    uint16_t *out, const uint16_t *under, const uint16_t *over, int32_t mode, float opacity, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) blend(out + 4 * x, under + 4 * x, over + 4 * x, mode, opacity);
}
