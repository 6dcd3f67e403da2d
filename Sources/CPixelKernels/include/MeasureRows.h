/// The light of pictures: what the kernels of MeasureRows.def take.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// How three components of whole numbers become R', G', B': first `component * scale + offset`, then a matrix by rows.
typedef struct cpk_measure_components {
  float scale[3], offset[3];
  float matrix[9];
} cpk_measure_components;

/// Segments of the curve of `measure_light`, whose nodes are one more.
#define CPK_MEASURE_SEGMENT_COUNT 4096
