/// The kernels of each tier of instruction sets.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ConvertRows.h"
#include "EffectRows.h"
#include "GeneralRows.h"
#include "MeasureRows.h"
#include "OverlayRows.h"
#include "PlaneKernels.h"

/// The kernels of one tier, in the order of Kernels.def, which describes them. Kernels are stateless; they neither allocate nor lock, and may be
/// called from any thread. Every tier gives the same bits as the plain one for all input without NaN.
typedef struct cpk_kernels {
  const char *tier;  ///< `plain`, `x86-64-v3`, `x86-64-v4`, `x86-64-v4+vbmi`; `aarch64-neon`.
#define CPK_KERNEL(result, name, parameters, ...) result(*name) parameters;
#include "Kernels.def"
#undef CPK_KERNEL
} cpk_kernels;

/// The number of kernels.
enum {
  cpk_kernel_count = 0
#define CPK_KERNEL(...) +1
#include "Kernels.def"
#undef CPK_KERNEL
};

/// The name of a kernel and its field; NULL from `cpk_kernel_count` on.
const char *cpk_kernel_name(size_t index);

/// The plain tier: complete, portable, and the reference for the others.
const cpk_kernels *cpk_plain(void);
/// The tiers that this machine supports, from plain to fastest; NULL beyond the last one.
const cpk_kernels *cpk_tier(size_t index);
/// The fastest of them.
const cpk_kernels *cpk_fastest(void);
