#include "read_subtitles.h"

#include "Common/common_internal.h"

#include <errno.h>
#include <iconv.h>
#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

// More than anybody reads in a week; a larger number is damage or an attack.
#define MAXIMUM_CUES 1000000
#define MAXIMUM_TEXT_BYTES ((size_t)256 << 20)

typedef struct cff_stored_cue {
  int64_t start, end;
  /// Offsets in the strings.
  size_t event, settings;
} cff_stored_cue;

struct cff_subtitles {
  AVRational time_base;
  char codec[32];
  /// Whether events are the packets' own text.
  bool has_own_markup;
  /// Whether an empty sample ends the one before (ETSI TS 126 245).
  bool is_timed_text;
  char *header;
  cff_stored_cue *cues;
  size_t count, capacity;
  /// All strings, each terminated by zero; the first is empty.
  char *texts;
  size_t text_bytes, text_capacity;
};

// MARK: keeping

static int grow(void **memory, size_t *capacity, size_t needed, size_t size) {
  if (needed <= *capacity) return 0;
  size_t larger = FFMAX(needed, *capacity * 2);
  void *grown = av_realloc_array(*memory, larger, size);
  if (!grown) return AVERROR(ENOMEM);
  *memory = grown;
  *capacity = larger;
  return 0;
}

static int keep_text(cff_subtitles *s, const char *text, size_t length, size_t *place) {
  if (length > MAXIMUM_TEXT_BYTES - s->text_bytes - 1) return AVERROR(EFBIG);
  void *texts = s->texts;
  int error = grow(&texts, &s->text_capacity, s->text_bytes + length + 1, 1);
  s->texts = texts;
  if (error < 0) return error;
  memcpy(s->texts + s->text_bytes, text, length);
  s->texts[s->text_bytes + length] = 0;
  *place = s->text_bytes;
  s->text_bytes += length + 1;
  return 0;
}

static int keep_cue(
    cff_subtitles *s, int64_t start, int64_t end, const char *event, size_t length, const AVPacket *packet) {
  if (s->count >= MAXIMUM_CUES) return AVERROR(EFBIG);
  void *cues = s->cues;
  int error = grow(&cues, &s->capacity, s->count + 1, sizeof *s->cues);
  s->cues = cues;
  if (error < 0) return error;
  cff_stored_cue cue = {.start = start, .end = end};
  error = keep_text(s, event, length, &cue.event);
  size_t size = 0;
  const uint8_t *settings = av_packet_get_side_data(packet, AV_PKT_DATA_WEBVTT_SETTINGS, &size);
  if (error >= 0 && settings && size > 0) error = keep_text(s, (const char *)settings, size, &cue.settings);
  if (error >= 0) s->cues[s->count++] = cue;
  return error;
}

// MARK: decoding

/// Ends the cues without an end that began before a time.
static void end_cues(cff_subtitles *s, int64_t time) {
  for (size_t i = s->count; i-- > 0 && s->cues[i].end == CFF_NO_TIME && s->cues[i].start < time;) s->cues[i].end = time;
}

/// Keeps the texts of a decoded subtitle.
///
/// Most decoders return what a packet holds, whose times are then the packet's. Closed captions (CEA-608) are commands that build a text: their decoder returns it
/// when it is erased, with the times at which it was seen.
static int keep_subtitle(cff_subtitles *s, const AVSubtitle *subtitle, const AVPacket *packet, int64_t origin, int64_t duration) {
  const AVRational milliseconds = {1, 1000};
  int64_t packet_time = packet->pts == AV_NOPTS_VALUE ? AV_NOPTS_VALUE : av_rescale_q(packet->pts, s->time_base, AV_TIME_BASE_Q);
  int64_t start, end;
  if (subtitle->pts == AV_NOPTS_VALUE || subtitle->pts == packet_time) {
    if (packet->pts == AV_NOPTS_VALUE) return 0;
    start = packet->pts - origin;
    end = duration >= 0 ? start + duration : CFF_NO_TIME;
  } else {
    bool has_end = subtitle->end_display_time > subtitle->start_display_time && subtitle->end_display_time != UINT32_MAX;
    int64_t first = av_sat_add64(subtitle->pts, av_rescale_q(subtitle->start_display_time, milliseconds, AV_TIME_BASE_Q));
    int64_t last = av_sat_add64(subtitle->pts, av_rescale_q(subtitle->end_display_time, milliseconds, AV_TIME_BASE_Q));
    start = av_rescale_q(first, AV_TIME_BASE_Q, s->time_base) - origin;
    end = has_end ? av_rescale_q(last, AV_TIME_BASE_Q, s->time_base) - origin : CFF_NO_TIME;
  }
  int error = 0;
  for (unsigned i = 0; i < subtitle->num_rects && error >= 0; i++) {
    const char *event = subtitle->rects[i]->ass;
    if (event) error = keep_cue(s, start, end, event, strlen(event), packet);
  }
  return error;
}

