#include "Samples/split_packet.h"

#include <libavutil/intreadwrite.h>
#include <string.h>

/// Bytes of a frame with its header, by the frame type in the header (3GPP TS 26.101 and 26.201, octet-aligned); 0 for the types that are reserved.
static const uint8_t narrow_band[16] = {13, 14, 16, 18, 20, 21, 27, 32, 6, 7, 6, 6, 0, 0, 0, 1};
static const uint8_t wide_band[16] = {18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1};

int cff_split_packet(AVPacket *packet, AVPacket *rest, enum AVCodecID codec, AVRational time_base) {
  enum { frames_per_second = 50 };
  if ((codec != AV_CODEC_ID_AMR_NB && codec != AV_CODEC_ID_AMR_WB) || packet->size < 1) return 0;
  const uint8_t *sizes = codec == AV_CODEC_ID_AMR_NB ? narrow_band : wide_band;
  int size = sizes[packet->data[0] >> 3 & 15];
  if (size == 0 || size >= packet->size) return 0;
  int error = av_packet_ref(rest, packet);
  if (error < 0) return error;
  int64_t duration = av_rescale_q(1, (AVRational){1, frames_per_second}, time_base);
  rest->data += size;
  rest->size -= size;
  av_packet_free_side_data(rest);
  if (rest->pts != AV_NOPTS_VALUE) rest->pts += duration;
  if (rest->dts != AV_NOPTS_VALUE) rest->dts += duration;
  rest->duration = rest->duration > duration ? rest->duration - duration : 0;
  packet->size = size;
  if (packet->duration > duration) packet->duration = duration;
  return 0;
}

bool cff_is_pause(const AVPacket *packet, enum AVCodecID codec) {
  enum { nothing = 15 };
  if ((codec != AV_CODEC_ID_AMR_NB && codec != AV_CODEC_ID_AMR_WB) || packet->size < 1) return false;
  // Reserved types and lost speech are damage. Narrow band has the noise descriptions of three other systems, too.
  int type = packet->data[0] >> 3 & 15;
  return type == nothing || (codec == AV_CODEC_ID_AMR_NB ? type >= 8 && type <= 11 : type == 9);
}

/// Whether four bytes may be the header of a frame (ISO/IEC 11172-3, 2.4.1.3): neither layer, bit rate nor sample rate is reserved.
static bool is_mpeg_audio(uint32_t header) {
  return header >> 21 == 0x7ff && (header >> 17 & 3) != 0 && (header >> 12 & 15) != 15 && (header >> 10 & 3) != 3;
}

int cff_mp3_frame_offset(const AVPacket *packet) {
  int start = 0;
  // The size of an ID3 tag has seven bits in each byte. Its texts may look like headers.
  if (packet->size >= 10 && memcmp(packet->data, "ID3", 3) == 0) {
    for (int i = 6; i < 10; i++) start = start << 7 | (packet->data[i] & 0x7f);
    start += 10;
  }
  for (int i = start; i <= packet->size - 4; i++) {
    if (is_mpeg_audio(AV_RB32(packet->data + i))) return i;
  }
  return -1;
}
