// Ogg files in which several streams follow each other (RFC 3533, 4: chaining), as recorders of radio stations make them, and how their streams begin.
#include <libavutil/intreadwrite.h>
#include <string.h>

#include "Samples/read_counter.h"

/// Times that go back by a fiftieth of a second begin a link.
enum { steps_per_second = 50 };

static const AVStream *stream_of(const cff_counter *counter) {
  return counter->demuxer->format->streams[counter->stream_index];
}

static bool is_ogg(const cff_counter *counter) { return counter->demuxer->traits.has_pages; }

bool cff_is_header(const cff_counter *counter, const AVPacket *packet) {
  if (!is_ogg(counter)) return false;
  switch (stream_of(counter)->codecpar->codec_id) {
  case AV_CODEC_ID_VORBIS: return packet->data[0] & 1;
  case AV_CODEC_ID_FLAC: return packet->data[0] != 0xff;
  case AV_CODEC_ID_OPUS: return packet->size >= 8 && (memcmp(packet->data, "OpusHead", 8) == 0 || memcmp(packet->data, "OpusTags", 8) == 0);
  default: return false;
  }
}

bool cff_begins_silently(const cff_counter *counter) { return stream_of(counter)->codecpar->codec_id == AV_CODEC_ID_VORBIS; }

/// Whether libavformat counts samples for the first packet of a Vorbis stream, which has none: it knows better unless the whole stream is one page, which it
/// takes to start at 0.
static bool has_phantom(const cff_counter *counter, const AVPacket *packet) {
  return is_ogg(counter) && cff_begins_silently(counter) && packet->pts == 0;
}

bool cff_begins_link(const cff_counter *counter, int64_t position) {
  if (!counter->is_known) return is_ogg(counter) && cff_begins_silently(counter);
  return is_ogg(counter) && position < counter->next - counter->rate / steps_per_second;
}

int64_t cff_begin_link(cff_counter *counter, const AVPacket *packet, int64_t position, int64_t skipped, int64_t count) {
  bool is_first = !counter->is_known;
  counter->phantom = has_phantom(counter, packet) ? count : 0;
  // What is heard first follows what was heard last.
  int64_t silent = cff_begins_silently(counter) ? count : skipped;
  int64_t start = is_first ? position - counter->phantom : counter->end - silent;
  counter->link_shift += start - position;
  counter->link_packets = 0;
  counter->skipped = 0;
  counter->flac = (cff_flac_number){0};
  if (!is_first) counter->links++;
  return start;
}

void cff_counter_amend(const cff_counter *counter, AVPacket *packet) {
  size_t size = 0;
  uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!data || size < 8 || counter->phantom == 0) return;
  AV_WL32(data + 4, (uint32_t)FFMAX((int64_t)AV_RL32(data + 4) - counter->phantom, 0));
}
