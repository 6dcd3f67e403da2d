#include "layout.h"

typedef struct {
  cairo_t *cairo;
  int32_t paint;
  bool any_paint, wants_color;
} drawing;

static void draw_run(const PangoLayoutRun *run, double x, double baseline, void *state) {
  const drawing *const target = state;
  const int32_t paint = cpc_run_paint(run);
  if (paint < 0 || (!target->any_paint && paint != target->paint)) return;
  if (cpc_is_color_font(run->item->analysis.font) != target->wants_color) return;
  cairo_move_to(target->cairo, x, baseline);
  if (target->wants_color) {
    pango_cairo_show_glyph_string(target->cairo, run->item->analysis.font, run->glyphs);
  } else {
    pango_cairo_glyph_string_path(target->cairo, run->item->analysis.font, run->glyphs);
  }
}

void cpc_fill(cairo_t *cairo, double outline) {
  if (outline > 0) {
    cairo_set_line_width(cairo, 2 * outline);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke_preserve(cairo);
  }
  cairo_fill(cairo);
}

bool cpc_layout_cover(cpc_layout *layout, const cpc_canvas *canvas, int32_t paint, bool any_paint, double outline) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_A8, &surface);
  if (cairo == NULL) return false;
  cpc_turn_columns(layout, cairo);
  drawing target = {cairo, paint, any_paint, false};
  cpc_visit_runs(layout, draw_run, &target);
  cpc_fill(cairo, outline);
  /* On their own, since glyphs of some fonts wind the other way, and would be cut out. */
  cpc_layout_add_rules(layout, cairo, paint, any_paint);
  cpc_fill(cairo, outline);
  return cpc_close_canvas(cairo, surface);
}

bool cpc_layout_draw_color(cpc_layout *layout, const cpc_canvas *canvas) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_ARGB32, &surface);
  if (cairo == NULL) return false;
  cpc_turn_columns(layout, cairo);
  drawing target = {cairo, 0, true, true};
  cpc_visit_runs(layout, draw_run, &target);
  return cpc_close_canvas(cairo, surface);
}
