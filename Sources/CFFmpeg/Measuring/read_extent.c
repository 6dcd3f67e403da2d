// Measures files by their packets: all of a small file, the beginning and the end of a large one.
#include "Samples/read_counter.h"
#include "Measuring/read_frame_sizes.h"
#include "Times/read_numbered.h"
#include "Measuring/read_stretch.h"
#include "Measuring/stated_ends.h"

#include <libavcodec/avcodec.h>

enum {
  /// Files up to this size in bytes are measured by reading every packet.
  small_file = 64 << 20,
  /// The same for audio alone, if its length and the places to decode at follow from the packets only.
  small_audio = 512 << 20,
  /// Number of packets per stream that are examined for the first presentation time and the frame rate, more than any reordering spans.
  head_packets = 256,
  /// Number of bytes after which the search for first packets ends, for streams that begin late or never.
  head_bytes = 32 << 20,
};

static bool heads_are_known(const cff_stretch *stretches, const AVFormatContext *format) {
  for (unsigned i = 0; i < format->nb_streams; i++) {
    enum AVMediaType type = format->streams[i]->codecpar->codec_type;
    if (type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) continue;
    if (stretches[i].packets < head_packets) return false;
  }
  return true;
}

/// Reads packets to the end of the file, or until the beginnings are known. Returns a libav error, AVERROR_EOF at the end.
static int read_packets(cff_demuxer *demuxer, cff_stretch *stretches, unsigned count, bool heads_only) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  int result;
  while ((result = cff_read_packet(demuxer, packet)) >= 0) {
    int index = packet->stream_index;
    if (index < 64 && demuxer->decoding_times >> index & 1) packet->pts = AV_NOPTS_VALUE;
    cff_counters_take(demuxer, packet);
    if (index < (int)count) {
      if (demuxer->counts_frames) cff_stretch_count(&stretches[index], demuxer, packet);
      bool is_video = demuxer->format->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
      cff_stretch_take(&stretches[index], demuxer, packet, is_video && index < demuxer->stamps_count ? &demuxer->stamps[index] : NULL);
      if (is_video && index < demuxer->size_accounts_count) {
        cff_size_account_take(&demuxer->size_accounts[index], demuxer, packet);
      }
    }
    av_packet_unref(packet);
    if (heads_only && (heads_are_known(stretches, demuxer->format) || demuxer->position > head_bytes)) break;
  }
  av_packet_free(&packet);
  return result;
}

static void measure_tail(cff_demuxer *demuxer, int index, cff_stretch *stretches, unsigned count) {
  AVFormatContext *format = demuxer->format;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    format->streams[i]->discard = (int)i == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
  AVStream *stream = format->streams[index];
  int64_t target;
  cff_index_exceeds_file(demuxer, stream, &target);
  if (target == INT64_MAX && demuxer->has_restarts) {
    target = demuxer->sections[demuxer->section_count - 1].end;
  } else if (target == INT64_MAX) {
    int64_t duration = stream->duration != AV_NOPTS_VALUE
                           ? stream->duration
                           : format->duration != AV_NOPTS_VALUE
                                 ? av_rescale_q(format->duration, AV_TIME_BASE_Q, stream->time_base)
                                 : 0;
    int64_t start = stream->start_time != AV_NOPTS_VALUE ? stream->start_time : 0;
    target = av_sat_add64(start, duration);
  }
  // Packets of the beginning may come once more.
  if (index < demuxer->stamps_count) demuxer->stamps[index].newest = INT64_MIN;
  // If seeking fails, reading continues at the current position, which is slow but correct.
  if (cff_seek_packet(demuxer, index, target) < 0) cff_seek_packet(demuxer, index, 0);
  read_packets(demuxer, stretches, count, false);
}

/// Finds the streams whose presentation times cannot be right: they equal the decoding times, but the codec states another order. Returns whether only some times of
/// a stream are those of decoding, so that it has to be measured again without the others.
static bool find_decoding_times(cff_demuxer *demuxer, cff_stretch *stretches, unsigned count) {
  bool is_mixed = false;
  demuxer->decoding_times = 0;
  for (unsigned i = 0; i < count && i < 64 && (int)i < demuxer->size_accounts_count; i++) {
    const cff_size_account *account = &demuxer->size_accounts[i];
    bool is_decoding = account->is_reordered && (!stretches[i].has_own_times || account->is_out_of_order) && !demuxer->counts_frames;
    if (!is_decoding) continue;
    demuxer->decoding_times |= (uint64_t)1 << i;
    stretches[i].lacks_presentation_times = true;
    is_mixed = is_mixed || stretches[i].has_own_times;
  }
  return is_mixed;
}

uint64_t cff_demuxer_decoding_times(const cff_demuxer *demuxer) { return demuxer->decoding_times; }

void cff_demuxer_use_decoding_times(cff_demuxer *demuxer, uint64_t streams) { demuxer->decoding_times = streams; }

cff_sample_times cff_demuxer_sample_times(const cff_demuxer *demuxer) { return demuxer->sample_times; }

