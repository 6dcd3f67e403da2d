#include "Video/read_video_internal.h"

#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/opt.h>
#include <stdio.h>

void cff_deinterlacer_reset(cff_deinterlacer *d) {
  avfilter_graph_free(&d->graph);
  d->source = d->sink = NULL;
}

void cff_take_stated_fields(const AVStream *stream, AVFrame *frame) {
  int order = cff_stated_field_order(stream);
  if (order == 0 || cff_frame_is_interlaced(frame) || !cff_codec_lacks_fields(stream->codecpar->codec_id)) return;
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  frame->flags |= AV_FRAME_FLAG_INTERLACED;
  if (order == 1) frame->flags |= AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  frame->interlaced_frame = 1;
  frame->top_field_first = order == 1;
#endif
}

static int create_source(cff_deinterlacer *d, const AVFrame *frame) {
  d->source = avfilter_graph_alloc_filter(d->graph, avfilter_get_by_name("buffer"), "in");
  AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();
  if (!d->source || !parameters) {
    av_free(parameters);
    return AVERROR(ENOMEM);
  }
  parameters->format = frame->format;
  parameters->width = frame->width;
  parameters->height = frame->height;
  parameters->time_base = d->time_base;
  parameters->sample_aspect_ratio = frame->sample_aspect_ratio;
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(10, 4, 100)
  parameters->color_space = frame->colorspace;
  parameters->color_range = frame->color_range;
#endif
  int result = av_buffersrc_parameters_set(d->source, parameters);
  av_free(parameters);
  return result < 0 ? result : avfilter_init_str(d->source, NULL);
}

static int build(cff_deinterlacer *d, const AVFrame *frame) {
  cff_deinterlacer_reset(d);
  const AVFilter *bwdif = avfilter_get_by_name("bwdif");
  if (!bwdif) return AVERROR_FILTER_NOT_FOUND;
  d->graph = avfilter_graph_alloc();
  if (!d->graph) return AVERROR(ENOMEM);
  d->graph->nb_threads = 1;
  AVFilterContext *filter = NULL;
  int result = create_source(d, frame);
  if (result >= 0) {
    const char *arguments = d->by_field ? "mode=send_field:deint=interlaced" : "mode=send_frame:deint=interlaced";
    result = avfilter_graph_create_filter(&filter, bwdif, "bwdif", arguments, NULL, d->graph);
  }
  if (result >= 0) {
    result = avfilter_graph_create_filter(&d->sink, avfilter_get_by_name("buffersink"), "out", NULL, NULL, d->graph);
  }
  if (result >= 0) result = avfilter_link(d->source, 0, filter, 0);
  if (result >= 0) result = avfilter_link(filter, 0, d->sink, 0);
  if (result >= 0) result = avfilter_graph_config(d->graph, NULL);
  d->width = frame->width;
  d->height = frame->height;
  d->format = frame->format;
  if (result < 0) cff_deinterlacer_reset(d);
  return result;
}

int cff_deinterlacer_send(cff_deinterlacer *d, AVFrame *frame) {
  if (!frame) return d->graph ? av_buffersrc_add_frame_flags(d->source, NULL, AV_BUFFERSRC_FLAG_PUSH) : 0;
  if (!d->graph || d->width != frame->width || d->height != frame->height || d->format != frame->format) {
    int result = build(d, frame);
    if (result < 0) return result;
  }
  return av_buffersrc_add_frame_flags(d->source, frame, AV_BUFFERSRC_FLAG_KEEP_REF | AV_BUFFERSRC_FLAG_PUSH);
}

int cff_deinterlacer_receive(cff_deinterlacer *d, AVFrame *frame) {
  if (!d->graph) return AVERROR_EOF;
  int result = av_buffersink_get_frame(d->sink, frame);
  if (result < 0) return result;
  if (frame->pts != AV_NOPTS_VALUE) {
    AVRational half = av_mul_q(d->time_base, (AVRational){1, 2});
    frame->pts = av_rescale_q(frame->pts, av_buffersink_get_time_base(d->sink), half);
  }
  return 0;
}
