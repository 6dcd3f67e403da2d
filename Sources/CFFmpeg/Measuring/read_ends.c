// Where streams end: as their packets tell, and as headers promise.
#include "Measuring/read_stretch.h"
#include "Samples/read_counter.h"
#include "Samples/read_flac.h"
#include "Times/read_numbered.h"
#include "Times/read_slides.h"
#include "Samples/read_wma.h"
#include "Measuring/stated_ends.h"

enum {
  /// Half a second, in microseconds: the ends of a complete file differ by that much.
  least_tolerance = AV_TIME_BASE / 2,
};

/// The distance of a stream's last two frames, or how long a packet says that the only one lasts.
static int64_t step_before(const cff_stretch *s) { return s->before_last == AV_NOPTS_VALUE ? s->duration : s->last - s->before_last; }

static int64_t promised_end(const cff_demuxer *demuxer, const AVStream *stream, const cff_stretch *s) {
  int64_t first = s->first;
  const AVFormatContext *format = demuxer->format;
  if (demuxer->counts_frames) return AV_NOPTS_VALUE;
  if (demuxer->stated_size.kind == CFF_SIZE_EXCEEDS && demuxer->stated_size.stated_samples > 0) {
    AVRational sample = {1, stream->codecpar->sample_rate};
    return av_rescale_q(demuxer->stated_size.stated_samples, sample, stream->time_base);
  }
  // libavformat ignores the duration of an ASF file that is not as long as its header says.
  cff_asf asf = cff_asf_header(demuxer);
  if (asf.duration > 0 && asf.packets_end > demuxer->file_size && first != AV_NOPTS_VALUE)
    return av_sat_add64(first, av_rescale_q(asf.duration, (AVRational){1, 10000000}, stream->time_base));
  // A writer that does not know the size of an AVI's packets does not know their number either.
  if (cff_packet_list_of_avi(demuxer) == CFF_PACKETS_OPEN) return AV_NOPTS_VALUE;
  // libav takes the difference of the first and the last timestamp as the duration.
  if (demuxer->has_restarts) return AV_NOPTS_VALUE;
  int64_t start = stream->start_time != AV_NOPTS_VALUE ? stream->start_time : first;
  if (start == AV_NOPTS_VALUE) return AV_NOPTS_VALUE;
  // ISO/IEC 14496-12: all ones for an unknown duration.
  if (stream->duration == UINT32_MAX) return AV_NOPTS_VALUE;
  int64_t counted = cff_duration_of_cut_avi(demuxer, stream, s->end == AV_NOPTS_VALUE ? 0 : av_sat_sub64(s->end, start));
  if (counted != AV_NOPTS_VALUE) return counted > 0 ? av_sat_add64(start, counted) : AV_NOPTS_VALUE;
  if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) return av_sat_add64(start, stream->duration);
  if (format->duration == AV_NOPTS_VALUE || format->duration <= 0) return AV_NOPTS_VALUE;
  int64_t duration = av_rescale_q(format->duration, AV_TIME_BASE_Q, stream->time_base);
  int64_t second = av_rescale_q(1, (AVRational){1, 1}, stream->time_base);
  bool is_time = demuxer->traits.may_state_last_time && s->end != AV_NOPTS_VALUE && FFABS(duration - s->end) < second;
  return is_time ? duration : av_sat_add64(start, duration);
}

// Of decoders that return frames later than their numbers: an AVI's header counts them from the first one shown.
int64_t cff_promised_end(const cff_demuxer *demuxer, const AVStream *stream, const cff_stretch *s) {
  int64_t promised = promised_end(demuxer, stream, s);
  return promised == AV_NOPTS_VALUE ? promised : av_sat_add64(promised, cff_numbered_delay(demuxer, stream));
}

/// Whether the durations of a stream's packets are the distances of their decoding times (ISO/IEC 14496-12, 8.6.1.2). If frames are reordered at a varying
/// rate, a packet's own duration is then not how long its frame is shown; only their sum is known.
static bool has_decoding_durations(const cff_demuxer *demuxer, const cff_stretch *s) {
  return s->is_reordered && s->varies && s->decoding_end != AV_NOPTS_VALUE && demuxer->traits.has_sample_table;
}

