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
  /// The output, with spare capacity. libjpeg's own memory destination isn't used, because it doesn't report after a failure which memory it has
  /// freed.
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

/// Doubles the capacity.
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

/// Writes the profile in parts, each in a marker of its own (ICC.1, annex B.4).
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

static void create(writer *output) {
  jpeg_create_compress(&output->jpeg);
  output->destination.init_destination = begin_bytes;
  output->destination.empty_output_buffer = grow_bytes;
  output->destination.term_destination = end_bytes;
  output->jpeg.dest = &output->destination;
}

static void set_up(writer *output, const cjpeg_picture *picture) {
  struct jpeg_compress_struct *jpeg = &output->jpeg;
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
    // libjpeg only reads the row, although the parameter's type isn't const.
    JSAMPROW row = (JSAMPROW)(uintptr_t)(picture->base + (ptrdiff_t)y * picture->stride);
    jpeg_write_scanlines(&output->jpeg, &row, 1);
  }
}
#else
// For a libjpeg that accepts only three components per pixel.
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

static uint8_t clamped(int32_t value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value); }

/// Reads one row of chroma, relative to 128. Chroma that is sited on the left luma column is shifted to the middle between the two columns. The row
/// is padded with its last sample.
static void read_chroma(int16_t *row, const uint8_t *source, uint32_t count, uint32_t padded, bool is_left) {
  for (uint32_t x = 0; x < count; x++) row[x] = (int16_t)(source[x] - 128);
  for (uint32_t x = count; x < padded; x++) row[x] = row[count - 1];
  if (!is_left) return;
  for (uint32_t x = 0; x + 1 < count; x++) row[x] = (int16_t)((3 * row[x] + row[x + 1] + 2) >> 2);
}

/// Two rows of luma and the row of chroma that they share.
typedef struct stripe {
  uint8_t *luma[2], *cb, *cr;
  const int16_t *from_cb, *from_cr;
} stripe;

static void convert_chroma(const stripe *rows, int32_t *restrict terms, const cjpeg_matrix *matrix, uint32_t count) {
  const cjpeg_matrix m = *matrix;
  const int32_t middle = (128 << 16) + (1 << 15);
  const int16_t *restrict from_cb = rows->from_cb, *restrict from_cr = rows->from_cr;
  uint8_t *restrict to_cb = rows->cb, *restrict to_cr = rows->cr;
  for (uint32_t x = 0; x < count; x++) {
    int32_t cb = from_cb[x], cr = from_cr[x];
    to_cb[x] = clamped((m.cb_cb * cb + m.cb_cr * cr + middle) >> 16);
    to_cr[x] = clamped((m.cr_cb * cb + m.cr_cr * cr + middle) >> 16);
    terms[x] = m.luma_cb * cb + m.luma_cr * cr + m.offset + (1 << 15);
  }
}

static void convert_luma(
    uint8_t *restrict to, const uint8_t *restrict from, const int32_t *restrict terms, int32_t luma, uint32_t width, uint32_t padded) {
  for (uint32_t x = 0; x < width / 2; x++) {
    to[2 * x] = clamped((luma * from[2 * x] + terms[x]) >> 16);
    to[2 * x + 1] = clamped((luma * from[2 * x + 1] + terms[x]) >> 16);
  }
  if (width % 2) to[width - 1] = clamped((luma * from[width - 1] + terms[width / 2]) >> 16);
  memset(to + width, to[width - 1], padded - width);
}

static uint32_t padded_width(uint32_t width) { return (width + 15) / 16 * 16; }

