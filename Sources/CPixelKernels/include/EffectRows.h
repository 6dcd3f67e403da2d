#ifndef EFFECT_ROWS_H
#define EFFECT_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Arithmetic of effects on rows. Nothing is allocated or kept; any thread may call; counts are of samples. */

/* out[i] = sum over t < taps of row[i + t] * weights[t]. */
void effect_convolve_row(float *restrict out, const float *row, const float *weights, ptrdiff_t taps, ptrdiff_t count);
/* out[i] = sum over t < taps of rows[t][i] * weights[t]. */
void effect_convolve_rows(
    float *restrict out, const float *const *rows, const float *weights, ptrdiff_t taps, ptrdiff_t count);
/* Samples as numbers. */
void effect_widen_8(float *restrict out, const uint8_t *row, ptrdiff_t count);
void effect_widen_16(float *restrict out, const uint16_t *row, ptrdiff_t count);
/* Means of `factor` neighbours in each of `out`; `row` has factor * count samples. */
void effect_mean_row(float *restrict out, const float *row, ptrdiff_t factor, ptrdiff_t count);
/* sum += row. */
void effect_add_row(float *restrict sum, const float *row, ptrdiff_t count);
/* row *= factor. */
void effect_scale_row(float *row, float factor, ptrdiff_t count);
/* out = a + (b - a) * weight. */
void effect_lerp_rows(float *restrict out, const float *a, const float *b, float weight, ptrdiff_t count);
/* Enlarges by `factor`: out[x] lies between row[i] and row[i + 1] where (x + 0.5) / factor + 0.5 = i + fraction. */
void effect_enlarge_row(float *restrict out, const float *row, ptrdiff_t factor, ptrdiff_t count);

/* out = row * scale + offset, rounded and limited to 0 ... top. */
void effect_line_8(uint8_t *out, const uint8_t *row, float scale, float offset, ptrdiff_t count);
void effect_line_16(uint16_t *out, const uint16_t *row, float scale, float offset, float top, ptrdiff_t count);

/* A 2x2 matrix on chroma about its neutral code, and offsets. */
typedef struct effect_chroma_matrix {
  float uu, uv, vu, vv;    /* u' = uu * u + uv * v, v' = vu * u + vv * v. */
  float u, v;              /* Added, in codes, the neutral code included. */
  float neutral, top;      /* The code of no colour, and the largest one. */
} effect_chroma_matrix;
void effect_chroma_8(
    uint8_t *restrict outU, uint8_t *restrict outV, const uint8_t *u, const uint8_t *v, effect_chroma_matrix matrix,
    ptrdiff_t count);
void effect_chroma_16(
    uint16_t *restrict outU, uint16_t *restrict outV, const uint16_t *u, const uint16_t *v,
    effect_chroma_matrix matrix, ptrdiff_t count);

/* A colour that becomes transparent. */
typedef struct effect_key {
  float u, v;              /* The key's chroma in codes. */
  float neutral, top;      /* The code of no colour, and the largest one. */
  float inner, slope;      /* Alpha is 0 up to the distance `inner` in codes, then rises by `slope` for each code. */
  float wayU, wayV;        /* From neutral to the key, of length 1. */
  float spill;             /* How much of what is nearer to the key's hue than 45 degrees is taken out of what stays, 0 ... 1. */
} effect_key;
void effect_key_8(
    float *restrict alpha, uint8_t *restrict outU, uint8_t *restrict outV, const uint8_t *u, const uint8_t *v,
    effect_key key, ptrdiff_t count);
void effect_key_16(
    float *restrict alpha, uint16_t *restrict outU, uint16_t *restrict outV, const uint16_t *u, const uint16_t *v,
    effect_key key, ptrdiff_t count);
/* Alpha 0 ... 1 between two rows, `shift` = 0 or 1: log2 of samples per value; `phase` of the first sample in values. */
void effect_spread_8(
    uint8_t *restrict out, const float *a, const float *b, float weight, ptrdiff_t shift, float phase, ptrdiff_t count);
void effect_spread_16(
    uint16_t *restrict out, const float *a, const float *b, float weight, ptrdiff_t shift, float phase, float top,
    ptrdiff_t count);

/* A cube of colours; red changes fastest. */
typedef struct effect_cube {
  const float *table;      /* R, G, B and one unused number for each node. */
  int32_t side;            /* Nodes along each edge, at least 2. */
  float low[3], scale[3];  /* Node = (value - low) * scale, limited to 0 ... side - 1. */
  int32_t isOneDimensional;/* The table has `side` nodes, looked up for each component alone. */
} effect_cube;
/* R, G, B, A in 0 ... 65535, looked up with tetrahedral (one-dimensional: linear) interpolation; alpha is kept. */
void effect_cube_row(uint16_t *restrict out, const uint16_t *row, const effect_cube *cube, ptrdiff_t count);

/* The name of a blend mode with underscores, such as "color_dodge"; NULL for a number that is none. Modes are numbered from 0 in the
   order of BlendMode in CompositorAPI. */
const char *blend_mode_name(int32_t mode);
/* R, G, B, A straight in 0 ... 65535: `over` on `under` by a blend mode with an opacity. `out` may be either. */
void effect_blend_row(
    uint16_t *out, const uint16_t *under, const uint16_t *over, int32_t mode, float opacity, ptrdiff_t count);

#endif
