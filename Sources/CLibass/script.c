#define _GNU_SOURCE
#include "script.h"

#include <ass/ass.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cass_script {
  ASS_Library *library;
  ASS_Renderer *renderer;
  ASS_Track *track;
  int width, height, storage_width, storage_height;
  cass_mask *masks;
  int count, capacity;
  /// The font choices that libass has reported, without duplicates.
  char **fonts;
  size_t font_count;
};

static void note_font(cass_script *s, const char *text) {
  for (size_t i = 0; i < s->font_count; i++)
    if (strcmp(s->fonts[i], text) == 0) return;
  char **grown = realloc(s->fonts, (s->font_count + 1) * sizeof *grown);
  if (!grown) return;
  s->fonts = grown;
  s->fonts[s->font_count] = strdup(text);
  if (s->fonts[s->font_count]) s->font_count++;
}

/// Prints nothing. Font choices are recorded, because libass reports them only as messages.
static void take_message(int level, const char *format, va_list arguments, void *data) {
  (void)level;
  static const char prefix[] = "fontselect: ";
  if (strncmp(format, prefix, sizeof prefix - 1) != 0 || !strstr(format, " -> ")) return;
  char text[1024];
  vsnprintf(text, sizeof text, format, arguments);
  note_font(data, text + sizeof prefix - 1);
}

static bool prepare(cass_script *s, const char *text, size_t count) {
  s->library = ass_library_init();
  if (!s->library) return false;
  ass_set_message_cb(s->library, take_message, s);
  ass_set_extract_fonts(s->library, 1);
  s->renderer = ass_renderer_init(s->library);
  if (!s->renderer) return false;
  // libass writes zeros into the string that it reads.
  char *copy = malloc(count + 1);
  if (!copy) return false;
  for (size_t i = 0; i < count; i++) copy[i] = text[i];
  copy[count] = 0;
  s->track = ass_read_memory(s->library, copy, count, NULL);
  free(copy);
  return s->track;
}

cass_script *cass_script_create(const char *text, size_t count) {
  if (count > INT_MAX) return NULL;
  cass_script *s = calloc(1, sizeof *s);
  if (s && prepare(s, text, count)) return s;
  cass_script_destroy(s);
  return NULL;
}

void cass_script_destroy(cass_script *s) {
  if (!s) return;
  if (s->track) ass_free_track(s->track);
  if (s->renderer) ass_renderer_done(s->renderer);
  if (s->library) ass_library_done(s->library);
  for (size_t i = 0; i < s->font_count; i++) free(s->fonts[i]);
  free(s->fonts);
  free(s->masks);
  free(s);
}

void cass_script_add_font(cass_script *s, const char *name, const uint8_t *bytes, size_t count) {
  if (count <= INT_MAX) ass_add_font(s->library, name, (const char *)bytes, (int)count);
}

void cass_script_load_fonts(cass_script *s, const char *default_family) {
  ass_set_fonts(s->renderer, NULL, default_family, ASS_FONTPROVIDER_AUTODETECT, NULL, 1);
}

cass_matrix cass_script_matrix(const cass_script *s) {
  switch (s->track->YCbCrMatrix) {
  case YCBCR_DEFAULT: return CASS_MATRIX_DEFAULT;
  case YCBCR_BT601_PC:
  case YCBCR_BT601_TV: return CASS_MATRIX_BT601;
  case YCBCR_BT709_PC:
  case YCBCR_BT709_TV: return CASS_MATRIX_BT709;
  case YCBCR_SMPTE240M_PC:
  case YCBCR_SMPTE240M_TV: return CASS_MATRIX_SMPTE240M;
  case YCBCR_FCC_PC:
  case YCBCR_FCC_TV: return CASS_MATRIX_FCC;
  default: return CASS_MATRIX_NONE;
  }
}

static void resize(cass_script *s, int width, int height, int storage_width, int storage_height) {
  if (s->width != width || s->height != height) ass_set_frame_size(s->renderer, width, height);
  if (s->storage_width != storage_width || s->storage_height != storage_height)
    ass_set_storage_size(s->renderer, storage_width, storage_height);
  s->width = width;
  s->height = height;
  s->storage_width = storage_width;
  s->storage_height = storage_height;
}

static bool add_mask(cass_script *s, const ASS_Image *image) {
  if (s->count == s->capacity) {
    int capacity = s->capacity ? 2 * s->capacity : 16;
    cass_mask *masks = realloc(s->masks, (size_t)capacity * sizeof *masks);
    if (!masks) return false;
    s->masks = masks;
    s->capacity = capacity;
  }
  s->masks[s->count++] = (cass_mask){
    .x = image->dst_x, .y = image->dst_y, .width = image->w, .height = image->h,
    .coverage = image->bitmap, .stride = image->stride,
    .red = (uint8_t)(image->color >> 24), .green = (uint8_t)(image->color >> 16), .blue = (uint8_t)(image->color >> 8),
    .alpha = (uint8_t)(255 - (image->color & 255)),
  };
  return true;
}

int cass_script_render(
    cass_script *s, int width, int height, int storage_width, int storage_height, int64_t milliseconds) {
  resize(s, width, height, storage_width, storage_height);
  s->count = 0;
  const ASS_Image *image = ass_render_frame(s->renderer, s->track, milliseconds, NULL);
  for (; image; image = image->next) {
    if (image->w > 0 && image->h > 0 && (image->color & 255) < 255 && !add_mask(s, image)) return -1;
  }
  return s->count;
}

cass_mask cass_script_mask(const cass_script *s, int index) { return s->masks[index]; }

const char *cass_script_font(const cass_script *s, size_t index) { return index < s->font_count ? s->fonts[index] : NULL; }

int cass_version(void) { return ass_library_version(); }
