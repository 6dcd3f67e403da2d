// When the packets after missing pages of an Ogg file are heard or shown: they end at the position of their page. libavformat lets the first one follow
// the last packet that it read, and so all packets of a stream's last page, whose position may leave out samples.
#include "Times/pages.h"

#include <libavutil/intreadwrite.h>
#include <unistd.h>

#include "Samples/read_counter.h"

enum {
  /// Seconds of a page at the lowest rates.
  longest_page = 60,
};

/// Positions beyond this are no positions.
static const int64_t last_position = INT64_MAX / 4;

/// The packets after missing pages, which begin in the pages up to the first one that states a position.
typedef struct run {
  /// The index of their stream; -1 before the first one.
  int stream;
  /// Number of packets, the ticks of all of them and of the last one.
  int packets;
  int64_t duration, last_duration;
  /// The ticks of each packet but the last one, or of the only one; 0 if they differ.
  int64_t usual_duration;
} run;

static bool is_audio(const AVStream *stream) { return stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO; }

/// The number of frames up to the end of a page of Theora, whose position is the number of the last key frame and of those after it (Theora specification,
/// A.2.3).
static int64_t theora_time(const AVCodecParameters *parameters, int64_t position) {
  enum { length_size = 2, shift_offset = length_size + 40 };
  if (parameters->extradata_size < shift_offset + 2) return AV_NOPTS_VALUE;
  const uint8_t *bytes = parameters->extradata + shift_offset;
  int shift = (bytes[0] & 3) << 3 | bytes[1] >> 5;
  return (position >> shift) + (position & (((int64_t)1 << shift) - 1));
}

/// The time of a page's position in ticks of the stream, as libavformat counts; AV_NOPTS_VALUE for other codecs.
static int64_t time_of(const AVStream *stream, int64_t position) {
  const AVCodecParameters *parameters = stream->codecpar;
  if (position < 0 || position > last_position) return AV_NOPTS_VALUE;
  if (is_audio(stream) && av_cmp_q(stream->time_base, (AVRational){1, parameters->sample_rate}) != 0) return AV_NOPTS_VALUE;
  switch (parameters->codec_id) {
  // RFC 7845, 4.2: samples that a decoder drops are counted.
  case AV_CODEC_ID_OPUS: return parameters->extradata_size >= 12 ? position - AV_RL16(parameters->extradata + 10) : AV_NOPTS_VALUE;
  case AV_CODEC_ID_VORBIS:
  case AV_CODEC_ID_SPEEX:
  case AV_CODEC_ID_FLAC: return position;
  case AV_CODEC_ID_THEORA: return theora_time(parameters, position);
  default: return AV_NOPTS_VALUE;
  }
}

// MARK: packets

static uint32_t serial_at(const cff_demuxer *demuxer, int64_t place) {
  enum { offset = 14 };
  uint8_t bytes[4];
  return pread(demuxer->descriptor, bytes, sizeof bytes, (off_t)(place + offset)) == sizeof bytes ? AV_RL32(bytes) : 0;
}

/// The number of ticks of a packet, which is counted; 0 if it is unknown.
static int64_t duration_of(cff_demuxer *demuxer, const AVPacket *packet) {
  int index = packet->stream_index;
  if (!is_audio(demuxer->format->streams[index])) return FFMAX(packet->duration, 0);
  if (index >= demuxer->counters_count || demuxer->counters[index].rate <= 0) return 0;
  cff_counter *counter = &demuxer->counters[index];
  int64_t position = cff_counter_take(counter, packet);
  return position == AV_NOPTS_VALUE ? 0 : counter->next - position;
}

static void extend(run *run, int64_t duration) {
  if (run->packets == 0) run->usual_duration = duration;
  else if (run->last_duration != run->usual_duration) run->usual_duration = 0;
  run->packets++;
  run->duration += duration;
  run->last_duration = duration;
}

