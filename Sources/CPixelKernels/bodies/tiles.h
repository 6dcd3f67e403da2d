// Tiles of 8x8 samples, for the warps of every tier.
//
// Positions inside a tile are the tile's own position plus the plan's offsets, both to 1/4096 of a sample, so that results do not depend on how many
// tiles are processed at a time.

enum { tile_side = cpk_tile_side, tile_samples = cpk_tile_samples };

static inline int32_t to_4096ths(int64_t position) { return (int32_t)((position + (1 << 19)) >> 20); }

static inline float upper_bounded(float value) { return value < 1.0f ? value : 1.0f; }

static inline float axis_share(float low, float high) {
  const float share = upper_bounded(low) + upper_bounded(high) - 1.0f;
  return share > 0.0f ? share : 0.0f;
}

// The weights of a tile: opacity times the coverage of each sample.
static inline void weigh_tile(int16_t *weights, const cpk_warp8_plan *plan, const cpk_warp8_band *band, float column) {
  const float left = band->left + column * band->u_step, right = band->right - column * band->u_step;
  const float top = band->top + column * band->v_step, bottom = band->bottom - column * band->v_step;
  const float most = (float)(band->weight < 32767 ? band->weight : 32767);
  for (int i = 0; i < tile_samples; i++) {
    const float across = axis_share(left + plan->u[i], right - plan->u[i]);
    const float down = axis_share(top + plan->v[i], bottom - plan->v[i]);
    weights[i] = (int16_t)(int32_t)(across * down * most + 0.5f);
  }
}

// A copy of a complete tile, for a band that ends inside one.
typedef struct tile_copy {
  uint8_t samples[tile_samples];
} tile_copy;

typedef struct wide_tile_copy {
  uint16_t samples[tile_samples];
} wide_tile_copy;

static inline size_t tile_columns(const cpk_warp8_band *band, size_t column) {
  return band->columns - column < tile_side ? band->columns - column : tile_side;
}

static inline void load_copy(tile_copy *copy, const cpk_warp8_band *band, size_t column) {
  memset(copy, 0, sizeof *copy);
  for (size_t row = 0; row < band->rows; row++) {
    const uint8_t *from = band->dst + (ptrdiff_t)row * band->dst_stride + column;
    memcpy(copy->samples + row * tile_side, from, tile_columns(band, column));
  }
}

static inline void store_copy(const tile_copy *copy, const cpk_warp8_band *band, size_t column) {
  for (size_t row = 0; row < band->rows; row++) {
    uint8_t *to = band->dst + (ptrdiff_t)row * band->dst_stride + column;
    memcpy(to, copy->samples + row * tile_side, tile_columns(band, column));
  }
}

static inline void load_wide_copy(wide_tile_copy *copy, const cpk_warp8_band *band, size_t column) {
  memset(copy, 0, sizeof *copy);
  for (size_t row = 0; row < band->rows; row++) {
    const uint8_t *from = band->dst + (ptrdiff_t)row * band->dst_stride + 2 * column;
    memcpy(copy->samples + row * tile_side, from, 2 * tile_columns(band, column));
  }
}

static inline void store_wide_copy(const wide_tile_copy *copy, const cpk_warp8_band *band, size_t column) {
  for (size_t row = 0; row < band->rows; row++) {
    uint8_t *to = band->dst + (ptrdiff_t)row * band->dst_stride + 2 * column;
    memcpy(to, copy->samples + row * tile_side, 2 * tile_columns(band, column));
  }
}
