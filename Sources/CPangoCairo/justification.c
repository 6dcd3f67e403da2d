// Lines of justified text that have no space to widen.
#include "layout.h"

/* Whether letters may be spread, because the script has no spaces between words. */
static bool is_spread(gunichar character) {
  switch (g_unichar_get_script(character)) {
  case G_UNICODE_SCRIPT_HAN:
  case G_UNICODE_SCRIPT_HIRAGANA:
  case G_UNICODE_SCRIPT_KATAKANA:
  case G_UNICODE_SCRIPT_BOPOMOFO: return true;
  default: return false;
  }
}

/* Whether a line is a single word of a script with spaces. Spaces at its end aren't shown. */
static bool is_single_word(const char *text, const PangoLogAttr *attributes, int count) {
  bool has_space = false, is_word = false;
  for (int i = 0; i < count; i++, text = g_utf8_next_char(text)) {
    if (is_spread(g_utf8_get_char(text))) return false;
    if (attributes[i].is_expandable_space) has_space = has_space || is_word;
    else if (has_space) return false;
    else is_word = true;
  }
  return is_word;
}

/* Gives the glyphs of a line the places that they have in another line of the same glyphs. */
static void copy_places(PangoLayoutLine *line, const PangoLayoutLine *natural) {
  const GSList *from = natural->runs;
  for (GSList *entry = line->runs; entry != NULL && from != NULL; entry = entry->next, from = from->next) {
    PangoGlyphString *const glyphs = ((PangoLayoutRun *)entry->data)->glyphs;
    const PangoGlyphString *const others = ((const PangoLayoutRun *)from->data)->glyphs;
    if (glyphs->num_glyphs != others->num_glyphs) return;
    for (int i = 0; i < glyphs->num_glyphs; i++) glyphs->glyphs[i].geometry = others->glyphs[i].geometry;
  }
}

void cpc_leave_single_words(PangoLayout *layout) {
  PangoLayout *natural = NULL;
  const char *const text = pango_layout_get_text(layout);
  int count = 0, lines = pango_layout_get_line_count(layout), at = 0, character = 0;
  const PangoLogAttr *const attributes = pango_layout_get_log_attrs_readonly(layout, &count);
  for (int i = 0; i < lines; i++) {
    const PangoLayoutLine *const line = pango_layout_get_line_readonly(layout, i);
    character += (int)g_utf8_strlen(text + at, line->start_index - at);
    at = line->start_index;
    const int length = (int)g_utf8_strlen(text + at, line->length);
    if (character + length >= count || !is_single_word(text + at, attributes + character, length)) continue;
    if (natural == NULL) {
      natural = pango_layout_copy(layout);
      pango_layout_set_justify(natural, FALSE);
    }
    copy_places(pango_layout_get_line(layout, i), pango_layout_get_line_readonly(natural, i));
  }
  if (natural != NULL) g_object_unref(natural);
}
