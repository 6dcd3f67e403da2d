#include "Measuring/lost_packets.h"
#include "Times/read_numbered.h"

#include <string.h>
#include <unistd.h>

/// Whether an entry is that of a palette, of which libavformat makes no packet.
static bool is_palette(const cff_demuxer *demuxer, const AVIndexEntry *entry) {
  uint8_t name[4];
  return pread(demuxer->descriptor, name, sizeof name, entry->pos) == (ssize_t)sizeof name && memcmp(name + 2, "pc", 2) == 0;
}

/// Counts the entries up to another one, of which no packet was read. Empty ones repeat a frame.
static void count_to(cff_lost_packets *lost, const cff_demuxer *demuxer, int stream_index, int end) {
  AVStream *stream = demuxer->format->streams[stream_index];
  for (int i = lost->next; i < end; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    if (!entry || entry->size <= 0 || is_palette(demuxer, entry)) continue;
    if (lost->count++ == 0) lost->first = cff_time_of_entry(stream, entry);
  }
  lost->next = FFMAX(lost->next, end);
}

void cff_lost_packets_take(cff_lost_packets *lost, const cff_demuxer *demuxer, const AVPacket *packet) {
  int index = cff_entry_of_numbered(demuxer, packet);
  if (index < lost->next) return;
  count_to(lost, demuxer, packet->stream_index, index);
  lost->next = index + 1;
}

void cff_lost_packets_end(cff_lost_packets *lost, const cff_demuxer *demuxer, int stream_index) {
  if (lost->next == 0) return;
  count_to(lost, demuxer, stream_index, avformat_index_get_entries_count(demuxer->format->streams[stream_index]));
}
