// Look-up tables with three inputs or one. Included by every tier.

static inline float node(const cpk_effect_cube *cube, uint16_t code, int component) {
  const float place = ((float)code * (1.0f / 65535.0f) - cube->low[component]) * cube->scale[component];
  const float top = (float)(cube->side - 1);
  return limited(place, top);
}

// Six tetrahedra share the diagonal from black to white: components are added in the order of their fractions.
static inline void tetrahedron(uint16_t *out, const uint16_t *rgba, const cpk_effect_cube *cube) {
  const int32_t side = cube->side;
  float fraction[3];
  int32_t step[3], base = 0, stride = 4;
  for (int c = 0; c < 3; c++) {
    const float place = node(cube, rgba[c], c);
    const int32_t cell = (int32_t)place < side - 2 ? (int32_t)place : side - 2;
    fraction[c] = place - (float)cell;
    step[c] = stride;
    base += cell * stride;
    stride *= side;
  }
  int first = 0, middle = 1, last = 2;
  if (fraction[first] < fraction[middle]) { first = 1; middle = 0; }
  if (fraction[middle] < fraction[last]) { const int swap = middle; middle = last; last = swap; }
  if (fraction[first] < fraction[middle]) { const int swap = first; first = middle; middle = swap; }
  const float *p0 = cube->table + base, *p1 = p0 + step[first], *p2 = p1 + step[middle], *p3 = p2 + step[last];
  for (int c = 0; c < 3; c++) {
    out[c] = code_16(
        p0[c] + (p1[c] - p0[c]) * fraction[first] + (p2[c] - p1[c]) * fraction[middle]
        + (p3[c] - p2[c]) * fraction[last]);
  }
}

static inline void line(uint16_t *out, const uint16_t *rgba, const cpk_effect_cube *cube) {
  for (int c = 0; c < 3; c++) {
    const float place = node(cube, rgba[c], c);
    const int32_t cell = (int32_t)place < cube->side - 2 ? (int32_t)place : cube->side - 2;
    const float low = cube->table[cell * 4 + c], high = cube->table[cell * 4 + 4 + c];
    out[c] = code_16(low + (high - low) * (place - (float)cell));
  }
}

static void effect_cube_row(uint16_t *restrict out, const uint16_t *row, const cpk_effect_cube *cube, ptrdiff_t count) {
  for (ptrdiff_t x = 0; x < count; x++) {
    if (cube->isOneDimensional) {
      line(out + 4 * x, row + 4 * x, cube);
    } else {
      tetrahedron(out + 4 * x, row + 4 * x, cube);
    }
    out[4 * x + 3] = row[4 * x + 3];
  }
}
