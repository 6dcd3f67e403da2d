// The coefficients of ITU-R BS.775: channels without a loudspeaker go to its neighbors, center and surrounds at −3 dB; LFE goes to LFE only.
#include "Audio/audio_matrix.h"

#include <errno.h>
#include <libavutil/error.h>
#include <math.h>
#include <string.h>

static const float minus_3_db = 0.70710678f;

/// The destination of a channel without its own loudspeaker: the first of the alternatives that exists, on both sides or one.
typedef struct route {
  enum AVChannel channel, left, right;
  float gain;
} route;

#define NONE AV_CHAN_NONE

/// In order of preference for each channel. A center is split; side and back substitute each other.
static const route routes[] = {
  {AV_CHAN_FRONT_CENTER, AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, 0.70710678f},
  {AV_CHAN_SIDE_LEFT, AV_CHAN_BACK_LEFT, NONE, 1},
  {AV_CHAN_SIDE_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_SIDE_RIGHT, AV_CHAN_BACK_RIGHT, NONE, 1},
  {AV_CHAN_SIDE_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_BACK_LEFT, AV_CHAN_SIDE_LEFT, NONE, 1},
  {AV_CHAN_BACK_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_BACK_RIGHT, AV_CHAN_SIDE_RIGHT, NONE, 1},
  {AV_CHAN_BACK_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_BACK_CENTER, AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT, 0.70710678f},
  {AV_CHAN_BACK_CENTER, AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT, 0.70710678f},
  {AV_CHAN_BACK_CENTER, AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, 0.5f},
  {AV_CHAN_FRONT_LEFT_OF_CENTER, AV_CHAN_FRONT_LEFT, NONE, 1},
  {AV_CHAN_FRONT_RIGHT_OF_CENTER, AV_CHAN_FRONT_RIGHT, NONE, 1},
  {AV_CHAN_STEREO_LEFT, AV_CHAN_FRONT_LEFT, NONE, 1},
  {AV_CHAN_STEREO_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 1},
  {AV_CHAN_WIDE_LEFT, AV_CHAN_FRONT_LEFT, NONE, 1},
  {AV_CHAN_WIDE_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 1},
  {AV_CHAN_SURROUND_DIRECT_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_SURROUND_DIRECT_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_TOP_FRONT_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_TOP_FRONT_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_TOP_SIDE_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_TOP_SIDE_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_TOP_BACK_LEFT, AV_CHAN_FRONT_LEFT, NONE, 0.70710678f},
  {AV_CHAN_TOP_BACK_RIGHT, AV_CHAN_FRONT_RIGHT, NONE, 0.70710678f},
  {AV_CHAN_TOP_CENTER, AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, 0.5f},
  {AV_CHAN_TOP_FRONT_CENTER, AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, 0.5f},
  {AV_CHAN_TOP_BACK_CENTER, AV_CHAN_FRONT_LEFT, AV_CHAN_FRONT_RIGHT, 0.5f},
  {AV_CHAN_LOW_FREQUENCY_2, AV_CHAN_LOW_FREQUENCY, NONE, 1},
};

static void route_channel(cff_audio_matrix *matrix, int input, enum AVChannel channel, const AVChannelLayout *output) {
  int own = av_channel_layout_index_from_channel(output, channel);
  if (own >= 0) {
    matrix->gains[own][input] = 1;
    return;
  }
  for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
    if (routes[i].channel != channel) continue;
    int left = av_channel_layout_index_from_channel(output, routes[i].left);
    int right = routes[i].right == NONE ? left : av_channel_layout_index_from_channel(output, routes[i].right);
    if (left < 0 || right < 0) continue;
    matrix->gains[left][input] = matrix->gains[right][input] = routes[i].gain;
    return;
  }
}

/// Surrounds that share a loudspeaker (7.1 in 5.1) are reduced by 3 dB each, which keeps their power.
static void share_surrounds(cff_audio_matrix *matrix, const AVChannelLayout *layout, const AVChannelLayout *output) {
  static const enum AVChannel pairs[][2] = {
    {AV_CHAN_SIDE_LEFT, AV_CHAN_BACK_LEFT}, {AV_CHAN_SIDE_RIGHT, AV_CHAN_BACK_RIGHT}};
  for (int pair = 0; pair < 2; pair++) {
    int side = av_channel_layout_index_from_channel(layout, pairs[pair][0]);
    int back = av_channel_layout_index_from_channel(layout, pairs[pair][1]);
    if (side < 0 || back < 0) continue;
    for (int row = 0; row < output->nb_channels; row++) {
      float *gains = matrix->gains[row];
      if (gains[side] == 1 && gains[back] == 1) gains[side] = gains[back] = minus_3_db;
    }
  }
}

/// Whether two channels are a left and a right one, but not those in front: they are heard as such.
static bool is_other_pair(const AVChannelLayout *layout) {
  static const enum AVChannel pairs[][2] = {{AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT}, {AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT}};
  bool is_pair = false;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs && layout->nb_channels == 2; i++) {
    is_pair = is_pair
      || (av_channel_layout_index_from_channel(layout, pairs[i][0]) == 0 && av_channel_layout_index_from_channel(layout, pairs[i][1]) == 1);
  }
  return is_pair;
}

