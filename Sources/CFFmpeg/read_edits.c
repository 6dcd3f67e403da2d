// libavformat gives each part of an edit list (ISO/IEC 14496-12, 8.6.6) the decoding times that follow from the first frame *decoded* in it. If frames are reordered
// after a cut, the part is then shown as much later as that frame's decoding precedes the part's beginning, and so is all of it. The least of these delays is
// subtracted again from all times, so that only files of one part are right.
//
// The media's own times tell by how much: those of the same file, opened without its edit list.
#include "read_edits.h"

#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <stdlib.h>

#include "edit_list.h"

/// Where a packet lies and when its media has it decoded.
typedef struct place {
  int64_t position, decoding;
} place;

static int compare_places(const void *a, const void *b) {
  const place *x = a, *y = b;
  return FFDIFFSIGN(x->position, y->position);
}

static int compare_moved(const void *a, const void *b) {
  const cff_moved_packet *x = a, *y = b;
  if (x->stream != y->stream) return FFDIFFSIGN(x->stream, y->stream);
  if (x->position != y->position) return FFDIFFSIGN(x->position, y->position);
  return FFDIFFSIGN(x->decoding, y->decoding);
}

/// Whether packets are left out, or times don't rise, after a packet that is shown: only edit lists of several parts do that, apart from open GOPs.
static bool may_have_parts(AVStream *stream) {
  int count = avformat_index_get_entries_count(stream);
  int64_t time = INT64_MIN;
  bool has_shown = false, has_omitted = false;
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    bool is_shown = !(entry->flags & AVINDEX_DISCARD_FRAME);
    if (has_shown && is_shown && (has_omitted || entry->timestamp <= time)) return true;
    has_shown = has_shown || is_shown;
    has_omitted = has_shown && !is_shown;
    time = entry->timestamp;
  }
  return false;
}

/// The media's decoding times of a stream's packets, by position; NULL if there are none.
static place *media_places(AVFormatContext *media, int stream_index, int *count) {
  AVStream *stream = stream_index < (int)media->nb_streams ? media->streams[stream_index] : NULL;
  *count = stream ? avformat_index_get_entries_count(stream) : 0;
  place *places = *count > 0 ? av_malloc_array((size_t)*count, sizeof *places) : NULL;
  if (!places) return NULL;
  for (int i = 0; i < *count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    places[i] = (place){entry->pos, entry->timestamp};
  }
  qsort(places, (size_t)*count, sizeof *places, compare_places);
  return places;
}

/// The part of the list that begins `time` after the first one, of those that are not pauses; NULL if there is none. libavformat rounds as the list does here.
static const cff_edit *part_at(const cff_edit_list *list, int64_t time) {
  const cff_edit *first = NULL;
  for (int i = 0; i < list->count; i++) {
    const cff_edit *edit = &list->edits[i];
    if (edit->media_time < 0) continue;
    if (!first) first = edit;
    if (FFABS(edit->start - first->start - time) <= 1) return edit;
  }
  return NULL;
}

static bool add(cff_moved_packets *packets, cff_moved_packet packet) {
  if (packets->count == packets->capacity) {
    int capacity = packets->capacity > 0 ? packets->capacity * 2 : 256;
    void *list = av_realloc_array(packets->list, (size_t)capacity, sizeof *packets->list);
    if (!list) return false;
    packets->list = list;
    packets->capacity = capacity;
  }
  packets->list[packets->count++] = packet;
  return true;
}

/// Whether a part may begin with an entry of the index: with a key packet, which those follow at its own time that are decoded only.
static bool may_begin(AVStream *stream, int index) {
  const AVIndexEntry *entry = avformat_index_get_entry(stream, index);
  int64_t time = entry->timestamp;
  while (!(entry->flags & AVINDEX_KEYFRAME)) {
    entry = index > 0 ? avformat_index_get_entry(stream, --index) : NULL;
    if (!entry || entry->timestamp != time || !(entry->flags & AVINDEX_DISCARD_FRAME)) return false;
  }
  return true;
}

