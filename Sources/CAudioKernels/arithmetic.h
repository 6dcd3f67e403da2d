// What every file of these kernels starts from.
#pragma once

#include <math.h>

// The same samples give the same bits on every machine, so no compiler may fuse a product and a sum, as it does for AArch64 if nothing is
// said.
#pragma STDC FP_CONTRACT OFF

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