/// Writes sixteen rows at a time, as libjpeg requires for raw data.
static void write_planes(writer *output, const cjpeg_planes *picture) {
  uint32_t width = picture->width, height = picture->height;
  uint32_t padded = padded_width(width), half = padded / 2, columns = (width + 1) / 2, last = (height + 1) / 2 - 1;
  uint8_t *luma = output->row, *cb = luma + (size_t)16 * padded, *cr = cb + (size_t)8 * half;
  int32_t *terms = (int32_t *)(void *)(cr + (size_t)8 * half);
  int16_t *from_cb = (int16_t *)(void *)(terms + half), *from_cr = from_cb + half;
  JSAMPROW rows[3][16];
  for (uint32_t y = 0; y < 16; y++) rows[0][y] = luma + (size_t)y * padded;
  for (uint32_t y = 0; y < 8; y++) {
    rows[1][y] = cb + (size_t)y * half;
    rows[2][y] = cr + (size_t)y * half;
  }
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  for (uint32_t top = 0; top < height; top += 16) {
    for (uint32_t y = 0; y < 8; y++) {
      ptrdiff_t place = top / 2 + y < last ? top / 2 + y : last;
      read_chroma(from_cb, picture->base[1] + place * picture->stride[1], columns, half, picture->matrix.is_left);
      read_chroma(from_cr, picture->base[2] + place * picture->stride[2], columns, half, picture->matrix.is_left);
      stripe stripe = {{rows[0][2 * y], rows[0][2 * y + 1]}, rows[1][y], rows[2][y], from_cb, from_cr};
      convert_chroma(&stripe, terms, &picture->matrix, half);
      for (uint32_t k = 0; k < 2; k++) {
        uint32_t row = top + 2 * y + k < height ? top + 2 * y + k : height - 1;
        const uint8_t *from = picture->base[0] + (ptrdiff_t)row * picture->stride[0];
        convert_luma(stripe.luma[k], from, terms, picture->matrix.luma, width, padded);
      }
    }
    jpeg_write_raw_data(&output->jpeg, arrays, 16);
  }
}

static void set_up_planes(writer *output, const cjpeg_planes *picture) {
  struct jpeg_compress_struct *jpeg = &output->jpeg;
  jpeg->image_width = picture->width;
  jpeg->image_height = picture->height;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_YCbCr;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, picture->quality, TRUE);
  jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 2;
  jpeg->raw_data_in = TRUE;
  jpeg->dct_method = JDCT_ISLOW;
}

/// Encodes either `picture` or `planes`; the other one is NULL.
static cjpeg_status encode(writer *output, const cjpeg_picture *picture, const cjpeg_planes *planes) {
  if (setjmp(output->escape)) return CJPEG_UNUSUAL;
  create(output);
  if (planes) {
    set_up_planes(output, planes);
  } else {
    set_up(output, picture);
  }
  jpeg_start_compress(&output->jpeg, TRUE);
  if (planes) {
    write_planes(output, planes);
  } else {
    if (picture->profile) write_profile(output, picture->profile, picture->profile_size);
    write_rows(output, picture);
  }
  jpeg_finish_compress(&output->jpeg);
  return CJPEG_OK;
}

static cjpeg_status write_jpeg(
    const cjpeg_picture *picture, const cjpeg_planes *planes, size_t row_size, uint8_t **bytes, size_t *count, char *message) {
  *bytes = NULL;
  *count = 0;
  message[0] = 0;
  writer *output = calloc(1, sizeof *output);
  if (output) {
    output->row = malloc(row_size);
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
  cjpeg_status status = encode(output, picture, planes);
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

cjpeg_status cjpeg_write(const cjpeg_picture *picture, uint8_t **bytes, size_t *count, char *message) {
  return write_jpeg(picture, NULL, (size_t)picture->width * 3, bytes, count, message);
}

cjpeg_status cjpeg_write_planes(const cjpeg_planes *picture, uint8_t **bytes, size_t *count, char *message) {
  // 16 rows of luma, 8 rows of each chroma component, one row of 32-bit chroma terms, and two rows of 16-bit chroma.
  return write_jpeg(NULL, picture, (size_t)padded_width(picture->width) * (16 + 8 + 2 + 2), bytes, count, message);
}

void cjpeg_free(uint8_t *bytes) { free(bytes); }
