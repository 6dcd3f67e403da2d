#include "layout.h"

#include <string.h>

static void add_attribute(PangoAttrList *attributes, PangoAttribute *attribute, size_t start, size_t end, size_t offset) {
  attribute->start_index = (guint)(start > offset ? start - offset : 0);
  attribute->end_index = (guint)(end - offset);
  pango_attr_list_insert(attributes, attribute);
}

static PangoAttribute *make_font(const cpc_run *run) {
  PangoFontDescription *font = pango_font_description_new();
  pango_font_description_set_family(font, run->family);
  pango_font_description_set_absolute_size(font, run->size * PANGO_SCALE);
  pango_font_description_set_weight(font, (PangoWeight)run->weight);
  pango_font_description_set_style(font, run->is_italic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL);
  if (run->variations != NULL) pango_font_description_set_variations(font, run->variations);
  PangoAttribute *const attribute = pango_attr_font_desc_new(font);
  pango_font_description_free(font);
  return attribute;
}

static bool have_same_font(const cpc_run *left, const cpc_run *right) {
  return strcmp(left->family, right->family) == 0 && left->size == right->size && left->weight == right->weight &&
         left->is_italic == right->is_italic && g_strcmp0(left->variations, right->variations) == 0;
}

/* Adds fonts and paints. Pango shapes letters together only within one attribute, so consecutive runs of one font share it. A run's paint is stored
   as its foreground color, which does not affect shaping: 1 for paint 0, 0 for none. */
static void add_styles(PangoAttrList *attributes, const cpc_styled_text *text, size_t start, size_t end) {
  const cpc_run *const runs = text->runs;
  for (size_t i = text->run, next; i < text->run_count && runs[i].start <= end; i = next) {
    for (next = i; next < text->run_count && runs[next].start <= end && have_same_font(&runs[i], &runs[next]); next++) {
      PangoAttribute *const paint = pango_attr_foreground_new((guint16)(runs[next].paint + 1), 0, 0);
      add_attribute(attributes, paint, runs[next].start, runs[next].end, start);
    }
    add_attribute(attributes, make_font(&runs[i]), runs[i].start, runs[next - 1].end, start);
  }
}

/* Whether a character is joined to its neighbors, as the letters of cursive scripts are. Marks and joiners belong to the previous character. */
static bool is_cursive(gunichar character, bool is_previous_cursive) {
  switch (g_unichar_get_script(character)) {
    case G_UNICODE_SCRIPT_ADLAM: case G_UNICODE_SCRIPT_ARABIC: case G_UNICODE_SCRIPT_CHORASMIAN: case G_UNICODE_SCRIPT_HANIFI_ROHINGYA:
    case G_UNICODE_SCRIPT_MANDAIC: case G_UNICODE_SCRIPT_MANICHAEAN: case G_UNICODE_SCRIPT_MONGOLIAN: case G_UNICODE_SCRIPT_NKO:
    case G_UNICODE_SCRIPT_PHAGS_PA: case G_UNICODE_SCRIPT_PSALTER_PAHLAVI: case G_UNICODE_SCRIPT_SOGDIAN: case G_UNICODE_SCRIPT_SYRIAC:
      return g_unichar_isalpha(character) || g_unichar_ismark(character);
    case G_UNICODE_SCRIPT_INHERITED: return is_previous_cursive;
    /* The Arabic tatweel belongs to several scripts. */
    default: return character == 0x0640;
  }
}

/* Adds tracking, except to letters of cursive scripts, which would be torn apart (CSS Text 3, letter-spacing), and none of 0, since Pango omits optional
   ligatures where the attribute is set. */
static void add_tracking(PangoAttrList *attributes, const cpc_styled_text *text, size_t start, size_t end) {
  size_t span_start = start;
  int span = 0;
  bool was_cursive = false;
  for (size_t i = text->run; i < text->run_count && text->runs[i].start <= end; i++) {
    const cpc_run *const run = &text->runs[i];
    const int tracking = (int)(run->tracking * PANGO_SCALE);
    if (tracking == 0 && span == 0) continue;
    const char *at = text->bytes + MAX(run->start, start), *const run_end = text->bytes + MIN(run->end, end);
    for (; at < run_end; at = g_utf8_next_char(at)) {
      was_cursive = is_cursive(g_utf8_get_char(at), was_cursive);
      const int own = was_cursive ? 0 : tracking;
      if (own == span) continue;
      if (span != 0) add_attribute(attributes, pango_attr_letter_spacing_new(span), span_start, (size_t)(at - text->bytes), start);
      span = own;
      span_start = (size_t)(at - text->bytes);
    }
  }
  if (span != 0) add_attribute(attributes, pango_attr_letter_spacing_new(span), span_start, end, start);
}

