/// Title layers: types for the kernels of OverlayRows.def.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A rectangle of 8-bit coverage.
typedef struct {
  const uint8_t *bytes;
  ptrdiff_t stride;
  int32_t width, height;
} cpk_overlay_mask;

/// A line through a mask or an image: the position of pixel i is ((u + i·du) / (w + i·dw), (v + i·dv) / (w + i·dw)).
typedef struct {
  double u, v, w, du, dv, dw;
} cpk_overlay_line;

/// An image of premultiplied R, G, B, A, 16 bits each.
typedef struct {
  const uint16_t *pixels;
  ptrdiff_t stride;
  int32_t width, height;
} cpk_overlay_picture;
