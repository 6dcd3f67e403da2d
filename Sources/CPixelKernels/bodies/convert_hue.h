// Lines of constant hue. Included by every tier.

static inline float least_of(float a, float b) { return a < b ? a : b; }
static inline float most_of(float a, float b) { return a > b ? a : b; }

static inline double greater_of(double a, double b) { return a > b ? a : b; }
static inline double smaller_of(double a, double b) { return a < b ? a : b; }

// x^(-1/12) for x >= 0: a first estimate from the exponent, good to three percent, then Newton's method without roots or divisions; all but its last
// step in single precision. 0 gives a large number, and below 2^-120, where powers would overflow, the result is too small.
static inline double twelfth_root_reciprocal(double x) {
  const float value = most_of((float)x, 0x1p-120f);
  float near = from_bits(0x44c42e82u - (uint32_t)(int32_t)((float)(int32_t)to_bits(value) * (1.0f / 12.0f)));
  for (int i = 0; i < 3; i++) {
    const float y2 = near * near, y4 = y2 * y2;
    near = near * (13.0f - value * (y4 * y4 * y4)) * (1.0f / 12.0f);
  }
  const double y = (double)near, y2 = y * y, y4 = y2 * y2;
  return y * (13.0 - x * (y4 * y4 * y4)) * (1.0 / 12.0);
}

static inline double eleventh_power(double x) {
  const double x2 = x * x, x4 = x2 * x2;
  return x4 * x4 * (x2 * x);
}

// 1 - (1 - e)^12, accurate for small e.
static inline double twelfth_loss(double e) {
  const double e2 = e * (2.0 - e), e4 = e2 * (2.0 - e2);
  return e4 * (3.0 - e4 * (3.0 - e4));
}

typedef struct hue_pixel {
  float a, b, c;
} hue_pixel;

// In double precision: near black, twelfth powers of single-precision rounding errors would be visible.
static inline hue_pixel on_hue_line(hue_pixel in, const cpk_hue_lines *t) {
  const double *m = t->to_lms, *n = t->to_rgb;
  const double red = (double)in.a, green = (double)in.b, blue = (double)in.c;
  const double l = m[0] * red + m[1] * green + m[2] * blue;
  const double p = m[3] * red + m[4] * green + m[5] * blue;
  const double s = m[6] * red + m[7] * green + m[8] * blue;
  const double lp = greater_of(l, 0.0), pp = greater_of(p, 0.0), sp = greater_of(s, 0.0);
  const double lr = twelfth_root_reciprocal(lp), pr = twelfth_root_reciprocal(pp), sr = twelfth_root_reciprocal(sp);
  const double lq = lp * eleventh_power(lr), pq = pp * eleventh_power(pr), sq = sp * eleventh_power(sr);
  const double intensity = greater_of((lq + pq) * 0.5, 0x1p-12);
  const double ct = (6610.0 / 4096.0 * lq - 13613.0 / 4096.0 * pq) + 7003.0 / 4096.0 * sq;
  const double cp = (17933.0 / 4096.0 * lq - 17390.0 / 4096.0 * pq) - 543.0 / 4096.0 * sq;
  const double size = greater_of((ct < 0.0 ? -ct : ct) + (cp < 0.0 ? -cp : cp), 0x1p-60);
  // One division for two.
  const double both = 1.0 / (size * intensity);
  const double one_over = both * size, share = cp * (both * intensity);
  const double place = ((ct < 0.0 ? 2.0 - share : share) + 1.0) * (double)(cpk_hue_cell_count / 4);
  const int32_t cell = bounded((int32_t)place, 0, cpk_hue_cell_count - 1);
  const double low = t->reciprocals[cell], high = t->reciprocals[cell + 1];
  const double distance = size * one_over * (low + (high - low) * (place - (double)cell));
  const double beyond = distance - t->knee;
  const double way = beyond * beyond / (distance * (beyond + (1.0 - t->knee)));
  // At least a sixteenth of the intensity, so that the map stays invertible near 0.
  const double i2 = intensity * intensity, i4 = i2 * i2;
  const double floor = i4 * i4 * i4 * 0x1p-48, ceiling = 16.0 * one_over;
  const double lf = greater_of(lp, floor), pf = greater_of(pp, floor), sf = greater_of(sp, floor);
  const double dl = (lf - l) - lf * twelfth_loss(way * (1.0 - intensity * smaller_of(lr, ceiling)));
  const double dp = (pf - p) - pf * twelfth_loss(way * (1.0 - intensity * smaller_of(pr, ceiling)));
  const double ds = (sf - s) - sf * twelfth_loss(way * (1.0 - intensity * smaller_of(sr, ceiling)));
  const int moves = beyond > 0.0;
  const double a = moves ? red + (n[0] * dl + n[1] * dp + n[2] * ds) : red;
  const double b = moves ? green + (n[3] * dl + n[4] * dp + n[5] * ds) : green;
  const double c = moves ? blue + (n[6] * dl + n[7] * dp + n[8] * ds) : blue;
  return (hue_pixel){(float)greater_of(a, 0.0), (float)greater_of(b, 0.0), (float)greater_of(c, 0.0)};
}

