#include "read_flac.h"

/// The number in a frame's header, in the extended UTF-8 of RFC 9639, 9.1.5; -1 if it is malformed.
static int64_t coded_number(const uint8_t *bytes, int size) {
  if (size < 1) return -1;
  if (bytes[0] < 0x80) return bytes[0];
  int length = 0;
  while (length < 8 && (bytes[0] & (0x80 >> length))) length++;
  if (length < 2 || length > 7 || length > size) return -1;
  int64_t number = length == 7 ? 0 : bytes[0] & (0x7f >> length);
  for (int i = 1; i < length; i++) {
    if ((bytes[i] & 0xc0) != 0x80) return -1;
    number = number << 6 | (bytes[i] & 0x3f);
  }
  return number;
}

bool cff_flac_follows(cff_flac_number *number, enum AVCodecID codec, const AVPacket *packet, int64_t count) {
  if (codec != AV_CODEC_ID_FLAC) return false;
  const uint8_t *bytes = packet->data;
  bool has_header = packet->size > 4 && bytes[0] == 0xff && (bytes[1] & 0xfe) == 0xf8;
  int64_t found = has_header ? coded_number(bytes + 4, packet->size - 4) : -1;
  bool counts_samples = has_header && (bytes[1] & 1);
  bool follows = number->is_known && found >= 0 && counts_samples == number->counts_samples && found == number->next;
  *number = (cff_flac_number){found >= 0, counts_samples, found + (counts_samples ? count : 1)};
  return follows;
}
