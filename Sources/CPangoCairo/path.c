#include "engine.h"

#include <math.h>

static void add_path(cairo_t *cairo, const cpc_path *path) {
  const double *p = path->coordinates;
  for (size_t i = 0; i < path->step_count; i++) {
    switch (path->steps[i]) {
      case 0: cairo_move_to(cairo, p[0], p[1]); p += 2; break;
      case 1: cairo_line_to(cairo, p[0], p[1]); p += 2; break;
      case 2: cairo_curve_to(cairo, p[0], p[1], p[2], p[3], p[4], p[5]); p += 6; break;
      default: cairo_close_path(cairo); break;
    }
  }
}

bool cpc_path_fill(const cpc_path *path, bool even_odd, const cpc_canvas *canvas) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_A8, &surface);
  if (cairo == NULL) return false;
  add_path(cairo, path);
  cairo_set_fill_rule(cairo, even_odd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING);
  cairo_fill(cairo);
  return cpc_close_canvas(cairo, surface);
}

typedef struct {
  cairo_t *cairo;
  double from, to, walked;
  double x, y, start_x, start_y;
  bool is_drawing;
} trimmer;

/* Adds the part of one line segment between `from` and `to`. */
static void trim_line(trimmer *t, double x, double y) {
  const double dx = x - t->x, dy = y - t->y, length = hypot(dx, dy);
  const double first = fmax(t->from - t->walked, 0), last = fmin(t->to - t->walked, length);
  if (length > 0 && first < last) {
    if (!t->is_drawing) cairo_move_to(t->cairo, t->x + dx * first / length, t->y + dy * first / length);
    cairo_line_to(t->cairo, t->x + dx * last / length, t->y + dy * last / length);
    t->is_drawing = last == length;
  } else if (length > 0) {
    t->is_drawing = false;
  }
  t->walked += length;
  t->x = x;
  t->y = y;
}

static void walk(const cairo_path_t *flat, trimmer *t) {
  for (int i = 0; i < flat->num_data; i += flat->data[i].header.length) {
    const cairo_path_data_t *const data = &flat->data[i];
    switch (data->header.type) {
      case CAIRO_PATH_MOVE_TO:
        t->x = t->start_x = data[1].point.x;
        t->y = t->start_y = data[1].point.y;
        t->is_drawing = false;
        break;
      case CAIRO_PATH_LINE_TO: trim_line(t, data[1].point.x, data[1].point.y); break;
      case CAIRO_PATH_CLOSE_PATH: trim_line(t, t->start_x, t->start_y); break;
      default: break;
    }
  }
}

/* Replaces the path with the part between two fractions of its length. */
static void trim(cairo_t *cairo, double start, double end) {
  cairo_path_t *flat = cairo_copy_path_flat(cairo);
  cairo_new_path(cairo);
  trimmer measure = {.cairo = cairo, .from = INFINITY, .to = -INFINITY};
  walk(flat, &measure);
  trimmer cut = {.cairo = cairo, .from = start * measure.walked, .to = end * measure.walked};
  walk(flat, &cut);
  cairo_path_destroy(flat);
}

bool cpc_path_stroke(const cpc_path *path, const cpc_stroke *stroke, const cpc_canvas *canvas) {
  static const cairo_line_cap_t caps[] = {CAIRO_LINE_CAP_BUTT, CAIRO_LINE_CAP_ROUND, CAIRO_LINE_CAP_SQUARE};
  static const cairo_line_join_t joins[] = {CAIRO_LINE_JOIN_MITER, CAIRO_LINE_JOIN_ROUND, CAIRO_LINE_JOIN_BEVEL};
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_A8, &surface);
  if (cairo == NULL) return false;
  add_path(cairo, path);
  if (stroke->start > 0 || stroke->end < 1) trim(cairo, stroke->start, stroke->end);
  cairo_set_line_width(cairo, stroke->width);
  cairo_set_line_cap(cairo, caps[stroke->cap]);
  cairo_set_line_join(cairo, joins[stroke->join]);
  cairo_set_miter_limit(cairo, stroke->miter_limit);
  if (stroke->dash_count > 0) cairo_set_dash(cairo, stroke->dashes, stroke->dash_count, stroke->dash_phase);
  cairo_stroke(cairo);
  return cpc_close_canvas(cairo, surface);
}
