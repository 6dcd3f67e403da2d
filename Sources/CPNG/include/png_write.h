// PNG to a file. libpng's error jumps don't leave this module.
#pragma once
#include "libpng_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The image to write: rows of four samples per pixel, native-endian, full range.
typedef struct cpng_picture {
  const uint8_t *base;
  ptrdiff_t stride;
  uint32_t width, height;
  /// Bits per sample: 8 or 16.
  int32_t bit_depth;
  /// Whether samples are ordered B, G, R, A rather than R, G, B, A.
  bool is_bgra;
  /// Whether the fourth sample is written, as straight alpha; otherwise it is omitted.
  bool has_alpha;
  /// Whether the colors are sRGB; otherwise the code points below are written.
  bool is_srgb;
  /// ITU-T H.273 primaries and transfer.
  uint8_t primaries, transfer;
  /// For readers without support for code points: white, red, green, blue as x, y times 100000, and the exponent that encodes light times 100000; 0 if there is
  /// none.
  int32_t chromaticities[8];
  int32_t gamma;
  /// Mastering display: red, green, blue, white as x, y times 50000; maximum and minimum luminance in 1/10000 cd/m².
  bool has_display;
  uint16_t display[8];
  uint32_t maximum_luminance, minimum_luminance;
  /// MaxCLL and MaxFALL in cd/m².
  bool has_light;
  uint32_t maximum_content, maximum_average;
  /// Pixel aspect ratio.
  uint32_t aspect_numerator, aspect_denominator;
} cpng_picture;

/// Creates or truncates `path`, writes the image, syncs and closes the file. `level` is zlib's, 0 … 9.
///
/// Returns 0, an errno of the file, or -1 if libpng rejects the image; `message` (128 bytes) then contains the reason. `byte_count` is the size.
int cpng_write_file(const char *path, const cpng_picture *picture, int level, int64_t *byte_count, char *message);

/// Removes an unfinished file; anything but a regular file is left alone.
void cpng_remove_regular_file(const char *path);
