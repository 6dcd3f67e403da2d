// The light of pixels. Included by every tier.

static inline float greater(float a, float b) { return a > b ? a : b; }

// The greatest of the three components after the matrix, clamped so that NaN cannot result.
static inline float peak(float a, float b, float c, const float m[9]) {
  float red = m[0] * a + m[1] * b + m[2] * c;
  float green = m[3] * a + m[4] * b + m[5] * c;
  float blue = m[6] * a + m[7] * b + m[8] * c;
  float value = greater(greater(red, green), blue);
  value = value > 0.0f ? value : 0.0f;
  return value < 1.0f ? value : 1.0f;
}

static void measure_peaks_u16(
    const uint16_t *first, const uint16_t *second, const uint16_t *third, int shift, const cpk_measure_components *components,
    float *peaks, ptrdiff_t count) {
  const cpk_measure_components p = *components;
  if (shift == 0) {
    for (ptrdiff_t x = 0; x < count; x++) {
      peaks[x] = peak(
          (float)first[x] * p.scale[0] + p.offset[0], (float)second[x] * p.scale[1] + p.offset[1],
          (float)third[x] * p.scale[2] + p.offset[2], p.matrix);
    }
    return;
  }
  // Two columns per chroma sample, so that the loop needs no halved index.
  for (ptrdiff_t x = 0; x < count / 2; x++) {
    float b = (float)second[x] * p.scale[1] + p.offset[1], c = (float)third[x] * p.scale[2] + p.offset[2];
    peaks[2 * x] = peak((float)first[2 * x] * p.scale[0] + p.offset[0], b, c, p.matrix);
    peaks[2 * x + 1] = peak((float)first[2 * x + 1] * p.scale[0] + p.offset[0], b, c, p.matrix);
  }
  if (count & 1) {
    ptrdiff_t x = count / 2;
    float b = (float)second[x] * p.scale[1] + p.offset[1], c = (float)third[x] * p.scale[2] + p.offset[2];
    peaks[count - 1] = peak((float)first[count - 1] * p.scale[0] + p.offset[0], b, c, p.matrix);
  }
}

static void look_up_light(float *row, ptrdiff_t count, const float *nodes) {
  for (ptrdiff_t x = 0; x < count; x++) {
    float place = row[x] * CPK_MEASURE_SEGMENT_COUNT;
    int32_t index = (int32_t)place;
    index = index < CPK_MEASURE_SEGMENT_COUNT ? index : CPK_MEASURE_SEGMENT_COUNT - 1;
    float low = nodes[index];
    row[x] = low + (nodes[index + 1] - low) * (place - (float)index);
  }
}

static double measure_light(float *row, ptrdiff_t count, const float *nodes, float *largest) {
  look_up_light(row, count, nodes);
  // Four sums, for instruction-level parallelism; in the same order on every tier.
  double sums[4] = {0};
  float most = *largest;
  for (ptrdiff_t x = 0; x < count; x++) {
    sums[x & 3] += (double)row[x];
    most = greater(row[x], most);
  }
  *largest = most;
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

static uint16_t measure_bits_16(const uint16_t *row, ptrdiff_t count) {
  uint16_t bits = 0;
  for (ptrdiff_t x = 0; x < count; x++) bits |= row[x];
  return bits;
}

static uint16_t measure_magnitude_16(const uint16_t *row, ptrdiff_t count) {
  uint16_t most = 0;
  for (ptrdiff_t x = 0; x < count; x++) {
    uint16_t magnitude = row[x] & 0x7fff;
    most = magnitude > most ? magnitude : most;
  }
  return most;
}

static uint32_t measure_magnitude_32(const uint32_t *row, ptrdiff_t count) {
  uint32_t most = 0;
  for (ptrdiff_t x = 0; x < count; x++) {
    uint32_t magnitude = row[x] & 0x7fffffff;
    most = magnitude > most ? magnitude : most;
  }
  return most;
}

static uint64_t measure_difference_8(const uint8_t *first, const uint8_t *second, ptrdiff_t count) {
  uint64_t sum = 0;
  // Parts whose sums fit 32 bits, so that more lanes are added at a time.
  enum { part = 1 << 16 };
  for (ptrdiff_t start = 0; start < count; start += part) {
    ptrdiff_t length = count - start < part ? count - start : part;
    uint32_t part_sum = 0;
    for (ptrdiff_t x = 0; x < length; x++) {
      int difference = (int)first[start + x] - (int)second[start + x];
      part_sum += (uint32_t)(difference < 0 ? -difference : difference);
    }
    sum += part_sum;
  }
  return sum;
}
