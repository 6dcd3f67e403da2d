#include "Samples/read_wma.h"

#include <libavutil/intreadwrite.h>
#include <stdbool.h>

int64_t cff_wma_frame_size(const AVCodecParameters *parameters) {
  bool is_first = parameters->codec_id == AV_CODEC_ID_WMAV1;
  if (!is_first && parameters->codec_id != AV_CODEC_ID_WMAV2) return 0;
  int rate = parameters->sample_rate;
  return rate <= 16000 ? 512 : rate <= 22050 || (rate <= 32000 && is_first) ? 1024 : 2048;
}

int64_t cff_wma_samples(const AVCodecParameters *parameters, const AVPacket *packet) {
  int64_t size = cff_wma_frame_size(parameters);
  int place = parameters->codec_id == AV_CODEC_ID_WMAV1 ? 2 : 4;
  if (size == 0 || packet->size < 1 || parameters->extradata_size < place + 2) return 0;
  // With a bit reservoir, a packet states the number of frames that end in it.
  bool has_reservoir = (AV_RL16(parameters->extradata + place) & 2) != 0;
  return has_reservoir ? size * (packet->data[0] & 15) : size;
}
