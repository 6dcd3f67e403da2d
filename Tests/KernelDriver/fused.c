// A tier with a difference that is easily made and hard to see: products and sums are fused where the compiler likes to.
#include "kernel_driver.h"
#include "tier.h"

#pragma STDC FP_CONTRACT ON

#define TIER_NAME "fused"
#ifdef CPK_X86_64_TIERS
  #pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#endif
#include "bodies/common.h"
#include "bodies/curving.h"
#include "bodies/warping.h"
#include "bodies/banding.h"
#include "bodies/lighting.h"
#ifdef CPK_X86_64_TIERS
  #pragma clang attribute pop
#endif
#include "bodies/table.h"

const cpk_kernels *driver_fused_tier(void) { return cpk_tier(1) ? &table_of_this_tier : NULL; }
