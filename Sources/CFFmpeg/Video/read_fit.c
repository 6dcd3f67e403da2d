// Fits frames whose size differs from that of their track into the track's size.
#include "Video/read_video_internal.h"

#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <string.h>

/// The position of chroma samples as libswscale counts it, in 1/256 of a luma sample; left of center unless stated otherwise.
static void set_chroma(struct SwsContext *scaler, const AVFrame *frame) {
  enum AVChromaLocation location = frame->chroma_location;
  bool is_full = frame->color_range == AVCOL_RANGE_JPEG;
  bool is_centered = location == AVCHROMA_LOC_CENTER || location == AVCHROMA_LOC_TOP || location == AVCHROMA_LOC_BOTTOM ||
                     (location == AVCHROMA_LOC_UNSPECIFIED && is_full);
  bool is_top = location == AVCHROMA_LOC_TOPLEFT || location == AVCHROMA_LOC_TOP;
  bool is_bottom = location == AVCHROMA_LOC_BOTTOMLEFT || location == AVCHROMA_LOC_BOTTOM;
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!descriptor || (descriptor->flags & AV_PIX_FMT_FLAG_RGB) || descriptor->log2_chroma_w == 0) return;
  int horizontal = is_centered ? 128 : 0;
  av_opt_set_int(scaler, "src_h_chr_pos", horizontal, 0);
  av_opt_set_int(scaler, "dst_h_chr_pos", horizontal, 0);
  if (descriptor->log2_chroma_h == 0) return;
  int vertical = is_top ? 0 : is_bottom ? 256 : 128;
  av_opt_set_int(scaler, "src_v_chr_pos", vertical, 0);
  av_opt_set_int(scaler, "dst_v_chr_pos", vertical, 0);
}

static void forget_scaler(cff_fitter *f) {
  sws_freeContext(f->scaler);
  f->scaler = NULL;
  av_frame_free(&f->inner);
}

