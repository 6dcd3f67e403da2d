/// Compositing and resampling of float rows: types for the kernels of GeneralRows.def.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A rectangle with rounded corners in its own space, and the map from the output: the change of the position along its columns (u) and rows (v) from
/// one column (x) and one row (y) of the output to the next.
typedef struct {
  double centerX, centerY;
  float halfWidth, halfHeight, radius;
  float ux, uy, vx, vy;
} cpk_general_shape;

/// An image of interleaved R, G, B, A floats.
typedef struct {
  const float *base;
  /// Floats from row to row.
  ptrdiff_t stride;
  ptrdiff_t width, height;
} cpk_general_picture;
