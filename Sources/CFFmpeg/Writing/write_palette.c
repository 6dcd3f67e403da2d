#include "write_palette.h"

#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <stdio.h>
#include <string.h>

#include "Common/common_internal.h"
#include "Writing/write_internal.h"

// Graphs of libavfilter's palettegen and paletteuse for B, G, R, A frames.

enum { side = 16 };

/// Adds a B, G, R, A source.
static int add_source(
    AVFilterGraph *graph, const char *name, int width, int height, AVRational tick, AVFilterContext **source) {
  char text[160];
  snprintf(text, sizeof text, "video_size=%dx%d:pix_fmt=bgra:time_base=%d/%d:pixel_aspect=1/1", width, height, tick.num,
           tick.den);
  return avfilter_graph_create_filter(source, avfilter_get_by_name("buffer"), name, text, NULL, graph);
}

static AVFilterInOut *pad_of(AVFilterContext *filter, const char *name, AVFilterInOut *next) {
  AVFilterInOut *pad = avfilter_inout_alloc();
  if (!pad) return next;
  pad->name = av_strdup(name);
  pad->filter_ctx = filter;
  pad->next = next;
  return pad;
}

/// Connects a filter chain with sources named `in` and `palette`, and a sink.
static int connect_graph(
    AVFilterGraph *graph, const char *text, AVFilterContext *source, AVFilterContext *palette, AVFilterContext **sink) {
  int error = avfilter_graph_create_filter(sink, avfilter_get_by_name("buffersink"), "out", NULL, NULL, graph);
  if (error < 0) return error;
  AVFilterInOut *outputs = pad_of(source, "in", palette ? pad_of(palette, "palette", NULL) : NULL);
  AVFilterInOut *inputs = pad_of(*sink, "out", NULL);
  error = outputs && inputs ? avfilter_graph_parse_ptr(graph, text, &inputs, &outputs, NULL) : AVERROR(ENOMEM);
  avfilter_inout_free(&inputs);
  avfilter_inout_free(&outputs);
  return error < 0 ? error : avfilter_graph_config(graph, NULL);
}

static AVFilterGraph *make_graph(void) {
  cff_prepare();
  AVFilterGraph *graph = avfilter_graph_alloc();
  // Slices would not change the result, and only one filter runs at a time.
  if (graph) graph->nb_threads = 1;
  return graph;
}

/// Sends a palette to its source, as a frame of 16 × 16, for all frames.
static int give_palette(AVFilterContext *source, AVFrame *frame, const uint32_t *colors) {
  av_frame_unref(frame);
  frame->width = frame->height = side;
  frame->format = AV_PIX_FMT_BGRA;
  frame->pts = 0;
  int error = av_frame_get_buffer(frame, 0);
  if (error < 0) return error;
  for (int row = 0; row < side; row++)
    memcpy(frame->data[0] + row * frame->linesize[0], colors + row * side, side * sizeof *colors);
  error = av_buffersrc_add_frame(source, frame);
  av_frame_unref(frame);
  return error < 0 ? error : av_buffersrc_add_frame(source, NULL);
}

static int attach(cff_encoder *encoder, const cff_palette_use *use) {
  const AVCodecContext *context = encoder->context;
  encoder->graph = make_graph();
  if (!encoder->graph) return AVERROR(ENOMEM);
  AVFilterContext *palette = NULL;
  int error = add_source(encoder->graph, "in", context->width, context->height, context->time_base, &encoder->source);
  if (error >= 0 && use->colors) error = add_source(encoder->graph, "palette", side, side, context->time_base, &palette);
  if (error < 0) return error;
  char text[240];
  if (use->colors) {
    snprintf(text, sizeof text, "[in][palette]paletteuse=dither=%s[out]", use->dithering);
  } else {
    snprintf(text, sizeof text,
             "[in]split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=%d[p];[b][p]paletteuse=new=1:dither=%s[out]",
             use->is_transparent, use->dithering);
  }
  error = connect_graph(encoder->graph, text, encoder->source, palette, &encoder->sink);
  return error >= 0 && use->colors ? give_palette(palette, encoder->frame, use->colors) : error;
}

