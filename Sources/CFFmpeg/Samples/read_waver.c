#include "Samples/read_waver.h"

#include "Samples/read_counter.h"
#include "Times/edit_list.h"

enum {
  /// Small steps are at most one of this many parts of a packet,
  few_samples = 16,
  /// or 2 ms: the difference of two times that are rounded to milliseconds.
  small_per_second = 500,
  /// Packets follow one another within half a packet, but no less than 5 ms and no more than 20 ms.
  least_per_second = 200,
  most_per_second = 50,
  /// Of times that waver, at most one packet of this many has a gap before it.
  packets_per_gap = 50,
  /// Packets that are handed over at one time, at most, and the part of a second that they are early by, at most.
  group = 4,
  groups_per_second = 4,
  /// Times are wrong if they last this many times as long as the header and the samples.
  longest_span = 8,
};

static AVStream *stream_of(const cff_counter *counter) { return counter->demuxer->format->streams[counter->stream_index]; }

int64_t cff_waver_limit(const cff_counter *counter, int64_t count) {
  int64_t half = FFMAX(counter->largest, count) / 2;
  return FFMIN(counter->rate / most_per_second, FFMAX(half, counter->rate / least_per_second));
}

bool cff_wavers_widely(const cff_counter *counter, int64_t difference, int64_t count) {
  int64_t usual = counter->rate / most_per_second, early = FFMIN(group * count, counter->rate / groups_per_second);
  return difference <= usual && -difference <= FFMAX(usual, early);
}

static bool is_small(int64_t step, int64_t count, int rate) {
  return step != 0 && FFABS(step) <= FFMAX(count / few_samples, rate / small_per_second);
}

void cff_waver_take(cff_counter *counter, int64_t position, int64_t count) {
  cff_waver *waver = &counter->waver;
  // The first packet of some codecs has no samples, so that its number of them says nothing.
  bool is_first = counter->packets == 0 || (counter->packets == 1 && cff_begins_silently(counter));
  waver->size = counter->packets == 0 || waver->size == count ? count : 0;
  if (is_first) {
    waver->next = waver->wide_next = position + count;
    return;
  }
  if (is_small(position - counter->next, count, counter->rate)) waver->small_steps++;
  bool follows = FFABS(position - waver->next) <= cff_waver_limit(counter, count);
  if (!follows) waver->jumps++;
  waver->next = (follows ? waver->next : position) + count;
  bool follows_widely = cff_wavers_widely(counter, position - waver->wide_next, count);
  if (!follows_widely) waver->wide_jumps++;
  waver->wide_next = (follows_widely ? waver->wide_next : position) + count;
}

/// Compares the times in the index of a large file with packets of one size. The index of a file in fragments is not complete.
static void take_index(cff_counter *counter) {
  AVStream *stream = stream_of(counter);
  int count = counter->waver.size > 0 && stream->nb_frames > 0 ? avformat_index_get_entries_count(stream) : 0;
  for (int i = 1; i < count; i++) {
    int64_t ticks = avformat_index_get_entry(stream, i)->timestamp - avformat_index_get_entry(stream, i - 1)->timestamp;
    int64_t step = av_rescale_q(ticks, stream->time_base, (AVRational){1, counter->rate}) - counter->waver.size;
    if (is_small(step, counter->waver.size, counter->rate)) counter->waver.small_steps++;
  }
}

/// Number of places at which one part of an edit list follows another: samples need not follow one another there.
static int joints_of(const cff_counter *counter) {
  cff_edit_list list;
  int parts = 0;
  if (!cff_read_edit_list(counter->demuxer, stream_of(counter), &list)) return 0;
  for (int i = 0; i < list.count; i++) parts += list.edits[i].media_time >= 0;
  av_free(list.edits);
  return FFMAX(parts - 1, 0);
}

/// Whether so few packets jump that the others can be believed.
static bool are_few(const cff_counter *counter, int64_t jumps) { return jumps <= 2 + counter->packets / packets_per_gap; }

/// Whether times differ too often from the samples by more than the limit, but return to them: what is gone does not return.
static bool wavers_widely(const cff_counter *counter) {
  if (!counter->is_exact || counter->has_failed || are_few(counter, counter->waver.jumps)) return false;
  return are_few(counter, counter->waver.wide_jumps) && !are_few(counter, counter->waver.jumps - joints_of(counter));
}

static bool wavers(cff_counter *counter) {
  if (!counter->is_exact || counter->has_failed || !are_few(counter, counter->waver.jumps)) return false;
  if (!cff_demuxer_is_small(counter->demuxer)) take_index(counter);
  // A joint may look like one such time.
  return counter->waver.small_steps > 0 && counter->waver.small_steps > joints_of(counter);
}

/// The duration of a stream in samples as the header states it; 0 if it states none.
static int64_t stated_samples(const cff_counter *counter) {
  const AVFormatContext *format = counter->demuxer->format;
  const AVStream *stream = stream_of(counter);
  if (format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return 0;
  AVRational sample = {1, counter->rate};
  if (stream->duration > 0) return av_rescale_q(stream->duration, stream->time_base, sample);
  return format->duration > 0 ? av_rescale_q(format->duration, AV_TIME_BASE_Q, sample) : 0;
}

/// Whether the header states about as many samples as there are, but the times leave most of a much longer span silent: so libavformat derives them from a wrong
/// rate in AVI.
static bool are_wrong(const cff_counter *counter) {
  if (counter->is_exact || counter->has_failed || counter->jumps * 2 <= counter->packets) return false;
  int64_t stated = stated_samples(counter);
  bool holds_stated = counter->samples >= stated / 2 && counter->samples / 2 <= stated;
  return stated > 0 && holds_stated && (counter->end - counter->first) / longest_span > stated;
}

bool cff_find_sample_times(cff_demuxer *demuxer) {
  cff_sample_times before = demuxer->sample_times;
  for (int i = 0; i < demuxer->counters_count && i < 64; i++) {
    cff_counter *counter = &demuxer->counters[i];
    if (counter->rate <= 0) continue;
    bool is_wide = wavers_widely(counter);
    if (is_wide) demuxer->sample_times.wide |= (uint64_t)1 << i;
    if (is_wide || wavers(counter)) demuxer->sample_times.wavering |= (uint64_t)1 << i;
    if (are_wrong(counter)) demuxer->sample_times.wrong |= (uint64_t)1 << i;
  }
  return demuxer->sample_times.wavering != before.wavering || demuxer->sample_times.wrong != before.wrong;
}

bool cff_end_wavers(const cff_counter *counter, int64_t difference) {
  bool may_waver = counter->stream_index < 64 && counter->demuxer->sample_times.wavering >> counter->stream_index & 1;
  // Encoders that begin with samples of their own fill the last packet, too, and the stated end is that of the audio.
  if (!may_waver || counter->has_priming) return false;
  // A packet that is shorter than others has no padding.
  return counter->last < counter->largest || difference <= FFMAX(counter->largest / few_samples, counter->rate / least_per_second);
}
