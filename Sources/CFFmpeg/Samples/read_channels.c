#include "Samples/read_channels.h"

#include <libavutil/intreadwrite.h>
#include <stdbool.h>

static int of_adts(const uint8_t *data) {
  static const int channels[8] = {0, 1, 2, 3, 4, 5, 6, 8};
  return (AV_RB16(data) & 0xfff6) == 0xfff0 ? channels[(data[2] & 1) << 2 | data[3] >> 6] : 0;
}

static int of_mpeg(const uint8_t *data) { return (AV_RB16(data) & 0xffe0) != 0xffe0 ? 0 : data[3] >> 6 == 3 ? 1 : 2; }

/// Channels without the low-frequency one, by acmod.
static const int full_channels[8] = {2, 1, 2, 3, 3, 4, 4, 5};

static int of_ac3(const uint8_t *data) {
  int bitstream = data[5] >> 3;
  if (AV_RB16(data) != 0x0b77 || bitstream > 16) return 0;
  if (bitstream > 10) {
    // Dependent streams (strmtyp 1) and further programs add to the main one.
    bool is_main = data[2] >> 6 != 1 && (data[2] >> 3 & 7) == 0;
    return is_main ? full_channels[data[4] >> 1 & 7] + (data[4] & 1) : 0;
  }
  unsigned bits = AV_RB16(data + 6), mode = bits >> 13, skipped = 3;
  // cmixlev, surmixlev and dsurmod come before lfeon.
  if ((mode & 1) && mode != 1) skipped += 2;
  if (mode & 4) skipped += 2;
  if (mode == 2) skipped += 2;
  return full_channels[mode] + (bits >> (15 - skipped) & 1);
}

int cff_packet_channels(const AVCodecParameters *parameters, const AVPacket *packet) {
  if (packet->size < 8) return 0;
  switch (parameters->codec_id) {
  case AV_CODEC_ID_AAC: return parameters->extradata_size == 0 ? of_adts(packet->data) : 0;
  case AV_CODEC_ID_MP2:
  case AV_CODEC_ID_MP3: return of_mpeg(packet->data);
  case AV_CODEC_ID_AC3:
  case AV_CODEC_ID_EAC3: return of_ac3(packet->data);
  default: return 0;
  }
}
