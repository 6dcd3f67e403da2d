// Separable filters with fixed-point weights, 16 samples at a time (AVX2). Included by tiers that have it and nothing wider.
//
// As in filtering_v4.h: interleaved pairs of rows for sums down the rows; for sums along them, 8 rows are transposed or, with few taps, pairs of
// neighbors are loaded separately.

enum { filter_taps = cpk_filter_taps, filter_lanes = 8, filter_columns_held = 512 };

static inline const void *filtered_row(const cpk_filter_rows *from, size_t tap) {
  const int32_t row = bounded(from->first + (int32_t)tap, 0, from->height - 1);
  return (const char *)from->src + row * from->src_stride;
}

static inline int32_t weight_pair(const int16_t *weights) {
  int32_t pair;
  memcpy(&pair, weights, sizeof pair);
  return pair;
}

static inline __m256i load_words8(const uint8_t *at) { return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)at)); }
static inline __m256i load_words16(const uint16_t *at) { return _mm256_loadu_si256((const __m256i *)at); }

// Rows are read in parallel, which hardware prefetchers follow poorly: prefetches the rows that the next sums begin to need.
static inline void prefetch_ahead(const void *last, ptrdiff_t stride) {
  __builtin_prefetch((const char *)last + stride);
  __builtin_prefetch((const char *)last + 2 * stride);
}

#define FILTER_ROWS(name, sample, load)                                                                               \
  static void name(int16_t *dst, const cpk_filter_rows *from, size_t count) {                                          \
    const sample *rows[filter_taps];                                                                                   \
    for (size_t tap = 0; tap < from->taps; tap++) { rows[tap] = filtered_row(from, tap); }                             \
    const __m128i shift = _mm_cvtsi32_si128(from->shift);                                                              \
    const __m256i half = _mm256_set1_epi32(1 << (from->shift - 1));                                                    \
    size_t i = 0;                                                                                                      \
    for (; i + 16 <= count; i += 16) {                                                                                 \
      __m256i low = half, high = half;                                                                                 \
      prefetch_ahead(rows[from->taps - 1] + i, from->src_stride);                                                      \
      for (size_t tap = 0; tap < from->taps; tap += 2) {                                                               \
        const __m256i weights = _mm256_set1_epi32(weight_pair(from->weights + tap));                                   \
        const __m256i upper = load(rows[tap] + i), lower = load(rows[tap + 1] + i);                                    \
        low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi16(upper, lower), weights));                  \
        high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi16(upper, lower), weights));                \
      }                                                                                                                \
      const __m256i words = _mm256_packs_epi32(_mm256_sra_epi32(low, shift), _mm256_sra_epi32(high, shift));           \
      _mm256_storeu_si256((__m256i *)(dst + i), words);                                                                \
    }                                                                                                                  \
    for (; i < count; i++) {                                                                                           \
      int32_t sum = 1 << (from->shift - 1);                                                                            \
      for (size_t tap = 0; tap < from->taps; tap++) { sum += rows[tap][i] * from->weights[tap]; }                      \
      dst[i] = (int16_t)(sum >> from->shift);                                                                          \
    }                                                                                                                  \
  }
FILTER_ROWS(filter_rows8, uint8_t, load_words8)
FILTER_ROWS(filter_rows16, uint16_t, load_words16)
#undef FILTER_ROWS

// Transposes eight rows of eight pairs into eight consecutive columns.
static inline void turn_pairs(__m256i *columns, const int16_t *src, ptrdiff_t stride, size_t rows, size_t pairs) {
  __m256i r[8], t[8];
  const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32(pairs < 8 ? (int32_t)pairs : 8), order);
