// Changes sample rate or speed by windowed-sinc interpolation. Every output sample depends on its position alone, so that random access gives bit by bit the
// same samples as reading in order.
#pragma once
#include "libav_required.h"
#include <stdint.h>

/// A filter for one ratio.
typedef struct cff_resampler cff_resampler;

/// Output sample n is at input position `(n · numerator + shift) / denominator`, numerator and denominator > 0. NULL if memory runs out.
cff_resampler *cff_resampler_create(int64_t numerator, int64_t denominator, int64_t shift);

/// Number of input samples needed before and after a position.
int cff_resampler_reach(const cff_resampler *resampler);

/// The input sample at or before output sample `output`.
int64_t cff_resampler_input_position(const cff_resampler *resampler, int64_t output);

/// Writes output samples `first` … `first + count - 1`. `input[0]` is input sample `input_start`, and the input covers the reach around all of them.
void cff_resampler_run(
    const cff_resampler *resampler, const float *input, int64_t input_start, int64_t first, int count, float *output);

/// NULL is allowed.
void cff_resampler_destroy(cff_resampler *resampler);
