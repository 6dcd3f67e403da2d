// Chroma between its own columns and luma columns. Included by every tier.

static inline ptrdiff_t clamp_index(ptrdiff_t index, ptrdiff_t count) {
  return index < 0 ? 0 : index < count ? index : count - 1;
}

// Sixteen at a time, with explicit shuffles that compilers do not find.
#define LOW_PAIRS(even, odd) \
  __builtin_shufflevector(even, odd, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH_PAIRS(even, odd) \
  __builtin_shufflevector(even, odd, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODDS(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

// The chroma of one luma column; `column` may be outside the row.
static inline float chroma_at(const float *in, ptrdiff_t inCount, bool centered, ptrdiff_t column) {
  const ptrdiff_t i = column >> 1;
  const float here = in[clamp_index(i, inCount)];
  if ((column & 1) == 0) {
    return centered ? 0.75f * here + 0.25f * in[clamp_index(i - 1, inCount)] : here;
  }
  const float next = in[clamp_index(i + 1, inCount)];
  return centered ? 0.75f * here + 0.25f * next : 0.5f * here + 0.5f * next;
}

// The chroma of `pairs` pairs of luma columns, between two of its own columns; `in` has one more on either side.
static inline void upsample_centered(const float *restrict in, float *restrict out, ptrdiff_t pairs) {
  ptrdiff_t i = 0;
  for (; i + 16 <= pairs; i += 16) {
    sixteen left, here, right;
    LOAD_SIXTEEN(left, in + i - 1);
    LOAD_SIXTEEN(here, in + i);
    LOAD_SIXTEEN(right, in + i + 1);
    here = 0.75f * here;
    const sixteen even = here + 0.25f * left, odd = here + 0.25f * right;
    const sixteen low = LOW_PAIRS(even, odd), high = HIGH_PAIRS(even, odd);
    STORE_SIXTEEN(out + 2 * i, low);
    STORE_SIXTEEN(out + 2 * i + 16, high);
  }
  for (; i < pairs; i++) {
    const float here = 0.75f * in[i];
    out[2 * i] = here + 0.25f * in[i - 1];
    out[2 * i + 1] = here + 0.25f * in[i + 1];
  }
}

// The chroma of `pairs` pairs of luma columns, the first of each at its own column; `in` has one more.
static inline void upsample_cosited(const float *restrict in, float *restrict out, ptrdiff_t pairs) {
  ptrdiff_t i = 0;
  for (; i + 16 <= pairs; i += 16) {
    sixteen here, right;
    LOAD_SIXTEEN(here, in + i);
    LOAD_SIXTEEN(right, in + i + 1);
    const sixteen odd = 0.5f * here + 0.5f * right;
    const sixteen low = LOW_PAIRS(here, odd), high = HIGH_PAIRS(here, odd);
    STORE_SIXTEEN(out + 2 * i, low);
    STORE_SIXTEEN(out + 2 * i + 16, high);
  }
  for (; i < pairs; i++) {
    out[2 * i] = in[i];
    out[2 * i + 1] = 0.5f * in[i] + 0.5f * in[i + 1];
  }
}

static void convert_upsample(
    const float *restrict in, ptrdiff_t inCount, bool centered, ptrdiff_t first, float *restrict out, ptrdiff_t count) {
  ptrdiff_t x = 0;
  while (x < count && (((first + x) & 1) != 0 || first + x < 2)) {
    out[x] = chroma_at(in, inCount, centered, first + x);
    x++;
  }
  // From here on, column `first + x` is even and has a left neighbor; pairs are processed while there is a right one.
  const ptrdiff_t i0 = (first + x) >> 1;
  ptrdiff_t pairs = (count - x) / 2;
  if (pairs > inCount - 1 - i0) pairs = inCount - 1 - i0;
  if (pairs < 0) pairs = 0;
  if (centered) {
    upsample_centered(in + i0, out + x, pairs);
  } else {
    upsample_cosited(in + i0, out + x, pairs);
  }
  for (x += 2 * pairs; x < count; x++) out[x] = chroma_at(in, inCount, centered, first + x);
}

static void convert_downsample(const float *restrict in, ptrdiff_t count, bool centered, float *restrict out) {
  const ptrdiff_t outCount = (count + 1) / 2, pairs = count / 2;
  if (count <= 0) return;
  ptrdiff_t i = 0;
  if (centered) {
    for (; i + 16 <= pairs; i += 16) {
      sixteen a, b;
      LOAD_SIXTEEN(a, in + 2 * i);
      LOAD_SIXTEEN(b, in + 2 * i + 16);
      const sixteen mean = 0.5f * EVENS(a, b) + 0.5f * ODDS(a, b);
      STORE_SIXTEEN(out + i, mean);
    }
    for (; i < pairs; i++) out[i] = 0.5f * in[2 * i] + 0.5f * in[2 * i + 1];
    if (pairs < outCount) out[pairs] = in[count - 1];
    return;
  }
  out[0] = 0.75f * in[0] + 0.25f * in[clamp_index(1, count)];
  for (i = 1; i + 16 <= pairs; i += 16) {
    // Columns 2i − 1 … 2i + 30, and from the next column on.
    sixteen a, b, c, d;
    LOAD_SIXTEEN(a, in + 2 * i - 1);
    LOAD_SIXTEEN(b, in + 2 * i + 15);
    LOAD_SIXTEEN(c, in + 2 * i);
    LOAD_SIXTEEN(d, in + 2 * i + 16);
    const sixteen mean = 0.25f * EVENS(a, b) + 0.5f * ODDS(a, b) + 0.25f * ODDS(c, d);
    STORE_SIXTEEN(out + i, mean);
  }
  for (; i < pairs; i++) {
    out[i] = 0.25f * in[2 * i - 1] + 0.5f * in[2 * i] + 0.25f * in[2 * i + 1];
  }
  if (pairs < outCount && outCount > 1) out[pairs] = 0.25f * in[count - 2] + 0.75f * in[count - 1];
}

#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef EVENS
#undef ODDS
