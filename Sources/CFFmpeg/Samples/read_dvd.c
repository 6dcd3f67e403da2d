// A packet of uncompressed audio on a DVD has a header of three bytes, of which the second states the depth and the channels. Samples of 20 and 24 bits are stored
// in groups of four, high bytes first, and a block has as many groups as a sample of every channel needs. Packets may end within a block: the next one completes
// it.
#include "Samples/read_dvd.h"

/// Bytes and samples of each channel of a block.
typedef struct block {
  int bytes, samples;
} block;

static block block_of(uint8_t layout) {
  int bits = 16 + (layout >> 6) * 4, channels = 1 + (layout & 7);
  if (bits > 24) return (block){0};
  if (bits == 16) return (block){2 * channels, 1};
  // Four samples of one, two or four channels fill a group; eight channels fill two.
  if (channels == 1 || channels == 2 || channels == 4) return (block){4 * bits / 8, 4 / channels};
  return channels == 8 ? (block){bits, 1} : (block){4 * channels * bits / 8, 4};
}

int64_t cff_dvd_samples(const AVCodecParameters *parameters, const AVPacket *packet, int *rest) {
  enum { header_bytes = 3 };
  if (parameters->codec_id != AV_CODEC_ID_PCM_DVD || packet->size <= header_bytes) return 0;
  block block = block_of(packet->data[1]);
  if (block.bytes <= 0) return 0;
  int bytes = packet->size - header_bytes + *rest % block.bytes;
  *rest = bytes % block.bytes;
  return (int64_t)(bytes / block.bytes) * block.samples;
}
