/// Float rows composited and resampled: what the kernels of GeneralRows.def take.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A rectangle with round corners in a space of its own, and how that space is seen from the output: by how much a place moves along its
/// columns (u) and rows (v) from one column (x) and one row (y) of the output to the next.
typedef struct {
  double centerX, centerY;
  float halfWidth, halfHeight, radius;
  float ux, uy, vx, vy;
} cpk_general_shape;

/// A picture of interleaved R, G, B, A floats.
typedef struct {
  const float *base;
  /// Floats from row to row.
  ptrdiff_t stride;
  ptrdiff_t width, height;
} cpk_general_picture;
