/// Planes of 8 and 16 bits: types for the kernels of PlaneKernels.def.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { cpk_tile_side = 8, cpk_tile_samples = 64 };

/// The part that is the same for every 8x8 tile of a warp: the positions of its samples relative to the first one.
typedef struct cpk_warp8_plan {
  int32_t x[cpk_tile_samples], y[cpk_tile_samples];  ///< Offsets in 1/4096 of a source sample.
  int32_t x_least, y_least;                          ///< The smallest of them.
  float u[cpk_tile_samples], v[cpk_tile_samples];    ///< Offsets in footprints, for coverage.
} cpk_warp8_plan;

/// A band of a warped layer of 8-bit samples, or of 16-bit samples of at most 10 bits: up to 8 rows, processed in tiles of 8x8 samples.
///
/// Positions are in source samples, 32.32 fixed point: an integer is the center of a sample. A tile reads a window of 16x16 samples, whose top left
/// is clamped to x_min ... x_max, y_min ... y_max; all those windows must be readable memory. No tile may span more than 14 source samples in either
/// direction.
typedef struct cpk_warp8_band {
  uint8_t *dst;            ///< Top left of the band.
  ptrdiff_t dst_stride;    ///< Bytes from row to row.
  size_t columns, rows;    ///< Samples to make; rows 1 ... 8.
  const uint8_t *src;      ///< Sample (0, 0) of the source.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t x_min, x_max, y_min, y_max;  ///< Bounds of a window's top left.
  int64_t x, y;            ///< Position of the first destination sample.
  int64_t x_step, y_step;  ///< From one destination column to the next.
  int32_t weight;          ///< 0 ... 32768, where 32768 replaces the destination.
  int32_t is_covered;      ///< 1 if every sample is fully covered; 0 to compute coverage from the fields below.
  float left, right, top, bottom;  ///< Distance of the first sample inside each edge in footprints, plus one half.
  float u_step, v_step;            ///< Step of left and top, in footprints, from one destination column to the next.
} cpk_warp8_band;

/// The maximum number of taps of a fixed-point filter; the number of taps is always even.
enum { cpk_filter_taps = 512 };

/// Filters with at most this many taps may start at any column. No 16 consecutive columns may reach more than 32 source columns.
enum { cpk_filter_few_taps = 8 };

/// Rows of a plane and their weights: a filter down the columns.
///
/// Sums must fit 31 bits and, shifted, 16 bits; with negative weights, partial sums exceed the total.
typedef struct cpk_filter_rows {
  const void *src;         ///< The first column to sum, in row 0.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t first;           ///< Row of the first tap; edge rows repeat outside 0 ... `height` - 1.
  int32_t height;          ///< Rows of the plane, at least 1.
  const int16_t *weights;  ///< One per tap.
  size_t taps;             ///< An even number, 2 ... cpk_filter_taps.
  int32_t shift;           ///< 1 ... 30.
} cpk_filter_rows;

/// Rows of 16-bit values, and the weights of each destination column's neighbors: a filter along the rows.
typedef struct cpk_filter_columns {
  const int16_t *src;      ///< Column 0 of the first row.
  ptrdiff_t src_stride;    ///< 16-bit values from row to row.
  const int32_t *starts;   ///< Columns of the first taps, monotonic; even unless there are few taps.
  const int16_t *weights;  ///< `taps` per destination column.
  size_t taps;             ///< An even number, 2 ... cpk_filter_taps.
  int32_t shift;           ///< 1 ... 30.
  bool is_halving;         ///< Each column's taps begin two columns after those of the previous one, with the same weights.
} cpk_filter_columns;

/// One row of source positions, 32.32 fixed point, in samples of a plane of `width` x `height`; positions outside are clamped.
typedef struct cpk_sample_row {
  const void *src;         ///< Sample (0, 0) of the source plane.
  ptrdiff_t src_stride;    ///< Bytes from row to row.
  int32_t width, height;   ///< Samples, at least 1 each.
  int64_t x, y;            ///< Position of the first output sample.
  int64_t dx, dy;          ///< Step from one output sample to the next.
} cpk_sample_row;

/// The number of positions between two neighbors for which weights of six by six are stored.
enum { cpk_wide_phases = 1024 };

/// Coverage along one axis of the source: the part of the footprint around a position that lies in [low, high).
typedef struct cpk_coverage_axis {
  double position;         ///< Of the first output sample.
  double step;             ///< From one output sample to the next.
  double footprint;        ///< Width of one output sample, > 0.
  double low, high;        ///< The interval that is covered.
} cpk_coverage_axis;

/// A curve in 32 cubic pieces at equal steps of a float's bit pattern: 32, 8, 4 or 1 per octave.
///
/// The pieces are polynomials of `x` (its square root if `takes_root`) times `scale` plus `bias`, clamped to low ... high.
typedef struct cpk_light_curve {
  float coefficients[4][32];  ///< From the third power down to the constant; piece `bits >> shift & 31`.
  float scale, bias;
  float low, high;
  int32_t shift;
  bool takes_root;
  bool is_odd;                ///< The curve of a negative value is the negated curve of its magnitude.
} cpk_light_curve;

/// A value that changes linearly along a row; weights are 0 ... 1, values outside are clamped.
typedef struct cpk_mask_line {
  float start, step;
} cpk_mask_line;

/// peak + slope * |position|, at most cap. The position changes linearly along a row and, with a period > 0, is measured from the nearest multiple of
/// it.
typedef struct cpk_mask_fold {
  float start, step;       ///< Position of the first sample, and from one to the next.
  float period, frequency; ///< The period and 1 / period, or both 0.
  float peak, slope, cap;
} cpk_mask_fold;

/// peak + slope * the distance from a point.
typedef struct cpk_mask_circle {
  float start, step;       ///< Columns from the point to the first sample, and from one sample to the next.
  float y_squared;         ///< Rows from the point, squared.
  float peak, slope;
} cpk_mask_circle;

/// (level - noise) * slope, where noise is a fixed number 0 ... 1 per cell.
typedef struct cpk_mask_noise {
  uint32_t first, step;    ///< Column of the first sample, and from one to the next.
  uint32_t shift;          ///< log2 of a cell's columns.
  uint32_t seed;           ///< Seed of the row of cells.
  float level, slope;
} cpk_mask_noise;

/// Fills a plan from the steps of the position (32.32 fixed point) and of the coverage coordinates (in footprints), from one destination column and
/// row to the next.
void cpk_make_warp8_plan(cpk_warp8_plan *plan, int64_t x_by_column, int64_t y_by_column, int64_t x_by_row, int64_t y_by_row,
                         float u_by_column, float v_by_column, float u_by_row, float v_by_row);
