// How many samples the packets of Windows Media Audio hold, which neither ASF nor libavformat says exactly.
#pragma once
#include <libavcodec/avcodec.h>

/// Samples of a frame of Windows Media Audio 1 and 2; 0 for other codecs.
int64_t cff_wma_frame_size(const AVCodecParameters *parameters);

/// Samples that a packet adds; 0 for other codecs. The decoder returns one frame more at the end, because each frame overlaps the one before it.
int64_t cff_wma_samples(const AVCodecParameters *parameters, const AVPacket *packet);
