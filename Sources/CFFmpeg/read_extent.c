#include "read_counter.h"
#include "read_damage.h"
#include "read_flac.h"
#include "read_frame_sizes.h"
#include "read_numbered.h"
#include "read_slides.h"
#include "read_wma.h"
#include "stated_ends.h"

#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <string.h>

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

/// What is known of a stream from its packets so far.
typedef struct stretch {
  int64_t first, last, before_last, end;
  /// End of the last packet by decoding times, and the delay of presentation relative to decoding.
  int64_t decoding_end, delay;
  bool knows_delay, knows_delay_of_key;
  int packets;
  /// Number of fields of the packets, in a bitstream without times; in MPEG-2, those of the last frame that others refer to.
  int64_t fields, held_fields;
  bool is_damaged, lacks_presentation_times;
  cff_damage damage;
  /// Whether packets were decoded in another order than they are shown, and whether their durations vary.
  bool is_reordered, varies;
  bool is_encrypted;
  /// Whether a presentation time differs from the decoding time.
  bool has_own_times;
  /// Durations of the last packet and the one before.
  int64_t duration, duration_before;
  int64_t dropped_first, dropped_last;
  /// Whether an edit list leaves packets out.
  bool has_discarded;
  /// Whether the stream is one of a program stream.
  bool is_of_program;
} stretch;

/// Samples that the packet's side data drops: at its start, then at its end. Those between the parts of an edit list are neither priming nor padding.
static void take_dropped(stretch *s, const cff_demuxer *demuxer, const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *data = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!data || size < 8 || demuxer->moved_packets.count > 0) return;
  s->dropped_first += AV_RL32(data);
  s->dropped_last += AV_RL32(data + 4);
}

/// The delay is that of the first key frame; until then, that of the first packet that states both times.
static void take_delay(stretch *s, const AVPacket *packet) {
  bool is_key = packet->flags & AV_PKT_FLAG_KEY;
  if (packet->pts == AV_NOPTS_VALUE || (s->knows_delay && (s->knows_delay_of_key || !is_key))) return;
  s->delay = packet->pts - packet->dts;
  s->knows_delay = true;
  s->knows_delay_of_key = is_key;
}

static void take_packet(stretch *s, const cff_demuxer *demuxer, const AVPacket *packet, cff_stamps *stamps) {
  const AVCodecParameters *parameters = demuxer->format->streams[packet->stream_index]->codecpar;
  enum AVCodecID codec = parameters->codec_id;
  take_dropped(s, demuxer, packet);
  int64_t time = cff_packet_time(packet);
  if (packet->flags & AV_PKT_FLAG_DISCARD) s->has_discarded = true;
  if (time == AV_NOPTS_VALUE || (packet->flags & AV_PKT_FLAG_DISCARD)) return;
  s->packets++;
  if (packet->pts != AV_NOPTS_VALUE && packet->pts != packet->dts) s->has_own_times = true;
  if (av_packet_get_side_data(packet, AV_PKT_DATA_ENCRYPTION_INFO, NULL)) s->is_encrypted = true;
  if (packet->pts == AV_NOPTS_VALUE) s->lacks_presentation_times = true;
  if (packet->dts != AV_NOPTS_VALUE) {
    take_delay(s, packet);
    s->decoding_end = av_sat_add64(packet->dts, packet->duration);
  }
  if (parameters->codec_type == AVMEDIA_TYPE_AUDIO) {
    cff_damage_take_audio(&s->damage, demuxer, packet, time);
  } else {
    cff_damage_take_picture(&s->damage, packet, time);
  }
  // A packet that was truncated at the end of the file is not a promised frame.
  s->is_damaged = packet->flags & AV_PKT_FLAG_CORRUPT;
  if (s->is_damaged) return;
  if (stamps && cff_is_shown(codec, packet)) cff_keep_stamp(stamps, time, packet->dts, packet->flags & AV_PKT_FLAG_KEY);
  if (s->first == AV_NOPTS_VALUE || time < s->first) s->first = time;
  if (s->last != AV_NOPTS_VALUE && time < s->last) s->is_reordered = true;
  // One tick is the container's rounding.
  if (s->duration > 0 && FFABS(packet->duration - s->duration) > 1) s->varies = true;
  s->duration_before = s->duration;
  s->duration = packet->duration;
  int64_t end = packet->duration > 0 ? av_sat_add64(time, packet->duration) : AV_NOPTS_VALUE;
  if (end != AV_NOPTS_VALUE && (s->end == AV_NOPTS_VALUE || end > s->end)) s->end = end;
  if (s->last == AV_NOPTS_VALUE || time > s->last) {
    s->before_last = s->last;
    s->last = time;
  } else if (time < s->last && (s->before_last == AV_NOPTS_VALUE || time > s->before_last)) {
    s->before_last = time;
  }
}