/// The end that the header states for a stream whose packets have no durations (frames of MP4 and QuickTime that are reordered), if it may be that of the last
/// frame. A track's own duration may be the sum of its decoding times, which ends before the last frame is shown; the movie's is then the better one.
static int64_t stated_end(const cff_demuxer *demuxer, const cff_stretch *s, const AVStream *stream) {
  int64_t step = s->before_last == AV_NOPTS_VALUE ? 0 : s->last - s->before_last;
  int64_t promised = promised_end(demuxer, stream, s);
  bool is_of_stream = demuxer->traits.stated_duration == CFF_DURATION_OF_TRACK && stream->duration > 0;
  int64_t longest = is_of_stream ? FFMAX(step, av_rescale_q(10, (AVRational){1, 1}, stream->time_base)) : step;
  if (promised == AV_NOPTS_VALUE) return AV_NOPTS_VALUE;
  if (promised <= s->last && demuxer->format->duration > 0) {
    int64_t start = stream->start_time != AV_NOPTS_VALUE ? stream->start_time : s->first;
    promised = av_sat_add64(start, av_rescale_q(demuxer->format->duration, AV_TIME_BASE_Q, stream->time_base));
    longest = step;
  }
  return promised > s->last && promised - s->last <= longest ? promised : AV_NOPTS_VALUE;
}

/// The end of audio in MP4 and QuickTime whose edit list begins with a pause: libavformat takes the end of the media, which is not shifted by the pause, as the end of
/// the last packet, which is. AV_NOPTS_VALUE for other streams.
static int64_t paused_end(const cff_demuxer *demuxer, const cff_stretch *s, const AVStream *stream) {
  bool is_audio = demuxer->traits.has_edit_lists && stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  if (!is_audio || s->first <= 0 || s->duration <= 0 || s->duration >= s->duration_before) return AV_NOPTS_VALUE;
  return av_sat_add64(s->last, FFMIN(s->duration_before, s->duration + s->first));
}

/// The end of the last packet. If packets have no duration, it is the header's, or the distance of the last two is used.
static int64_t end_of_last(const cff_demuxer *demuxer, const cff_stretch *s, const AVStream *stream) {
  if (s->last == AV_NOPTS_VALUE) return AV_NOPTS_VALUE;
  if (has_decoding_durations(demuxer, s)) {
    int64_t end = av_sat_add64(s->decoding_end, s->delay);
    if (end > s->last) return end;
  }
  // A frame without a presentation time of its own may be the last one shown.
  if (s->lacks_presentation_times && s->delay > 0) return FFMAX(s->end, av_sat_add64(s->decoding_end, s->delay));
  int64_t paused = paused_end(demuxer, s, stream);
  if (paused != AV_NOPTS_VALUE) return paused;
  if (s->end != AV_NOPTS_VALUE && s->end > s->last) return s->end;
  int64_t stated = stated_end(demuxer, s, stream);
  if (stated != AV_NOPTS_VALUE) return demuxer->traits.rounds_durations_down ? stated + 1 : stated;
  if (s->before_last != AV_NOPTS_VALUE) return av_sat_add64(s->last, s->last - s->before_last);
  if (stream->avg_frame_rate.num > 0) {
    return av_sat_add64(s->last, av_rescale_q(1, av_inv_q(stream->avg_frame_rate), stream->time_base));
  }
  return av_sat_add64(s->last, 1);
}

int64_t cff_end_of_stretch(const cff_demuxer *demuxer, const cff_stretch *s, const AVStream *stream) {
  int64_t end = end_of_last(demuxer, s, stream), behind = cff_wma_frame_size(stream->codecpar);
  if (behind == 0 || end == AV_NOPTS_VALUE || stream->codecpar->sample_rate <= 0) return end;
  AVRational sample = {1, stream->codecpar->sample_rate};
  return av_sat_add64(end, av_rescale_q_rnd(behind, sample, stream->time_base, AV_ROUND_UP));
}

/// Whether the duration that a file states for its longest stream can only be that of a video: it has no other one, and all other streams end clearly earlier.
static bool is_longest(const cff_demuxer *demuxer, const cff_stretch *stretches, int index) {
  const AVFormatContext *format = demuxer->format;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if ((int)i == index || type == AVMEDIA_TYPE_ATTACHMENT || cff_stream_is_cover(demuxer, stream)) continue;
    // Of a large file, the ends of subtitles are not searched for.
    if (type == AVMEDIA_TYPE_VIDEO || (type != AVMEDIA_TYPE_AUDIO && !cff_demuxer_is_small(demuxer))) return false;
    int64_t end = cff_end_of_stretch(demuxer, &stretches[i], stream);
    if (end != AV_NOPTS_VALUE && format->duration - av_rescale_q(end, stream->time_base, AV_TIME_BASE_Q) <= least_tolerance) return false;
  }
  return true;
}

