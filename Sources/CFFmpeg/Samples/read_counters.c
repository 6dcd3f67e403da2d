// The counters of all audio streams of a file: what is known of their lengths, gaps and places to decode at.
#include "Samples/read_counter.h"
#include "Samples/read_lossless.h"
#include "Samples/read_wma.h"

void cff_counters_free(cff_demuxer *demuxer) {
  for (int i = 0; i < demuxer->counters_count; i++) cff_counter_close(&demuxer->counters[i]);
  av_freep(&demuxer->counters);
  demuxer->counters_count = 0;
}

int cff_counters_open(cff_demuxer *demuxer) {
  int count = cff_demuxer_stream_count(demuxer), error = 0;
  cff_counters_free(demuxer);
  demuxer->counters = av_calloc((size_t)FFMAX(count, 1), sizeof *demuxer->counters);
  if (!demuxer->counters) return AVERROR(ENOMEM);
  demuxer->counters_count = count;
  for (int i = 0; i < count && error >= 0; i++) {
    const AVCodecParameters *parameters = demuxer->format->streams[i]->codecpar;
    if (parameters->codec_type != AVMEDIA_TYPE_AUDIO || parameters->sample_rate <= 0) continue;
    bool is_exact = cff_times_count_samples(demuxer, i, parameters->sample_rate);
    error = cff_counter_open(&demuxer->counters[i], demuxer, i, !is_exact);
    demuxer->counters[i].is_exact = is_exact;
  }
  return error;
}

void cff_counters_take(cff_demuxer *demuxer, const AVPacket *packet) {
  int index = packet->stream_index;
  if (index < demuxer->counters_count && demuxer->counters[index].rate > 0) {
    cff_counter_take(&demuxer->counters[index], packet);
  }
}

void cff_counters_end(cff_demuxer *demuxer) {
  for (int i = 0; i < demuxer->counters_count; i++) {
    if (demuxer->counters[i].rate > 0) cff_counter_end_later(&demuxer->counters[i]);
  }
}

bool cff_counters_lack_samples(const cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  if (!demuxer->traits.promises_samples || format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return false;
  for (int i = 0; i < demuxer->counters_count; i++) {
    const cff_counter *counter = &demuxer->counters[i];
    const AVStream *stream = format->streams[i];
    if (counter->rate <= 0 || !cff_counter_is_trustworthy(counter) || stream->duration <= 0) continue;
    if (counter->end < av_rescale_q_rnd(stream->duration, stream->time_base, (AVRational){1, counter->rate}, AV_ROUND_DOWN)) return true;
  }
  return false;
}

/// A header that states the number of samples knows how much of a last packet of fixed size is filled (True Audio).
static int64_t filled_end(const cff_counter *counter) {
  const AVFormatContext *format = counter->demuxer->format;
  const AVStream *stream = format->streams[counter->stream_index];
  // libavformat doesn't see a damaged last page.
  if (cff_page_gap_at_end(counter->demuxer, counter->stream_index)) return counter->end;
  int64_t samples = cff_tta_samples(stream->codecpar);
  if (samples > 0 && samples < counter->end && counter->end - samples < counter->largest) return samples;
  AVRational sample = {1, counter->rate}, base = stream->time_base;
  bool counts_samples = base.den > 0 && ((int64_t)base.num * counter->rate) % base.den == 0;
  bool is_stated = format->duration_estimation_method == AVFMT_DURATION_FROM_STREAM && stream->duration > 0;
  if (!counts_samples || !is_stated || stream->start_time == AV_NOPTS_VALUE) return counter->end;
  int64_t start = av_sat_sub64(stream->start_time, cff_demuxer_origin(counter->demuxer, counter->stream_index));
  int64_t end = av_rescale_q(av_sat_add64(start, stream->duration), base, sample);
  bool is_filled = end >= counter->end || counter->end - end >= counter->largest || cff_end_wavers(counter, counter->end - end);
  return is_filled ? counter->end : end;
}

void cff_counters_conclude(const cff_demuxer *demuxer, int index, cff_extent *extent) {
  const cff_counter *counter = index < demuxer->counters_count ? &demuxer->counters[index] : NULL;
  bool is_counted = counter && counter->rate > 0 && !counter->is_exact && cff_counter_is_trustworthy(counter);
  extent->wander = counter && counter->rate > 0 && !counter->has_failed ? counter->wander : 0;
  extent->other_channels = counter && counter->rate > 0 ? counter->other_channels : 0;
  extent->other_position = counter ? counter->other_position : 0;
  extent->first_sample = is_counted ? counter->first : CFF_NO_TIME;
  extent->end_sample = is_counted ? filled_end(counter) : CFF_NO_TIME;
  if (is_counted) extent->end_sample += cff_wma_frame_size(demuxer->format->streams[index]->codecpar);
  const cff_frame_gap *gap = &demuxer->frame_gap;
  extent->missing_position = CFF_NO_TIME;
  // What is missing at the end may be padding only.
  if (counter && index == 0 && (gap->place != INT64_MAX || counter->missing_samples > 0)) {
    extent->stated_frames = gap->stated;
    extent->missing_frames = gap->missing;
    extent->missing_samples = counter->missing_samples > 0 ? counter->missing_samples : gap->samples;
    extent->missing_position = counter->missing_at;
  }
  if (index != demuxer->gapless.stream_index) return;
  extent->first_sample = 0;
  extent->end_sample = demuxer->gapless.samples;
  extent->dropped_first = demuxer->gapless.priming;
  extent->dropped_last = demuxer->gapless.padding;
}

// MARK: places to decode at

/// The end of a page counts only samples that are heard, so libavformat misplaces the packets of a shortened last page if reading starts there.
static int reliable_mark_count(const cff_demuxer *demuxer, const cff_counter *counter) {
  int count = counter->mark_count;
  // Times of chained streams begin anew.
  if (counter->links > 0) return 0;
  if (!demuxer->traits.has_pages) return count;
  while (count > 0 && counter->marks[count - 1].byte_position >= counter->last_byte_position) count--;
  return count;
}

/// Whether a decoder adds noise that depends on everything it has decoded: the dither of these codecs.
static bool adds_noise(const cff_counter *counter) {
  switch (counter->demuxer->format->streams[counter->stream_index]->codecpar->codec_id) {
  case AV_CODEC_ID_AC3:
  case AV_CODEC_ID_EAC3:
  case AV_CODEC_ID_MP2: return true;
  default: return false;
  }
}

int cff_demuxer_marks(const cff_demuxer *demuxer, int index, cff_audio_mark *marks, int capacity) {
  if (index < 0 || index >= demuxer->counters_count || !cff_counter_is_trustworthy(&demuxer->counters[index])) return 0;
  const cff_counter *counter = &demuxer->counters[index];
  if (adds_noise(counter)) return 0;
  int count = reliable_mark_count(demuxer, counter);
  for (int i = 0; i < count && i < capacity; i++) marks[i] = counter->marks[i];
  return count;
}
