#include "jpeg_read.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

enum { message_size = 256, group_rows = 2 * DCTSIZE, spare_bytes = 1 << 17 };

struct cjpeg_reader {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf escape;
  cjpeg_layout layout;
  bool is_created, is_gray, is_cut_short;
  /// Memory for rows below the image, and for rows whose samples are rearranged.
  uint8_t *spare;
  char message[message_size];
};

static void on_error(j_common_ptr common) {
  cjpeg_reader *reader = common->client_data;
  common->err->format_message(common, reader->message);
  longjmp(reader->escape, 1);
}

/// After a warning, libjpeg continues with gray or repeated blocks, which would hide the loss in a truncated file.
static void on_message(j_common_ptr common, int level) {
  cjpeg_reader *reader = common->client_data;
  if (level >= 0) return;
  common->err->num_warnings++;
  if (common->err->msg_code != JWRN_JPEG_EOF) return;
  reader->is_cut_short = true;
  common->err->format_message(common, reader->message);
}

static void on_output(j_common_ptr common) { (void)common; }

// MARK: header

/// Whether luma has this many times the columns and rows of both chroma components. Files can express the same ratio with different factors.
static bool has_sampling(const struct jpeg_decompress_struct *jpeg, int horizontal, int vertical) {
  const jpeg_component_info *c = jpeg->comp_info;
  bool is_equal_chroma = c[1].h_samp_factor == c[2].h_samp_factor && c[1].v_samp_factor == c[2].v_samp_factor;
  return is_equal_chroma && c[0].h_samp_factor == horizontal * c[1].h_samp_factor &&
         c[0].v_samp_factor == vertical * c[1].v_samp_factor && jpeg->max_v_samp_factor * DCTSIZE <= group_rows;
}

static cjpeg_status choose_rgba(cjpeg_reader *reader) {
  reader->layout = CJPEG_RGBA;
  reader->jpeg.out_color_space = JCS_RGB;
  return CJPEG_OK;
}

static cjpeg_status choose_layout(cjpeg_reader *reader, bool as_rgba) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  jpeg->dct_method = JDCT_ISLOW;
  if (as_rgba && (jpeg->jpeg_color_space == JCS_GRAYSCALE || jpeg->jpeg_color_space == JCS_YCbCr)) {
    return choose_rgba(reader);
  }
  switch (jpeg->jpeg_color_space) {
  case JCS_GRAYSCALE:
    reader->is_gray = true;
    reader->layout = CJPEG_420;
    jpeg->out_color_space = JCS_GRAYSCALE;
    return CJPEG_OK;
  case JCS_YCbCr:
    jpeg->out_color_space = JCS_YCbCr;
    if (has_sampling(jpeg, 2, 2)) reader->layout = CJPEG_420;
    else if (has_sampling(jpeg, 2, 1)) reader->layout = CJPEG_422;
    else reader->layout = CJPEG_444;
    jpeg->raw_data_out = reader->layout != CJPEG_444 || has_sampling(jpeg, 1, 1);
    return CJPEG_OK;
  case JCS_RGB: return choose_rgba(reader);
  case JCS_CMYK:
  case JCS_YCCK:
    reader->layout = CJPEG_CMYK;
    jpeg->out_color_space = JCS_CMYK;
    return CJPEG_OK;
  default:
    snprintf(reader->message, sizeof reader->message, "%d components, not Y, Cb, Cr", jpeg->num_components);
    return CJPEG_UNUSUAL;
  }
}

static cjpeg_status read_header(
    cjpeg_reader *reader, const uint8_t *bytes, size_t count, int64_t maximum_pixels, bool as_rgba, cjpeg_info *info) {
  if (setjmp(reader->escape)) return CJPEG_DAMAGED;
  jpeg_create_decompress(&reader->jpeg);
  reader->is_created = true;
  jpeg_mem_src(&reader->jpeg, bytes, (unsigned long)count);
  jpeg_read_header(&reader->jpeg, TRUE);
  info->width = reader->jpeg.image_width;
  info->height = reader->jpeg.image_height;
  if ((int64_t)info->width * info->height > maximum_pixels) {
    snprintf(reader->message, sizeof reader->message, "%u x %u pixels", info->width, info->height);
    return CJPEG_TOO_LARGE;
  }
  if (reader->jpeg.data_precision != 8) {
    snprintf(reader->message, sizeof reader->message, "%d bits per sample", reader->jpeg.data_precision);
    return CJPEG_UNUSUAL;
  }
  cjpeg_status status = choose_layout(reader, as_rgba);
  info->layout = reader->layout;
  info->is_gray = reader->jpeg.jpeg_color_space == JCS_GRAYSCALE;
  info->is_inverted = reader->jpeg.saw_Adobe_marker;
  return status;
}

