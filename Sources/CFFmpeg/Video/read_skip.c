#include "Video/read_video_internal.h"

// Unreferenced frames need not be decoded on the way to a later frame, which is the same without them.

enum { nal_slice = 1, nal_partition_a = 2, nal_key_slice = 5 };

/// Whether an H.264 NAL unit codes picture data, and if so whether other frames refer to it.
static bool is_slice(uint8_t header, bool *is_referenced) {
  int type = header & 0x1f;
  if (type != nal_slice && type != nal_partition_a && type != nal_key_slice) return false;
  *is_referenced = (header >> 5 & 3) != 0;
  return true;
}

/// NAL units preceded by their length, as in MP4 and Matroska.
static bool is_unreferenced_by_length(const uint8_t *bytes, int64_t count, int length_size) {
  int64_t at = 0;
  bool is_referenced = true;
  while (at + length_size < count) {
    int64_t length = 0;
    for (int i = 0; i < length_size; i++) length = length << 8 | bytes[at + i];
    at += length_size;
    if (length < 1 || length > count - at) return false;
    if (is_slice(bytes[at], &is_referenced)) return !is_referenced;
    at += length;
  }
  return false;
}

/// NAL units after start codes, as in transport streams.
static bool is_unreferenced_by_start_code(const uint8_t *bytes, int64_t count) {
  bool is_referenced = true;
  for (int64_t at = 0; at + 3 < count; at++) {
    if (bytes[at] || bytes[at + 1] || bytes[at + 2] != 1) continue;
    if (is_slice(bytes[at + 3], &is_referenced)) return !is_referenced;
    at += 2;
  }
  return false;
}

static bool is_unreferenced(const AVCodecParameters *parameters, const AVPacket *packet) {
  const uint8_t *extra = parameters->extradata;
  if (parameters->extradata_size >= 7 && extra[0] == 1) {
    return is_unreferenced_by_length(packet->data, packet->size, (extra[4] & 3) + 1);
  }
  return is_unreferenced_by_start_code(packet->data, packet->size);
}

bool cff_passes_over(cff_video *v) {
  const AVPacket *packet = v->packet;
  if (v->skip_before == AV_NOPTS_VALUE || packet->pts == AV_NOPTS_VALUE || packet->pts >= v->skip_before) return false;
  if ((packet->flags & (AV_PKT_FLAG_KEY | AV_PKT_FLAG_DISCARD)) || v->ledger.has_fields) return false;
  if (!is_unreferenced(v->demuxer->format->streams[v->stream_index]->codecpar, packet)) return false;
  if (v->skipped_last == AV_NOPTS_VALUE || packet->pts > v->skipped_last) v->skipped_last = packet->pts;
  return true;
}

bool cff_video_skip_before(cff_video *v, int64_t time) {
  v->skip_before = v->skipped_last = AV_NOPTS_VALUE;
  if (time == CFF_NO_TIME) return true;
  if (!v->demuxer->format || v->deinterlacing || v->demuxer->has_restarts) return false;
  const AVCodecParameters *parameters = v->demuxer->format->streams[v->stream_index]->codecpar;
  if (parameters->codec_id != AV_CODEC_ID_H264 || parameters->field_order != AV_FIELD_PROGRESSIVE) return false;
  v->skip_before = av_sat_add64(time, v->origin);
  return true;
}

int64_t cff_video_skipped_last(const cff_video *v) {
  return v->skipped_last == AV_NOPTS_VALUE ? CFF_NO_TIME : av_sat_sub64(v->skipped_last, v->origin);
}
