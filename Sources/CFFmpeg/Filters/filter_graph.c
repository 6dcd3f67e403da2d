#include "filter_graph.h"

#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/mathematics.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

#include "Filters/filter_internal.h"
#include "Filters/filter_log.h"
#include "Reading/read_internal.h"

// MARK: building

static cff_status parse(cff_filter_graph *g, const char *text, int input_count, cff_failure *failure) {
  char log[200];
  AVFilterInOut *inputs = NULL, *outputs = NULL;
  cff_log_begin(log, sizeof log);
  int result = avfilter_graph_parse2(g->graph, text, &inputs, &outputs);
  cff_status status = CFF_OK;
  if (result >= 0) status = cff_filter_connect(g, inputs, outputs, input_count, failure);
  if (result >= 0 && status == CFF_OK) result = avfilter_graph_config(g->graph, NULL);
  cff_log_end();
  avfilter_inout_free(&inputs);
  avfilter_inout_free(&outputs);
  if (status != CFF_OK || result >= 0) return status;
  return cff_fail_logged(failure, result == AVERROR(ENOMEM) ? "" : log, result, "libavfilter refused the graph");
}

static cff_status prepare(cff_filter_graph *g, const cff_filter_surface *surface, int threads, cff_failure *failure) {
  g->graph = avfilter_graph_alloc();
  g->frame = av_frame_alloc();
  if (!g->graph || !g->frame) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  g->graph->nb_threads = threads;
  g->surface = *surface;
  snprintf(g->name, sizeof g->name, "%s", surface->pixel_format);
  g->surface.pixel_format = g->name;
  g->is_packed_float = strcmp(g->name, "rgbaf32") == 0;
  g->format = g->is_packed_float ? AV_PIX_FMT_GBRAPF32 : av_get_pix_fmt(g->name);
  if (g->format == AV_PIX_FMT_NONE) return cff_fail(failure, CFF_NO_FORMAT, "libavfilter has no format %s", g->name);
  return CFF_OK;
}

cff_status cff_filter_graph_open(
    const char *text, const cff_filter_surface *surface, int input_count, int thread_count, cff_filter_graph **graph,
    cff_failure *failure) {
  *graph = NULL;
  if (input_count < 0 || input_count > CFF_FILTER_INPUTS) return cff_fail(failure, CFF_INVALID, "too many inputs");
  cff_filter_graph *g = av_mallocz(sizeof *g);
  if (!g) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  cff_status status = prepare(g, surface, thread_count, failure);
  if (status == CFF_OK) status = parse(g, text, input_count, failure);
  if (status != CFF_OK) {
    cff_filter_graph_close(g);
    return status;
  }
  g->conversions = cff_filter_find_conversions(g->graph, g->format, surface->uses_alpha);
  *graph = g;
  return CFF_OK;
}

void cff_filter_graph_close(cff_filter_graph *g) {
  if (!g) return;
  avfilter_graph_free(&g->graph);
  av_frame_free(&g->frame);
  av_buffer_pool_uninit(&g->planar);
  av_buffer_pool_uninit(&g->packed);
  av_free(g);
}

int cff_filter_graph_conversions(const cff_filter_graph *g) { return g->conversions; }

bool cff_filter_graph_takes(const cff_filter_graph *g, int index) {
  return index >= 0 && index < CFF_FILTER_INPUTS && g->sources[index];
}

cff_status cff_filter_graph_set(
    cff_filter_graph *g, const char *filter, const char *option, const char *value, cff_failure *failure) {
  return cff_filter_command(g->graph, filter, option, value, failure);
}

// MARK: frames in

static void release_lent(void *opaque, uint8_t *data) {
  (void)data;
  cff_lent_picture *picture = opaque;
  picture->release(picture->owner);
  av_free(picture);
}

