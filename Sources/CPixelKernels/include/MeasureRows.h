/// The light of frames: types for the kernels of MeasureRows.def.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// The conversion of three integer components to R', G', B': first `component * scale + offset`, then a row-major matrix.
typedef struct cpk_measure_components {
  float scale[3], offset[3];
  float matrix[9];
} cpk_measure_components;

/// Segments of the curve of `measure_light`, which has one more node.
#define CPK_MEASURE_SEGMENT_COUNT 4096
