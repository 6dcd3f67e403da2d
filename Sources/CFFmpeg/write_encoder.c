#include "write_encoder.h"

#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "write_internal.h"

#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 2, 100)
#define FRAME_DURATION(frame) ((frame)->duration)
#else
#define FRAME_DURATION(frame) ((frame)->pkt_duration)
#endif

int cff_cpu_has_avx512(void) { return (av_get_cpu_flags() & AV_CPU_FLAG_AVX512) != 0; }

int cff_encoder_exists(const char *name) { return avcodec_find_encoder_by_name(name) != NULL; }

int cff_encoder_accepts(const char *name, const char *pixel_format) {
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  enum AVPixelFormat wanted = av_get_pix_fmt(pixel_format);
  if (!codec || wanted == AV_PIX_FMT_NONE) return 0;
  const enum AVPixelFormat *formats = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *values = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &values, NULL) < 0) return 0;
  formats = values;
#else
  formats = codec->pix_fmts;
#endif
  for (; formats && *formats != AV_PIX_FMT_NONE; formats++)
    if (*formats == wanted) return 1;
  return 0;
}

static void silence(void) { av_log_set_level(AV_LOG_QUIET); }

static int allocate(const char *name, const cff_muxer *muxer, cff_encoder **result) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  // Encoders print their statistics to the standard error otherwise.
  pthread_once(&once, silence);
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  *result = NULL;
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  cff_encoder *encoder = av_mallocz(sizeof *encoder);
  if (!encoder) return AVERROR(ENOMEM);
  encoder->context = avcodec_alloc_context3(codec);
  encoder->frame = av_frame_alloc();
  encoder->packet = av_packet_alloc();
  encoder->held = av_packet_alloc();
  encoder->first_time = encoder->first_decode_time = AV_NOPTS_VALUE;
  if (!encoder->context || !encoder->frame || !encoder->packet || !encoder->held) {
    cff_encoder_destroy(&encoder);
    return AVERROR(ENOMEM);
  }
  encoder->context->flags |= AV_CODEC_FLAG_BITEXACT;
  if (muxer && cff_muxer_wants_global_header(muxer)) encoder->context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  *result = encoder;
  return 0;
}

static int open_with_options(cff_encoder *encoder, const char *lines) {
  AVDictionary *options = NULL;
  int error = cff_parse_options(lines, &options);
  if (error >= 0) error = avcodec_open2(encoder->context, NULL, &options);
  if (error >= 0 && av_dict_count(options) > 0) error = AVERROR_OPTION_NOT_FOUND;
  av_dict_free(&options);
  return error;
}

static void configure_video(AVCodecContext *context, const cff_video_encoding *settings) {
  context->width = settings->width;
  context->height = settings->height;
  context->pix_fmt = av_get_pix_fmt(settings->pixel_format);
  context->sample_aspect_ratio = (AVRational){settings->aspect_num, settings->aspect_den};
  context->time_base = (AVRational){settings->time_base_num, settings->time_base_den};
  context->framerate = (AVRational){settings->rate_num, settings->rate_den};
  context->color_primaries = settings->primaries;
  context->color_trc = settings->transfer;
  context->colorspace = settings->matrix;
  context->color_range = settings->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  // libavcodec counts H.273's types from 1.
  context->chroma_sample_location = settings->chroma_location + 1;
  context->field_order = AV_FIELD_PROGRESSIVE;
  context->bit_rate = settings->bit_rate;
  context->thread_count = settings->threads;
  if (settings->key_interval > 0) context->gop_size = settings->key_interval;
  if (settings->quality_scale > 0) {
    context->flags |= AV_CODEC_FLAG_QSCALE;
    context->global_quality = (int)lrint(settings->quality_scale * FF_QP2LAMBDA);
  }
}

int cff_video_encoder_open(const cff_video_encoding *settings, const cff_muxer *muxer, cff_encoder **result) {
  int error = allocate(settings->encoder, muxer, result);
  if (error < 0) return error;
  configure_video((*result)->context, settings);
  error = open_with_options(*result, settings->options);
  if (error >= 0 && (*result)->context->codec_id == AV_CODEC_ID_AV1) {
    (*result)->metadata_size = cff_av1_metadata(&settings->mastering, (*result)->metadata);
    error = cff_av1_open(*result, settings->chroma_location);
  }
  if (error < 0) cff_encoder_destroy(result);
  return error;
}

static int sample_format_accepted(const AVCodec *codec, enum AVSampleFormat wanted) {
  const enum AVSampleFormat *formats = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *values = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &values, NULL) < 0) return 0;
  formats = values;
#else
  formats = codec->sample_fmts;
#endif
  for (; formats && *formats != AV_SAMPLE_FMT_NONE; formats++)
    if (*formats == wanted) return 1;
  return 0;
}

