// Area means. Included by every tier, so that each compiles the same loops for its own instructions.
//
// Sums of neighbors are taken inside wider words loaded whole: the sum does not depend on the byte order, and the loads stay
// contiguous.

static inline uint16_t pair_sum8(const uint8_t *src) {
  uint16_t pair;
  memcpy(&pair, src, sizeof pair);
  return (uint16_t)((pair & 0xff) + (pair >> 8));
}

// Rows are read side by side, which hardware prefetchers follow poorly: asking for the rows of the block after next made
// reading from memory 2.1 times as fast. A hint for memory that is not there costs nothing.
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

static inline void halve8_block(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  const uint8_t *below = src + src_stride;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    dst[i] = (uint8_t)((uint16_t)(pair_sum8(src + 2 * i) + pair_sum8(below + 2 * i) + 2) >> 2);
  }
}

static void halve8(uint8_t *dst, const uint8_t *src, ptrdiff_t src_stride, size_t count) {
  for (size_t start = 0; start < count; start += block_outputs) {
    prefetch_rows(src + 2 * start, src_stride, 2, 2 * block_outputs);
    halve8_block(dst + start, src + 2 * start, src_stride, block_at(start, count));
  }
}

// Two 16-bit sums, side by side in one word.
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

static void reduce(float *dst, const float *src, size_t count, const int32_t *start, const float *weights, size_t taps) {
  memset(dst, 0, count * sizeof *dst);
  for (size_t tap = 0; tap < taps; tap++) {
    const float *weight = weights + tap * count;
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; i++) { dst[i] += src[start[i] + (int32_t)tap] * weight[i]; }
  }
}
