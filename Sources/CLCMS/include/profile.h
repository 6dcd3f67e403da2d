// ICC profiles by Little CMS, from untrusted memory.
#pragma once
#include "lcms_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum clcms_status {
  CLCMS_OK = 0,
  /// Not a profile, or damaged.
  CLCMS_DAMAGED,
  /// A profile, but not a usable one of gray, R, G, B or C, M, Y, K.
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

/// Reads a profile; `bytes` are not needed afterward. `name` is its description in ASCII, `message` the reason why a profile is rejected; both have a capacity
/// of 128 bytes.
clcms_status clcms_open(
    const uint8_t *bytes, size_t count, clcms_profile **profile, clcms_space *space, char *name, char *message);

/// Makes an R, G, B profile from chromaticities (white, red, green, blue as x, y) and an exponent from signal to light, 0 for the sRGB curve.
clcms_status clcms_make(const double chromaticities[8], double gamma, clcms_profile **profile, char *message);

/// Writes a profile with a description in ASCII into `bytes`, which has a capacity of `capacity`; NULL to query the size. Equal profiles have equal bytes.
/// Returns the number of bytes, or 0 on failure.
size_t clcms_save(clcms_profile *profile, const char *name, uint8_t *bytes, size_t capacity);

/// Frees a profile; NULL is allowed.
void clcms_close(clcms_profile *profile);

/// Converts signals of the profile to linear light in R, G, B of other chromaticities: relative colorimetric, with black point compensation, not limited to 0 …
/// 1. Signals have as many components as the profile, 0 … 1 each.
clcms_status clcms_measure(
    clcms_profile *profile, const double chromaticities[8], const double *signals, double *light, size_t count);

/// How an image's samples are stored: one, three or four components per pixel, interleaved with alpha.
typedef struct clcms_layout {
  /// Bytes per sample: 1, or 2 in native order.
  int32_t bytes_per_sample;
  /// Whether 0 is full ink. C, M, Y, K only.
  bool is_inverted;
  /// Whether color is premultiplied by alpha. The result is not.
  bool is_premultiplied;
} clcms_layout;

/// A conversion from a profile's signals to 16-bit R, G, B with the sRGB curve: relative colorimetric, with black point compensation. One owner at a time.
typedef struct clcms_conversion clcms_conversion;

/// Makes a conversion. The profile is not needed afterward.
clcms_status clcms_conversion_open(
    clcms_profile *profile, const double chromaticities[8], const clcms_layout *layout, clcms_conversion **conversion);

/// Converts pixels of four samples each: R, G, B, A; gray three times and A; or C, M, Y, K, which gets an alpha of 1. Returns false if memory runs out.
bool clcms_convert(clcms_conversion *conversion, const void *source, uint16_t *target, size_t count);

/// Frees a conversion; NULL is allowed.
void clcms_conversion_close(clcms_conversion *conversion);
