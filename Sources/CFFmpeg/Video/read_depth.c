// Samples of more than 8 bits are stored in 16, and a file without compression may have any number there: our kernels and all encoders rely on those that the
// format allows.
#include "Video/read_video_internal.h"

#include <libavutil/bswap.h>
#include <libavutil/pixdesc.h>

bool cff_may_exceed_depth(enum AVCodecID codec) {
  switch (codec) {
  case AV_CODEC_ID_H264:
  case AV_CODEC_ID_HEVC:
  case AV_CODEC_ID_VVC:
  case AV_CODEC_ID_AV1:
  case AV_CODEC_ID_VP9:
  case AV_CODEC_ID_PRORES:
  case AV_CODEC_ID_DNXHD: return false;
  default: return true;
  }
}

static uint16_t all_bits(const uint16_t *row, int count) {
  uint16_t bits = 0;
  for (int x = 0; x < count; x++) bits |= row[x];
  return bits;
}

static void clamp(uint16_t *row, int count, uint16_t most, bool is_swapped) {
  for (int x = 0; x < count; x++) {
    uint16_t sample = is_swapped ? av_bswap16(row[x]) : row[x];
    sample = sample < most ? sample : most;
    row[x] = is_swapped ? av_bswap16(sample) : sample;
  }
}

/// The size of a plane in samples.
static void measure(const AVFrame *frame, const AVPixFmtDescriptor *descriptor, int component, int *width, int *height) {
  bool is_chroma = (component == 1 || component == 2) && !(descriptor->flags & AV_PIX_FMT_FLAG_RGB);
  *width = is_chroma ? AV_CEIL_RSHIFT(frame->width, descriptor->log2_chroma_w) : frame->width;
  *height = is_chroma ? AV_CEIL_RSHIFT(frame->height, descriptor->log2_chroma_h) : frame->height;
}

static bool exceeds(const AVFrame *frame, const AVPixFmtDescriptor *descriptor, int component, uint16_t most, bool is_swapped) {
  const AVComponentDescriptor *part = &descriptor->comp[component];
  int width, height;
  measure(frame, descriptor, component, &width, &height);
  uint16_t bits = 0;
  for (int y = 0; y < height; y++) {
    bits |= all_bits((const uint16_t *)(frame->data[part->plane] + (ptrdiff_t)y * frame->linesize[part->plane]), width);
  }
  return (is_swapped ? av_bswap16(bits) : bits) > most;
}

int cff_clamp_to_depth(AVFrame *frame) {
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!descriptor || (descriptor->flags & (AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM))) return 0;
  bool is_swapped = !(descriptor->flags & AV_PIX_FMT_FLAG_BE) != !AV_HAVE_BIGENDIAN;
  for (int i = 0; i < descriptor->nb_components; i++) {
    const AVComponentDescriptor *part = &descriptor->comp[i];
    if (part->depth <= 8 || part->depth >= 16 || part->shift != 0 || part->step != 2 || part->offset != 0) continue;
    uint16_t most = (uint16_t)((1 << part->depth) - 1);
    if (!exceeds(frame, descriptor, i, most, is_swapped)) continue;
    int result = av_frame_make_writable(frame);
    if (result < 0) return result;
    int width, height;
    measure(frame, descriptor, i, &width, &height);
    for (int y = 0; y < height; y++) {
      clamp((uint16_t *)(frame->data[part->plane] + (ptrdiff_t)y * frame->linesize[part->plane]), width, most, is_swapped);
    }
  }
  return 0;
}
