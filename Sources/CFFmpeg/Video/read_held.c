// Frames that were decoded while it isn't known yet whether one before them is lost.
#include "Video/read_video_internal.h"

int cff_hold_frame(cff_video *v) {
  enum { first_count = 8 };
  if (!v->held) v->held = av_fifo_alloc2(first_count, sizeof(AVFrame *), AV_FIFO_FLAG_AUTO_GROW);
  AVFrame *frame = v->held ? av_frame_alloc() : NULL;
  if (!frame) return AVERROR(ENOMEM);
  av_frame_move_ref(frame, v->frame);
  int result = av_fifo_write(v->held, &frame, 1);
  if (result < 0) av_frame_free(&frame);
  return result;
}

bool cff_holds_frames(const cff_video *v) { return v->held && av_fifo_can_read(v->held) > 0; }

bool cff_take_held(cff_video *v) {
  AVFrame *frame;
  if (!v->held || av_fifo_read(v->held, &frame, 1) < 0) return false;
  av_frame_unref(v->frame);
  av_frame_move_ref(v->frame, frame);
  av_frame_free(&frame);
  return true;
}

void cff_forget_held(cff_video *v) {
  while (cff_take_held(v)) av_frame_unref(v->frame);
}
