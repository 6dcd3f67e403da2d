#include "layout.h"

#include <limits.h>

int cpc_depth_of_lines(const cpc_layout *layout) {
  if (layout->writing == 0) return 0;
  const cpc_block *const last = &layout->blocks[layout->block_count - 1];
  PangoRectangle logical;
  pango_layout_get_extents(last->layout, NULL, &logical);
  return last->top + logical.y + logical.height;
}

int cpc_line_shift(const cpc_layout *layout, const cpc_block *block, PangoLayoutIter *iterator, int depth) {
  if (layout->writing != 2) return block->top;
  PangoRectangle logical;
  pango_layout_iter_get_line_extents(iterator, NULL, &logical);
  return depth - block->top - 2 * logical.y - logical.height;
}

int cpc_column_shift(const cpc_layout *layout, const PangoLayoutRun *run) {
  if (layout->writing == 0 || PANGO_GRAVITY_IS_VERTICAL((PangoGravity)run->item->analysis.gravity)) return 0;
  PangoRectangle logical;
  pango_glyph_string_extents(run->glyphs, run->item->analysis.font, NULL, &logical);
  return -(logical.y + logical.height / 2);
}

PangoRectangle cpc_column_ink(const cpc_layout *layout, int depth) {
  int left = INT_MAX, top = INT_MAX, right = INT_MIN, bottom = INT_MIN;
  for (size_t i = 0; i < layout->block_count; i++) {
    const cpc_block *const block = &layout->blocks[i];
    PangoLayoutIter *iterator = pango_layout_get_iter(block->layout);
    do {
      PangoRectangle ink;
      pango_layout_iter_get_line_extents(iterator, &ink, NULL);
      if (ink.width <= 0 || ink.height <= 0) continue;
      const int y = ink.y + cpc_line_shift(layout, block, iterator, depth);
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

void cpc_turn_columns(const cpc_layout *layout, cairo_t *cairo) {
  if (layout->writing == 0) return;
  const cairo_matrix_t turn = {0, 1, -1, 0, (double)cpc_depth_of_lines(layout) / PANGO_SCALE, 0};
  cairo_transform(cairo, &turn);
}

static void turn_box(double depth, double *x, double *y, double *width, double *height) {
  const double left = depth - *y - *height, side = *width;
  *y = *x;
  *x = left;
  *width = *height;
  *height = side;
}

void cpc_turn_clusters(cpc_layout *layout) {
  if (layout->writing == 0) return;
  const double depth = (double)cpc_depth_of_lines(layout) / PANGO_SCALE;
  for (size_t i = 0; i < layout->cluster_count; i++) {
    cpc_cluster *const cluster = &layout->clusters[i];
    turn_box(depth, &cluster->x, &cluster->y, &cluster->width, &cluster->height);
    turn_box(depth, &cluster->ink_x, &cluster->ink_y, &cluster->ink_width, &cluster->ink_height);
  }
}
