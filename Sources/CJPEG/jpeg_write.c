#include "jpeg_write.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

enum { write_message_size = 256, marker_icc = JPEG_APP0 + 2, icc_header = 14, icc_part = 65519 - icc_header };

typedef struct writer {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf escape;
  struct jpeg_destination_mgr destination;
  /// What is written, with room behind it. libjpeg's own destination forgets on a failure which memory it has freed.
  uint8_t *bytes;
  size_t count, capacity;
  uint8_t *row;
  char *message;
} writer;

static void on_write_error(j_common_ptr common) {
  writer *output = common->client_data;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  snprintf(output->message, write_message_size, "%s", text);
  longjmp(output->escape, 1);
}

static void begin_bytes(j_compress_ptr jpeg) {
  writer *output = jpeg->client_data;
  output->destination.next_output_byte = output->bytes;
  output->destination.free_in_buffer = output->capacity;
}

/// The room is full: twice as much.
static boolean grow_bytes(j_compress_ptr jpeg) {
  writer *output = jpeg->client_data;
  uint8_t *bytes = output->capacity > SIZE_MAX / 2 ? NULL : realloc(output->bytes, output->capacity * 2);
  if (!bytes) ERREXIT1(jpeg, JERR_OUT_OF_MEMORY, 10);
  output->bytes = bytes;
  output->destination.next_output_byte = bytes + output->capacity;
  output->destination.free_in_buffer = output->capacity;
  output->capacity *= 2;
  return TRUE;
}

static void end_bytes(j_compress_ptr jpeg) {
  writer *output = jpeg->client_data;
  output->count = output->capacity - output->destination.free_in_buffer;
}

static void on_write_output(j_common_ptr common) { (void)common; }

/// The profile in parts of a marker each, ICC.1 annex B.4.
static void write_profile(writer *output, const uint8_t *profile, size_t size) {
  uint8_t part[icc_header + icc_part];
  size_t part_count = (size + icc_part - 1) / icc_part;
  for (size_t i = 0; i < part_count && part_count < 256; i++) {
    size_t length = size - i * icc_part < icc_part ? size - i * icc_part : icc_part;
    memcpy(part, "ICC_PROFILE", 12);
    part[12] = (uint8_t)(i + 1);
    part[13] = (uint8_t)part_count;
    memcpy(part + icc_header, profile + i * icc_part, length);
    jpeg_write_marker(&output->jpeg, marker_icc, part, (unsigned)(icc_header + length));
  }
}

static void set_up(writer *output, const cjpeg_picture *picture) {
  struct jpeg_compress_struct *jpeg = &output->jpeg;
  jpeg_create_compress(jpeg);
  output->destination.init_destination = begin_bytes;
  output->destination.empty_output_buffer = grow_bytes;
  output->destination.term_destination = end_bytes;
  jpeg->dest = &output->destination;
  jpeg->image_width = picture->width;
  jpeg->image_height = picture->height;
#ifdef JCS_EXTENSIONS
  jpeg->input_components = 4;
  jpeg->in_color_space = picture->is_bgra ? JCS_EXT_BGRX : JCS_EXT_RGBX;
#else
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
#endif
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, picture->quality, TRUE);
  jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = picture->is_420 ? 2 : 1;
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->optimize_coding = TRUE;
  jpeg->density_unit = 0;
  jpeg->X_density = picture->x_density;
  jpeg->Y_density = picture->y_density;
}

#ifdef JCS_EXTENSIONS
static void write_rows(writer *output, const cjpeg_picture *picture) {
  for (uint32_t y = 0; y < picture->height; y++) {
    // libjpeg only reads: its type does not say so.
    JSAMPROW row = (JSAMPROW)(uintptr_t)(picture->base + (ptrdiff_t)y * picture->stride);
    jpeg_write_scanlines(&output->jpeg, &row, 1);
  }
}
#else
// A libjpeg that takes three components only.
static void write_rows(writer *output, const cjpeg_picture *picture) {
  int red = picture->is_bgra ? 2 : 0;
  for (uint32_t y = 0; y < picture->height; y++) {
    const uint8_t *source = picture->base + (ptrdiff_t)y * picture->stride;
    for (uint32_t x = 0; x < picture->width; x++) {
      output->row[3 * x] = source[4 * x + red];
      output->row[3 * x + 1] = source[4 * x + 1];
      output->row[3 * x + 2] = source[4 * x + 2 - red];
    }
    JSAMPROW row = output->row;
    jpeg_write_scanlines(&output->jpeg, &row, 1);
  }
}
#endif

static cjpeg_status encode(writer *output, const cjpeg_picture *picture) {
  if (setjmp(output->escape)) return CJPEG_UNUSUAL;
  set_up(output, picture);
  jpeg_start_compress(&output->jpeg, TRUE);
  if (picture->profile) write_profile(output, picture->profile, picture->profile_size);
  write_rows(output, picture);
  jpeg_finish_compress(&output->jpeg);
  return CJPEG_OK;
}

cjpeg_status cjpeg_write(const cjpeg_picture *picture, uint8_t **bytes, size_t *count, char *message) {
  *bytes = NULL;
  *count = 0;
  message[0] = 0;
  writer *output = calloc(1, sizeof *output);
  if (output) {
    output->row = malloc((size_t)picture->width * 3);
    output->capacity = 1 << 16;
    output->bytes = malloc(output->capacity);
  }
  if (!output || !output->row || !output->bytes) {
    if (output) {
      free(output->row);
      free(output->bytes);
    }
    free(output);
    return CJPEG_NO_MEMORY;
  }
  output->message = message;
  output->jpeg.err = jpeg_std_error(&output->errors);
  output->jpeg.client_data = output;
  output->errors.error_exit = on_write_error;
  output->errors.output_message = on_write_output;
  cjpeg_status status = encode(output, picture);
  jpeg_destroy_compress(&output->jpeg);
  if (status == CJPEG_OK) {
    *bytes = output->bytes;
    *count = output->count;
  } else {
    free(output->bytes);
  }
  free(output->row);
  free(output);
  return status;
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }
