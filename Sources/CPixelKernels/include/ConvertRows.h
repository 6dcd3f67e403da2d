/// Rows of samples and rows of floats: what the kernels of ConvertRows.def take.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Asks for bytes that will be read soon; any address may be named.
void cpk_convert_prefetch(const void *bytes, ptrdiff_t count);

/// The octaves of the curves of `convert_curve` and `convert_factor`, and the count of their nodes.
#define CPK_CONVERT_CURVE_FIRST_EXPONENT (-32)
#define CPK_CONVERT_CURVE_LAST_EXPONENT 12
#define CPK_CONVERT_CURVE_NODE_COUNT ((CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1)

/// Steps of the hue in `cpk_hue_lines`.
enum { cpk_hue_cell_count = 512 };

/// Lines of constant hue from gray to the boundary of a gamut, in L', M', S', the twelfth roots of linear L, M, S; I, Ct and Cp
/// of them are those of ITU-R BT.2100.
typedef struct cpk_hue_lines {
  double to_lms[9], to_rgb[9];  ///< By rows.
  double knee;                  ///< The part of the way to the boundary up to which colors stay.
  float plain_share;            ///< Colors whose least component is at least this part of their greatest stay in any case.
  double reciprocals[cpk_hue_cell_count + 1];  ///< 1 over the boundary's |Ct| + |Cp| where I is 1.
} cpk_hue_lines;
