#include "Samples/read_lossless.h"

#include <libavutil/intreadwrite.h>
#include <stdbool.h>
#include <string.h>

/// The length of a frame, after the size, the type and the version of the cookie.
int64_t cff_alac_usual_samples(const AVCodecParameters *parameters) {
  return parameters->extradata_size >= 36 ? AV_RB32(parameters->extradata + 12) : parameters->frame_size;
}

/// A packet begins with the kind of its first element (3 bits), its number (4), 12 bits of zeros, and whether the number of its samples follows: as 32 bits, after
/// 3 bits about their size. Only the last packet states it. (Apple, "ALAC magic cookie and packets", codec/ALACDecoder.)
int64_t cff_alac_samples(const AVCodecParameters *parameters, const AVPacket *packet) {
  enum { low_frequency = 3, states_count = 1 << 4 };
  if (parameters->codec_id != AV_CODEC_ID_ALAC || packet->size < 7) return 0;
  int64_t usual = cff_alac_usual_samples(parameters);
  // Elements of one channel, of two, and for low frequencies.
  int kind = packet->data[0] >> 5;
  if ((kind > 1 && kind != low_frequency) || !(packet->data[2] & states_count)) return usual;
  // The number begins with the last bit of a byte.
  int64_t count = (int64_t)(packet->data[2] & 1) << 31 | AV_RB32(packet->data + 3) >> 1;
  return count > 0 && count <= usual ? count : usual;
}

int64_t cff_tta_samples(const AVCodecParameters *parameters) {
  bool has_header = parameters->codec_id == AV_CODEC_ID_TTA && parameters->extradata_size >= 18;
  return has_header && memcmp(parameters->extradata, "TTA1", 4) == 0 ? AV_RL32(parameters->extradata + 14) : 0;
}
