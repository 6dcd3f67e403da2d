/// Rows of samples and rows of floats: types for the kernels of ConvertRows.def.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Prefetches bytes that will be read soon; any address is valid.
void cpk_convert_prefetch(const void *bytes, ptrdiff_t count);

/// The octaves of the curves of `convert_curve` and `convert_factor`, and the number of their nodes.
#define CPK_CONVERT_CURVE_FIRST_EXPONENT (-32)
#define CPK_CONVERT_CURVE_LAST_EXPONENT 12
#define CPK_CONVERT_CURVE_NODE_COUNT ((CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1)

/// The number of hue steps in `cpk_hue_lines`.
enum { cpk_hue_cell_count = 512 };

/// Lines of constant hue from gray to the boundary of a gamut, in L', M', S', the twelfth roots of linear L, M, S. I, Ct and Cp are derived from them
/// as in ITU-R BT.2100.
typedef struct cpk_hue_lines {
  double to_lms[9], to_rgb[9];  ///< Row-major.
  double knee;                  ///< Fraction of the distance to the boundary up to which colors are unchanged.
  float plain_share;            ///< Colors whose smallest component is at least this fraction of their largest are unchanged.
  double reciprocals[cpk_hue_cell_count + 1];  ///< 1 / (|Ct| + |Cp|) of the boundary at I = 1.
} cpk_hue_lines;
