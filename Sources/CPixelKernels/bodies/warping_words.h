// A warp of 16-bit samples of at most 10 bits by tiles of 8x8 samples. Included, after tiles.h, by every tier without a faster version.

typedef struct wide_tile_taps {
  uint16_t p[tile_samples], pr[tile_samples], q[tile_samples], qr[tile_samples];
  int16_t fx[tile_samples], fy[tile_samples];
} wide_tile_taps;

static inline void fetch_wide_tile(
    wide_tile_taps *taps, const cpk_warp8_plan *plan, const cpk_warp8_band *band, int64_t column) {
  const int32_t x = to_4096ths(band->x + column * band->x_step), y = to_4096ths(band->y + column * band->y_step);
  int64_t at[tile_samples];
  for (int i = 0; i < tile_samples; i++) {
    const int32_t px = x + plan->x[i], py = y + plan->y[i];
    const int32_t sx = bounded(px >> 12, band->x_min, band->x_max + 14);
    const int32_t sy = bounded(py >> 12, band->y_min, band->y_max + 14);
    at[i] = (int64_t)sy * band->src_stride + 2 * sx;
    taps->fx[i] = (int16_t)((px & 4095) * 8);
    taps->fy[i] = (int16_t)((py & 4095) * 8);
  }
  for (int i = 0; i < tile_samples; i++) {
    uint32_t upper, lower;
    memcpy(&upper, band->src + at[i], sizeof upper);
    memcpy(&lower, band->src + at[i] + band->src_stride, sizeof lower);
    taps->p[i] = (uint16_t)upper;
    taps->pr[i] = (uint16_t)(upper >> 16);
    taps->q[i] = (uint16_t)lower;
    taps->qr[i] = (uint16_t)(lower >> 16);
  }
}

static inline void warp_wide_tile(
    uint16_t *dst, ptrdiff_t stride, const cpk_warp8_plan *plan, const cpk_warp8_band *band, size_t column) {
  wide_tile_taps taps;
  int16_t values[tile_samples], weights[tile_samples];
  fetch_wide_tile(&taps, plan, band, (int64_t)column);
  for (int i = 0; i < tile_samples; i++) {
    values[i] = bilinear10(
        (int16_t)taps.p[i], (int16_t)taps.pr[i], (int16_t)taps.q[i], (int16_t)taps.qr[i], taps.fx[i], taps.fy[i]);
  }
  const int replaces = band->is_covered && band->weight >= 32768;
  if (band->is_covered) {
    for (int i = 0; i < tile_samples; i++) { weights[i] = (int16_t)(replaces ? 0 : band->weight); }
  } else {
    weigh_tile(weights, plan, band, (float)(int32_t)column);
  }
  for (int row = 0; row < tile_side; row++) {
    uint16_t *to = (uint16_t *)((char *)dst + row * stride);
    for (int i = 0; i < tile_side; i++) {
      const int at = row * tile_side + i;
      to[i] = replaces ? rounded10(values[at]) : mixed10(to[i], values[at], weights[at]);
    }
  }
}
