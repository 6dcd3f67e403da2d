// Matrices, gamuts and alpha on rows of floats. Included by every tier.

static void convert_matrix(
    float *restrict a, float *restrict b, float *restrict c, ptrdiff_t count, const float m[9]) {
  const float m0 = m[0], m1 = m[1], m2 = m[2], m3 = m[3], m4 = m[4], m5 = m[5], m6 = m[6], m7 = m[7], m8 = m[8];
  for (ptrdiff_t x = 0; x < count; x++) {
    const float p = a[x], q = b[x], r = c[x];
    a[x] = m0 * p + m1 * q + m2 * r;
    b[x] = m3 * p + m4 * q + m5 * r;
    c[x] = m6 * p + m7 * q + m8 * r;
  }
}

static void convert_limit(float *restrict row, ptrdiff_t count, float top) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] = limited(row[x], top);
}

static void convert_multiply(float *restrict row, const float *restrict alpha, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] *= alpha[x];
}

static void convert_divide(float *restrict row, const float *restrict alpha, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float a = alpha[x];
    const float quotient = row[x] / (a > 0.0f ? a : 1.0f);
    row[x] = a > 0.0f ? quotient : 0.0f;
  }
}

static void convert_mix(const float *a, const float *b, float weight, float *out, ptrdiff_t count) {
  // `out` may be `a`, so vectors are loaded before anything is stored.
  ptrdiff_t x = 0;
  for (; x + 16 <= count; x += 16) {
    sixteen p, q;
    LOAD_SIXTEEN(p, a + x);
    LOAD_SIXTEEN(q, b + x);
    p = p + (q - p) * weight;
    STORE_SIXTEEN(out + x, p);
  }
  for (; x < count; x++) out[x] = a[x] + (b[x] - a[x]) * weight;
}

static void convert_smooth(
    const float *restrict a, const float *restrict b, const float *restrict c, float *restrict out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) out[x] = (a[x] + 2.0f * b[x] + c[x]) * 0.25f;
}
