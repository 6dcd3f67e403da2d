// Definitions that the reading parts share.
#pragma once
#include "Common/common_internal.h"
#include "read_probe.h"
#include <libavutil/frame.h>

/// Converts libav's tags to ours.
cff_color cff_color_from_tags(const cff_tags *tags);

/// Adds mastering and light levels from a stream's or frame's side data to `hdr`; absent values are left unchanged.
void cff_hdr_from_stream(cff_hdr *hdr, const AVStream *stream);
void cff_hdr_from_frame(cff_hdr *hdr, const AVFrame *frame);

/// Stores a stream's Dolby Vision configuration in `result`, which is left unchanged if there is none.
void cff_dolby_vision_from_stream(cff_dolby_vision *result, const AVStream *stream);
/// Whether a frame has metadata that changes from frame to frame.
bool cff_frame_has_dolby_vision(const AVFrame *frame);
bool cff_frame_has_hdr10_plus(const AVFrame *frame);

/// The order of fields that a container states: 0 progressive or unspecified, 1 top field first, 2 bottom field first.
int cff_stated_field_order(const AVStream *stream);
/// Whether the bitstream of a codec doesn't tell whether a frame is interlaced, or not as its decoder understands it, so that the container alone does.
bool cff_codec_lacks_fields(enum AVCodecID codec);

/// A packet's time for ordering: its presentation time, or its decoding time if it has no other.
static inline int64_t cff_packet_time(const AVPacket *packet) {
  return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

/// Whether a packet is a frame that is shown. What isn't known is.
bool cff_is_shown(enum AVCodecID codec, const AVPacket *packet);
