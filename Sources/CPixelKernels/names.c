#include "Kernels.h"

const char *cpk_kernel_name(size_t index) {
  static const char *const names[] = {
#define CPK_KERNEL(result, name, ...) #name,
#include "Kernels.def"
#undef CPK_KERNEL
  };
  return index < cpk_kernel_count ? names[index] : NULL;
}
