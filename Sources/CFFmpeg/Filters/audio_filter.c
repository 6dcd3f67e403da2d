#include "audio_filter.h"

#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/buffer.h>
#include <libavutil/channel_layout.h>
#include <stdio.h>
#include <string.h>

#include "Filters/filter_internal.h"
#include "Filters/filter_log.h"

enum { most_channels = 8 };

struct cff_audio_filter {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  /// The input, in memory of the pool.
  AVFrame *input;
  /// The last output, and how much of it was taken.
  AVFrame *output;
  int taken;
  AVBufferPool *pool;
  /// Capacity of the pool's buffers in samples per channel.
  int pool_capacity;
  int sample_rate, channel_count;
  int64_t position;
  /// Metadata of the samples received last.
  AVDictionary *metadata;
};

// MARK: building

static int create_source(cff_audio_filter *g) {
  g->source = avfilter_graph_alloc_filter(g->graph, avfilter_get_by_name("abuffer"), "in");
  AVBufferSrcParameters *parameters = av_buffersrc_parameters_alloc();
  if (!g->source || !parameters) {
    av_free(parameters);
    return AVERROR(ENOMEM);
  }
  parameters->format = AV_SAMPLE_FMT_FLTP;
  parameters->sample_rate = g->sample_rate;
  parameters->time_base = (AVRational){1, g->sample_rate};
  av_channel_layout_default(&parameters->ch_layout, g->channel_count);
  int result = av_buffersrc_parameters_set(g->source, parameters);
  av_channel_layout_uninit(&parameters->ch_layout);
  av_free(parameters);
  return result >= 0 ? avfilter_init_str(g->source, NULL) : result;
}

/// A sink after a filter that makes libavfilter convert back to the input's format.
static int create_sink(cff_audio_filter *g, AVFilterContext **first) {
  char layout[64], options[160];
  AVChannelLayout channels = {0};
  av_channel_layout_default(&channels, g->channel_count);
  int result = av_channel_layout_describe(&channels, layout, sizeof layout);
  av_channel_layout_uninit(&channels);
  if (result < 0) return result;
  snprintf(
      options, sizeof options, "sample_fmts=fltp:sample_rates=%d:channel_layouts=%s", g->sample_rate, layout);
  result = avfilter_graph_create_filter(first, avfilter_get_by_name("aformat"), "back", options, NULL, g->graph);
  if (result >= 0)
    result = avfilter_graph_create_filter(&g->sink, avfilter_get_by_name("abuffersink"), "out", NULL, NULL, g->graph);
  return result >= 0 ? avfilter_link(*first, 0, g->sink, 0) : result;
}

static bool is_audio(const AVFilterInOut *end, bool is_output) {
  const AVFilterPad *pads = is_output ? end->filter_ctx->output_pads : end->filter_ctx->input_pads;
  return avfilter_pad_get_type(pads, end->pad_idx) == AVMEDIA_TYPE_AUDIO;
}

static cff_status connect(cff_audio_filter *g, AVFilterInOut *inputs, AVFilterInOut *outputs, cff_failure *failure) {
  if (!inputs || inputs->next || !is_audio(inputs, false))
    return cff_fail(failure, CFF_INVALID, "the graph does not take one audio input");
  if (!outputs || outputs->next || !is_audio(outputs, true))
    return cff_fail(failure, CFF_INVALID, "the graph does not give one audio output");
  AVFilterContext *back = NULL;
  int result = create_source(g);
  if (result >= 0) result = create_sink(g, &back);
  if (result >= 0) result = avfilter_link(g->source, 0, inputs->filter_ctx, (unsigned)inputs->pad_idx);
  if (result >= 0) result = avfilter_link(outputs->filter_ctx, (unsigned)outputs->pad_idx, back, 0);
  return result < 0 ? cff_fail_av(failure, result, CFF_INVALID, "the graph could not be joined") : CFF_OK;
}

static cff_status parse(cff_audio_filter *g, const char *text, cff_failure *failure) {
  char log[200];
  AVFilterInOut *inputs = NULL, *outputs = NULL;
  cff_log_begin(log, sizeof log);
  int result = avfilter_graph_parse2(g->graph, text, &inputs, &outputs);
  cff_status status = CFF_OK;
  if (result >= 0) status = connect(g, inputs, outputs, failure);
  if (result >= 0 && status == CFF_OK) result = avfilter_graph_config(g->graph, NULL);
  cff_log_end();
  avfilter_inout_free(&inputs);
  avfilter_inout_free(&outputs);
  if (status != CFF_OK || result >= 0) return status;
  return cff_fail_logged(failure, result == AVERROR(ENOMEM) ? "" : log, result, "libavfilter refused the graph");
}

cff_status cff_audio_filter_open(
    const char *text, int sample_rate, int channel_count, cff_audio_filter **graph, cff_failure *failure) {
  *graph = NULL;
  if (channel_count < 1 || channel_count > most_channels || sample_rate < 1)
    return cff_fail(failure, CFF_INVALID, "%d channels at %d Hz cannot be filtered", channel_count, sample_rate);
  cff_audio_filter *g = av_mallocz(sizeof *g);
  if (!g) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  g->sample_rate = sample_rate;
  g->channel_count = channel_count;
  g->graph = avfilter_graph_alloc();
  g->input = av_frame_alloc();
  g->output = av_frame_alloc();
  cff_status status = CFF_OK;
  if (!g->graph || !g->input || !g->output) {
    status = cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  } else {
    // One thread, so that samples do not depend on the machine.
    g->graph->nb_threads = 1;
    status = parse(g, text, failure);
  }
  if (status != CFF_OK) {
    cff_audio_filter_close(g);
    return status;
  }
  *graph = g;
  return CFF_OK;
}

