#include "write_encoder.h"

#include <libavfilter/buffersrc.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/pixdesc.h>
#include <string.h>

#include "Common/common_internal.h"
#include "Writing/write_internal.h"

cff_status cff_encoding(int error, cff_failure *failure) {
  return cff_fail_writing(failure, error, CFF_ENCODE_FAILED);
}

bool cff_encoder_exists(const char *name) { return avcodec_find_encoder_by_name(name) != NULL; }

bool cff_encoder_accepts(const char *name, const char *pixel_format) {
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  enum AVPixelFormat wanted = av_get_pix_fmt(pixel_format);
  if (!codec || wanted == AV_PIX_FMT_NONE) return false;
  // Any format with a tag, by which readers recognize it.
  if (codec->id == AV_CODEC_ID_RAWVIDEO) return avcodec_pix_fmt_to_codec_tag(wanted) != 0;
  const enum AVPixelFormat *formats = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *values = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &values, NULL) < 0) return false;
  formats = values;
#else
  formats = codec->pix_fmts;
#endif
  for (; formats && *formats != AV_PIX_FMT_NONE; formats++)
    if (*formats == wanted) return true;
  return false;
}

int cff_encoder_allocate(const char *name, const cff_muxer *muxer, cff_encoder **result) {
  // Otherwise, encoders print statistics to standard error.
  cff_prepare();
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  *result = NULL;
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  cff_encoder *encoder = av_mallocz(sizeof *encoder);
  if (!encoder) return AVERROR(ENOMEM);
  encoder->context = avcodec_alloc_context3(codec);
  encoder->frame = av_frame_alloc();
  encoder->packet = av_packet_alloc();
  encoder->held = av_packet_alloc();
  encoder->before = av_packet_alloc();
  encoder->first_time = encoder->first_decode_time = AV_NOPTS_VALUE;
  if (!encoder->context || !encoder->frame || !encoder->packet || !encoder->held || !encoder->before) {
    cff_encoder_destroy(&encoder);
    return AVERROR(ENOMEM);
  }
  encoder->context->flags |= AV_CODEC_FLAG_BITEXACT;
  if (muxer && cff_muxer_wants_global_header(muxer)) encoder->context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  *result = encoder;
  return 0;
}

int cff_encoder_open_with(cff_encoder *encoder, const char *lines) {
  AVDictionary *options = NULL;
  int error = cff_parse_options(lines, &options);
  if (error >= 0) error = avcodec_open2(encoder->context, NULL, &options);
  if (error >= 0 && av_dict_count(options) > 0) error = AVERROR_OPTION_NOT_FOUND;
  av_dict_free(&options);
  return error;
}

static int64_t recall(cff_encoder *encoder, int64_t time) {
  for (int index = 0; index < encoder->pending_count; index++) {
    if (encoder->pending[index].time != time) continue;
    int64_t duration = encoder->pending[index].duration;
    encoder->pending[index] = encoder->pending[--encoder->pending_count];
    return duration;
  }
  return 0;
}

static int send_end(cff_encoder *encoder) {
  encoder->is_drained = true;
  if (!encoder->graph) return avcodec_send_frame(encoder->context, NULL);
  encoder->graph_is_ended = true;
  return av_buffersrc_add_frame(encoder->source, NULL);
}

cff_status cff_encoder_send_end(cff_encoder *encoder, cff_failure *failure) {
  return cff_encoding(send_end(encoder), failure);
}

/// Sets decode time and duration of the last packet, for frames at variable distances, so that the sum of all decode durations (MP4's length of a track) ends
/// where the last frame does.
static void close_track(cff_encoder *encoder, AVPacket *last) {
  if (!encoder->length_from_decode_times || encoder->first_time == AV_NOPTS_VALUE) return;
  int64_t end = encoder->end_time - (encoder->first_time - encoder->first_decode_time);
  int64_t decode_time = FFMIN(last->pts, end - last->duration);
  if (decode_time > last->dts) last->dts = decode_time;
  if (end > last->dts) last->duration = end - last->dts;
}

/// libx265 derives decode times from the time of the third frame. A movie of one or two frames has none, and gets decode times from
/// memory that was never written; as no frame of it is reordered, each is decoded when it is shown.
static void mend_decode_time(cff_encoder *encoder, AVPacket *packet) {
  if (encoder->context->codec_id != AV_CODEC_ID_HEVC) return;
  bool is_first = encoder->first_time == AV_NOPTS_VALUE;
  if (is_first) encoder->lacks_decode_times = encoder->is_drained && encoder->pending_count <= 2;
  if (encoder->lacks_decode_times) packet->dts = packet->pts;
}

static void note_picture(cff_encoder *encoder, AVPacket *packet) {
  mend_decode_time(encoder, packet);
  int64_t duration = recall(encoder, packet->pts);
  if (duration > 0) packet->duration = duration;
  if (encoder->first_time == AV_NOPTS_VALUE) {
    encoder->first_time = packet->pts;
    encoder->first_decode_time = packet->dts;
  }
  encoder->end_time = FFMAX(encoder->end_time, packet->pts + packet->duration);
}

