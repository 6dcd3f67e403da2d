// Mixes samples of some channels to others.
#pragma once
#include "libav_required.h"
#include <stdbool.h>

/// Gains from the usual layout of one number of channels to that of another.
typedef struct cff_mixer cff_mixer;

/// By ITU-R BS.775; both numbers are 1 … 8. `is_normalized` lowers all gains until no sum of full scale exceeds it. NULL if memory runs out.
cff_mixer *cff_mixer_create(int input_count, int output_count, bool is_normalized);

/// Whether each output equals the input of the same index.
bool cff_mixer_is_identity(const cff_mixer *mixer);

/// Writes `count` samples of each output, which doesn't overlap with the inputs.
void cff_mixer_run(const cff_mixer *mixer, const float *const *inputs, int count, float *const *outputs);

/// NULL is allowed.
void cff_mixer_destroy(cff_mixer *mixer);
