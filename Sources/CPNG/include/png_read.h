// PNG from memory. libpng's error jumps stay on this side.
#pragma once
#include "libpng_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a call ended.
typedef enum cpng_status {
  CPNG_OK = 0,
  /// Not a PNG, or damaged.
  CPNG_DAMAGED,
  /// More pixels than allowed.
  CPNG_TOO_LARGE,
  CPNG_NO_MEMORY,
} cpng_status;

/// What a PNG says about itself.
typedef struct cpng_info {
  uint32_t width, height;
  /// Bits of a sample as it is given out: 8 or 16 (smaller depths are expanded exactly).
  int32_t bit_depth;
  bool has_alpha;
  bool has_srgb;
  /// Whether a gAMA chunk is there; its value times 100000.
  bool has_gamma;
  int32_t gamma;
  /// Whether a cHRM chunk is there: white, red, green, blue as x, y.
  bool has_chromaticities;
  double chromaticities[8];
  /// The ICC profile of an iCCP chunk, kept by the reader; NULL where there is none.
  const uint8_t *profile;
  size_t profile_size;
  /// Why libpng left an iCCP, cHRM or gAMA chunk out; empty if it did not. There is no profile then.
  char profile_fault[128];
  /// Whether the picture is coded as gray.
  bool is_gray;
  /// Whether a cICP chunk is there: H.273 primaries, transfer, matrix, and full range.
  bool has_code_points;
  uint8_t primaries, transfer, matrix;
  bool is_full_range;
  /// Whether an mDCV chunk is there: x, y of red, green, blue and white; most and least light in cd/m².
  bool has_display;
  double display[10];
  /// Whether a cLLI chunk is there: MaxCLL and MaxFALL in cd/m².
  bool has_light;
  double maximum_content, maximum_average;
} cpng_info;

/// A PNG being read.
typedef struct cpng_reader cpng_reader;

/// Reads up to the first picture data. `bytes` must stay until cpng_close. `message` has room for 128 bytes.
cpng_status cpng_open(
    const uint8_t *bytes, size_t count, int64_t maximum_pixels, cpng_reader **reader, cpng_info *info, char *message);

/// Decodes into rows of R, G, B, A, native-endian, `stride` bytes apart. Alpha is not multiplied in; 1 where there is none.
cpng_status cpng_read(cpng_reader *reader, uint8_t *base, ptrdiff_t stride, char *message);

/// Lets go; NULL is allowed.
void cpng_close(cpng_reader *reader);