void cff_demuxer_use_sample_times(cff_demuxer *demuxer, cff_sample_times times) { demuxer->sample_times = times; }

bool cff_demuxer_is_small(const cff_demuxer *demuxer) {
  if (demuxer->file_size <= small_file) return true;
  const AVFormatContext *format = demuxer->format;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !cff_stream_is_cover(demuxer, stream)) return false;
    if (cff_times_count_samples(demuxer, (int)i, stream->codecpar->sample_rate)) return false;
  }
  return demuxer->file_size <= small_audio;
}

static int64_t less_origin(int64_t time, int64_t origin) {
  return time == AV_NOPTS_VALUE ? CFF_NO_TIME : av_sat_sub64(time, origin);
}

static void conclude(const cff_demuxer *demuxer, int index, const cff_stretch *stretches, bool ended_early, cff_extent *extent) {
  const cff_stretch *s = &stretches[index];
  AVStream *stream = demuxer->format->streams[index];
  int64_t origin = cff_demuxer_origin(demuxer, index);
  int64_t ignored, slide_end = cff_end_of_slide(demuxer, stretches, index);
  extent->start = less_origin(s->first, origin);
  extent->end = less_origin(cff_end_of_stretch(demuxer, s, stream), origin);
  extent->own_end = extent->end;
  extent->promised_end = less_origin(cff_promised_end(demuxer, stream, s), origin);
  extent->slide_end = less_origin(slide_end, origin);
  extent->states_durations = demuxer->traits.stated_duration == CFF_DURATION_OF_FRAME;
  extent->is_encrypted = s->is_encrypted || cff_stream_is_encrypted(demuxer, index);
  extent->dropped_first = s->dropped_first;
  extent->dropped_last = s->dropped_last;
  extent->lacks_presentation_times = s->lacks_presentation_times;
  extent->is_truncated = cff_index_exceeds_file(demuxer, stream, &ignored) || s->is_damaged || ended_early ||
                         demuxer->stated_size.kind == CFF_SIZE_EXCEEDS;
  if (!extent->is_truncated && cff_is_held(demuxer, s, slide_end)) extent->end = extent->slide_end;
  // A lone frame has nothing else that could be right.
  if (s->first == s->last) extent->own_end = extent->end;
  extent->incomplete_count = s->damage.count;
  extent->first_incomplete = less_origin(s->damage.first, origin);
  extent->lost_count = s->lost.count;
  extent->first_lost = less_origin(s->lost.first, origin);
  cff_counters_conclude(demuxer, index, extent);
}

/// Number of bytes of the packets that are played, as the index of an MP4 or QuickTime file lists them; -1 for other containers, and for files in fragments.
static int64_t indexed_bytes(const cff_demuxer *demuxer, AVStream *stream) {
  int count = avformat_index_get_entries_count(stream);
  if (!demuxer->traits.has_sample_table || count == 0 || count > stream->nb_frames) return -1;
  int64_t bytes = 0;
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    if (!(entry->flags & AVINDEX_DISCARD_FRAME)) bytes += entry->size;
  }
  return bytes;
}

/// Returns `NULL` if memory runs out.
static cff_stretch *new_stretches(unsigned count) {
  cff_stretch *stretches = av_calloc(count, sizeof *stretches);
  for (unsigned i = 0; stretches && i < count; i++) {
    stretches[i] = (cff_stretch){.first = AV_NOPTS_VALUE, .last = AV_NOPTS_VALUE, .before_last = AV_NOPTS_VALUE, .position = -1,
                                 .end = AV_NOPTS_VALUE, .decoding_end = AV_NOPTS_VALUE, .damage.heard_end = AV_NOPTS_VALUE};
  }
  return stretches;
}

/// Derives the times at which frames are shown from packets' numbers, and the first and the last of them.
static void show_numbered(cff_demuxer *demuxer, int index, cff_stretch *s) {
  int64_t step = cff_numbered_step(demuxer, index);
  int held = demuxer->format->streams[index]->codecpar->video_delay;
  cff_stamps *stamps = &demuxer->stamps[index];
  if (step <= 0 || stamps->count == 0 || s->first == AV_NOPTS_VALUE) return;
  int64_t last = s->last;
  if (held > 0) {
    // Of so few frames, all are returned after the last packet.
    cff_show_held(stamps, FFMIN(held, stamps->count), av_sat_add64(s->last, step), step);
    s->first = stamps->times[0];
    for (int i = 0; i < stamps->count; i++) last = FFMAX(last, stamps->times[i]);
    s->before_last = s->packets > 1 ? last - step : AV_NOPTS_VALUE;
    s->last = last;
  }
  int64_t end = av_sat_add64(last, step), promised = cff_promised_end(demuxer, demuxer->format->streams[index], s);
  if (promised != AV_NOPTS_VALUE && promised > last) end = FFMIN(end, promised);
  s->end = FFMAX(s->end, end);
}