#pragma clang loop unroll(full)
  for (size_t i = 0; i < 8; i++) {
    r[i] = i < rows ? _mm256_maskload_epi32((const int *)(const void *)(src + (ptrdiff_t)i * stride), lanes)
                    : _mm256_setzero_si256();
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm256_unpacklo_epi32(r[i], r[i + 1]);
    t[i + 1] = _mm256_unpackhi_epi32(r[i], r[i + 1]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 8; i += 4) {
    r[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
    r[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
    r[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
    r[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma clang loop unroll(full)
  for (int c = 0; c < 4; c++) {
    columns[c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x20);
    columns[4 + c] = _mm256_permute2x128_si256(r[c], r[4 + c], 0x31);
  }
}

// The halves of four registers are rows: half l of register m is row 4 l + m.
static inline void store_rows(void *dst, ptrdiff_t stride, const __m256i *halves, size_t rows, size_t byte_count) {
  for (size_t row = 0; row < rows; row++) {
    const __m128i half = row < 4 ? _mm256_castsi256_si128(halves[row]) : _mm256_extracti128_si256(halves[row - 4], 1);
    char *to = (char *)dst + (ptrdiff_t)row * stride;
    if (byte_count == 16) {
      _mm_storeu_si128((__m128i *)to, half);
    } else if (byte_count == 8) {
      _mm_storel_epi64((__m128i *)to, half);
    } else {
      char bytes[16];
      _mm_storeu_si128((__m128i *)bytes, half);
      memcpy(to, bytes, byte_count);
    }
  }
}

// Eight columns of 8 rows as 16-bit values 0 ... 65535, one row per half register.
static inline void turn_sums(__m256i *halves, const __m256i *sums) {
  const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  __m256i z[4];
  for (int i = 0; i < 4; i++) { z[i] = _mm256_shuffle_epi8(_mm256_packus_epi32(sums[2 * i], sums[2 * i + 1]), order); }
  const __m256i a = _mm256_unpacklo_epi32(z[0], z[1]), b = _mm256_unpackhi_epi32(z[0], z[1]);
  const __m256i c = _mm256_unpacklo_epi32(z[2], z[3]), d = _mm256_unpackhi_epi32(z[2], z[3]);
  halves[0] = _mm256_unpacklo_epi64(a, c);
  halves[1] = _mm256_unpackhi_epi64(a, c);
  halves[2] = _mm256_unpacklo_epi64(b, d);
  halves[3] = _mm256_unpackhi_epi64(b, d);
}

static inline void store_columns8(uint8_t *dst, ptrdiff_t stride, const __m256i *sums, size_t rows, size_t count) {
  __m256i halves[4];
  turn_sums(halves, sums);
  const __m256i most = _mm256_set1_epi16(255);
  for (int i = 0; i < 4; i++) {
    const __m256i limited_words = _mm256_min_epu16(halves[i], most);
    halves[i] = _mm256_packus_epi16(limited_words, limited_words);
  }
  store_rows(dst, stride, halves, rows, count);
}

static inline void store_columns16(
    uint16_t *dst, ptrdiff_t stride, const __m256i *sums, size_t rows, size_t count, __m256i top) {
  __m256i halves[4];
  turn_sums(halves, sums);
  for (int i = 0; i < 4; i++) { halves[i] = _mm256_min_epu16(halves[i], top); }
  store_rows(dst, stride, halves, rows, 2 * count);
}

// Transposed columns of pairs: those reached by the current destination columns.
typedef struct held_columns {
  __m256i pairs[filter_columns_held];
  int32_t first;
} held_columns;

_Static_assert(2 * (filter_columns_held - filter_lanes) >= cpk_filter_taps, "the taps of one column are held");

// How many destination columns reach no more than can be held; a single one always fits.
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

static inline void hold_columns(
    held_columns *held, const cpk_filter_columns *from, const int16_t *src, size_t rows, size_t start, size_t part) {
  const int32_t one = from->starts[start], other = from->starts[start + part - 1];
  const size_t pairs = (size_t)((one < other ? other - one : one - other) + (int32_t)from->taps) / 2;
  held->first = one < other ? one : other;
  for (size_t pair = 0; pair < pairs; pair += filter_lanes) {
    turn_pairs(held->pairs + pair, src + held->first + 2 * pair, from->src_stride, rows, pairs - pair);
  }
}

static inline void sum_columns(
    __m256i *sums, const held_columns *held, const cpk_filter_columns *from, size_t start, size_t count) {
  const __m256i half = _mm256_set1_epi32(1 << (from->shift - 1));
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  for (size_t i = 0; i < count; i++) {
    const __m256i *columns = held->pairs + (from->starts[start + i] - held->first) / 2;
    const int16_t *weights = from->weights + (start + i) * from->taps;
    __m256i sum = half;
    for (size_t tap = 0; tap < from->taps; tap += 2) {
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(columns[tap / 2], _mm256_set1_epi32(weight_pair(weights + tap))));
    }
    sums[i] = _mm256_sra_epi32(sum, shift);
  }
}

// Few taps: eight adjacent destination samples, each of whose pairs of taps is loaded separately.
static inline __m256i few_sums(
    const int16_t *src, __m256i starts, const __m256i *weights, size_t pairs, __m256i lanes, __m256i half, __m128i shift) {
  __m256i sums = half;
  for (size_t pair = 0; pair < pairs; pair++) {
    const __m256i taps = _mm256_mask_i32gather_epi32(
        _mm256_setzero_si256(), (const int *)(const void *)(src + 2 * pair), starts, lanes, 2);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(taps, weights[pair]));
  }
  return _mm256_sra_epi32(sums, shift);
}

enum { filter_few = cpk_filter_few_taps };

#define FILTER_FEW(name, sample, size, bytes)                                                                          \
  static inline void name(                                                                                             \
      sample *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, size_t pairs,      \
      int32_t top) {                                                                                                   \
    const __m256i half = _mm256_set1_epi32(1 << (from->shift - 1)), limit = _mm256_set1_epi32(top);                    \
    const __m256i order = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);                                                   \
    const __m128i shift = _mm_cvtsi32_si128(from->shift);                                                              \
    for (size_t start = 0; start < count; start += 8) {                                                                \
      const size_t part = count - start < 8 ? count - start : 8;                                                       \
      const __m256i lanes = _mm256_cmpgt_epi32(_mm256_set1_epi32((int32_t)part), order);                               \
      const __m256i starts = _mm256_maskload_epi32(from->starts + start, lanes);                                       \
      const __m256i steps = _mm256_mullo_epi32(order, _mm256_set1_epi32((int32_t)from->taps / 2));                     \
      __m256i weights[filter_few / 2];                                                                                 \
      for (size_t pair = 0; pair < pairs; pair++) {                                                                    \
        const int16_t *first = from->weights + start * from->taps + 2 * pair;                                          \
        weights[pair] = _mm256_mask_i32gather_epi32(                                                                   \
            _mm256_setzero_si256(), (const int *)(const void *)first, steps, lanes, 4);                                \
      }                                                                                                                \
      for (size_t row = 0; row < rows; row++) {                                                                        \
        const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;                                            \
        __m256i sums = few_sums(src, starts, weights, pairs, lanes, half, shift);                                      \
        sums = _mm256_min_epi32(_mm256_max_epi32(sums, _mm256_setzero_si256()), limit);                                \
        const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(sums, sums), 0xd8);                         \
        const __m128i codes = size == 2 ? _mm256_castsi256_si128(words)                                                \
                                        : _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_castsi256_si128(words)); \
        uint8_t whole[16];                                                                                             \
        char *to = (char *)dst + (ptrdiff_t)row * dst_stride + size * start;                                           \
        if (part == 8) {                                                                                               \
          bytes((__m128i *)to, codes);                                                                                 \
        } else {                                                                                                       \
          _mm_storeu_si128((__m128i *)whole, codes);                                                                   \
          memcpy(to, whole, size * part);                                                                              \
        }                                                                                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }
FILTER_FEW(filter_few8, uint8_t, 1, _mm_storel_epi64)
FILTER_FEW(filter_few16, uint16_t, 2, _mm_storeu_si128)
#undef FILTER_FEW

#define FILTER_MANY(store)                                                                                              \
  held_columns held;                                                                                                   \
  __m256i sums[8];                                                                                                     \
  memset(sums, 0, sizeof sums);                                                                                        \
  for (size_t row = 0; row < rows; row += 8) {                                                                         \
    const size_t band = rows - row < 8 ? rows - row : 8;                                                               \
    const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;                                                \
    for (size_t start = 0, part; start < count; start += part) {                                                       \
      part = columns_at_once(from, start, count);                                                                      \
      hold_columns(&held, from, src, band, start, part);                                                               \
      for (size_t i = 0; i < part; i += 8) {                                                                           \
        const size_t columns = part - i < 8 ? part - i : 8;                                                            \
        sum_columns(sums, &held, from, start + i, columns);                                                            \
        store;                                                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
  }

#include "filtering_halving_v3.h"

static void filter_columns8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  if (from->is_halving && count > 0) { return filter_halving8(dst, dst_stride, from, rows, count); }
  if (from->taps == 4) { return filter_few8(dst, dst_stride, from, rows, count, 2, 255); }
  if (from->taps <= filter_few) { return filter_few8(dst, dst_stride, from, rows, count, from->taps / 2, 255); }
  FILTER_MANY(store_columns8(dst + (ptrdiff_t)row * dst_stride + start + i, dst_stride, sums, band, columns))
}

static void filter_columns16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  if (from->is_halving && count > 0) { return filter_halving16(dst, dst_stride, from, rows, count, top); }
  if (from->taps == 4) { return filter_few16(dst, dst_stride, from, rows, count, 2, top); }
  if (from->taps <= filter_few) { return filter_few16(dst, dst_stride, from, rows, count, from->taps / 2, top); }
  const __m256i limit = _mm256_set1_epi16((int16_t)(uint16_t)top);
  FILTER_MANY(
      store_columns16((uint16_t *)((char *)dst + (ptrdiff_t)row * dst_stride) + start + i, dst_stride, sums, band, columns,
                          limit))
}
#undef FILTER_MANY
