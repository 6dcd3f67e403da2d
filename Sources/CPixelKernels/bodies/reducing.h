// Area means. Included by every tier, so that each compiles the same loops for its own instructions.
//
// Sums of neighbors are computed inside wider integers loaded at once: the sum does not depend on the byte order, and the loads stay contiguous.

// Rows are read in parallel, which hardware prefetchers follow poorly: prefetching the rows of the block after next made reading from memory 2.1
// times as fast. A prefetch of an invalid address is harmless.
enum { block_outputs = 32 };

static inline void prefetch_rows(const void *src, ptrdiff_t stride, int rows, size_t byte_count) {
  const char *ahead = (const char *)src + 2 * rows * stride;
  for (int row = 0; row < rows; row++) {
    for (size_t byte = 0; byte < byte_count; byte += 64) { __builtin_prefetch(ahead + row * stride + byte); }
  }
}

static inline size_t block_at(size_t start, size_t count) {
  return count - start < block_outputs ? count - start : block_outputs;
}

static void halve8(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t start = 0; start < count; start += block_outputs) {
    prefetch_rows(src + 2 * start, src_stride, 2, 2 * block_outputs);
    halve8_block(dst + start, src + 2 * start, src_stride, block_at(start, count));
  }
}

static void quarter8(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t start = 0; start < count; start += block_outputs) {
    prefetch_rows(src + 4 * start, src_stride, 4, 4 * block_outputs);
    quarter8_block(dst + start, src + 4 * start, src_stride, block_at(start, count));
  }
}

static inline uint32_t pair_sum16(const uint16_t *src) {
  uint32_t pair;
  memcpy(&pair, src, sizeof pair);
  return (pair & 0xffff) + (pair >> 16);
}

static inline void halve16_block(uint16_t *dst, const uint16_t *src, ptrdiff_t src_stride, size_t count) {
  const uint16_t *below = (const uint16_t *)((const char *)src + src_stride);
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    dst[i] = (uint16_t)((pair_sum16(src + 2 * i) + pair_sum16(below + 2 * i) + 2) >> 2);
  }
}

static void halve16(uint16_t *dst, const uint16_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t start = 0; start < count; start += block_outputs) {
    prefetch_rows(src + 2 * start, src_stride, 2, 4 * block_outputs);
    halve16_block(dst + start, src + 2 * start, src_stride, block_at(start, count));
  }
}

static inline uint32_t quad_sum16(const uint16_t *src) { return pair_sum16(src) + pair_sum16(src + 2); }

static inline void quarter16_block(uint16_t *dst, const uint16_t *src, ptrdiff_t src_stride, size_t count) {
  const char *rows = (const char *)src;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    uint32_t sum = 8;
    for (int row = 0; row < 4; row++) { sum += quad_sum16((const uint16_t *)(rows + row * src_stride) + 4 * i); }
    dst[i] = (uint16_t)(sum >> 4);
  }
}

static void quarter16(uint16_t *dst, const uint16_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t start = 0; start < count; start += block_outputs) {
    prefetch_rows(src + 4 * start, src_stride, 4, 8 * block_outputs);
    quarter16_block(dst + start, src + 4 * start, src_stride, block_at(start, count));
  }
}

static void accumulate8(float *sum, const uint8_t *src, size_t count, float weight) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { sum[i] += src[i] * weight; }
}

static void accumulate16(float *sum, const uint16_t *src, size_t count, float weight) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { sum[i] += src[i] * weight; }
}
