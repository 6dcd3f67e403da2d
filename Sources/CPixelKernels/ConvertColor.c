#include <string.h>

#include "ConvertRows.h"
#include "RowTiers.h"

#pragma STDC FP_CONTRACT OFF

ROW_TIERS
void convert_matrix(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const float m[9]) {
  const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8];
  for (ptrdiff_t x = 0; x < count; x++) {
    const float p = a[x], q = b[x], r = c[x];
    a[x] = m0 * p + m1 * q + m2 * r;
    b[x] = m3 * p + m4 * q + m5 * r;
    c[x] = m6 * p + m7 * q + m8 * r;
  }
}

static inline float from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t to_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Nodes stand at equal steps of a float's bit pattern, so the index is a shift and the way to the next node is linear in the
// remaining mantissa bits: as fine near black as near white.
ROW_TIERS
void convert_curve(float *restrict row, ptrdiff_t count, const float *restrict nodes) {
  const int32_t first = (127 + CONVERT_CURVE_FIRST_EXPONENT) << 23;
  const int32_t last = ((127 + CONVERT_CURVE_LAST_EXPONENT) << 23) - 1;
  const float slope = nodes[0] * 0x1p32f;
  for (ptrdiff_t x = 0; x < count; x++) {
    const uint32_t bits = to_bits(row[x]);
    const int32_t size = (int32_t)(bits & 0x7fffffff);
    int32_t inside = size > first ? size : first;
    inside = inside < last ? inside : last;
    const int32_t index = (inside - first) >> 15;
    const float fraction = (float)(inside & 0x7fff) * 0x1p-15f;
    const float low = nodes[index], high = nodes[index + 1];
    const float between = low + (high - low) * fraction;
    const float below = from_bits((uint32_t)size) * slope;
    const float value = size < first ? below : between;
    row[x] = from_bits(to_bits(value) ^ (bits & 0x80000000));
  }
}

ROW_TIERS
void convert_multiply(float *restrict row, const float *restrict alpha, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] *= alpha[x];
}

ROW_TIERS
void convert_divide(float *restrict row, const float *restrict alpha, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float a = alpha[x];
    const float quotient = row[x] / (a > 0.0f ? a : 1.0f);
    row[x] = a > 0.0f ? quotient : 0.0f;
  }
}

ROW_TIERS
void convert_mix(const float *a, const float *b, float weight, float *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = a[x] + (b[x] - a[x]) * weight;
}

ROW_TIERS
void convert_smooth(
    const float *restrict a, const float *restrict b, const float *restrict c, float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = (a[x] + 2.0f * b[x] + c[x]) * 0.25f;
}
