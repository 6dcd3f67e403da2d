// PNG to a file. libpng's error jumps stay on this side.
#pragma once
#include "libpng_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A picture to be written: rows of four samples a pixel, native-endian, full range.
typedef struct cpng_picture {
  const uint8_t *base;
  ptrdiff_t stride;
  uint32_t width, height;
  /// 8 or 16.
  int32_t bit_depth;
  /// Whether samples stand as B, G, R, A rather than R, G, B, A.
  bool is_bgra;
  /// Whether the fourth sample is written; it is straight alpha then, and left out otherwise.
  bool has_alpha;
  /// Whether the colors are sRGB; else the code points below are written.
  bool is_srgb;
  /// ITU-T H.273 primaries and transfer.
  uint8_t primaries, transfer;
  /// For readers that do not know code points: white, red, green, blue as x, y times 100000, and the exponent that encodes
  /// light times 100000; 0 where there is none.
  int32_t chromaticities[8];
  int32_t gamma;
  /// Mastering display: red, green, blue, white as x, y times 50000; most and least light in 1/10000 cd/m².
  bool has_display;
  uint16_t display[8];
  uint32_t maximum_luminance, minimum_luminance;
  /// MaxCLL and MaxFALL in cd/m².
  bool has_light;
  uint32_t maximum_content, maximum_average;
  /// Width of a pixel by its height.
  uint32_t aspect_numerator, aspect_denominator;
} cpng_picture;

/// Creates or truncates `path`, writes the picture, syncs and closes. `level` is zlib's, 0 … 9.
///
/// Returns 0, an errno of the file, or -1 where libpng refuses; `message` (128 bytes) says why then. `byte_count` is the size.
int cpng_write_file(const char *path, const cpng_picture *picture, int level, int64_t *byte_count, char *message);

/// Removes a file that was begun; anything but a regular file is left alone.
void cpng_remove_regular_file(const char *path);