// Whether no color of a block changes, as in most blocks of most frames.
static inline int is_plain_block(const float *a, const float *b, const float *c, ptrdiff_t count, float share) {
  int colored = 0;
  for (ptrdiff_t x = 0; x < count; x++) {
    const float least = least_of(least_of(a[x], b[x]), c[x]), most = most_of(most_of(a[x], b[x]), c[x]);
    colored |= least < share * most;
  }
  return !colored;
}

// Collects the colors that may change, out of 64, contiguously; returns their number.
static inline int collect_colored(
    const float *a, const float *b, const float *c, ptrdiff_t count, float share, float out[3][64], uint8_t places[64]) {
  int found = 0;
  for (ptrdiff_t x = 0; x < count; x++) {
    const float least = least_of(least_of(a[x], b[x]), c[x]), most = most_of(most_of(a[x], b[x]), c[x]);
    out[0][found] = a[x];
    out[1][found] = b[x];
    out[2][found] = c[x];
    places[found] = (uint8_t)x;
    found += least < share * most;
  }
  return found;
}

// Two vectors of colors at a time, because the calculation of one is a long chain. The compiler overestimates the cost of table look-ups, and by itself
// it avoids the widest registers.
enum { hue_vectors = 16 };
#ifdef CPK_WIDE_LOOPS
  #define HUE_LOOP _Pragma("clang loop vectorize(enable) vectorize_width(8) interleave_count(2)")
  #define HUE_WIDTH __attribute__((min_vector_width(512)))
#else
  #define HUE_LOOP _Pragma("clang loop vectorize(enable) interleave_count(2)")
  #define HUE_WIDTH
#endif

HUE_WIDTH static void convert_hue_lines(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const cpk_hue_lines *restrict lines) {
  float some[3][64];
  uint8_t places[64];
  for (ptrdiff_t start = 0; start < count; start += 64) {
    const ptrdiff_t width = count - start < 64 ? count - start : 64;
    float *restrict p = a + start, *restrict q = b + start, *restrict r = c + start;
    if (is_plain_block(p, q, r, width, lines->plain_share)) continue;
    const int found = collect_colored(p, q, r, width, lines->plain_share, some, places);
    // Up to whole vectors, so that none is left for a loop of single colors.
    const int filled = (found + hue_vectors - 1) / hue_vectors * hue_vectors;
    for (int i = found; i < filled; i++) some[0][i] = some[1][i] = some[2][i] = 0;
    HUE_LOOP
    for (int i = 0; i < filled; i++) {
      const hue_pixel out = on_hue_line((hue_pixel){some[0][i], some[1][i], some[2][i]}, lines);
      some[0][i] = out.a;
      some[1][i] = out.b;
      some[2][i] = out.c;
    }
    for (int i = 0; i < found; i++) {
      p[places[i]] = some[0][i];
      q[places[i]] = some[1][i];
      r[places[i]] = some[2][i];
    }
  }
}

#undef HUE_LOOP
#undef HUE_WIDTH