/// Reads all packets, and counts those after missing pages. Returns a libav error.
static int read_runs(cff_demuxer *demuxer, const cff_missing_pages *missing, run *runs, int count) {
  AVPacket *packet = av_packet_alloc();
  int error = packet ? cff_counters_open(demuxer) : AVERROR(ENOMEM);
  while (error >= 0 && (error = cff_read_packet(demuxer, packet)) >= 0) {
    int64_t duration = duration_of(demuxer, packet);
    for (int i = 0; i < count; i++) {
      bool is_end = missing[i].place == INT64_MAX;
      bool may_be_inside = is_end ? runs[i].stream < 0 : packet->pos >= missing[i].place && packet->pos <= missing[i].last_place;
      if (!may_be_inside || serial_at(demuxer, packet->pos) != missing[i].serial) continue;
      runs[i].stream = packet->stream_index;
      if (!is_end) extend(&runs[i], duration);
    }
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  cff_counters_free(demuxer);
  return error == AVERROR(ENOMEM) ? error : 0;
}

// MARK: times

/// The time at which the packets of a stream's last page begin. If its position leaves out samples, that is later: at the position of the damaged page,
/// or a number of packets after the page before.
static int64_t start_of_last(const AVStream *stream, const cff_missing_pages *missing, const run *run, int64_t before, int64_t start) {
  int64_t damaged = missing->continues ? AV_NOPTS_VALUE : time_of(stream, missing->damaged);
  if (damaged != AV_NOPTS_VALUE && damaged >= start && damaged - start <= run->last_duration) return damaged;
  int64_t size = is_audio(stream) && stream->codecpar->codec_id != AV_CODEC_ID_VORBIS ? run->usual_duration : 0;
  return size > 0 && start > before ? before + (start - before + size - 1) / size * size : start;
}

/// Determines the times of the packets after missing pages. Returns false if nothing is missing there, or if that is unknown.
static bool place(const cff_demuxer *demuxer, const cff_missing_pages *missing, run run, cff_page_gap *gap) {
  const AVStream *stream = demuxer->format->streams[run.stream];
  int64_t before = time_of(stream, missing->before), end = time_of(stream, missing->after);
  // The last packet ends in a later page.
  if (missing->is_open && run.packets > 0) {
    run.packets--;
    run.duration -= run.last_duration;
  }
  bool is_placed = run.packets > 0 && run.duration > 0 && before != AV_NOPTS_VALUE && end != AV_NOPTS_VALUE;
  if (!is_placed) return false;
  int64_t start = end - run.duration;
  if (missing->is_end) start = start_of_last(stream, missing, &run, before, start);
  int64_t longest = av_rescale_q(longest_page * (int64_t)missing->count, (AVRational){1, 1}, stream->time_base);
  bool is_beginning = missing->is_beginning && is_audio(stream);
  if (start <= before || (is_beginning && start - before > longest)) return false;
  *gap = (cff_page_gap){.stream = run.stream, .place = missing->place, .last_place = missing->last_place, .start = start, .end = end,
                        .padding = FFMAX(start + run.duration - end, 0), .packets = run.packets, .is_beginning = is_beginning};
  return true;
}

/// The end that a damaged last page of audio states. Returns false if that is unknown.
static bool place_end(const cff_demuxer *demuxer, const cff_missing_pages *missing, int stream_index, cff_page_gap *gap) {
  const AVStream *stream = demuxer->format->streams[stream_index];
  int64_t before = time_of(stream, missing->before), end = time_of(stream, missing->after);
  int64_t longest = av_rescale_q(longest_page * (int64_t)missing->count, (AVRational){1, 1}, stream->time_base);
  bool is_stated = is_audio(stream) && before != AV_NOPTS_VALUE && end > before && end - before <= longest;
  *gap = (cff_page_gap){.stream = stream_index, .place = INT64_MAX, .last_place = INT64_MAX, .start = end, .end = end};
  return is_stated;
}

/// Determines all times, of which there are at most `count`. Returns their number, or a libav error.
static int place_all(cff_demuxer *demuxer, const cff_missing_pages *missing, int count, cff_page_gap *gaps) {
  run *runs = av_calloc((size_t)count, sizeof *runs);
  int error = runs ? 0 : AVERROR(ENOMEM), placed = 0;
  for (int i = 0; i < count && error >= 0; i++) runs[i].stream = -1;
  if (error >= 0) error = read_runs(demuxer, missing, runs, count);
  for (int i = 0; i < count && error >= 0; i++) {
    bool is_end = missing[i].place == INT64_MAX, is_known = runs[i].stream >= 0;
    bool has_time = is_known && (is_end ? place_end(demuxer, &missing[i], runs[i].stream, &gaps[placed])
                                        : place(demuxer, &missing[i], runs[i], &gaps[placed]));
    if (has_time) placed++;
  }
  av_free(runs);
  return error < 0 ? error : placed;
}

cff_status cff_find_page_gaps(cff_demuxer *demuxer, cff_failure *failure) {
  if (!demuxer->traits.has_pages || !cff_demuxer_is_small(demuxer)) return CFF_OK;
  cff_page_gaps_free(demuxer);
  cff_missing_pages *missing = NULL;
  int count = cff_find_missing_pages(demuxer, &missing);
  if (count == 0) return CFF_OK;
  cff_page_gap *gaps = count > 0 ? av_calloc((size_t)count, sizeof *gaps) : NULL;
  if (gaps) count = place_all(demuxer, missing, count, gaps);
  cff_status status = !gaps || count < 0 ? cff_fail(failure, CFF_NO_RESOURCE, "out of memory") : CFF_OK;
  if (demuxer->read_error) status = cff_fail_read(demuxer, failure);
  if (status == CFF_OK) status = count > 0 ? cff_demuxer_use_page_gaps(demuxer, gaps, count, failure) : cff_demuxer_rewind(demuxer, failure);
  av_free(missing);
  av_free(gaps);
  return status;
}
