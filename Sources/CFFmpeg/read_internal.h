// What the reading parts share.
#pragma once
#include "common_internal.h"
#include "read_probe.h"
#include <libavutil/frame.h>

/// A libav set of tags as ours.
cff_color cff_color_from_tags(const cff_tags *tags);

/// Mastering and light levels of a stream's or frame's side data into `hdr`; what is absent is left alone.
void cff_hdr_from_stream(cff_hdr *hdr, const AVStream *stream);
void cff_hdr_from_frame(cff_hdr *hdr, const AVFrame *frame);

/// A stream's Dolby Vision configuration into `result`; left alone where there is none.
void cff_dolby_vision_from_stream(cff_dolby_vision *result, const AVStream *stream);
/// Whether a picture came with metadata that changes from picture to picture.
bool cff_frame_has_dolby_vision(const AVFrame *frame);
bool cff_frame_has_hdr10_plus(const AVFrame *frame);

/// Packet time for ordering: presentation time, or decoding time where that is all there is.
static inline int64_t cff_packet_time(const AVPacket *packet) {
  return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts;
}
