// Levels and true peaks.
#include <stdlib.h>

#include "arithmetic.h"
#include "audio_kernels.h"

struct cak_level {
  int size, index;
  double sum;
  double squares[];
};

cak_level *cak_level_create(int size) {
  if (size < 1) size = 1;
  cak_level *level = calloc(1, sizeof *level + (size_t)size * sizeof(double));
  if (level) level->size = size;
  return level;
}

void cak_level_follow(
    cak_level *level, const float *const *channels, int channel_count, int count, double threshold, bool *active) {
  const double limit = threshold * level->size;
  for (int i = 0; i < count; i++) {
    double square = 0;
    for (int channel = 0; channel < channel_count; channel++) {
      double value = channels[channel][i];
      square = fmax(square, value * value);
    }
    // A square that isn't finite would stay in the sum forever.
    if (!isfinite(square)) square = 1;
    level->sum += square - level->squares[level->index];
    level->squares[level->index] = square;
    if (++level->index == level->size) {
      // Each time the buffer wraps around, the sum is recomputed to discard accumulated rounding errors. This happens at the same samples in every
      // run.
      level->index = 0;
      level->sum = 0;
      for (int k = 0; k < level->size; k++) level->sum += level->squares[k];
    }
    if (level->sum > limit) active[i] = true;
  }
}

void cak_level_destroy(cak_level *level) { free(level); }

// MARK: true peaks

/// Two interpolations: a short one at four times the rate for every position, and a long one at eight times the rate, which also keeps what is just
/// below half the sampling rate, for positions whose peak may count.
enum {
  short_reach = cak_short_peak_reach,
  short_taps = 2 * short_reach,
  short_phases = 4,
  long_taps = 2 * cak_peak_reach,
  long_phases = 8
};

/// Modified Bessel function of the first kind, order 0.
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 40; k++) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

static void fill(float *row, int reach, double fraction) {
  double values[long_taps], sum = 0;
  for (int tap = 0; tap < 2 * reach; tap++) {
    double distance = tap - (reach - 1) - fraction, relative = distance / reach;
    values[tap] = sin(M_PI * distance) / (M_PI * distance) * bessel(7 * sqrt(fmax(0, 1 - relative * relative)));
    sum += values[tap];
  }
  for (int tap = 0; tap < 2 * reach; tap++) row[tap] = (float)(values[tap] / sum);
}

/// The filters for the positions between two samples: a sinc with a Kaiser window (β = 7), normalized to a sum of 1. Computed when the program starts.
static float short_filters[short_phases - 1][short_taps];
static float long_filters[long_phases - 1][long_taps];
static float bound = 1;

static void raise_bound(const float *filter, int taps) {
  float magnitude = 0;
  for (int tap = 0; tap < taps; tap++) magnitude += fabsf(filter[tap]);
  if (magnitude > bound) bound = magnitude * 1.0001f;
}

__attribute__((constructor)) static void make_filters(void) {
  for (int phase = 0; phase < short_phases - 1; phase++) {
    fill(short_filters[phase], short_reach, (phase + 1) / (double)short_phases);
    raise_bound(short_filters[phase], short_taps);
  }
  for (int phase = 0; phase < long_phases - 1; phase++) {
    fill(long_filters[phase], cak_peak_reach, (phase + 1) / (double)long_phases);
    raise_bound(long_filters[phase], long_taps);
  }
}

float cak_peak_bound(void) { return bound; }

float cak_magnitude(const float *samples, int count) {
  float lanes[8] = {0};
  int unordered = 0, i = 0;
  for (; i + 8 <= count; i += 8)
    for (int lane = 0; lane < 8; lane++) {
      float value = fabsf(samples[i + lane]);
      lanes[lane] = value > lanes[lane] ? value : lanes[lane];
      unordered |= value != value;
    }
  for (; i < count; i++) {
    float value = fabsf(samples[i]);
    lanes[0] = value > lanes[0] ? value : lanes[0];
    unordered |= value != value;
  }
  for (int lane = 1; lane < 8; lane++) lanes[0] = lanes[lane] > lanes[0] ? lanes[lane] : lanes[0];
  return unordered ? INFINITY : lanes[0];
}

/// Raises the peaks of eight positions at once, so that the compiler vectorizes the loop. The order of summation is the same for each position.
static void raise_eight(const float *samples, const float *filter, float *peaks) {
  float sums[8] = {0};
  for (int tap = 0; tap < short_taps; tap++)
    for (int lane = 0; lane < 8; lane++) sums[lane] += filter[tap] * samples[lane + tap];
  for (int lane = 0; lane < 8; lane++) {
    float value = fabsf(sums[lane]);
    peaks[lane] = value > peaks[lane] ? value : peaks[lane];
  }
}

static void raise_one(const float *samples, const float *filter, float *peak) {
  float sum = 0;
  for (int tap = 0; tap < short_taps; tap++) sum += filter[tap] * samples[tap];
  float value = fabsf(sum);
  if (value > *peak) *peak = value;
}

/// The greatest magnitude between a position and the next one. `samples` are the taps of the position. Eight partial sums, so that the compiler
/// vectorizes the loop; they are added in a fixed order.
static float long_peak(const float *samples) {
  float peak = 0;
  for (int phase = 0; phase < long_phases - 1; phase++) {
    float sums[8] = {0};
    for (int tap = 0; tap < long_taps; tap += 8)
      for (int lane = 0; lane < 8; lane++) sums[lane] += long_filters[phase][tap + lane] * samples[tap + lane];
    float value = fabsf(((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
    peak = value > peak ? value : peak;
  }
  return peak;
}

void cak_true_peaks(const float *samples, int count, float threshold, float *peaks) {
  for (int i = 0; i < count; i++) {
    float value = fabsf(samples[i]);
    peaks[i] = value > peaks[i] ? value : peaks[i];
  }
  const float *first = samples - (short_reach - 1);
  for (int phase = 0; phase < short_phases - 1; phase++) {
    int i = 0;
    for (; i + 8 <= count; i += 8) raise_eight(first + i, short_filters[phase], peaks + i);
    for (; i < count; i++) raise_one(first + i, short_filters[phase], peaks + i);
  }
  first = samples - (cak_peak_reach - 1);
  for (int i = 0; i < count; i++) {
    if (!(peaks[i] > threshold)) continue;
    float value = long_peak(first + i);
    peaks[i] = value > peaks[i] ? value : peaks[i];
  }
}
