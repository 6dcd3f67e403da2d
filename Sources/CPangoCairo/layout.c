#include "layout.h"

enum { paragraphs_in_block = 64 };

static int in_pango_units(double pixels) {
  /* A sum that is a unit short only because of rounding errors would break a line. */
  return (int)(pixels * PANGO_SCALE + 1e-3);
}

/* If Pango chooses the direction of each paragraph (`is_auto`), the left side in the alignment means the start of a line. */
static void set_paragraph(
    PangoLayout *layout, PangoAttrList *attributes, const cpc_paragraph *paragraph, bool is_auto, bool is_rtl) {
  static const PangoAlignment alignments[] = {
      PANGO_ALIGN_LEFT, PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT, PANGO_ALIGN_LEFT};
  static const PangoEllipsizeMode truncations[] = {
      PANGO_ELLIPSIZE_NONE, PANGO_ELLIPSIZE_START, PANGO_ELLIPSIZE_MIDDLE, PANGO_ELLIPSIZE_END};
  pango_layout_set_auto_dir(layout, is_auto);
  const bool takes_start = paragraph->alignment == 0 || paragraph->alignment == 4;
  pango_layout_set_alignment(layout, is_rtl && takes_start ? PANGO_ALIGN_RIGHT : alignments[paragraph->alignment]);
  pango_layout_set_justify(layout, paragraph->alignment == 4);
  pango_layout_set_ellipsize(layout, truncations[paragraph->truncation]);
  if (paragraph->width >= 0) pango_layout_set_width(layout, in_pango_units(paragraph->width));
  if (paragraph->height >= 0) pango_layout_set_height(layout, in_pango_units(paragraph->height));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  if (paragraph->line_height != 1) pango_attr_list_insert(attributes, pango_attr_line_height_new(paragraph->line_height));
}

typedef struct {
  cpc_engine *engine;
  cpc_styled_text text;
  const cpc_paragraph *paragraph;
} source;

/* Gives a layout the styles of a part of the text; see cpc_make_attributes. */
static void set_styles(PangoLayout *layout, source *from, size_t start, size_t end, PangoDirection direction, bool stays_apart) {
  PangoAttrList *attributes = cpc_make_attributes(&from->text, start, end, stays_apart);
  const bool is_auto = direction == PANGO_DIRECTION_NEUTRAL;
  set_paragraph(layout, attributes, from->paragraph, is_auto, direction == PANGO_DIRECTION_RTL);
  pango_layout_set_attributes(layout, attributes);
  pango_attr_list_unref(attributes);
}

/* Adds a block of paragraphs with the same direction; PANGO_DIRECTION_NEUTRAL if each has its own. */
static void add_block(cpc_layout *target, source *from, size_t start, size_t end, PangoDirection direction) {
  const bool is_rtl = direction == PANGO_DIRECTION_RTL;
  PangoLayout *layout = pango_layout_new(from->engine->contexts[from->paragraph->writing != 0][is_rtl]);
  pango_layout_set_text(layout, from->text.bytes + start, (int)(end - start));
  set_styles(layout, from, start, end, direction, false);
  /* A glyph has one color. */
  if (cpc_has_colored_ligature(&from->text, layout, start)) set_styles(layout, from, start, end, direction, true);
  if (pango_layout_get_justify(layout)) cpc_leave_single_words(layout);
  target->blocks = g_renew(cpc_block, target->blocks, target->block_count + 1);
  target->blocks[target->block_count++] = (cpc_block){layout, start, 0};
}

/* This function is deprecated in Pango's interface, but Pango's layouts still use it. */
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
static PangoDirection direction_of(gunichar character) { return pango_unichar_direction(character); }
G_GNUC_END_IGNORE_DEPRECATIONS

/* The direction of the first strong character outside of isolates (rules P2 and P3 of the Unicode bidirectional algorithm); neutral if there is
   none. Isolates end with their paragraph. */