void cff_audio_filter_close(cff_audio_filter *g) {
  if (!g) return;
  avfilter_graph_free(&g->graph);
  av_frame_free(&g->input);
  av_frame_free(&g->output);
  av_buffer_pool_uninit(&g->pool);
  av_dict_free(&g->metadata);
  av_free(g);
}

// MARK: samples in

/// Gives `input` its own memory for `count` samples.
static int prepare_input(cff_audio_filter *g, int count) {
  if (!g->pool || count > g->pool_capacity) {
    // A multiple of 16 samples keeps every channel aligned.
    int capacity = (count + 15) / 16 * 16;
    av_buffer_pool_uninit(&g->pool);
    g->pool = av_buffer_pool_init((size_t)capacity * (size_t)g->channel_count * sizeof(float), NULL);
    if (!g->pool) return AVERROR(ENOMEM);
    g->pool_capacity = capacity;
  }
  AVFrame *frame = g->input;
  frame->buf[0] = av_buffer_pool_get(g->pool);
  if (!frame->buf[0]) return AVERROR(ENOMEM);
  for (int channel = 0; channel < g->channel_count; channel++)
    frame->data[channel] = frame->buf[0]->data + (size_t)channel * (size_t)g->pool_capacity * sizeof(float);
  frame->extended_data = frame->data;
  frame->linesize[0] = g->pool_capacity * (int)sizeof(float);
  frame->nb_samples = count;
  frame->format = AV_SAMPLE_FMT_FLTP;
  frame->sample_rate = g->sample_rate;
  frame->pts = g->position;
  av_channel_layout_default(&frame->ch_layout, g->channel_count);
  return 0;
}

static cff_status push(cff_audio_filter *g, AVFrame *frame, cff_failure *failure) {
  char log[200];
  cff_log_begin(log, sizeof log);
  int result = av_buffersrc_add_frame(g->source, frame);
  cff_log_end();
  if (result >= 0) return CFF_OK;
  return cff_fail_logged(failure, log, result, "the graph did not take samples");
}

cff_status cff_audio_filter_send(
    cff_audio_filter *g, const float *const *channels, int count, cff_failure *failure) {
  if (count <= 0) return CFF_OK;
  int result = prepare_input(g, count);
  if (result < 0) {
    av_frame_unref(g->input);
    return cff_fail_av(failure, result, CFF_NO_RESOURCE, "samples could not be sent");
  }
  for (int channel = 0; channel < g->channel_count; channel++)
    memcpy(g->input->data[channel], channels[channel], (size_t)count * sizeof(float));
  g->position += count;
  cff_status status = push(g, g->input, failure);
  av_frame_unref(g->input);
  return status;
}

cff_status cff_audio_filter_send_end(cff_audio_filter *g, cff_failure *failure) { return push(g, NULL, failure); }

// MARK: samples out

static cff_status pull(cff_audio_filter *g, bool *is_empty, cff_failure *failure) {
  char log[200];
  av_frame_unref(g->output);
  g->taken = 0;
  cff_log_begin(log, sizeof log);
  int result = av_buffersink_get_frame(g->sink, g->output);
  cff_log_end();
  *is_empty = result == AVERROR(EAGAIN);
  if (result >= 0 || *is_empty) return CFF_OK;
  if (result == AVERROR_EOF) return CFF_END;
  return cff_fail_logged(failure, log, result, "the graph made no samples");
}

cff_status cff_audio_filter_receive(
    cff_audio_filter *g, float *const *channels, int capacity, int *count, cff_failure *failure) {
  *count = 0;
  while (*count < capacity) {
    if (g->taken >= g->output->nb_samples) {
      bool is_empty = false;
      cff_status status = pull(g, &is_empty, failure);
      if (status == CFF_END && *count > 0) return CFF_OK;
      if (status != CFF_OK || is_empty) return status;
    }
    int part = FFMIN(capacity - *count, g->output->nb_samples - g->taken);
    for (int channel = 0; channel < g->channel_count; channel++) {
      const float *samples = (const float *)g->output->extended_data[channel] + g->taken;
      memcpy(channels[channel] + *count, samples, (size_t)part * sizeof(float));
    }
    g->taken += part;
    *count += part;
    if (g->output->metadata) {
      av_dict_free(&g->metadata);
      int result = av_dict_copy(&g->metadata, g->output->metadata, 0);
      if (result < 0) return cff_fail_av(failure, result, CFF_NO_RESOURCE, "metadata could not be kept");
    }
  }
  return CFF_OK;
}

const char *cff_audio_filter_metadata(const cff_audio_filter *g, const char *key) {
  const AVDictionaryEntry *entry = av_dict_get(g->metadata, key, NULL, 0);
  return entry ? entry->value : NULL;
}

// MARK: commands

cff_status cff_audio_filter_command(
    cff_audio_filter *g, const char *filter, const char *command, const char *value, cff_failure *failure) {
  return cff_filter_command(g->graph, filter, command, value, failure);
}
