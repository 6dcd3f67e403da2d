#include "Video/read_video_internal.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <string.h>

#define SAME(format, name) {AV_PIX_FMT_##format, AV_PIX_FMT_##format, name, false}
#define FULL(format, name) {AV_PIX_FMT_##format, AV_PIX_FMT_##format, name, true}
#define INTO(format, target, name) {AV_PIX_FMT_##format, AV_PIX_FMT_##target, name, false}

// Every libav format that is read, and its conversion. If the two differ, samples are rearranged, extended to more bits, or (4:1:1, 4:1:0, 4:4:0) given more
// chroma samples; nothing is lost.
static const cff_format_rule rules[] = {
    SAME(YUV420P, "yuv420p"), SAME(YUV420P10, "yuv420p10"), SAME(YUV420P12, "yuv420p12"), SAME(YUV420P16, "yuv420p16"),
    SAME(YUV422P, "yuv422p"), SAME(YUV422P10, "yuv422p10"), SAME(YUV422P12, "yuv422p12"), SAME(YUV422P16, "yuv422p16"),
    SAME(YUV444P, "yuv444p"), SAME(YUV444P10, "yuv444p10"), SAME(YUV444P12, "yuv444p12"), SAME(YUV444P16, "yuv444p16"),
    SAME(YUVA420P, "yuva420p"), SAME(YUVA420P10, "yuva420p10"), SAME(YUVA420P16, "yuva420p16"),
    SAME(YUVA422P, "yuva422p"), SAME(YUVA422P10, "yuva422p10"), SAME(YUVA422P12, "yuva422p12"),
    SAME(YUVA422P16, "yuva422p16"), SAME(YUVA444P, "yuva444p"), SAME(YUVA444P10, "yuva444p10"),
    SAME(YUVA444P12, "yuva444p12"), SAME(YUVA444P16, "yuva444p16"),
    SAME(NV12, "nv12"), SAME(P010, "p010"), SAME(RGBA, "rgba"), SAME(BGRA, "bgra"), SAME(RGBA64, "rgba64"),
    FULL(YUVJ420P, "yuv420p"), FULL(YUVJ422P, "yuv422p"), FULL(YUVJ444P, "yuv444p"),

    // Fewer bits than any of ours: the next greater depth.
    INTO(YUV420P9, YUV420P10, "yuv420p10"), INTO(YUV422P9, YUV422P10, "yuv422p10"),
    INTO(YUV444P9, YUV444P10, "yuv444p10"), INTO(YUVA420P9, YUVA420P10, "yuva420p10"),
    INTO(YUVA422P9, YUVA422P10, "yuva422p10"), INTO(YUVA444P9, YUVA444P10, "yuva444p10"),
    INTO(YUV420P14, YUV420P16, "yuv420p16"), INTO(YUV422P14, YUV422P16, "yuv422p16"),
    INTO(YUV444P14, YUV444P16, "yuv444p16"),

    // Another arrangement of the same samples.
    INTO(NV21, NV12, "nv12"), INTO(YUYV422, YUV422P, "yuv422p"), INTO(UYVY422, YUV422P, "yuv422p"),
    INTO(YVYU422, YUV422P, "yuv422p"), INTO(NV16, YUV422P, "yuv422p"), INTO(NV24, YUV444P, "yuv444p"),
    INTO(P016, YUV420P16, "yuv420p16"),

    // Chroma grids that we do not have: the next finer one.
    INTO(YUV411P, YUV422P, "yuv422p"), INTO(YUV410P, YUV420P, "yuv420p"), INTO(YUV440P, YUV444P, "yuv444p"),
    INTO(YUV440P10, YUV444P10, "yuv444p10"), INTO(YUV440P12, YUV444P12, "yuv444p12"),
    {AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ422P, "yuv422p", true},
    {AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P, "yuv444p", true},

    // Gray: neutral chroma.
    INTO(GRAY8, YUV420P, "yuv420p"), INTO(GRAY10, YUV420P10, "yuv420p10"), INTO(GRAY12, YUV420P12, "yuv420p12"),
    INTO(GRAY16, YUV420P16, "yuv420p16"), INTO(YA8, RGBA, "rgba"), INTO(YA16, RGBA64, "rgba64"),
    INTO(MONOWHITE, RGBA, "rgba"), INTO(MONOBLACK, RGBA, "rgba"),

    // R, G, B.
    INTO(PAL8, RGBA, "rgba"), INTO(RGB24, RGBA, "rgba"), INTO(BGR24, RGBA, "rgba"), INTO(ARGB, RGBA, "rgba"),
    INTO(ABGR, RGBA, "rgba"), INTO(0RGB, RGBA, "rgba"), INTO(RGB0, RGBA, "rgba"), INTO(0BGR, RGBA, "rgba"),
    INTO(BGR0, RGBA, "rgba"), INTO(RGB565, RGBA, "rgba"), INTO(RGB555, RGBA, "rgba"), INTO(BGR565, RGBA, "rgba"),
    INTO(BGR555, RGBA, "rgba"), INTO(GBRP, RGBA, "rgba"), INTO(GBRAP, RGBA, "rgba"), INTO(GBRP9, RGBA64, "rgba64"),
    INTO(GBRP10, RGBA64, "rgba64"), INTO(GBRP12, RGBA64, "rgba64"), INTO(GBRP14, RGBA64, "rgba64"),
    INTO(GBRP16, RGBA64, "rgba64"), INTO(GBRAP10, RGBA64, "rgba64"), INTO(GBRAP12, RGBA64, "rgba64"),
    INTO(GBRAP16, RGBA64, "rgba64"), INTO(RGB48, RGBA64, "rgba64"), INTO(BGR48, RGBA64, "rgba64"),
    INTO(BGRA64, RGBA64, "rgba64"), INTO(X2RGB10, RGBA64, "rgba64"),
};

