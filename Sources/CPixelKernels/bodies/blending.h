// Blend modes of Compositing and Blending Level 1, in its order, followed by plus-lighter: the single list and set of formulas for all blending.
//
// To add a mode, append it to `BLEND_MODES`, add its formula below, and append a case to `BlendMode` of CompositorAPI. A test compares the two lists
// by name and position.
#pragma once

#include <stdint.h>

#define BLEND_MODES(MODE) \
  MODE(normal) MODE(multiply) MODE(screen) MODE(overlay) MODE(darken) MODE(lighten) MODE(color_dodge) MODE(color_burn) \
  MODE(hard_light) MODE(soft_light) MODE(difference) MODE(exclusion) MODE(hue) MODE(saturation) MODE(color) MODE(luminosity) \
  MODE(plus_lighter)

#define BLEND_ENUMERATOR(name) blend_##name,
enum { BLEND_MODES(BLEND_ENUMERATOR) blend_mode_count };

static inline float blend_least(float a, float b) { return a < b ? a : b; }
static inline float blend_most(float a, float b) { return a < b ? b : a; }

/// Section 9.1: one component of B(Cb, Cs), where b is the backdrop and s the source, neither premultiplied.
static inline float blend_separable(float b, float s, int32_t mode) {
  switch (mode) {
  case blend_multiply: return b * s;
  case blend_screen: return b + s - b * s;
  case blend_overlay: return b <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s);
  case blend_darken: return blend_least(b, s);
  case blend_lighten: return blend_most(b, s);
  case blend_color_dodge: return b <= 0.0f ? 0.0f : s >= 1.0f ? 1.0f : blend_least(1.0f, b / (1.0f - s));
  case blend_color_burn: return b >= 1.0f ? 1.0f : s <= 0.0f ? 0.0f : 1.0f - blend_least(1.0f, (1.0f - b) / s);
  case blend_hard_light: return s <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s);
  case blend_soft_light: {
    if (s <= 0.5f) return b - (1.0f - 2.0f * s) * b * (1.0f - b);
    const float d = b <= 0.25f ? ((16.0f * b - 12.0f) * b + 4.0f) * b : __builtin_elementwise_sqrt(b);
    return b + (2.0f * s - 1.0f) * (d - b);
  }
  case blend_difference: return b < s ? s - b : b - s;
  case blend_exclusion: return b + s - 2.0f * b * s;
  default: return s;
  }
}

static inline float blend_luminance(const float *c) { return 0.3f * c[0] + 0.59f * c[1] + 0.11f * c[2]; }
static inline float blend_lowest(const float *c) { return blend_least(c[0], blend_least(c[1], c[2])); }
static inline float blend_highest(const float *c) { return blend_most(c[0], blend_most(c[1], c[2])); }

/// Section 9.2, SetLum: the color with another luminosity, clipped toward gray.
static inline void blend_set_luminosity(float *c, float wanted) {
  const float shift = wanted - blend_luminance(c);
  for (int i = 0; i < 3; i++) c[i] += shift;
  const float gray = blend_luminance(c), low = blend_lowest(c), high = blend_highest(c);
  for (int i = 0; i < 3; i++) {
    if (low < 0.0f && low < gray) c[i] = gray + (c[i] - gray) * gray / (gray - low);
    if (high > 1.0f && high > gray) c[i] = gray + (c[i] - gray) * (1.0f - gray) / (high - gray);
  }
}

/// Section 9.2, SetSat.
static inline void blend_set_saturation(float *c, float wanted) {
  const float low = blend_lowest(c), range = blend_highest(c) - low;
  for (int i = 0; i < 3; i++) c[i] = range > 0.0f ? (c[i] - low) * wanted / range : 0.0f;
}

/// Section 9.2: B(Cb, Cs) of the nonseparable modes.
static inline void blend_nonseparable(float *out, const float *b, const float *s, int32_t mode) {
  const float *color = mode == blend_hue || mode == blend_color ? s : b;
  for (int i = 0; i < 3; i++) out[i] = color[i];
  if (mode == blend_hue) blend_set_saturation(out, blend_highest(b) - blend_lowest(b));
  if (mode == blend_saturation) blend_set_saturation(out, blend_highest(s) - blend_lowest(s));
  blend_set_luminosity(out, blend_luminance(mode == blend_luminosity ? s : b));
}

/// B(Cb, Cs) of every mode except plus-lighter, which isn't such a function: it adds the premultiplied colors and the alphas.
static inline __attribute__((always_inline)) void blend_colors(float *out, const float *b, const float *s, int32_t mode) {
  if (mode >= blend_hue && mode <= blend_luminosity) {
    blend_nonseparable(out, b, s, mode);
  } else {
    for (int i = 0; i < 3; i++) out[i] = blend_separable(b[i], s[i], mode);
  }
}
