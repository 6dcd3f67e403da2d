// Packets that the index of an AVI lists and that are not where it says: their headers are damaged, or those of packets before them.
#pragma once
#include "Common/common_internal.h"

/// The packets of a stream so far, in file order. All zero before the first one.
typedef struct cff_lost_packets {
  /// The index's entry for the next packet.
  int next;
  /// Number of entries without a packet, and the first one's time.
  int count;
  int64_t first;
} cff_lost_packets;

/// Takes the next packet of a stream, which has the number that the index states for its place.
void cff_lost_packets_take(cff_lost_packets *lost, const cff_demuxer *demuxer, const AVPacket *packet);

/// Takes the end of a stream whose packets were all read.
void cff_lost_packets_end(cff_lost_packets *lost, const cff_demuxer *demuxer, int stream_index);
