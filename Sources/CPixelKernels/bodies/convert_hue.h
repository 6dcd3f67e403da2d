// Lines of constant hue. Included by every tier.

static inline float least_of(float a, float b) { return a < b ? a : b; }
static inline float most_of(float a, float b) { return a > b ? a : b; }

// x^(-1/12) of what is not below 0: of the exponent first, which is good to three percent, then by Newton's method, which needs
// neither a root nor a quotient. 0 gives something large.
static inline float twelfth_root_reciprocal(float x) {
  float y = from_bits(0x44c42e82u - to_bits(x) / 12);
  for (int i = 0; i < 4; i++) {
    const float y2 = y * y, y4 = y2 * y2;
    y = y * (13.0f - x * (y4 * y4 * y4)) * (1.0f / 12.0f);
  }
  return y;
}

// What 1 loses when its twelfth root is multiplied by 1 - e: 1 - (1 - e)^12, exact where e is small.
static inline float twelfth_loss(float e) {
  const float e2 = e * (2.0f - e), e4 = e2 * (2.0f - e2);
  return e4 * (3.0f - e4 * (3.0f - e4));
}

typedef struct hue_pixel {
  float a, b, c;
} hue_pixel;

static inline hue_pixel on_hue_line(hue_pixel in, const cpk_hue_lines *t) {
  const float *m = t->to_lms, *n = t->to_rgb;
  const float l = m[0] * in.a + m[1] * in.b + m[2] * in.c;
  const float p = m[3] * in.a + m[4] * in.b + m[5] * in.c;
  const float s = m[6] * in.a + m[7] * in.b + m[8] * in.c;
  const float lp = most_of(l, 0.0f), pp = most_of(p, 0.0f), sp = most_of(s, 0.0f);
  const float lr = twelfth_root_reciprocal(lp), pr = twelfth_root_reciprocal(pp), sr = twelfth_root_reciprocal(sp);
  const float lq = lp > 0.0f ? 1.0f / lr : 0.0f, pq = pp > 0.0f ? 1.0f / pr : 0.0f, sq = sp > 0.0f ? 1.0f / sr : 0.0f;
  const float intensity = most_of((lq + pq) * 0.5f, 0x1p-12f);
  const float one_over = 1.0f / intensity;
  const float ct = (6610.0f / 4096.0f * lq - 13613.0f / 4096.0f * pq) + 7003.0f / 4096.0f * sq;
  const float cp = (17933.0f / 4096.0f * lq - 17390.0f / 4096.0f * pq) - 543.0f / 4096.0f * sq;
  const float size = (ct < 0.0f ? -ct : ct) + (cp < 0.0f ? -cp : cp);
  const float share = cp / most_of(size, 0x1p-60f);
  const float place = ((ct < 0.0f ? 2.0f - share : share) + 1.0f) * (float)(cpk_hue_cell_count / 4);
  const int32_t cell = bounded((int32_t)place, 0, cpk_hue_cell_count - 1);
  const float low = t->reciprocals[cell], high = t->reciprocals[cell + 1];
  const float distance = size * one_over * (low + (high - low) * (place - (float)cell));
  const float beyond = distance - t->knee;
  const float way = beyond * beyond / (distance * (beyond + (1.0f - t->knee)));
  // What is hardly there could not come back: at least a sixteenth of the intensity.
  const float i2 = intensity * intensity, i4 = i2 * i2;
  const float floor = i4 * i4 * i4 * 0x1p-48f, ceiling = 16.0f * one_over;
  const float lf = most_of(lp, floor), pf = most_of(pp, floor), sf = most_of(sp, floor);
  const float dl = (lf - l) - lf * twelfth_loss(way * (1.0f - intensity * least_of(lr, ceiling)));
  const float dp = (pf - p) - pf * twelfth_loss(way * (1.0f - intensity * least_of(pr, ceiling)));
  const float ds = (sf - s) - sf * twelfth_loss(way * (1.0f - intensity * least_of(sr, ceiling)));
  const float least = least_of(least_of(in.a, in.b), in.c), most = most_of(most_of(in.a, in.b), in.c);
  const int moves = (least < t->plain_share * most) & (beyond > 0.0f);
  const float a = moves ? in.a + (n[0] * dl + n[1] * dp + n[2] * ds) : in.a;
  const float b = moves ? in.b + (n[3] * dl + n[4] * dp + n[5] * ds) : in.b;
  const float c = moves ? in.c + (n[6] * dl + n[7] * dp + n[8] * ds) : in.c;
  return (hue_pixel){most_of(a, 0.0f), most_of(b, 0.0f), most_of(c, 0.0f)};
}

// Whether every color of a block stays, as most of most pictures do.
static inline int is_plain_block(const float *a, const float *b, const float *c, ptrdiff_t count, float share) {
  int colored = 0;
  for (ptrdiff_t x = 0; x < count; x++) {
    const float least = least_of(least_of(a[x], b[x]), c[x]), most = most_of(most_of(a[x], b[x]), c[x]);
    colored |= least < share * most;
  }
  return !colored;
}

static void convert_hue_lines(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const cpk_hue_lines *restrict lines) {
  for (ptrdiff_t start = 0; start < count; start += 32) {
    const ptrdiff_t width = count - start < 32 ? count - start : 32;
    float *restrict p = a + start, *restrict q = b + start, *restrict r = c + start;
    if (is_plain_block(p, q, r, width, lines->plain_share)) continue;
    for (ptrdiff_t x = 0; x < width; x++) {
      const hue_pixel out = on_hue_line((hue_pixel){p[x], q[x], r[x]}, lines);
      p[x] = out.a;
      q[x] = out.b;
      r[x] = out.c;
    }
  }
}
