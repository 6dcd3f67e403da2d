/// Float rows composited and resampled: what the kernels of GeneralRows.def take.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A picture of interleaved R, G, B, A floats.
typedef struct {
  const float *base;
  /// Floats from row to row.
  ptrdiff_t stride;
  ptrdiff_t width, height;
} cpk_general_picture;
