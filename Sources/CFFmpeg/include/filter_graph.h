// libavfilter graphs for video: frames in, one frame out.
#pragma once
#include "common.h"
#include "read_video.h"
#include "write_encoder.h"

/// Maximum number of inputs of a graph.
enum { CFF_FILTER_INPUTS = 2 };

/// The format of a graph's input and output frames, which are all alike.
typedef struct cff_filter_surface {
  /// PixelFormat's name. `rgbaf32` is rearranged to planes on input and back on output.
  const char *pixel_format;
  int32_t width, height;
  int32_t aspect_numerator, aspect_denominator;
  cff_color color;
  /// Duration of a tick in seconds, as a ratio.
  int32_t tick_numerator, tick_denominator;
  /// Frames per second, as a ratio; some filters require it.
  int32_t rate_numerator, rate_denominator;
  /// Whether the format's alpha is significant.
  bool uses_alpha;
} cff_filter_surface;

/// Bits for the conversions that libavfilter inserts to bring frames into a format that a filter takes.
enum {
  /// Chroma is resampled to another grid.
  CFF_CONVERTS_CHROMA_GRID = 1,
  /// Bits are lost.
  CFF_CONVERTS_DEPTH = 2,
  /// Color is lost.
  CFF_CONVERTS_TO_GREY = 4,
  /// R, G, B is converted to Y′, Cb, Cr or back.
  CFF_CONVERTS_FAMILY = 8,
  /// Alpha is lost.
  CFF_CONVERTS_ALPHA = 16,
};

/// A configured graph; used by one thread at a time, but not always the same one.
typedef struct cff_filter_graph cff_filter_graph;

/// Builds a graph from libavfilter's own notation. Open inputs are called `[0]` and `[1]` or have no name; one output is open. `input_count` is the number of
/// available inputs; those that the graph doesn't use get no frames.
cff_status cff_filter_graph_open(
    const char *text, const cff_filter_surface *surface, int input_count, int thread_count, cff_filter_graph **graph,
    cff_failure *failure);

/// Frees a graph; NULL is allowed. Frames already returned stay valid.
void cff_filter_graph_close(cff_filter_graph *graph);

/// CFF_CONVERTS_… bits of the inserted conversions.
int cff_filter_graph_conversions(const cff_filter_graph *graph);

/// Whether the graph uses input `index`.
bool cff_filter_graph_takes(const cff_filter_graph *graph, int index);

/// Changes an option of the graph's only filter of a name, for later frames.
cff_status cff_filter_graph_set(
    cff_filter_graph *graph, const char *filter, const char *option, const char *value, cff_failure *failure);

/// Lends a frame to an input, which only reads it. `release` is called in every case, also on failure. A frame for an unused input is released at once.
cff_status cff_filter_graph_push(
    cff_filter_graph *graph, int index, const cff_lent_picture *picture, cff_failure *failure);

/// Returns the next output frame with its time in ticks; CFF_END if the graph needs more input.
cff_status cff_filter_graph_pull(cff_filter_graph *graph, cff_picture *picture, cff_failure *failure);