cjpeg_status cjpeg_open(
    const uint8_t *bytes, size_t count, int64_t maximum_pixels, bool as_rgba, cjpeg_reader **result, cjpeg_info *info,
    char *message) {
  *result = NULL;
  *info = (cjpeg_info){0};
  message[0] = 0;
  cjpeg_reader *reader = calloc(1, sizeof *reader);
  if (!reader) return CJPEG_NO_MEMORY;
  reader->spare = malloc(spare_bytes * 3);
  reader->jpeg.err = jpeg_std_error(&reader->errors);
  reader->jpeg.client_data = reader;
  reader->errors.error_exit = on_error;
  reader->errors.emit_message = on_message;
  reader->errors.output_message = on_output;
  cjpeg_status status =
      reader->spare ? read_header(reader, bytes, count, maximum_pixels, as_rgba, info) : CJPEG_NO_MEMORY;
  if (status != CJPEG_OK) {
    memcpy(message, reader->message, message_size);
    cjpeg_close(reader);
    return status;
  }
  *result = reader;
  return CJPEG_OK;
}

// MARK: image

/// Reads components as coded, in complete groups of blocks. Rows below the image are written to the spare row.
static void read_planes(cjpeg_reader *reader, uint8_t *const planes[3], const ptrdiff_t strides[3]) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  JSAMPROW rows[3][group_rows];
  JSAMPARRAY groups[3] = {rows[0], rows[1], rows[2]};
  int group = jpeg->max_v_samp_factor * DCTSIZE;
  while (jpeg->output_scanline < jpeg->output_height) {
    for (int c = 0; c < 3; c++) {
      int shift = c > 0 && reader->layout == CJPEG_420;
      uint32_t height = (jpeg->output_height + (uint32_t)shift) >> shift;
      uint32_t first = jpeg->output_scanline >> shift;
      for (int i = 0; i < group >> shift; i++) {
        uint32_t y = first + (uint32_t)i;
        rows[c][i] = y < height ? planes[c] + (ptrdiff_t)y * strides[c] : reader->spare;
      }
    }
    jpeg_read_raw_data(jpeg, groups, (JDIMENSION)group);
  }
}

/// Stores one row of interleaved samples: R, G, B in one plane with alpha added, or Y, Cb, Cr in three planes.
static void spread_row(
    const cjpeg_reader *reader, const uint8_t *row, uint32_t y, uint8_t *const planes[3], const ptrdiff_t strides[3]) {
  uint32_t width = reader->jpeg.output_width;
  if (reader->layout == CJPEG_RGBA) {
    uint8_t *target = planes[0] + (ptrdiff_t)y * strides[0];
    for (uint32_t x = 0; x < width; x++) {
      memcpy(target + 4 * x, row + 3 * x, 3);
      target[4 * x + 3] = 255;
    }
    return;
  }
  for (int c = 0; c < 3; c++) {
    uint8_t *target = planes[c] + (ptrdiff_t)y * strides[c];
    for (uint32_t x = 0; x < width; x++) target[x] = row[3 * x + (uint32_t)c];
  }
}

static void read_rows(cjpeg_reader *reader, uint8_t *const planes[3], const ptrdiff_t strides[3]) {
  struct jpeg_decompress_struct *jpeg = &reader->jpeg;
  while (jpeg->output_scanline < jpeg->output_height) {
    uint32_t y = jpeg->output_scanline;
    bool is_direct = reader->is_gray || reader->layout == CJPEG_CMYK;
    JSAMPROW row = is_direct ? planes[0] + (ptrdiff_t)y * strides[0] : reader->spare;
    jpeg_read_scanlines(jpeg, &row, 1);
    if (!is_direct) spread_row(reader, row, y, planes, strides);
  }
  for (int c = 1; c < 3 && reader->is_gray; c++) {
    uint32_t width = (jpeg->output_width + 1) / 2;
    for (uint32_t y = 0; y < (jpeg->output_height + 1) / 2; y++) memset(planes[c] + (ptrdiff_t)y * strides[c], 128, width);
  }
}

cjpeg_status cjpeg_read(
    cjpeg_reader *reader, uint8_t *const planes[3], const ptrdiff_t strides[3], char *message) {
  message[0] = 0;
  if (setjmp(reader->escape)) {
    memcpy(message, reader->message, message_size);
    return reader->is_cut_short ? CJPEG_TRUNCATED : CJPEG_DAMAGED;
  }
  jpeg_start_decompress(&reader->jpeg);
  if (reader->jpeg.raw_data_out) read_planes(reader, planes, strides);
  else read_rows(reader, planes, strides);
  jpeg_finish_decompress(&reader->jpeg);
  memcpy(message, reader->message, message_size);
  return reader->is_cut_short ? CJPEG_TRUNCATED : CJPEG_OK;
}

void cjpeg_close(cjpeg_reader *reader) {
  if (!reader) return;
  if (reader->is_created) jpeg_destroy_decompress(&reader->jpeg);
  free(reader->spare);
  free(reader);
}
