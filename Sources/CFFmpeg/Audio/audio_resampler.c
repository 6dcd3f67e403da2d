#include "audio_resampler.h"

#include <math.h>
#include <stdlib.h>

enum {
  /// Zero crossings of the sinc on each side: passes 0.88 of the lower Nyquist frequency, attenuates beyond it by 90 dB.
  crossings = 48,
  /// Tabulated fractions between two input samples; linear in between (−118 dB).
  phases = 512,
};

struct cff_resampler {
  int64_t numerator, denominator, shift;
  /// Number of taps on each side of a position, a multiple of 4.
  int reach;
  /// `phases + 1` rows of `2 * reach` coefficients.
  float *table;
};

/// Modified Bessel function of the first kind, order 0.
static double bessel(double x) {
  double sum = 1, term = 1;
  for (int k = 1; k < 60; k++) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

static double kernel(double distance, double cutoff, int reach) {
  const double beta = 9;
  double relative = distance / reach;
  if (fabs(relative) >= 1) return 0;
  double x = M_PI * distance * cutoff;
  double sinc = fabs(x) < 1e-12 ? 1 : sin(x) / x;
  return sinc * bessel(beta * sqrt(1 - relative * relative));
}

/// - values: scratch space of a row's length.
static void fill_row(float *row, double *values, double fraction, double cutoff, int reach) {
  double sum = 0;
  for (int tap = 0; tap < 2 * reach; tap++) sum += values[tap] = kernel(tap - reach + 1 - fraction, cutoff, reach);
  // Each row sums to 1, so that a constant is unchanged.
  for (int tap = 0; tap < 2 * reach; tap++) row[tap] = (float)(values[tap] / sum);
}

cff_resampler *cff_resampler_create(int64_t numerator, int64_t denominator, int64_t shift) {
  cff_resampler *resampler = calloc(1, sizeof *resampler);
  if (!resampler) return NULL;
  double ratio = (double)numerator / (double)denominator;
  double scale = ratio > 1 ? ratio : 1;
  resampler->numerator = numerator;
  resampler->denominator = denominator;
  resampler->shift = shift;
  resampler->reach = ((int)ceil(crossings * scale) + 3) / 4 * 4;
  size_t width = 2 * (size_t)resampler->reach;
  resampler->table = malloc((phases + 1) * width * sizeof(float));
  double *values = malloc(width * sizeof(double));
  if (!resampler->table || !values) {
    free(values);
    cff_resampler_destroy(resampler);
    return NULL;
  }
  for (int phase = 0; phase <= phases; phase++) {
    fill_row(resampler->table + (size_t)phase * width, values, (double)phase / phases, 0.94 / scale, resampler->reach);
  }
  free(values);
  return resampler;
}

int cff_resampler_reach(const cff_resampler *resampler) { return resampler->reach; }

/// Integer part and remainder of (output · numerator + shift) / denominator, rounded down.
static int64_t position_of(const cff_resampler *resampler, int64_t output, int64_t *rest) {
  __int128 product = (__int128)output * resampler->numerator + resampler->shift;
  __int128 whole = product / resampler->denominator;
  __int128 remainder = product % resampler->denominator;
  if (remainder < 0) {
    remainder += resampler->denominator;
    whole--;
  }
  *rest = (int64_t)remainder;
  return (int64_t)whole;
}

int64_t cff_resampler_input_position(const cff_resampler *resampler, int64_t output) {
  int64_t rest;
  return position_of(resampler, output, &rest);
}

/// Eight parallel sums, which the compiler vectorizes without reordering.
static float dot(const float *a, const float *b, int count) {
  float sums[8] = {0};
  for (int i = 0; i < count; i += 8)
    for (int lane = 0; lane < 8; lane++) sums[lane] += a[i + lane] * b[i + lane];
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

void cff_resampler_run(
    const cff_resampler *resampler, const float *input, int64_t input_start, int64_t first, int count, float *output) {
  int width = 2 * resampler->reach;
  for (int index = 0; index < count; index++) {
    int64_t rest;
    int64_t whole = position_of(resampler, first + index, &rest);
    double phase = (double)rest / (double)resampler->denominator * phases;
    int row = (int)phase;
    const float *taps = resampler->table + (size_t)row * (size_t)width;
    const float *samples = input + (whole - input_start) - resampler->reach + 1;
    float low = dot(samples, taps, width);
    float fraction = (float)(phase - row);
    output[index] = fraction > 0 ? low + fraction * (dot(samples, taps + width, width) - low) : low;
  }
}

void cff_resampler_destroy(cff_resampler *resampler) {
  if (!resampler) return;
  free(resampler->table);
  free(resampler);
}
