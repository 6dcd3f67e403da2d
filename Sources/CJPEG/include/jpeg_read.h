// JPEG from memory. libjpeg's error jumps don't leave this module.
#pragma once
#include "libjpeg_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum cjpeg_status {
  CJPEG_OK = 0,
  /// Not a JPEG, or damaged.
  CJPEG_DAMAGED,
  /// The file ends before its image does.
  CJPEG_TRUNCATED,
  /// More pixels than allowed.
  CJPEG_TOO_LARGE,
  /// Components other than Y, Cb, Cr, gray, R, G, B or four inks.
  CJPEG_UNUSUAL,
  CJPEG_NO_MEMORY,
} cjpeg_status;

/// The layout of the output.
typedef enum cjpeg_layout {
  /// Y, Cb, Cr as coded, planar, 8 bit.
  CJPEG_420 = 0,
  CJPEG_422,
  CJPEG_444,
  /// R, G, B, A packed; alpha is 255.
  CJPEG_RGBA,
  /// C, M, Y, K packed, with the file's ink values.
  CJPEG_CMYK,
} cjpeg_layout;

/// Properties of a JPEG.
typedef struct cjpeg_info {
  uint32_t width, height;
  cjpeg_layout layout;
  /// Whether the image is gray.
  bool is_gray;
  /// Whether 0 is full ink, as in every file with Adobe's marker.
  bool is_inverted;
} cjpeg_info;

/// A JPEG being read.
typedef struct cjpeg_reader cjpeg_reader;

/// Reads the header. `bytes` must stay valid until cjpeg_close. `message` has a capacity of 256 bytes.
///
/// With `as_rgba`, Y, Cb, Cr and gray become R, G, B, A, with libjpeg's interpolation of chroma.
cjpeg_status cjpeg_open(
    const uint8_t *bytes, size_t count, int64_t maximum_pixels, bool as_rgba, cjpeg_reader **reader, cjpeg_info *info,
    char *message);

/// Decodes into planes of the layout. Rows must have a capacity of a multiple of 64 bytes.
cjpeg_status cjpeg_read(
    cjpeg_reader *reader, uint8_t *const planes[3], const ptrdiff_t strides[3], char *message);

/// Frees a reader; NULL is allowed.
void cjpeg_close(cjpeg_reader *reader);
