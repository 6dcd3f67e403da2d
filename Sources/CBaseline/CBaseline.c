#include "CBaseline.h"

// Chosen at load time for the machine at hand, so that the baseline is not slow for want of instructions.
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
