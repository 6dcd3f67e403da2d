// Ordered dithering. Included by every tier.

// Bayer's 8 x 8 matrix, centered on 0, in units of 1/128.
static const float dither_pattern[8][8] = {
    {-63, 1, -47, 17, -59, 5, -43, 21},
    {33, -31, 49, -15, 37, -27, 53, -11},
    {-39, 25, -55, 9, -35, 29, -51, 13},
    {57, -7, 41, -23, 61, -3, 45, -19},
    {-57, 7, -41, 23, -61, 3, -45, 19},
    {39, -25, 55, -9, 35, -29, 51, -13},
    {-33, 31, -49, 15, -37, 27, -53, 11},
    {63, -1, 47, -17, 59, -5, 43, -21}};

static void convert_dither(float *restrict row, ptrdiff_t count, ptrdiff_t y, float step) {
  float line[8];
  for (int i = 0; i < 8; i++) line[i] = dither_pattern[y & 7][i] * (step * 0x1p-7f);
  ptrdiff_t x = 0;
  for (; x + 8 <= count; x += 8) {
    for (int i = 0; i < 8; i++) row[x + i] += line[i];
  }
  for (; x < count; x++) row[x] += line[x & 7];
}
