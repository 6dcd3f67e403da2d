#include "engine.h"

#include <limits.h>
#include <string.h>

/* Some paragraphs of the text. Pango counts the characters before a paragraph from the beginning of a layout for each of them, so
   that a layout of everything takes a time that grows with the square of the number of paragraphs. */
typedef struct {
  PangoLayout *layout;
  /* Bytes of the text before it; its top edge, in Pango's units. */
  size_t start;
  int top;
} block;

struct cpc_layout {
  block *blocks;
  size_t block_count;
  /* As in cpc_paragraph. Columns are laid out as lines with their glyphs turned against the clock; drawing turns all of it back. */
  int32_t writing;
};

enum { paragraphs_in_block = 64 };

/* A run's paint travels through the layout as its foreground color: 1 for paint 0, 0 for nothing. */
static void add_run(PangoAttrList *attributes, const cpc_run *run, size_t offset) {
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, run->family);
  pango_font_description_set_absolute_size(font, run->size * PANGO_SCALE);
  pango_font_description_set_weight(font, (PangoWeight)run->weight);
  pango_font_description_set_style(font, run->is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  PangoAttribute *const parts[] = {
      pango_attr_font_desc_new(font), pango_attr_letter_spacing_new((int)(run->tracking * PANGO_SCALE)),
      pango_attr_foreground_new((guint16)(run->paint + 1), 0, 0)};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    parts[i]->start_index = (guint)(run->start > offset ? run->start - offset : 0);
    parts[i]->end_index = (guint)(run->end - offset);
    pango_attr_list_insert(attributes, parts[i]);
  }
  pango_font_description_free(font);
}


