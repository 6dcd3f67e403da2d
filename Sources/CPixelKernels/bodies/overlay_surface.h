// Surfaces of premultiplied float pixels. Included by every tier.

static void overlay_surface_solid(float *row, const uint16_t *weights, const float color[4], ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float weight = (float)weights[x] * (1.0f / 65535.0f);
    const float rest = 1.0f - weight * color[3];
    for (int c = 0; c < 4; c++) row[4 * x + c] = row[4 * x + c] * rest + color[c] * weight;
  }
}

static void overlay_surface_over(float *row, const float *source, const uint16_t *weights, float opacity, ptrdiff_t count) {
  // A separate loop without weights: a test in the loop would turn their loads into masked loads from invalid addresses, which AVX-512 executes
  // twenty times as slowly.
  if (weights == NULL) {
    for (ptrdiff_t x = 0; x < count; x++) {
      const pixel over = load_pixel(source + 4 * x);
      store_pixel(row + 4 * x, load_pixel(row + 4 * x) * (1.0f - opacity * over[3]) + over * opacity);
    }
    return;
  }
  for (ptrdiff_t x = 0; x < count; x++) {
    const float weight = (float)weights[x] * (opacity / 65535.0f);
    const float rest = 1.0f - weight * source[4 * x + 3];
    for (int c = 0; c < 4; c++) row[4 * x + c] = row[4 * x + c] * rest + source[4 * x + c] * weight;
  }
}

static void overlay_surface_mask(float *row, const float *source, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    for (int c = 0; c < 4; c++) row[4 * x + c] *= source[4 * x + 3];
  }
}

static void overlay_surface_shade(float *row, const float *shape, const float *cast, const float color[4], ptrdiff_t count) {
  const pixel shade = load_pixel(color);
  for (ptrdiff_t x = 0; x < count; x++) {
    const float share = 1.0f - cast[4 * x + 3];
    store_pixel(row + 4 * x, load_pixel(row + 4 * x) * (1.0f - share * color[3]) + shade * (share * shape[4 * x + 3]));
  }
}

static void overlay_surface_halve(const float *first, const float *second, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const pixel top = load_pixel(first + 8 * x) + load_pixel(first + 8 * x + 4);
    const pixel bottom = load_pixel(second + 8 * x) + load_pixel(second + 8 * x + 4);
    store_pixel(out + 4 * x, (top + bottom) * 0.25f);
  }
}

static void overlay_surface_double(const float *near, const float *far, float *out, ptrdiff_t count) {
  pixel before = {0};
  pixel here = count > 0 ? load_pixel(near) * 0.75f + load_pixel(far) * 0.25f : before;
  for (ptrdiff_t x = 0; x < count; x++) {
    pixel after = {0};
    if (x + 1 < count) after = load_pixel(near + 4 * x + 4) * 0.75f + load_pixel(far + 4 * x + 4) * 0.25f;
    store_pixel(out + 8 * x, here * 0.75f + before * 0.25f);
    store_pixel(out + 8 * x + 4, here * 0.75f + after * 0.25f);
    before = here;
    here = after;
  }
}

static void overlay_surface_matte(float *row, const float weights[5], ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float *const p = row + 4 * x;
    const float value = weights[0] * p[0] + weights[1] * p[1] + weights[2] * p[2] + weights[3] * p[3] + weights[4];
    row[4 * x + 3] = value < 0 ? 0 : value > 1 ? 1 : value;
  }
}

static void overlay_surface_solidify(float *row, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float alpha = row[4 * x + 3];
    // Less is the rounding of sums.
    if (alpha > 1e-5f) store_pixel(row + 4 * x, load_pixel(row + 4 * x) / alpha);
  }
}

static void overlay_surface_recolor(float *row, const float matrix[12], float limit, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    float *const p = row + 4 * x;
    const float red = p[0], green = p[1], blue = p[2], alpha = p[3], most = alpha * limit;
    for (int c = 0; c < 3; c++) {
      const float value = matrix[4 * c] * red + matrix[4 * c + 1] * green + matrix[4 * c + 2] * blue + matrix[4 * c + 3] * alpha;
      p[c] = value < 0 ? 0 : value > most ? most : value;
    }
  }
}

static void overlay_surface_gamma(float *row, float before, float exponent, float after, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    float *const p = row + 4 * x;
    const float alpha = p[3];
    if (alpha <= 0) continue;
    const float scale = before / alpha, back = after * alpha;
    for (int c = 0; c < 3; c++) p[c] = p[c] > 0 ? powf(p[c] * scale, exponent) * back : 0;
  }
}

static void overlay_surface_weigh(float *row, const uint16_t *weights, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float weight = (float)weights[x] * (1.0f / 65535.0f);
    for (int c = 0; c < 4; c++) row[4 * x + c] *= weight;
  }
}

// `mode` is a constant after inlining, so that nothing is chosen per pixel.
static inline __attribute__((always_inline)) void blend_row(
    float *row, const float *source, float opacity, int32_t mode, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    float *const under = row + 4 * x;
    const float *const over = source + 4 * x;
    const float alpha = over[3] * opacity, backdrop = under[3];
    if (alpha <= 0) continue;
    const float pure_scale = 1.0f / over[3], backdrop_scale = backdrop > 0 ? 1.0f / backdrop : 0;
    float pure[3], base[3], mixed[3];
    for (int c = 0; c < 3; c++) {
      pure[c] = over[3] == 1.0f ? over[c] : over[c] * pure_scale;
      base[c] = backdrop == 1.0f ? under[c] : under[c] * backdrop_scale;
    }
    blend_colors(mixed, base, pure, mode);
    for (int c = 0; c < 3; c++) {
      const float color = backdrop > 0 ? mixed[c] : pure[c];
      under[c] = under[c] * (1 - alpha) + alpha * ((1 - backdrop) * pure[c] + backdrop * color);
    }
    under[3] = backdrop + alpha * (1 - backdrop);
  }
}