static enum AVSampleFormat choose_sample_format(const AVCodec *codec) {
  static const enum AVSampleFormat order[] = {
    AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16};
  for (size_t index = 0; index < sizeof order / sizeof *order; index++)
    if (sample_format_accepted(codec, order[index])) return order[index];
  return AV_SAMPLE_FMT_NONE;
}

int cff_audio_encoder_open(const cff_audio_encoding *settings, const cff_muxer *muxer, cff_encoder **result) {
  int error = allocate(settings->encoder, muxer, result);
  if (error < 0) return error;
  AVCodecContext *context = (*result)->context;
  context->sample_rate = settings->sample_rate;
  context->time_base = (AVRational){1, settings->sample_rate};
  context->bit_rate = settings->bit_rate;
  context->thread_count = settings->threads;
  context->sample_fmt = choose_sample_format(context->codec);
  av_channel_layout_default(&context->ch_layout, settings->channel_count);
  error = context->sample_fmt == AV_SAMPLE_FMT_NONE ? AVERROR(EINVAL) : open_with_options(*result, NULL);
  if (error < 0) cff_encoder_destroy(result);
  return error;
}

int cff_audio_encoder_frame_size(const cff_encoder *encoder) { return encoder->context->frame_size; }

// MARK: Pictures

static void release_picture(void *opaque, uint8_t *data) {
  (void)data;
  cff_lent_picture *picture = opaque;
  picture->release(picture->owner);
  av_free(picture);
}

/// A reference-counted view of the caller's planes; on failure the picture has been released.
static AVBufferRef *reference(const cff_lent_picture *picture) {
  cff_lent_picture *kept = av_memdup(picture, sizeof *picture);
  // Only the first plane's address matters to the count of references; planes are found through the frame.
  AVBufferRef *buffer =
    kept ? av_buffer_create(picture->planes[0], 1, release_picture, kept, AV_BUFFER_FLAG_READONLY) : NULL;
  if (!buffer) {
    av_free(kept);
    picture->release(picture->owner);
  }
  return buffer;
}

