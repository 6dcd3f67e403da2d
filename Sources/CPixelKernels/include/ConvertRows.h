/// Rows of samples and rows of floats: what the kernels of ConvertRows.def take.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Asks for bytes that will be read soon; any address may be named.
void cpk_convert_prefetch(const void *bytes, ptrdiff_t count);

/// The octaves of the curves of `convert_curve` and `convert_factor`, and the count of their nodes.
#define CPK_CONVERT_CURVE_FIRST_EXPONENT (-32)
#define CPK_CONVERT_CURVE_LAST_EXPONENT 12
#define CPK_CONVERT_CURVE_NODE_COUNT ((CPK_CONVERT_CURVE_LAST_EXPONENT - CPK_CONVERT_CURVE_FIRST_EXPONENT) * 256 + 1)