// Images: gray is R = G = B in full range, and files keep the byte order of the machine on which they were made.
static const cff_format_rule image_rules[] = {
    INTO(GRAY8, RGBA, "rgba"), INTO(GRAY10LE, RGBA64, "rgba64"), INTO(GRAY12LE, RGBA64, "rgba64"),
    INTO(GRAY16LE, RGBA64, "rgba64"), INTO(GRAY16BE, RGBA64, "rgba64"), INTO(YA16LE, RGBA64, "rgba64"),
    INTO(YA16BE, RGBA64, "rgba64"), INTO(RGB48LE, RGBA64, "rgba64"), INTO(RGB48BE, RGBA64, "rgba64"),
    INTO(RGBA64BE, RGBA64, "rgba64"), INTO(GBRP16BE, RGBA64, "rgba64"), INTO(GBRAP16BE, RGBA64, "rgba64"),
    INTO(RGB4_BYTE, RGBA, "rgba"), INTO(RGB8, RGBA, "rgba"), INTO(BGR8, RGBA, "rgba"),
};

static const cff_format_rule *find_rule(const cff_format_rule *rules, size_t count, enum AVPixelFormat format) {
  for (size_t i = 0; i < count; i++) {
    if (rules[i].from == format) return &rules[i];
  }
  return NULL;
}

const cff_format_rule *cff_rule_for(enum AVPixelFormat format) {
  return find_rule(rules, sizeof rules / sizeof *rules, format);
}

const cff_format_rule *cff_image_rule_for(enum AVPixelFormat format) {
  const cff_format_rule *rule = find_rule(image_rules, sizeof image_rules / sizeof *image_rules, format);
  return rule && rule->from != rule->to ? rule : cff_rule_for(format);
}

/// Whether coded Y′CbCr is to be converted to R, G, B.
static bool makes_rgb(const cff_format_rule *rule) {
  const AVPixFmtDescriptor *from = av_pix_fmt_desc_get(rule->from), *to = av_pix_fmt_desc_get(rule->to);
  bool is_color = from && from->nb_components >= 3 && !(from->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL));
  return is_color && to && (to->flags & AV_PIX_FMT_FLAG_RGB);
}

/// libswscale's number for a frame's matrix: BT.601, the default of images, if it is unspecified or unknown to libswscale.
static int matrix_of(const AVFrame *frame) {
  switch (frame->colorspace) {
  case AVCOL_SPC_BT709: return SWS_CS_ITU709;
  case AVCOL_SPC_FCC: return SWS_CS_FCC;
  case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
  case AVCOL_SPC_BT2020_NCL: return SWS_CS_BT2020;
  default: return SWS_CS_DEFAULT;
  }
}

static int prepare(cff_converter *c, const AVFrame *frame, const cff_format_rule *rule) {
  if (c->scaler && c->width == frame->width && c->height == frame->height && c->from == rule->from) return 0;
  cff_converter_close(c);
  // Point sampling of luma at the same size is exact; chroma of other grids is interpolated.
  int flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;
  c->scaler = sws_getContext(
      frame->width, frame->height, rule->from, frame->width, frame->height, rule->to, flags, NULL, NULL, NULL);
  int size = av_image_get_buffer_size(rule->to, frame->width, frame->height, 64);
  if (!c->scaler || size < 0) return AVERROR(EINVAL);
  // Equal ranges on both sides: code values are kept whatever the frame's tags state, except if Y′CbCr becomes R, G, B.
  const int *coefficients = sws_getCoefficients(makes_rgb(rule) ? matrix_of(frame) : SWS_CS_DEFAULT);
  int full = !makes_rgb(rule) || frame->color_range == AVCOL_RANGE_JPEG;
  sws_setColorspaceDetails(c->scaler, coefficients, full, coefficients, 1, 0, 1 << 16, 1 << 16);
  c->pool_size = size + 64;
  c->pool = av_buffer_pool_init((size_t)c->pool_size, NULL);
  if (!c->pool) return AVERROR(ENOMEM);
  c->width = frame->width;
  c->height = frame->height;
  c->from = rule->from;
  c->to = rule->to;
  return 0;
}

int cff_convert(cff_converter *c, AVFrame *frame, const cff_format_rule *rule) {
  int result = prepare(c, frame, rule);
  if (result < 0) return result;
  AVFrame *target = av_frame_alloc();
  if (!target) return AVERROR(ENOMEM);
  result = av_frame_copy_props(target, frame);
  if (result >= 0) {
    target->format = rule->to;
    target->width = frame->width;
    target->height = frame->height;
    target->buf[0] = av_buffer_pool_get(c->pool);
    result = target->buf[0] ? 0 : AVERROR(ENOMEM);
  }
  if (result >= 0) {
    result = av_image_fill_arrays(
        target->data, target->linesize, target->buf[0]->data, rule->to, frame->width, frame->height, 64);
  }
  if (result >= 0) {
    result = sws_scale(
        c->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, target->data,
        target->linesize);
  }
  if (result >= 0) {
    av_frame_unref(frame);
    av_frame_move_ref(frame, target);
  }
  av_frame_free(&target);
  return result < 0 ? result : 0;
}

void cff_converter_close(cff_converter *c) {
  sws_freeContext(c->scaler);
  av_buffer_pool_uninit(&c->pool);
  *c = (cff_converter){0};
}
