#pragma once
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
