// Separable filters with fixed-point weights, 32 samples at a time (AVX-512 BW). Included by tiers that have it.
//
// For sums down the rows, two rows at a time are interleaved into pairs, and one instruction computes the weighted sum of each pair. For sums along
// the rows, 16 rows are transposed first: a column of pairs is then one register, and the same instruction applies one weight to a tap of 16 rows.
// With few taps, filtering_few_v4.h is faster.

enum { filter_taps = cpk_filter_taps, filter_lanes = 16, filter_columns_held = 512 };

static inline const void *filtered_row(const cpk_filter_rows *from, size_t tap) {
  const int32_t row = bounded(from->first + (int32_t)tap, 0, from->height - 1);
  return (const char *)from->src + row * from->src_stride;
}

static inline int32_t weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

typedef struct filter_sums {
  __m512i low, high;
} filter_sums;

static inline filter_sums add_pair(filter_sums sums, __m512i a, __m512i b, __m512i weights) {
  return (filter_sums){_mm512_add_epi32(sums.low, _mm512_madd_epi16(_mm512_unpacklo_epi16(a, b), weights)),
                       _mm512_add_epi32(sums.high, _mm512_madd_epi16(_mm512_unpackhi_epi16(a, b), weights))};
}

static inline __m512i rounded_words(filter_sums sums, __m128i shift) {
  return _mm512_packs_epi32(_mm512_sra_epi32(sums.low, shift), _mm512_sra_epi32(sums.high, shift));
}

// Rows are read in parallel, which hardware prefetchers follow poorly: prefetches the rows that the next sums begin to need. A filter that reduces
// has six taps for each row that it advances by.
static inline ptrdiff_t rows_ahead(size_t taps) { return taps <= 12 ? 2 : (ptrdiff_t)(taps + 5) / 6; }

static inline void prefetch_ahead(const void *last, ptrdiff_t rows, ptrdiff_t stride, size_t byte_count) {
  for (ptrdiff_t row = 1; row <= rows; row++) {
    for (size_t byte = 0; byte < byte_count; byte += 64) { __builtin_prefetch((const char *)last + row * stride + byte); }
  }
}

static inline __mmask32 first_lanes(size_t count) { return count < 32 ? ((__mmask32)1 << count) - 1 : ~(__mmask32)0; }

static inline void sum_rows8(int16_t *dst, const cpk_filter_rows *from, size_t count, size_t taps) {
  const uint8_t *rows[filter_taps];
  for (size_t tap = 0; tap < taps; tap++) { rows[tap] = filtered_row(from, tap); }
  const ptrdiff_t ahead = rows_ahead(taps);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    filter_sums first = {half, half}, second = {half, half};
    prefetch_ahead(rows[taps - 1] + i, ahead, from->src_stride, 64);
    for (size_t tap = 0; tap < taps; tap += 2) {
      const __m512i weights = _mm512_set1_epi32(weight_pair(from->weights + tap));
      const uint8_t *upper = rows[tap] + i, *lower = rows[tap + 1] + i;
      first = add_pair(first, _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)upper)),
                       _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)lower)), weights);
      second = add_pair(second, _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(upper + 32))),
                        _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(lower + 32))), weights);
    }
    _mm512_storeu_si512(dst + i, rounded_words(first, shift));
    _mm512_storeu_si512(dst + i + 32, rounded_words(second, shift));
  }
  for (; i < count; i += 32) {
    const __mmask32 lanes = first_lanes(count - i);
    filter_sums sums = {half, half};
    for (size_t tap = 0; tap < taps; tap += 2) {
      sums = add_pair(sums, _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(lanes, rows[tap] + i)),
                      _mm512_cvtepu8_epi16(_mm256_maskz_loadu_epi8(lanes, rows[tap + 1] + i)),
                      _mm512_set1_epi32(weight_pair(from->weights + tap)));
    }
    _mm512_mask_storeu_epi16(dst + i, lanes, rounded_words(sums, shift));
  }
}

