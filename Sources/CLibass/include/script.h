// ASS scripts, rendered by libass as masks of one color each.
#pragma once
#include "libass_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A script and its renderer. One thread at a time.
typedef struct cass_script cass_script;

/// The matrix for which a script's colors were chosen, as stated in its header.
typedef enum cass_matrix {
  /// Not stated: as in old players, BT.601 in limited range.
  CASS_MATRIX_DEFAULT = 0,
  /// "None", or unknown: colors are R, G, B.
  CASS_MATRIX_NONE,
  CASS_MATRIX_BT601,
  CASS_MATRIX_BT709,
  CASS_MATRIX_SMPTE240M,
  CASS_MATRIX_FCC,
} cass_matrix;

/// A mask of one color. Valid until the next rendering.
typedef struct cass_mask {
  int32_t x, y, width, height;
  /// Coverage row by row, 0 … 255.
  const uint8_t *coverage;
  ptrdiff_t stride;
  uint8_t red, green, blue;
  /// Alpha; 255 is opaque.
  uint8_t alpha;
} cass_mask;

/// Reads a script in UTF-8; NULL if it is invalid or memory runs out. The bytes are not needed afterward. Fonts in the script and the system's are used.
cass_script *cass_script_create(const char *text, size_t count);

/// Frees everything; NULL is allowed.
void cass_script_destroy(cass_script *script);

/// Adds a font file to the system's.
void cass_script_add_font(cass_script *script, const char *name, const uint8_t *bytes, size_t count);

/// Loads the fonts. Call it after all fonts have been added, and before the first rendering.
void cass_script_load_fonts(cass_script *script, const char *default_family);

/// The header's matrix. The range doesn't matter, because a color has the same R, G, B in either.
cass_matrix cass_script_matrix(const cass_script *script);

/// Renders the script at a given time, for frames of a given size. `storage_width` and `storage_height` are the size of the canvas, to which blurs and borders
/// refer. Returns the number of masks in drawing order, or -1 if memory runs out.
int cass_script_render(
    cass_script *script, int width, int height, int storage_width, int storage_height, int64_t milliseconds);

/// A mask of the last rendering.
cass_mask cass_script_mask(const cass_script *script, int index);

/// libass's font choices for the text rendered so far, in its notation "(family, weight, slant) -> file, face, name", from index 0; NULL after the last. Valid
/// until the next rendering.
const char *cass_script_font(const cass_script *script, size_t index);

/// libass's version, as 0xMNNPP000.
int cass_version(void);
