// Bilinear samples and area means of floating-point images. Included by every tier.

typedef float pixel __attribute__((vector_size(16)));

static inline pixel load_pixel(const float *at) {
  pixel value;
  memcpy(&value, at, sizeof value);
  return value;
}

static inline void store_pixel(float *at, pixel value) { memcpy(at, &value, sizeof value); }

// Clamped before the conversion: a coordinate may be anything, even NaN; an index may not.
static inline double limited_place(double position, double last) {
  return position > 0.0 ? position < last ? position : last : 0.0;
}

// Positions of a few samples at a time: integer parts that leave room for a neighbor, and fractions 0 ... 1.
enum { place_count = 64 };
typedef struct {
  int32_t left[place_count], top[place_count];
  float x[place_count], y[place_count];
} places;

static inline void find_places(
    places *found, cpk_general_picture picture, double u, double v, double du, double dv, ptrdiff_t count) {
  const double lastX = (double)(picture.width - 1), lastY = (double)(picture.height - 1);
  const int32_t mostLeft = picture.width > 1 ? (int32_t)picture.width - 2 : 0;
  const int32_t mostTop = picture.height > 1 ? (int32_t)picture.height - 2 : 0;
  for (int32_t i = 0; i < (int32_t)count; i++) {
    const double x = limited_place(u + (double)i * du, lastX), y = limited_place(v + (double)i * dv, lastY);
    const int32_t left = (int32_t)x, top = (int32_t)y;
    found->left[i] = left < mostLeft ? left : mostLeft;
    found->top[i] = top < mostTop ? top : mostTop;
    found->x[i] = (float)(x - (double)found->left[i]);
    found->y[i] = (float)(y - (double)found->top[i]);
  }
}

static inline pixel interpolated(cpk_general_picture picture, const places *at, ptrdiff_t i) {
  const ptrdiff_t right = picture.width > 1 ? 4 : 0, below = picture.height > 1 ? picture.stride : 0;
  const float *base = picture.base + at->top[i] * picture.stride + at->left[i] * (ptrdiff_t)4;
  const pixel a = load_pixel(base), b = load_pixel(base + right);
  const pixel c = load_pixel(base + below), d = load_pixel(base + below + right);
  const pixel upper = a + (b - a) * at->x[i], lower = c + (d - c) * at->x[i];
  return upper + (lower - upper) * at->y[i];
}

static void general_bilinear(
    cpk_general_picture picture, double u, double v, double du, double dv, float *restrict r, float *restrict g,
    float *restrict b, float *restrict a, ptrdiff_t count) {
  places found;
  for (ptrdiff_t start = 0; start < count; start += place_count) {
    const ptrdiff_t part = count - start < place_count ? count - start : place_count;
    find_places(&found, picture, u + (double)start * du, v + (double)start * dv, du, dv, part);
    ptrdiff_t i = 0;
    for (; i + 4 <= part; i += 4) {
      const pixel p = interpolated(picture, &found, i), q = interpolated(picture, &found, i + 1);
      const pixel s = interpolated(picture, &found, i + 2), t = interpolated(picture, &found, i + 3);
      const pixel pq = __builtin_shufflevector(p, q, 0, 4, 1, 5), st = __builtin_shufflevector(s, t, 0, 4, 1, 5);
      const pixel pq2 = __builtin_shufflevector(p, q, 2, 6, 3, 7), st2 = __builtin_shufflevector(s, t, 2, 6, 3, 7);
      store_pixel(r + start + i, __builtin_shufflevector(pq, st, 0, 1, 4, 5));
      store_pixel(g + start + i, __builtin_shufflevector(pq, st, 2, 3, 6, 7));
      store_pixel(b + start + i, __builtin_shufflevector(pq2, st2, 0, 1, 4, 5));
      store_pixel(a + start + i, __builtin_shufflevector(pq2, st2, 2, 3, 6, 7));
    }
    for (; i < part; i++) {
      const pixel p = interpolated(picture, &found, i);
      r[start + i] = p[0];
      g[start + i] = p[1];
      b[start + i] = p[2];
      a[start + i] = p[3];
    }
  }
}

static void general_join(
    const float *restrict r, const float *restrict g, const float *restrict b, const float *restrict a,
    float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    out[4 * x] = r[x];
    out[4 * x + 1] = g[x];
    out[4 * x + 2] = b[x];
    out[4 * x + 3] = a[x];
  }
}

