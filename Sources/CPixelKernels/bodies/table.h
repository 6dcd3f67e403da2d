// The table of a tier, made of everything that the tier has defined or included before.

static const cpk_kernels table_of_this_tier = {
  .tier = TIER_NAME,
#define CPK_KERNEL(result, name, ...) .name = name,
#include "Kernels.def"
#undef CPK_KERNEL
};