static int64_t promised_end(const cff_demuxer *demuxer, const AVStream *stream, const stretch *s) {
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
  if (stream->duration != AV_NOPTS_VALUE && stream->duration > 0) return av_sat_add64(start, stream->duration);
  if (format->duration == AV_NOPTS_VALUE || format->duration <= 0) return AV_NOPTS_VALUE;
  int64_t duration = av_rescale_q(format->duration, AV_TIME_BASE_Q, stream->time_base);
  // FFmpeg writes the greatest time as the duration of Matroska, even if the first one is late.
  int64_t second = av_rescale_q(1, (AVRational){1, 1}, stream->time_base);
  bool is_time = av_match_name("matroska", format->iformat->name) && s->end != AV_NOPTS_VALUE && FFABS(duration - s->end) < second;
  return is_time ? duration : av_sat_add64(start, duration);
}

/// The same, if the decoder returns frames later than their numbers; an AVI's header counts them from the first one shown.
static int64_t promised_end_shown(const cff_demuxer *demuxer, const AVStream *stream, const stretch *s) {
  int64_t promised = promised_end(demuxer, stream, s);
  return promised == AV_NOPTS_VALUE ? promised : av_sat_add64(promised, cff_numbered_delay(demuxer, stream));
}

/// Whether the durations of a stream's packets are the distances of their decoding times (ISO/IEC 14496-12, 8.6.1.2). If frames are reordered at a varying
/// rate, a packet's own duration is then not how long its frame is shown; only their sum is known.
static bool has_decoding_durations(const cff_demuxer *demuxer, const stretch *s) {
  return s->is_reordered && s->varies && s->decoding_end != AV_NOPTS_VALUE &&
         av_match_name("mov", demuxer->format->iformat->name);
}

