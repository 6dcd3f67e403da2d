#include "CBaseline.h"

#include <string.h>

// The variant of a function is selected at load time, so that the baseline uses the best instructions of the machine.
#if defined(__x86_64__) && defined(__gnu_linux__) && !__has_feature(thread_sanitizer)
#define FOR_THIS_MACHINE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_THIS_MACHINE
#endif

FOR_THIS_MACHINE
void baseline_blend_u8(uint8_t *restrict destination, const uint8_t *restrict first, const uint8_t *restrict second,
                       size_t count, uint32_t weight) {
  const uint16_t w = (uint16_t)(weight > 255 ? 256 : weight), rest = (uint16_t)(256 - w);
  for (size_t i = 0; i < count; i++) {
    destination[i] = (uint8_t)((uint16_t)((uint16_t)(first[i] * w) + (uint16_t)(second[i] * rest) + 128) >> 8);
  }
}

FOR_THIS_MACHINE
void baseline_blend_u16(uint16_t *restrict destination, const uint16_t *restrict first, const uint16_t *restrict second,
                        size_t count, uint32_t weight) {
  const uint32_t w = weight > 256 ? 256 : weight, rest = 256 - w;
  for (size_t i = 0; i < count; i++) {
    destination[i] = (uint16_t)((first[i] * w + second[i] * rest + 128) >> 8);
  }
}

void baseline_blend_cached(size_t passes, uint8_t *destination, const uint8_t *first, const uint8_t *second, size_t count) {
  for (size_t pass = 0; pass < passes; pass++) baseline_blend_u8(destination, first, second, count, (uint32_t)(pass % 257));
}

FOR_THIS_MACHINE
uint64_t baseline_read(const uint8_t *source, size_t count) {
  uint64_t sum = 0;
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t word;
    memcpy(&word, source + i, 8);
    sum += word;
  }
  for (; i < count; i++) sum += source[i];
  return sum;
}

static uint64_t next(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t baseline_noise_u8(uint8_t *destination, size_t count, uint32_t base, uint32_t amplitude, uint64_t state) {
  for (size_t i = 0; i < count; i += 8) {
    uint64_t bits = next(&state);
    for (size_t j = i; j < i + 8 && j < count; j++, bits >>= 8) {
      destination[j] = (uint8_t)(base + ((uint32_t)bits & (amplitude - 1)));
    }
  }
  return state;
}

uint64_t baseline_noise_u16(
    uint16_t *destination, size_t count, uint32_t base, uint32_t amplitude, uint32_t shift, uint64_t state) {
  for (size_t i = 0; i < count; i += 4) {
    uint64_t bits = next(&state);
    for (size_t j = i; j < i + 4 && j < count; j++, bits >>= 16) {
      destination[j] = (uint16_t)((base + ((uint32_t)bits & (amplitude - 1))) << shift);
    }
  }
  return state;
}
