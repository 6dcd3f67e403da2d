#include "Video/read_video_internal.h"

#include <libavutil/pixdesc.h>
#include <string.h>

static void describe(const AVFrame *frame, const AVPixFmtDescriptor *descriptor, cff_picture *picture) {
  picture->width = frame->width;
  picture->height = frame->height;
  picture->aspect_numerator = frame->sample_aspect_ratio.num;
  picture->aspect_denominator = frame->sample_aspect_ratio.den;
  cff_tags tags = {
      frame->color_primaries, frame->color_trc, frame->colorspace, frame->color_range, frame->chroma_location};
  picture->color = cff_color_from_tags(&tags);
  picture->is_interlaced = cff_frame_is_interlaced(frame);
  picture->is_top_first = cff_frame_is_top_first(frame);
  cff_hdr_from_frame(&picture->hdr, frame);
  picture->has_dolby_vision = cff_frame_has_dolby_vision(frame);
  picture->has_hdr10_plus = cff_frame_has_hdr10_plus(frame);
  picture->has_closed_captions = av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC) != NULL;
  picture->has_alpha = descriptor->flags & AV_PIX_FMT_FLAG_ALPHA;
}

static cff_status convert(AVFrame *frame, const cff_format_rule *rule, cff_converter *converter, cff_failure *failure) {
  if (rule->from == rule->to) return CFF_OK;
  int result = cff_convert(converter, frame, rule);
  return result < 0 ? cff_fail_av(failure, result, CFF_NO_FORMAT, "the pixel format cannot be converted") : CFF_OK;
}

cff_status cff_picture_take(
    AVFrame *frame, const cff_format_rule *rule, cff_converter *converter, cff_picture *picture, cff_failure *failure) {
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!rule || !descriptor) {
    const char *name = descriptor ? descriptor->name : "unknown";
    av_frame_unref(frame);
    return cff_fail(failure, CFF_NO_FORMAT, "the pixel format %s has no equivalent", name);
  }
  *picture = (cff_picture){0};
  describe(frame, descriptor, picture);
  picture->is_rgb = (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) || strncmp(rule->name, "rgb", 3) == 0;
  if (rule->is_full_range) picture->color.range = 2;
  cff_status status = convert(frame, rule, converter, failure);
  if (status != CFF_OK) {
    av_frame_unref(frame);
    return status;
  }
  picture->format = rule->name;
  picture->plane_count = av_pix_fmt_count_planes(rule->to);
  for (int i = 0; i < picture->plane_count && i < 4; i++) {
    picture->planes[i] = frame->data[i];
    picture->strides[i] = frame->linesize[i];
  }
  AVFrame *reference = av_frame_alloc();
  if (!reference) {
    av_frame_unref(frame);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  av_frame_move_ref(reference, frame);
  picture->reference = reference;
  return CFF_OK;
}

void cff_picture_release(void *reference) {
  AVFrame *frame = reference;
  av_frame_free(&frame);
}
