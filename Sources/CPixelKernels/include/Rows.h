/// The kernels of Rows.def as functions, prefixed with `cpk_`: each calls the fastest tier's kernel. The overhead is one indirect call per row.
#pragma once

#include "Kernels.h"

#define CPK_KERNEL(result, name, parameters, ...) result cpk_##name parameters;
#include "Rows.def"
#undef CPK_KERNEL