/// Packets of program streams, and of transport streams made of them, may lack the time at which they are shown; others state how much later than their decoding that is.
static bool are_shown_decoded(const cff_demuxer *demuxer, const cff_stretch *s) {
  return demuxer->traits.omits_times || (s->lacks_presentation_times && cff_demuxer_has_sections(demuxer));
}

/// Derives the times at which frames are shown for the streams whose packets lack them.
static void show_decoded(cff_demuxer *demuxer, cff_stretch *stretches, unsigned count) {
  for (unsigned i = 0; (int)i < demuxer->stamps_count && i < count; i++) {
    const cff_stretch *s = &stretches[i];
    if (demuxer->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) show_numbered(demuxer, (int)i, &stretches[i]);
    if (are_shown_decoded(demuxer, s)) cff_show_decoded(&demuxer->stamps[i], s->delay, s->decoding_end, s->duration);
  }
}

/// Begins to keep what packets of each stream tell. Without memory, less is known.
static void open_accounts(cff_demuxer *demuxer, unsigned count) {
  cff_stamps_free(demuxer);
  cff_size_accounts_free(demuxer);
  demuxer->size_accounts = av_calloc(count, sizeof *demuxer->size_accounts);
  demuxer->size_accounts_count = demuxer->size_accounts ? (int)count : 0;
  demuxer->stamps = av_calloc(count, sizeof *demuxer->stamps);
  demuxer->stamps_count = demuxer->stamps ? (int)count : 0;
}

/// Takes the end of all streams after the last packet. Of a large file, only the beginning and the end were read.
static void end_streams(cff_demuxer *demuxer, cff_stretch *stretches, unsigned count, bool reads_all, bool ends_in_zeros) {
  // What a copy that failed lacks is said of all of it.
  if (reads_all && !ends_in_zeros) cff_counters_end(demuxer);
  for (unsigned i = 0; i < count; i++) {
    if (!reads_all) stretches[i].lost = (cff_lost_packets){0};
    else cff_lost_packets_end(&stretches[i].lost, demuxer, (int)i);
  }
}

/// Measures with the presentation times of the streams that aren't in `decoding_times`, and those of audio that aren't in `sample_times`. `is_changed` receives
/// whether others are to be added.
static cff_status measure(cff_demuxer *demuxer, cff_extent *extents, bool *is_changed, cff_failure *failure) {
  AVFormatContext *format = demuxer->format;
  unsigned count = format->nb_streams;
  if (count == 0) return CFF_OK;
  open_accounts(demuxer, count);
  cff_stretch *stretches = new_stretches(count);
  if (!stretches) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  bool reads_all = cff_demuxer_is_small(demuxer);
  if (cff_counters_open(demuxer) < 0) {
    av_free(stretches);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  int result = read_packets(demuxer, stretches, count, !reads_all);
  bool has_other_samples = cff_find_sample_times(demuxer) && cff_demuxer_is_small(demuxer);
  // What is not read from the beginning cannot be counted.
  if (!reads_all) cff_counters_free(demuxer);
  for (unsigned i = 0; i < count && !reads_all && result >= 0; i++) {
    enum AVMediaType type = format->streams[i]->codecpar->codec_type;
    if (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO) measure_tail(demuxer, (int)i, stretches, count);
  }
  if (demuxer->read_error) {
    av_free(stretches);
    return cff_fail_read(demuxer, failure);
  }
  bool ends_in_zeros = cff_ends_in_zeros(demuxer);
  end_streams(demuxer, stretches, count, reads_all, ends_in_zeros);
  bool lacks_samples = cff_ends_before_promise(demuxer, stretches, reads_all) || cff_counters_lack_samples(demuxer);
  bool was_cut = lacks_samples && cff_was_cut(demuxer);
  bool ended_early = ends_in_zeros || (result < 0 && result != AVERROR_EOF) || (lacks_samples && !was_cut) || cff_is_shorter_than_declared(demuxer);
  show_decoded(demuxer, stretches, count);
  *is_changed = find_decoding_times(demuxer, stretches, count) || has_other_samples;
  for (unsigned i = 0; i < count; i++) {
    conclude(demuxer, (int)i, stretches, ended_early, &extents[i]);
    extents[i].ends_in_zeros = ends_in_zeros;
    extents[i].byte_count = reads_all ? stretches[i].bytes : indexed_bytes(demuxer, format->streams[i]);
    extents[i].states_delay = are_shown_decoded(demuxer, &stretches[i]);
    extents[i].was_cut = was_cut;
  }
  av_free(stretches);
  return cff_demuxer_rewind(demuxer, failure);
}

cff_status cff_demuxer_measure(cff_demuxer *demuxer, cff_extent *extents, cff_failure *failure) {
  cff_status status = cff_demuxer_find_sections(demuxer, failure);
  bool is_changed = false;
  demuxer->decoding_times = 0;
  demuxer->sample_times = (cff_sample_times){0};
  if (status == CFF_OK) status = cff_demuxer_find_gaps(demuxer, failure);
  if (status == CFF_OK) status = measure(demuxer, extents, &is_changed, failure);
  return status == CFF_OK && is_changed ? measure(demuxer, extents, &is_changed, failure) : status;
}
