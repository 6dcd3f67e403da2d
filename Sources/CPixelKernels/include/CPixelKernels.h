/// Kernels: arithmetic on planes and rows of samples, compiled for each tier of processors.
#pragma once

#include "Kernels.h"
#include "Rows.h"
