#include "Filters/filter_internal.h"

/// The planes of R, G, B and A.
static const int order[4] = {2, 0, 1, 3};

/// Allocates planes of float from a pool that is created on first use. Rows are aligned to 64 bytes.
static int take_memory(AVBufferPool **pool, size_t size, AVFrame *frame) {
  if (!*pool) *pool = av_buffer_pool_init(size, NULL);
  frame->buf[0] = *pool ? av_buffer_pool_get(*pool) : NULL;
  return frame->buf[0] ? 0 : AVERROR(ENOMEM);
}

int cff_float_to_planar(cff_filter_graph *g, AVFrame *frame) {
  AVFrame *target = av_frame_alloc();
  if (!target) return AVERROR(ENOMEM);
  size_t stride = ((size_t)frame->width * sizeof(float) + 63) & ~(size_t)63, plane = stride * (size_t)frame->height;
  int result = av_frame_copy_props(target, frame);
  if (result >= 0) result = take_memory(&g->planar, 4 * plane + 64, target);
  for (int c = 0; c < 4 && result >= 0; c++) {
    target->data[order[c]] = target->buf[0]->data + plane * (size_t)order[c];
    target->linesize[order[c]] = (int)stride;
    for (int y = 0; y < frame->height; y++) {
      const float *from = (const float *)(frame->data[0] + (ptrdiff_t)y * frame->linesize[0]) + c;
      float *to = (float *)(target->data[order[c]] + (size_t)y * stride);
      for (int x = 0; x < frame->width; x++) to[x] = from[4 * x];
    }
  }
  target->width = frame->width;
  target->height = frame->height;
  target->format = frame->format;
  av_frame_unref(frame);
  if (result >= 0) av_frame_move_ref(frame, target);
  av_frame_free(&target);
  return result;
}

int cff_float_to_packed(cff_filter_graph *g, AVFrame *frame) {
  AVFrame *target = av_frame_alloc();
  if (!target) return AVERROR(ENOMEM);
  size_t stride = (size_t)frame->width * 4 * sizeof(float);
  int result = av_frame_copy_props(target, frame);
  // The pool's buffers fit the surface's size only.
  if (frame->width != g->surface.width || frame->height != g->surface.height) result = AVERROR(EINVAL);
  if (result >= 0) result = take_memory(&g->packed, stride * (size_t)frame->height + 64, target);
  for (int c = 0; c < 4 && result >= 0; c++) {
    for (int y = 0; y < frame->height; y++) {
      const float *from = (const float *)(frame->data[order[c]] + (ptrdiff_t)y * frame->linesize[order[c]]);
      float *to = (float *)(target->buf[0]->data + (size_t)y * stride) + c;
      for (int x = 0; x < frame->width; x++) to[4 * x] = from[x];
    }
  }
  if (result >= 0) {
    target->data[0] = target->buf[0]->data;
    target->linesize[0] = (int)stride;
    target->width = frame->width;
    target->height = frame->height;
    target->format = frame->format;
  }
  av_frame_unref(frame);
  if (result >= 0) av_frame_move_ref(frame, target);
  av_frame_free(&target);
  return result;
}
