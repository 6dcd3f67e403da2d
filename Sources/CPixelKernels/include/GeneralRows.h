/// Compositing and resampling of float rows: the middle of the general route.
///
/// Rules as in ConvertRows.h. Colour is multiplied by alpha before it comes here.
#ifndef GENERAL_ROWS_H
#define GENERAL_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// In place: `under += (over - under) * weight`: an opaque layer.
void general_over_opaque(float *under, const float *over, float weight, ptrdiff_t count);
/// The same with a weight per column.
void general_over_weights(float *under, const float *over, const float *weight, ptrdiff_t count);
/// In place: `under = over * weight + under * (1 - alpha * weight)`: Porter-Duff over.
void general_over_alpha(
    float *under, const float *over, const float *alpha, const float *weight, ptrdiff_t count);

/// Coverage along one axis: a sample of `footprint` source samples about `position` against the interval [low, high).
typedef struct {
  double position, step, footprint, low, high;
} general_coverage_axis;
/// `out = opacity * coverage(x) * coverage(y)` for `count` destination columns; `position` moves by `step` per column.
void general_coverage(
    general_coverage_axis x, general_coverage_axis y, double opacity, float *out, ptrdiff_t count);

/// A picture of interleaved R, G, B, A floats.
typedef struct {
  const float *base;
  /// Floats from row to row.
  ptrdiff_t stride;
  ptrdiff_t width, height;
} general_picture;
/// Bilinear, edges hold: column `i` samples at (`u + i * du`, `v + i * dv`), where 0 is the centre of the first sample. Any
/// coordinate will do. Components come out in rows of their own.
void general_bilinear(
    general_picture picture, double u, double v, double du, double dv, float *r, float *g, float *b, float *a,
    ptrdiff_t count);

/// Interleaves four rows.
void general_join(const float *r, const float *g, const float *b, const float *a, float *out, ptrdiff_t count);

/// In place: `sum += row * weight`.
void general_accumulate(float *sum, const float *row, float weight, ptrdiff_t count);
/// Area means along four rows, interleaved: sample `i` of `out` is the mean over [(first + i) * ratio, (first + i + 1) * ratio)
/// of each row, whose sample 0 stands at column `origin`; what rounding puts outside the rows is left out. Where `a` is NULL,
/// alpha is 1.
void general_reduce(
    const float *r, const float *g, const float *b, const float *a, ptrdiff_t inCount, ptrdiff_t origin, double ratio,
    ptrdiff_t first, float *out, ptrdiff_t count);

#endif
