// E-AC-3, of whose packets libavcodec's parser gives the number of samples only if it splits them itself.
#pragma once
#include <libavcodec/avcodec.h>

/// Samples of a packet of E-AC-3, by the headers of its frames; 0 for other packets.
int64_t cff_eac3_samples(const AVCodecParameters *parameters, const AVPacket *packet);
