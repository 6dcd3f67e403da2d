// Common definitions of the kernels.
#pragma once

#include <math.h>

// The same samples must give the same bits on every machine, so compilers must not fuse multiplications and additions, as they do by default for
// AArch64.
#pragma STDC FP_CONTRACT OFF

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
