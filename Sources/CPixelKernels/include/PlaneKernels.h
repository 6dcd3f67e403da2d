/// Planes of 8 and 16 bits: what the kernels of PlaneKernels.def take.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { cpk_tile_side = 8, cpk_tile_samples = 64 };

/// What is the same for every 8x8 tile of a warp: where its samples stand relative to its first one.
typedef struct cpk_warp8_plan {
  int32_t x[cpk_tile_samples], y[cpk_tile_samples];  ///< Offsets in 1/4096 of a sample of the picture.
  int32_t x_least, y_least;                          ///< The smallest of them.
  float u[cpk_tile_samples], v[cpk_tile_samples];    ///< Offsets in footprints, for coverage.
} cpk_warp8_plan;

/// A band of a warped layer of bytes, or of words of at most 10 bits, up to 8 rows high, done by tiles of 8x8 samples.
///
/// Positions are 32.32 fixed point in samples of the picture: a whole number is the center of a sample. A tile reads a window
/// of 16x16 samples, whose top left is clamped to x_min ... x_max, y_min ... y_max: all those windows must be readable memory.
/// No tile may span more than 14 samples of the picture in either direction.
typedef struct cpk_warp8_band {
  uint8_t *dst;            ///< Top left of the band.
  ptrdiff_t dst_stride;    ///< Bytes from row to row.
  size_t columns, rows;    ///< Samples to do; rows 1 ... 8.
  const uint8_t *src;      ///< Sample (0, 0) of the picture.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t x_min, x_max, y_min, y_max;  ///< Bounds of a window's top left.
  int64_t x, y;            ///< Position of the first destination sample.
  int64_t x_step, y_step;  ///< From one destination column to the next.
  int32_t weight;          ///< 0 ... 32768, where 32768 replaces the destination.
  int32_t is_covered;      ///< 1 where every sample is covered fully; 0: coverage is weighed in from the fields below.
  float left, right, top, bottom;  ///< Distance of the first sample inside each edge in footprints, plus one half.
  float u_step, v_step;            ///< Step of left and top, in footprints, from one destination column to the next.
} cpk_warp8_band;

/// Taps of a filter in fixed point, at most; there are always an even number.
enum { cpk_filter_taps = 512 };

/// Filters of no more taps than this begin at any column. No 16 of their columns in a row may reach more than 32 of the source's.
enum { cpk_filter_few_taps = 8 };

/// Rows of a plane and what each counts: a filter down the columns.
///
/// Sums must fit 31 bits and, shifted, 16; weights that are not all positive add up to more than they sum to.
typedef struct cpk_filter_rows {
  const void *src;         ///< The first of the columns to sum, in row 0.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t first;           ///< Row of the first tap; rows above 0 and below `height` - 1 are those.
  int32_t height;          ///< Rows of the plane, at least 1.
  const int16_t *weights;  ///< One for each tap.
  size_t taps;             ///< An even number, 2 ... cpk_filter_taps.
  int32_t shift;           ///< 1 ... 30.
} cpk_filter_rows;

/// Rows of words, and for each column of the destination what its neighbors count: a filter along the rows.
typedef struct cpk_filter_columns {
  const int16_t *src;      ///< Column 0 of the first row.
  ptrdiff_t src_stride;    ///< Words from row to row.
  const int32_t *starts;   ///< Columns of the first taps, which only rise or only fall; even numbers unless taps are few.
  const int16_t *weights;  ///< `taps` for each column of the destination.
  size_t taps;             ///< An even number, 2 ... cpk_filter_taps.
  int32_t shift;           ///< 1 ... 30.
} cpk_filter_columns;

/// One row of source positions, 32.32 fixed point, in samples of a plane of `width` x `height`; positions outside are clamped.
typedef struct cpk_sample_row {
  const void *src;         ///< Sample (0, 0) of the source plane.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t width, height;   ///< Samples, at least 1 each.
  int64_t x, y;            ///< Position of the first output sample.
  int64_t dx, dy;          ///< Step from one output sample to the next.
} cpk_sample_row;

/// Places between two neighbors at which the weights of six by six are held.
enum { cpk_wide_phases = 1024 };

/// Coverage along one axis of the source: how much of the footprint around a position lies in [low, high).
typedef struct cpk_coverage_axis {
  double position;         ///< Of the first output sample.
  double step;             ///< From one output sample to the next.
  double footprint;        ///< Width of one output sample, > 0.
  double low, high;        ///< The interval that is covered.
} cpk_coverage_axis;

/// A curve in 32 cubic pieces, which stand at equal steps of a float's bit pattern: 32, 8, 4 or 1 to an octave.
///
/// `x` (its root where `takes_root`) times `scale` plus `bias`, limited to low ... high, is what the pieces are polynomials of.
typedef struct cpk_light_curve {
  float coefficients[4][32];  ///< Of the third power down to the constant; piece `bits >> shift & 31`.
  float scale, bias;
  float low, high;
  int32_t shift;
  bool takes_root;
  bool is_odd;                ///< What is below 0 has the curve of its size, negated.
} cpk_light_curve;

/// A value that changes evenly along a row; 0 ... 1 are weights, what is outside is clamped.
typedef struct cpk_mask_line {
  float start, step;
} cpk_mask_line;

/// peak + slope * |position|, never above cap, where the position runs evenly along a row and, with a period > 0, is taken to
/// the nearest multiple of it.
typedef struct cpk_mask_fold {
  float start, step;       ///< Position of the first sample, and from one to the next.
  float period, frequency; ///< Both 0, or the period and 1 / period.
  float peak, slope, cap;
} cpk_mask_fold;

/// peak + slope * the distance from a point.
typedef struct cpk_mask_circle {
  float start, step;       ///< Columns from the point to the first sample, and from one sample to the next.
  float y_squared;         ///< Rows from the point, squared.
  float peak, slope;
} cpk_mask_circle;

/// (level - noise) * slope, where noise is a fixed number 0 ... 1 of each cell.
typedef struct cpk_mask_noise {
  uint32_t first, step;    ///< Column of the first sample, and from one to the next.
  uint32_t shift;          ///< log2 of a cell's columns.
  uint32_t seed;           ///< Of the row of cells.
  float level, slope;
} cpk_mask_noise;

/// Fills a plan from the steps of the position (32.32 fixed point) and of the coverage coordinates (in footprints) from one
/// destination column and row to the next.
void cpk_make_warp8_plan(cpk_warp8_plan *plan, int64_t x_by_column, int64_t y_by_column, int64_t x_by_row, int64_t y_by_row,
                         float u_by_column, float v_by_column, float u_by_row, float v_by_row);
