/// Effects on rows: what the kernels of EffectRows.def take.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A 2x2 matrix on chroma about its neutral code, and offsets.
typedef struct cpk_effect_chroma_matrix {
  float uu, uv, vu, vv;    ///< u' = uu * u + uv * v, v' = vu * u + vv * v.
  float u, v;              ///< Added, in codes, the neutral code included.
  float neutral, top;      ///< The code of no color, and the largest one.
} cpk_effect_chroma_matrix;

/// A color that becomes transparent.
typedef struct cpk_effect_key {
  float u, v;              ///< The key's chroma in codes.
  float neutral, top;      ///< The code of no color, and the largest one.
  float inner, slope;      ///< Alpha is 0 up to the distance `inner` in codes, then rises by `slope` for each code.
  float wayU, wayV;        ///< From neutral to the key, of length 1.
  float spill;             ///< How much of what is nearer to the key's hue than 45 degrees is taken out of what stays, 0 ... 1.
} cpk_effect_key;

/// A cube of colors; red changes fastest.
typedef struct cpk_effect_cube {
  const float *table;      ///< R, G, B and one unused number for each node.
  int32_t side;            ///< Nodes along each edge, at least 2.
  float low[3], scale[3];  ///< Node = (value - low) * scale, limited to 0 ... side - 1.
  int32_t isOneDimensional;  ///< The table has `side` nodes, looked up for each component alone.
} cpk_effect_cube;

/// The name of a blend mode with underscores, such as "color_dodge"; NULL for a number that is none. Modes are numbered from 0 in the order
/// of BlendMode in CompositorAPI.
const char *cpk_blend_mode_name(int32_t mode);
