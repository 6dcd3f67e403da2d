// What every tier starts from. A tier includes the bodies of all kernels, so that each compiles the same loops for its own
// instructions, and makes a table of them.
#pragma once

#include <math.h>
#include <string.h>

#include "Kernels.h"

// Tiers must agree bit by bit, so no compiler may fuse a product and a sum; where a kernel does, every tier does.
#pragma STDC FP_CONTRACT OFF

// A kernel that is in no table is a mistake.
#pragma clang diagnostic error "-Wunused-function"

#if defined(__x86_64__) && defined(__clang__)
  #define CPK_X86_64_TIERS 1
#endif
#if defined(__aarch64__) && defined(__clang__)
  #define CPK_AARCH64_TIERS 1
#endif

const cpk_kernels *cpk_x86_64_v3(void);
const cpk_kernels *cpk_x86_64_v4(void);
const cpk_kernels *cpk_x86_64_vbmi(void);
const cpk_kernels *cpk_aarch64_neon(void);