// The mean of part of a row: whole samples between two fractional ends.
static inline float span_mean(const float *in, ptrdiff_t from, ptrdiff_t to, float first, float last, float scale) {
  float sum = in[from] * first;
  for (ptrdiff_t x = from + 1; x < to; x++) sum += in[x];
  return (last > 0.0f ? sum + in[to] * last : sum) * scale;
}

static void general_reduce(
    const float *r, const float *g, const float *b, const float *a, ptrdiff_t inCount, ptrdiff_t origin, double ratio,
    ptrdiff_t first, float *restrict out, ptrdiff_t count) {
  const double end = (double)inCount;
  const float scale = (float)(1.0 / ratio);
  for (ptrdiff_t i = 0; i < count; i++) {
    double low = (double)(first + i) * ratio - (double)origin;
    double high = (double)(first + i + 1) * ratio - (double)origin;
    low = low > 0.0 ? low < end - 1.0 ? low : end - 1.0 : 0.0;
    high = high < end ? high > low ? high : low : end;
    const ptrdiff_t from = (ptrdiff_t)low, to = (ptrdiff_t)high;
    const float opening = (float)((from < to ? (double)(from + 1) : high) - low);
    const float closing = from < to && to < inCount ? (float)(high - (double)to) : 0.0f;
    out[4 * i] = span_mean(r, from, to, opening, closing, scale);
    out[4 * i + 1] = span_mean(g, from, to, opening, closing, scale);
    out[4 * i + 2] = span_mean(b, from, to, opening, closing, scale);
    out[4 * i + 3] = a ? span_mean(a, from, to, opening, closing, scale) : 1.0f;
  }
}

static void general_filter(
    const float *row, const int32_t *starts, const float *weights, ptrdiff_t taps, float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++, weights += taps) {
    const float *from = row + 4 * (ptrdiff_t)starts[i];
    // Two independent chains of sums, for instruction-level parallelism.
    pixel even = {0}, odd = {0};
    for (ptrdiff_t tap = 0; tap < taps; tap += 2) {
      even += load_pixel(from + 4 * tap) * weights[tap];
      odd += load_pixel(from + 4 * tap + 4) * weights[tap + 1];
    }
    store_pixel(out + 4 * i, even + odd);
  }
}

// Clamps an alpha that a filter has moved outside 0 ... 1, and scales color with it.
static inline pixel limited_alpha(pixel value) {
  const float alpha = value[3], kept = alpha > 0.0f ? alpha < 1.0f ? 1.0f : 1.0f / alpha : 0.0f;
  value *= kept;
  value[3] = alpha > 0.0f ? alpha < 1.0f ? alpha : 1.0f : 0.0f;
  return value;
}

static void general_limit_alpha(float *row, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) { store_pixel(row + 4 * i, limited_alpha(load_pixel(row + 4 * i))); }
}

static inline ptrdiff_t nearest_index(ptrdiff_t index, ptrdiff_t count) {
  return index < 0 ? 0 : index < count ? index : count - 1;
}

static void general_wide(
    cpk_general_picture picture, double u, double v, double du, double dv, const float *phases, float *restrict r,
    float *restrict g, float *restrict b, float *restrict a, ptrdiff_t count) {
  // Farther outside there is only the edge. Counted from there, positions are never negative.
  const double away = wide_taps, farX = (double)picture.width + 2 * away, farY = (double)picture.height + 2 * away;
  for (ptrdiff_t i = 0; i < count; i++) {
    const double x = limited_place(u + away + (double)i * du, farX), y = limited_place(v + away + (double)i * dv, farY);
    const ptrdiff_t left = (ptrdiff_t)x, top = (ptrdiff_t)y;
    float across[wide_taps], down[wide_taps];
    wide_weights(across, phases, (float)(x - (double)left));
    wide_weights(down, phases, (float)(y - (double)top));
    pixel sum = {0};
    for (ptrdiff_t row = 0; row < wide_taps; row++) {
      const float *line = picture.base + nearest_index(top + row - 2 - wide_taps, picture.height) * picture.stride;
      pixel part = {0};
      for (ptrdiff_t column = 0; column < wide_taps; column++) {
        part += load_pixel(line + 4 * nearest_index(left + column - 2 - wide_taps, picture.width)) * across[column];
      }
      sum += part * down[row];
    }
    const pixel value = limited_alpha(sum);
    r[i] = value[0];
    g[i] = value[1];
    b[i] = value[2];
    a[i] = value[3];
  }
}