/// The next packet; if frames go through a graph first, sends those that it returns.
static int receive_packet(cff_encoder *encoder) {
  for (;;) {
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    if (error != AVERROR(EAGAIN) || !encoder->graph) return error;
    error = cff_palette_forward(encoder);
    if (error < 0) return error;
  }
}

/// Returns packets of frames one packet late, so that the last one is known.
static int receive_picture(cff_encoder *encoder, bool *is_ready) {
  for (;;) {
    int error = receive_packet(encoder);
    if (error == AVERROR(EAGAIN)) return 0;
    if (error == AVERROR_EOF) {
      if (!encoder->held->data) return 0;
      av_packet_move_ref(encoder->packet, encoder->held);
      close_track(encoder, encoder->packet);
      *is_ready = true;
      return 0;
    }
    if (error < 0) return error;
    if (encoder->context->codec_id == AV_CODEC_ID_AV1) {
      error = cff_av1_finish_packet(encoder, encoder->packet);
      if (error < 0) return error;
    }
    note_picture(encoder, encoder->packet);
    AVPacket *ready = encoder->held;
    encoder->held = encoder->packet;
    encoder->packet = ready;
    *is_ready = ready->data != NULL;
    if (*is_ready) return 0;
  }
}

/// Number of samples to discard at a packet's end.
static int64_t discarded(const AVPacket *packet) {
  size_t size = 0;
  const uint8_t *skip = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  return skip && size >= 8 ? AV_RL32(skip + 4) : 0;
}

int cff_packet_discard(AVPacket *packet, int64_t count) {
  uint8_t *skip = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10);
  if (!skip) return AVERROR(ENOMEM);
  memset(skip, 0, 10);
  AV_WL32(skip + 4, (uint32_t)count);
  return 0;
}

/// The last packet states how much of it is padding. Some encoders pad more than a packet: packets of padding alone are omitted, because decoders trim one
/// packet only. At least two packets remain, because readers do not recognize a file with fewer.
static int close_samples(cff_encoder *encoder, AVPacket *last, AVPacket *before) {
  int64_t size = encoder->context->frame_size;
  int64_t filling = discarded(last);
  if (filling < size || size <= 0 || !encoder->has_given) {
    bool is_short = encoder->context->initial_padding > 0 && last->duration > 0 && last->duration < size;
    return filling == 0 && is_short ? cff_packet_discard(last, size - last->duration) : 0;
  }
  av_packet_move_ref(last, before);
  last->duration = FFMAX(0, last->duration - (filling - size));
  return filling > size ? cff_packet_discard(last, filling - size) : 0;
}

/// The packets held back, after the end.
static int flush_samples(cff_encoder *encoder, bool *is_ready) {
  if (encoder->held->data && !encoder->is_closed) {
    encoder->is_closed = true;
    int error = close_samples(encoder, encoder->held, encoder->before);
    if (error < 0) return error;
  }
  AVPacket *next = encoder->before->data ? encoder->before : encoder->held;
  *is_ready = next->data != NULL;
  if (*is_ready) av_packet_move_ref(encoder->packet, next);
  return 0;
}

/// Returns packets of samples two packets late if an encoder pads, so that the last two are closed together.
static int receive_samples(cff_encoder *encoder, bool *is_ready) {
  if (encoder->context->initial_padding <= 0) {
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    *is_ready = error >= 0;
    return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
  }
  for (;;) {
    av_packet_unref(encoder->packet);
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    if (error == AVERROR(EAGAIN)) return 0;
    if (error == AVERROR_EOF) return flush_samples(encoder, is_ready);
    if (error < 0) return error;
    AVPacket *ready = encoder->before;
    encoder->before = encoder->held;
    encoder->held = encoder->packet;
    encoder->packet = ready;
    encoder->has_given = ready->data != NULL;
    *is_ready = ready->data != NULL;
    if (*is_ready) return 0;
  }
}

cff_status cff_encoder_receive(cff_encoder *encoder, bool *is_ready, cff_failure *failure) {
  *is_ready = false;
  bool is_video = encoder->context->codec_type == AVMEDIA_TYPE_VIDEO;
  return cff_encoding(is_video ? receive_picture(encoder, is_ready) : receive_samples(encoder, is_ready), failure);
}

const char *cff_encoder_statistics(const cff_encoder *encoder) { return encoder->context->stats_out; }

void cff_encoder_destroy(cff_encoder **reference_) {
  cff_encoder *encoder = *reference_;
  if (!encoder) return;
  avfilter_graph_free(&encoder->graph);
  if (encoder->context) av_freep(&encoder->context->stats_in);
  avcodec_free_context(&encoder->context);
  av_frame_free(&encoder->frame);
  av_packet_free(&encoder->packet);
  av_packet_free(&encoder->held);
  av_packet_free(&encoder->before);
  av_bsf_free(&encoder->filter);
  av_free(encoder->pending);
  av_freep(reference_);
}
