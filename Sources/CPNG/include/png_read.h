// PNG from memory. libpng's error jumps don't leave this module.
#pragma once
#include "libpng_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum cpng_status {
  CPNG_OK = 0,
  /// Not a PNG, or damaged.
  CPNG_DAMAGED,
  /// More pixels than allowed.
  CPNG_TOO_LARGE,
  CPNG_NO_MEMORY,
} cpng_status;

/// Properties of a PNG.
typedef struct cpng_info {
  uint32_t width, height;
  /// Bits per output sample: 8 or 16 (smaller depths are expanded exactly).
  int32_t bit_depth;
  bool has_alpha;
  bool has_srgb;
  /// Whether there is a gAMA chunk, and its value times 100000.
  bool has_gamma;
  int32_t gamma;
  /// Whether there is a cHRM chunk, and its x, y of white, red, green and blue.
  bool has_chromaticities;
  double chromaticities[8];
  /// The ICC profile of an iCCP chunk, owned by the reader; NULL if there is none.
  const uint8_t *profile;
  size_t profile_size;
  /// The reason why libpng ignored an iCCP, cHRM or gAMA chunk, in which case there is no profile; empty if it ignored none.
  char profile_fault[128];
  /// Whether the image is coded as gray.
  bool is_gray;
  /// Whether there is a cICP chunk, and its H.273 primaries, transfer, matrix, and full range.
  bool has_code_points;
  uint8_t primaries, transfer, matrix;
  bool is_full_range;
  /// Whether there is an mDCV chunk, and its x, y of red, green, blue and white; maximum and minimum luminance in cd/m².
  bool has_display;
  double display[10];
  /// Whether there is a cLLI chunk, and its MaxCLL and MaxFALL in cd/m².
  bool has_light;
  double maximum_content, maximum_average;
} cpng_info;

/// A PNG being read.
typedef struct cpng_reader cpng_reader;

/// Reads up to the first image data. `bytes` must stay valid until cpng_close. `message` has a capacity of 128 bytes.
cpng_status cpng_open(
    const uint8_t *bytes, size_t count, int64_t maximum_pixels, cpng_reader **reader, cpng_info *info, char *message);

/// Decodes into rows of R, G, B, A, native-endian, `stride` bytes apart. Alpha is straight, and 1 if there is none.
cpng_status cpng_read(cpng_reader *reader, uint8_t *base, ptrdiff_t stride, char *message);

/// Frees a reader; NULL is allowed.
void cpng_close(cpng_reader *reader);
