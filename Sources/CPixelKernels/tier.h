// The common start of every tier. A tier includes the bodies of all kernels, which compiles the same loops for its own instructions, and defines
// the table of its kernels.
#pragma once

#include <math.h>
#include <string.h>

#include "Kernels.h"

// Tiers must agree bit by bit, so the compiler must not fuse a product and a sum; if a kernel fuses them explicitly, every tier does.
#pragma STDC FP_CONTRACT OFF

// A kernel that is not in the table is an error.
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
