#include "png_read.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { message_size = 128, largest_chunk = 64 << 20, largest_text_count = 1000 };

struct cpng_reader {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;
  size_t count, position;
  uint32_t height;
  png_bytep *rows;
  char message[message_size];
  /// The first warning about a color chunk.
  char profile_warning[message_size];
};

static void on_error(png_structp png, png_const_charp text) {
  cpng_reader *reader = png_get_error_ptr(png);
  snprintf(reader->message, sizeof reader->message, "%s", text);
  png_longjmp(png, 1);
}

/// After a warning, libpng continues without the chunk that it doesn't understand.
static void on_warning(png_structp png, png_const_charp text) {
  cpng_reader *reader = png_get_error_ptr(png);
  bool is_first = reader->profile_warning[0] == 0;
  bool is_color = strncmp(text, "iCCP", 4) == 0 || strncmp(text, "cHRM", 4) == 0 || strncmp(text, "gAMA", 4) == 0;
  if (is_first && is_color) snprintf(reader->profile_warning, message_size, "%s", text);
}

static void take_bytes(png_structp png, png_bytep target, size_t length) {
  cpng_reader *reader = png_get_io_ptr(png);
  if (length > reader->count - reader->position) png_error(png, "the file ends early");
  memcpy(target, reader->bytes + reader->position, length);
  reader->position += length;
}

// MARK: color

static void take_code_points(const uint8_t *data, cpng_info *info) {
  info->has_code_points = true;
  info->primaries = data[0];
  info->transfer = data[1];
  info->matrix = data[2];
  info->is_full_range = data[3] != 0;
}

static void take_display(const uint8_t *data, cpng_info *info) {
  info->has_display = true;
  for (int i = 0; i < 8; i++) info->display[i] = png_get_uint_16(data + 2 * i) / 50000.0;
  for (int i = 0; i < 2; i++) info->display[8 + i] = png_get_uint_32(data + 16 + 4 * i) / 10000.0;
}

static void take_light(const uint8_t *data, cpng_info *info) {
  info->has_light = true;
  info->maximum_content = png_get_uint_32(data) / 10000.0;
  info->maximum_average = png_get_uint_32(data + 4) / 10000.0;
}

static bool is_named(const png_unknown_chunk *chunk, const char *name, const char *draft_name, size_t size) {
  return chunk->size == size && (memcmp(chunk->name, name, 4) == 0 || memcmp(chunk->name, draft_name, 4) == 0);
}

/// Reads chunks that libpng doesn't know, under their names in the standard and in its drafts.
static void take_unknown_chunks(cpng_reader *reader, cpng_info *info) {
  png_unknown_chunkp chunks = NULL;
  int count = png_get_unknown_chunks(reader->png, reader->info, &chunks);
  for (int i = 0; i < count; i++) {
    const png_unknown_chunk *chunk = &chunks[i];
    if (is_named(chunk, "cICP", "cICP", 4)) take_code_points(chunk->data, info);
    if (is_named(chunk, "mDCV", "mDCv", 24)) take_display(chunk->data, info);
    if (is_named(chunk, "cLLI", "cLLi", 8)) take_light(chunk->data, info);
  }
}

static void take_color(cpng_reader *reader, cpng_info *info) {
  int intent;
  info->has_srgb = png_get_sRGB(reader->png, reader->info, &intent) != 0;
  png_fixed_point gamma;
  if (png_get_gAMA_fixed(reader->png, reader->info, &gamma)) {
    info->has_gamma = true;
    info->gamma = gamma;
  }
  double *c = info->chromaticities;
  info->has_chromaticities =
      png_get_cHRM(reader->png, reader->info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
  png_charp name;
  png_bytep profile;
  png_uint_32 size;
  int compression;
  if (png_get_iCCP(reader->png, reader->info, &name, &compression, &profile, &size)) {
    info->profile = profile;
    info->profile_size = size;
  } else {
    memcpy(info->profile_fault, reader->profile_warning, message_size);
  }
  take_unknown_chunks(reader, info);
}

// MARK: reading

static void ask_for_rgba(cpng_reader *reader, bool has_alpha) {
  png_structp png = reader->png;
  int bit_depth = png_get_bit_depth(png, reader->info);
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  if (!has_alpha) png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
  const uint16_t one = 1;
  if (bit_depth == 16 && *(const uint8_t *)&one == 1) png_set_swap(png);
}

static cpng_status read_header(cpng_reader *reader, int64_t maximum_pixels, cpng_info *info) {
  if (setjmp(png_jmpbuf(reader->png))) return CPNG_DAMAGED;
  static const png_byte wanted[] = "cICP\0mDCV\0cLLI\0mDCv\0cLLi";
  png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_ALWAYS, wanted, 5);
  png_set_chunk_malloc_max(reader->png, largest_chunk);
  png_set_chunk_cache_max(reader->png, largest_text_count);
  png_set_user_limits(reader->png, 1 << 20, 1 << 20);
  png_set_read_fn(reader->png, reader, take_bytes);
  png_read_info(reader->png, reader->info);
  info->width = png_get_image_width(reader->png, reader->info);
  info->height = reader->height = png_get_image_height(reader->png, reader->info);
  if ((int64_t)info->width * info->height > maximum_pixels) {
    snprintf(reader->message, sizeof reader->message, "%u x %u pixels", info->width, info->height);
    return CPNG_TOO_LARGE;
  }
  info->bit_depth = png_get_bit_depth(reader->png, reader->info) == 16 ? 16 : 8;
  info->has_alpha = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                    png_get_valid(reader->png, reader->info, PNG_INFO_tRNS) != 0;
  info->is_gray = (png_get_color_type(reader->png, reader->info) & PNG_COLOR_MASK_COLOR) == 0;
  take_color(reader, info);
  ask_for_rgba(reader, info->has_alpha);
  png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  if (png_get_channels(reader->png, reader->info) != 4) png_error(reader->png, "an unusual arrangement of samples");
  return CPNG_OK;
}

cpng_status cpng_open(
    const uint8_t *bytes, size_t count, int64_t maximum_pixels, cpng_reader **result, cpng_info *info, char *message) {
  *result = NULL;
  *info = (cpng_info){0};
  message[0] = 0;
  cpng_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return CPNG_NO_MEMORY;
  reader->bytes = bytes;
  reader->count = count;
  reader->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, on_error, on_warning);
  reader->info = reader->png ? png_create_info_struct(reader->png) : NULL;
  cpng_status status = reader->info ? read_header(reader, maximum_pixels, info) : CPNG_NO_MEMORY;
  if (status != CPNG_OK) {
    memcpy(message, reader->message, message_size);
    cpng_close(reader);
    return status;
  }
  *result = reader;
  return CPNG_OK;
}

cpng_status cpng_read(cpng_reader *reader, uint8_t *base, ptrdiff_t stride, char *message) {
  message[0] = 0;
  reader->rows = malloc(reader->height * sizeof *reader->rows);
  if (!reader->rows) return CPNG_NO_MEMORY;
  for (uint32_t y = 0; y < reader->height; y++) reader->rows[y] = base + (ptrdiff_t)y * stride;
  if (setjmp(png_jmpbuf(reader->png))) {
    memcpy(message, reader->message, message_size);
    return CPNG_DAMAGED;
  }
  png_read_image(reader->png, reader->rows);
  png_read_end(reader->png, NULL);
  return CPNG_OK;
}

void cpng_close(cpng_reader *reader) {
  if (!reader) return;
  if (reader->png) png_destroy_read_struct(&reader->png, reader->info ? &reader->info : NULL, NULL);
  free(reader->rows);
  free(reader);
}
