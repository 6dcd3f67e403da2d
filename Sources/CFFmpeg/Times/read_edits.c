// libavformat gives each part of an edit list (ISO/IEC 14496-12, 8.6.6) the decoding times that follow from the first frame *decoded* in it. If frames are reordered
// after a cut, the part is then shown as much later as that frame's decoding precedes the part's beginning, and so is all of it. The least of these delays is
// subtracted again from all times, so that only files of one part are right. Parts of audio after the first one begin with the first whole packet, and all end with
// the last one.
//
// The media's own times tell by how much: those of the same file, opened without its edit list.
#include "Times/read_edits.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

#include "Times/edit_list.h"

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

/// A stream and what is known of its edit list.
typedef struct track {
  AVStream *stream;
  bool is_audio;
  const cff_edit_list *list;
  const place *places;
  int place_count;
  cff_moved_packets *packets;
} track;

/// The packets of a part that are shown, from `first` to `last` in the index, and by how much they are late.
typedef struct shown_part {
  const cff_edit *edit;
  int first, last;
  int64_t delay;
} shown_part;

static const place *place_of(const track *track, int index) {
  place key = {avformat_index_get_entry(track->stream, index)->pos, 0};
  return bsearch(&key, track->places, (size_t)track->place_count, sizeof key, compare_places);
}

/// The time from a packet to the next one of the media; of the last one, from the one before.
static int64_t step_of(const track *track, const place *place) {
  const struct place *next = place + 1 < track->places + track->place_count ? place + 1 : place;
  return next > track->places ? FFMAX(0, next->decoding - next[-1].decoding) : 0;
}

static uint32_t samples_of(const track *track, int64_t time) {
  int64_t samples = av_rescale_q(time, track->stream->time_base, (AVRational){1, FFMAX(1, track->stream->codecpar->sample_rate)});
  return (uint32_t)av_clip64(samples, 0, UINT32_MAX);
}

/// Whether libavformat parses the packets of a stream of a movie. It gives each the flags of the next one, so that the last packet of a part seems to be left out.
static bool is_parsed(const AVStream *stream) {
  enum AVCodecID codec = stream->codecpar->codec_id;
  return codec == AV_CODEC_ID_AC3 || codec == AV_CODEC_ID_EAC3 || codec == AV_CODEC_ID_MP2 || codec == AV_CODEC_ID_MP3;
}

static bool add_part(const track *track, const shown_part *part, bool is_first) {
  for (int i = part->first; i <= part->last; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(track->stream, i);
    if (entry->flags & AVINDEX_DISCARD_FRAME) continue;
    cff_moved_packet moved = {.stream = track->stream->index, .position = entry->pos, .decoding = entry->timestamp, .delay = part->delay};
    const place *place = place_of(track, i);
    int64_t step = step_of(track, place), rest = place->decoding + step - part->edit->media_time - part->edit->duration;
    if (track->is_audio && i == part->last && rest > 0) {
      moved.padding = samples_of(track, rest);
      moved.duration = FFMAX(0, step - rest);
      moved.is_partly_heard = is_parsed(track->stream);
    }
    if ((moved.delay != 0 || moved.padding > 0) && !add(track->packets, moved)) return false;
  }
  // libavformat begins the first part within a packet itself.
  if (!track->is_audio || is_first || part->first == 0) return true;
  const AVIndexEntry *entry = avformat_index_get_entry(track->stream, part->first - 1);
  const place *place = place_of(track, part->first - 1);
  int64_t early = place ? part->edit->media_time - place->decoding : 0;
  if (!(entry->flags & AVINDEX_DISCARD_FRAME) || early <= 0 || early >= step_of(track, place)) return true;
  cff_moved_packet moved = {.stream = track->stream->index, .position = entry->pos, .decoding = entry->timestamp, .is_partly_heard = true};
  moved.delay = entry->timestamp - (part->edit->start - early);
  moved.skipped = samples_of(track, early);
  return add(track->packets, moved);
}

