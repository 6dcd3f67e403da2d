#pragma once
#include "copy_packets.h"

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>

/// How a packet of video can begin a stretch of pictures.
cff_entry cff_copy_entry(const AVCodecParameters *parameters, const AVPacket *packet);

/// Bytes of the lengths before NAL units of H.264 and HEVC; 0 for start codes and for other codecs.
int cff_copy_length_size(const AVCodecParameters *parameters);

/// Replaces start codes by lengths of so many bytes. Parameter sets and delimiters are left out. Returns a libav error.
int cff_copy_use_lengths(enum AVCodecID codec, AVPacket *packet, int length_size);
