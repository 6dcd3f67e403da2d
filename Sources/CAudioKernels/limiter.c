// A limiter's gain: the minimum that nearby peaks require, with slow recovery, averaged over the attack.
//
// Gains are integers of 30 fractional bits, so that the running sum of the average is exact: far from any peak it is exactly 1.
#include <stdlib.h>

#include "arithmetic.h"
#include "audio_kernels.h"

enum { one = 1 << 30 };

struct cak_limiter {
  int attack, delay, window, release;
  float ceiling, target;
  /// Minimum gain of the last `window` samples: a ring of candidates with their indexes, rising.
  int32_t *candidates;
  int64_t *numbers;
  int head, candidate_count;
  int64_t number;
  /// The recovering gain, and its last `attack` values with their sum.
  int32_t recovering;
  int32_t *averaged;
  int index;
  int64_t sum;
  /// Number of samples since a gain was below 1, which bounds how long it still has an effect.
  int64_t quiet;
};

cak_limiter *cak_limiter_create(int attack, int release, int reach, float ceiling, float target) {
  cak_limiter *limiter = calloc(1, sizeof *limiter);
  if (!limiter) return NULL;
  limiter->attack = attack < 1 ? 1 : attack;
  limiter->release = release < 1 ? 1 : release;
  limiter->ceiling = ceiling;
  limiter->target = target;
  limiter->delay = limiter->attack - 1 + reach;
  limiter->window = limiter->attack + 2 * reach;
  limiter->candidates = malloc((size_t)limiter->window * sizeof(int32_t));
  limiter->numbers = malloc((size_t)limiter->window * sizeof(int64_t));
  limiter->averaged = malloc((size_t)limiter->attack * sizeof(int32_t));
  if (!limiter->candidates || !limiter->numbers || !limiter->averaged) {
    cak_limiter_destroy(limiter);
    return NULL;
  }
  for (int i = 0; i < limiter->attack; i++) limiter->averaged[i] = one;
  limiter->sum = (int64_t)limiter->attack * one;
  limiter->recovering = one;
  limiter->quiet = 2 * (int64_t)limiter->window;
  return limiter;
}

int cak_limiter_delay(const cak_limiter *limiter) { return limiter->delay; }

static int32_t required(const cak_limiter *limiter, float peak) {
  // Also false for NaN, which becomes silence.
  if (peak <= limiter->ceiling) return one;
  double gain = (double)limiter->target / (double)peak;
  return gain > 0 ? (int32_t)(gain * one) : 0;
}

/// The minimum of the last `window` requirements.
static int32_t least(cak_limiter *limiter, int32_t gain) {
  int window = limiter->window;
  if (limiter->candidate_count > 0 && limiter->numbers[limiter->head] <= limiter->number - window) {
    limiter->head = limiter->head + 1 == window ? 0 : limiter->head + 1;
    limiter->candidate_count--;
  }
  while (limiter->candidate_count > 0) {
    int last = (limiter->head + limiter->candidate_count - 1) % window;
    if (limiter->candidates[last] < gain) break;
    limiter->candidate_count--;
  }
  int place = (limiter->head + limiter->candidate_count) % window;
  limiter->candidates[place] = gain;
  limiter->numbers[place] = limiter->number++;
  limiter->candidate_count++;
  return limiter->candidates[limiter->head];
}

static float next(cak_limiter *limiter, int32_t gain) {
  int32_t low = least(limiter, gain);
  int32_t missing = one - limiter->recovering, step = missing / limiter->release;
  int32_t recovered = limiter->recovering + (step > 0 ? step : missing > 0 ? 1 : 0);
  limiter->recovering = recovered < low ? recovered : low;
  limiter->sum += limiter->recovering - limiter->averaged[limiter->index];
  limiter->averaged[limiter->index] = limiter->recovering;
  if (++limiter->index == limiter->attack) limiter->index = 0;
  limiter->quiet = gain == one && limiter->recovering == one ? limiter->quiet + 1 : 0;
  return (float)((double)limiter->sum / ((double)limiter->attack * one));
}

void cak_limiter_run(cak_limiter *limiter, const float *peaks, int count, float *gains) {
  for (int i = 0; i < count; i++) {
    int32_t gain = required(limiter, peaks[i]);
    // Nothing has an effect any more, and nothing new begins.
    bool is_idle = gain == one && limiter->quiet >= 2 * (int64_t)limiter->window;
    if (is_idle) {
      limiter->candidate_count = 0;
      limiter->number++;
      gains[i] = 1;
    } else {
      gains[i] = next(limiter, gain);
    }
  }
}

void cak_limiter_destroy(cak_limiter *limiter) {
  if (!limiter) return;
  free(limiter->candidates);
  free(limiter->numbers);
  free(limiter->averaged);
  free(limiter);
}