/// The end that the header states for a stream whose packets have no durations (frames of MP4 and QuickTime that are reordered), if it may be that of the last
/// frame. A track's own duration may be the sum of its decoding times, which ends before the last frame is shown; the movie's is then the better one.
static int64_t stated_end(const cff_demuxer *demuxer, const stretch *s, const AVStream *stream) {
  int64_t step = s->before_last == AV_NOPTS_VALUE ? 0 : s->last - s->before_last;
  int64_t promised = promised_end(demuxer, stream, s);
  bool is_of_stream = av_match_name("mov", demuxer->format->iformat->name) && stream->duration > 0;
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
static int64_t paused_end(const cff_demuxer *demuxer, const stretch *s, const AVStream *stream) {
  bool is_audio = av_match_name("mov", demuxer->format->iformat->name) && stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
  if (!is_audio || s->first <= 0 || s->duration <= 0 || s->duration >= s->duration_before) return AV_NOPTS_VALUE;
  return av_sat_add64(s->last, FFMIN(s->duration_before, s->duration + s->first));
}

/// The end of the last packet. If packets have no duration, it is the header's, or the distance of the last two is used.
static int64_t end_of_last(const cff_demuxer *demuxer, const stretch *s, const AVStream *stream) {
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
  // ASF states durations in units of 100 ns, of which libavformat keeps the milliseconds.
  if (stated != AV_NOPTS_VALUE) return av_match_name("asf", demuxer->format->iformat->name) ? stated + 1 : stated;
  if (s->before_last != AV_NOPTS_VALUE) return av_sat_add64(s->last, s->last - s->before_last);
  if (stream->avg_frame_rate.num > 0) {
    return av_sat_add64(s->last, av_rescale_q(1, av_inv_q(stream->avg_frame_rate), stream->time_base));
  }
  return av_sat_add64(s->last, 1);
}

/// The end of what the decoder returns for a stream.
static int64_t end_of(const cff_demuxer *demuxer, const stretch *s, const AVStream *stream) {
  int64_t end = end_of_last(demuxer, s, stream), behind = cff_wma_frame_size(stream->codecpar);
  if (behind == 0 || end == AV_NOPTS_VALUE || stream->codecpar->sample_rate <= 0) return end;
  AVRational sample = {1, stream->codecpar->sample_rate};
  return av_sat_add64(end, av_rescale_q_rnd(behind, sample, stream->time_base, AV_ROUND_UP));
}

/// Gives a packet of a bitstream without times the time after the packets before it, each of which lasts as its parser states.
static void count_packet(const cff_demuxer *demuxer, AVPacket *packet, stretch *s) {
  int64_t period = cff_counted_time(demuxer, 2), start = s->fields;
  bool is_mpeg = strcmp(demuxer->format->iformat->name, "mpegvideo") == 0;
  // Durations are rounded; the count of fields is exact.
  int64_t fields = packet->duration > 0 && period > 0 ? FFMAX(1, (2 * packet->duration + period / 2) / period) : 2;
  if (!is_mpeg || cff_is_bidirectional(packet)) {
    s->fields += fields;
  } else {
    // A frame that others refer to is shown when the next such frame is decoded: what is shown now is the one before.
    s->fields += s->held_fields;
    s->held_fields = fields;
  }
  if (is_mpeg) start = s->fields;
  int64_t end = s->fields + s->held_fields;
  packet->pts = packet->dts = cff_counted_time(demuxer, start);
  packet->duration = cff_counted_time(demuxer, end) - packet->pts;
}

static bool heads_are_known(const stretch *stretches, const AVFormatContext *format) {
  for (unsigned i = 0; i < format->nb_streams; i++) {
    enum AVMediaType type = format->streams[i]->codecpar->codec_type;
    if (type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) continue;
    if (stretches[i].packets < head_packets) return false;
  }
  return true;
}

/// Reads packets to the end of the file, or until the beginnings are known. Returns a libav error, AVERROR_EOF at the end.
static int read_packets(cff_demuxer *demuxer, stretch *stretches, unsigned count, bool heads_only) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  int result;
  while ((result = cff_read_packet(demuxer, packet)) >= 0) {
    int index = packet->stream_index;
    if (index < 64 && demuxer->decoding_times >> index & 1) packet->pts = AV_NOPTS_VALUE;
    cff_counters_take(demuxer, packet);
    if (index < (int)count) {
      if (demuxer->counts_frames) count_packet(demuxer, packet, &stretches[index]);
      bool is_video = demuxer->format->streams[index]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
      take_packet(&stretches[index], demuxer, packet, is_video && index < demuxer->stamps_count ? &demuxer->stamps[index] : NULL);
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

/// Whether the header lists packets beyond the end of the file, and the last key packet that is not.
static bool index_exceeds_file(const cff_demuxer *demuxer, AVStream *stream, int64_t *last_key) {
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

static void measure_tail(cff_demuxer *demuxer, int index, stretch *stretches, unsigned count) {
  AVFormatContext *format = demuxer->format;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    format->streams[i]->discard = (int)i == index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
  AVStream *stream = format->streams[index];
  int64_t target;
  index_exceeds_file(demuxer, stream, &target);
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
  // If seeking fails, reading continues at the current position, which is slow but correct.
  if (cff_seek_packet(demuxer, index, target) < 0) cff_seek_packet(demuxer, index, 0);
  read_packets(demuxer, stretches, count, false);
}

/// Half a second, or two frames if that is longer, in microseconds: the maximum difference of the ends in a complete file.
static int64_t end_tolerance(const AVFormatContext *format) {
  int64_t tolerance = AV_TIME_BASE / 2;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    AVRational rate = format->streams[i]->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0) continue;
    tolerance = FFMAX(tolerance, av_rescale_q(2, av_inv_q(rate), AV_TIME_BASE_Q));
  }
  return tolerance;
}

/// Whether a file whose header promises more was cut by copying its frames, of which the last is whole.
static bool is_cut(const cff_demuxer *demuxer) {
  return av_match_name("flac", demuxer->format->iformat->name) && cff_flac_ends_whole(demuxer->descriptor, demuxer->file_size);
}

/// Whether packets end before the end that the header states, in containers without an index that would tell.
static bool ends_before_promise(const cff_demuxer *demuxer, const stretch *stretches, bool is_small) {
  const AVFormatContext *format = demuxer->format;
  // Formats whose headers state the duration of the file, or its number of packets or samples.
  static const char *const promising[] = {"matroska", "flv", "avi", "wav", "w64", "aiff", "caf", "au", "flac"};
  bool has_promise = false;
  for (size_t i = 0; i < sizeof promising / sizeof *promising; i++) {
    has_promise = has_promise || av_match_name(promising[i], format->iformat->name);
  }
  if (cff_packet_list_of_avi(demuxer) == CFF_PACKETS_OPEN) return false;
  if (!has_promise || format->duration == AV_NOPTS_VALUE || format->duration <= 0) return false;
  if (format->duration_estimation_method != AVFMT_DURATION_FROM_STREAM) return false;
  int64_t last = 0;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    // In a large file, the ends of these streams are not searched for, and one of them may be the last.
    if (!is_small && type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) return false;
    int64_t end = end_of(demuxer, &stretches[i], stream);
    if (end != AV_NOPTS_VALUE) last = FFMAX(last, av_rescale_q(end, stream->time_base, AV_TIME_BASE_Q));
  }
  return format->duration - last > end_tolerance(format);
}

/// Finds the streams whose presentation times cannot be right: they equal the decoding times, but the codec states another order. Returns whether only some times of
/// a stream are those of decoding, so that it has to be measured again without the others.
static bool find_decoding_times(cff_demuxer *demuxer, stretch *stretches, unsigned count) {
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

/// The end that the container states for the last frame of a video; AV_NOPTS_VALUE if it is not known.
static int64_t end_of_slide(const cff_demuxer *demuxer, const stretch *s, const AVStream *stream) {
  bool is_video = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
  if (!is_video || s->before_last == AV_NOPTS_VALUE || s->lacks_presentation_times) return AV_NOPTS_VALUE;
  cff_slide slide = {.first = s->first,
                     .last = s->last,
                     .step = s->last - s->before_last,
                     .duration = s->duration,
                     .promised = promised_end(demuxer, stream, s),
                     .has_discarded = s->has_discarded};
  return cff_slide_end(demuxer, stream, &slide);
}

static void conclude(const cff_demuxer *demuxer, int index, const stretch *s, bool ended_early, cff_extent *extent) {
  AVStream *stream = demuxer->format->streams[index];
  int64_t origin = cff_demuxer_origin(demuxer, index);
  int64_t ignored;
  extent->start = less_origin(s->first, origin);
  extent->end = less_origin(end_of(demuxer, s, stream), origin);
  extent->promised_end = less_origin(promised_end_shown(demuxer, stream, s), origin);
  extent->slide_end = less_origin(end_of_slide(demuxer, s, stream), origin);
  extent->is_encrypted = s->is_encrypted || cff_stream_is_encrypted(demuxer, index);
  extent->dropped_first = s->dropped_first;
  extent->dropped_last = s->dropped_last;
  extent->lacks_presentation_times = s->lacks_presentation_times;
  extent->is_truncated = index_exceeds_file(demuxer, stream, &ignored) || s->is_damaged || ended_early ||
                         demuxer->stated_size.kind == CFF_SIZE_EXCEEDS;
  extent->incomplete_count = s->damage.count;
  extent->first_incomplete = less_origin(s->damage.first, origin);
  cff_counters_conclude(demuxer, index, extent);
}

static bool is_shorter_than_declared(cff_demuxer *demuxer) {
  // Some writers include or exclude the padding or the header incorrectly.
  enum { size_tolerance = 8 };
  return cff_declared_file_size(demuxer) > demuxer->file_size + size_tolerance;
}

/// Returns `NULL` if memory runs out.
static stretch *new_stretches(const AVFormatContext *format, unsigned count) {
  stretch *stretches = av_calloc(count, sizeof *stretches);
  for (unsigned i = 0; stretches && i < count; i++) {
    stretches[i] = (stretch){.is_of_program = av_match_name("mpeg", format->iformat->name), .first = AV_NOPTS_VALUE, .last = AV_NOPTS_VALUE, .before_last = AV_NOPTS_VALUE,
                             .end = AV_NOPTS_VALUE, .decoding_end = AV_NOPTS_VALUE, .damage.heard_end = AV_NOPTS_VALUE};
  }
  return stretches;
}

/// Derives the times at which frames are shown from packets' numbers, and the first and the last of them.
static void show_numbered(cff_demuxer *demuxer, int index, stretch *s) {
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
  int64_t end = av_sat_add64(last, step), promised = promised_end_shown(demuxer, demuxer->format->streams[index], s);
  if (promised != AV_NOPTS_VALUE && promised > last) end = FFMIN(end, promised);
  s->end = FFMAX(s->end, end);
}

/// Packets of program streams, and of transport streams made of them, may lack the time at which they are shown; others state how much later than their decoding that is.
static bool are_shown_decoded(const cff_demuxer *demuxer, const stretch *s) {
  return s->is_of_program || (s->lacks_presentation_times && cff_demuxer_has_sections(demuxer));
}

/// Derives the times at which frames are shown for the streams whose packets lack them.
static void show_decoded(cff_demuxer *demuxer, stretch *stretches, unsigned count) {
  for (unsigned i = 0; (int)i < demuxer->stamps_count && i < count; i++) {
    const stretch *s = &stretches[i];
    if (demuxer->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) show_numbered(demuxer, (int)i, &stretches[i]);
    if (are_shown_decoded(demuxer, s)) cff_show_decoded(&demuxer->stamps[i], s->delay, s->decoding_end, s->duration);
  }
}

/// Measures with the presentation times of the streams that aren't in `decoding_times`. `is_mixed` receives whether others are to be added.
static cff_status measure(cff_demuxer *demuxer, cff_extent *extents, bool *is_mixed, cff_failure *failure) {
  AVFormatContext *format = demuxer->format;
  unsigned count = format->nb_streams;
  if (count == 0) return CFF_OK;
  cff_stamps_free(demuxer);
  cff_size_accounts_free(demuxer);
  demuxer->size_accounts = av_calloc(count, sizeof *demuxer->size_accounts);
  demuxer->size_accounts_count = demuxer->size_accounts ? (int)count : 0;
  demuxer->stamps = av_calloc(count, sizeof *demuxer->stamps);
  demuxer->stamps_count = demuxer->stamps ? (int)count : 0;
  stretch *stretches = new_stretches(format, count);
  if (!stretches) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  bool reads_all = cff_demuxer_is_small(demuxer);
  // What is not read from the beginning cannot be counted.
  if (reads_all && cff_counters_open(demuxer) < 0) {
    av_free(stretches);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  if (!reads_all) cff_counters_free(demuxer);
  int result = read_packets(demuxer, stretches, count, !reads_all);
  for (unsigned i = 0; i < count && !reads_all && result >= 0; i++) {
    enum AVMediaType type = format->streams[i]->codecpar->codec_type;
    if (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO) measure_tail(demuxer, (int)i, stretches, count);
  }
  if (demuxer->read_error) {
    av_free(stretches);
    return cff_fail_read(demuxer, failure);
  }
  bool ends_in_zeros = cff_ends_in_zeros(demuxer);
  bool lacks_samples = ends_before_promise(demuxer, stretches, reads_all) || cff_counters_lack_samples(demuxer);
  bool was_cut = lacks_samples && is_cut(demuxer);
  bool ended_early = ends_in_zeros || (result < 0 && result != AVERROR_EOF) || (lacks_samples && !was_cut) || is_shorter_than_declared(demuxer);
  show_decoded(demuxer, stretches, count);
  *is_mixed = find_decoding_times(demuxer, stretches, count);
  for (unsigned i = 0; i < count; i++) {
    conclude(demuxer, (int)i, &stretches[i], ended_early, &extents[i]);
    extents[i].ends_in_zeros = ends_in_zeros;
    extents[i].states_delay = are_shown_decoded(demuxer, &stretches[i]);
    extents[i].was_cut = was_cut;
  }
  av_free(stretches);
  return cff_demuxer_rewind(demuxer, failure);
}

cff_status cff_demuxer_measure(cff_demuxer *demuxer, cff_extent *extents, cff_failure *failure) {
  cff_status status = cff_demuxer_find_sections(demuxer, failure);
  bool is_mixed = false;
  demuxer->decoding_times = 0;
  if (status == CFF_OK) status = measure(demuxer, extents, &is_mixed, failure);
  return status == CFF_OK && is_mixed ? measure(demuxer, extents, &is_mixed, failure) : status;
}
