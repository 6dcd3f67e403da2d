#pragma once
#include "Common/common_internal.h"
#include "copy_packets.h"

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>

/// How a video packet can begin a sequence of frames.
cff_entry cff_copy_entry(const AVCodecParameters *parameters, const AVPacket *packet);

/// Number of bytes of the length before NAL units of H.264 and HEVC; 0 for start codes and for other codecs.
int cff_copy_length_size(const AVCodecParameters *parameters);

/// Replaces start codes by lengths of the given number of bytes, and omits parameter sets and delimiters. Returns a libav error.
int cff_copy_use_lengths(enum AVCodecID codec, AVPacket *packet, int length_size);

/// Counts a packet that was read, if those of its stream are counted.
void cff_count_packet(const cff_demuxer *demuxer, const AVPacket *packet, cff_packet *result);
/// Counts on from the packets after a jump, or from the start.
cff_status cff_restart_counting_packets(cff_demuxer *demuxer, bool is_sought, cff_failure *failure);
