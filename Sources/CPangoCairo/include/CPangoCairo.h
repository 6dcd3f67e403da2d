/// Text and paths to coverage: the only interface of Pango, Cairo and Fontconfig for Swift.
///
/// Calls with the same engine must be serialized; different engines are independent.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A set of fonts and the state for laying out text with them.
typedef struct cpc_engine cpc_engine;

/// Creates an engine with the system's fonts, or with none; NULL if memory or the system's font configuration is missing.
cpc_engine *cpc_engine_create(bool uses_system_fonts);
void cpc_engine_destroy(cpc_engine *engine);
/// Adds a font file's bytes, which are copied; returns false if they are not a font.
bool cpc_engine_add_font(cpc_engine *engine, const void *bytes, size_t count);
/// The number of font families.
size_t cpc_engine_family_count(cpc_engine *engine);
/// The name of a family; valid until the next font is added.
const char *cpc_engine_family(cpc_engine *engine, size_t index);

/// The family that Fontconfig's rules name as a substitute for a missing one; NULL if they name none. Valid until the next call.
const char *cpc_engine_substitute(cpc_engine *engine, const char *family);

/// The family of the font with which Fontconfig draws a name, installed or not; NULL if there are no fonts. Valid until the next call.
const char *cpc_engine_match(cpc_engine *engine, const char *family);

/// A face of a font family. The strings are valid until the next font is added.
typedef struct {
  const char *family, *style, *file;
  /// As in OpenType, 1 … 1000; 0 if a variable font has it as an axis.
  int32_t weight;
  bool is_italic, is_variable;
} cpc_face;

/// The number of faces, including those that cannot be used.
size_t cpc_engine_face_count(cpc_engine *engine);
/// Describes a face; returns false for one that text cannot be drawn with, a bitmap font of fixed sizes.
bool cpc_engine_get_face(cpc_engine *engine, size_t index, cpc_face *face);

/// A line under or through letters.
typedef struct {
  /// 0 none, 1 single, 2 double. The paint is the caller's number.
  int32_t style, paint;
  /// In pixels; 0 for that of the font.
  double thickness;
} cpc_line;

/// The style of a range of text. `start` and `end` are in bytes; `paint` is the caller's number, -1 to draw nothing. `features` are OpenType's,
/// and `variations` the positions on the axes of a variable font, both in Pango's syntax; NULL for none.
typedef struct {
  uint32_t start, end;
  const char *family, *features, *variations;
  /// A language tag; NULL for that of the system.
  const char *language;
  /// `rise` is above the baseline, in pixels.
  double size, tracking, rise;
  int32_t weight, paint;
  cpc_line underline, strikethrough;
  bool is_italic;
} cpc_run;

typedef struct {
  /// In pixels; negative for unlimited.
  double width, height;
  /// The least width in which paragraphs of different directions are aligned if `width` is unlimited; negative for that of the longest line.
  double room;
  double line_height;
  /// 0 natural, 1 left, 2 center, 3 right, 4 justified.
  int32_t alignment;
  /// 0 none, 1 start, 2 middle, 3 end.
  int32_t truncation;
  bool wraps;
  /// 0 lines; 1 columns from right to left, 2 from left to right: `width` is then their height, `height` the width of all of them.
  int32_t writing;
  /// 0 by the first strong letter of each paragraph, for the alignments natural, center and justified; 1 left to right, 2 right to left.
  int32_t direction;
} cpc_paragraph;

/// A laid-out text.
typedef struct cpc_layout cpc_layout;

typedef struct {
  /// Size of the lines in pixels as drawn, with columns already rotated.
  double width, height;
  /// Bounds of the ink, relative to the top-left corner of the lines.
  double ink_x, ink_y, ink_width, ink_height;
  /// The baseline of the first line, below the top of the lines; of columns, as before they are rotated.
  double baseline;
  /// The number of characters without a glyph in any font, and the first of them; 0 if there are none.
  int32_t missing;
  uint32_t first_missing;
  /// Whether some glyphs are colored.
  bool has_color;
  /// Whether the first paragraph reads from right to left.
  bool is_right_to_left;
} cpc_extents;

