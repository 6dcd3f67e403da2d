#include "Samples/read_flac.h"

#include <libavutil/crc.h>
#include <libavutil/mem.h>
#include <unistd.h>

/// Bytes of a number in the extended UTF-8 of RFC 9639, 9.1.5; -1 if its first one is malformed.
static int length_of_number(uint8_t first) {
  int length = 0;
  while (length < 8 && (first & (0x80 >> length))) length++;
  return length == 0 ? 1 : length < 2 || length > 7 ? -1 : length;
}

/// The number in a frame's header; -1 if it is malformed.
static int64_t coded_number(const uint8_t *bytes, int size) {
  if (size < 1) return -1;
  if (bytes[0] < 0x80) return bytes[0];
  int length = length_of_number(bytes[0]);
  if (length < 0 || length > size) return -1;
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

/// Whether a frame's header (9.1) begins here, by its checksum.
static bool is_header(const uint8_t *bytes, int64_t size) {
  enum { fixed = 4, most = 16 };
  if (size < most || bytes[0] != 0xff || (bytes[1] & 0xfe) != 0xf8) return false;
  int number = length_of_number(bytes[fixed]);
  if (number < 0) return false;
  int samples = bytes[2] >> 4, rate = bytes[2] & 15;
  int length = fixed + number + (samples == 6 ? 1 : samples == 7 ? 2 : 0) + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0);
  return av_crc(av_crc_get_table(AV_CRC_8_ATM), 0, bytes, (size_t)length + 1) == 0;
}

bool cff_flac_ends_whole(int descriptor, int64_t file_size) {
  // Eight channels of 65,535 samples of 24 bits would need 1.5 MB; writers' frames are far smaller.
  enum { most = 512 << 10 };
  int64_t size = file_size < most ? file_size : most;
  uint8_t *tail = size > 0 ? av_malloc((size_t)size) : NULL;
  bool is_whole = false;
  if (tail && pread(descriptor, tail, (size_t)size, (off_t)(file_size - size)) == size) {
    // The checksum of whole frames is zero, of how many of them ever.
    for (int64_t i = size - 1; i >= 0 && !is_whole; i--) {
      is_whole = is_header(tail + i, size - i) && av_crc(av_crc_get_table(AV_CRC_16_ANSI), 0, tail + i, (size_t)(size - i)) == 0;
    }
  }
  av_free(tail);
  return is_whole;
}
