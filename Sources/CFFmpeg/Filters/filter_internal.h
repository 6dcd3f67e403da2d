// Definitions that the parts of the filter graph share.
#pragma once
#include "Common/common_internal.h"
#include "filter_graph.h"

#include <libavfilter/avfilter.h>
#include <libavutil/buffer.h>

struct cff_filter_graph {
  AVFilterGraph *graph;
  AVFilterContext *sources[CFF_FILTER_INPUTS];
  AVFilterContext *sink;
  AVFrame *frame;
  /// The format inside the graph; differs from the surface's only for packed float.
  enum AVPixelFormat format;
  bool is_packed_float;
  /// Memory for rearranged float frames.
  AVBufferPool *planar, *packed;
  cff_filter_surface surface;
  /// PixelFormat's name, which outlives the caller's.
  char name[16];
  int conversions;
};

/// Creates the sources and the sink, and connects them to the open pads of the graph.
cff_status cff_filter_connect(
    cff_filter_graph *g, AVFilterInOut *inputs, AVFilterInOut *outputs, int input_count, cff_failure *failure);

/// Sends an option's new value to the first filter of a name in a configured graph.
cff_status cff_filter_command(
    const AVFilterGraph *graph, const char *filter, const char *option, const char *value, cff_failure *failure);

/// CFF_CONVERTS_… bits of the conversions in a configured graph.
int cff_filter_find_conversions(const AVFilterGraph *graph, enum AVPixelFormat surface, bool uses_alpha);

/// A planar float copy of a packed frame; its buffer comes from the graph's pool.
int cff_float_to_planar(cff_filter_graph *g, AVFrame *frame);
/// The reverse: `frame` becomes one packed plane.
int cff_float_to_packed(cff_filter_graph *g, AVFrame *frame);