/// Lays out UTF-8; returns NULL if it is invalid.
cpc_layout *cpc_layout_create(
    cpc_engine *engine, const char *text, size_t length, const cpc_run *runs, size_t run_count,
    const cpc_paragraph *paragraph);
void cpc_layout_destroy(cpc_layout *layout);
void cpc_layout_get_extents(cpc_layout *layout, cpc_extents *extents);
size_t cpc_layout_line_count(const cpc_layout *layout);
/// The byte offset at which each line begins, in the order of the lines.
void cpc_layout_get_line_starts(const cpc_layout *layout, uint32_t *starts);

/// Records the fonts of a layout's glyphs.
void cpc_engine_note_fonts(cpc_engine *engine, const cpc_layout *layout);
/// The number of recorded font files.
size_t cpc_engine_font_count(const cpc_engine *engine);
/// The file of a recorded font, and the family by which it was found. Valid until fonts are recorded again. Fonts added as bytes have a path below
/// /proc.
const char *cpc_engine_font_file(const cpc_engine *engine, size_t index);
const char *cpc_engine_font_family(const cpc_engine *engine, size_t index);

/// The libraries used for text and their versions, such as "pango 1.50.12", by index; false after the last.
bool cpc_library_version(int index, char *text, size_t size);

/// A rectangle of 8-bit coverage, or of premultiplied 32-bit ARGB, to draw into. Row 0 first.
typedef struct {
  uint8_t *pixels;
  int32_t width, height;
  /// From layout or path to the rectangle: x' = a x + c y + tx, y' = b x + d y + ty.
  double a, b, c, d, tx, ty;
} cpc_canvas;

/// Adds the coverage of the glyphs and lines of one paint (`any_paint` for all visible ones): filled, and with a line of `outline` pixels around them if that
/// is above 0. Colored glyphs are omitted. Rows are `width` bytes, a multiple of 4.
bool cpc_layout_cover(cpc_layout *layout, const cpc_canvas *canvas, int32_t paint, bool any_paint, double outline);
/// Draws the colored glyphs, premultiplied, native-endian ARGB.
bool cpc_layout_draw_color(cpc_layout *layout, const cpc_canvas *canvas);

/// Inseparable glyphs of one or more characters. Positions are in pixels from the top-left corner of the lines.
typedef struct {
  /// Byte range in the text.
  uint32_t start, end;
  /// The index of the line, the paint of the run, and those of the lines under and through it; -1 for none.
  int32_t line, paint, underline, strikethrough;
  /// The advance, between the font's ascent and descent.
  double x, y, width, height;
  /// Its baseline.
  double baseline;
  /// Bounds of the ink.
  double ink_x, ink_y, ink_width, ink_height;
  bool is_right_to_left, is_color;
  /// Whether a line may break before it.
  bool may_break;
} cpc_cluster;

/// The clusters in text order; valid as long as the layout.
const cpc_cluster *cpc_layout_get_clusters(cpc_layout *layout, size_t *count);
/// Like `cpc_layout_cover`, for some clusters only, with the shapes that they have in the whole line.
bool cpc_layout_cover_clusters(
    cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count, int32_t paint, bool any_paint, double outline);
/// Like `cpc_layout_draw_color`, for some clusters only.
bool cpc_layout_draw_color_clusters(cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count);

typedef struct {
  /// 0 move, 1 line, 2 curve, 3 close.
  const uint8_t *steps;
  size_t step_count;
  /// One pair per point of the steps.
  const double *coordinates;
} cpc_path;

typedef struct {
  double width, miter_limit, dash_phase;
  const double *dashes;
  int32_t dash_count;
  /// 0 butt, 1 round, 2 square; 0 miter, 1 round, 2 bevel.
  int32_t cap, join;
  /// The part of the path's length to draw, 0 … 1.
  double start, end;
} cpc_stroke;

/// Adds the coverage of a filled path. Rows are `width` bytes, a multiple of 4.
bool cpc_path_fill(const cpc_path *path, bool even_odd, const cpc_canvas *canvas);
/// Adds the coverage of a path's stroke.
bool cpc_path_stroke(const cpc_path *path, const cpc_stroke *stroke, const cpc_canvas *canvas);