/// Adds the packets of a stream whose part is late or cut. False if the index isn't what the edit list makes of the media: nothing of the stream is then moved.
static bool add_parts(const track *track) {
  int count = avformat_index_get_entries_count(track->stream);
  const place *before = NULL;
  shown_part part = {0};
  int64_t origin = 0;
  bool is_first = true, begins = true;
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(track->stream, i);
    const place *found = place_of(track, i);
    if (!found) return false;
    // The packets of a part follow each other in the media, and another part begins with a key packet before its first frame, which is not the next one.
    begins = begins || found != before + 1;
    before = found;
    if (entry->flags & AVINDEX_DISCARD_FRAME) continue;
    if (begins) {
      if (part.edit && !add_part(track, &part, is_first)) return false;
      is_first = !part.edit;
      const cff_edit *first = is_first ? part_at(track->list, 0) : NULL;
      // The first part of audio begins before its first sample if that is within a packet.
      if (first) origin = entry->timestamp + (track->is_audio ? FFMAX(0, first->media_time - found->decoding) : 0);
      const cff_edit *edit = first ? first : part_at(track->list, entry->timestamp - origin);
      if (!edit) return false;
      part = (shown_part){edit, i, i, edit->media_time - edit->start - (found->decoding - entry->timestamp)};
      // If the list begins within a frame, the next one is shown from the beginning on, as in files of one part.
      if (is_first && FFABS(part.delay) < step_of(track, found)) part.delay = 0;
      begins = false;
    }
    part.last = i;
  }
  return !part.edit || add_part(track, &part, is_first);
}

static void find_in_stream(cff_demuxer *demuxer, AVFormatContext *media, AVStream *stream) {
  cff_moved_packets *packets = &demuxer->moved_packets;
  int place_count, before = packets->count;
  cff_edit_list list;
  place *places = media_places(media, stream->index, &place_count);
  if (places && cff_read_edit_list(demuxer, stream, &list)) {
    bool is_audio = stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    track track = {stream, is_audio, &list, places, place_count, packets};
    if (!add_parts(&track)) packets->count = before;
    av_free(list.edits);
  }
  av_free(places);
}

void cff_find_moved_packets(cff_demuxer *demuxer) {
  AVFormatContext *format = demuxer->format;
  if (demuxer->moved_packets.is_known || !demuxer->traits.has_edit_lists) return;
  demuxer->moved_packets.is_known = true;
  cff_demuxer media = *demuxer;
  media.format = NULL;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if ((type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) || !may_have_parts(stream)) continue;
    if (!media.format && !cff_open_media(&media)) break;
    find_in_stream(demuxer, media.format, stream);
  }
  cff_close_format(&media);
  if (demuxer->moved_packets.count == 0) return;
  qsort(demuxer->moved_packets.list, (size_t)demuxer->moved_packets.count, sizeof(cff_moved_packet), compare_moved);
}

/// Tells the decoder which samples of a packet are not heard. Returns a libav error.
static int cut_packet(AVPacket *packet, const cff_moved_packet *moved) {
  size_t size = 0;
  enum { size_of_skip = 10 };
  if (moved->skipped == 0 && moved->padding == 0) return 0;
  uint8_t *skip = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!skip || size < size_of_skip) {
    skip = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, size_of_skip);
    if (!skip) return AVERROR(ENOMEM);
    memset(skip, 0, size_of_skip);
  }
  if (moved->skipped > 0) AV_WL32(skip, moved->skipped);
  AV_WL32(skip + 4, moved->padding);
  if (moved->duration > 0) packet->duration = moved->duration;
  return 0;
}

int cff_move_packet(const cff_demuxer *demuxer, AVPacket *packet) {
  const cff_moved_packets *packets = &demuxer->moved_packets;
  if (packets->count == 0 || packet->pos < 0 || packet->dts == AV_NOPTS_VALUE) return 0;
  cff_moved_packet key = {.stream = packet->stream_index, .position = packet->pos, .decoding = packet->dts};
  const cff_moved_packet *moved = bsearch(&key, packets->list, (size_t)packets->count, sizeof key, compare_moved);
  int result = moved ? cut_packet(packet, moved) : 0;
  if (!moved || result < 0) return result;
  if (moved->is_partly_heard) packet->flags &= ~AV_PKT_FLAG_DISCARD;
  packet->dts = av_sat_sub64(packet->dts, moved->delay);
  if (packet->pts != AV_NOPTS_VALUE) packet->pts = av_sat_sub64(packet->pts, moved->delay);
  return 0;
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
