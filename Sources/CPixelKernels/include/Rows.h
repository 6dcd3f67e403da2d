/// The kernels of Rows.def as functions, with `cpk_` before their names: each calls the fastest tier's. An indirect call for each
/// row is all that it costs.
#pragma once

#include "Kernels.h"

#define CPK_KERNEL(result, name, parameters, ...) result cpk_##name parameters;
#include "Rows.def"
#undef CPK_KERNEL
