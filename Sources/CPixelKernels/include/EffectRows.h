/// Effects on rows: types for the kernels of EffectRows.def.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A 2x2 matrix on chroma about its neutral code, with offsets.
typedef struct cpk_effect_chroma_matrix {
  float uu, uv, vu, vv;    ///< u' = uu * u + uv * v, v' = vu * u + vv * v.
  float u, v;              ///< Offsets in codes, including the neutral code.
  float neutral, top;      ///< The code of neutral chroma, and the largest code.
} cpk_effect_chroma_matrix;

/// A key color to make transparent.
typedef struct cpk_effect_key {
  float u, v;              ///< The key's chroma in codes.
  float neutral, top;      ///< The code of neutral chroma, and the largest code.
  float inner, slope;      ///< Alpha is 0 up to the distance `inner` in codes, then rises by `slope` per code.
  float wayU, wayV;        ///< Unit vector from neutral to the key.
  float spill;             ///< Fraction, 0 ... 1, of the key color to remove from colors within 45 degrees of its hue.
} cpk_effect_key;

/// A color cube; red varies fastest.
typedef struct cpk_effect_cube {
  const float *table;      ///< R, G, B and one unused value per node.
  int32_t side;            ///< Nodes along each edge, at least 2.
  float low[3], scale[3];  ///< Node = (value - low) * scale, clamped to 0 ... side - 1.
  int32_t isOneDimensional;  ///< The table has `side` nodes, looked up per component.
} cpk_effect_cube;

/// The name of a blend mode with underscores, such as "color_dodge"; NULL if `mode` is out of range. Modes are numbered from 0 in the order of
/// BlendMode in CompositorAPI.
const char *cpk_blend_mode_name(int32_t mode);