static void filter_rows8(int16_t *dst, const cpk_filter_rows *from, size_t count) {
  // A constant for the four taps of enlarging filters, so that their loop is unrolled.
  if (from->taps == 4) { return sum_rows8(dst, from, count, 4); }
  sum_rows8(dst, from, count, from->taps);
}

static inline void sum_rows16(int16_t *dst, const cpk_filter_rows *from, size_t count, size_t taps) {
  const uint16_t *rows[filter_taps];
  for (size_t tap = 0; tap < taps; tap++) { rows[tap] = filtered_row(from, tap); }
  const ptrdiff_t ahead = rows_ahead(taps);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  size_t i = 0;
  for (; i + 64 <= count; i += 64) {
    filter_sums first = {half, half}, second = {half, half};
    prefetch_ahead(rows[taps - 1] + i, ahead, from->src_stride, 128);
    for (size_t tap = 0; tap < taps; tap += 2) {
      const __m512i weights = _mm512_set1_epi32(weight_pair(from->weights + tap));
      const uint16_t *upper = rows[tap] + i, *lower = rows[tap + 1] + i;
      first = add_pair(first, _mm512_loadu_si512(upper), _mm512_loadu_si512(lower), weights);
      second = add_pair(second, _mm512_loadu_si512(upper + 32), _mm512_loadu_si512(lower + 32), weights);
    }
    _mm512_storeu_si512(dst + i, rounded_words(first, shift));
    _mm512_storeu_si512(dst + i + 32, rounded_words(second, shift));
  }
  for (; i < count; i += 32) {
    const __mmask32 lanes = first_lanes(count - i);
    filter_sums sums = {half, half};
    for (size_t tap = 0; tap < taps; tap += 2) {
      sums = add_pair(sums, _mm512_maskz_loadu_epi16(lanes, rows[tap] + i), _mm512_maskz_loadu_epi16(lanes, rows[tap + 1] + i),
                      _mm512_set1_epi32(weight_pair(from->weights + tap)));
    }
    _mm512_mask_storeu_epi16(dst + i, lanes, rounded_words(sums, shift));
  }
}

static void filter_rows16(int16_t *dst, const cpk_filter_rows *from, size_t count) {
  // A constant for the four taps of enlarging filters, so that their loop is unrolled.
  if (from->taps == 4) { return sum_rows16(dst, from, count, 4); }
  sum_rows16(dst, from, count, from->taps);
}

// Transposes sixteen rows of sixteen pairs into sixteen consecutive columns.
static inline void turn_pairs(__m512i *columns, const int16_t *src, ptrdiff_t stride, size_t rows, size_t pairs) {
  __m512i r[16], t[16];
  const __mmask16 lanes = pairs < 16 ? (__mmask16)((1u << pairs) - 1) : (__mmask16)0xffff;
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 16; i++) {
    r[i] = _mm512_maskz_loadu_epi32(i < rows ? lanes : 0, src + (ptrdiff_t)(i < rows ? i : 0) * stride);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i += 2) {
    t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
  }
  // r[4 g + c]: in lane l, column 4 l + c of rows 4 g to 4 g + 3.
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i += 4) {
    r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma clang loop unroll(full)
  for (int c = 0; c < 4; c++) {
    const __m512i a = _mm512_shuffle_i32x4(r[c], r[4 + c], 0x88), b = _mm512_shuffle_i32x4(r[c], r[4 + c], 0xdd);
    const __m512i d = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0x88), e = _mm512_shuffle_i32x4(r[8 + c], r[12 + c], 0xdd);
    columns[c] = _mm512_shuffle_i32x4(a, d, 0x88);
    columns[8 + c] = _mm512_shuffle_i32x4(a, d, 0xdd);
    columns[4 + c] = _mm512_shuffle_i32x4(b, e, 0x88);
    columns[12 + c] = _mm512_shuffle_i32x4(b, e, 0xdd);
  }
}