static PangoDirection base_direction(const char *text, size_t length) {
  int depth = 0;
  for (const char *at = text; at < text + length; at = g_utf8_next_char(at)) {
    const gunichar character = g_utf8_get_char(at);
    if (character == '\n' || character == '\r' || character == 0x2029) depth = 0;
    if (character >= 0x2066 && character <= 0x2068) depth++;
    if (character == 0x2069 && depth > 0) depth--;
    const PangoDirection direction = depth > 0 ? PANGO_DIRECTION_NEUTRAL : direction_of(character);
    if (direction != PANGO_DIRECTION_NEUTRAL) return direction;
  }
  return PANGO_DIRECTION_NEUTRAL;
}

static PangoDirection first_direction(const source *from) {
  if (from->paragraph->direction != 0) return from->paragraph->direction == 2 ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR;
  const PangoDirection direction = base_direction(from->text.bytes, from->text.length);
  return direction == PANGO_DIRECTION_NEUTRAL ? PANGO_DIRECTION_LTR : direction;
}

/* A paragraph without strong characters has the direction of the previous one, or that of the first strong one after the start. */
static void add_blocks(cpc_layout *target, source *from) {
  PangoDirection direction = first_direction(from);
  size_t start = 0, end = 0, count = 0;
  for (size_t at = 0;;) {
    int delimiter, next;
    pango_find_paragraph_boundary(from->text.bytes + at, (int)(from->text.length - at), &delimiter, &next);
    PangoDirection own = PANGO_DIRECTION_NEUTRAL;
    if (from->paragraph->direction == 0) own = base_direction(from->text.bytes + at, (size_t)delimiter);
    if (own == PANGO_DIRECTION_NEUTRAL) own = direction;
    if (count >= paragraphs_in_block || (count > 0 && own != direction)) {
      add_block(target, from, start, end, direction);
      start = at;
      count = 0;
    }
    direction = own;
    count++;
    end = at + (size_t)delimiter;
    if (next == delimiter) break;
    at += (size_t)next;
  }
  add_block(target, from, start, from->text.length, direction);
}

/* Stacks the blocks vertically. If the paragraph has no width, all blocks get the width of the widest one, or more if there is room. */
static void stack_blocks(cpc_layout *layout, const cpc_paragraph *paragraph) {
  if (layout->block_count == 1) return;
  int top = 0, width = paragraph->room >= 0 ? in_pango_units(paragraph->room) : 0;
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
  for (size_t i = 0; i < run_count && !result->has_rules; i++) {
    result->has_rules = runs[i].underline.style != 0 || runs[i].strikethrough.style != 0;
  }
  source from = {engine, {text, length, runs, run_count, 0}, paragraph};
  result->is_right_to_left = first_direction(&from) == PANGO_DIRECTION_RTL;
  /* A height limits the whole text, so the text is a single block. Pango lays out nothing below the height. */
  if (paragraph->truncation != 0 && paragraph->height >= 0) {
    add_block(result, &from, 0, length, paragraph->direction == 0 ? PANGO_DIRECTION_NEUTRAL : first_direction(&from));
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
  g_free(layout->cluster_rules);
  g_free(layout);
}

size_t cpc_layout_line_count(const cpc_layout *layout) {
  size_t count = 0;
  for (size_t i = 0; i < layout->block_count; i++) count += (size_t)pango_layout_get_line_count(layout->blocks[i].layout);
  return count;
}

void cpc_layout_get_line_starts(const cpc_layout *layout, uint32_t *starts) {
  for (size_t i = 0; i < layout->block_count; i++) {
    const cpc_block *const block = &layout->blocks[i];
    for (const GSList *entry = pango_layout_get_lines_readonly(block->layout); entry != NULL; entry = entry->next) {
      const PangoLayoutLine *const line = entry->data;
      *starts++ = (uint32_t)(block->start + (size_t)line->start_index);
    }
  }
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
      extents->baseline = (double)pango_layout_get_baseline(block->layout) / PANGO_SCALE;
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
  extents->is_right_to_left = layout->is_right_to_left;
  cpc_unite_rules(layout, extents);
  cpc_visit_runs(layout, find_color, &extents->has_color);
  if (extents->missing > 0) cpc_visit_runs(layout, find_missing, &extents->first_missing);
}
