// Audio encoders: sample formats, and samples from planar float.
#include <libavutil/channel_layout.h>
#include <math.h>
#include <string.h>

#include "write_internal.h"

static bool sample_format_accepted(const AVCodec *codec, enum AVSampleFormat wanted) {
  const enum AVSampleFormat *formats = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *values = NULL;
  if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_SAMPLE_FORMAT, 0, &values, NULL) < 0) return false;
  formats = values;
#else
  formats = codec->sample_fmts;
#endif
  for (; formats && *formats != AV_SAMPLE_FMT_NONE; formats++)
    if (*formats == wanted) return true;
  return false;
}

static enum AVSampleFormat choose_sample_format(const AVCodec *codec) {
  static const enum AVSampleFormat order[] = {
    AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S16};
  for (size_t index = 0; index < sizeof order / sizeof *order; index++)
    if (sample_format_accepted(codec, order[index])) return order[index];
  return AV_SAMPLE_FMT_NONE;
}

static int open_encoder(const cff_audio_encoding *settings, const cff_muxer *muxer, cff_encoder **result) {
  int error = cff_encoder_allocate(settings->encoder, muxer, result);
  if (error < 0) return error;
  AVCodecContext *context = (*result)->context;
  context->sample_rate = settings->sample_rate;
  context->time_base = (AVRational){1, settings->sample_rate};
  context->bit_rate = settings->bit_rate;
  context->thread_count = settings->threads;
  context->sample_fmt = choose_sample_format(context->codec);
  av_channel_layout_default(&context->ch_layout, settings->channel_count);
  error = context->sample_fmt == AV_SAMPLE_FMT_NONE ? AVERROR(EINVAL) : cff_encoder_open_with(*result, NULL);
  if (error < 0) cff_encoder_destroy(result);
  return error;
}

cff_status cff_audio_encoder_open(
    const cff_audio_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure) {
  return cff_encoding(open_encoder(settings, muxer, encoder), failure);
}

int cff_audio_encoder_frame_size(const cff_encoder *encoder) { return encoder->context->frame_size; }

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

static int send_samples(cff_encoder *encoder, const float *const *channels, int count, int64_t position) {
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

cff_status cff_audio_encoder_send(
    cff_encoder *encoder, const float *const *channels, int count, int64_t position, cff_failure *failure) {
  return cff_encoding(send_samples(encoder, channels, count, position), failure);
}