// Weighted sums of a column of the destination: 16 rows.
static inline __m512i column_sums(const __m512i *columns, const int16_t *weights, size_t taps, __m512i half, __m128i shift) {
  __m512i sums = half;
  for (size_t tap = 0; tap < taps; tap += 2) {
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(columns[tap / 2], _mm512_set1_epi32(weight_pair(weights + tap))));
  }
  return _mm512_sra_epi32(sums, shift);
}

// Four columns of 16 rows as bytes: the four of each row are adjacent.
static inline __m512i four_columns8(const __m512i *sums) {
  const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  const __m512i words = _mm512_packs_epi32(sums[0], sums[1]), others = _mm512_packs_epi32(sums[2], sums[3]);
  return _mm512_shuffle_epi8(_mm512_packus_epi16(words, others), order);
}

static inline __m512i pair_of_columns16(const __m512i *sums) {
  const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm512_shuffle_epi8(_mm512_packus_epi32(sums[0], sums[1]), order);
}

// The quarters of four registers are rows: quarter l of register m is row 4 l + m.
static inline void store_rows(void *dst, ptrdiff_t stride, const __m512i *quarters, size_t rows, size_t byte_count) {
  const __mmask16 bytes = byte_count < 16 ? (__mmask16)((1u << byte_count) - 1) : (__mmask16)0xffff;
#pragma clang loop unroll(full)
  for (int row = 0; row < 16; row++) {
    if ((size_t)row >= rows) { return; }
    __m128i quarter;
    switch (row / 4) {
      case 0: quarter = _mm512_castsi512_si128(quarters[row % 4]); break;
      case 1: quarter = _mm512_extracti32x4_epi32(quarters[row % 4], 1); break;
      case 2: quarter = _mm512_extracti32x4_epi32(quarters[row % 4], 2); break;
      default: quarter = _mm512_extracti32x4_epi32(quarters[row % 4], 3); break;
    }
    if (bytes == 0xffff) {
      _mm_storeu_si128((__m128i *)((char *)dst + row * stride), quarter);
    } else {
      _mm_mask_storeu_epi8((char *)dst + row * stride, bytes, quarter);
    }
  }
}

static inline void store_columns8(uint8_t *dst, ptrdiff_t stride, const __m512i *sums, size_t rows, size_t count) {
  __m512i z[4], quarters[4];
  for (int i = 0; i < 4; i++) { z[i] = four_columns8(sums + 4 * i); }
  const __m512i a = _mm512_unpacklo_epi32(z[0], z[1]), b = _mm512_unpackhi_epi32(z[0], z[1]);
  const __m512i c = _mm512_unpacklo_epi32(z[2], z[3]), d = _mm512_unpackhi_epi32(z[2], z[3]);
  quarters[0] = _mm512_unpacklo_epi64(a, c);
  quarters[1] = _mm512_unpackhi_epi64(a, c);
  quarters[2] = _mm512_unpacklo_epi64(b, d);
  quarters[3] = _mm512_unpackhi_epi64(b, d);
  store_rows(dst, stride, quarters, rows, count);
}

static inline void store_columns16(
    uint16_t *dst, ptrdiff_t stride, const __m512i *sums, size_t rows, size_t count, __m512i top) {
  __m512i z[4], quarters[4];
  for (int i = 0; i < 4; i++) { z[i] = _mm512_min_epu16(pair_of_columns16(sums + 2 * i), top); }
  const __m512i a = _mm512_unpacklo_epi32(z[0], z[1]), b = _mm512_unpackhi_epi32(z[0], z[1]);
  const __m512i c = _mm512_unpacklo_epi32(z[2], z[3]), d = _mm512_unpackhi_epi32(z[2], z[3]);
  quarters[0] = _mm512_unpacklo_epi64(a, c);
  quarters[1] = _mm512_unpackhi_epi64(a, c);
  quarters[2] = _mm512_unpacklo_epi64(b, d);
  quarters[3] = _mm512_unpackhi_epi64(b, d);
  store_rows(dst, stride, quarters, rows, 2 * count);
}

