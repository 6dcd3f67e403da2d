#include "layout.h"

#include <math.h>

/* The color of a line under or through letters holds the number of its paint in red, and in the 32 bits of green and blue whether it is
   double, and its thickness in Pango's units. */
static PangoAttribute *make_rule(PangoAttribute *(*make)(guint16, guint16, guint16), const cpc_line *line) {
  const uint32_t thickness = (uint32_t)(line->thickness * PANGO_SCALE) & 0x7fffffff;
  const uint32_t bits = thickness | (line->style == 2 ? 0x80000000u : 0);
  return make((guint16)(line->paint + 1), (guint16)(bits >> 16), (guint16)bits);
}

PangoAttribute *cpc_make_underline(const cpc_line *line) { return make_rule(pango_attr_underline_color_new, line); }

PangoAttribute *cpc_make_strikethrough(const cpc_line *line) { return make_rule(pango_attr_strikethrough_color_new, line); }

static const PangoColor *find_color(const PangoLayoutRun *run, PangoAttrType type) {
  for (GSList *entry = run->item->analysis.extra_attrs; entry != NULL; entry = entry->next) {
    const PangoAttribute *attribute = entry->data;
    if (attribute->klass->type == type) return &((const PangoAttrColor *)attribute)->color;
  }
  return NULL;
}

/* Adds one line or two, which are as far apart as they are thick. `top` is the upper edge of the first if `is_under`, otherwise the middle of all. */
static void add_rules(cpc_rules *rules, const PangoColor *color, double x, double width, double top, double usual, bool is_under) {
  const uint32_t bits = (uint32_t)color->green << 16 | color->blue;
  const uint32_t own = bits & 0x7fffffff;
  const double thickness = own > 0 ? (double)own / PANGO_SCALE : usual;
  const int count = bits >> 31 ? 2 : 1;
  const double first = is_under ? top : top - thickness * (2 * count - 1) / 2;
  for (int i = 0; i < count; i++) {
    rules->parts[rules->count++] = (cpc_rule){x, first + 2 * i * thickness, width, thickness, color->red - 1};
  }
}

cpc_rules cpc_run_rules(const cpc_layout *layout, const PangoLayoutRun *run, double x, double baseline) {
  cpc_rules rules = {.count = 0, .under = -1, .through = -1};
  if (!layout->has_rules || cpc_run_paint(run) < 0) return rules;
  const PangoColor *const under = find_color(run, PANGO_ATTR_UNDERLINE_COLOR);
  const PangoColor *const through = find_color(run, PANGO_ATTR_STRIKETHROUGH_COLOR);
  if (under == NULL && through == NULL) return rules;
  PangoFontMetrics *metrics = pango_font_get_metrics(run->item->analysis.font, NULL);
  PangoRectangle box;
  pango_glyph_string_extents(run->glyphs, run->item->analysis.font, NULL, &box);
  const double unit = 1.0 / PANGO_SCALE, width = box.width * unit;
  const double under_thickness = pango_font_metrics_get_underline_thickness(metrics) * unit;
  const double through_thickness = pango_font_metrics_get_strikethrough_thickness(metrics) * unit;
  double top = baseline - pango_font_metrics_get_underline_position(metrics) * unit;
  double middle = baseline - pango_font_metrics_get_strikethrough_position(metrics) * unit + through_thickness / 2;
  if (layout->writing != 0) {
    /* Fonts tell positions for lines only. In columns, the line is beside the letters, or in their middle. */
    top = baseline + (box.y + box.height) * unit;
    middle = baseline + (box.y + box.height / 2.0) * unit;
  }
  if (under != NULL) rules.under = under->red - 1;
  if (through != NULL) rules.through = through->red - 1;
  if (under != NULL) add_rules(&rules, under, x, width, top, under_thickness, true);
  if (through != NULL) add_rules(&rules, through, x, width, middle, through_thickness, false);
  pango_font_metrics_unref(metrics);
  return rules;
}

typedef struct {
  const cpc_layout *layout;
  cairo_t *cairo;
  int32_t paint;
  bool any_paint;
} drawing;

