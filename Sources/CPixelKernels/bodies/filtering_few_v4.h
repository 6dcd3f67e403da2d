// Filters along rows with few taps, for filtering_v4.h: pairs of taps are permuted from one or two registers.

// With few taps, 16 adjacent destination samples reach no more than one or two registers, from which each pair of taps is permuted at once. If the
// samples are further apart, fewer are processed at a time.

enum { filter_few = cpk_filter_few_taps };

// The pairs of weights of up to 64 / `pairs` columns, which are adjacent in memory; gathering them would take several times as long.
typedef struct weight_pairs {
  __m512i quarters[4];
  size_t count;
} weight_pairs;

static inline weight_pairs load_weight_pairs(const int16_t *weights, size_t count) {
  weight_pairs loaded = {.count = count};
  for (size_t quarter = 0; quarter < 4; quarter++) {
    const size_t left = count > 16 * quarter ? count - 16 * quarter : 0;
    const __mmask16 lanes = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xffff;
    loaded.quarters[quarter] = _mm512_maskz_loadu_epi32(lanes, weights + 32 * quarter);
  }
  return loaded;
}

static inline __m512i pick_weight_pairs(const weight_pairs *from, __m512i places) {
  const __m512i low = _mm512_permutex2var_epi32(from->quarters[0], places, from->quarters[1]);
  if (from->count <= 32) { return low; }
  const __m512i high = _mm512_permutex2var_epi32(from->quarters[2], places, from->quarters[3]);
  return _mm512_mask_blend_epi32(_mm512_test_epi32_mask(places, _mm512_set1_epi32(32)), low, high);
}

typedef struct few_taps {
  __m512i places[filter_few / 2], weights[filter_few / 2];
  __mmask32 reached, beyond;
  int32_t first;
  bool is_wide;
} few_taps;

static inline size_t few_reach(const cpk_filter_columns *from, size_t start, size_t count) {
  const int32_t one = from->starts[start], other = from->starts[start + count - 1];
  return (size_t)((one < other ? other - one : one - other) + (int32_t)from->taps);
}

// How many of the next sixteen destination samples reach at most two registers; at least one does.
static inline size_t few_at_once(const cpk_filter_columns *from, size_t start, size_t count) {
  size_t part = count - start < 16 ? count - start : 16;
  while (part > 1 && few_reach(from, start, part) > 64) { part = (part + 1) / 2; }
  return part;
}

static inline few_taps find_few_taps(const cpk_filter_columns *from, size_t start, size_t count) {
  few_taps found;
  const __mmask16 lanes = (__mmask16)first_lanes(count);
  const int32_t one = from->starts[start], other = from->starts[start + count - 1];
  found.first = one < other ? one : other;
  const size_t reach = few_reach(from, start, count);
  found.reached = first_lanes(reach);
  found.is_wide = reach > 32;
  found.beyond = found.is_wide ? first_lanes(reach - 32) : 0;
  const __m512i starts = _mm512_maskz_loadu_epi32(lanes, from->starts + start);
  const __m512i away = _mm512_maskz_sub_epi32(lanes, starts, _mm512_set1_epi32(found.first));
  const __m512i pairs = _mm512_or_si512(away, _mm512_slli_epi32(away, 16));
  const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i steps = _mm512_mullo_epi32(order, _mm512_set1_epi32((int32_t)from->taps / 2));
  const weight_pairs weights = load_weight_pairs(from->weights + start * from->taps, count * (from->taps / 2));
  for (size_t pair = 0; pair < from->taps / 2; pair++) {
    const int32_t tap = 2 * (int32_t)pair;
    found.places[pair] = _mm512_add_epi32(pairs, _mm512_set1_epi32((tap + 1) << 16 | tap));
    found.weights[pair] = pick_weight_pairs(&weights, _mm512_add_epi32(steps, _mm512_set1_epi32((int32_t)pair)));
  }
  return found;
}

// Sixteen adjacent destination samples; `pairs` and `is_wide` are compile-time constants at each call.
static inline __attribute__((always_inline)) __m512i few_sums(
    const few_taps *few, const int16_t *src, size_t pairs, bool is_wide, __m512i half, __m128i shift) {
  const __m512i reached = _mm512_maskz_loadu_epi16(few->reached, src + few->first);
  const __m512i beyond = is_wide ? _mm512_maskz_loadu_epi16(few->beyond, src + few->first + 32) : reached;
  __m512i sums = half;
#pragma clang loop unroll(full)
  for (size_t pair = 0; pair < filter_few / 2; pair++) {
    if (pair >= pairs) { break; }
    const __m512i taps = is_wide ? _mm512_permutex2var_epi16(reached, few->places[pair], beyond)
                                 : _mm512_permutexvar_epi16(few->places[pair], reached);
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(taps, few->weights[pair]));
  }
  return _mm512_max_epi32(_mm512_sra_epi32(sums, shift), _mm512_setzero_si512());
}

// Thirty-two adjacent destination samples whose reach fits one register, interleaved by fours, so that packing leaves them in order.
typedef struct many_taps {
  __m512i places[2][2], weights[2][2];
  int32_t first;
} many_taps;

