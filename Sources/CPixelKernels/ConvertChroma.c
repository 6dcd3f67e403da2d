#include "ConvertRows.h"
#include "RowTiers.h"

#pragma STDC FP_CONTRACT OFF

static inline ptrdiff_t clamp_index(ptrdiff_t index, ptrdiff_t count) {
  return index < 0 ? 0 : index < count ? index : count - 1;
}

// One luma column's chroma, anywhere: `column` may be outside the samples' inside.
static inline float chroma_at(const float *in, ptrdiff_t inCount, int centered, ptrdiff_t column) {
  const ptrdiff_t i = column >> 1;
  const float here = in[clamp_index(i, inCount)];
  if ((column & 1) == 0) {
    return centered ? 0.75f * here + 0.25f * in[clamp_index(i - 1, inCount)] : here;
  }
  const float next = in[clamp_index(i + 1, inCount)];
  return centered ? 0.75f * here + 0.25f * next : 0.5f * here + 0.5f * next;
}

ROW_TIERS
void convert_upsample(
    const float *restrict in, ptrdiff_t inCount, int centered, ptrdiff_t first, float *restrict out, ptrdiff_t count) {
  ptrdiff_t x = 0;
  while (x < count && (((first + x) & 1) != 0 || first + x < 2)) {
    out[x] = chroma_at(in, inCount, centered, first + x);
    x++;
  }
  // From here on column `first + x` is even and has a sample to its left; pairs run while there is one to the right.
  const ptrdiff_t i0 = (first + x) >> 1;
  ptrdiff_t pairs = (count - x) / 2;
  if (pairs > inCount - 1 - i0) pairs = inCount - 1 - i0;
  if (pairs < 0) pairs = 0;
  const float *restrict s = in + i0;
  float *restrict o = out + x;
  if (centered) {
    for (ptrdiff_t i = 0; i < pairs; i++) {
      const float here = 0.75f * s[i];
      o[2 * i] = here + 0.25f * s[i - 1];
      o[2 * i + 1] = here + 0.25f * s[i + 1];
    }
  } else {
    for (ptrdiff_t i = 0; i < pairs; i++) {
      o[2 * i] = s[i];
      o[2 * i + 1] = 0.5f * s[i] + 0.5f * s[i + 1];
    }
  }
  for (x += 2 * pairs; x < count; x++) out[x] = chroma_at(in, inCount, centered, first + x);
}

ROW_TIERS
void convert_downsample(const float *restrict in, ptrdiff_t count, int centered, float *restrict out) {
  const ptrdiff_t outCount = (count + 1) / 2, pairs = count / 2;
  if (count <= 0) return;
  if (centered) {
    for (ptrdiff_t i = 0; i < pairs; i++) out[i] = 0.5f * in[2 * i] + 0.5f * in[2 * i + 1];
    if (pairs < outCount) out[pairs] = in[count - 1];
    return;
  }
  out[0] = 0.75f * in[0] + 0.25f * in[clamp_index(1, count)];
  for (ptrdiff_t i = 1; i < pairs; i++) {
    out[i] = 0.25f * in[2 * i - 1] + 0.5f * in[2 * i] + 0.25f * in[2 * i + 1];
  }
  if (pairs < outCount && outCount > 1) out[pairs] = 0.25f * in[count - 2] + 0.75f * in[count - 1];
}
