// AVI, which numbers packets instead of stating times.
#pragma once
#include "Common/common_internal.h"

/// How long frames are shown as a rule, in the stream's numbers: the median step from one packet to the next, or a short one if frames held back would otherwise
/// exceed the file's own count. It is more than one if numbers are left out, as by FFmpeg, which copies other containers' frames at twice their rate. 0 for other
/// containers.
int64_t cff_numbered_step(const cff_demuxer *demuxer, int stream_index);

/// How much later than the first packet's number the decoder returns the first frame; 0 for other containers.
int64_t cff_numbered_delay(const cff_demuxer *demuxer, const AVStream *stream);

/// Gives a packet the number that the index states for its place in the file; leaves those of other containers as they are. After a
/// seek, libavformat (5.1) counts from the audio beside the frame, and is off by a number or more where frames are left out. In order, it
/// doesn't count packets whose headers are damaged.
void cff_number_packet(const cff_demuxer *demuxer, AVPacket *packet);

/// The bytes of a tick of uncompressed audio if an AVI's index counts them; 0 for other streams.
int cff_indexed_bytes_of_tick(AVStream *stream);

/// The index's entry for a packet that has its number; -1 if there is none, or if the index says too little of its stream.
int cff_entry_of_numbered(const cff_demuxer *demuxer, const AVPacket *packet);
/// The time of an entry of the index, which may count bytes, in ticks of its stream.
int64_t cff_time_of_entry(AVStream *stream, const AVIndexEntry *entry);