static inline bool find_many_taps(many_taps *found, const cpk_filter_columns *from, size_t start) {
  const int32_t one = from->starts[start], other = from->starts[start + 31];
  found->first = one < other ? one : other;
  if ((one < other ? other - one : one - other) + 4 > 32) { return false; }
  const __m512i order = _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
  const __m512i left = _mm512_loadu_si512(from->starts + start), right = _mm512_loadu_si512(from->starts + start + 16);
  const weight_pairs weights = load_weight_pairs(from->weights + 4 * start, 64);
  for (int group = 0; group < 2; group++) {
    const __m512i at = _mm512_add_epi32(order, _mm512_set1_epi32(4 * group));
    const __m512i starts = _mm512_permutex2var_epi32(left, at, right);
    const __m512i away = _mm512_sub_epi32(starts, _mm512_set1_epi32(found->first));
    const __m512i pairs = _mm512_or_si512(away, _mm512_slli_epi32(away, 16));
    for (int pair = 0; pair < 2; pair++) {
      found->places[group][pair] = _mm512_add_epi32(pairs, _mm512_set1_epi32((2 * pair + 1) << 16 | 2 * pair));
      const __m512i doubled = _mm512_slli_epi32(at, 1);
      found->weights[group][pair] = pick_weight_pairs(&weights, _mm512_add_epi32(doubled, _mm512_set1_epi32(pair)));
    }
  }
  return true;
}

static inline __m512i many_sums(const many_taps *many, int group, __m512i reached, __m512i half, __m128i shift) {
  const __m512i first = _mm512_permutexvar_epi16(many->places[group][0], reached);
  const __m512i second = _mm512_permutexvar_epi16(many->places[group][1], reached);
  const __m512i sums = _mm512_add_epi32(half, _mm512_madd_epi16(first, many->weights[group][0]));
  return _mm512_sra_epi32(_mm512_add_epi32(sums, _mm512_madd_epi16(second, many->weights[group][1])), shift);
}

// Columns of filters with four taps, in multiples of thirty-two; returns their number.
static inline size_t filter_many8(uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  size_t start = 0;
  many_taps many;
  for (; start + 32 <= count && find_many_taps(&many, from, start); start += 32) {
    const __mmask32 lanes = first_lanes((size_t)(from->starts[start + 31] - many.first + from->starts[start] - many.first + 4));
    for (size_t row = 0; row < rows; row++) {
      const __m512i reached = _mm512_maskz_loadu_epi16(lanes, from->src + (ptrdiff_t)row * from->src_stride + many.first);
      const __m512i words =
          _mm512_packs_epi32(many_sums(&many, 0, reached, half, shift), many_sums(&many, 1, reached, half, shift));
      const __m256i codes = _mm512_cvtusepi16_epi8(_mm512_max_epi16(words, _mm512_setzero_si512()));
      _mm256_storeu_si256((__m256i *)(dst + (ptrdiff_t)row * dst_stride + start), codes);
    }
  }
  return start;
}

static inline size_t filter_many16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, int32_t top) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1)), limit = _mm512_set1_epi16((int16_t)(uint16_t)top);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  size_t start = 0;
  many_taps many;
  for (; start + 32 <= count && find_many_taps(&many, from, start); start += 32) {
    const __mmask32 lanes = first_lanes((size_t)(from->starts[start + 31] - many.first + from->starts[start] - many.first + 4));
    for (size_t row = 0; row < rows; row++) {
      const __m512i reached = _mm512_maskz_loadu_epi16(lanes, from->src + (ptrdiff_t)row * from->src_stride + many.first);
      const __m512i words =
          _mm512_packus_epi32(many_sums(&many, 0, reached, half, shift), many_sums(&many, 1, reached, half, shift));
      _mm512_storeu_si512((char *)dst + (ptrdiff_t)row * dst_stride + 2 * start, _mm512_min_epu16(words, limit));
    }
  }
  return start;
}

static inline void filter_few8(
    uint8_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, size_t pairs) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1));
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  size_t start = pairs == 2 ? filter_many8(dst, dst_stride, from, rows, count) : 0;
  for (size_t part; start < count; start += part) {
    part = few_at_once(from, start, count);
    const few_taps few = find_few_taps(from, start, part);
    const __mmask16 lanes = (__mmask16)first_lanes(part);
    for (size_t row = 0; row < rows; row++) {
      const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;
      const __m512i sums =
          few.is_wide ? few_sums(&few, src, pairs, true, half, shift) : few_sums(&few, src, pairs, false, half, shift);
      _mm_mask_storeu_epi8(dst + (ptrdiff_t)row * dst_stride + start, lanes, _mm512_cvtusepi32_epi8(sums));
    }
  }
}

static inline void filter_few16(
    uint16_t *dst, ptrdiff_t dst_stride, const cpk_filter_columns *from, size_t rows, size_t count, size_t pairs, int32_t top) {
  const __m512i half = _mm512_set1_epi32(1 << (from->shift - 1)), limit = _mm512_set1_epi32(top);
  const __m128i shift = _mm_cvtsi32_si128(from->shift);
  size_t start = pairs == 2 ? filter_many16(dst, dst_stride, from, rows, count, top) : 0;
  for (size_t part; start < count; start += part) {
    part = few_at_once(from, start, count);
    const few_taps few = find_few_taps(from, start, part);
    const __mmask16 lanes = (__mmask16)first_lanes(part);
    for (size_t row = 0; row < rows; row++) {
      const int16_t *src = from->src + (ptrdiff_t)row * from->src_stride;
      const __m512i sums =
          few.is_wide ? few_sums(&few, src, pairs, true, half, shift) : few_sums(&few, src, pairs, false, half, shift);
      uint16_t *to = (uint16_t *)((char *)dst + (ptrdiff_t)row * dst_stride) + start;
      _mm256_mask_storeu_epi16(to, lanes, _mm512_cvtepi32_epi16(_mm512_min_epi32(sums, limit)));
    }
  }
}
