#include "layout.h"

#include <string.h>

enum { paragraphs_in_block = 64 };

/* A run's paint is stored in the layout as its foreground color: 1 for paint 0, 0 for none. */
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
  /* If Pango chooses the direction, "left" means the start of a line; otherwise it means the left side. */
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

/* Adds a block of the text; `direction` applies to paragraphs without one of their own. */
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
  target->blocks = g_renew(cpc_block, target->blocks, target->block_count + 1);
  target->blocks[target->block_count++] = (cpc_block){layout, start, 0};
}

/* This function is deprecated in Pango's interface, but Pango's layouts still use it. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static PangoDirection base_direction(const char *text, size_t length) { return pango_find_base_dir(text, (int)length); }
G_GNUC_END_IGNORE_DEPRECATIONS

/* A paragraph without strong characters has the direction of the previous one, or that of the first strong one after the start. A block therefore
   starts with a strong paragraph, or ends before the first strong one with another direction. */
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

/* Stacks the blocks vertically. If the paragraph has no width, all blocks get the width of the widest one. */
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
  /* A height limits the whole text, so the text is a single block. Pango lays out nothing below the height. */
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
  g_free(layout->clusters);
  g_free(layout->cluster_glyphs);
  g_free(layout);
}

bool cpc_is_color_font(PangoFont *font) {
  FcBool is_color = FcFalse;
  if (font == NULL || !PANGO_IS_FC_FONT(font)) return false;
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  return pattern != NULL && FcPatternGetBool(pattern, FC_COLOR, 0, &is_color) == FcResultMatch && is_color;
}

int32_t cpc_run_paint(const PangoLayoutRun *run) {
  for (GSList *entry = run->item->analysis.extra_attrs; entry != NULL; entry = entry->next) {
    const PangoAttribute *attribute = entry->data;
    if (attribute->klass->type == PANGO_ATTR_FOREGROUND) return (int32_t)((const PangoAttrColor *)attribute)->color.red - 1;
  }
  return 0;
}

void cpc_visit_runs(const cpc_layout *layout, cpc_run_visitor visit, void *state) {
  const int depth = cpc_depth_of_lines(layout);
  for (size_t i = 0; i < layout->block_count; i++) {
    const cpc_block *const block = &layout->blocks[i];
    PangoLayoutIter *iterator = pango_layout_get_iter(block->layout);
    do {
      PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iterator);
      if (run == NULL) continue;
      PangoRectangle logical;
      pango_layout_iter_get_run_extents(iterator, NULL, &logical);
      const int shift = cpc_line_shift(layout, block, iterator, depth) + cpc_column_shift(layout, run);
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

static void find_color(const PangoLayoutRun *run, double x, double baseline, void *state) {
  if (cpc_is_color_font(run->item->analysis.font)) *(bool *)state = true;
}

/* Extends `whole` to the smallest rectangle that contains both. Empty rectangles are ignored. */
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
    const cpc_block *const block = &layout->blocks[i];
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
    ink = cpc_column_ink(layout, depth);
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
  cpc_visit_runs(layout, find_color, &extents->has_color);
  if (extents->missing > 0) cpc_visit_runs(layout, find_missing, &extents->first_missing);
}
