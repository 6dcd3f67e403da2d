// Still pictures as WebP.
#pragma once
#include "common.h"

/// Encodes B, G, R, A of 8 bits as a whole WebP file. `quality` is 0 … 100; of lossless ones it is the effort. `bytes` is to be given to
/// cff_webp_free.
cff_status cff_webp_encode(
    const uint8_t *pixels, ptrdiff_t stride, int width, int height, bool is_lossless, double quality, uint8_t **bytes,
    size_t *count, cff_failure *failure);

/// Lets go of an encoded picture; NULL is allowed.
void cff_webp_free(uint8_t *bytes);
