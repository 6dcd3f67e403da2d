// ICC profiles by Little CMS, from memory that nobody vouches for.
#pragma once
#include "lcms_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a call ended.
typedef enum clcms_status {
  CLCMS_OK = 0,
  /// Not a profile, or damaged.
  CLCMS_DAMAGED,
  /// A profile, but not one of gray, R, G, B or C, M, Y, K that says what colors its signals are.
  CLCMS_UNUSABLE,
  CLCMS_NO_MEMORY,
} clcms_status;

/// The components of a profile's signals.
typedef enum clcms_space {
  CLCMS_GRAY = 1,
  CLCMS_RGB = 3,
  CLCMS_CMYK = 4,
} clcms_space;

/// A profile. One owner at a time.
typedef struct clcms_profile clcms_profile;

/// Reads a profile; `bytes` need not stay. `name` is its description in ASCII, `message` says why a profile is refused; both have room
/// for 128 bytes.
clcms_status clcms_open(
    const uint8_t *bytes, size_t count, clcms_profile **profile, clcms_space *space, char *name, char *message);

/// Makes a profile of R, G, B from chromaticities (white, red, green, blue as x, y) and a power from signal to light, 0 for
/// the curve of sRGB.
clcms_status clcms_make(const double chromaticities[8], double gamma, clcms_profile **profile, char *message);

/// Writes a profile with a description in ASCII into `bytes`, which has room for `capacity`; NULL asks for the size. Equal profiles have equal
/// bytes. Returns the number of bytes, 0 if it cannot be written.
size_t clcms_save(clcms_profile *profile, const char *name, uint8_t *bytes, size_t capacity);

/// Lets go; NULL is allowed.
void clcms_close(clcms_profile *profile);

/// The linear light in R, G, B of other chromaticities that signals of the profile stand for: relative colorimetric, with black point
/// compensation, not limited to 0 … 1. Signals have as many components as the profile, 0 … 1 each.
clcms_status clcms_measure(
    clcms_profile *profile, const double chromaticities[8], const double *signals, double *light, size_t count);

/// How samples of a picture are stored: one, three or four components a pixel, side by side with alpha.
typedef struct clcms_layout {
  /// Bytes a sample: 1, or 2 in the order of the machine.
  int32_t bytes_per_sample;
  /// Whether 0 is full ink. C, M, Y, K only.
  bool is_inverted;
  /// Whether color is multiplied by alpha. It no longer is afterwards.
  bool is_premultiplied;
} clcms_layout;

/// A conversion from a profile's signals to R, G, B of 16 bits with the curve of sRGB: relative colorimetric, with black point
/// compensation. One owner at a time.
typedef struct clcms_conversion clcms_conversion;

/// Makes a conversion, which does not need the profile afterwards.
clcms_status clcms_conversion_open(
    clcms_profile *profile, const double chromaticities[8], const clcms_layout *layout, clcms_conversion **conversion);

/// Converts pixels of four samples each: R, G, B, A; gray three times and A; or C, M, Y, K, which gets an alpha of 1.
/// False if there is no memory.
bool clcms_convert(clcms_conversion *conversion, const void *source, uint16_t *target, size_t count);

/// Lets go; NULL is allowed.
void clcms_conversion_close(clcms_conversion *conversion);
