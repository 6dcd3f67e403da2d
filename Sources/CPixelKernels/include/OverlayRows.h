/// Rows of title layers: coverage, blending into frames, and premultiplied R, G, B, A surfaces in float.
///
/// Weights and 16-bit codes are fractions of 65536; 8-bit codes count as code · 256. A weight of 65535 is full coverage.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A rectangle of 8-bit coverage.
typedef struct {
  const uint8_t *bytes;
  ptrdiff_t stride;
  int32_t width, height;
} overlay_mask;

/// A line through a mask or a picture: the place of pixel i is ((u + i·du) / (w + i·dw), (v + i·dv) / (w + i·dw)).
typedef struct {
  double u, v, w, du, dv, dw;
} overlay_line;

/// Coverage of a row at whole pixels. `opacity` 0 … 65535.
void overlay_mask_row(const uint8_t *mask, uint16_t opacity, uint16_t *out, ptrdiff_t count);
/// Coverage of a row between pixels: `fx` and `fy` (0 … 255 of 256) from the sample before. Reads `top` and `bottom` at -1.
void overlay_mask_row_shifted(
    const uint8_t *top, const uint8_t *bottom, uint32_t fx, uint32_t fy, uint16_t opacity, uint16_t *out, ptrdiff_t count);
/// Coverage of a row anywhere, bilinear, 0 outside the mask.
void overlay_mask_row_mapped(
    const overlay_mask *mask, const overlay_line *line, uint16_t opacity, uint16_t *out, ptrdiff_t count);
/// Raises each coverage to at least that of another row.
void overlay_raise_row(uint8_t *row, const uint8_t *other, ptrdiff_t count);
/// Between two pairs of rows of weights or codes, bilinear; reads `top` and `bottom` at -1.
void overlay_codes_shifted(
    const uint16_t *top, const uint16_t *bottom, uint32_t fx, uint32_t fy, uint16_t *out, ptrdiff_t count);

/// Weights of subsampled chroma from the luma weights of the row above, its own and the one below. `taps` are parts of 4: of
/// the three rows, then of three columns. Reads each row from 2·i − 1 to 2·i + 1.
void overlay_chroma_weights(
    const uint16_t *a, const uint16_t *b, const uint16_t *c, const int32_t taps[6], uint16_t *out, ptrdiff_t count);

/// Blends one code over a row: `step` samples from one position to the next.
void overlay_solid_8(uint8_t *row, ptrdiff_t step, const uint16_t *weights, uint16_t code, ptrdiff_t count);
/// The same for samples of `16 - shift` bits in 16-bit words that are moved up by `shift` to be fractions.
void overlay_solid_16(
    uint16_t *row, ptrdiff_t step, int32_t shift, const uint16_t *weights, uint16_t code, ptrdiff_t count);
/// Blends a premultiplied row over a row: `codes` and `weights` were multiplied by their coverage, both by `opacity` now.
void overlay_codes_8(
    uint8_t *row, ptrdiff_t step, const uint16_t *codes, const uint16_t *weights, uint16_t opacity, ptrdiff_t count);
/// The same for 16-bit words.
void overlay_codes_16(
    uint16_t *row, ptrdiff_t step, int32_t shift, const uint16_t *codes, const uint16_t *weights, uint16_t opacity,
    ptrdiff_t count);

/// Surfaces: rows of premultiplied R, G, B, A.
///
/// Covers with one colour (premultiplied `color`).
void overlay_surface_solid(float *row, const uint16_t *weights, const float color[4], ptrdiff_t count);
/// Covers with a row of premultiplied colours, as far as weights (NULL for everywhere) say.
void overlay_surface_over(float *row, const float *source, const uint16_t *weights, float opacity, ptrdiff_t count);
/// Multiplies by the alpha of another row.
void overlay_surface_mask(float *row, const float *source, ptrdiff_t count);
/// Multiplies by weights.
void overlay_surface_weigh(float *row, const uint16_t *weights, ptrdiff_t count);
/// Blends by a mode, numbered from 0 in the order of BlendMode in CompositorAPI.
void overlay_surface_blend(float *row, const float *source, float opacity, int32_t mode, ptrdiff_t count);

/// A picture of premultiplied R, G, B, A, 16 bits each.
typedef struct {
  const uint16_t *pixels;
  ptrdiff_t stride;
  int32_t width, height;
} overlay_picture;
/// A row of a picture, bilinear, its edge repeated outside. Places are limited to `limits` (left, top, right, bottom).
void overlay_picture_row(
    const overlay_picture *picture, const overlay_line *line, const double limits[4], float *out, ptrdiff_t count);
/// A row of a gradient: `kind` 0 axial, 1 radial, 2 conic along the line; `table` has 1025 premultiplied colours.
void overlay_gradient_row(int32_t kind, const overlay_line *line, const float *table, float *out, ptrdiff_t count);

/// One component of a surface's row as codes: `(m · rgb) · scale + alpha · offset`, in fractions of 65536.
void overlay_surface_codes(
    const float *row, const float matrix[3], float scale, float offset, float *out, ptrdiff_t count);
/// Rounds to 16 bits.
void overlay_pack(const float *row, uint16_t *out, ptrdiff_t count);
/// Chroma of a subsampled plane from three rows of codes; as `overlay_chroma_weights`, in float.
void overlay_chroma_codes(
    const float *const rows[3], const float vertical[3], const float horizontal[3], float *out, ptrdiff_t count);

/// Values of a row of samples: `(code - offset) · scale`. `step` samples from one position to the next.
void overlay_read_8(const uint8_t *row, ptrdiff_t step, float offset, float scale, float *out, ptrdiff_t count);
/// The same for samples that are moved up by `padding` in 16-bit words.
void overlay_read_16(
    const uint16_t *row, ptrdiff_t step, int32_t padding, float offset, float scale, float *out, ptrdiff_t count);
/// Between two rows.
void overlay_mean_rows(const float *top, const float *bottom, float share, float *out, ptrdiff_t count);
/// Two samples for each: parts of the one before, itself and the one after. Reads `row` from -1 to `pairs`.
void overlay_double_row(const float *row, const float even[3], const float odd[3], float *out, ptrdiff_t pairs);
/// A surface's row from three components and alpha: `matrix` by rows; straight colours are multiplied by alpha.
void overlay_surface_from_components(
    const float *const parts[4], const float matrix[9], bool is_straight, float *out, ptrdiff_t count);
/// Takes one row of values from another.
void overlay_subtract(float *row, const float *other, ptrdiff_t count);
/// Adds changes, in fractions of 65536, to a row of samples, rounded and kept within what they can say.
void overlay_add_8(uint8_t *row, ptrdiff_t step, const float *change, ptrdiff_t count);
/// The same for samples of `16 - shift` bits.
void overlay_add_16(uint16_t *row, ptrdiff_t step, int32_t shift, const float *change, ptrdiff_t count);
/// Values 0 … 1, cut off there, as 16 bits.
void overlay_pack_signal(const float *row, uint16_t *out, ptrdiff_t count);
/// Means of four pixels of R, G, B, A each; `next` is the distance to the right neighbour, 4 or 0.
void overlay_halve_row(const uint16_t *top, const uint16_t *bottom, ptrdiff_t next, uint16_t *out, ptrdiff_t count);
