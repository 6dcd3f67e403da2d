#include "engine.h"

cairo_t *cpc_open_canvas(const cpc_canvas *canvas, cairo_format_t format, cairo_surface_t **surface) {
  const int stride = canvas->width * (format == CAIRO_FORMAT_A8 ? 1 : 4);
  *surface = cairo_image_surface_create_for_data(canvas->pixels, format, canvas->width, canvas->height, stride);
  if (cairo_surface_status(*surface) != CAIRO_STATUS_SUCCESS) {
    cairo_surface_destroy(*surface);
    return NULL;
  }
  cairo_t *cairo = cairo_create(*surface);
  const cairo_matrix_t matrix = {canvas->a, canvas->b, canvas->c, canvas->d, canvas->tx, canvas->ty};
  cairo_set_matrix(cairo, &matrix);
  /* Flattened curves deviate by at most a fiftieth of a pixel. */
  cairo_set_tolerance(cairo, 0.02);
  cairo_set_source_rgba(cairo, 1, 1, 1, 1);
  return cairo;
}

bool cpc_close_canvas(cairo_t *cairo, cairo_surface_t *surface) {
  const bool is_sound = cairo_status(cairo) == CAIRO_STATUS_SUCCESS;
  cairo_destroy(cairo);
  cairo_surface_flush(surface);
  cairo_surface_destroy(surface);
  return is_sound;
}
