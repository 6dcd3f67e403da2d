// Packets of VP8 and VP9 that are decoded and not shown: alternate references.
#include "Reading/read_internal.h"

/// RFC 6386, 9.1.
static bool shows_vp8(const AVPacket *packet) { return packet->data[0] & 0x10; }

/// VP9 bitstream specification, 6.2 and annex B: a superframe ends with the frame that is shown.
static bool shows_vp9(const AVPacket *packet) {
  if ((packet->data[packet->size - 1] & 0xe0) == 0xc0) return true;
  // Frame marker (2 bits), profile (2, the low bit first), a reserved bit of profile 3, an existing frame, the type, and whether it is shown.
  int bits = packet->data[0], place = (bits & 0x30) == 0x30 ? 5 : 4;
  bool shows_existing = bits >> (7 - place) & 1;
  return shows_existing || (bits >> (5 - place) & 1);
}

bool cff_is_shown(enum AVCodecID codec, const AVPacket *packet) {
  if (packet->size < 1) return true;
  switch (codec) {
  case AV_CODEC_ID_VP8: return shows_vp8(packet);
  case AV_CODEC_ID_VP9: return shows_vp9(packet);
  default: return true;
  }
}
