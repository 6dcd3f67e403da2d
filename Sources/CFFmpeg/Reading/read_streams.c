// What a demuxer knows about its streams: their number, kinds, time origins and side data.
#include "Common/common_internal.h"
#include "Times/read_numbered.h"

#include <libavcodec/avcodec.h>
#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>

int cff_demuxer_stream_count(const cff_demuxer *demuxer) {
  return demuxer->format ? (int)demuxer->format->nb_streams : 0;
}

const char *cff_demuxer_format_name(const cff_demuxer *demuxer) {
  return demuxer->format ? demuxer->format->iformat->name : "";
}

int64_t cff_demuxer_file_size(const cff_demuxer *demuxer) { return demuxer->file_size; }

// MARK: origin

/// Number of samples at 48 kHz that an Opus decoder drops first; 0 for other tracks.
static int64_t opus_delay(const AVStream *stream) {
  const AVCodecParameters *p = stream->codecpar;
  return p->codec_id == AV_CODEC_ID_OPUS && p->extradata_size >= 12 ? AV_RL16(p->extradata + 10) : 0;
}

/// Whether libavformat wrote the container before version 59.31, which put CodecDelay (RFC 9559) into the times of Opus, or did not state its version.
static bool is_by_older_libavformat(const AVFormatContext *format) {
  const AVDictionaryEntry *encoder = av_dict_get(format->metadata, "encoder", NULL, 0);
  int major = 0, minor = 0;
  if (!encoder || strncmp(encoder->value, "Lavf", 4) != 0) return false;
  if (sscanf(encoder->value, "Lavf%d.%d", &major, &minor) < 2) return encoder->value[4] == 0;
  return major < 59 || (major == 59 && minor <= 30);
}

/// Such files subtract the delay of Opus twice: by the times of its blocks and by CodecDelay. As nothing may begin before 0, either all other tracks were
/// shifted by it, or Opus begins twice its delay before them. The distance reveals both cases.
void cff_find_opus_shift(cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  demuxer->opus_shift = (cff_opus_shift){0};
  if (!demuxer->traits.states_codec_delay || !is_by_older_libavformat(format)) return;
  int64_t delay = 0, opus_start = INT64_MAX, others_start = INT64_MAX;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if ((type != AVMEDIA_TYPE_VIDEO && type != AVMEDIA_TYPE_AUDIO) || stream->start_time == AV_NOPTS_VALUE) continue;
    int64_t start = av_rescale_q(stream->start_time, stream->time_base, AV_TIME_BASE_Q);
    if (opus_delay(stream) > 0) {
      delay = FFMAX(delay, av_rescale(opus_delay(stream), AV_TIME_BASE, 48000));
      opus_start = FFMIN(opus_start, start);
    } else {
      others_start = FFMIN(others_start, start);
    }
  }
  // Times are in milliseconds, each of them rounded.
  enum { tolerance = 1500 };
  if (delay <= 2 * tolerance || opus_start > tolerance - delay) return;
  if (opus_start >= -delay - tolerance && others_start < INT64_MAX && others_start >= delay - tolerance) {
    demuxer->opus_shift.others = delay;
  } else if (FFABS(opus_start + 2 * delay) <= tolerance) {
    demuxer->opus_shift.opus = -delay;
  }
}

/// The delay of a stream's times, in its own units.
static int64_t opus_shift(const cff_demuxer *demuxer, const AVStream *stream) {
  int64_t shift = opus_delay(stream) > 0 ? demuxer->opus_shift.opus : demuxer->opus_shift.others;
  return av_rescale_q(shift, AV_TIME_BASE_Q, stream->time_base);
}

int64_t cff_demuxer_origin(const cff_demuxer *demuxer, int stream_index) {
  if (stream_index < 0 || stream_index >= cff_demuxer_stream_count(demuxer)) return 0;
  const AVStream *stream = demuxer->format->streams[stream_index];
  int64_t start = demuxer->origin > 0 ? av_rescale_q(demuxer->origin, demuxer->origin_tick, stream->time_base) : 0;
  int64_t delay = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO ? cff_numbered_delay(demuxer, stream) : 0;
  if (stream_index == demuxer->gapless.stream_index) start = av_sat_add64(start, demuxer->gapless.priming);
  return av_sat_add64(av_sat_add64(start, delay), opus_shift(demuxer, stream));
}

// MARK: kinds

/// An image sequence (ISO/IEC 23008-12) repeats its first frame as an item outside of any track. FFmpeg 7 and later list that item as a stream of one frame,
/// without a duration, in a timebase of seconds.
static bool is_item_of_sequence(const cff_demuxer *demuxer, const AVStream *stream) {
  if (!demuxer->traits.may_list_item || demuxer->format->nb_streams < 2) return false;
  return stream->nb_frames == 1 && stream->duration == AV_NOPTS_VALUE && av_cmp_q(stream->time_base, (AVRational){1, 1}) == 0;
}

bool cff_stream_is_cover(const cff_demuxer *demuxer, const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) || is_item_of_sequence(demuxer, stream);
}

static int stream_of_kind(const cff_demuxer *demuxer, enum AVMediaType type, int ordinal) {
  for (int i = 0; i < cff_demuxer_stream_count(demuxer); i++) {
    const AVStream *stream = demuxer->format->streams[i];
    if (stream->codecpar->codec_type != type || cff_stream_is_cover(demuxer, stream)) continue;
    if (ordinal-- == 0) return i;
  }
  return -1;
}

int cff_demuxer_video_stream(const cff_demuxer *demuxer, int ordinal) {
  return stream_of_kind(demuxer, AVMEDIA_TYPE_VIDEO, ordinal);
}

int cff_demuxer_audio_stream(const cff_demuxer *demuxer, int ordinal) {
  return stream_of_kind(demuxer, AVMEDIA_TYPE_AUDIO, ordinal);
}

const uint8_t *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
  const AVPacketSideData *data =
      av_packet_side_data_get(stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
  if (size) *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  size_t found = 0;
  const uint8_t *data = av_stream_get_side_data(stream, type, &found);
  if (size) *size = data ? found : 0;
  return data;
#endif
}
