#pragma once

#include <string.h>

#include "PlaneKernels.h"

// Tiers must agree bit by bit, so no compiler may fuse a product and a sum; where a kernel does, every tier does.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__) && defined(__clang__)
  #define CPK_X86_64_TIERS 1
#endif

const cpk_kernels *cpk_x86_64_v3(void);
const cpk_kernels *cpk_x86_64_v4(void);
const cpk_kernels *cpk_x86_64_vbmi(void);