static void set_paragraph(PangoLayout *layout, PangoAttrList *attributes, const cpc_paragraph *paragraph) {
  static const PangoAlignment alignments[] = {
      PANGO_ALIGN_LEFT, PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT, PANGO_ALIGN_LEFT};
  static const PangoEllipsizeMode truncations[] = {
      PANGO_ELLIPSIZE_NONE, PANGO_ELLIPSIZE_START, PANGO_ELLIPSIZE_MIDDLE, PANGO_ELLIPSIZE_END};
  /* Where Pango chooses the direction, its "left" is the natural side; where it does not, left is left. */
  pango_layout_set_auto_dir(layout, paragraph->direction == 0);
  const bool takes_start = paragraph->alignment == 0 || paragraph->alignment == 4;
  const bool starts_right = paragraph->direction == 2 && takes_start;
  pango_layout_set_alignment(layout, starts_right ? PANGO_ALIGN_RIGHT : alignments[paragraph->alignment]);
  pango_layout_set_justify(layout, paragraph->alignment == 4);
  pango_layout_set_ellipsize(layout, truncations[paragraph->truncation]);
  if (paragraph->width >= 0) pango_layout_set_width(layout, (int)(paragraph->width * PANGO_SCALE));
  if (paragraph->height >= 0) pango_layout_set_height(layout, (int)(paragraph->height * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  if (paragraph->line_height != 1) pango_attr_list_insert(attributes, pango_attr_line_height_new(paragraph->line_height));
}

typedef struct {
  cpc_engine *engine;
  const char *text;
  size_t length;
  const cpc_run *runs;
  size_t run_count;
  const cpc_paragraph *paragraph;
  /* The first run that can reach into the next block. */
  size_t run;
} source;

/* Deprecated since Pango keeps it for itself; layouts do use it. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static PangoDirection base_direction(const char *text, size_t length) { return pango_find_base_dir(text, (int)length); }
G_GNUC_END_IGNORE_DEPRECATIONS

/* Adds a block of the text; `direction` is that of paragraphs that have none of their own. */
static void add_block(cpc_layout *target, source *from, size_t start, size_t end, PangoDirection direction) {
  const cpc_paragraph *const paragraph = from->paragraph;
  const bool is_rtl = paragraph->direction == 2 || (paragraph->direction == 0 && direction == PANGO_DIRECTION_RTL);
  PangoLayout *layout = pango_layout_new(from->engine->contexts[paragraph->writing != 0][is_rtl]);
  pango_layout_set_text(layout, from->text + start, (int)(end - start));
  PangoAttrList *attributes = pango_attr_list_new();
  while (from->run < from->run_count && from->runs[from->run].end <= start) from->run++;
  for (size_t i = from->run; i < from->run_count && from->runs[i].start <= end; i++) add_run(attributes, &from->runs[i], start);
  set_paragraph(layout, attributes, paragraph);
  pango_layout_set_attributes(layout, attributes);
  pango_attr_list_unref(attributes);
  target->blocks = g_renew(block, target->blocks, target->block_count + 1);
  target->blocks[target->block_count++] = (block){layout, start, 0};
}

/* The direction of a paragraph without strong characters is that of the paragraph before, or that of the first strong one after the
   beginning: a block starts with a strong paragraph, or ends before the first strong one that says otherwise. */
static void add_blocks(cpc_layout *target, source *from) {
  PangoDirection direction = base_direction(from->text, from->length);
  if (direction == PANGO_DIRECTION_NEUTRAL) direction = PANGO_DIRECTION_LTR;
  size_t start = 0, end = 0, count = 0;
  PangoDirection before = direction;
  bool is_neutral = true;
  for (size_t at = 0;;) {
    int delimiter, next;
    pango_find_paragraph_boundary(from->text + at, (int)(from->length - at), &delimiter, &next);
    const PangoDirection own = base_direction(from->text + at, (size_t)delimiter);
    const bool is_strong = own != PANGO_DIRECTION_NEUTRAL;
    if (count >= paragraphs_in_block || (count > 0 && is_neutral && is_strong && own != before)) {
      add_block(target, from, start, end, before);
      start = at;
      count = 0;
      is_neutral = true;
      before = direction;
    }
    if (is_strong) {
      is_neutral = false;
      direction = own;
    }
    count++;
    end = at + (size_t)delimiter;
    if (next == delimiter) break;
    at += (size_t)next;
  }
  add_block(target, from, start, from->length, before);
}

/* Sets the blocks one below the other; lines that have no width of their own share that of the widest. */
static void stack_blocks(cpc_layout *layout, const cpc_paragraph *paragraph) {
  if (layout->block_count == 1) return;
  int top = 0, width = 0;
  for (size_t i = 0; i < layout->block_count; i++) {
    PangoRectangle logical;
    pango_layout_get_extents(layout->blocks[i].layout, NULL, &logical);
    layout->blocks[i].top = top;
    top += logical.height;
    if (logical.x + logical.width > width) width = logical.x + logical.width;
  }
  if (paragraph->width >= 0) return;
  for (size_t i = 0; i < layout->block_count; i++) pango_layout_set_width(layout->blocks[i].layout, width);
}

cpc_layout *cpc_layout_create(
    cpc_engine *engine, const char *text, size_t length, const cpc_run *runs, size_t run_count,
    const cpc_paragraph *paragraph) {
  if (!g_utf8_validate(text, (gssize)length, NULL)) return NULL;
  cpc_layout *result = g_new0(cpc_layout, 1);
  result->writing = paragraph->writing;
  source from = {engine, text, length, runs, run_count, paragraph, 0};
  /* Text that is cut at a height is laid out no further than that. */
  if (paragraph->truncation != 0 && paragraph->height >= 0) {
    add_block(result, &from, 0, length, PANGO_DIRECTION_LTR);
  } else {
    add_blocks(result, &from);
    stack_blocks(result, paragraph);
  }
  return result;
}

void cpc_layout_destroy(cpc_layout *layout) {
  if (layout == NULL) return;
  for (size_t i = 0; i < layout->block_count; i++) g_object_unref(layout->blocks[i].layout);
  g_free(layout->blocks);
  g_free(layout);
}

static bool is_color_font(PangoFont *font) {
  FcBool is_color = FcFalse;
  if (font == NULL || !PANGO_IS_FC_FONT(font)) return false;
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  return pattern != NULL && FcPatternGetBool(pattern, FC_COLOR, 0, &is_color) == FcResultMatch && is_color;
}

static int32_t run_paint(const PangoLayoutRun *run) {
  for (GSList *entry = run->item->analysis.extra_attrs; entry != NULL; entry = entry->next) {
    const PangoAttribute *attribute = entry->data;
    if (attribute->klass->type == PANGO_ATTR_FOREGROUND) return (int32_t)((const PangoAttrColor *)attribute)->color.red - 1;
  }
  return 0;
}

typedef void (*run_visitor)(const PangoLayoutRun *run, double x, double baseline, void *state);

/* The distance of all lines together from the first one's top to the last one's bottom. */
static int depth_of_lines(const cpc_layout *layout) {
  const block *const last = &layout->blocks[layout->block_count - 1];
  PangoRectangle logical;
  pango_layout_get_extents(last->layout, NULL, &logical);
  return last->top + logical.y + logical.height;
}

/* By how much a line is moved for columns from left to right, which follow one another the other way round. */
static int line_shift(const cpc_layout *layout, const block *block, PangoLayoutIter *iterator, int depth) {
  if (layout->writing != 2) return 0;
  PangoRectangle logical;
  pango_layout_iter_get_line_extents(iterator, NULL, &logical);
  return depth - 2 * (block->top + logical.y) - logical.height;
}

/* By how much letters that lie on their side are moved: squares stand about the middle of their column, letters on a baseline. */
static int column_shift(const cpc_layout *layout, const PangoLayoutRun *run) {
  if (layout->writing == 0 || PANGO_GRAVITY_IS_VERTICAL((PangoGravity)run->item->analysis.gravity)) return 0;
  PangoRectangle logical;
  pango_glyph_string_extents(run->glyphs, run->item->analysis.font, NULL, &logical);
  return -(logical.y + logical.height / 2);
}

static void visit_runs(const cpc_layout *layout, run_visitor visit, void *state) {
  const int depth = layout->writing == 2 ? depth_of_lines(layout) : 0;
  for (size_t i = 0; i < layout->block_count; i++) {
    const block *const block = &layout->blocks[i];
    PangoLayoutIter *iterator = pango_layout_get_iter(block->layout);
    do {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iterator);
      if (run == NULL) continue;
      PangoRectangle logical;
      pango_layout_iter_get_run_extents(iterator, NULL, &logical);
      const int shift = block->top + line_shift(layout, block, iterator, depth) + column_shift(layout, run);
      const double baseline = (double)(pango_layout_iter_get_run_baseline(iterator) + shift) / PANGO_SCALE;
      visit(run, (double)logical.x / PANGO_SCALE, baseline, state);
    } while (pango_layout_iter_next_run(iterator));
    pango_layout_iter_free(iterator);
  }
}

static void find_missing(const PangoLayoutRun *run, double x, double baseline, void *state) {
  uint32_t *const first = state;
  for (int i = 0; i < run->glyphs->num_glyphs && *first == 0; i++) {
    const PangoGlyph glyph = run->glyphs->glyphs[i].glyph;
    if (glyph != PANGO_GLYPH_INVALID_INPUT && (glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0) *first = glyph & ~PANGO_GLYPH_UNKNOWN_FLAG;
  }
}

/* What is drawn of columns, turned. */
static PangoRectangle column_ink(const cpc_layout *layout, int depth) {
  int left = INT_MAX, top = INT_MAX, right = INT_MIN, bottom = INT_MIN;
  for (size_t i = 0; i < layout->block_count; i++) {
    const block *const block = &layout->blocks[i];
    PangoLayoutIter *iterator = pango_layout_get_iter(block->layout);
    do {
      PangoRectangle ink;
      pango_layout_iter_get_line_extents(iterator, &ink, NULL);
      if (ink.width <= 0 || ink.height <= 0) continue;
      const int y = block->top + ink.y + line_shift(layout, block, iterator, depth);
      left = MIN(left, depth - y - ink.height);
      right = MAX(right, depth - y);
      top = MIN(top, ink.x);
      bottom = MAX(bottom, ink.x + ink.width);
    } while (pango_layout_iter_next_line(iterator));
    pango_layout_iter_free(iterator);
  }
  if (left >= right) return (PangoRectangle){0, 0, 0, 0};
  return (PangoRectangle){left, top, right - left, bottom - top};
}

/* Turns columns from the lines that they are laid out as. */
static void turn_columns(const cpc_layout *layout, cairo_t *cairo) {
  if (layout->writing == 0) return;
  const cairo_matrix_t turn = {0, 1, -1, 0, (double)depth_of_lines(layout) / PANGO_SCALE, 0};
  cairo_transform(cairo, &turn);
}

static void find_color(const PangoLayoutRun *run, double x, double baseline, void *state) {
  if (is_color_font(run->item->analysis.font)) *(bool *)state = true;
}

/* The smallest rectangle around two; empty ones do not count. */
static void unite(PangoRectangle *whole, PangoRectangle part) {
  if (part.width == 0 || part.height == 0) return;
  if (whole->width == 0 || whole->height == 0) {
    *whole = part;
    return;
  }
  const int right = MAX(whole->x + whole->width, part.x + part.width);
  const int bottom = MAX(whole->y + whole->height, part.y + part.height);
  whole->x = MIN(whole->x, part.x);
  whole->y = MIN(whole->y, part.y);
  whole->width = right - whole->x;
  whole->height = bottom - whole->y;
}

void cpc_layout_get_extents(cpc_layout *layout, cpc_extents *extents) {
  PangoRectangle ink = {0}, whole = {0};
  *extents = (cpc_extents){.missing = 0};
  for (size_t i = 0; i < layout->block_count; i++) {
    const block *const block = &layout->blocks[i];
    PangoRectangle inked, logical;
    pango_layout_get_extents(block->layout, &inked, &logical);
    inked.y += block->top;
    logical.y += block->top;
    extents->missing += pango_layout_get_unknown_glyphs_count(block->layout);
    if (i == 0) {
      ink = inked;
      whole = logical;
      continue;
    }
    unite(&ink, inked);
    whole.width = MAX(whole.x + whole.width, logical.x + logical.width) - MIN(whole.x, logical.x);
    whole.x = MIN(whole.x, logical.x);
    whole.height = logical.y + logical.height - whole.y;
  }
  const double unit = 1.0 / PANGO_SCALE;
  if (layout->writing != 0) {
    const int depth = whole.y + whole.height;
    ink = column_ink(layout, depth);
    whole = (PangoRectangle){0, 0, depth, whole.width};
  }
  extents->width = whole.width * unit;
  extents->height = (whole.y + whole.height) * unit;
  extents->ink_x = ink.x * unit;
  extents->ink_y = ink.y * unit;
  extents->ink_width = ink.width * unit;
  extents->ink_height = ink.height * unit;
  const PangoLayoutLine *const first = pango_layout_get_line_readonly(layout->blocks[0].layout, 0);
  extents->is_right_to_left = first != NULL && first->resolved_dir == PANGO_DIRECTION_RTL;
  visit_runs(layout, find_color, &extents->has_color);
  if (extents->missing > 0) visit_runs(layout, find_missing, &extents->first_missing);
}

typedef struct {
  cairo_t *cairo;
  int32_t paint;
  bool any_paint, wants_color;
} drawing;

static void draw_run(const PangoLayoutRun *run, double x, double baseline, void *state) {
  const drawing *const target = state;
  const int32_t paint = run_paint(run);
  if (paint < 0 || (!target->any_paint && paint != target->paint)) return;
  if (is_color_font(run->item->analysis.font) != target->wants_color) return;
  cairo_move_to(target->cairo, x, baseline);
  if (target->wants_color) {
    pango_cairo_show_glyph_string(target->cairo, run->item->analysis.font, run->glyphs);
  } else {
    pango_cairo_glyph_string_path(target->cairo, run->item->analysis.font, run->glyphs);
  }
}

bool cpc_layout_cover(cpc_layout *layout, const cpc_canvas *canvas, int32_t paint, bool any_paint, double outline) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_A8, &surface);
  if (cairo == NULL) return false;
  turn_columns(layout, cairo);
  drawing target = {cairo, paint, any_paint, false};
  visit_runs(layout, draw_run, &target);
  if (outline > 0) {
    cairo_set_line_width(cairo, 2 * outline);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke_preserve(cairo);
  }
  cairo_fill(cairo);
  return cpc_close_canvas(cairo, surface);
}

bool cpc_layout_draw_color(cpc_layout *layout, const cpc_canvas *canvas) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_ARGB32, &surface);
  if (cairo == NULL) return false;
  turn_columns(layout, cairo);
  drawing target = {cairo, 0, true, true};
  visit_runs(layout, draw_run, &target);
  return cpc_close_canvas(cairo, surface);
}
