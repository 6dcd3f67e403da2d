// Warps a band tile by tile; included after the tier's warp_tile and warp_wide_tile.

static void warp8(const cpk_warp8_plan *plan, const cpk_warp8_band *band) {
  for (size_t column = 0; column < band->columns; column += tile_side) {
    if (band->rows == tile_side && band->columns - column >= tile_side) {
      warp_tile(band->dst + column, band->dst_stride, plan, band, column);
    } else {
      tile_copy copy;
      load_copy(&copy, band, column);
      warp_tile(copy.samples, tile_side, plan, band, column);
      store_copy(&copy, band, column);
    }
  }
}

static void warp10(const cpk_warp8_plan *plan, const cpk_warp8_band *band) {
  for (size_t column = 0; column < band->columns; column += tile_side) {
    if (band->rows == tile_side && band->columns - column >= tile_side) {
      warp_wide_tile((uint16_t *)band->dst + column, band->dst_stride, plan, band, column);
    } else {
      wide_tile_copy copy;
      load_wide_copy(&copy, band, column);
      warp_wide_tile(copy.samples, 2 * tile_side, plan, band, column);
      store_wide_copy(&copy, band, column);
    }
  }
}
