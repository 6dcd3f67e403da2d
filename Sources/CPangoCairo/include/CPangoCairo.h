/// Text and paths to coverage: the only functions of Pango, Cairo and Fontconfig that Swift sees.
///
/// Nothing here is safe to call from two threads at a time with the same engine; different engines are independent.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Fonts and the means to lay text out with them.
typedef struct cpc_engine cpc_engine;

/// An engine with the system's fonts, or with none; NULL where memory or the system's configuration is lacking.
cpc_engine *cpc_engine_create(bool uses_system_fonts);
void cpc_engine_destroy(cpc_engine *engine);
/// Adds a font file's bytes (they are copied); false where they are no font.
bool cpc_engine_add_font(cpc_engine *engine, const void *bytes, size_t count);
/// Number of font families.
size_t cpc_engine_family_count(cpc_engine *engine);
/// Name of a family; valid until the next font is added.
const char *cpc_engine_family(cpc_engine *engine, size_t index);

/// The family that Fontconfig takes for one that is not there, because its rules name it as a substitute; NULL if they name none. Valid
/// until the next call.
const char *cpc_engine_substitute(cpc_engine *engine, const char *family);

/// One look of a stretch of text. `start` and `end` are bytes; `paint` is a number of the caller's, -1 to draw nothing.
typedef struct {
  uint32_t start, end;
  const char *family;
  double size, tracking;
  int32_t weight, paint;
  bool is_italic;
} cpc_run;

typedef struct {
  /// In pixels; below 0 for unlimited.
  double width, height;
  double line_height;
  /// 0 natural, 1 left, 2 center, 3 right, 4 justified.
  int32_t alignment;
  /// 0 none, 1 start, 2 middle, 3 end.
  int32_t truncation;
  bool wraps;
  /// 0 lines; columns, 1 from right to left, 2 from left to right: `width` is then their height, `height` the width of all of them.
  int32_t writing;
  /// 0 as the first letter of each paragraph says, for the alignments natural, center and justified; 1 left to right, 2 right to left.
  int32_t direction;
} cpc_paragraph;

/// Text laid out.
typedef struct cpc_layout cpc_layout;

typedef struct {
  /// Of the lines, in pixels, as they are drawn: columns are turned already.
  double width, height;
  /// Of what is drawn, relative to the top-left corner of the lines.
  double ink_x, ink_y, ink_width, ink_height;
  /// Characters that no font has, and the first of them; 0 if there are none.
  int32_t missing;
  uint32_t first_missing;
  /// Whether some glyphs are colored pictures.
  bool has_color;
  /// Whether the first paragraph runs from right to left.
  bool is_right_to_left;
} cpc_extents;

/// Lays out UTF-8; NULL where it is not valid.
cpc_layout *cpc_layout_create(
    cpc_engine *engine, const char *text, size_t length, const cpc_run *runs, size_t run_count,
    const cpc_paragraph *paragraph);
void cpc_layout_destroy(cpc_layout *layout);
void cpc_layout_get_extents(cpc_layout *layout, cpc_extents *extents);

/// A rectangle of 8-bit coverage, or of premultiplied 32-bit ARGB, that is drawn into. Row 0 first.
typedef struct {
  uint8_t *pixels;
  int32_t width, height;
  /// From layout or path to the rectangle: x' = a x + c y + tx, y' = b x + d y + ty.
  double a, b, c, d, tx, ty;
} cpc_canvas;

/// Adds the coverage of the glyphs of one paint (`any_paint` for all that are drawn): filled, and with a line of `outline`
/// pixels around them if that is above 0. Colored glyphs are left out. Rows are `width` bytes, a multiple of 4.
bool cpc_layout_cover(cpc_layout *layout, const cpc_canvas *canvas, int32_t paint, bool any_paint, double outline);
/// Draws the colored glyphs, premultiplied, native-endian ARGB.
bool cpc_layout_draw_color(cpc_layout *layout, const cpc_canvas *canvas);

/// Glyphs that cannot be told apart, of one or more characters. All places are in pixels from the top-left corner of the lines.
typedef struct {
  /// Bytes of the text.
  uint32_t start, end;
  /// The line, from 0, and the paint of the run.
  int32_t line, paint;
  /// Its width, between the ascent and the descent of its font.
  double x, y, width, height;
  /// What is drawn of it.
  double ink_x, ink_y, ink_width, ink_height;
  bool is_right_to_left, is_color;
  /// Whether a line may break before it.
  bool may_break;
} cpc_cluster;

/// The clusters in the order of the text; valid as long as the layout is.
const cpc_cluster *cpc_layout_get_clusters(cpc_layout *layout, size_t *count);
/// As `cpc_layout_cover`, of some clusters only. Their shapes are those in the whole line.
bool cpc_layout_cover_clusters(
    cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count, int32_t paint, bool any_paint, double outline);
/// As `cpc_layout_draw_color`, of some clusters only.
bool cpc_layout_draw_color_clusters(cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count);

typedef struct {
  /// 0 move, 1 line, 2 curve, 3 close.
  const uint8_t *steps;
  size_t step_count;
  /// As many pairs as the steps have points.
  const double *coordinates;
} cpc_path;

typedef struct {
  double width, miter_limit, dash_phase;
  const double *dashes;
  int32_t dash_count;
  /// 0 butt, 1 round, 2 square; 0 miter, 1 round, 2 bevel.
  int32_t cap, join;
  /// The part of the path's length that is drawn, 0 … 1.
  double start, end;
} cpc_stroke;

/// Adds the coverage of a filled path. Rows are `width` bytes, a multiple of 4.
bool cpc_path_fill(const cpc_path *path, bool even_odd, const cpc_canvas *canvas);
/// Adds the coverage of a path's stroke.
bool cpc_path_stroke(const cpc_path *path, const cpc_stroke *stroke, const cpc_canvas *canvas);
