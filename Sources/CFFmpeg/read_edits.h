// Edit lists of several parts, whose times libavformat counts from the first frame that is decoded in a part, not from the one that is shown.
#pragma once
#include <libavcodec/packet.h>
#include <stdbool.h>
#include <stdint.h>

struct cff_demuxer;

/// A packet whose time libavformat moved, by its place in the file and its decoding time there, and by how much.
typedef struct cff_moved_packet {
  int stream;
  int64_t position, decoding, delay;
} cff_moved_packet;

/// The packets of all streams that libavformat moved, ordered. A rewind keeps them.
typedef struct cff_moved_packets {
  cff_moved_packet *list;
  int count, capacity;
  bool is_known;
} cff_moved_packets;

/// Finds the moved packets of an opened MP4 or QuickTime file. Where the file doesn't allow to know them, times stay those of libavformat.
void cff_find_moved_packets(struct cff_demuxer *demuxer);
/// Gives a packet the times that the edit list states.
void cff_move_packet(const struct cff_demuxer *demuxer, AVPacket *packet);
/// The time to seek to in libavformat's times, so that the packets for `time` follow.
int64_t cff_seek_time(const struct cff_demuxer *demuxer, int stream, int64_t time);
void cff_moved_packets_free(cff_moved_packets *packets);