/* Adds the features of runs. Without ligatures if letters stay apart. */
static void add_features(PangoAttrList *attributes, const cpc_styled_text *text, size_t start, size_t end, bool stays_apart) {
  static const char *const apart = "liga=0, clig=0";
  const cpc_run *const runs = text->runs;
  for (size_t i = text->run, next; i < text->run_count && runs[i].start <= end; i = next) {
    const char *const own = runs[i].features;
    for (next = i + 1; next < text->run_count && runs[next].start <= end && g_strcmp0(own, runs[next].features) == 0;) next++;
    if (own == NULL && !stays_apart) continue;
    char *const features = stays_apart ? g_strjoin(",", own != NULL ? own : apart, own != NULL ? apart : NULL, NULL) : g_strdup(own);
    add_attribute(attributes, pango_attr_font_features_new(features), runs[i].start, runs[next - 1].end, start);
    g_free(features);
  }
}

/* Adds lines under and through letters, which do not affect shaping. */
static void add_lines(PangoAttrList *attributes, const cpc_styled_text *text, size_t start, size_t end) {
  for (size_t i = text->run; i < text->run_count && text->runs[i].start <= end; i++) {
    const cpc_run *const run = &text->runs[i];
    PangoAttribute *lines[2] = {NULL};
    if (run->underline.style != 0) lines[0] = cpc_make_underline(&run->underline);
    if (run->strikethrough.style != 0) lines[1] = cpc_make_strikethrough(&run->strikethrough);
    for (size_t j = 0; j < 2; j++) {
      if (lines[j] != NULL) add_attribute(attributes, lines[j], run->start, run->end, start);
    }
  }
}

/* Adds languages and shifts of the baseline: one attribute for consecutive runs of the same, since letters are shaped within one. */
static void add_shaping(PangoAttrList *attributes, const cpc_styled_text *text, size_t start, size_t end) {
  const cpc_run *const runs = text->runs;
  for (size_t i = text->run, next; i < text->run_count && runs[i].start <= end; i = next) {
    for (next = i + 1; next < text->run_count && runs[next].start <= end && g_strcmp0(runs[i].language, runs[next].language) == 0;) next++;
    if (runs[i].language == NULL) continue;
    PangoAttribute *const language = pango_attr_language_new(pango_language_from_string(runs[i].language));
    add_attribute(attributes, language, runs[i].start, runs[next - 1].end, start);
  }
  for (size_t i = text->run, next; i < text->run_count && runs[i].start <= end; i = next) {
    for (next = i + 1; next < text->run_count && runs[next].start <= end && runs[i].rise == runs[next].rise;) next++;
    if (runs[i].rise == 0) continue;
    add_attribute(attributes, pango_attr_rise_new((int)(runs[i].rise * PANGO_SCALE)), runs[i].start, runs[next - 1].end, start);
  }
}

PangoAttrList *cpc_make_attributes(cpc_styled_text *text, size_t start, size_t end, bool stays_apart) {
  PangoAttrList *attributes = pango_attr_list_new();
  while (text->run < text->run_count && text->runs[text->run].end <= start) text->run++;
  add_styles(attributes, text, start, end);
  add_tracking(attributes, text, start, end);
  add_features(attributes, text, start, end, stays_apart);
  add_shaping(attributes, text, start, end);
  add_lines(attributes, text, start, end);
  return attributes;
}

/* Whether the bytes between two positions have several visible paints. */
static bool has_several_paints(const cpc_styled_text *text, size_t start, size_t end) {
  int32_t first = -1;
  for (size_t i = text->run; i < text->run_count && text->runs[i].start < end; i++) {
    const cpc_run *const run = &text->runs[i];
    if (run->end <= start || run->paint < 0) continue;
    if (first >= 0 && run->paint != first) return true;
    first = run->paint;
  }
  return false;
}

bool cpc_has_colored_ligature(const cpc_styled_text *text, PangoLayout *layout, size_t start) {
  const char *const bytes = pango_layout_get_text(layout);
  if (!has_several_paints(text, start, start + strlen(bytes))) return false;
  bool found = false;
  PangoLayoutIter *iterator = pango_layout_get_iter(layout);
  do {
    PangoLayoutRun *const run = pango_layout_iter_get_run_readonly(iterator);
    PangoGlyphItemIter at;
    if (run == NULL) continue;
    for (gboolean more = pango_glyph_item_iter_init_start(&at, run, bytes); more && !found; more = pango_glyph_item_iter_next_cluster(&at)) {
      if (at.end_char - at.start_char < 2) continue;
      found = has_several_paints(text, start + (size_t)at.start_index, start + (size_t)at.end_index);
    }
  } while (!found && pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
  return found;
}
