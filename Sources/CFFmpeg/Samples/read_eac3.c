#include "Samples/read_eac3.h"

#include <libavutil/intreadwrite.h>
#include <stdbool.h>

/// A frame begins with its sync word (16 bits), the kind of its substream (2), the number of that (3), its size in words of 16 bits less one (11),
/// its rate (2), and the number of its blocks (2) (ETSI TS 102 366, E.1.2). Dependent substreams, and independent ones after the first, have the same time as it.
int64_t cff_eac3_samples(const AVCodecParameters *parameters, const AVPacket *packet) {
  enum { sync_word = 0x0b77, header_size = 5, block = 256, halved = 3, dependent = 1 };
  static const int blocks[] = {1, 2, 3, 6};
  if (parameters->codec_id != AV_CODEC_ID_EAC3) return 0;
  int64_t count = 0;
  for (int at = 0; at <= packet->size - header_size;) {
    const uint8_t *bytes = packet->data + at;
    if (AV_RB16(bytes) != sync_word) break;
    bool is_first = bytes[2] >> 6 != dependent && (bytes[2] >> 3 & 7) == 0;
    // Halved rates state no number of blocks: they have six.
    int code = bytes[4] >> 6 == halved ? 3 : bytes[4] >> 4 & 3;
    if (is_first) count += block * blocks[code];
    at += ((AV_RB16(bytes + 2) & 0x7ff) + 1) * 2;
  }
  return count;
}
