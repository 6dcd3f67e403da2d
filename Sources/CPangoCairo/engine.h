#pragma once
#include "CPangoCairo.h"
#include "pango_required.h"

#include <fontconfig/fontconfig.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>

struct cpc_engine {
  FcConfig *config;
  PangoFontMap *map;
  /* For lines and for columns; from left to right, and from right to left: the direction of paragraphs that have none of their own. */
  PangoContext *contexts[2][2];
  PangoFontFamily **families;
  char *substitute;
  int family_count;
  int *files;
  guint file_count;
};

/// A Cairo context over a canvas, its transform set; NULL where the canvas cannot be one. `surface` is to be destroyed too.
cairo_t *cpc_open_canvas(const cpc_canvas *canvas, cairo_format_t format, cairo_surface_t **surface);
/// Ends the drawing; false where something failed on the way.
bool cpc_close_canvas(cairo_t *cairo, cairo_surface_t *surface);
