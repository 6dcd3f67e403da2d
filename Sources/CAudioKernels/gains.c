// Gains: constant, linear, for balance, linear in decibels, and one per sample.
#include "arithmetic.h"
#include "audio_kernels.h"

void cak_add(const float *restrict samples, float *restrict sums, int count) {
  for (int i = 0; i < count; i++) sums[i] += samples[i];
}

void cak_add_gain(const float *restrict samples, float *restrict sums, int count, float gain) {
  for (int i = 0; i < count; i++) sums[i] += samples[i] * gain;
}

// Doubles represent positions exactly, because composition times stay far below 2^53 samples.
void cak_add_ramp(const float *restrict samples, float *restrict sums, int count, cak_ramp ramp) {
  const double first = (double)ramp.offset, start = ramp.start, step = ramp.step;
  for (int i = 0; i < count; i++) {
    float gain = (float)(start + step * (first + (double)i));
    sums[i] += samples[i] * gain;
  }
}

void cak_apply_gain(float *samples, int count, float gain) {
  for (int i = 0; i < count; i++) samples[i] *= gain;
}

void cak_apply_ramp(float *samples, int count, cak_ramp ramp) {
  const double first = (double)ramp.offset, start = ramp.start, step = ramp.step;
  for (int i = 0; i < count; i++) samples[i] *= (float)(start + step * (first + (double)i));
}

float cak_side_gain(double pan, double side) {
  double toward = fmin(fmax(-pan * side, 0), 1);
  return toward == 0 ? 1 : toward == 1 ? 0 : (float)cos(toward * (M_PI / 2));
}

void cak_apply_balance(float *samples, int count, cak_ramp pan, double side) {
  const double first = (double)pan.offset;
  for (int i = 0; i < count; i++) samples[i] *= cak_side_gain(pan.start + pan.step * (first + (double)i), side);
}

void cak_apply_exponential(float *samples, int count, double rate, int64_t first, int64_t step) {
  for (int i = 0; i < count; i++) samples[i] *= (float)exp(rate * (double)(first + step * i));
}

void cak_apply_gains(float *restrict samples, const float *restrict gains, int count) {
  for (int i = 0; i < count; i++) samples[i] *= gains[i];
}
