#define _GNU_SOURCE
#include "layout.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void note_font(const PangoLayoutRun *run, double x, double baseline, void *state) {
  (void)x, (void)baseline;
  cpc_engine *engine = state;
  PangoFont *font = run->item->analysis.font;
  if (font == NULL || !PANGO_IS_FC_FONT(font)) return;
  FcPattern *pattern = pango_fc_font_get_pattern(PANGO_FC_FONT(font));
  FcChar8 *file = NULL, *family = NULL;
  if (pattern == NULL || FcPatternGetString(pattern, FC_FILE, 0, &file) != FcResultMatch) return;
  for (size_t i = 0; i < engine->used_font_count; i++) {
    if (strcmp(engine->used_fonts[i].file, (const char *)file) == 0) return;
  }
  FcPatternGetString(pattern, FC_FAMILY, 0, &family);
  engine->used_fonts = g_renew(struct cpc_used_font, engine->used_fonts, engine->used_font_count + 1);
  engine->used_fonts[engine->used_font_count++] =
      (struct cpc_used_font){g_strdup((const char *)file), g_strdup(family != NULL ? (const char *)family : "")};
}

void cpc_engine_note_fonts(cpc_engine *engine, const cpc_layout *layout) { cpc_visit_runs(layout, note_font, engine); }

size_t cpc_engine_font_count(const cpc_engine *engine) { return engine->used_font_count; }

const char *cpc_engine_font_file(const cpc_engine *engine, size_t index) { return engine->used_fonts[index].file; }

const char *cpc_engine_font_family(const cpc_engine *engine, size_t index) { return engine->used_fonts[index].family; }

static const FcSetName font_sets[] = {FcSetSystem, FcSetApplication};

static size_t count_of(const FcFontSet *fonts) { return fonts != NULL ? (size_t)fonts->nfont : 0; }

size_t cpc_engine_face_count(cpc_engine *engine) {
  size_t count = 0;
  for (int i = 0; i < 2; i++) count += count_of(FcConfigGetFonts(engine->config, font_sets[i]));
  return count;
}

static FcPattern *pattern_at(cpc_engine *engine, size_t index) {
  for (int i = 0; i < 2; i++) {
    const FcFontSet *fonts = FcConfigGetFonts(engine->config, font_sets[i]);
    if (index < count_of(fonts)) return fonts->fonts[index];
    index -= count_of(fonts);
  }
  return NULL;
}

bool cpc_engine_get_face(cpc_engine *engine, size_t index, cpc_face *face) {
  FcPattern *pattern = pattern_at(engine, index);
  FcChar8 *family = NULL, *style = NULL, *file = NULL;
  FcBool is_scalable = FcFalse, is_variable = FcFalse;
  int slant = FC_SLANT_ROMAN;
  double weight = 0;
  if (pattern == NULL || FcPatternGetString(pattern, FC_FAMILY, 0, &family) != FcResultMatch) return false;
  if (FcPatternGetString(pattern, FC_FILE, 0, &file) != FcResultMatch) return false;
  if (FcPatternGetBool(pattern, FC_SCALABLE, 0, &is_scalable) != FcResultMatch || !is_scalable) return false;
  FcPatternGetString(pattern, FC_STYLE, 0, &style);
  FcPatternGetBool(pattern, FC_VARIABLE, 0, &is_variable);
  FcPatternGetInteger(pattern, FC_SLANT, 0, &slant);
  /* The weights of a variable font are a range, which is not a number. */
  const bool has_weight = FcPatternGetDouble(pattern, FC_WEIGHT, 0, &weight) == FcResultMatch;
  *face = (cpc_face){
      .family = (const char *)family, .style = style != NULL ? (const char *)style : "", .file = (const char *)file,
      .weight = has_weight ? (int32_t)(FcWeightToOpenTypeDouble(weight) + 0.5) : 0, .is_italic = slant != FC_SLANT_ROMAN,
      .is_variable = is_variable};
  return true;
}

/* Versions of libraries used by Pango; only loaded ones can be queried. */
static const char *stated(const char *function) {
  const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, function);
  return version != NULL ? version() : NULL;
}

/* FreeType reports its version only to an initialized library. */
static bool freetype_version(char *text, size_t size) {
  typedef int open_library(void **library);
  typedef void ask_version(void *library, int *major, int *minor, int *patch);
  open_library *begin = (open_library *)dlsym(RTLD_DEFAULT, "FT_Init_FreeType");
  ask_version *ask = (ask_version *)dlsym(RTLD_DEFAULT, "FT_Library_Version");
  int (*end)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "FT_Done_FreeType");
  void *library = NULL;
  int major = 0, minor = 0, patch = 0;
  if (begin == NULL || ask == NULL || end == NULL || begin(&library) != 0) return false;
  ask(library, &major, &minor, &patch);
  end(library);
  snprintf(text, size, "freetype %d.%d.%d", major, minor, patch);
  return true;
}

bool cpc_library_version(int index, char *text, size_t size) {
  const int fontconfig = FcGetVersion();
  const char *harfbuzz = stated("hb_version_string");
  switch (index) {
  case 0: snprintf(text, size, "cairo %s", cairo_version_string()); return true;
  case 1: snprintf(text, size, "fontconfig %d.%d.%d", fontconfig / 10000, fontconfig / 100 % 100, fontconfig % 100); return true;
  case 2:
    if (!freetype_version(text, size)) snprintf(text, size, "freetype unknown");
    return true;
  case 3: snprintf(text, size, "harfbuzz %s", harfbuzz != NULL ? harfbuzz : "unknown"); return true;
  case 4: snprintf(text, size, "pango %s", pango_version_string()); return true;
  default: return false;
  }
}
