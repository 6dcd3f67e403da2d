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

/// Turns Y′CbCr of another matrix or range into JFIF's, in 65536ths. Chroma counts from 128.
typedef struct cjpeg_matrix {
  /// Y of JFIF is luma × `luma` + `offset` + Cb × `luma_cb` + Cr × `luma_cr`.
  int32_t luma, offset, luma_cb, luma_cr;
  /// Cb and Cr of JFIF out of Cb and Cr: gray stays gray.
  int32_t cb_cb, cb_cr, cr_cb, cr_cr;
  /// Whether chroma lies on the left luma column, as in most video; JFIF has it between two.
  bool is_left;
} cjpeg_matrix;

/// What is written: Y′, Cb, Cr in planes of bytes, chroma with half the columns and rows, rounded up.
typedef struct cjpeg_planes {
  const uint8_t *base[3];
  ptrdiff_t stride[3];
  uint32_t width, height;
  cjpeg_matrix matrix;
  /// 1 … 100, as libjpeg counts.
  int quality;
} cjpeg_planes;

/// Encodes planes as JFIF without a profile, for whoever shows it at once: quickly rather than as small as can be. The same rules for
/// `bytes` and `message`.
cjpeg_status cjpeg_write_planes(const cjpeg_planes *picture, uint8_t **bytes, size_t *count, char *message);

/// Encodes a picture: JFIF, Y, Cb, Cr of BT.601 in full range. `bytes` is to be given to cjpeg_free. `message` has room for 256 bytes.
cjpeg_status cjpeg_write(const cjpeg_picture *picture, uint8_t **bytes, size_t *count, char *message);

/// Lets go of an encoded picture; NULL is allowed.
void cjpeg_free(uint8_t *bytes);
