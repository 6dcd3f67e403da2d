// Numbers of FLAC frames, and where they end.
#pragma once
#include <libavcodec/avcodec.h>
#include <stdbool.h>

/// What the header of a FLAC frame states (RFC 9639, 9.1), and what that of the next one has to state.
typedef struct cff_flac_number {
  bool is_known, counts_samples;
  int64_t next;
} cff_flac_number;

/// Takes a packet with `count` samples. Returns whether its frame is numbered as the one after the last packet's, so that no samples are missing in between; false
/// for other codecs.
bool cff_flac_follows(cff_flac_number *number, enum AVCodecID codec, const AVPacket *packet, int64_t count);

/// Whether a file ends with a whole frame, by its checksum: it was then cut by a program that copied frames, whatever its header promises, and not by a transfer that stopped.
bool cff_flac_ends_whole(int descriptor, int64_t file_size);
