// The number of channels that packets of audio state in headers of their own.
#pragma once
#include <libavcodec/avcodec.h>

/// The channels of a packet of AAC with ADTS headers (ISO/IEC 13818-7, 6.2), MPEG audio (ISO/IEC 11172-3, 2.4.2.3), AC-3 or the main stream of E-AC-3 (ETSI
/// TS 102 366, 4.4 and E.1.2); 0 for other packets, and if the header refers to the stream.
int cff_packet_channels(const AVCodecParameters *parameters, const AVPacket *packet);
