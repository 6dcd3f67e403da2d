// What the packets of a stream tell, one after another.
#include "Measuring/read_stretch.h"
#include "Samples/read_counter.h"

#include <libavutil/intreadwrite.h>

/// Samples that the packet's side data drops: at its start, then at its end. Those between the parts of an edit list are neither priming nor padding.
static void take_dropped(cff_stretch *s, const cff_demuxer *demuxer, const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!data || size < 8 || demuxer->moved_packets.count > 0) return;
  s->dropped_first += AV_RL32(data);
  s->dropped_last += AV_RL32(data + 4);
}

/// The delay is that of the first key frame; until then, that of the first packet that states both times.
static void take_delay(cff_stretch *s, const AVPacket *packet) {
  bool is_key = packet->flags & AV_PKT_FLAG_KEY;
  if (packet->pts == AV_NOPTS_VALUE || (s->knows_delay && (s->knows_delay_of_key || !is_key))) return;
  s->delay = packet->pts - packet->dts;
  s->knows_delay = true;
  s->knows_delay_of_key = is_key;
}

void cff_stretch_take(cff_stretch *s, const cff_demuxer *demuxer, const AVPacket *packet, cff_stamps *stamps) {
  const AVCodecParameters *parameters = demuxer->format->streams[packet->stream_index]->codecpar;
  enum AVCodecID codec = parameters->codec_id;
  take_dropped(s, demuxer, packet);
  s->position = FFMAX(s->position, packet->pos);
  int64_t time = cff_packet_time(packet);
  if (packet->flags & AV_PKT_FLAG_DISCARD) s->has_discarded = true;
  else s->bytes += packet->size;
  if (time == AV_NOPTS_VALUE || (packet->flags & AV_PKT_FLAG_DISCARD)) return;
  s->packets++;
  if (packet->pts != AV_NOPTS_VALUE && packet->pts != packet->dts) s->has_own_times = true;
  if (av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, NULL)) s->is_encrypted = true;
  if (packet->pts == AV_NOPTS_VALUE) s->lacks_presentation_times = true;
  if (packet->dts != AV_NOPTS_VALUE) {
    take_delay(s, packet);
    s->decoding_end = av_sat_add64(packet->dts, packet->duration);
  }
  if (parameters->codec_type == AVMEDIA_TYPE_AUDIO) {
    cff_damage_take_audio(&s->damage, demuxer, packet, time);
  } else {
    cff_damage_take_picture(&s->damage, packet, time);
  }
  cff_lost_packets_take(&s->lost, demuxer, packet);
  // A packet that was truncated at the end of the file is not a promised frame.
  s->is_damaged = packet->flags & AV_PKT_FLAG_CORRUPT;
  if (s->is_damaged) return;
  if (stamps && cff_is_shown(codec, packet)) cff_keep_stamp(stamps, time, packet->dts, packet->flags & AV_PKT_FLAG_KEY);
  if (s->first == AV_NOPTS_VALUE || time < s->first) s->first = time;
  if (s->last != AV_NOPTS_VALUE && time < s->last) s->is_reordered = true;
  // One tick is the container's rounding.
  if (s->duration > 0 && FFABS(packet->duration - s->duration) > 1) s->varies = true;
  s->duration_before = s->duration;
  s->duration = packet->duration;
  int64_t end = packet->duration > 0 ? av_sat_add64(time, packet->duration) : AV_NOPTS_VALUE;
  if (end != AV_NOPTS_VALUE && (s->end == AV_NOPTS_VALUE || end > s->end)) s->end = end;
  if (s->last == AV_NOPTS_VALUE || time > s->last) {
    s->before_last = s->last;
    s->last = time;
  } else if (time < s->last && (s->before_last == AV_NOPTS_VALUE || time > s->before_last)) {
    s->before_last = time;
  }
}

void cff_stretch_count(cff_stretch *s, const cff_demuxer *demuxer, AVPacket *packet) {
  int64_t period = cff_counted_time(demuxer, 2), start = s->fields;
  bool is_mpeg = demuxer->traits.has_mpeg_headers;
  // Durations are rounded; the count of fields is exact.
  int64_t fields = packet->duration > 0 && period > 0 ? FFMAX(1, (2 * packet->duration + period / 2) / period) : 2;
  if (!is_mpeg || cff_is_bidirectional(packet)) {
    s->fields += fields;
  } else {
    // A frame that others refer to is shown when the next such frame is decoded: what is shown now is the one before.
    s->fields += s->held_fields;
    s->held_fields = fields;
  }
  if (is_mpeg) start = s->fields;
  int64_t end = s->fields + s->held_fields;
  packet->pts = packet->dts = cff_counted_time(demuxer, start);
  packet->duration = cff_counted_time(demuxer, end) - packet->pts;
}
