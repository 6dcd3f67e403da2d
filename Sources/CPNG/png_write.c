#include "png_write.h"

#include <errno.h>
#include <fcntl.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { buffer_size = 1 << 16, message_size = 128 };

/// A file being written, and the reason for a failure.
typedef struct sink {
  int descriptor;
  int error;
  int64_t byte_count;
  size_t used;
  char *message;
  uint8_t buffer[buffer_size];
} sink;

static bool flush(sink *output) {
  size_t written = 0;
  while (written < output->used) {
    ssize_t step = write(output->descriptor, output->buffer + written, output->used - written);
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) {
      output->error = step < 0 ? errno : EIO;
      return false;
    }
    written += (size_t)step;
  }
  output->byte_count += (int64_t)written;
  output->used = 0;
  return true;
}

static void take_bytes(png_structp png, png_bytep bytes, size_t count) {
  sink *output = png_get_io_ptr(png);
  while (count > 0) {
    if (output->used == buffer_size && !flush(output)) png_error(png, "the file cannot be written");
    size_t step = buffer_size - output->used < count ? buffer_size - output->used : count;
    memcpy(output->buffer + output->used, bytes, step);
    output->used += step;
    bytes += step;
    count -= step;
  }
}

static void keep_buffered(png_structp png) { (void)png; }

static void fail(png_structp png, png_const_charp message) {
  sink *output = png_get_error_ptr(png);
  snprintf(output->message, message_size, "%s", message);
  png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

/// Coding-independent code points, PNG third edition 11.3.2.6: RGB (matrix 0), full range.
static void write_code_points(png_structp png, const cpng_picture *picture) {
  const png_byte data[4] = {picture->primaries, picture->transfer, 0, 1};
  png_write_chunk(png, (png_const_bytep)"cICP", data, sizeof data);
}

/// Mastering display and light levels, 11.3.2.7 and 11.3.2.8.
static void write_mastering(png_structp png, const cpng_picture *picture) {
  png_byte data[24];
  if (picture->has_display) {
    for (int i = 0; i < 8; i++) png_save_uint_16(data + 2 * i, picture->display[i]);
    png_save_uint_32(data + 16, picture->maximum_luminance);
    png_save_uint_32(data + 20, picture->minimum_luminance);
    png_write_chunk(png, (png_const_bytep)"mDCV", data, 24);
  }
  if (picture->has_light) {
    png_save_uint_32(data, picture->maximum_content * 10000);
    png_save_uint_32(data + 4, picture->maximum_average * 10000);
    png_write_chunk(png, (png_const_bytep)"cLLI", data, 8);
  }
}

static void write_header(png_structp png, png_infop info, const cpng_picture *picture) {
  png_set_IHDR(
      png, info, picture->width, picture->height, picture->bit_depth,
      picture->has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
      PNG_FILTER_TYPE_DEFAULT);
  if (picture->is_srgb) png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (picture->aspect_numerator != picture->aspect_denominator) {
    png_set_pHYs(png, info, picture->aspect_denominator, picture->aspect_numerator, PNG_RESOLUTION_UNKNOWN);
  }
  if (!picture->is_srgb) {
    const int32_t *c = picture->chromaticities;
    if (c[1] > 0) png_set_cHRM_fixed(png, info, c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
    if (picture->gamma > 0) png_set_gAMA_fixed(png, info, picture->gamma);
  }
  png_write_info_before_PLTE(png, info);
  if (!picture->is_srgb) write_code_points(png, picture);
  write_mastering(png, picture);
  png_write_info(png, info);
  if (!picture->has_alpha) png_set_filler(png, 0, PNG_FILLER_AFTER);
  if (picture->is_bgra) png_set_bgr(png);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (picture->bit_depth == 16) png_set_swap(png);
#endif
}

static bool encode(sink *output, const cpng_picture *picture, int level) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, output, fail, ignore_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    output->error = ENOMEM;
    return false;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    return false;
  }
  png_set_write_fn(png, output, take_bytes, keep_buffered);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_compression_level(png, level);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);
  write_header(png, info, picture);
  for (uint32_t y = 0; y < picture->height; y++) {
    png_write_row(png, picture->base + (ptrdiff_t)y * picture->stride);
  }
  png_write_end(png, info);
  png_destroy_write_struct(&png, &info);
  return true;
}

int cpng_write_file(const char *path, const cpng_picture *picture, int level, int64_t *byte_count, char *message) {
  sink output = {.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), .message = message};
  message[0] = 0;
  *byte_count = 0;
  if (output.descriptor < 0) return errno;
  bool is_encoded = encode(&output, picture, level) && flush(&output);
  // A device that cannot be synchronized has nothing to make durable.
  if (is_encoded && fsync(output.descriptor) < 0 && errno != EINVAL && errno != EROFS) output.error = errno;
  if (close(output.descriptor) < 0 && !output.error) output.error = errno;
  *byte_count = output.byte_count;
  if (output.error) return output.error;
  return is_encoded ? 0 : -1;
}

void cpng_remove_regular_file(const char *path) {
  struct stat information;
  if (lstat(path, &information) == 0 && S_ISREG(information.st_mode)) unlink(path);
}
