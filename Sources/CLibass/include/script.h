// Scripts of ASS, drawn by libass as masks in one color each.
#pragma once
#include "libass_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A script with what draws it. One thread at a time.
typedef struct cass_script cass_script;

/// What a script's header says of the matrix that its colors were chosen with.
typedef enum cass_matrix {
  /// Not said: as old players did it, BT.601 in limited range.
  CASS_MATRIX_DEFAULT = 0,
  /// "None", or something unknown: colors are R, G, B.
  CASS_MATRIX_NONE,
  CASS_MATRIX_BT601,
  CASS_MATRIX_BT709,
  CASS_MATRIX_SMPTE240M,
  CASS_MATRIX_FCC,
} cass_matrix;

/// A mask that is drawn in one color. Valid until the next rendering.
typedef struct cass_mask {
  int32_t x, y, width, height;
  /// Row after row of coverage, 0 … 255.
  const uint8_t *coverage;
  ptrdiff_t stride;
  uint8_t red, green, blue;
  /// 255 is opaque.
  uint8_t alpha;
} cass_mask;

/// Reads a script in UTF-8; NULL if it is none, or memory ran out. The bytes need not stay. Fonts in the script and the system's are used.
cass_script *cass_script_create(const char *text, size_t count);

/// Frees everything; NULL is allowed.
void cass_script_destroy(cass_script *script);

/// Makes a font file available beside the system's.
void cass_script_add_font(cass_script *script, const char *name, const uint8_t *bytes, size_t count);

/// Loads the fonts, once they are all there; before the first rendering.
void cass_script_load_fonts(cass_script *script, const char *default_family);

/// What its header says. Ranges do not matter: the same color has the same R, G, B in either.
cass_matrix cass_script_matrix(const cass_script *script);

/// Number of events that the script has.
int cass_script_event_count(const cass_script *script);

/// Draws the script at a time, for frames of a size. `storage_width` and `storage_height` are those of the canvas, which blurs and borders
/// follow. Returns the number of masks, in the order in which they are drawn, or -1 if memory ran out.
int cass_script_render(
    cass_script *script, int width, int height, int storage_width, int storage_height, int64_t milliseconds);

/// A mask of the last rendering.
cass_mask cass_script_mask(const cass_script *script, int index);
