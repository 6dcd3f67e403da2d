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
  /* For lines [0] and columns [1]; then by the direction of paragraphs without one of their own: left to right [0], right to left [1]. */
  PangoContext *contexts[2][2];
  PangoFontFamily **families;
  char *substitute;
  int family_count;
  int *files;
  guint file_count;
  /* The files and families of fonts whose glyphs were laid out. */
  struct cpc_used_font {
    char *file, *family;
  } *used_fonts;
  size_t used_font_count;
};

/// Creates a Cairo context over a canvas, with its transform; NULL if the canvas is invalid. `surface` must be destroyed, too.
cairo_t *cpc_open_canvas(const cpc_canvas *canvas, cairo_format_t format, cairo_surface_t **surface);
/// Finishes drawing; returns false if an error occurred.
bool cpc_close_canvas(cairo_t *cairo, cairo_surface_t *surface);
