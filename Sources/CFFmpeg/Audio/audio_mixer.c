#include "audio_mixer.h"

#include "Audio/audio_matrix.h"
#include <stdlib.h>

struct cff_mixer {
  cff_audio_matrix matrix;
};

cff_mixer *cff_mixer_create(int input_count, int output_count, bool is_normalized) {
  cff_mixer *mixer = calloc(1, sizeof *mixer);
  if (!mixer) return NULL;
  AVChannelLayout layout = {0};
  av_channel_layout_default(&layout, input_count);
  int error = cff_audio_matrix_fill(&mixer->matrix, &layout, output_count, is_normalized);
  av_channel_layout_uninit(&layout);
  if (error >= 0) return mixer;
  free(mixer);
  return NULL;
}

bool cff_mixer_is_identity(const cff_mixer *mixer) { return mixer->matrix.is_identity; }

void cff_mixer_run(const cff_mixer *mixer, const float *const *inputs, int count, float *const *outputs) {
  cff_audio_matrix_run(&mixer->matrix, inputs, count, outputs);
}

void cff_mixer_destroy(cff_mixer *mixer) { free(mixer); }