static int prepare_scaler(cff_fitter *f, const AVFrame *frame, const cff_fit *fit) {
  if (f->scaler && f->width == frame->width && f->height == frame->height && f->format == frame->format &&
      f->location == frame->chroma_location && f->inner_width == fit->inner_width && f->inner_height == fit->inner_height) {
    return 0;
  }
  forget_scaler(f);
  struct SwsContext *scaler = f->scaler = sws_alloc_context();
  if (!scaler) return AVERROR(ENOMEM);
  av_opt_set_int(scaler, "srcw", frame->width, 0);
  av_opt_set_int(scaler, "srch", frame->height, 0);
  av_opt_set_int(scaler, "src_format", frame->format, 0);
  av_opt_set_int(scaler, "dstw", fit->inner_width, 0);
  av_opt_set_int(scaler, "dsth", fit->inner_height, 0);
  av_opt_set_int(scaler, "dst_format", frame->format, 0);
  // Equal ranges on both sides keep code values; bit-exact, so that every machine gives the same frame.
  av_opt_set_int(scaler, "src_range", 1, 0);
  av_opt_set_int(scaler, "dst_range", 1, 0);
  av_opt_set_int(scaler, "sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, 0);
  set_chroma(scaler, frame);
  int result = sws_init_context(scaler, NULL, NULL);
  if (result < 0) return result;
  f->width = frame->width;
  f->height = frame->height;
  f->format = frame->format;
  f->location = frame->chroma_location;
  f->inner_width = fit->inner_width;
  f->inner_height = fit->inner_height;
  return 0;
}

/// Gives `target` the properties of a frame and memory for the track's size.
static int allocate(cff_fitter *f, const AVFrame *frame, const cff_fit *fit, AVFrame *target) {
  int size = av_image_get_buffer_size(frame->format, fit->width, fit->height, 64);
  if (size < 0) return size;
  if (!f->pool || f->pool_size != size + 64) {
    av_buffer_pool_uninit(&f->pool);
    f->pool_size = size + 64;
    f->pool = av_buffer_pool_init((size_t)f->pool_size, NULL);
    if (!f->pool) return AVERROR(ENOMEM);
  }
  int result = av_frame_copy_props(target, frame);
  if (result < 0) return result;
  target->format = frame->format;
  target->width = fit->width;
  target->height = fit->height;
  target->buf[0] = av_buffer_pool_get(f->pool);
  if (!target->buf[0]) return AVERROR(ENOMEM);
  return av_image_fill_arrays(
      target->data, target->linesize, target->buf[0]->data, frame->format, fit->width, fit->height, 64);
}

/// Makes a frame black, or transparent if it has alpha.
static int clear(AVFrame *target, bool has_alpha) {
  ptrdiff_t strides[4];
  for (int i = 0; i < 4; i++) strides[i] = target->linesize[i];
  int result = av_image_fill_black(
      target->data, strides, target->format, target->color_range, target->width, target->height);
  if (result < 0 || !has_alpha) return result;
  int plane = av_pix_fmt_count_planes(target->format) == 4 ? 3 : 0;
  memset(target->data[plane], 0, (size_t)target->linesize[plane] * (size_t)target->height);
  return 0;
}

/// Copies the scaled frame to its place between the bars.
static void place(const AVFrame *inner, const cff_fit *fit, AVFrame *target) {
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(target->format);
  for (int plane = 0; plane < av_pix_fmt_count_planes(target->format); plane++) {
    int component = 0;
    while (descriptor->comp[component].plane != plane) component++;
    bool is_chroma = !(descriptor->flags & AV_PIX_FMT_FLAG_RGB) && (component == 1 || component == 2);
    int across = is_chroma ? descriptor->log2_chroma_w : 0, down = is_chroma ? descriptor->log2_chroma_h : 0;
    uint8_t *start = target->data[plane] + (ptrdiff_t)(fit->top >> down) * target->linesize[plane] +
                     (ptrdiff_t)(fit->left >> across) * descriptor->comp[component].step;
    int rows = -(-fit->inner_height >> down);
    int bytes = av_image_get_linesize(target->format, fit->inner_width, plane);
    av_image_copy_plane(start, target->linesize[plane], inner->data[plane], inner->linesize[plane], bytes, rows);
  }
}

static int scale(cff_fitter *f, const AVFrame *frame, AVFrame *target) {
  int result = sws_scale(
      f->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, target->data, target->linesize);
  return result < 0 ? result : 0;
}

static int scale_between_bars(cff_fitter *f, const AVFrame *frame, const cff_fit *fit, bool has_alpha, AVFrame *target) {
  if (!f->inner) {
    f->inner = av_frame_alloc();
    if (!f->inner) return AVERROR(ENOMEM);
    f->inner->format = frame->format;
    f->inner->width = fit->inner_width;
    f->inner->height = fit->inner_height;
    int result = av_frame_get_buffer(f->inner, 64);
    if (result < 0) return result;
  }
  int result = scale(f, frame, f->inner);
  if (result >= 0) result = clear(target, has_alpha);
  if (result >= 0) place(f->inner, fit, target);
  return result;
}

static int fit_frame(cff_fitter *f, const AVFrame *frame, const cff_fit *fit, bool has_alpha, AVFrame *target) {
  int result = prepare_scaler(f, frame, fit);
  if (result >= 0) result = allocate(f, frame, fit, target);
  if (result < 0) return result;
  bool has_bars = fit->inner_width != fit->width || fit->inner_height != fit->height;
  return has_bars ? scale_between_bars(f, frame, fit, has_alpha, target) : scale(f, frame, target);
}

cff_status cff_video_fit(cff_video *v, const cff_fit *fit, cff_picture *picture, cff_failure *failure) {
  AVFrame *frame = picture->reference, *target = av_frame_alloc();
  int result = target ? fit_frame(&v->fitter, frame, fit, picture->has_alpha, target) : AVERROR(ENOMEM);
  if (result < 0) {
    av_frame_free(&target);
    return cff_fail_av(failure, result, CFF_NO_FORMAT, "a frame cannot be scaled to the size of its track");
  }
  cff_picture_release(frame);
  picture->reference = target;
  picture->owner = NULL;
  picture->width = fit->width;
  picture->height = fit->height;
  for (int i = 0; i < picture->plane_count && i < 4; i++) {
    picture->planes[i] = target->data[i];
    picture->strides[i] = target->linesize[i];
  }
  return CFF_OK;
}

void cff_fitter_close(cff_fitter *f) {
  forget_scaler(f);
  av_buffer_pool_uninit(&f->pool);
  *f = (cff_fitter){0};
}
