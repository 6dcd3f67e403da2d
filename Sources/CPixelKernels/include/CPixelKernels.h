/// Arithmetic on planes and rows of samples, compiled for each instruction set.
#pragma once

#include "Kernels.h"
#include "Rows.h"
