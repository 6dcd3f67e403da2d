// Non-temporal stores for whole frames that are not read soon: memory is not read before it is written. Included by every tier.

typedef uint8_t cache_line __attribute__((vector_size(64)));

enum { line_bytes = 64 };

// Copies bytes, starting at the beginning of a cache line.
static inline __attribute__((always_inline)) void stream(uint8_t *dst, const uint8_t *src, size_t byte_count, int prefetches) {
  size_t at = 0;
  for (; at + line_bytes <= byte_count; at += line_bytes) {
    cache_line line;
    if (prefetches) __builtin_prefetch(src + at + ahead);
    memcpy(&line, src + at, sizeof line);
    __builtin_nontemporal_store(line, (cache_line *)(void *)(dst + at));
  }
  memcpy(dst + at, src + at, byte_count - at);
}

static inline bool begins_line(const void *dst, ptrdiff_t stride) { return (((uintptr_t)dst | (uintptr_t)stride) & (line_bytes - 1)) == 0; }

// Orders non-temporal stores before later ones, as other threads see them.
static inline void end_streaming(void) {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

static void copy_rows(void *dst, ptrdiff_t dst_stride, const void *src, ptrdiff_t src_stride, size_t byte_count, size_t rows) {
  uint8_t *to = dst;
  const uint8_t *from = src;
  const bool streams = begins_line(dst, dst_stride);
  for (size_t row = 0; row < rows; row++, to += dst_stride, from += src_stride) {
    if (streams) {
      stream(to, from, byte_count, 1);
    } else {
      memcpy(to, from, byte_count);
    }
  }
  end_streaming();
}

static void mix_rows8(
    uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b, ptrdiff_t b_stride, size_t count,
    size_t rows, int32_t weight) {
  const bool streams = begins_line(dst, dst_stride);
  for (size_t row = 0; row < rows; row++, dst += dst_stride, a += a_stride, b += b_stride) {
    if (!streams) {
      mix8(dst, a, b, count, weight);
      continue;
    }
    for (size_t start = 0; start < count; start += block) {
      _Alignas(64) uint8_t mixed[block];
      const size_t part = count - start < block ? count - start : block;
      prefetch_block(a + start, 0);
      prefetch_block(b + start, 0);
      mix8_into(mixed, a + start, b + start, part, weight);
      stream(dst + start, mixed, part, 0);
    }
  }
  end_streaming();
}

static void mix_rows16(
    uint16_t *dst, ptrdiff_t dst_stride, const uint16_t *a, ptrdiff_t a_stride, const uint16_t *b, ptrdiff_t b_stride, size_t count,
    size_t rows, float weight) {
  const bool streams = begins_line(dst, dst_stride);
  enum { words = block / 2 };
  for (size_t row = 0; row < rows; row++) {
    uint16_t *const to = (uint16_t *)(void *)((char *)dst + (ptrdiff_t)row * dst_stride);
    const uint16_t *const first = (const uint16_t *)(const void *)((const char *)a + (ptrdiff_t)row * a_stride);
    const uint16_t *const second = (const uint16_t *)(const void *)((const char *)b + (ptrdiff_t)row * b_stride);
    if (!streams) {
      mix16(to, first, second, count, weight);
      continue;
    }
    for (size_t start = 0; start < count; start += words) {
      _Alignas(64) uint16_t mixed[words];
      const size_t part = count - start < words ? count - start : words;
      prefetch_block((const uint8_t *)(first + start), 0);
      prefetch_block((const uint8_t *)(second + start), 0);
      mix16_block(mixed, first + start, second + start, part, weight);
      stream((uint8_t *)(to + start), (const uint8_t *)mixed, part * sizeof *to, 0);
    }
  }
  end_streaming();
}