void cpc_draw_rules(cairo_t *cairo, const cpc_rules *rules, int32_t paint, bool any_paint) {
  for (int i = 0; i < rules->count; i++) {
    const cpc_rule *const rule = &rules->parts[i];
    if (any_paint || rule->paint == paint) cairo_rectangle(cairo, rule->x, rule->y, rule->width, rule->height);
  }
}

/* Whether a cluster's line goes on at one of its ends in a cluster near by. Spaces have given theirs to the letters before them. */
static bool goes_on(const cpc_layout *layout, size_t index, const cpc_rule *rule, double end) {
  const size_t reach = 4;
  const size_t first = index < reach ? 0 : index - reach, last = MIN(index + reach, layout->cluster_count - 1);
  for (size_t i = first; i <= last; i++) {
    const cpc_rules *const rules = &layout->cluster_rules[i];
    for (int j = 0; i != index && j < rules->count; j++) {
      const cpc_rule *const other = &rules->parts[j];
      const bool is_same = other->width > 0 && other->paint == rule->paint && fabs(other->y - rule->y) < 0.01 &&
                           fabs(other->height - rule->height) < 0.01;
      if (is_same && (fabs(other->x - end) < 0.01 || fabs(other->x + other->width - end) < 0.01)) return true;
    }
  }
  return false;
}

/* The boundary of pixels that is nearest to a place on a line. */
static double between_pixels(cairo_t *cairo, double x, double y) {
  cairo_matrix_t matrix;
  cairo_get_matrix(cairo, &matrix);
  double across = x, down = y;
  cairo_user_to_device(cairo, &across, &down);
  if (fabs(matrix.xx) > fabs(matrix.yx)) across = round(across);
  else down = round(down);
  cairo_device_to_user(cairo, &across, &down);
  return across;
}

void cpc_draw_cluster_rules(cairo_t *cairo, const cpc_layout *layout, size_t index, int32_t paint, bool any_paint) {
  cpc_rules rules = layout->cluster_rules[index];
  for (int i = 0; i < rules.count; i++) {
    cpc_rule *const rule = &rules.parts[i];
    const double left = rule->x, right = rule->x + rule->width;
    if (rule->width <= 0) continue;
    const double start = goes_on(layout, index, rule, left) ? between_pixels(cairo, left, rule->y) : left;
    const double end = goes_on(layout, index, rule, right) ? between_pixels(cairo, right, rule->y) : right;
    rule->x = start;
    rule->width = end - start;
  }
  cpc_draw_rules(cairo, &rules, paint, any_paint);
}

static void draw_run(const PangoLayoutRun *run, double x, double baseline, void *state) {
  const drawing *const target = state;
  const cpc_rules rules = cpc_run_rules(target->layout, run, x, baseline);
  cpc_draw_rules(target->cairo, &rules, target->paint, target->any_paint);
}

void cpc_layout_add_rules(const cpc_layout *layout, cairo_t *cairo, int32_t paint, bool any_paint) {
  drawing target = {layout, cairo, paint, any_paint};
  if (layout->has_rules) cpc_visit_runs(layout, draw_run, &target);
}

typedef struct {
  const cpc_layout *layout;
  double left, top, right, bottom;
} bounds;

static void unite_run(const PangoLayoutRun *run, double x, double baseline, void *state) {
  bounds *const whole = state;
  const cpc_rules rules = cpc_run_rules(whole->layout, run, x, baseline);
  for (int i = 0; i < rules.count; i++) {
    const cpc_rule *const rule = &rules.parts[i];
    if (rule->width <= 0) continue;
    whole->left = MIN(whole->left, rule->x);
    whole->top = MIN(whole->top, rule->y);
    whole->right = MAX(whole->right, rule->x + rule->width);
    whole->bottom = MAX(whole->bottom, rule->y + rule->height);
  }
}