/// Decodes the subtitle of a packet, if it has one; packets that cannot be decoded are skipped. A packet without data ends the stream.
static int decode(cff_subtitles *s, AVCodecContext *decoder, AVPacket *packet, int64_t origin, bool is_file) {
  AVSubtitle subtitle = {0};
  int got = 0;
  bool is_end = packet->size == 0 && !packet->data;
  // A cue of a file states its end, even if that is before its start; a container's packet without a duration does not.
  int64_t duration = is_file ? FFMAX(packet->duration, 0) : packet->duration > 0 ? packet->duration : -1;
  if (s->is_timed_text && packet->pts != AV_NOPTS_VALUE && packet->size >= 2 && AV_RB16(packet->data) == 0) {
    end_cues(s, packet->pts - origin);
    return 0;
  }
  if (s->has_own_markup && packet->pts != AV_NOPTS_VALUE) {
    int64_t start = packet->pts - origin;
    const char *text = (const char *)packet->data;
    size_t length = text ? strnlen(text, (size_t)packet->size) : 0;
    return keep_cue(s, start, duration >= 0 ? start + duration : CFF_NO_TIME, text ? text : "", length, packet);
  }
  int error = packet->pts == AV_NOPTS_VALUE && !is_end ? 0 : avcodec_decode_subtitle2(decoder, &subtitle, &got, packet);
  error = error >= 0 && got ? keep_subtitle(s, &subtitle, packet, origin, duration) : 0;
  avsubtitle_free(&subtitle);
  return error;
}

static cff_status open_decoder(
    cff_subtitles *s, const AVStream *stream, bool is_track, AVCodecContext **result, cff_failure *failure) {
  const AVCodecParameters *parameters = stream->codecpar;
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get(parameters->codec_id);
  const char *name = avcodec_get_name(parameters->codec_id);
  if (descriptor && (descriptor->props & AV_CODEC_PROP_BITMAP_SUB)) {
    return cff_fail(failure, CFF_NO_DECODER, "%s subtitles are bitmaps, not text", name);
  }
  const AVCodec *codec = avcodec_find_decoder(parameters->codec_id);
  if (!codec) return cff_fail(failure, CFF_NO_DECODER, "there is no decoder for %s subtitles", name);
  *result = avcodec_alloc_context3(codec);
  if (!*result) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int error = avcodec_parameters_to_context(*result, parameters);
  (*result)->pkt_timebase = stream->time_base;
  if (error >= 0) error = avcodec_open2(*result, codec, NULL);
  if (error < 0) return cff_fail_av(failure, error, CFF_UNREADABLE, "the subtitles cannot be decoded");
  av_strlcpy(s->codec, name, sizeof s->codec);
  enum AVCodecID id = parameters->codec_id;
  s->has_own_markup = is_track && (id == AV_CODEC_ID_SUBRIP || id == AV_CODEC_ID_WEBVTT || id == AV_CODEC_ID_TEXT);
  s->is_timed_text = is_track && id == AV_CODEC_ID_MOV_TEXT;
  s->time_base = stream->time_base;
  const uint8_t *header = (*result)->subtitle_header;
  size_t size = header ? (size_t)(*result)->subtitle_header_size : 0;
  s->header = av_strndup(header ? (const char *)header : "", size);
  return s->header ? CFF_OK : cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
}

typedef int read_packet_function(void *source, AVPacket *packet);

