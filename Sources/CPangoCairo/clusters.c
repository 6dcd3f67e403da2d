#include "layout.h"

#include <string.h>

typedef struct {
  cpc_layout *layout;
  const cpc_block *block;
  /* For each byte of the block's text, whether a line may break there. */
  const bool *breaks;
  size_t room;
  int32_t line;
} collector;

static PangoRectangle ink_of(const cpc_cluster_glyphs *cluster) {
  PangoRectangle ink;
  /* Pango does not change the glyphs that it measures. */
  pango_glyph_string_extents((PangoGlyphString *)&cluster->glyphs, cluster->font, &ink, NULL);
  return ink;
}

/* The part of a run's lines at a cluster. */
static cpc_rules rules_of_cluster(collector *target, const PangoLayoutRun *run, const cpc_cluster_glyphs *part, double width) {
  cpc_rules rules = cpc_run_rules(target->layout, run, part->x, part->baseline);
  for (int i = 0; i < rules.count; i++) rules.parts[i].width = width;
  return rules;
}

/* Makes room for one more cluster. */
static void grow(collector *target) {
  cpc_layout *const layout = target->layout;
  if (layout->cluster_count < target->room) return;
  target->room = target->room > 0 ? 2 * target->room : 64;
  layout->clusters = g_renew(cpc_cluster, layout->clusters, target->room);
  layout->cluster_glyphs = g_renew(cpc_cluster_glyphs, layout->cluster_glyphs, target->room);
  if (layout->has_rules) layout->cluster_rules = g_renew(cpc_rules, layout->cluster_rules, target->room);
}

/* The glyphs of a cluster of a run that begins at x, and their width in Pango's units. */
static cpc_cluster_glyphs glyphs_of_cluster(
    const PangoLayoutRun *run, const PangoGlyphItemIter *at, double x, double baseline, int *width) {
  /* From right to left, the glyphs of a cluster precede the end of the previous one. */
  const int first = at->start_glyph < at->end_glyph ? at->start_glyph : at->end_glyph + 1;
  const int end = at->start_glyph < at->end_glyph ? at->end_glyph : at->start_glyph + 1;
  PangoGlyphString *const glyphs = run->glyphs;
  int before = 0;
  *width = 0;
  for (int i = 0; i < end; i++) *(i < first ? &before : width) += glyphs->glyphs[i].geometry.width;
  cpc_cluster_glyphs part = {.font = run->item->analysis.font, .x = x + (double)before / PANGO_SCALE, .baseline = baseline};
  part.glyphs.num_glyphs = end - first;
  part.glyphs.glyphs = glyphs->glyphs + first;
  part.glyphs.log_clusters = glyphs->log_clusters + first;
  return part;
}

static void add_cluster(
    collector *target, const PangoLayoutRun *run, const PangoGlyphItemIter *at, double x, double baseline, PangoRectangle box) {
  grow(target);
  cpc_layout *const layout = target->layout;
  int width;
  const cpc_cluster_glyphs part = glyphs_of_cluster(run, at, x, baseline, &width);
  const PangoRectangle ink = ink_of(&part);
  const double unit = 1.0 / PANGO_SCALE;
  layout->cluster_glyphs[layout->cluster_count] = part;
  layout->clusters[layout->cluster_count] = (cpc_cluster){
      .start = (uint32_t)(target->block->start + (size_t)at->start_index),
      .end = (uint32_t)(target->block->start + (size_t)at->end_index),
      .line = target->line,
      .paint = cpc_run_paint(run),
      .underline = -1,
      .strikethrough = -1,
      .x = part.x,
      .y = box.y * unit,
      .width = width * unit,
      .height = box.height * unit,
      .baseline = baseline,
      .ink_x = part.x + ink.x * unit,
      .ink_y = baseline + ink.y * unit,
      .ink_width = ink.width * unit,
      .ink_height = ink.height * unit,
      .is_right_to_left = run->item->analysis.level % 2 == 1,
      .is_color = cpc_is_color_font(run->item->analysis.font),
      .may_break = target->breaks[at->start_index]};
  if (layout->has_rules) {
    const cpc_rules rules = rules_of_cluster(target, run, &part, width * unit);
    layout->clusters[layout->cluster_count].underline = rules.under;
    layout->clusters[layout->cluster_count].strikethrough = rules.through;
    layout->cluster_rules[layout->cluster_count] = rules;
  }
  layout->cluster_count++;
}

static void collect_run(collector *target, PangoLayoutRun *run, PangoRectangle box, double baseline) {
  PangoGlyphItemIter at;
  const char *const text = pango_layout_get_text(target->block->layout);
  for (gboolean more = pango_glyph_item_iter_init_start(&at, run, text); more; more = pango_glyph_item_iter_next_cluster(&at)) {
    add_cluster(target, run, &at, (double)box.x / PANGO_SCALE, baseline, box);
  }
}

static bool *find_breaks(PangoLayout *layout) {
  const char *const text = pango_layout_get_text(layout);
  int count;
  const PangoLogAttr *const attributes = pango_layout_get_log_attrs_readonly(layout, &count);
  bool *const breaks = g_new0(bool, strlen(text) + 1);
  const char *at = text;
  for (int i = 0; i < count && *at != 0; i++, at = g_utf8_next_char(at)) breaks[at - text] = attributes[i].is_line_break;
  return breaks;
}

