#include "Measuring/read_damage.h"

#include <libavutil/mathematics.h>

/// Counts packets once two others follow them. Where streams were joined, packets are not numbered on, and libavformat takes the last one of a part for damaged, or
/// the one before, which its parser still holds: a key frame follows soon.
void cff_damage_take_picture(cff_damage *damage, const AVPacket *packet, int64_t time) {
  if (damage->pending_age > 0 && (packet->flags & AV_PKT_FLAG_KEY)) damage->pending_age = damage->pending_count = 0;
  if (packet->flags & AV_PKT_FLAG_CORRUPT) {
    if (damage->pending_count++ == 0) damage->pending_time = time;
    damage->pending_age = 1;
  } else if (damage->pending_age > 0 && damage->pending_age++ == 2) {
    if (damage->count == 0) damage->first = damage->pending_time;
    damage->count += damage->pending_count;
    damage->pending_age = damage->pending_count = 0;
  }
}

/// Counts what the packets of the transport stream tell, once one of them looks damaged: libavformat marks those at the joint of two parts, too. Large files,
/// of which only the ends are read, are not searched.
static void search(cff_damage *damage, const cff_demuxer *demuxer, const AVPacket *packet, int64_t time) {
  bool is_searchable = demuxer->traits.has_transport_packets && cff_demuxer_is_small(demuxer);
  if (damage->is_searched || !is_searchable) return;
  damage->is_searched = true;
  cff_transport_losses losses = cff_find_transport_losses(demuxer, demuxer->format->streams[packet->stream_index]->id);
  damage->count += losses.count;
  damage->place = losses.first_place;
  if (losses.count > 0) damage->first = time;
}

/// Counts places. Packets of audio are all key frames; where whole ones were lost, a gap follows soon, which the joint of two parts has not.
void cff_damage_take_audio(cff_damage *damage, const cff_demuxer *demuxer, const AVPacket *packet, int64_t time) {
  enum { most_packets = 8 };
  bool is_marked = packet->flags & AV_PKT_FLAG_CORRUPT;
  bool is_gap = !is_marked && packet->duration > 0 && damage->heard_end != AV_NOPTS_VALUE &&
                time - damage->heard_end > packet->duration / 2;
  // Where the beginning of a unit was lost, libavformat leaves out all of it, and marks nothing.
  if (is_marked || is_gap) search(damage, demuxer, packet, time);
  if (damage->is_searched && packet->pos >= 0 && packet->pos <= damage->place) damage->first = time;
  if (damage->pending_age > 0 && is_gap) {
    if (damage->count++ == 0) damage->first = damage->pending_time;
    damage->pending_age = 0;
  }
  if (is_marked) {
    if (damage->pending_age == 0) damage->pending_time = time;
    damage->pending_age = 1;
  } else if (damage->pending_age > 0 && damage->pending_age++ == most_packets) {
    damage->pending_age = 0;
  }
  damage->heard_end = av_sat_add64(time, packet->duration);
}
