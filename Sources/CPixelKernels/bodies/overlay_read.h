// Converts components to surfaces, and applies the changes of surfaces. Included by every tier.

static void overlay_surface_from_components(
    const float *const parts[4], const float matrix[9], bool is_straight, float *out, ptrdiff_t count) {
  const float *const a = parts[0], *const b = parts[1], *const c = parts[2], *const alpha = parts[3];
  for (ptrdiff_t x = 0; x < count; x++) {
    const float weight = is_straight ? alpha[x] : 1.0f;
    for (int i = 0; i < 3; i++) {
      out[4 * x + i] = (matrix[3 * i] * a[x] + matrix[3 * i + 1] * b[x] + matrix[3 * i + 2] * c[x]) * weight;
    }
    out[4 * x + 3] = alpha[x];
  }
}

static void overlay_subtract(float *row, const float *other, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) row[x] -= other[x];
}

static void overlay_subtract_covered(float *row, const float *other, const float *cover, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const pixel difference = load_pixel(row + 4 * x) - load_pixel(other + 4 * x), nothing = {0};
    store_pixel(row + 4 * x, cover[4 * x + 3] > 0 ? difference : nothing);
  }
}

static void overlay_add_8(uint8_t *row, ptrdiff_t step, const float *change, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float value = (float)row[x * step] + change[x] * (1.0f / 256.0f) + 0.5f;
    row[x * step] = (uint8_t)(value < 0 ? 0 : value > 255.0f ? 255.0f : value);
  }
}

static void overlay_add_16(uint16_t *row, ptrdiff_t step, int32_t shift, const float *change, ptrdiff_t count) {
  const float unit = 1.0f / (float)(1 << shift), highest = (float)((65536 >> shift) - 1);
  for (ptrdiff_t x = 0; x < count; x++) {
    const float value = (float)row[x * step] + change[x] * unit + 0.5f;
    row[x * step] = (uint16_t)(value < 0 ? 0 : value > highest ? highest : value);
  }
}

static void overlay_pack_signal(const float *row, uint16_t *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    const float value = row[x] < 0 ? 0 : row[x] > 1 ? 1 : row[x];
    out[x] = (uint16_t)(value * 65535.0f + 0.5f);
  }
}

static void overlay_halve_row(const uint16_t *top, const uint16_t *bottom, ptrdiff_t next, uint16_t *out, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    for (int c = 0; c < 4; c++) {
      const ptrdiff_t here = 8 * x + c;
      out[4 * x + c] = (uint16_t)(((uint32_t)top[here] + top[here + next] + bottom[here] + bottom[here + next] + 2) / 4);
    }
  }
}
