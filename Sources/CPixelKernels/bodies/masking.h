// Mask weights, and mixing two rows by them. Included by every tier.
//
// Weights are 0 ... 32767: 0 gives exactly the first operand and 32767 exactly the second.

static void mask_mix8(uint8_t *dst, const uint8_t *a, const uint8_t *b, const uint16_t *weights, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    // 6 fractional bits are left of the product; 255 * 128 still fits 16 bits with a sign.
    const int16_t step = high_product((int16_t)((b[i] - a[i]) * 128), (int16_t)weights[i]);
    dst[i] = (uint8_t)(a[i] + ((int16_t)(step + 32) >> 6));
  }
}

static void mask_mix16(uint16_t *dst, const uint16_t *a, const uint16_t *b, const uint16_t *weights, size_t count) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float from = a[i], to = b[i];
    // The product is exactly 1 for a weight of 32767.
    const float weight = (float)(int32_t)weights[i] * (1.0f / 32767.0f);
    dst[i] = (uint16_t)(int32_t)(from + weight * (to - from) + 0.5f);
  }
}

// Converts 0 ... 1 to a weight; values outside are clamped.
static inline uint16_t mask_weight(float value) {
  const float scaled = value * 32767.0f + 0.5f;
  const float low = scaled > 0.5f ? scaled : 0.5f;
  return (uint16_t)(int32_t)(low < 32767.5f ? low : 32767.5f);
}

static void mask_lines(uint16_t *weights, size_t count, cpk_mask_line first, cpk_mask_line second, int32_t is_union) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float position = (float)(int32_t)i;
    const float a = first.start + position * first.step, b = second.start + position * second.step;
    const float least = a < b ? a : b, most = a < b ? b : a;
    weights[i] = mask_weight(is_union ? most : least);
  }
}

// The nearest integer, for magnitudes below 2^22.
static inline float mask_nearest(float value) { return (value + 12582912.0f) - 12582912.0f; }

static void mask_fold(uint16_t *weights, size_t count, cpk_mask_fold fold) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float position = fold.start + (float)(int32_t)i * fold.step;
    const float folded = position - fold.period * mask_nearest(position * fold.frequency);
    const float away = folded < 0.0f ? -folded : folded;
    const float value = fold.peak + fold.slope * away;
    weights[i] = mask_weight(value < fold.cap ? value : fold.cap);
  }
}

static void mask_circle(uint16_t *weights, size_t count, cpk_mask_circle circle) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const float x = circle.start + (float)(int32_t)i * circle.step;
    weights[i] = mask_weight(circle.peak + circle.slope * __builtin_elementwise_sqrt(x * x + circle.y_squared));
  }
}

// A well-mixed 32-bit number for each cell (Mueller's integer hash).
static inline uint32_t mask_hash(uint32_t value) {
  value = ((value >> 16) ^ value) * 0x45d9f3bu;
  value = ((value >> 16) ^ value) * 0x45d9f3bu;
  return (value >> 16) ^ value;
}

static void mask_noise(uint16_t *weights, size_t count, cpk_mask_noise noise) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < count; i++) {
    const uint32_t column = (noise.first + (uint32_t)i * noise.step) >> noise.shift;
    const float threshold = (float)(int32_t)(mask_hash(noise.seed + column) >> 8) * (1.0f / 16777216.0f);
    weights[i] = mask_weight((noise.level - threshold) * noise.slope);
  }
}
