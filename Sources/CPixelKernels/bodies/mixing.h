// Weighted sums of rows. Included by every tier, so that each compiles the same loops for its own instructions.

// The high half of a 16x16-bit product.
static inline int16_t high_product(int16_t a, int16_t b) { return (int16_t)(((int32_t)a * b) >> 16); }

// Planes are read from and written to memory: prefetching a page ahead took 0.19 ms instead of 0.23 for a mix of 1080p frames, and in short blocks
// 0.13 ms instead of 0.21 for a copy by rows.
enum { block = 256, ahead = 4096 };

static inline void prefetch_block(const uint8_t *src, int writes) {
  for (size_t byte = 0; byte < block; byte += 64) {
    if (writes) {
      __builtin_prefetch(src + ahead + byte, 1);
    } else {
      __builtin_prefetch(src + ahead + byte);
    }
  }
}

static void copy(void *dst, const void *src, size_t byte_count) {
  uint8_t *to = dst;
  const uint8_t *from = src;
  while (byte_count >= block) {
    prefetch_block(from, 0);
    prefetch_block(to, 1);
    memcpy(to, from, block);
    to += block;
    from += block;
    byte_count -= block;
  }
  memcpy(to, from, byte_count);
}

static inline void mix8_block(uint8_t *dst, const uint8_t *from, const uint8_t *to, size_t count, int16_t weight) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const int16_t step = high_product((int16_t)((to[i] - from[i]) * 128), weight);
    dst[i] = (uint8_t)((int16_t)(from[i] * 128 + step + 64) >> 7);
  }
}

static inline void mix8_into(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count, int32_t weight) {
  // Counting from the nearer operand keeps the weight within 15 bits and a sign, and the product exact to 1/128.
  const bool nearer = weight <= 32768;
  const int32_t share = nearer ? weight : 65536 - weight;
  mix8_block(dst, nearer ? a : b, nearer ? b : a, count, (int16_t)(share < 32767 ? share : 32767));
}

static void mix8(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t count, int32_t weight) {
  if (dst == a) {
    mix8_into(dst, a, b, count, weight);
    return;
  }
  for (size_t start = 0; start < count; start += block) {
    prefetch_block(a + start, 0);
    prefetch_block(b + start, 0);
    prefetch_block(dst + start, 1);
    mix8_into(dst + start, a + start, b + start, count - start < block ? count - start : block, weight);
  }
}

static inline void mix16_block(uint16_t *dst, const uint16_t *a, const uint16_t *b, size_t count, float weight) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float from = a[i], to = b[i];
    dst[i] = (uint16_t)(int32_t)(from + weight * (to - from) + 0.5f);
  }
}

static void mix16(uint16_t *dst, const uint16_t *a, const uint16_t *b, size_t count, float weight) {
  if (dst == a) {
    mix16_block(dst, a, b, count, weight);
    return;
  }
  enum { words = block / 2 };
  for (size_t start = 0; start < count; start += words) {
    prefetch_block((const uint8_t *)(a + start), 0);
    prefetch_block((const uint8_t *)(b + start), 0);
    prefetch_block((const uint8_t *)(dst + start), 1);
    mix16_block(dst + start, a + start, b + start, count - start < words ? count - start : words, weight);
  }
}

// Interpolates between four neighbors, with 6 fractional bits; fx, fy in 1/32768.
static inline int16_t bilinear8(int16_t p, int16_t pr, int16_t q, int16_t qr, int16_t fx, int16_t fy) {
  const int16_t top = (int16_t)(p * 64 + high_product((int16_t)((pr - p) * 128), fx));
  const int16_t bottom = (int16_t)(q * 64 + high_product((int16_t)((qr - q) * 128), fx));
  return (int16_t)(top + high_product((int16_t)((bottom - top) * 2), fy));
}

// 33 / 64 is one half plus about the mean of what was truncated before.
static inline uint8_t rounded8(int16_t value) { return (uint8_t)((int16_t)(value + 33) >> 6); }

static inline uint8_t mixed8(uint8_t under, int16_t over, int16_t w) {
  const int16_t base = (int16_t)(under * 64);
  return rounded8((int16_t)(base + high_product((int16_t)((over - base) * 2), w)));
}

// The same for 16-bit samples of at most 10 bits, with 4 fractional bits.
static inline int16_t bilinear10(int16_t p, int16_t pr, int16_t q, int16_t qr, int16_t fx, int16_t fy) {
  const int16_t top = (int16_t)(p * 16 + high_product((int16_t)((pr - p) * 32), fx));
  const int16_t bottom = (int16_t)(q * 16 + high_product((int16_t)((qr - q) * 32), fx));
  return (int16_t)(top + high_product((int16_t)((bottom - top) * 2), fy));
}

static inline uint16_t rounded10(int16_t value) { return (uint16_t)((int16_t)(value + 9) >> 4); }

static inline uint16_t mixed10(uint16_t under, int16_t over, int16_t w) {
  const int16_t base = (int16_t)(under * 16);
  return rounded10((int16_t)(base + high_product((int16_t)((over - base) * 2), w)));
}

static void shift8(uint8_t *dst, const uint8_t *top, const uint8_t *bottom, size_t count, size_t next, int32_t fx,
                   int32_t fy, int32_t weight) {
  const int16_t x = (int16_t)fx, y = (int16_t)fy;
  if (weight >= 32768) {
#pragma clang loop vectorize(assume_safety)
    for (size_t i = 0; i < count; i++) {
      dst[i] = rounded8(bilinear8(top[i], top[i + next], bottom[i], bottom[i + next], x, y));
    }
    return;
  }
  const int16_t w = (int16_t)weight;
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    dst[i] = mixed8(dst[i], bilinear8(top[i], top[i + next], bottom[i], bottom[i + next], x, y), w);
  }
}

static void shift16(uint16_t *dst, const uint16_t *top, const uint16_t *bottom, size_t count, size_t next, float fx,
                    float fy, float weight) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float p = top[i], pr = top[i + next], q = bottom[i], qr = bottom[i + next];
    const float upper = p + fx * (pr - p), lower = q + fx * (qr - q);
    const float value = upper + fy * (lower - upper), under = dst[i];
    dst[i] = (uint16_t)(int32_t)(under + weight * (value - under) + 0.5f);
  }
}

static void blend8(uint8_t *dst, const float *src, const float *weights, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float under = dst[i];
    dst[i] = (uint8_t)(int32_t)(under + weights[i] * (src[i] - under) + 0.5f);
  }
}

static void blend16(uint16_t *dst, const float *src, const float *weights, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float under = dst[i];
    dst[i] = (uint16_t)(int32_t)(under + weights[i] * (src[i] - under) + 0.5f);
  }
}

static void blend_float(float *dst, const float *src, const float *weights, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { dst[i] = dst[i] + weights[i] * (src[i] - dst[i]); }
}

static void narrow8(uint8_t *dst, const float *src, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { dst[i] = (uint8_t)(int32_t)(src[i] + 0.5f); }
}

static void narrow16(uint16_t *dst, const float *src, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { dst[i] = (uint16_t)(int32_t)(src[i] + 0.5f); }
}

static void narrow_limited16(uint16_t *dst, const float *src, size_t count, float top) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) { dst[i] = (uint16_t)(int32_t)(limited(src[i], top) + 0.5f); }
}
