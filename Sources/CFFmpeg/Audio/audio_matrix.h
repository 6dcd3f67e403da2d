// Mixes the channels of a track to the requested ones.
#pragma once
#include <libavutil/channel_layout.h>
#include <stdbool.h>

#include "audio_decoder.h"

enum { cff_audio_most_channels = 64 };

/// Gains from inputs to outputs.
typedef struct cff_audio_matrix {
  float gains[8][cff_audio_most_channels];
  int input_count, output_count;
  /// Whether each output equals the input of the same index.
  bool is_identity;
} cff_audio_matrix;

/// Adds a choice of inputs to a matrix from `layout` to the usual layout of `output_count` channels: the chosen inputs take the places of the usual layout of
/// their number. A missing input is replaced by the last one.
int cff_audio_matrix_take(
    cff_audio_matrix *matrix, const AVChannelLayout *layout, int output_count, const cff_audio_take *take);

/// Fills a matrix from a layout to the usual one of `output_count` channels, by ITU-R BS.775. AVERROR(EINVAL) for layouts without loudspeakers and for more
/// than 64 channels.
int cff_audio_matrix_fill(
    cff_audio_matrix *matrix, const AVChannelLayout *layout, int output_count, bool is_normalized);

void cff_audio_matrix_run(const cff_audio_matrix *matrix, const float *const *inputs, int count, float *const *outputs);
