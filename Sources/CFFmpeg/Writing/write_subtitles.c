#include "write_subtitles.h"

#include <libavutil/avstring.h>
#include <libavutil/mem.h>
#include <string.h>

#include "Writing/write_internal.h"

#define MAXIMUM_CUE_BYTES (1 << 20)

static cff_status writing(int error, cff_failure *failure) { return cff_fail_writing(failure, error, CFF_IO_FAILED); }

static int open_encoder(AVCodecContext **result, const char *name, const char *header, int timescale) {
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  AVCodecContext *context = *result = avcodec_alloc_context3(codec);
  if (!context) return AVERROR(ENOMEM);
  context->time_base = context->pkt_timebase = (AVRational){1, timescale};
  context->subtitle_header = (uint8_t *)av_strdup(header);
  if (!context->subtitle_header) return AVERROR(ENOMEM);
  context->subtitle_header_size = (int)strlen(header);
  return avcodec_open2(context, codec, NULL);
}

static int add(cff_muxer *muxer, const char *codec, const char *header, int timescale, int disposition) {
  AVFormatContext *format = cff_muxer_context(muxer);
  if (format->nb_streams >= CFF_MAXIMUM_TRACKS) return AVERROR(EINVAL);
  AVStream *stream = avformat_new_stream(format, NULL);
  if (!stream) return AVERROR(ENOMEM);
  AVCodecContext **encoder = cff_muxer_subtitle_encoder(muxer, stream->index);
  int error = open_encoder(encoder, codec, header, timescale);
  if (error >= 0) error = avcodec_parameters_from_context(stream->codecpar, *encoder);
  if (error < 0) return error;
  AVCodecParameters *parameters = stream->codecpar;
  // 3GPP timed text states in its display flags, the first 32 bits of its description, that all samples are forced. libavformat's muxer for QuickTime writes no
  // other sign of it, and by default writes QuickTime's older text, which has no such flag.
  bool is_forced = disposition & AV_DISPOSITION_FORCED;
  if (is_forced && parameters->codec_id == AV_CODEC_ID_MOV_TEXT && parameters->extradata_size >= 4) {
    parameters->extradata[0] |= 0xc0;
    parameters->codec_tag = MKTAG('t', 'x', '3', 'g');
  }
  stream->time_base = (AVRational){1, timescale};
  stream->disposition |= disposition;
  return stream->index;
}

cff_status cff_muxer_add_subtitles(
    cff_muxer *muxer, const char *codec, const char *header, int timescale, bool is_default, bool is_forced, int *track,
    cff_failure *failure) {
  int disposition = (is_default ? AV_DISPOSITION_DEFAULT : 0) | (is_forced ? AV_DISPOSITION_FORCED : 0);
  *track = add(muxer, codec, header, timescale, disposition);
  return writing(*track, failure);
}

/// Removes the word joiners that keep literal text from being read as a tag, after a backslash or a brace, from text without a structure of its own.
static int without_joiners(const AVCodecContext *encoder, uint8_t *bytes, int size) {
  if (encoder->codec_id == AV_CODEC_ID_MOV_TEXT || encoder->codec_id == AV_CODEC_ID_ASS) return size;
  int kept = 0;
  for (int i = 0; i < size; i++) {
    bool is_joined = kept > 0 && (bytes[kept - 1] == '\\' || bytes[kept - 1] == '{');
    if (is_joined && size - i >= 3 && memcmp(bytes + i, "\xe2\x81\xa0", 3) == 0) i += 2;
    else bytes[kept++] = bytes[i];
  }
  return kept;
}

/// Encodes a cue in the encoder's format; returns the number of bytes, or a libav error.
static int encode(AVCodecContext *encoder, const char *event, int64_t duration, uint8_t *bytes) {
  AVSubtitleRect rect = {.type = SUBTITLE_ASS, .ass = (char *)event};
  AVSubtitleRect *rects[] = {&rect};
  int64_t length = av_rescale_q(duration, encoder->time_base, (AVRational){1, 1000});
  AVSubtitle subtitle = {
    .format = 1, .end_display_time = (uint32_t)FFMIN(length, INT32_MAX), .num_rects = 1, .rects = rects, .pts = AV_NOPTS_VALUE};
  int size = avcodec_encode_subtitle(encoder, bytes, MAXIMUM_CUE_BYTES, &subtitle);
  return size < 0 ? size : without_joiners(encoder, bytes, size);
}

static int write_cue(cff_muxer *muxer, int track, const char *event, int64_t start, int64_t duration) {
  AVCodecContext *encoder = *cff_muxer_subtitle_encoder(muxer, track);
  AVPacket *packet = av_packet_alloc();
  uint8_t *bytes = av_malloc(MAXIMUM_CUE_BYTES);
  int size = packet && bytes ? encode(encoder, event, duration, bytes) : AVERROR(ENOMEM);
  int error = size < 0 ? size : av_new_packet(packet, size);
  if (error >= 0) {
    memcpy(packet->data, bytes, (size_t)size);
    packet->stream_index = track;
    packet->pts = packet->dts = start;
    packet->duration = duration;
    packet->flags |= AV_PKT_FLAG_KEY;
    error = cff_muxer_write_raw(muxer, packet, encoder->time_base);
  }
  av_free(bytes);
  av_packet_free(&packet);
  return error;
}

cff_status cff_muxer_write_cue(
    cff_muxer *muxer, int track, const char *event, int64_t start, int64_t duration, cff_failure *failure) {
  return writing(write_cue(muxer, track, event, start, duration), failure);
}
