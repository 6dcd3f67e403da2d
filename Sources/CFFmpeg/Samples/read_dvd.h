// Uncompressed audio of DVDs.
#pragma once
#include <libavcodec/avcodec.h>
#include <stdint.h>

/// Samples that a decoder returns for a packet of uncompressed audio of a DVD; 0 for other codecs, or if the header states none. `rest` is the number of bytes
/// that earlier packets left over of a block, and receives those that this one leaves.
int64_t cff_dvd_samples(const AVCodecParameters *parameters, const AVPacket *packet, int *rest);
