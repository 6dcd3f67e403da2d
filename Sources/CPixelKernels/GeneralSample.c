#include <string.h>

#include "GeneralRows.h"
#include "RowTiers.h"

#pragma STDC FP_CONTRACT OFF

typedef float pixel __attribute__((vector_size(16)));

static inline pixel load_pixel(const float *at) {
  pixel value;
  memcpy(&value, at, sizeof value);
  return value;
}

// Limited before the conversion: a coordinate may be anything finite, an index may not.
static inline double limited(double position, ptrdiff_t count) {
  const double last = (double)(count - 1);
  return position > 0.0 ? position < last ? position : last : 0.0;
}

ROW_TIERS
void general_bilinear(
    general_picture picture, double u, double v, double du, double dv, float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const double x = limited(u + (double)i * du, picture.width);
    const double y = limited(v + (double)i * dv, picture.height);
    const ptrdiff_t left = (ptrdiff_t)x, top = (ptrdiff_t)y;
    const float fx = (float)(x - (double)left), fy = (float)(y - (double)top);
    const float *at = picture.base + top * picture.stride + left * 4;
    const ptrdiff_t right = left + 1 < picture.width ? 4 : 0;
    const ptrdiff_t below = top + 1 < picture.height ? picture.stride : 0;
    const pixel a = load_pixel(at), b = load_pixel(at + right);
    const pixel c = load_pixel(at + below), d = load_pixel(at + below + right);
    const pixel upper = a + (b - a) * fx;
    const pixel lower = c + (d - c) * fx;
    const pixel value = upper + (lower - upper) * fy;
    memcpy(out + 4 * i, &value, sizeof value);
  }
}

ROW_TIERS
void general_join(
    const float *restrict r, const float *restrict g, const float *restrict b, const float *restrict a,
    float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    out[4 * x] = r[x];
    out[4 * x + 1] = g[x];
    out[4 * x + 2] = b[x];
    out[4 * x + 3] = a[x];
  }
}

ROW_TIERS
void general_split(
    const float *restrict in, float *restrict r, float *restrict g, float *restrict b, float *restrict a,
    ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    r[x] = in[4 * x];
    g[x] = in[4 * x + 1];
    b[x] = in[4 * x + 2];
    a[x] = in[4 * x + 3];
  }
}

void general_reduce(
    const float *restrict in, ptrdiff_t inCount, ptrdiff_t origin, double ratio, ptrdiff_t first,
    float *restrict out, ptrdiff_t count) {
  const double end = (double)inCount, scale = 1.0 / ratio;
  for (ptrdiff_t i = 0; i < count; i++) {
    double low = (double)(first + i) * ratio - (double)origin;
    double high = (double)(first + i + 1) * ratio - (double)origin;
    low = low > 0.0 ? low : 0.0;
    high = high < end ? high : end;
    const ptrdiff_t from = (ptrdiff_t)low;
    const ptrdiff_t to = (ptrdiff_t)high;
    float sum = 0.0f;
    if (from < to) {
      sum = in[from] * (float)((double)(from + 1) - low);
      for (ptrdiff_t x = from + 1; x < to; x++) sum += in[x];
      if (to < inCount) sum += in[to] * (float)(high - (double)to);
    } else if (from < inCount) {
      sum = in[from] * (float)(high - low);
    }
    out[i] = sum * (float)scale;
  }
}