int64_t cff_end_of_slide(const cff_demuxer *demuxer, const cff_stretch *stretches, int index) {
  const AVStream *stream = demuxer->format->streams[index];
  const cff_stretch *s = &stretches[index];
  bool is_of_file = demuxer->traits.stated_duration == CFF_DURATION_OF_FILE;
  if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO || s->last == AV_NOPTS_VALUE || s->lacks_presentation_times) return AV_NOPTS_VALUE;
  // Of a single frame, only the duration of the file tells more than its packet.
  if (s->before_last == AV_NOPTS_VALUE && !is_of_file) return AV_NOPTS_VALUE;
  cff_slide slide = {.first = s->first,
                     .last = s->last,
                     .step = step_before(s),
                     .duration = s->duration,
                     .promised = promised_end(demuxer, stream, s),
                     .has_discarded = s->has_discarded,
                     .is_longest = is_of_file && is_longest(demuxer, stretches, index)};
  return cff_slide_end(demuxer, stream, &slide);
}

bool cff_is_held(const cff_demuxer *demuxer, const cff_stretch *s, int64_t slide_end) {
  int64_t step = step_before(s);
  return demuxer->traits.stated_duration == CFF_DURATION_OF_FILE && slide_end != AV_NOPTS_VALUE && slide_end - s->last > step + step / 2;
}

bool cff_index_exceeds_file(const cff_demuxer *demuxer, AVStream *stream, int64_t *last_key) {
  *last_key = INT64_MAX;
  int count = avformat_index_get_entries_count(stream);
  for (int i = count - 1; i >= 0; i--) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    bool is_inside = entry && entry->pos <= demuxer->file_size - entry->size;
    if (is_inside && (entry->flags & AVINDEX_KEYFRAME)) {
      *last_key = entry->timestamp;
      break;
    }
  }
  const AVIndexEntry *last = count > 0 ? avformat_index_get_entry(stream, count - 1) : NULL;
  return last && last->size > 0 && last->pos > demuxer->file_size - last->size;
}

/// Half a second, or two frames if that is longer, in microseconds: the maximum difference of the ends in a complete file.
static int64_t end_tolerance(const AVFormatContext *format) {
  int64_t tolerance = least_tolerance;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    AVRational rate = format->streams[i]->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0) continue;
    tolerance = FFMAX(tolerance, av_rescale_q(2, av_inv_q(rate), AV_TIME_BASE_Q));
  }
  return tolerance;
}

/// Whether all that a Matroska or WebM file with video announces is there: its last frame is held if the header states a later end.
static bool has_all_frames(const cff_demuxer *demuxer, const cff_stretch *stretches) {
  const AVFormatContext *format = demuxer->format;
  int64_t position = -1;
  bool has_video = false;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    position = FFMAX(position, stretches[i].position);
    has_video = has_video || (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && !cff_stream_is_cover(demuxer, stream));
  }
  return demuxer->traits.stated_duration == CFF_DURATION_OF_FILE && has_video && cff_has_all_elements(demuxer, position);
}

bool cff_was_cut(const cff_demuxer *demuxer) {
  return demuxer->traits.ends_with_checksum && cff_flac_ends_whole(demuxer->descriptor, demuxer->file_size);
}

bool cff_ends_before_promise(const cff_demuxer *demuxer, const cff_stretch *stretches, bool is_small) {
  const AVFormatContext *format = demuxer->format;
  if (cff_packet_list_of_avi(demuxer) == CFF_PACKETS_OPEN) return false;
  if (!demuxer->traits.promises_duration || format->duration == AV_NOPTS_VALUE || format->duration <= 0) return false;
  if (format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return false;
  int64_t last = 0;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    // In a large file, the ends of these streams are not searched for, and one of them may be the last.
    if (!is_small && type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) return false;
    int64_t end = cff_end_of_stretch(demuxer, &stretches[i], stream);
    if (end != AV_NOPTS_VALUE) last = FFMAX(last, av_rescale_q(end, stream->time_base, AV_TIME_BASE_Q));
  }
  return format->duration - last > end_tolerance(format) && !has_all_frames(demuxer, stretches);
}

bool cff_is_shorter_than_declared(const cff_demuxer *demuxer) {
  // Some writers include or exclude the padding or the header incorrectly.
  enum { size_tolerance = 8 };
  return cff_declared_file_size(demuxer) > demuxer->file_size + size_tolerance;
}
