/// How much light a picture gives: the rows from which MaxCLL and MaxFALL (CTA-861.3) are made.
///
/// Rules as in ConvertRows.h.
#ifndef MEASURE_ROWS_H
#define MEASURE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// How three components of whole numbers become R', G', B': first `component * scale + offset`, then a matrix by rows.
typedef struct measure_components {
  float scale[3], offset[3];
  float matrix[9];
} measure_components;

/// The greatest of R', G', B' at each column, limited to 0 … 1. Column `x` of the second and third component is sample
/// `x >> shift`.
void measure_peaks_u16(
    const uint16_t *first, const uint16_t *second, const uint16_t *third, int shift, const measure_components *components,
    float *peaks, ptrdiff_t count);

/// In place: each value through `nodes`, 4096 segments from 0 to 1, straight between nodes. Gives the sum of the results and
/// raises `*largest` to the largest of them.
#define MEASURE_SEGMENT_COUNT 4096
double measure_light(float *row, ptrdiff_t count, const float *nodes, float *largest);

#endif