void cpc_unite_rules(const cpc_layout *layout, cpc_extents *extents) {
  if (!layout->has_rules) return;
  bounds whole = {layout, G_MAXDOUBLE, G_MAXDOUBLE, -G_MAXDOUBLE, -G_MAXDOUBLE};
  cpc_visit_runs(layout, unite_run, &whole);
  if (whole.left >= whole.right) return;
  if (layout->writing != 0) {
    const double depth = (double)cpc_depth_of_lines(layout) / PANGO_SCALE;
    whole = (bounds){layout, depth - whole.bottom, whole.left, depth - whole.top, whole.right};
  }
  if (extents->ink_width > 0 && extents->ink_height > 0) {
    whole.left = MIN(whole.left, extents->ink_x);
    whole.top = MIN(whole.top, extents->ink_y);
    whole.right = MAX(whole.right, extents->ink_x + extents->ink_width);
    whole.bottom = MAX(whole.bottom, extents->ink_y + extents->ink_height);
  }
  extents->ink_x = whole.left;
  extents->ink_y = whole.top;
  extents->ink_width = whole.right - whole.left;
  extents->ink_height = whole.bottom - whole.top;
}

static bool have_same_rules(const cpc_rules *left, const cpc_rules *right) {
  if (left->count != right->count) return false;
  for (int i = 0; i < left->count; i++) {
    const cpc_rule *const a = &left->parts[i], *const b = &right->parts[i];
    if (a->y != b->y || a->height != b->height || a->paint != b->paint) return false;
  }
  return true;
}

static void unite_ink(cpc_cluster *cluster, const cpc_rule *rule) {
  if (cluster->ink_width <= 0 || cluster->ink_height <= 0) {
    cluster->ink_x = rule->x;
    cluster->ink_y = rule->y;
    cluster->ink_width = rule->width;
    cluster->ink_height = rule->height;
    return;
  }
  const double right = MAX(cluster->ink_x + cluster->ink_width, rule->x + rule->width);
  const double bottom = MAX(cluster->ink_y + cluster->ink_height, rule->y + rule->height);
  cluster->ink_x = MIN(cluster->ink_x, rule->x);
  cluster->ink_y = MIN(cluster->ink_y, rule->y);
  cluster->ink_width = right - cluster->ink_x;
  cluster->ink_height = bottom - cluster->ink_y;
}

static bool touch(const cpc_rule *left, const cpc_rule *right) {
  const double tolerance = 1.0 / 64;
  return fabs(left->x + left->width - right->x) < tolerance || fabs(right->x + right->width - left->x) < tolerance;
}

/* Gives the rules of a space to a letter beside it; beside it in the text, but at another place of the line where directions change. */
static void join_rules(cpc_rules *letter, cpc_rules *space) {
  if (space->count == 0 || !have_same_rules(letter, space) || !touch(&letter->parts[0], &space->parts[0])) return;
  for (int i = 0; i < letter->count; i++) {
    cpc_rule *const rule = &letter->parts[i];
    const double left = MIN(rule->x, space->parts[i].x);
    rule->width = MAX(rule->x + rule->width, space->parts[i].x + space->parts[i].width) - left;
    rule->x = left;
  }
  space->count = 0;
}

/* Gives the rules of spaces to the last letter before them in a direction of the text. */
static void join_spaces(cpc_layout *layout, bool is_backward) {
  const size_t count = layout->cluster_count;
  size_t last = count;
  for (size_t step = 0; step < count; step++) {
    const size_t i = is_backward ? count - 1 - step : step;
    const cpc_cluster *const own = &layout->clusters[i];
    if (own->ink_width > 0 && own->ink_height > 0) {
      last = i;
    } else if (last < count && layout->clusters[last].line == own->line) {
      join_rules(&layout->cluster_rules[last], &layout->cluster_rules[i]);
    }
  }
}

void cpc_join_rules(cpc_layout *layout) {
  join_spaces(layout, false);
  join_spaces(layout, true);
  for (size_t i = 0; i < layout->cluster_count; i++) {
    const cpc_rules *const rules = &layout->cluster_rules[i];
    for (int j = 0; j < rules->count; j++) unite_ink(&layout->clusters[i], &rules->parts[j]);
  }
}
