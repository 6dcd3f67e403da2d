// Decoding one image file that lies in memory.
#pragma once
#include "read_video.h"

/// How an image file is decoded.
typedef struct cff_image_options {
  /// libavcodec's name of the codec: `webp`, `tiff`, `targa`, `av1` …
  const char *codec;
  /// Larger pictures are refused.
  int64_t maximum_pixels;
  /// Whether Y′CbCr becomes 8-bit R, G, B, A.
  bool as_rgba;
} cff_image_options;

/// Decodes the first picture of an image file. `picture` is to be released with cff_picture_release.
cff_status cff_image_decode(
    const uint8_t *bytes, size_t size, const cff_image_options *options, cff_picture *picture, cff_failure *failure);

/// Whether the libavformat in use has a demuxer of this name.
bool cff_demuxer_exists(const char *name);

/// Whether a stream has one packet and no more. Goes back to the start.
cff_status cff_demuxer_has_one_packet(cff_demuxer *demuxer, int stream_index, bool *has_one, cff_failure *failure);
