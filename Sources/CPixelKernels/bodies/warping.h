// A warp by tiles of 8x8 samples. Included, after tiles.h, by every tier without a faster version.

typedef struct tile_taps {
  uint8_t p[tile_samples], pr[tile_samples], q[tile_samples], qr[tile_samples];
  int16_t fx[tile_samples], fy[tile_samples];
} tile_taps;

static inline void fetch_tile(tile_taps *taps, const cpk_warp8_plan *plan, const cpk_warp8_band *band, int64_t column) {
  const int32_t x = to_4096ths(band->x + column * band->x_step), y = to_4096ths(band->y + column * band->y_step);
  int64_t at[tile_samples];
  for (int i = 0; i < tile_samples; i++) {
    const int32_t px = x + plan->x[i], py = y + plan->y[i];
    const int32_t sx = bounded(px >> 12, band->x_min, band->x_max + 14);
    const int32_t sy = bounded(py >> 12, band->y_min, band->y_max + 14);
    at[i] = (int64_t)sy * band->src_stride + sx;
    taps->fx[i] = (int16_t)((px & 4095) * 8);
    taps->fy[i] = (int16_t)((py & 4095) * 8);
  }
  const uint8_t *below = band->src + band->src_stride;
  for (int i = 0; i < tile_samples; i++) {
    taps->p[i] = band->src[at[i]];
    taps->pr[i] = band->src[at[i] + 1];
    taps->q[i] = below[at[i]];
    taps->qr[i] = below[at[i] + 1];
  }
}

static inline void blend_tile(uint8_t *dst, ptrdiff_t stride, const int16_t *values, const int16_t *weights) {
  for (int row = 0; row < tile_side; row++, dst += stride) {
    for (int i = 0; i < tile_side; i++) {
      dst[i] = mixed8(dst[i], values[row * tile_side + i], weights[row * tile_side + i]);
    }
  }
}

static inline void replace_tile(uint8_t *dst, ptrdiff_t stride, const int16_t *values) {
  for (int row = 0; row < tile_side; row++, dst += stride) {
    for (int i = 0; i < tile_side; i++) { dst[i] = rounded8(values[row * tile_side + i]); }
  }
}

static inline void warp_tile(uint8_t *dst, ptrdiff_t stride, const cpk_warp8_plan *plan, const cpk_warp8_band *band,
                             size_t column) {
  tile_taps taps;
  int16_t values[tile_samples], weights[tile_samples];
  fetch_tile(&taps, plan, band, (int64_t)column);
  for (int i = 0; i < tile_samples; i++) {
    values[i] = bilinear8(taps.p[i], taps.pr[i], taps.q[i], taps.qr[i], taps.fx[i], taps.fy[i]);
  }
  if (band->is_covered && band->weight >= 32768) {
    replace_tile(dst, stride, values);
    return;
  }
  if (band->is_covered) {
    for (int i = 0; i < tile_samples; i++) { weights[i] = (int16_t)band->weight; }
  } else {
    weigh_tile(weights, plan, band, (float)(int32_t)column);
  }
  blend_tile(dst, stride, values, weights);
}