static void collect_block(collector *target) {
  bool *const breaks = find_breaks(target->block->layout);
  target->breaks = breaks;
  PangoLayoutIter *iterator = pango_layout_get_iter(target->block->layout);
  const PangoLayoutLine *line = NULL;
  const int depth = cpc_depth_of_lines(target->layout);
  do {
    const PangoLayoutLine *const own = pango_layout_iter_get_line_readonly(iterator);
    if (own != line) {
      line = own;
      target->line++;
    }
    PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iterator);
    if (run == NULL) continue;
    PangoRectangle box;
    pango_layout_iter_get_run_extents(iterator, NULL, &box);
    const int shift = cpc_line_shift(target->layout, target->block, iterator, depth);
    box.y += shift;
    const int baseline = pango_layout_iter_get_run_baseline(iterator) + shift + cpc_column_shift(target->layout, run);
    collect_run(target, run, box, (double)baseline / PANGO_SCALE);
  } while (pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
  g_free(breaks);
}

/* Merges an order of clusters whose runs are sorted, in two arrays by turns; equal starts keep their order. Returns the array with the result. */
static size_t *merge_runs(const cpc_layout *layout, size_t *from, size_t *to) {
  const size_t count = layout->cluster_count;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t start = 0; start < count; start += 2 * width) {
      const size_t middle = MIN(start + width, count), end = MIN(start + 2 * width, count);
      size_t left = start, right = middle;
      for (size_t i = start; i < end; i++) {
        const bool takes_left =
            left < middle && (right >= end || layout->clusters[from[left]].start <= layout->clusters[from[right]].start);
        to[i] = takes_left ? from[left++] : from[right++];
      }
    }
    size_t *const swapped = from;
    from = to;
    to = swapped;
  }
  return from;
}

/* Sorts the clusters into text order: runs from right to left come in visual order. */
static void sort_clusters(cpc_layout *layout) {
  const size_t count = layout->cluster_count;
  size_t *const order = g_new(size_t, count > 0 ? count : 1);
  bool is_sorted = true;
  for (size_t i = 0; i < count; i++) {
    order[i] = i;
    if (i > 0 && layout->clusters[i].start < layout->clusters[i - 1].start) is_sorted = false;
  }
  if (!is_sorted) {
    /* Each run is sorted, so merging suffices. */
    size_t *const room = g_new(size_t, count);
    const size_t *const sorted = merge_runs(layout, order, room);
    cpc_cluster *const clusters = g_new(cpc_cluster, count);
    cpc_cluster_glyphs *const glyphs = g_new(cpc_cluster_glyphs, count);
    for (size_t i = 0; i < count; i++) {
      clusters[i] = layout->clusters[sorted[i]];
      glyphs[i] = layout->cluster_glyphs[sorted[i]];
    }
    if (layout->has_rules) {
      cpc_rules *const rules = g_new(cpc_rules, count);
      for (size_t i = 0; i < count; i++) rules[i] = layout->cluster_rules[sorted[i]];
      g_free(layout->cluster_rules);
      layout->cluster_rules = rules;
    }
    g_free(layout->clusters);
    g_free(layout->cluster_glyphs);
    layout->clusters = clusters;
    layout->cluster_glyphs = glyphs;
    g_free(room);
  }
  g_free(order);
}

const cpc_cluster *cpc_layout_get_clusters(cpc_layout *layout, size_t *count) {
  if (layout->clusters == NULL) {
    collector target = {.layout = layout, .line = -1};
    for (size_t i = 0; i < layout->block_count; i++) {
      target.block = &layout->blocks[i];
      collect_block(&target);
    }
    sort_clusters(layout);
    if (layout->has_rules) cpc_join_rules(layout);
    cpc_turn_clusters(layout);
  }
  *count = layout->cluster_count;
  return layout->clusters;
}

/* Draws clusters as a path, or as glyphs. */
static void draw_clusters(
    cpc_layout *layout, cairo_t *cairo, size_t first, size_t count, int32_t paint, bool any_paint, bool wants_color) {
  for (size_t i = first; i < first + count && i < layout->cluster_count; i++) {
    const cpc_cluster *const cluster = &layout->clusters[i];
    if (cluster->paint < 0 || (!any_paint && cluster->paint != paint) || cluster->is_color != wants_color) continue;
    cpc_cluster_glyphs *const part = &layout->cluster_glyphs[i];
    cairo_move_to(cairo, part->x, part->baseline);
    if (wants_color) {
      pango_cairo_show_glyph_string(cairo, part->font, &part->glyphs);
    } else {
      pango_cairo_glyph_string_path(cairo, part->font, &part->glyphs);
    }
  }
}

bool cpc_layout_cover_clusters(
    cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count, int32_t paint, bool any_paint, double outline) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_A8, &surface);
  if (cairo == NULL) return false;
  cpc_turn_columns(layout, cairo);
  draw_clusters(layout, cairo, first, count, paint, any_paint, false);
  cpc_fill(cairo, outline);
  for (size_t i = first; layout->has_rules && i < first + count && i < layout->cluster_count; i++) {
    cpc_draw_cluster_rules(cairo, layout, i, paint, any_paint);
  }
  cpc_fill(cairo, outline);
  return cpc_close_canvas(cairo, surface);
}

bool cpc_layout_draw_color_clusters(cpc_layout *layout, const cpc_canvas *canvas, size_t first, size_t count) {
  cairo_surface_t *surface;
  cairo_t *cairo = cpc_open_canvas(canvas, CAIRO_FORMAT_ARGB32, &surface);
  if (cairo == NULL) return false;
  cpc_turn_columns(layout, cairo);
  draw_clusters(layout, cairo, first, count, 0, true, true);
  return cpc_close_canvas(cairo, surface);
}
