// Decoding one image file that lies in memory.
#pragma once
#include "read_video.h"

/// How an image file is decoded.
typedef struct cff_image_options {
  /// libavcodec's name of the codec: `webp`, `tiff`, `targa`, `av1` …
  const char *codec;
  /// Larger pictures are refused.
  int64_t maximum_pixels;
  /// Bits of each of R, G, B and A, 8 or 16, that any picture becomes; 0 for components as they are coded.
  int32_t rgba_depth;
  /// What a container says of the coded Y′CbCr, over the picture's own tags, where it becomes R, G, B: H.273 matrix and range.
  cff_color container_color;
} cff_image_options;

/// Decodes the first picture of an image file. `picture` is to be released with cff_picture_release.
cff_status cff_image_decode(
    const uint8_t *bytes, size_t size, const cff_image_options *options, cff_picture *picture, cff_failure *failure);

/// The ICC profile that a decoder found in a picture's file, kept by the picture's reference; NULL if there is none.
const uint8_t *cff_picture_profile(const cff_picture *picture, size_t *size);

/// Whether the libavformat in use has a demuxer of this name.
bool cff_demuxer_exists(const char *name);

/// Whether a stream has one packet and no more. Goes back to the start.
cff_status cff_demuxer_has_one_packet(cff_demuxer *demuxer, int stream_index, bool *has_one, cff_failure *failure);