/// The frame owns the lent memory from here on; on failure it has been released.
static int wrap(cff_filter_graph *g, const cff_lent_picture *picture) {
  AVFrame *frame = g->frame;
  cff_lent_picture *kept = av_memdup(picture, sizeof *picture);
  // Read-only: a filter that works in place makes a copy first.
  AVBufferRef *buffer =
      kept ? av_buffer_create(picture->planes[0], 1, release_lent, kept, AV_BUFFER_FLAG_READONLY) : NULL;
  if (!buffer) {
    av_free(kept);
    picture->release(picture->owner);
    return AVERROR(ENOMEM);
  }
  frame->buf[0] = buffer;
  for (int plane = 0; plane < picture->plane_count; plane++) {
    frame->data[plane] = picture->planes[plane];
    frame->linesize[plane] = (int)picture->strides[plane];
  }
  const cff_filter_surface *s = &g->surface;
  frame->width = s->width;
  frame->height = s->height;
  frame->format = g->format;
  frame->sample_aspect_ratio = (AVRational){s->aspect_numerator, s->aspect_denominator};
  frame->color_primaries = s->color.primaries;
  frame->color_trc = s->color.transfer;
  frame->colorspace = s->color.matrix;
  frame->color_range = s->color.range;
  frame->chroma_location = s->color.location;
  frame->pts = picture->time;
  return 0;
}

cff_status cff_filter_graph_push(
    cff_filter_graph *g, int index, const cff_lent_picture *picture, cff_failure *failure) {
  if (!cff_filter_graph_takes(g, index)) {
    picture->release(picture->owner);
    return CFF_OK;
  }
  char log[200];
  int result = wrap(g, picture);
  cff_log_begin(log, sizeof log);
  if (result >= 0 && g->is_packed_float) result = cff_float_to_planar(g, g->frame);
  if (result >= 0) result = av_buffersrc_add_frame(g->sources[index], g->frame);
  cff_log_end();
  av_frame_unref(g->frame);
  if (result >= 0) return CFF_OK;
  return cff_fail_logged(failure, log, result, "the graph did not take a frame");
}

// MARK: the frame out

static cff_status describe(cff_filter_graph *g, cff_picture *picture, cff_failure *failure) {
  AVFrame *frame = g->frame;
  *picture = (cff_picture){0};
  AVRational tick = {g->surface.tick_numerator, g->surface.tick_denominator};
  picture->time = frame->pts == AV_NOPTS_VALUE
                      ? CFF_NO_TIME
                      : av_rescale_q(frame->pts, av_buffersink_get_time_base(g->sink), tick);
  picture->width = frame->width;
  picture->height = frame->height;
  picture->aspect_numerator = frame->sample_aspect_ratio.num;
  picture->aspect_denominator = frame->sample_aspect_ratio.den;
  cff_tags tags = {
      frame->color_primaries, frame->color_trc, frame->colorspace, frame->color_range, frame->chroma_location};
  picture->color = cff_color_from_tags(&tags);
  picture->format = g->name;
  picture->plane_count = g->is_packed_float ? 1 : av_pix_fmt_count_planes(g->format);
  for (int i = 0; i < picture->plane_count && i < 4; i++) {
    picture->planes[i] = frame->data[i];
    picture->strides[i] = frame->linesize[i];
  }
  AVFrame *reference = av_frame_alloc();
  if (!reference) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  av_frame_move_ref(reference, frame);
  picture->reference = reference;
  return CFF_OK;
}

cff_status cff_filter_graph_pull(cff_filter_graph *g, cff_picture *picture, cff_failure *failure) {
  char log[200];
  cff_log_begin(log, sizeof log);
  int result = av_buffersink_get_frame(g->sink, g->frame);
  if (result >= 0 && g->is_packed_float) result = cff_float_to_packed(g, g->frame);
  cff_log_end();
  cff_status status = CFF_OK;
  if (result == AVERROR(EAGAIN) || result == AVERROR_EOF) {
    status = CFF_END;
  } else if (result < 0) {
    status = cff_fail_logged(failure, log, result, "the graph made no frame");
  } else {
    status = describe(g, picture, failure);
  }
  av_frame_unref(g->frame);
  return status;
}
