#include "engine.h"

#include <string.h>

struct cpc_layout {
  PangoLayout *layout;
};

/* A run's paint travels through the layout as its foreground color: 1 for paint 0, 0 for nothing. */
static void add_run(PangoAttrList *attributes, const cpc_run *run) {
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, run->family);
  pango_font_description_set_absolute_size(font, run->size * PANGO_SCALE);
  pango_font_description_set_weight(font, (PangoWeight)run->weight);
  pango_font_description_set_style(font, run->is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  PangoAttribute *const parts[] = {
      pango_attr_font_desc_new(font), pango_attr_letter_spacing_new((int)(run->tracking * PANGO_SCALE)),
      pango_attr_foreground_new((guint16)(run->paint + 1), 0, 0)};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    parts[i]->start_index = run->start;
    parts[i]->end_index = run->end;
    pango_attr_list_insert(attributes, parts[i]);
  }
  pango_font_description_free(font);
}

static void set_paragraph(PangoLayout *layout, PangoAttrList *attributes, const cpc_paragraph *paragraph) {
  static const PangoAlignment alignments[] = {
      PANGO_ALIGN_LEFT, PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT, PANGO_ALIGN_LEFT};
  static const PangoEllipsizeMode truncations[] = {
      PANGO_ELLIPSIZE_NONE, PANGO_ELLIPSIZE_START, PANGO_ELLIPSIZE_MIDDLE, PANGO_ELLIPSIZE_END};
  /* In a right-to-left paragraph Pango's "left" is the natural side, which is right. */
  const bool is_forced = paragraph->alignment == 1 || paragraph->alignment == 3;
  pango_layout_set_auto_dir(layout, !is_forced);
  pango_layout_set_alignment(layout, alignments[paragraph->alignment]);
  pango_layout_set_justify(layout, paragraph->alignment == 4);
  pango_layout_set_ellipsize(layout, truncations[paragraph->truncation]);
  if (paragraph->width >= 0) pango_layout_set_width(layout, (int)(paragraph->width * PANGO_SCALE));
  if (paragraph->height >= 0) pango_layout_set_height(layout, (int)(paragraph->height * PANGO_SCALE));
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  if (paragraph->line_height != 1) pango_attr_list_insert(attributes, pango_attr_line_height_new(paragraph->line_height));
}

cpc_layout *cpc_layout_create(
    cpc_engine *engine, const char *text, size_t length, const cpc_run *runs, size_t run_count,
    const cpc_paragraph *paragraph) {
  if (!g_utf8_validate(text, (gssize)length, NULL)) return NULL;
  cpc_layout *result = g_new0(cpc_layout, 1);
  result->layout = pango_layout_new(engine->context);
  pango_layout_set_text(result->layout, text, (int)length);
  PangoAttrList *attributes = pango_attr_list_new();
  for (size_t i = 0; i < run_count; i++) add_run(attributes, &runs[i]);
  set_paragraph(result->layout, attributes, paragraph);
  pango_layout_set_attributes(result->layout, attributes);
  pango_attr_list_unref(attributes);
  return result;
}

void cpc_layout_destroy(cpc_layout *layout) {
  if (layout == NULL) return;
  g_object_unref(layout->layout);
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

static void visit_runs(PangoLayout *layout, run_visitor visit, void *state) {
  PangoLayoutIter *iterator = pango_layout_get_iter(layout);
  do {
    PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iterator);
    if (run == NULL) continue;
    PangoRectangle logical;
    pango_layout_iter_get_run_extents(iterator, NULL, &logical);
    const double baseline = (double)pango_layout_iter_get_run_baseline(iterator) / PANGO_SCALE;
    visit(run, (double)logical.x / PANGO_SCALE, baseline, state);
  } while (pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
}

static void find_color(const PangoLayoutRun *run, double x, double baseline, void *state) {
  if (is_color_font(run->item->analysis.font)) *(bool *)state = true;
}

void cpc_layout_get_extents(cpc_layout *layout, cpc_extents *extents) {
  PangoRectangle ink, logical;
  pango_layout_get_extents(layout->layout, &ink, &logical);
  const double unit = 1.0 / PANGO_SCALE;
  *extents = (cpc_extents){
      .width = (logical.x + logical.width) * unit,
      .height = (logical.y + logical.height) * unit,
      .ink_x = ink.x * unit,
      .ink_y = ink.y * unit,
      .ink_width = ink.width * unit,
      .ink_height = ink.height * unit,
      .missing = pango_layout_get_unknown_glyphs_count(layout->layout)};
  extents->is_right_to_left = pango_layout_get_direction(layout->layout, 0) == PANGO_DIRECTION_RTL;
  visit_runs(layout->layout, find_color, &extents->has_color);
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
  drawing target = {cairo, paint, any_paint, false};
  visit_runs(layout->layout, draw_run, &target);
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
  drawing target = {cairo, 0, true, true};
  visit_runs(layout->layout, draw_run, &target);
  return cpc_close_canvas(cairo, surface);
}
