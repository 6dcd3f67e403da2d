// Still images as WebP.
#pragma once
#include "common.h"

/// Encodes 8-bit B, G, R, A as a WebP file. `quality` is 0 … 100; for lossless files, it is the effort. Free `bytes` with cff_webp_free.
cff_status cff_webp_encode(
    const uint8_t *pixels, ptrdiff_t stride, int width, int height, bool is_lossless, double quality, uint8_t **bytes,
    size_t *count, cff_failure *failure);

/// Frees an encoded image; NULL is allowed.
void cff_webp_free(uint8_t *bytes);
