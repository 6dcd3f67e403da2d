// The decoder's parts: decoding, deinterlacing, conversion of pixel formats.
#pragma once
#include "read_internal.h"
#include "read_video.h"
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libswscale/swscale.h>

/// How pictures of one libav format become pictures of one of ours.
typedef struct cff_format_rule {
  enum AVPixelFormat from;
  /// Same as `from` where memory is handed on untouched.
  enum AVPixelFormat to;
  const char *name;
  bool is_full_range;
} cff_format_rule;

/// The rule for a format; NULL where there is none.
const cff_format_rule *cff_rule_for(enum AVPixelFormat format);

/// Converts pictures that need it; keeps its scaler and its memory from picture to picture.
typedef struct cff_converter {
  struct SwsContext *scaler;
  int width, height;
  enum AVPixelFormat from, to;
  AVBufferPool *pool;
  int pool_size;
} cff_converter;

/// Replaces `frame` by its converted copy. Returns a libav error.
int cff_convert(cff_converter *converter, AVFrame *frame, const cff_format_rule *rule);
void cff_converter_close(cff_converter *converter);

/// A bwdif filter that is rebuilt where the pictures change their shape.
typedef struct cff_deinterlacer {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  int width, height;
  enum AVPixelFormat format;
  AVRational time_base;
  bool by_field;
} cff_deinterlacer;

/// Gives a frame to the filter (NULL: no more will come). Returns a libav error.
int cff_deinterlacer_send(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Takes a frame from it, times in half units of the stream's time base. AVERROR(EAGAIN) where it needs more.
int cff_deinterlacer_receive(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Forgets everything.
void cff_deinterlacer_reset(cff_deinterlacer *deinterlacer);

static inline bool cff_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_KEY;
#else
  return frame->key_frame;
#endif
}

static inline bool cff_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
  return frame->interlaced_frame;
#endif
}

static inline bool cff_frame_is_top_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  return frame->top_field_first;
#endif
}

static inline int64_t cff_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}
