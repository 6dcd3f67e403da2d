#include "tier.h"

#ifdef CPK_X86_64_TIERS
  #define TIER_NAME "x86-64-v3"
  #pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
  #include "bodies/common.h"
  #include "bodies/curving.h"
  #include "bodies/warping.h"
  #include "bodies/banding.h"
  #include "bodies/filtering.h"
  #include "bodies/lighting.h"
  #pragma clang attribute pop
  #include "bodies/table.h"

const cpk_kernels *cpk_x86_64_v3(void) { return &table_of_this_tier; }
#endif
