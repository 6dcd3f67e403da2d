// Lossless codecs whose packets have a fixed number of samples but for the last one: what their own headers say of it.
#pragma once
#include <libavcodec/avcodec.h>

/// Samples of every ALAC packet of a stream but the last one; 0 if they are unknown.
int64_t cff_alac_usual_samples(const AVCodecParameters *parameters);

/// Samples of an ALAC packet; 0 for other packets, and if they are unknown.
int64_t cff_alac_samples(const AVCodecParameters *parameters, const AVPacket *packet);

/// Samples of a whole stream of True Audio by its header; 0 for other streams.
int64_t cff_tta_samples(const AVCodecParameters *parameters);
