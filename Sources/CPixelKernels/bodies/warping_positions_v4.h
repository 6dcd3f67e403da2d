// Positions and interpolation of half a tile at a time (AVX-512 BW), for the warps of tiers that have it.

// The positions of half a tile, relative to the tile's smallest one, in 1/4096 of a sample: at most 15 samples, so 16 bits suffice.
static inline __m512i local_positions(const int32_t *offsets, int32_t start) {
  const __m512i first = _mm512_add_epi32(_mm512_loadu_si512(offsets), _mm512_set1_epi32(start));
  const __m512i second = _mm512_add_epi32(_mm512_loadu_si512(offsets + 16), _mm512_set1_epi32(start));
  return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi32_epi16(first)), _mm512_cvtepi32_epi16(second), 1);
}

static inline __m512i scaled_step(__m512i from, __m512i to, int shift, __m512i factor) {
  return _mm512_mulhi_epi16(_mm512_slli_epi16(_mm512_sub_epi16(to, from), (unsigned)shift), factor);
}
