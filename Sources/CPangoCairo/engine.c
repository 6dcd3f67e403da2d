#define _GNU_SOURCE
#include "engine.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Without the system's rules nothing scales bitmap fonts of a fixed size (color emoji). */
static const char *const private_rules =
    "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
    "<match target=\"font\"><test name=\"outline\" compare=\"eq\"><bool>false</bool></test>"
    "<edit name=\"pixelsizefixupfactor\" mode=\"assign\"><divide><name target=\"pattern\">pixelsize</name>"
    "<name target=\"font\">pixelsize</name></divide></edit>"
    "<edit name=\"matrix\" mode=\"assign\"><times><name>matrix</name><matrix>"
    "<name>pixelsizefixupfactor</name><double>0</double><double>0</double><name>pixelsizefixupfactor</name>"
    "</matrix></times></edit></match></fontconfig>";

static FcConfig *make_config(bool uses_system_fonts) {
  if (uses_system_fonts) return FcInitLoadConfigAndFonts();
  FcConfig *config = FcConfigCreate();
  if (config != NULL) FcConfigParseAndLoadFromMemory(config, (const FcChar8 *)private_rules, FcTrue);
  return config;
}

static PangoContext *make_context(PangoFontMap *map) {
  PangoContext *context = pango_font_map_create_context(map);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options(context, options);
  cairo_font_options_destroy(options);
  pango_context_set_round_glyph_positions(context, FALSE);
  return context;
}

cpc_engine *cpc_engine_create(bool uses_system_fonts) {
  cpc_engine *engine = g_new0(cpc_engine, 1);
  engine->config = make_config(uses_system_fonts);
  engine->map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT);
  if (engine->config == NULL || engine->map == NULL) {
    cpc_engine_destroy(engine);
    return NULL;
  }
  pango_fc_font_map_set_config(PANGO_FC_FONT_MAP(engine->map), engine->config);
  for (int columns = 0; columns < 2; columns++) {
    for (int is_rtl = 0; is_rtl < 2; is_rtl++) {
      PangoContext *context = make_context(engine->map);
      pango_context_set_base_dir(context, is_rtl ? PANGO_DIRECTION_RTL : PANGO_DIRECTION_LTR);
      pango_context_set_base_gravity(context, columns ? PANGO_GRAVITY_EAST : PANGO_GRAVITY_SOUTH);
      engine->contexts[columns][is_rtl] = context;
    }
  }
  return engine;
}

void cpc_engine_destroy(cpc_engine *engine) {
  if (engine == NULL) return;
  g_free(engine->families);
  g_free(engine->substitute);
  for (int i = 0; i < 4; i++) {
    if (engine->contexts[i / 2][i % 2] != NULL) g_object_unref(engine->contexts[i / 2][i % 2]);
  }
  if (engine->map != NULL) g_object_unref(engine->map);
  if (engine->config != NULL) FcConfigDestroy(engine->config);
  for (guint i = 0; i < engine->file_count; i++) close(engine->files[i]);
  g_free(engine->files);
  for (size_t i = 0; i < engine->used_font_count; i++) {
    g_free(engine->used_fonts[i].file);
    g_free(engine->used_fonts[i].family);
  }
  g_free(engine->used_fonts);
  g_free(engine);
}

static bool write_all(int file, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t written = write(file, bytes, count);
    if (written <= 0) return false;
    bytes += written;
    count -= (size_t)written;
  }
  return true;
}

/* A path of an open file that no other file of this process ever had: Cairo keeps the faces of fonts by their paths, longer than
   an engine lives, and numbers of files are used again. Empty parts of a path, which the kernel skips, write a number in bits. */
static void describe_path(char path[128], int file) {
  static atomic_uint count;
  unsigned bits = atomic_fetch_add(&count, 1);
  char *end = stpcpy(path, "/proc/self/fd");
  for (; bits != 0; bits >>= 1) end = stpcpy(end, bits & 1 ? "//." : "/.");
  snprintf(end, (size_t)(path + 128 - end), "/%d", file);
}

/* Fontconfig simplifies the paths that it is given, so the path of its own is written into what it has read. */
static void rename_fonts(FcConfig *config, const char *old_path, const char *new_path) {
  const FcFontSet *fonts = FcConfigGetFonts(config, FcSetApplication);
  for (int i = 0; fonts != NULL && i < fonts->nfont; i++) {
    FcChar8 *path = NULL;
    if (FcPatternGetString(fonts->fonts[i], FC_FILE, 0, &path) != FcResultMatch) continue;
    if (strcmp((const char *)path, old_path) != 0) continue;
    FcPatternDel(fonts->fonts[i], FC_FILE);
    FcPatternAddString(fonts->fonts[i], FC_FILE, (const FcChar8 *)new_path);
  }
}

bool cpc_engine_add_font(cpc_engine *engine, const void *bytes, size_t count) {
  /* Fontconfig takes only files, so the bytes are placed in memory that has a path. */
  const int file = memfd_create("font", MFD_CLOEXEC);
  if (file < 0) return false;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (!write_all(file, bytes, count) || !FcConfigAppFontAddFile(engine->config, (const FcChar8 *)path)) {
    close(file);
    return false;
  }
  char own_path[128];
  describe_path(own_path, file);
  rename_fonts(engine->config, path, own_path);
  engine->files = g_renew(int, engine->files, engine->file_count + 1);
  engine->files[engine->file_count++] = file;
  pango_fc_font_map_config_changed(PANGO_FC_FONT_MAP(engine->map));
  g_free(engine->families);
  engine->families = NULL;
  return true;
}

/* The family of the font that matches a name; must be freed. */
static char *matched_family(FcConfig *config, const char *family) {
  FcPattern *wanted = FcPatternCreate();
  FcPatternAddString(wanted, FC_FAMILY, (const FcChar8 *)family);
  FcConfigSubstitute(config, wanted, FcMatchPattern);
  FcDefaultSubstitute(wanted);
  FcResult result = FcResultNoMatch;
  FcPattern *found = FcFontMatch(config, wanted, &result);
  FcChar8 *name = NULL;
  if (found != NULL) FcPatternGetString(found, FC_FAMILY, 0, &name);
  char *copy = name != NULL ? g_strdup((const char *)name) : NULL;
  if (found != NULL) FcPatternDestroy(found);
  FcPatternDestroy(wanted);
  return copy;
}

const char *cpc_engine_substitute(cpc_engine *engine, const char *family) {
  g_free(engine->substitute);
  engine->substitute = matched_family(engine->config, family);
  /* A match for an arbitrary unknown name is not a substitute. */
  char *usual = matched_family(engine->config, "no such family");
  if (g_strcmp0(engine->substitute, usual) == 0) g_clear_pointer(&engine->substitute, g_free);
  g_free(usual);
  return engine->substitute;
}

const char *cpc_engine_match(cpc_engine *engine, const char *family) {
  g_free(engine->substitute);
  engine->substitute = matched_family(engine->config, family);
  return engine->substitute;
}

static void list_families(cpc_engine *engine) {
  if (engine->families == NULL) pango_font_map_list_families(engine->map, &engine->families, &engine->family_count);
}

size_t cpc_engine_family_count(cpc_engine *engine) {
  list_families(engine);
  return (size_t)engine->family_count;
}

const char *cpc_engine_family(cpc_engine *engine, size_t index) {
  list_families(engine);
  return pango_font_family_get_name(engine->families[index]);
}
