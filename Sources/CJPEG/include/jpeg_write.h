// JPEG into memory. libjpeg's error jumps stay on this side.
#pragma once
#include "jpeg_read.h"
#include "libjpeg_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is written: four bytes a pixel, of which the last is not.
typedef struct cjpeg_picture {
  const uint8_t *base;
  ptrdiff_t stride;
  uint32_t width, height;
  bool is_bgra;
  /// Pixels per unit of length across and down; equal for square pixels.
  uint16_t x_density, y_density;
  /// 1 … 100, as libjpeg counts.
  int quality;
  /// Whether chroma has half the columns and rows.
  bool is_420;
  /// ICC profile; NULL for sRGB.
  const uint8_t *profile;
  size_t profile_size;
} cjpeg_picture;

/// Encodes a picture: JFIF, Y, Cb, Cr of BT.601 in full range. `bytes` is to be given to cjpeg_free. `message` has room for 256 bytes.
cjpeg_status cjpeg_write(const cjpeg_picture *picture, uint8_t **bytes, size_t *count, char *message);

/// Lets go of an encoded picture; NULL is allowed.
void cjpeg_free(uint8_t *bytes);
