#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "write_encoder.h"

/// Time and duration of a picture on its way through an encoder, which does not keep the duration in older versions.
typedef struct cff_pending_time {
  int64_t time, duration;
} cff_pending_time;

struct cff_encoder {
  AVCodecContext *context;
  AVFrame *frame;
  AVPacket *packet;
  cff_pending_time *pending;
  int pending_count, pending_capacity;
  /// Whether the container derives a track's length from decode times alone (MP4, MOV).
  int length_from_decode_times;
  /// The packet before `packet`, held back because the last one of all is treated differently; see `close_track`.
  AVPacket *held;
  int64_t first_time, first_decode_time, end_time;
};

/// Whether the container wants codec headers beside the packets.
int cff_muxer_wants_global_header(const cff_muxer *muxer);

/// Parses `key=value` lines.
int cff_parse_options(const char *lines, AVDictionary **options);
