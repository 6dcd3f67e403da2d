#include "EffectRows.h"
#include "Kernels.h"
#include "bodies/blending.h"

const char *cpk_kernel_name(size_t index) {
  static const char *const names[] = {
#define CPK_KERNEL(result, name, ...) #name,
#include "Kernels.def"
#undef CPK_KERNEL
  };
  return index < cpk_kernel_count ? names[index] : NULL;
}

const char *cpk_blend_mode_name(int32_t mode) {
#define BLEND_NAME(name) #name,
  static const char *const names[] = {BLEND_MODES(BLEND_NAME)};
#undef BLEND_NAME
  return mode >= 0 && mode < blend_mode_count ? names[mode] : NULL;
}