int cff_palette_attach(cff_encoder *encoder, const cff_palette_use *use) {
  int error = attach(encoder, use);
  if (error >= 0) encoder->context->pix_fmt = AV_PIX_FMT_PAL8;
  return error;
}

int cff_palette_forward(cff_encoder *encoder) {
  if (encoder->is_ended) return AVERROR(EAGAIN);
  av_frame_unref(encoder->frame);
  int error = av_buffersink_get_frame(encoder->sink, encoder->frame);
  if (error == AVERROR_EOF) {
    encoder->is_ended = true;
    return avcodec_send_frame(encoder->context, NULL);
  }
  if (error < 0) return error;
  error = avcodec_send_frame(encoder->context, encoder->frame);
  av_frame_unref(encoder->frame);
  return error;
}

// MARK: the palette of many frames

struct cff_palette_maker {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  AVFrame *frame;
  int width, height;
  int64_t count;
};

static int create_maker(cff_palette_maker *maker, bool is_transparent) {
  maker->graph = make_graph();
  maker->frame = av_frame_alloc();
  if (!maker->graph || !maker->frame) return AVERROR(ENOMEM);
  int error = add_source(maker->graph, "in", maker->width, maker->height, (AVRational){1, 100}, &maker->source);
  char text[80];
  snprintf(text, sizeof text, "[in]palettegen=reserve_transparent=%d[out]", is_transparent);
  return error < 0 ? error : connect_graph(maker->graph, text, maker->source, NULL, &maker->sink);
}

cff_status cff_palette_maker_create(
    int width, int height, bool is_transparent, cff_palette_maker **result, cff_failure *failure) {
  *result = NULL;
  cff_palette_maker *maker = av_mallocz(sizeof *maker);
  if (!maker) return cff_encoding(AVERROR(ENOMEM), failure);
  maker->width = width;
  maker->height = height;
  int error = create_maker(maker, is_transparent);
  if (error < 0) cff_palette_maker_destroy(&maker);
  *result = maker;
  return cff_encoding(error, failure);
}

static int add(cff_palette_maker *maker, const uint8_t *pixels, ptrdiff_t stride) {
  AVFrame *frame = maker->frame;
  av_frame_unref(frame);
  frame->width = maker->width;
  frame->height = maker->height;
  frame->format = AV_PIX_FMT_BGRA;
  frame->pts = maker->count++;
  int error = av_frame_get_buffer(frame, 0);
  if (error < 0) return error;
  for (int row = 0; row < maker->height; row++)
    memcpy(frame->data[0] + row * frame->linesize[0], pixels + row * stride, (size_t)maker->width * 4);
  error = av_buffersrc_add_frame(maker->source, frame);
  av_frame_unref(frame);
  if (error < 0) return error;
  // There is no output before the end; asking makes the filter process the frame and release it.
  error = av_buffersink_get_frame(maker->sink, frame);
  return error == AVERROR(EAGAIN) ? 0 : error;
}

cff_status cff_palette_maker_add(
    cff_palette_maker *maker, const uint8_t *pixels, ptrdiff_t stride, cff_failure *failure) {
  return cff_encoding(add(maker, pixels, stride), failure);
}

static int finish(cff_palette_maker *maker, uint32_t colors[CFF_PALETTE_SIZE]) {
  av_frame_unref(maker->frame);
  int error = av_buffersrc_add_frame(maker->source, NULL);
  if (error >= 0) error = av_buffersink_get_frame(maker->sink, maker->frame);
  if (error < 0) return error;
  for (int row = 0; row < side; row++)
    memcpy(colors + row * side, maker->frame->data[0] + row * maker->frame->linesize[0], side * sizeof *colors);
  return 0;
}

cff_status cff_palette_maker_finish(
    cff_palette_maker *maker, uint32_t colors[CFF_PALETTE_SIZE], cff_failure *failure) {
  return cff_encoding(finish(maker, colors), failure);
}

void cff_palette_maker_destroy(cff_palette_maker **reference) {
  cff_palette_maker *maker = *reference;
  if (!maker) return;
  avfilter_graph_free(&maker->graph);
  av_frame_free(&maker->frame);
  av_freep(reference);
}