static void route_all(cff_audio_matrix *matrix, const AVChannelLayout *layout, int output_count) {
  AVChannelLayout output = {0};
  if (is_other_pair(layout) && output_count == 2) {
    matrix->gains[0][0] = matrix->gains[1][1] = 1;
    return;
  }
  av_channel_layout_default(&output, output_count);
  bool is_placed = false;
  for (int input = 0; input < layout->nb_channels; input++) {
    route_channel(matrix, input, av_channel_layout_channel_from_index(layout, (unsigned)input), &output);
    for (int row = 0; row < output_count; row++) is_placed = is_placed || matrix->gains[row][input] != 0;
  }
  share_surrounds(matrix, layout, &output);
  // Channels without positions keep their order.
  for (int i = 0; !is_placed && i < layout->nb_channels && i < output_count; i++) matrix->gains[i][i] = 1;
  av_channel_layout_uninit(&output);
}

/// One channel: goes to the center if there is one, else to left and right at full level, as in editing programs.
static void fill_from_mono(cff_audio_matrix *matrix, int output_count) {
  AVChannelLayout output = {0};
  av_channel_layout_default(&output, output_count);
  int center = av_channel_layout_index_from_channel(&output, AV_CHAN_FRONT_CENTER);
  if (center >= 0) {
    matrix->gains[center][0] = 1;
  } else {
    matrix->gains[0][0] = matrix->gains[1][0] = 1;
  }
  av_channel_layout_uninit(&output);
}

/// One output: half of left and right for two channels, which keeps the level of what is the same in both; otherwise left and right of the stereo mix at −3 dB.
static void fill_mono(cff_audio_matrix *matrix, const AVChannelLayout *layout) {
  cff_audio_matrix stereo = {0};
  route_all(&stereo, layout, 2);
  float gain = layout->nb_channels == 2 ? 0.5f : minus_3_db;
  for (int input = 0; input < layout->nb_channels; input++) {
    matrix->gains[0][input] = gain * (stereo.gains[0][input] + stereo.gains[1][input]);
  }
}

static void normalize(cff_audio_matrix *matrix) {
  float greatest = 1;
  for (int row = 0; row < matrix->output_count; row++) {
    float sum = 0;
    for (int input = 0; input < matrix->input_count; input++) sum += matrix->gains[row][input];
    greatest = fmaxf(greatest, sum);
  }
  for (int row = 0; row < matrix->output_count; row++)
    for (int input = 0; input < matrix->input_count; input++) matrix->gains[row][input] /= greatest;
}

int cff_audio_matrix_fill(
    cff_audio_matrix *matrix, const AVChannelLayout *layout, int output_count, bool is_normalized) {
  int count = layout->nb_channels;
  if (layout->order == AV_CHANNEL_ORDER_AMBISONIC || count < 1 || count > cff_audio_most_channels) return AVERROR(EINVAL);
  memset(matrix, 0, sizeof *matrix);
  matrix->input_count = count;
  matrix->output_count = output_count;
  if (count == 1) {
    if (output_count == 1) matrix->gains[0][0] = 1;
    else fill_from_mono(matrix, output_count);
  } else if (output_count == 1) {
    fill_mono(matrix, layout);
  } else {
    route_all(matrix, layout, output_count);
  }
  if (is_normalized) normalize(matrix);
  matrix->is_identity = count == output_count;
  for (int row = 0; row < output_count; row++)
    for (int input = 0; input < count; input++)
      matrix->is_identity = matrix->is_identity && matrix->gains[row][input] == (row == input ? 1 : 0);
  return 0;
}

/// The matrix from the usual layout of `count` channels.
static void fill_usual(cff_audio_matrix *matrix, int count, int output_count) {
  AVChannelLayout layout = {0};
  av_channel_layout_default(&layout, count);
  cff_audio_matrix_fill(matrix, &layout, output_count, false);
  av_channel_layout_uninit(&layout);
}

int cff_audio_matrix_take(
    cff_audio_matrix *matrix, const AVChannelLayout *layout, int output_count, const cff_audio_take *take) {
  if (take->count == 0 && !take->mixes_down) return 0;
  cff_audio_matrix mixed = {0}, placed;
  int count = take->mixes_down ? 1 : take->count;
  if (take->mixes_down && layout->nb_channels > 1) fill_mono(&mixed, layout);
  if (take->mixes_down && layout->nb_channels == 1) mixed.gains[0][0] = 1;
  for (int i = 0; i < take->count; i++) {
    // A layout may lose channels in the middle of a track.
    int input = take->channels[i] < layout->nb_channels ? take->channels[i] : layout->nb_channels - 1;
    if (input < 0 || take->count > 8) return AVERROR(EINVAL);
    if (!take->mixes_down) mixed.gains[i][input] = 1;
  }
  fill_usual(&placed, count, output_count);
  bool is_identity = layout->nb_channels == output_count;
  for (int row = 0; row < output_count; row++) {
    for (int input = 0; input < layout->nb_channels; input++) {
      float gain = 0;
      for (int i = 0; i < count; i++) gain += placed.gains[row][i] * mixed.gains[i][input];
      matrix->gains[row][input] = gain;
      is_identity = is_identity && gain == (row == input ? 1 : 0);
    }
  }
  matrix->is_identity = is_identity;
  return 0;
}

void cff_audio_matrix_run(const cff_audio_matrix *matrix, const float *const *inputs, int count, float *const *outputs) {
  for (int row = 0; row < matrix->output_count; row++) {
    float *output = outputs[row];
    memset(output, 0, (size_t)count * sizeof(float));
    for (int input = 0; input < matrix->input_count; input++) {
      const float gain = matrix->gains[row][input], *samples = inputs[input];
      if (gain == 0) continue;
      for (int i = 0; i < count; i++) output[i] += samples[i] * gain;
    }
  }
}