static int remember(cff_encoder *encoder, int64_t time, int64_t duration) {
  if (encoder->pending_count == encoder->pending_capacity) {
    int capacity = encoder->pending_capacity ? encoder->pending_capacity * 2 : 64;
    cff_pending_time *grown = av_realloc_array(encoder->pending, (size_t)capacity, sizeof *grown);
    if (!grown) return AVERROR(ENOMEM);
    encoder->pending = grown;
    encoder->pending_capacity = capacity;
  }
  encoder->pending[encoder->pending_count++] = (cff_pending_time){time, duration};
  return 0;
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

static void describe_picture(cff_encoder *encoder, const cff_lent_picture *picture) {
  AVFrame *frame = encoder->frame;
  const AVCodecContext *context = encoder->context;
  for (int plane = 0; plane < picture->plane_count; plane++) {
    frame->data[plane] = picture->planes[plane];
    frame->linesize[plane] = (int)picture->strides[plane];
  }
  frame->width = context->width;
  frame->height = context->height;
  frame->format = context->pix_fmt;
  frame->sample_aspect_ratio = context->sample_aspect_ratio;
  frame->color_primaries = context->color_primaries;
  frame->color_trc = context->color_trc;
  frame->colorspace = context->colorspace;
  frame->color_range = context->color_range;
  frame->chroma_location = context->chroma_sample_location;
  frame->pts = picture->time;
  FRAME_DURATION(frame) = picture->duration;
}

int cff_video_encoder_send(cff_encoder *encoder, const cff_lent_picture *picture) {
  AVBufferRef *buffer = reference(picture);
  if (!buffer) return AVERROR(ENOMEM);
  av_frame_unref(encoder->frame);
  encoder->frame->buf[0] = buffer;
  describe_picture(encoder, picture);
  int error = remember(encoder, picture->time, picture->duration);
  if (error >= 0) error = avcodec_send_frame(encoder->context, encoder->frame);
  av_frame_unref(encoder->frame);
  return error;
}

// MARK: Sound

static float clip(float value, float limit) {
  // The comparisons also turn a NaN into silence.
  if (!(value > -limit)) return value <= -limit ? -limit : 0;
  return value < limit ? value : limit;
}

static void store_s16(int16_t *out, const float *const *channels, int count, int channel_count) {
  for (int sample = 0; sample < count; sample++)
    for (int channel = 0; channel < channel_count; channel++) {
      long value = lrintf(clip(channels[channel][sample], 2) * 32768);
      *out++ = (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
    }
}

/// 24 significant bits in the high end of 32, which is what the 24-bit encoder keeps.
static void store_s24(int32_t *out, const float *const *channels, int count, int channel_count) {
  const long limit = (1 << 23) - 1;
  for (int sample = 0; sample < count; sample++)
    for (int channel = 0; channel < channel_count; channel++) {
      long value = lrintf(clip(channels[channel][sample], 2) * 8388608);
      value = value > limit ? limit : value < -limit - 1 ? -limit - 1 : value;
      *out++ = (int32_t)(value * 256);
    }
}

static void store_float(float *out, const float *const *channels, int count, int channel_count) {
  for (int sample = 0; sample < count; sample++)
    for (int channel = 0; channel < channel_count; channel++) *out++ = channels[channel][sample];
}

static void store_samples(AVFrame *frame, const float *const *channels, int count, int channel_count) {
  switch (frame->format) {
  case AV_SAMPLE_FMT_S16: store_s16((int16_t *)frame->data[0], channels, count, channel_count); break;
  case AV_SAMPLE_FMT_S32: store_s24((int32_t *)frame->data[0], channels, count, channel_count); break;
  case AV_SAMPLE_FMT_FLT: store_float((float *)frame->data[0], channels, count, channel_count); break;
  default:
    for (int channel = 0; channel < channel_count; channel++)
      memcpy(frame->extended_data[channel], channels[channel], (size_t)count * sizeof(float));
  }
}

int cff_audio_encoder_send(cff_encoder *encoder, const float *const *channels, int count, int64_t position) {
  AVFrame *frame = encoder->frame;
  const AVCodecContext *context = encoder->context;
  av_frame_unref(frame);
  frame->nb_samples = count;
  frame->format = context->sample_fmt;
  frame->sample_rate = context->sample_rate;
  frame->pts = position;
  int error = av_channel_layout_copy(&frame->ch_layout, &context->ch_layout);
  if (error >= 0) error = av_frame_get_buffer(frame, 0);
  if (error >= 0) {
    store_samples(frame, channels, count, context->ch_layout.nb_channels);
    error = avcodec_send_frame(encoder->context, frame);
  }
  av_frame_unref(frame);
  return error;
}

// MARK: Packets

int cff_encoder_send_end(cff_encoder *encoder) { return avcodec_send_frame(encoder->context, NULL); }

/// Gives the last packet of pictures whose distances vary the decode time and duration with which the sum of all decode
/// durations, which is what MP4 calls the track's length, ends where the last picture does.
static void close_track(cff_encoder *encoder, AVPacket *last) {
  if (!encoder->length_from_decode_times || encoder->first_time == AV_NOPTS_VALUE) return;
  int64_t end = encoder->end_time - (encoder->first_time - encoder->first_decode_time);
  int64_t decode_time = FFMIN(last->pts, end - last->duration);
  if (decode_time > last->dts) last->dts = decode_time;
  if (end > last->dts) last->duration = end - last->dts;
}

static void note_picture(cff_encoder *encoder, AVPacket *packet) {
  int64_t duration = recall(encoder, packet->pts);
  if (duration > 0) packet->duration = duration;
  if (encoder->first_time == AV_NOPTS_VALUE) {
    encoder->first_time = packet->pts;
    encoder->first_decode_time = packet->dts;
  }
  encoder->end_time = FFMAX(encoder->end_time, packet->pts + packet->duration);
}

/// Pictures go out one packet late, so that the last one is known.
static int receive_picture(cff_encoder *encoder) {
  for (;;) {
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    if (error == AVERROR(EAGAIN)) return 0;
    if (error == AVERROR_EOF) {
      if (!encoder->held->data) return 0;
      av_packet_move_ref(encoder->packet, encoder->held);
      close_track(encoder, encoder->packet);
      return 1;
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
    if (ready->data) return 1;
  }
}

int cff_encoder_receive(cff_encoder *encoder) {
  if (encoder->context->codec_type == AVMEDIA_TYPE_VIDEO) return receive_picture(encoder);
  int error = avcodec_receive_packet(encoder->context, encoder->packet);
  if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return 0;
  return error < 0 ? error : 1;
}

void cff_encoder_destroy(cff_encoder **reference_) {
  cff_encoder *encoder = *reference_;
  if (!encoder) return;
  avcodec_free_context(&encoder->context);
  av_frame_free(&encoder->frame);
  av_packet_free(&encoder->packet);
  av_packet_free(&encoder->held);
  av_bsf_free(&encoder->filter);
  av_free(encoder->pending);
  av_freep(reference_);
}

// MARK: Errors

void cff_error_text(int error, char *text, size_t capacity) {
  if (av_strerror(error, text, capacity) < 0 && capacity > 0) text[capacity - 1] = 0;
}

int cff_error_errno(int error) {
  // libavutil's own codes are four-character tags, far outside errno's range.
  return error < 0 && error > -4096 ? AVUNERROR(error) : 0;
}
