// What the times of MPEG-1 and MPEG-2 are counted in: the rate of a bitstream, and the decoding times that program streams leave out.
#include "Common/common_internal.h"

#include <string.h>
#include <unistd.h>

AVRational cff_sequence_rate(const cff_demuxer *demuxer) {
  // ISO/IEC 13818-2, table 6-4: frame_rate_code. No profile uses the factors of the sequence extension.
  static const AVRational rates[] = {{0, 1}, {24000, 1001}, {24, 1}, {25, 1}, {30000, 1001}, {30, 1}, {50, 1}, {60000, 1001}, {60, 1}};
  enum { searched = 1 << 16, header = 8 };
  static const uint8_t code[] = {0, 0, 1, 0xb3};
  AVRational none = {0, 1};
  if (!demuxer->traits.has_mpeg_headers) return none;
  uint8_t *bytes = av_malloc(searched);
  ssize_t count = bytes ? pread(demuxer->descriptor, bytes, searched, 0) : 0;
  AVRational rate = none;
  for (ssize_t i = 0; i + header <= count && rate.num == 0; i++) {
    if (memcmp(bytes + i, code, sizeof code) != 0) continue;
    unsigned number = bytes[i + 7] & 0xf;
    if (number >= sizeof rates / sizeof *rates) break;
    rate = rates[number];
  }
  av_free(bytes);
  return rate;
}

bool cff_is_bidirectional(const AVPacket *packet) {
  // picture_start_code, temporal_reference, picture_coding_type (ISO/IEC 13818-2, 6.2.3).
  enum { searched = 512, bidirectional = 3 };
  for (int i = 0; i + 6 <= packet->size && i < searched; i++) {
    const uint8_t *byte = packet->data + i;
    if (byte[0] == 0 && byte[1] == 0 && byte[2] == 1 && byte[3] == 0) return (byte[5] >> 3 & 7) == bidirectional;
  }
  return false;
}

void cff_forget_decoding_times(cff_demuxer *demuxer) {
  for (int i = 0; i < cff_timed_streams; i++) demuxer->next_decoding[i] = AV_NOPTS_VALUE;
}

void cff_fill_decoding_time(cff_demuxer *demuxer, AVPacket *packet) {
  int index = packet->stream_index;
  if (index < 0 || index >= cff_timed_streams || !demuxer->traits.omits_times) return;
  const AVStream *stream = demuxer->format->streams[index];
  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) return;
  if (packet->dts == AV_NOPTS_VALUE && packet->pts == AV_NOPTS_VALUE) packet->dts = demuxer->next_decoding[index];
  bool is_known = packet->dts != AV_NOPTS_VALUE && packet->duration > 0;
  demuxer->next_decoding[index] = is_known ? packet->dts + packet->duration : AV_NOPTS_VALUE;
}
