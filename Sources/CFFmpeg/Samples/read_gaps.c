// Gaps in the samples of a stream, and which samples are heard.
#include "Samples/read_counter.h"

enum {
  /// The most gaps that are kept.
  kept_gaps = 4096,
};

void cff_counter_keep_gap(cff_counter *counter, int64_t length) {
  if (counter->gap_count >= kept_gaps) return;
  if (counter->gap_count == counter->gap_capacity) {
    int capacity = FFMAX(16, counter->gap_capacity * 2);
    cff_audio_gap *gaps = av_realloc_array(counter->gaps, (size_t)capacity, sizeof *gaps);
    // What isn't kept is not told.
    if (!gaps) return;
    counter->gaps = gaps;
    counter->gap_capacity = capacity;
  }
  counter->gaps[counter->gap_count++] = (cff_audio_gap){counter->next, length};
}

void cff_counter_extend(cff_counter *counter, int64_t start, int64_t end) {
  if (!counter->has_samples || start < counter->first) counter->first = start;
  if (!counter->has_samples || end > counter->end) counter->end = end;
  counter->has_samples = true;
}

void cff_counter_begin_earlier(cff_counter *counter, const AVPacket *packet, int64_t audible) {
  const cff_page_gap *gap = counter->is_known || audible <= 0 ? NULL : cff_page_gap_before(counter->demuxer, packet);
  if (!gap || !gap->is_beginning) return;
  cff_counter_keep_gap(counter, audible);
  cff_counter_extend(counter, 0, audible);
}

int64_t cff_counter_missing_before(const cff_counter *counter, const AVPacket *packet) {
  const cff_frame_gap *gap = &counter->demuxer->frame_gap;
  bool is_inside = gap->missing > 0 && packet->pos >= 0 && packet->pos <= gap->place && gap->place < packet->pos + packet->size;
  return is_inside && counter->stream_index == 0 ? gap->samples : 0;
}

/// Ends an MP3 that lacks frames where it states: libavformat drops the padding of one that lacks none.
static void end_with_missing(cff_counter *counter, const cff_frame_gap *gap) {
  bool is_at_end = gap->place == INT64_MAX;
  int64_t end = counter->next + (is_at_end ? gap->samples : 0) - gap->padding;
  if (is_at_end && end > counter->next) {
    counter->missing_at = counter->next;
    counter->missing_samples = end - counter->next;
    cff_counter_keep_gap(counter, counter->missing_samples);
  }
  if (end > counter->first) counter->end = end;
}

void cff_counter_end_later(cff_counter *counter) {
  if (!counter->has_samples) return;
  const cff_frame_gap *frames = &counter->demuxer->frame_gap;
  if (frames->missing > 0 && counter->stream_index == 0) end_with_missing(counter, frames);
  const cff_page_gap *gap = cff_page_gap_at_end(counter->demuxer, counter->stream_index);
  int64_t end = gap ? cff_counter_position(counter, gap->end) : counter->end;
  if (end <= counter->end) return;
  counter->next = counter->end;
  cff_counter_keep_gap(counter, end - counter->end);
  cff_counter_extend(counter, counter->first, end);
}

int cff_demuxer_audio_gaps(const cff_demuxer *demuxer, int index, cff_audio_gap *gaps, int capacity) {
  if (index < 0 || index >= demuxer->counters_count) return 0;
  const cff_counter *counter = &demuxer->counters[index];
  // If most packets have gaps, the number of their samples is wrong.
  if (counter->has_failed || counter->gap_count * 2 > counter->packets) return 0;
  for (int i = 0; i < counter->gap_count && i < capacity; i++) gaps[i] = counter->gaps[i];
  return counter->gap_count;
}