static void add_light(float *row, const float *source, float opacity, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < 4 * count; i++) row[i] = fminf(1, row[i] + source[i] * opacity);
}

#define BLEND_ROW(name) \
  case blend_##name: blend_row(row, source, opacity, blend_##name, count); break;

static void overlay_surface_blend(float *row, const float *source, float opacity, int32_t mode, ptrdiff_t count) {
  if (mode == blend_plus_lighter) {
    add_light(row, source, opacity, count);
    return;
  }
  switch (mode == blend_normal ? -1 : mode) {
    BLEND_MODES(BLEND_ROW)
    default: overlay_surface_over(row, source, NULL, opacity, count); break;
  }
}

static void overlay_picture_row(
    const cpk_overlay_picture *picture, const cpk_overlay_line *line, const double limits[4], float *out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const double k = 1.0 / (line->w + (double)i * line->dw);
    const double u = fmin(fmax((line->u + (double)i * line->du) * k, limits[0] + 0.5), limits[2] - 0.5) - 0.5;
    const double v = fmin(fmax((line->v + (double)i * line->dv) * k, limits[1] + 0.5), limits[3] - 0.5) - 0.5;
    const int32_t x = (int32_t)floor(u), y = (int32_t)floor(v);
    const float fx = (float)(u - x), fy = (float)(v - y);
    const int32_t x0 = bounded(x, 0, picture->width - 1), x1 = bounded(x + 1, 0, picture->width - 1);
    const uint16_t *const top = picture->pixels + bounded(y, 0, picture->height - 1) * picture->stride;
    const uint16_t *const bottom = picture->pixels + bounded(y + 1, 0, picture->height - 1) * picture->stride;
    for (int c = 0; c < 4; c++) {
      const float upper = top[4 * x0 + c] * (1 - fx) + top[4 * x1 + c] * fx;
      const float lower = bottom[4 * x0 + c] * (1 - fx) + bottom[4 * x1 + c] * fx;
      out[4 * i + c] = (upper * (1 - fy) + lower * fy) * (1.0f / 65535.0f);
    }
  }
}

static void overlay_gradient_row(int32_t kind, const cpk_overlay_line *line, const float *table, float *out, ptrdiff_t count) {
  for (ptrdiff_t i = 0; i < count; i++) {
    const double k = 1.0 / (line->w + (double)i * line->dw);
    const double u = (line->u + (double)i * line->du) * k, v = (line->v + (double)i * line->dv) * k;
    double t = u;
    if (kind == 1) t = sqrt(u * u + v * v);
    if (kind == 2) {
      t = atan2(v, u) * 0.15915494309189535;
      t -= floor(t);
    }
    t = fmin(fmax(t, 0), 1) * 1024.0;
    const int32_t index = t >= 1024 ? 1023 : (int32_t)t;
    const float share = (float)(t - index);
    const float *const low = table + 4 * index;
    for (int c = 0; c < 4; c++) out[4 * i + c] = low[c] + (low[4 + c] - low[c]) * share;
  }
}

static void overlay_gradient_dither(
    float *row, ptrdiff_t x, ptrdiff_t y, int32_t columns, int32_t rows, const float matrix[9], ptrdiff_t count) {
  const float *const fine = dither_pattern[y & 7], *const coarse = dither_pattern[(y >> rows) & 7];
  for (ptrdiff_t i = 0; i < count; i++) {
    const float first = fine[(x + i) & 7] * 0x1p-7f, others = coarse[((x + i) >> columns) & 7] * 0x1p-7f;
    for (int c = 0; c < 3; c++) {
      row[4 * i + c] += matrix[3 * c] * first + (matrix[3 * c + 1] + matrix[3 * c + 2]) * others;
    }
  }
}

static void overlay_surface_codes(
    const float *row, const float matrix[3], float scale, float offset, float *out, ptrdiff_t count) {
  const float r = matrix[0] * scale, g = matrix[1] * scale, b = matrix[2] * scale;
  for (ptrdiff_t x = 0; x < count; x++) {
    out[x] = row[4 * x] * r + row[4 * x + 1] * g + row[4 * x + 2] * b + row[4 * x + 3] * offset;
  }
}

static void overlay_pack(const float *row, uint16_t *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float value = row[x] + 0.5f;
    out[x] = (uint16_t)(value < 0 ? 0 : value > 65535.0f ? 65535.0f : value);
  }
}

static void overlay_chroma_codes(
    const float *const rows[3], const float vertical[3], const float horizontal[3], float *out, ptrdiff_t count) {
  const float *const a = rows[0], *const b = rows[1], *const c = rows[2];
  for (ptrdiff_t i = 0; i < count; i++) {
    const ptrdiff_t x = 2 * i;
    const float left = vertical[0] * a[x - 1] + vertical[1] * b[x - 1] + vertical[2] * c[x - 1];
    const float middle = vertical[0] * a[x] + vertical[1] * b[x] + vertical[2] * c[x];
    const float right = vertical[0] * a[x + 1] + vertical[1] * b[x + 1] + vertical[2] * c[x + 1];
    out[i] = (horizontal[0] * left + horizontal[1] * middle + horizontal[2] * right) * (1.0f / 16.0f);
  }
}
