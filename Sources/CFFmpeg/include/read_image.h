// Decodes one image file in memory.
#pragma once
#include "read_video.h"

/// Options for decoding an image file.
typedef struct cff_image_options {
  /// libavcodec's name of the codec: `webp`, `tiff`, `targa`, `av1` …
  const char *codec;
  /// Maximum number of pixels; larger images are rejected.
  int64_t maximum_pixels;
  /// 8 or 16 bits per component to convert any image to R, G, B and A; 0 for components as they are coded.
  int32_t rgba_depth;
  /// The container's matrix and range (H.273), which take precedence over the image's own tags if Y′CbCr is converted to R, G, B.
  cff_color container_color;
} cff_image_options;

/// Decodes the first image of a file. Release `picture` with cff_picture_release.
cff_status cff_image_decode(
    const uint8_t *bytes, size_t size, const cff_image_options *options, cff_picture *picture, cff_failure *failure);

/// The ICC profile that a decoder found in an image's file, owned by the image's reference; NULL if there is none.
const uint8_t *cff_picture_profile(const cff_picture *picture, size_t *size);

/// Whether the libavformat in use has a demuxer of this name.
bool cff_demuxer_exists(const char *name);

/// Whether a stream has exactly one packet. Returns to the start.
cff_status cff_demuxer_has_one_packet(cff_demuxer *demuxer, int stream_index, bool *has_one, cff_failure *failure);
