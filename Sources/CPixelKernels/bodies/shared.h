// Helpers shared by several bodies.

static inline float from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint32_t to_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// 0 ... top.
static inline float limited(float value, float top) { return value > 0.0f ? (value < top ? value : top) : 0.0f; }

static inline int32_t bounded(int32_t value, int32_t least, int32_t most) {
  return value < least ? least : value > most ? most : value;
}

// 0 ... 1 as 16 bits.
static inline uint16_t code_16(float value) { return (uint16_t)(int32_t)(limited(value * 65535.0f, 65535.0f) + 0.5f); }

// a · b of two fractions of 65536, in 16 bits throughout, so that as many samples as possible share a register.
static inline uint16_t part(uint16_t a, uint16_t b) { return (uint16_t)(((uint32_t)a * b) >> 16); }

// Vectors are handled by macros, because functions cannot take or return them on every tier.
typedef float sixteen __attribute__((vector_size(64)));
#define LOAD_SIXTEEN(value, at) memcpy(&(value), (at), sizeof(sixteen))
#define STORE_SIXTEEN(at, value) memcpy((at), &(value), sizeof(sixteen))
