// A warp by tiles of 8x8 samples whose source fits a 16x16 window: the window is held in sixteen registers, and each tap of 16 samples takes four
// table look-ups, one per four rows.

typedef struct window {
  uint8x16x4_t rows0, rows4, rows8, rows12;
} window;

static inline uint8x16x4_t load_rows(const uint8_t *src, ptrdiff_t stride) {
  return (uint8x16x4_t){{vld1q_u8(src), vld1q_u8(src + stride), vld1q_u8(src + 2 * stride), vld1q_u8(src + 3 * stride)}};
}

static inline window load_window(const uint8_t *src, ptrdiff_t stride) {
  return (window){load_rows(src, stride), load_rows(src + 4 * stride, stride), load_rows(src + 8 * stride, stride),
                  load_rows(src + 12 * stride, stride)};
}

// Each look-up handles 64 bytes: the first sets other lanes to 0, the following ones keep them.
static inline uint8x16_t look_up(const window *w, uint8x16_t index) {
  uint8x16_t found = vqtbl4q_u8(w->rows0, index);
  found = vqtbx4q_u8(found, w->rows4, vsubq_u8(index, vdupq_n_u8(64)));
  found = vqtbx4q_u8(found, w->rows8, vsubq_u8(index, vdupq_n_u8(128)));
  return vqtbx4q_u8(found, w->rows12, vsubq_u8(index, vdupq_n_u8(192)));
}

// The positions of a row of a tile, relative to the tile's smallest one, in 1/4096 of a sample: at most 15 samples, so 16 bits suffice.
static inline uint16x8_t local_positions(const int32_t *offsets, int32_t start) {
  const int32x4_t first = vaddq_s32(vld1q_s32(offsets), vdupq_n_s32(start));
  const int32x4_t second = vaddq_s32(vld1q_s32(offsets + 4), vdupq_n_s32(start));
  return vcombine_u16(vmovn_u32(vreinterpretq_u32_s32(first)), vmovn_u32(vreinterpretq_u32_s32(second)));
}

// A fraction, in 1/32768, of a step: the high half of a product with twice the step.
static inline int16x8_t scaled_step(int16x8_t from, int16x8_t to, int16x8_t factor) {
  return vqdmulhq_s16(vsubq_s16(to, from), factor);
}

// Codes with 6 fractional bits.
static inline int16x8_t wide_row(uint8x8_t codes) { return vreinterpretq_s16_u16(vshll_n_u8(codes, 6)); }

static inline int16x8_t fractions(uint16x8_t positions) {
  return vreinterpretq_s16_u16(vshlq_n_u16(vandq_u16(positions, vdupq_n_u16(4095)), 3));
}

typedef struct tap_bytes {
  uint8x16_t p, pr, q, qr;
} tap_bytes;

static inline tap_bytes fetch_taps(const window *pixels, const uint16x8_t x[2], const uint16x8_t y[2]) {
  uint8x8_t index[2];
  for (int row = 0; row < 2; row++) {
    const uint16x8_t line = vandq_u16(vshrq_n_u16(y[row], 8), vdupq_n_u16(0xf0));
    index[row] = vmovn_u16(vorrq_u16(line, vshrq_n_u16(x[row], 12)));
  }
  const uint8x16_t at = vcombine_u8(index[0], index[1]);
  return (tap_bytes){look_up(pixels, at), look_up(pixels, vaddq_u8(at, vdupq_n_u8(1))),
                     look_up(pixels, vaddq_u8(at, vdupq_n_u8(16))), look_up(pixels, vaddq_u8(at, vdupq_n_u8(17)))};
}

static inline uint8x8_t half_row(uint8x16_t bytes, int row) { return row ? vget_high_u8(bytes) : vget_low_u8(bytes); }

static inline int16x8_t bilinear_row(const tap_bytes *taps, int row, uint16x8_t x, uint16x8_t y) {
  const int16x8_t p = wide_row(half_row(taps->p, row)), pr = wide_row(half_row(taps->pr, row));
  const int16x8_t q = wide_row(half_row(taps->q, row)), qr = wide_row(half_row(taps->qr, row));
  const int16x8_t fx = fractions(x);
  const int16x8_t top = vaddq_s16(p, scaled_step(p, pr, fx)), bottom = vaddq_s16(q, scaled_step(q, qr, fx));
  return vaddq_s16(top, scaled_step(top, bottom, fractions(y)));
}

static inline void store_row(uint8_t *dst, int16x8_t value) {
  vst1_u8(dst, vreinterpret_u8_s8(vshrn_n_s16(vaddq_s16(value, vdupq_n_s16(33)), 6)));
}

static inline void warp_tile(uint8_t *dst, ptrdiff_t stride, const cpk_warp8_plan *plan, const cpk_warp8_band *band,
                             size_t column) {
  int16_t weights[tile_samples];
  if (!band->is_covered) { weigh_tile(weights, plan, band, (float)(int32_t)column); }
  const int32_t x = to_4096ths(band->x + (int64_t)column * band->x_step), y = to_4096ths(band->y + (int64_t)column * band->y_step);
  const int32_t x_first = (x + plan->x_least) >> 12, y_first = (y + plan->y_least) >> 12;
  const ptrdiff_t sx = bounded(x_first, band->x_min, band->x_max), sy = bounded(y_first, band->y_min, band->y_max);
  const window pixels = load_window(band->src + sy * band->src_stride + sx, band->src_stride);
  const int replaces = band->is_covered && band->weight >= 32768;
  for (int pair = 0; pair < tile_side; pair += 2) {
    uint16x8_t px[2], py[2];
    for (int row = 0; row < 2; row++) {
      px[row] = local_positions(plan->x + (pair + row) * tile_side, x - x_first * 4096);
      py[row] = local_positions(plan->y + (pair + row) * tile_side, y - y_first * 4096);
    }
    const tap_bytes taps = fetch_taps(&pixels, px, py);
    for (int row = 0; row < 2; row++, dst += stride) {
      int16x8_t value = bilinear_row(&taps, row, px[row], py[row]);
      if (!replaces) {
        const int16x8_t weight =
          band->is_covered ? vdupq_n_s16((int16_t)band->weight) : vld1q_s16(weights + (pair + row) * tile_side);
        const int16x8_t under = wide_row(vld1_u8(dst));
        value = vaddq_s16(under, scaled_step(under, value, weight));
      }
      store_row(dst, value);
    }
  }
}
