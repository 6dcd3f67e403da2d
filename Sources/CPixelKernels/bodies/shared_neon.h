// Helpers shared by several Advanced SIMD bodies.

// The kind of a kernel is a compile-time constant of each loop.
#define NEON_INLINE static inline __attribute__((always_inline))

// Loads the last vector of a row, of which `count` samples exist.
NEON_INLINE float32x4_t load_some(const float *row, size_t count) {
  float lanes[4] = {0};
  memcpy(lanes, row, count * sizeof *row);
  return vld1q_f32(lanes);
}

NEON_INLINE void store_some(float *row, size_t count, float32x4_t value) {
  float lanes[4];
  vst1q_f32(lanes, value);
  memcpy(row, lanes, count * sizeof *row);
}

typedef struct row_vectors {
  float32x4_t a, b, c;
} row_vectors;

// Loads four samples of three rows, or as many as there are.
NEON_INLINE row_vectors load_rows_at(const float *a, const float *b, const float *c, size_t count) {
  if (count >= 4) return (row_vectors){vld1q_f32(a), vld1q_f32(b), vld1q_f32(c)};
  return (row_vectors){load_some(a, count), load_some(b, count), load_some(c, count)};
}

NEON_INLINE void store_rows_at(float *a, float *b, float *c, size_t count, row_vectors value) {
  if (count >= 4) {
    vst1q_f32(a, value.a);
    vst1q_f32(b, value.b);
    vst1q_f32(c, value.c);
  } else {
    store_some(a, count, value.a);
    store_some(b, count, value.b);
    store_some(c, count, value.c);
  }
}

typedef struct four_vectors {
  float32x4_t first, second, third, fourth;
} four_vectors;

// Loads four floats from each of four indices of a table and transposes them. There is no gather of floats, but one load fetches everything that a
// sample needs.
NEON_INLINE four_vectors look_four_up(const float *table, uint32x4_t places) {
  const float32x4_t a = vld1q_f32(table + vgetq_lane_u32(places, 0)), b = vld1q_f32(table + vgetq_lane_u32(places, 1));
  const float32x4_t c = vld1q_f32(table + vgetq_lane_u32(places, 2)), d = vld1q_f32(table + vgetq_lane_u32(places, 3));
  const float32x4_t ab = vtrn1q_f32(a, b), cd = vtrn1q_f32(c, d), ab2 = vtrn2q_f32(a, b), cd2 = vtrn2q_f32(c, d);
  return (four_vectors){
    vcombine_f32(vget_low_f32(ab), vget_low_f32(cd)), vcombine_f32(vget_low_f32(ab2), vget_low_f32(cd2)),
    vcombine_f32(vget_high_f32(ab), vget_high_f32(cd)), vcombine_f32(vget_high_f32(ab2), vget_high_f32(cd2))};
}