/// Adds the packets of a stream whose part is late. False if the index isn't what the edit list makes of the media: nothing of the stream is then moved.
static bool add_parts(cff_moved_packets *packets, AVStream *stream, const cff_edit_list *list, const place *places, int place_count) {
  int count = avformat_index_get_entries_count(stream);
  const cff_edit *part = NULL;
  int64_t offset = 0, first_time = 0, delay = 0;
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    if (entry->flags & AVINDEX_DISCARD_FRAME) continue;
    place key = {entry->pos, 0};
    const place *found = bsearch(&key, places, (size_t)place_count, sizeof key, compare_places);
    if (!found) return false;
    // A part is decoded in one piece, whose times are all moved alike.
    bool is_first = !part, is_other = is_first || found->decoding - entry->timestamp != offset;
    if (is_first) first_time = entry->timestamp;
    const cff_edit *beginning = is_other || may_begin(stream, i) ? part_at(list, entry->timestamp - first_time) : NULL;
    if (is_other && !beginning) return false;
    if (beginning) {
      part = beginning;
      offset = found->decoding - entry->timestamp;
      delay = part->media_time - part->start - offset;
      // If the list begins within a frame, the next one is shown from the beginning on, as in files of one part.
      if (is_first && place_count > 1 && FFABS(delay) < FFABS(places[1].decoding - places[0].decoding)) delay = 0;
    }
    cff_moved_packet moved = {stream->index, entry->pos, entry->timestamp, delay};
    if (moved.delay != 0 && !add(packets, moved)) return false;
  }
  return true;
}

static void find_in_stream(cff_demuxer *demuxer, AVFormatContext *media, AVStream *stream) {
  cff_moved_packets *packets = &demuxer->moved_packets;
  int place_count, before = packets->count;
  cff_edit_list list;
  place *places = media_places(media, stream->index, &place_count);
  if (places && cff_read_edit_list(demuxer, stream, &list)) {
    if (!add_parts(packets, stream, &list, places, place_count)) packets->count = before;
    av_free(list.edits);
  }
  av_free(places);
}

void cff_find_moved_packets(cff_demuxer *demuxer) {
  AVFormatContext *format = demuxer->format;
  if (demuxer->moved_packets.is_known || !av_match_name("mov", format->iformat->name)) return;
  demuxer->moved_packets.is_known = true;
  cff_demuxer media = *demuxer;
  media.format = NULL;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    AVStream *stream = format->streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || !may_have_parts(stream)) continue;
    if (!media.format && !cff_open_media(&media)) break;
    find_in_stream(demuxer, media.format, stream);
  }
  cff_close_format(&media);
  if (demuxer->moved_packets.count == 0) return;
  qsort(demuxer->moved_packets.list, (size_t)demuxer->moved_packets.count, sizeof(cff_moved_packet), compare_moved);
}

void cff_move_packet(const cff_demuxer *demuxer, AVPacket *packet) {
  const cff_moved_packets *packets = &demuxer->moved_packets;
  if (packets->count == 0 || packet->pos < 0 || packet->dts == AV_NOPTS_VALUE) return;
  cff_moved_packet key = {packet->stream_index, packet->pos, packet->dts, 0};
  const cff_moved_packet *moved = bsearch(&key, packets->list, (size_t)packets->count, sizeof key, compare_moved);
  if (!moved) return;
  packet->dts = av_sat_sub64(packet->dts, moved->delay);
  if (packet->pts != AV_NOPTS_VALUE) packet->pts = av_sat_sub64(packet->pts, moved->delay);
}

int64_t cff_seek_time(const cff_demuxer *demuxer, int stream, int64_t time) {
  // A packet that libavformat has earlier is sought earlier.
  int64_t earliest = 0;
  for (int i = 0; i < demuxer->moved_packets.count; i++) {
    const cff_moved_packet *moved = &demuxer->moved_packets.list[i];
    if (moved->stream == stream) earliest = FFMIN(earliest, moved->delay);
  }
  return av_sat_add64(time, earliest);
}

void cff_moved_packets_free(cff_moved_packets *packets) {
  av_freep(&packets->list);
  *packets = (cff_moved_packets){0};
}