static cff_status decode_all(
    cff_subtitles *s, void *source, read_packet_function *read, const AVStream *stream, int64_t origin, bool is_file,
    cff_failure *failure) {
  AVCodecContext *decoder = NULL;
  AVPacket *packet = av_packet_alloc();
  cff_status status = packet ? open_decoder(s, stream, !is_file, &decoder, failure)
                             : cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int error = 0;
  while (status == CFF_OK && error >= 0 && (error = read(source, packet)) >= 0) {
    if (packet->stream_index == stream->index) error = decode(s, decoder, packet, origin, is_file);
    av_packet_unref(packet);
  }
  // A decoder may hold the last text back.
  if (status == CFF_OK && error == AVERROR_EOF && (decoder->codec->capabilities & AV_CODEC_CAP_DELAY)) {
    int last = decode(s, decoder, packet, origin, is_file);
    if (last < 0) error = last;
  }
  av_packet_free(&packet);
  avcodec_free_context(&decoder);
  if (status != CFF_OK || error >= 0 || error == AVERROR_EOF) return status;
  if (error == AVERROR(EFBIG)) return cff_fail(failure, CFF_TOO_LARGE, "there are more subtitles than are read");
  return cff_fail_parsing(failure, error, "the subtitles cannot be read");
}

static cff_status make(cff_subtitles **result, cff_failure *failure) {
  cff_prepare();
  *result = av_mallocz(sizeof **result);
  size_t empty = 0;
  if (*result && keep_text(*result, "", 0, &empty) >= 0) return CFF_OK;
  cff_subtitles_free(*result);
  *result = NULL;
  return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
}

// MARK: tracks in media

static int read_of_demuxer(void *demuxer, AVPacket *packet) { return cff_read_packet(demuxer, packet); }

cff_status cff_subtitles_read_track(
    cff_demuxer *demuxer, int stream_index, cff_subtitles **result, cff_failure *failure) {
  if (stream_index < 0 || stream_index >= cff_demuxer_stream_count(demuxer)) {
    *result = NULL;
    return cff_fail(failure, CFF_NO_STREAM, "there is no stream %d", stream_index);
  }
  cff_status status = make(result, failure);
  if (status != CFF_OK) return status;
  AVFormatContext *format = demuxer->format;
  // Containers with an index skip packets of discarded streams.
  for (unsigned i = 0; i < format->nb_streams; i++)
    if ((int)i != stream_index) format->streams[i]->discard = AVDISCARD_ALL;
  int64_t origin = cff_demuxer_origin(demuxer, stream_index);
  status = decode_all(*result, demuxer, read_of_demuxer, format->streams[stream_index], origin, false, failure);
  if (status == CFF_OK && demuxer->read_error) status = cff_fail_read(demuxer, failure);
  if (status == CFF_OK) return CFF_OK;
  cff_subtitles_free(*result);
  *result = NULL;
  return status;
}

int cff_demuxer_subtitle_stream(const cff_demuxer *demuxer, int ordinal) {
  for (unsigned i = 0; demuxer->format && i < demuxer->format->nb_streams; i++) {
    if (demuxer->format->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE && ordinal-- == 0) return (int)i;
  }
  return -1;
}

bool cff_stream_is_bitmap_subtitle(const cff_demuxer *demuxer, int index) {
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return false;
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get(demuxer->format->streams[index]->codecpar->codec_id);
  return descriptor && (descriptor->props & AV_CODEC_PROP_BITMAP_SUB);
}

// MARK: files of text

typedef struct memory_file {
  const uint8_t *bytes;
  size_t count, position;
} memory_file;

static int read_memory(void *opaque, uint8_t *buffer, int count) {
  memory_file *file = opaque;
  size_t step = FFMIN((size_t)count, file->count - file->position);
  if (step == 0) return AVERROR_EOF;
  memcpy(buffer, file->bytes + file->position, step);
  file->position += step;
  return (int)step;
}

static int64_t seek_memory(void *opaque, int64_t offset, int whence) {
  memory_file *file = opaque;
  if (whence & AVSEEK_SIZE) return (int64_t)file->count;
  int64_t base = (whence & ~AVSEEK_FORCE) == SEEK_CUR   ? (int64_t)file->position
                 : (whence & ~AVSEEK_FORCE) == SEEK_END ? (int64_t)file->count
                                                        : 0;
  if (base + offset < 0 || base + offset > (int64_t)file->count) return AVERROR(EINVAL);
  file->position = (size_t)(base + offset);
  return base + offset;
}

