// Area means of bytes, a block of outputs at a time.

static inline uint16_t pair_sum8(const uint8_t *src) {
  uint16_t pair;
  memcpy(&pair, src, sizeof pair);
  return (uint16_t)((pair & 0xff) + (pair >> 8));
}

static inline void halve8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  const uint8_t *below = src + src_stride;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    dst[i] = (uint8_t)((uint16_t)(pair_sum8(src + 2 * i) + pair_sum8(below + 2 * i) + 2) >> 2);
  }
}

// Two adjacent 16-bit sums in one integer.
static inline uint32_t quad_sums8(const uint8_t *src) {
  uint32_t quad;
  memcpy(&quad, src, sizeof quad);
  return (quad & 0x00ff00ff) + ((quad >> 8) & 0x00ff00ff);
}

static inline void quarter8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  const uint8_t *second = src + src_stride, *third = second + src_stride, *fourth = third + src_stride;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const uint32_t sums = quad_sums8(src + 4 * i) + quad_sums8(second + 4 * i) + quad_sums8(third + 4 * i)
                          + quad_sums8(fourth + 4 * i);
    dst[i] = (uint8_t)(((sums & 0xffff) + (sums >> 16) + 8) >> 4);
  }
}
