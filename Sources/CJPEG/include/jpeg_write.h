// JPEG into memory. libjpeg's error jumps don't leave this module.
#pragma once
#include "jpeg_read.h"
#include "libjpeg_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The image to write: four bytes per pixel, the last of which is ignored.
typedef struct cjpeg_picture {
  const uint8_t *base;
  ptrdiff_t stride;
  uint32_t width, height;
  bool is_bgra;
  /// Pixels per unit of length across and down; equal for square pixels.
  uint16_t x_density, y_density;
  /// Quality, 1 … 100, in libjpeg's scale.
  int quality;
  /// Whether chroma has half the columns and rows.
  bool is_420;
  /// ICC profile; NULL for sRGB.
  const uint8_t *profile;
  size_t profile_size;
} cjpeg_picture;

/// Converts Y′CbCr of another matrix or range to JFIF's, in units of 1/65536. Chroma is relative to 128.
typedef struct cjpeg_matrix {
  /// Y of JFIF is luma × `luma` + `offset` + Cb × `luma_cb` + Cr × `luma_cr`.
  int32_t luma, offset, luma_cb, luma_cr;
  /// Cb and Cr of JFIF from Cb and Cr: gray stays gray.
  int32_t cb_cb, cb_cr, cr_cb, cr_cr;
  /// Whether chroma is sited on the left luma column, as in most video; in JFIF it is between two.
  bool is_left;
} cjpeg_matrix;

/// The image to write: Y′, Cb, Cr in planes of bytes, chroma with half the columns and rows, rounded up.
typedef struct cjpeg_planes {
  const uint8_t *base[3];
  ptrdiff_t stride[3];
  uint32_t width, height;
  cjpeg_matrix matrix;
  /// Quality, 1 … 100, in libjpeg's scale.
  int quality;
} cjpeg_planes;

/// Encodes planes as JFIF without a profile for immediate display, with priority on speed rather than size. `bytes` and `message` as in cjpeg_write.
cjpeg_status cjpeg_write_planes(const cjpeg_planes *picture, uint8_t **bytes, size_t *count, char *message);

/// Encodes an image as JFIF: Y, Cb, Cr of BT.601 in full range. Free `bytes` with cjpeg_free. `message` has a capacity of 256 bytes.
cjpeg_status cjpeg_write(const cjpeg_picture *picture, uint8_t **bytes, size_t *count, char *message);

/// Frees an encoded image; NULL is allowed.
void cjpeg_free(uint8_t *bytes);
