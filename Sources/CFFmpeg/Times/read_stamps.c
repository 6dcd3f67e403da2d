// The timestamps of each stream's packets, from which the frame rate is measured.
#include "Common/common_internal.h"

#include <string.h>

enum {
  /// Number of timestamps kept per stream: ten hours at 30 frames per second.
  kept_stamps = 1 << 20,
  /// Number of overlaps kept per stream.
  kept_overlaps = 1 << 12,
};

/// No frame before a key frame is shown after it, unless another recording begins with it.
static void keep_overlap(cff_stamps *stamps, int64_t time) {
  if (stamps->count == 0 || time > stamps->newest || stamps->overlaps_count >= kept_overlaps) return;
  cff_overlap *overlaps = av_realloc_array(stamps->overlaps, (size_t)stamps->overlaps_count + 1, sizeof *overlaps);
  if (!overlaps) return;
  stamps->overlaps = overlaps;
  overlaps[stamps->overlaps_count++] = (cff_overlap){time, stamps->newest};
}

void cff_keep_stamp(cff_stamps *stamps, int64_t time, int64_t decoding, bool is_key) {
  if (is_key) keep_overlap(stamps, time);
  if (is_key && !stamps->has_key) stamps->first_key = stamps->count;
  stamps->has_key = stamps->has_key || is_key;
  stamps->newest = stamps->count == 0 ? time : FFMAX(stamps->newest, time);
  if (stamps->count >= kept_stamps) return;
  if (stamps->count == stamps->capacity) {
    int capacity = FFMAX(256, stamps->capacity * 2);
    int64_t *times = av_realloc_array(stamps->times, (size_t)capacity, sizeof *times);
    if (!times) return;
    stamps->times = times;
    times = av_realloc_array(stamps->decoding, (size_t)capacity, sizeof *times);
    if (!times) return;
    stamps->decoding = times;
    stamps->capacity = capacity;
  }
  stamps->times[stamps->count] = time;
  stamps->decoding[stamps->count++] = decoding;
}

void cff_stamps_free(cff_demuxer *demuxer) {
  for (int i = 0; i < demuxer->stamps_count; i++) {
    av_free(demuxer->stamps[i].times);
    av_free(demuxer->stamps[i].decoding);
    av_free(demuxer->stamps[i].overlaps);
  }
  av_freep(&demuxer->stamps);
  demuxer->stamps_count = 0;
}

int cff_demuxer_stamps(const cff_demuxer *demuxer, int index, int64_t *stamps, int capacity) {
  if (index < 0 || index >= demuxer->stamps_count) return 0;
  int64_t origin = cff_demuxer_origin(demuxer, index);
  const cff_stamps *kept = &demuxer->stamps[index];
  for (int i = 0; i < kept->count && i < capacity; i++) stamps[i] = av_sat_sub64(kept->times[i], origin);
  return kept->count;
}

int cff_demuxer_overlaps(const cff_demuxer *demuxer, int index, cff_overlap *overlaps, int capacity) {
  if (index < 0 || index >= demuxer->stamps_count) return 0;
  int64_t origin = cff_demuxer_origin(demuxer, index);
  const cff_stamps *kept = &demuxer->stamps[index];
  for (int i = 0; i < kept->overlaps_count && i < capacity; i++) {
    overlaps[i] = (cff_overlap){av_sat_sub64(kept->overlaps[i].first, origin), av_sat_sub64(kept->overlaps[i].last, origin)};
  }
  return kept->overlaps_count;
}

static bool knows_decoding(const cff_stamps *stamps) {
  for (int i = 0; i < stamps->count; i++) {
    if (stamps->decoding[i] == AV_NOPTS_VALUE) return false;
  }
  return stamps->count > 0;
}

/// Replaces the times of showing from a packet on.
static void show_held_from(cff_stamps *stamps, int first, int held, int64_t end, int64_t duration) {
  for (int i = first; i < stamps->count; i++) {
    int after = i + held - stamps->count;
    stamps->times[i] = after < 0 ? stamps->decoding[i + held] : av_sat_add64(end, after * duration);
  }
}

void cff_show_held(cff_stamps *stamps, int held, int64_t end, int64_t duration) {
  if (knows_decoding(stamps)) show_held_from(stamps, 0, held, end, duration);
}

void cff_show_decoded(cff_stamps *stamps, int64_t delay, int64_t end, int64_t duration) {
  if (!knows_decoding(stamps)) return;
  const int64_t *decoding = stamps->decoding;
  int first = stamps->first_key, held = 0;
  int64_t shown = av_sat_add64(decoding[first], FFMAX(delay, 0));
  while (first + held < stamps->count && decoding[first + held] < shown - 1) held++;
  bool is_exact = first + held < stamps->count && decoding[first + held] <= shown + 1 && duration > 0 && end != AV_NOPTS_VALUE;
  for (int i = 0; i < (is_exact ? first : stamps->count); i++) stamps->times[i] = av_sat_add64(decoding[i], FFMAX(delay, 0));
  if (is_exact) show_held_from(stamps, first, held, end, duration);
  // No frame comes of those before the first key frame.
  stamps->count -= first;
  memmove(stamps->times, stamps->times + first, (size_t)stamps->count * sizeof *stamps->times);
  memmove(stamps->decoding, stamps->decoding + first, (size_t)stamps->count * sizeof *stamps->decoding);
  stamps->first_key = 0;
}
