// Edit lists of several parts, whose times libavformat counts from the first frame that is decoded in a part, not from the one that is shown, and whose parts of audio
// it begins and ends with whole packets.
#pragma once
#include <libavcodec/packet.h>
#include <stdbool.h>
#include <stdint.h>

struct cff_demuxer;

/// A packet that libavformat moved or cut, by its place in the file and its decoding time there.
typedef struct cff_moved_packet {
  int stream;
  int64_t position, decoding;
  /// By how much it was moved, in the time base of the stream.
  int64_t delay;
  /// Samples at its beginning and its end that are not heard.
  uint32_t skipped, padding;
  /// Its duration without the latter, in the time base of the stream; 0 for that of libavformat.
  int64_t duration;
  /// Whether some of it is heard although libavformat may leave it out.
  bool is_partly_heard;
} cff_moved_packet;

/// Such packets of all streams, ordered. A rewind keeps them.
typedef struct cff_moved_packets {
  cff_moved_packet *list;
  int count, capacity;
  bool is_known;
} cff_moved_packets;

/// Finds the moved packets of an opened MP4 or QuickTime file. Where the file doesn't allow to know them, times stay those of libavformat.
void cff_find_moved_packets(struct cff_demuxer *demuxer);
/// Gives a packet the times and samples that the edit list states. Returns a libav error.
int cff_move_packet(const struct cff_demuxer *demuxer, AVPacket *packet);
/// The time to seek to in libavformat's times, so that the packets for `time` follow.
int64_t cff_seek_time(const struct cff_demuxer *demuxer, int stream, int64_t time);
void cff_moved_packets_free(cff_moved_packets *packets);