#include "filtering_few_v4.h"

// Transposed columns of pairs: those reached by the current destination columns.
typedef struct held_columns {
  __m512i pairs[filter_columns_held];
  int32_t first;
} held_columns;

// How many destination columns reach no more than can be held; a single one always fits.
_Static_assert(2 * (filter_columns_held - filter_lanes) >= cpk_filter_taps, "the taps of one column are held");

static inline size_t columns_at_once(const cpk_filter_columns *from, size_t start, size_t count) {
  const int32_t room = 2 * (filter_columns_held - filter_lanes) - (int32_t)from->taps;
  size_t part = count - start < 64 ? count - start : 64;
  while (part > 1) {
    const int32_t span = from->starts[start + part - 1] - from->starts[start];
    if (span <= room && span >= -room) { return part; }
    part = (part + 1) / 2;
  }
  return part;
}

static inline void hold_columns(held_columns *held, const cpk_filter_columns *from, size_t rows, size_t start, size_t part) {
  const int32_t one = from->starts[start], other = from->starts[start + part - 1];
  const size_t pairs = (size_t)((one < other ? other - one : one - other) + (int32_t)from->taps) / 2;
  held->first = one < other ? one : other;
  for (size_t pair = 0; pair < pairs; pair += filter_lanes) {
    turn_pairs(held->pairs + pair, from->src + held->first + 2 * pair, from->src_stride, rows, pairs - pair);
  }
}

static inline void sum_columns(
    __m512i *sums, const held_columns *held, const cpk_filter_columns *from, size_t start, size_t count) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t i = 0; i < count; i++) {
    const size_t at = start + i;
    sums[i] = column_sums(
        held->pairs + (from->starts[at] - held->first) / 2, from->weights + at * from->taps, from->taps, half, shift);
  }
}

#include "filtering_halving_v4.h"

static void filter_columns8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  if (from->is_halving && count > 0) { return filter_halving8(dst, dst_stride, from, rows, count); }
  if (from->taps == 4) { return filter_few8(dst, dst_stride, from, rows, count, 2); }
  if (from->taps <= filter_few) { return filter_few8(dst, dst_stride, from, rows, count, from->taps / 2); }
  held_columns held;
  __m512i sums[16];
  memset(sums, 0, sizeof sums);
  for (size_t start = 0, part; start < count && rows > 0; start += part) {
    part = columns_at_once(from, start, count);
    hold_columns(&held, from, rows, start, part);
    for (size_t i = 0; i < part; i += 16) {
      const size_t columns = part - i < 16 ? part - i : 16;
      sum_columns(sums, &held, from, start + i, columns);
      store_columns8(dst + start + i, dst_stride, sums, rows, columns);
    }
  }
}

static void filter_columns16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  if (from->is_halving && count > 0) { return filter_halving16(dst, dst_stride, from, rows, count, top); }
  if (from->taps == 4) { return filter_few16(dst, dst_stride, from, rows, count, 2, top); }
  if (from->taps <= filter_few) { return filter_few16(dst, dst_stride, from, rows, count, from->taps / 2, top); }
  held_columns held;
  __m512i sums[8];
  memset(sums, 0, sizeof sums);
  const __m512i limit = _mm512_set1_epi16((int16_t)(uint16_t)top);
  for (size_t start = 0, part; start < count && rows > 0; start += part) {
    part = columns_at_once(from, start, count);
    hold_columns(&held, from, rows, start, part);
    for (size_t i = 0; i < part; i += 8) {
      const size_t columns = part - i < 8 ? part - i : 8;
      sum_columns(sums, &held, from, start + i, columns);
      store_columns16(dst + start + i, dst_stride, sums, rows, columns, limit);
    }
  }
}