static int read_of_format(void *format, AVPacket *packet) { return av_read_frame(format, packet); }

static cff_status read_text(cff_subtitles *s, AVIOContext *io, const char *formats, cff_failure *failure) {
  AVFormatContext *format = avformat_alloc_context();
  if (!format) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  format->pb = io;
  format->flags |= AVFMT_FLAG_CUSTOM_IO;
  AVDictionary *options = NULL;
  av_dict_set(&options, "format_whitelist", formats, 0);
  int error = avformat_open_input(&format, NULL, NULL, &options);
  av_dict_free(&options);
  if (error < 0) return cff_fail(failure, CFF_UNREADABLE, "it is not in one of the formats %s", formats);
  cff_status status = format->nb_streams > 0
    ? decode_all(s, format, read_of_format, format->streams[0], 0, true, failure)
    : cff_fail(failure, CFF_UNREADABLE, "it is not in one of the formats %s", formats);
  avformat_close_input(&format);
  return status;
}

cff_status cff_subtitles_read_text(
    const uint8_t *bytes, size_t count, const char *formats, cff_subtitles **result, cff_failure *failure) {
  enum { buffer_size = 1 << 16 };
  cff_status status = make(result, failure);
  if (status != CFF_OK) return status;
  memory_file file = {bytes, count, 0};
  uint8_t *buffer = av_malloc(buffer_size);
  AVIOContext *io = buffer ? avio_alloc_context(buffer, buffer_size, 0, &file, read_memory, NULL, seek_memory) : NULL;
  if (io) {
    status = read_text(*result, io, formats, failure);
    av_freep(&io->buffer);
    avio_context_free(&io);
  } else {
    av_free(buffer);
    status = cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  if (status == CFF_OK) return CFF_OK;
  cff_subtitles_free(*result);
  *result = NULL;
  return status;
}

// MARK: what was read

const char *cff_subtitles_codec(const cff_subtitles *s) { return s->codec; }

bool cff_subtitles_have_own_markup(const cff_subtitles *s) { return s->has_own_markup; }

const char *cff_subtitles_header(const cff_subtitles *s) { return s->header ? s->header : ""; }

void cff_subtitles_time_base(const cff_subtitles *s, int32_t *numerator, int32_t *denominator) {
  *numerator = s->time_base.num;
  *denominator = s->time_base.den;
}

size_t cff_subtitles_count(const cff_subtitles *s) { return s->count; }

cff_cue cff_subtitles_cue(const cff_subtitles *s, size_t index) {
  const cff_stored_cue *cue = &s->cues[index];
  return (cff_cue){cue->start, cue->end, s->texts + cue->event, s->texts + cue->settings};
}

void cff_subtitles_free(cff_subtitles *s) {
  if (!s) return;
  av_free(s->cues);
  av_free(s->texts);
  av_free(s->header);
  av_free(s);
}

// MARK: encodings

cff_status cff_text_to_utf8(
    const char *encoding, const uint8_t *bytes, size_t count, uint8_t **text, size_t *text_count, cff_failure *failure) {
  *text = NULL;
  *text_count = 0;
  iconv_t converter = iconv_open("UTF-8", encoding);
  if (converter == (iconv_t)-1) return cff_fail(failure, CFF_INVALID, "there is no encoding \"%s\"", encoding);
  // No character takes more than 4 bytes or less than one.
  size_t capacity = count * 4 + 4;
  char *target = malloc(capacity), *next = target, *source = (char *)bytes;
  size_t room = capacity, left = count;
  cff_status status = CFF_OK;
  if (!target) {
    status = cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  } else if (iconv(converter, &source, &left, &next, &room) == (size_t)-1) {
    status = cff_fail(failure, CFF_UNREADABLE, "byte %zu means nothing in %s", count - left, encoding);
  }
  iconv_close(converter);
  if (status != CFF_OK) {
    free(target);
    return status;
  }
  *text = (uint8_t *)target;
  *text_count = capacity - room;
  return CFF_OK;
}

void cff_text_free(uint8_t *text) { free(text); }
