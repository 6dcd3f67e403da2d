/// What the driver of kernels has in C: where it starts, and tables that are wrong on purpose.
#pragma once

#include "Kernels.h"

/// A tier like any other whose compiler may fuse products and sums: wrong in the last bit of what is rounded once instead of twice. NULL
/// where this machine cannot run it.
const cpk_kernels *driver_fused_tier(void);

/// Runs the driver; the program's status.
int32_t driver_run(const char *mode);
