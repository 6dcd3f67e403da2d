// Audio encoders: sample formats, and samples from planar float.
#include <libavutil/channel_layout.h>
#include <libavutil/samplefmt.h>
#include <math.h>
#include <string.h>

#include "Writing/write_internal.h"

/// A codec's supported values: AV_SAMPLE_FMT_NONE, 0 or an empty layout ends the list; NULL if unknown.
typedef struct supported_values {
  const enum AVSampleFormat *formats;
  const int *rates;
  const AVChannelLayout *layouts;
} supported_values;

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
static const void *supported(const AVCodec *codec, enum AVCodecConfig kind) {
  const void *values = NULL;
  return avcodec_get_supported_config(NULL, codec, kind, 0, &values, NULL) < 0 ? NULL : values;
}

static supported_values values_of(const AVCodec *codec) {
  return (supported_values){
    supported(codec, AV_CODEC_CONFIG_SAMPLE_FORMAT), supported(codec, AV_CODEC_CONFIG_SAMPLE_RATE),
    supported(codec, AV_CODEC_CONFIG_CHANNEL_LAYOUT)};
}
#else
static supported_values values_of(const AVCodec *codec) {
  return (supported_values){codec->sample_fmts, codec->supported_samplerates, codec->ch_layouts};
}
#endif

static bool sample_format_accepted(const AVCodec *codec, enum AVSampleFormat wanted) {
  const enum AVSampleFormat *formats = values_of(codec).formats;
  for (; formats && *formats != AV_SAMPLE_FMT_NONE; formats++)
    if (*formats == wanted) return true;
  return false;
}

bool cff_audio_encoder_takes_rate(const char *name, int rate) {
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  const int *rates = codec ? values_of(codec).rates : NULL;
  for (const int *one = rates; one && *one; one++)
    if (*one == rate) return true;
  return codec && !rates;
}

bool cff_audio_encoder_takes_channels(const char *name, int count) {
  const AVCodec *codec = avcodec_find_encoder_by_name(name);
  const AVChannelLayout *layouts = codec ? values_of(codec).layouts : NULL;
  AVChannelLayout wanted = {0};
  av_channel_layout_default(&wanted, count);
  for (const AVChannelLayout *one = layouts; one && one->nb_channels > 0; one++)
    if (av_channel_layout_compare(one, &wanted) == 0) return true;
  return codec && !layouts;
}

/// Integers if a bit depth is requested, else the widest format that the encoder supports.
static enum AVSampleFormat choose_sample_format(const AVCodec *codec, int bit_depth) {
  static const enum AVSampleFormat sixteen[] = {AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_NONE};
  static const enum AVSampleFormat widest[] = {
    AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P,
    AV_SAMPLE_FMT_NONE};
  for (const enum AVSampleFormat *one = bit_depth == 16 ? sixteen : widest; *one != AV_SAMPLE_FMT_NONE; one++)
    if (sample_format_accepted(codec, *one)) return *one;
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
  context->sample_fmt = choose_sample_format(context->codec, settings->bit_depth);
  context->bits_per_raw_sample = settings->bit_depth;
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

int cff_audio_encoder_priming(const cff_encoder *encoder) { return encoder->context->initial_padding; }

static float clip(float value, float limit) {
  // The comparisons also convert a NaN to silence.
  if (!(value > -limit)) return value <= -limit ? -limit : 0;
  return value < limit ? value : limit;
}

/// Stores one channel, `step` samples apart, rounded to nearest even and clipped.
static void store_s16(int16_t *out, const float *samples, int count, int step) {
  for (int sample = 0; sample < count; sample++, out += step) {
    long value = lrintf(clip(samples[sample], 2) * 32768);
    *out = (int16_t)(value > INT16_MAX ? INT16_MAX : value < INT16_MIN ? INT16_MIN : value);
  }
}

/// Stores 24 significant bits in the high end of 32, the part that 24-bit encoders keep.
static void store_s24(int32_t *out, const float *samples, int count, int step) {
  const long limit = (1 << 23) - 1;
  for (int sample = 0; sample < count; sample++, out += step) {
    long value = lrintf(clip(samples[sample], 2) * 8388608);
    value = value > limit ? limit : value < -limit - 1 ? -limit - 1 : value;
    *out = (int32_t)(value * 256);
  }
}

static void store_float(float *out, const float *samples, int count, int step) {
  for (int sample = 0; sample < count; sample++, out += step) *out = samples[sample];
}

static void store_samples(AVFrame *frame, const float *const *channels, int count, int channel_count) {
  enum AVSampleFormat format = (enum AVSampleFormat)frame->format;
  bool is_planar = av_sample_fmt_is_planar(format);
  int step = is_planar ? 1 : channel_count;
  for (int channel = 0; channel < channel_count; channel++) {
    uint8_t *out = is_planar ? frame->extended_data[channel] : frame->data[0] + channel * av_get_bytes_per_sample(format);
    switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_S16: store_s16((int16_t *)out, channels[channel], count, step); break;
    case AV_SAMPLE_FMT_S32: store_s24((int32_t *)out, channels[channel], count, step); break;
    default: store_float((float *)out, channels[channel], count, step);
    }
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
