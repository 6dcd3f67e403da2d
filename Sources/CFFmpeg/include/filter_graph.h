// Graphs of libavfilter: pictures in, one picture out.
#pragma once
#include "common.h"
#include "read_video.h"
#include "write_encoder.h"

/// Inputs that a graph may have.
enum { CFF_FILTER_INPUTS = 2 };

/// The pictures that go into a graph, all alike, and come out of it.
typedef struct cff_filter_surface {
  /// As PixelFormat spells it. `rgbaf32` is rearranged to planes on the way in and back on the way out.
  const char *pixel_format;
  int32_t width, height;
  int32_t aspect_numerator, aspect_denominator;
  cff_color color;
  /// Length of a tick in seconds, as a ratio.
  int32_t tick_numerator, tick_denominator;
  /// Pictures a second, as a ratio; some filters refuse to work without.
  int32_t rate_numerator, rate_denominator;
  /// Whether the alpha of the format means anything.
  bool uses_alpha;
} cff_filter_surface;

/// What libavfilter does on its own to bring pictures into a format that a filter takes. Bits.
enum {
  /// Chroma is resampled to another grid.
  CFF_CONVERTS_CHROMA_GRID = 1,
  /// Bits are lost.
  CFF_CONVERTS_DEPTH = 2,
  /// Color is lost.
  CFF_CONVERTS_TO_GREY = 4,
  /// R, G, B become Y′, Cb, Cr or the other way round.
  CFF_CONVERTS_FAMILY = 8,
  /// Alpha is lost.
  CFF_CONVERTS_ALPHA = 16,
};

/// A configured graph; one thread at a time, not always the same one.
typedef struct cff_filter_graph cff_filter_graph;

/// Builds a graph from libavfilter's own notation. Open inputs are called `[0]` and `[1]` or have no name; one output is open.
/// `input_count` says how many inputs there are to take; those that the text leaves out get no pictures.
cff_status cff_filter_graph_open(
    const char *text, const cff_filter_surface *surface, int input_count, int thread_count, cff_filter_graph **graph,
    cff_failure *failure);

/// Frees a graph; NULL is allowed. Pictures that were handed out stay.
void cff_filter_graph_close(cff_filter_graph *graph);

/// CFF_CONVERTS_… bits of the conversions that were put in.
int cff_filter_graph_conversions(const cff_filter_graph *graph);

/// Whether the graph has a use for input `index`.
bool cff_filter_graph_takes(const cff_filter_graph *graph, int index);

/// Gives an option of the graph's only filter of a name another value, for the pictures that come from now on.
cff_status cff_filter_graph_set(
    cff_filter_graph *graph, const char *filter, const char *option, const char *value, cff_failure *failure);

/// Lends a picture to an input; it is only read. `release` runs in every case, also on failure. Input that is not taken is
/// let go of at once.
cff_status cff_filter_graph_push(
    cff_filter_graph *graph, int index, const cff_lent_picture *picture, cff_failure *failure);

/// The picture that the graph makes next, with its time in ticks. CFF_END where it waits for more input.
cff_status cff_filter_graph_pull(cff_filter_graph *graph, cff_picture *picture, cff_failure *failure);
