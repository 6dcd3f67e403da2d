// Arithmetic on samples: planar 32-bit float, one channel at a time unless stated otherwise. Only `create` functions allocate memory.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// A gain that is linear over samples: `start + step · (offset + i)` at sample i. It depends on the sample's position alone, so that blocks of any size give
/// the same samples.
typedef struct cak_ramp {
  double start, step;
  int64_t offset;
} cak_ramp;

/// sums[i] += samples[i]
void cak_add(const float *samples, float *sums, int count);
/// sums[i] += samples[i] · gain
void cak_add_gain(const float *samples, float *sums, int count, float gain);
/// sums[i] += samples[i] · ramp
void cak_add_ramp(const float *samples, float *sums, int count, cak_ramp ramp);
/// samples[i] *= gain
void cak_apply_gain(float *samples, int count, float gain);
/// samples[i] *= ramp
void cak_apply_ramp(float *samples, int count, cak_ramp ramp);
/// samples[i] *= the gain of one side at pan `ramp`; `side` is −1 for left, 1 for right. See ``cak_side_gain``.
void cak_apply_balance(float *samples, int count, cak_ramp pan, double side);
/// The gain of the left (−1) or right (1) side at a pan of −1 … 1: 1 toward its own side and in the center, a cosine toward the other.
float cak_side_gain(double pan, double side);
/// samples[i] *= exp(rate · (first + step · i)): a gain that is linear in decibels.
void cak_apply_exponential(float *samples, int count, double rate, int64_t first, int64_t step);
/// samples[i] *= gains[i]
void cak_apply_gains(float *samples, const float *gains, int count);

/// The mean square of the loudest channel over the last `size` samples, compared with a threshold.
typedef struct cak_level cak_level;
/// `size` ≥ 1 samples; NULL if memory runs out.
cak_level *cak_level_create(int size);
/// Sets active[i] if the mean square up to sample i is above `threshold`; leaves the others unchanged.
void cak_level_follow(
    cak_level *level, const float *const *channels, int channel_count, int count, double threshold, bool *active);
void cak_level_destroy(cak_level *level);

/// Number of samples that the interpolation for true peaks needs on each side, with and without the long filter.
enum { cak_peak_reach = 32, cak_short_peak_reach = 16 };
/// Upper bound for the ratio of the interpolation to the greatest sample.
float cak_peak_bound(void);
/// The greatest magnitude of `count` samples; infinite if there is a NaN.
float cak_magnitude(const float *samples, int count);
/// peaks[i] = max(peaks[i], the greatest magnitude of the signal from sample i up to sample i + 1, at four times the rate, as in
/// ITU-R BS.1770). Peaks above `threshold` are measured again at eight times the rate with a filter of 64 taps.
/// Reads samples[-31] to samples[count + 31]; with an infinite threshold, samples[-15] to samples[count + 15].
void cak_true_peaks(const float *samples, int count, float threshold, float *peaks);

/// Gains that keep peaks below a ceiling, reduced before a peak and recovering after it.
typedef struct cak_limiter cak_limiter;
/// - attack: Number of samples over which the gain is reduced, ≥ 1.
/// - release: Number of samples in which it recovers by 63 %, ≥ 1.
/// - reach: Number of samples on both sides that a peak between samples depends on, and that its gain affects.
/// - ceiling: The level that peaks are compared with. target: The level that they are reduced to, at most the ceiling.
cak_limiter *cak_limiter_create(int attack, int release, int reach, float ceiling, float target);
/// Delay of gains relative to peaks, in samples.
int cak_limiter_delay(const cak_limiter *limiter);
/// Takes the peaks of `count` samples; gains[i] is that of the sample `delay` before peaks[i], exactly 1 far from any peak.
void cak_limiter_run(cak_limiter *limiter, const float *peaks, int count, float *gains);
void cak_limiter_destroy(cak_limiter *limiter);
