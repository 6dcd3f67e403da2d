/// Rows of samples to rows of floats and back: the two ends of the general route.
///
/// Every function works on one row, allocates nothing, keeps nothing, and gives the same bits on every tier. `count` is in
/// positions and may be 0. Rows must not overlap unless a function says that it works in place. Floats are nominal values:
/// 0 … 1 for Y', R', G', B' and alpha, -0.5 … 0.5 for Cb and Cr; values outside are kept.
#ifndef CONVERT_ROWS_H
#define CONVERT_ROWS_H

#include <stddef.h>
#include <stdint.h>

/// Asks for bytes that will be read soon; any address may be named.
void convert_prefetch(const void *bytes, ptrdiff_t count);

/// `out = (in >> shift) * scale + offset`, reading every `step`-th sample.
void convert_load_u8(const uint8_t *in, ptrdiff_t step, float *out, ptrdiff_t count, float scale, float offset);
void convert_load_u16(
    const uint16_t *in, ptrdiff_t step, int shift, float *out, ptrdiff_t count, float scale, float offset);
/// IEEE binary16; infinities and NaN become large finite numbers.
void convert_load_f16(const uint16_t *in, ptrdiff_t step, float *out, ptrdiff_t count);
/// IEEE binary32; what is not finite becomes 0.
void convert_load_f32(const float *in, ptrdiff_t step, float *out, ptrdiff_t count);

/// `out = round(min(max(in * scale + offset, 0), maximum)) << shift`, writing every `step`-th sample; NaN gives 0.
void convert_store_u8(
    const float *in, uint8_t *out, ptrdiff_t step, ptrdiff_t count, float scale, float offset);
void convert_store_u16(
    const float *in, uint16_t *out, ptrdiff_t step, int shift, ptrdiff_t count, float scale, float offset, float maximum);
/// IEEE binary16, rounded to nearest even, limited to the largest finite number.
void convert_store_f16(const float *in, uint16_t *out, ptrdiff_t step, ptrdiff_t count);
void convert_store_f32(const float *in, float *out, ptrdiff_t step, ptrdiff_t count);

/// In place: adds `step` times the ordered pattern's value, -63/128 … 63/128, at columns 0 … and row `y`: dithering of codes
/// that are `step` apart. The pattern repeats every 8 columns and rows.
void convert_dither(float *row, ptrdiff_t count, ptrdiff_t y, float step);

/// In place: `(a, b, c) = m · (a, b, c)`, `m` by rows.
void convert_matrix(float *a, float *b, float *c, ptrdiff_t count, const float m[9]);

/// In place: a curve through `nodes`, 256 segments per octave from 2^-32 to 2^12; odd. A node is two numbers, its value and four times
/// what the curve lies above the straight line half way to the next: between nodes it is a parabola, below the first straight. The
/// last segment's end holds above.
#define CONVERT_CURVE_FIRST_EXPONENT (-32)
#define CONVERT_CURVE_LAST_EXPONENT 12
#define CONVERT_CURVE_NODE_COUNT ((CONVERT_CURVE_LAST_EXPONENT - CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1)
void convert_curve(float *row, ptrdiff_t count, const float *nodes);

/// In place: all three rows times the curve of `weights · (a, b, c)`, or of the largest where `weights` is NULL; the curve of
/// what is below 0 is that of 0.
void convert_factor(
    float *a, float *b, float *c, ptrdiff_t count, const float weights[3], const float *nodes);

/// In place: where a component is below 0, all are moved towards the grey of the luminance `weights · (a, b, c)` until none is;
/// black where that is not above 0. Where `weights` is NULL, components below 0 become 0.
void convert_gamut(float *a, float *b, float *c, ptrdiff_t count, const float weights[3]);

/// In place: `row *= alpha`.
void convert_multiply(float *row, const float *alpha, ptrdiff_t count);
/// In place: `row /= alpha`; 0 where alpha is 0 or less.
void convert_divide(float *row, const float *alpha, ptrdiff_t count);

/// `out = a + (b - a) * weight`; `out` may be `a`.
void convert_mix(const float *a, const float *b, float weight, float *out, ptrdiff_t count);

/// Twice the columns, bilinear: column `x` of `out` is luma column `first + x`; chroma sample `i` sits at luma column `2i`
/// (`centered` 0) or `2i + 0.5` (1). `in` has `inCount` samples, of which the outer ones hold beyond the edges.
void convert_upsample(
    const float *in, ptrdiff_t inCount, int centered, ptrdiff_t first, float *out, ptrdiff_t count);
/// Half the columns: (1, 2, 1) / 4 about column `2i` (`centered` 0), or the mean of columns `2i` and `2i + 1` (1); edges hold.
/// `out` has `(count + 1) / 2` samples.
void convert_downsample(const float *in, ptrdiff_t count, int centered, float *out);
/// `out = (a + 2 b + c) / 4`.
void convert_smooth(const float *a, const float *b, const float *c, float *out, ptrdiff_t count);

#endif
