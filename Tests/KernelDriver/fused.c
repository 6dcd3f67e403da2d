// A tier with a difference that is easily made and hard to see: products and sums are fused where the compiler likes to.
#include "kernel_driver.h"
#include "tier.h"

// After tier.h, which says the opposite: what is included from here on are the loops of the plain version.
#pragma STDC FP_CONTRACT ON

#ifdef CPK_X86_64_TIERS
  #pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#endif
#define cpk_plain fused_loops
static const cpk_kernels *fused_loops(void);
#include "plain.c"
#ifdef CPK_X86_64_TIERS
  #pragma clang attribute pop
#endif

const cpk_kernels *driver_fused_tier(void) { return cpk_tier(1) ? fused_loops() : NULL; }
