/// Float rows composited and resampled: what the kernels of GeneralRows.def take.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Coverage along one axis: a sample of `footprint` source samples about `position` against the interval [low, high).
typedef struct {
  double position, step, footprint, low, high;
} general_coverage_axis;

/// A picture of interleaved R, G, B, A floats.
typedef struct {
  const float *base;
  /// Floats from row to row.
  ptrdiff_t stride;
  ptrdiff_t width, height;
} general_picture;
