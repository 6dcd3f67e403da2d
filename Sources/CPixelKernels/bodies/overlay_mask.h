// Coverage of masks. Included by every tier.

static void overlay_mask_row(const uint8_t *mask, uint16_t opacity, uint16_t *out, ptrdiff_t count) {
  const uint32_t factor = (uint32_t)opacity + 1;
  for (ptrdiff_t x = 0; x < count; x++) out[x] = (uint16_t)(((uint32_t)mask[x] * 257u * factor) >> 16);
}

// The weight of the near sample if the far one has f of 256; 65536 does not fit.
static inline uint16_t near_share(uint32_t f) { return (uint16_t)(f == 0 ? 65535 : 65536 - (f << 8)); }

static void overlay_mask_row_shifted(
    const uint8_t *top, const uint8_t *bottom, uint32_t fx, uint32_t fy, uint16_t opacity, uint16_t *out, ptrdiff_t count) {
  const uint16_t left = (uint16_t)fx, right = (uint16_t)(256 - fx);
  const uint16_t above = (uint16_t)(fy << 8), below = near_share(fy);
  for (ptrdiff_t x = 0; x < count; x++) {
    const uint16_t upper = (uint16_t)((uint16_t)(top[x - 1] * left) + (uint16_t)(top[x] * right));
    const uint16_t lower = (uint16_t)((uint16_t)(bottom[x - 1] * left) + (uint16_t)(bottom[x] * right));
    const uint16_t sum = (uint16_t)(part(upper, above) + part(lower, below));
    // 255 · 256 is full coverage here, 65535 there.
    const uint16_t weight = (uint16_t)(sum + (sum >> 8));
    out[x] = part(weight, opacity);
  }
}

static void overlay_raise_row(uint8_t *row, const uint8_t *other, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] = other[x] > row[x] ? other[x] : row[x];
}

// The pixels of a line whose coordinate lies in [0, last): a first estimate, then adjusted to the exact ends.
static void limit_range(double start, double step, double last, ptrdiff_t *from, ptrdiff_t *to) {
  if (step == 0) {
    if (!(start >= 0 && start < last)) *to = *from;
    return;
  }
  const double a = -start / step, b = (last - start) / step;
  const double low = a < b ? a : b, high = a < b ? b : a;
  if (!(low < (double)*to && high > (double)*from - 1)) {
    *to = *from;
    return;
  }
  if (low > (double)*from) *from = (ptrdiff_t)low;
  if (high + 1 < (double)*to) *to = (ptrdiff_t)high + 1;
  while (*from < *to && !(start + (double)*from * step >= 0 && start + (double)*from * step < last)) ++*from;
  while (*to > *from && !(start + (double)(*to - 1) * step >= 0 && start + (double)(*to - 1) * step < last)) --*to;
}

// Interpolates between four samples, all inside; coordinates have 8 fractional bits.
static inline uint16_t mask_between(const cpk_overlay_mask *mask, int32_t u, int32_t v, uint32_t factor) {
  const uint8_t *const p = mask->bytes + (ptrdiff_t)(v >> 8) * mask->stride + (u >> 8);
  const uint32_t fx = (uint32_t)u & 255, fy = (uint32_t)v & 255;
  const uint32_t upper = p[0] * (256 - fx) + p[1] * fx;
  const uint32_t lower = p[mask->stride] * (256 - fx) + p[mask->stride + 1] * fx;
  const uint32_t weight = ((upper * (256 - fy) + lower * fy) * 257u) >> 16;
  return (uint16_t)((weight * factor) >> 16);
}

static void row_affine(
    const cpk_overlay_mask *mask, const cpk_overlay_line *line, uint32_t factor, uint16_t *out, ptrdiff_t count) {
  const double k = 1 / line->w;
  const double u = line->u * k - 0.5, v = line->v * k - 0.5, du = line->du * k, dv = line->dv * k;
  ptrdiff_t from = 0, to = count;
  // The outermost samples of a mask are empty, so nothing is lost between them and the outside.
  limit_range(u, du, mask->width - 1.0 - 1.0 / 512, &from, &to);
  limit_range(v, dv, mask->height - 1.0 - 1.0 / 512, &from, &to);
  const double unit = 4294967296.0;
  int64_t pu = (int64_t)((u + (double)from * du) * unit), pv = (int64_t)((v + (double)from * dv) * unit);
  const int64_t step_u = (int64_t)(du * unit), step_v = (int64_t)(dv * unit);
  for (ptrdiff_t i = 0; i < from; i++) out[i] = 0;
  for (ptrdiff_t i = from; i < to; i++) {
    out[i] = mask_between(mask, (int32_t)(pu >> 24), (int32_t)(pv >> 24), factor);
    pu += step_u;
    pv += step_v;
  }
  for (ptrdiff_t i = to; i < count; i++) out[i] = 0;
}

static void overlay_mask_row_mapped(
    const cpk_overlay_mask *mask, const cpk_overlay_line *line, uint16_t opacity, uint16_t *out, ptrdiff_t count) {
  const uint32_t factor = (uint32_t)opacity + 1;
  if (mask->width < 3 || mask->height < 3) {
    memset(out, 0, (size_t)count * sizeof *out);
    return;
  }
  if (line->dw == 0 && line->w > 0) {
    row_affine(mask, line, factor, out, count);
    return;
  }
  const double right = mask->width - 1.0 - 1.0 / 512, bottom = mask->height - 1.0 - 1.0 / 512;
  for (ptrdiff_t i = 0; i < count; i++) {
    const double w = line->w + (double)i * line->dw, k = 1 / w;
    const double u = (line->u + (double)i * line->du) * k - 0.5, v = (line->v + (double)i * line->dv) * k - 0.5;
    const bool is_inside = w > 0 && u >= 0 && v >= 0 && u < right && v < bottom;
    out[i] = is_inside ? mask_between(mask, (int32_t)(u * 256), (int32_t)(v * 256), factor) : 0;
  }
}

static void overlay_codes_shifted(
    const uint16_t *top, const uint16_t *bottom, uint32_t fx, uint32_t fy, uint16_t *out, ptrdiff_t count) {
  const uint16_t left = (uint16_t)(fx << 8), right = near_share(fx);
  const uint16_t above = (uint16_t)(fy << 8), below = near_share(fy);
  for (ptrdiff_t x = 0; x < count; x++) {
    const uint16_t upper = (uint16_t)(part(top[x - 1], left) + part(top[x], right));
    const uint16_t lower = (uint16_t)(part(bottom[x - 1], left) + part(bottom[x], right));
    out[x] = (uint16_t)(part(upper, above) + part(lower, below));
  }
}

static void overlay_chroma_weights(
    const uint16_t *a, const uint16_t *b, const uint16_t *c, const int32_t taps[6], uint16_t *out, ptrdiff_t count) {
  const uint32_t va = (uint32_t)taps[0], vb = (uint32_t)taps[1], vc = (uint32_t)taps[2];
  const uint32_t h0 = (uint32_t)taps[3], h1 = (uint32_t)taps[4], h2 = (uint32_t)taps[5];
  for (ptrdiff_t i = 0; i < count; i++) {
    const ptrdiff_t x = 2 * i;
    const uint32_t left = va * a[x - 1] + vb * b[x - 1] + vc * c[x - 1];
    const uint32_t middle = va * a[x] + vb * b[x] + vc * c[x];
    const uint32_t right = va * a[x + 1] + vb * b[x + 1] + vc * c[x + 1];
    out[i] = (uint16_t)((h0 * left + h1 * middle + h2 * right + 8) >> 4);
  }
}
