#include "Filters/filter_internal.h"

#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <string.h>

// MARK: ends

static int create_source(cff_filter_graph *g, int index) {
  char name[16];
  snprintf(name, sizeof name, "in%d", index);
  AVFilterContext *source = avfilter_graph_alloc_filter(g->graph, avfilter_get_by_name("buffer"), name);
  AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();
  if (!source || !parameters) {
    av_free(parameters);
    return AVERROR(ENOMEM);
  }
  const cff_filter_surface *s = &g->surface;
  parameters->format = g->format;
  parameters->width = s->width;
  parameters->height = s->height;
  parameters->time_base = (AVRational){s->tick_numerator, s->tick_denominator};
  parameters->frame_rate = (AVRational){s->rate_numerator, s->rate_denominator};
  parameters->sample_aspect_ratio = (AVRational){s->aspect_numerator, s->aspect_denominator};
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(10, 4, 100)
  parameters->color_space = s->color.matrix;
  parameters->color_range = s->color.range;
#endif
  int result = av_buffersrc_parameters_set(source, parameters);
  av_free(parameters);
  if (result >= 0) result = avfilter_init_str(source, NULL);
  if (result >= 0) g->sources[index] = source;
  return result;
}

static int create_sink(cff_filter_graph *g) {
  AVFilterContext *sink = avfilter_graph_alloc_filter(g->graph, avfilter_get_by_name("buffersink"), "out");
  if (!sink) return AVERROR(ENOMEM);
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(10, 6, 100)
  int result = av_opt_set_array(sink, "pixel_formats", AV_OPT_SEARCH_CHILDREN, 0, 1, AV_OPT_TYPE_PIXEL_FMT, &g->format);
#else
  int result = av_opt_set_bin(
      sink, "pix_fmts", (const uint8_t *)&g->format, sizeof g->format, AV_OPT_SEARCH_CHILDREN);
#endif
  if (result >= 0) result = avfilter_init_str(sink, NULL);
  g->sink = sink;
  return result;
}

/// The input number of a label (`0`, `1`, also `0:v`); -1 for other labels.
static int numbered(const char *label) {
  if (label[0] < '0' || label[0] > '9' || (label[1] && label[1] != ':')) return -1;
  return label[0] - '0';
}

static int next_free(const cff_filter_graph *g, int input_count) {
  for (int index = 0; index < input_count; index++)
    if (!g->sources[index]) return index;
  return -1;
}

static cff_status connect_input(cff_filter_graph *g, AVFilterInOut *input, int input_count, cff_failure *failure) {
  int index = input->name ? numbered(input->name) : next_free(g, input_count);
  if (index < 0 && input->name) return cff_fail(failure, CFF_INVALID, "nothing is called [%s]: inputs are [0] and [1]", input->name);
  if (index < 0 || index >= input_count)
    return cff_fail(failure, CFF_INVALID, "the graph takes more than the %d inputs there are", input_count);
  if (g->sources[index]) return cff_fail(failure, CFF_INVALID, "[%d] is used twice: begin with [%d]split", index, index);
  if (avfilter_pad_get_type(input->filter_ctx->input_pads, input->pad_idx) != AVMEDIA_TYPE_VIDEO)
    return cff_fail(failure, CFF_INVALID, "the graph takes audio");
  int result = create_source(g, index);
  if (result >= 0) result = avfilter_link(g->sources[index], 0, input->filter_ctx, (unsigned)input->pad_idx);
  return result < 0 ? cff_fail_av(failure, result, CFF_INVALID, "an input could not be joined") : CFF_OK;
}

static cff_status connect_output(cff_filter_graph *g, AVFilterInOut *outputs, cff_failure *failure) {
  if (!outputs) return cff_fail(failure, CFF_INVALID, "the graph has no output");
  if (outputs->next) return cff_fail(failure, CFF_INVALID, "the graph has more than one output");
  if (avfilter_pad_get_type(outputs->filter_ctx->output_pads, outputs->pad_idx) != AVMEDIA_TYPE_VIDEO)
    return cff_fail(failure, CFF_INVALID, "the graph outputs audio");
  int result = create_sink(g);
  if (result >= 0) result = avfilter_link(outputs->filter_ctx, (unsigned)outputs->pad_idx, g->sink, 0);
  return result < 0 ? cff_fail_av(failure, result, CFF_INVALID, "the output could not be joined") : CFF_OK;
}

cff_status cff_filter_connect(
    cff_filter_graph *g, AVFilterInOut *inputs, AVFilterInOut *outputs, int input_count, cff_failure *failure) {
  // Named inputs first, so that the others take what remains.
  for (int named = 1; named >= 0; named--) {
    for (AVFilterInOut *input = inputs; input; input = input->next) {
      if ((input->name != NULL) != named) continue;
      cff_status status = connect_input(g, input, input_count, failure);
      if (status != CFF_OK) return status;
    }
  }
  return connect_output(g, outputs, failure);
}

// MARK: conversions

/// `depth` is that of the frames: additional bits in between gain nothing, and dropping them again loses nothing.
static int conversion(const AVPixFmtDescriptor *from, const AVPixFmtDescriptor *to, int depth, bool uses_alpha) {
  int bits = 0;
  bool from_alpha = from->flags & AV_PIX_FMT_FLAG_ALPHA, to_alpha = to->flags & AV_PIX_FMT_FLAG_ALPHA;
  int from_colors = from->nb_components - from_alpha, to_colors = to->nb_components - to_alpha;
  if (from_colors > to_colors) bits |= CFF_CONVERTS_TO_GREY;
  if (to->comp[0].depth < depth) bits |= CFF_CONVERTS_DEPTH;
  if (uses_alpha && from_alpha && !to_alpha) bits |= CFF_CONVERTS_ALPHA;
  if ((from->flags ^ to->flags) & AV_PIX_FMT_FLAG_RGB) bits |= CFF_CONVERTS_FAMILY;
  if (from->log2_chroma_w != to->log2_chroma_w || from->log2_chroma_h != to->log2_chroma_h)
    bits |= CFF_CONVERTS_CHROMA_GRID;
  return bits;
}

int cff_filter_find_conversions(const AVFilterGraph *graph, enum AVPixelFormat surface, bool uses_alpha) {
  int bits = 0;
  const AVPixFmtDescriptor *pictures = av_pix_fmt_desc_get(surface);
  for (unsigned i = 0; i < graph->nb_filters; i++) {
    const AVFilterContext *filter = graph->filters[i];
    if (strncmp(filter->name, "auto_scale", 10) || filter->nb_inputs != 1 || filter->nb_outputs != 1) continue;
    const AVPixFmtDescriptor *from = av_pix_fmt_desc_get(filter->inputs[0]->format);
    const AVPixFmtDescriptor *to = av_pix_fmt_desc_get(filter->outputs[0]->format);
    if (from && to && pictures) bits |= conversion(from, to, pictures->comp[0].depth, uses_alpha);
  }
  return bits;
}
