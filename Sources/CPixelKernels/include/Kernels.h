/// The kernels of each tier of processors.
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

/// The kernels of one tier, in the order of Kernels.def, where each is described. None of them allocates, locks or keeps
/// anything; any thread may call. Every tier gives the same bits as the plain one for all input without NaN.
typedef struct cpk_kernels {
  const char *tier;  ///< `plain`, `x86-64-v3`, `x86-64-v4`, `x86-64-v4+vbmi`; `aarch64-neon`.
#define CPK_KERNEL(result, name, parameters, ...) result(*name) parameters;
#include "Kernels.def"
#undef CPK_KERNEL
} cpk_kernels;

/// How many kernels there are.
enum {
  cpk_kernel_count = 0
#define CPK_KERNEL(...) +1
#include "Kernels.def"
#undef CPK_KERNEL
};

/// The name of a kernel, which is its field's; NULL from `cpk_kernel_count` on.
const char *cpk_kernel_name(size_t index);

/// The plain version: complete, portable, and the reference for the others.
const cpk_kernels *cpk_plain(void);
/// The tiers this machine can run, from plain to fastest; NULL from the first index past the end.
const cpk_kernels *cpk_tier(size_t index);
/// The last of them.
const cpk_kernels *cpk_fastest(void);
