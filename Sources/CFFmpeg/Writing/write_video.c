// Video encoders: settings, and frames lent to them.
#include <libavfilter/buffersrc.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <string.h>

#include "Writing/write_internal.h"

#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 2, 100)
#define FRAME_DURATION(frame) ((frame)->duration)
#else
#define FRAME_DURATION(frame) ((frame)->pkt_duration)
#endif

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
  // libavcodec numbers H.273's types from 1.
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

/// Sets where the encoder writes or reads the statistics of one of two passes.
static int configure_pass(AVCodecContext *context, const cff_video_encoding *settings) {
  if (settings->pass == 1) context->flags |= AV_CODEC_FLAG_PASS1;
  if (settings->pass == 2) context->flags |= AV_CODEC_FLAG_PASS2;
  if (settings->statistics) {
    context->stats_in = av_strdup(settings->statistics);
    if (!context->stats_in) return AVERROR(ENOMEM);
  }
  return settings->statistics_path ? av_opt_set(context->priv_data, "stats", settings->statistics_path, 0) : 0;
}

static int configure(cff_encoder *encoder, const cff_video_encoding *settings) {
  configure_video(encoder->context, settings);
  encoder->has_alpha = settings->has_alpha;
  int error = configure_pass(encoder->context, settings);
  if (error >= 0 && settings->palette) error = cff_palette_attach(encoder, settings->palette);
  if (error >= 0 && settings->device) error = cff_hardware_attach(encoder, settings->device);
  return error;
}

static int open_encoder(const cff_video_encoding *settings, const cff_muxer *muxer, cff_encoder **result) {
  bool is_raw = strcmp(settings->encoder, "rawvideo") == 0;
  const char *name = is_raw && muxer && cff_muxer_takes_pictures(muxer) ? "wrapped_avframe" : settings->encoder;
  int error = cff_encoder_allocate(name, muxer, result);
  if (error < 0) return error;
  error = configure(*result, settings);
  if (error >= 0) error = cff_encoder_open_with(*result, settings->options);
  if (error >= 0 && (*result)->context->codec_id == AV_CODEC_ID_AV1) {
    (*result)->metadata_size = cff_av1_metadata(&settings->mastering, (*result)->metadata);
    error = cff_av1_open(*result, settings->chroma_location);
  }
  if (error < 0) cff_encoder_destroy(result);
  return error;
}

cff_status cff_video_encoder_open(
    const cff_video_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure) {
  return cff_encoding(open_encoder(settings, muxer, encoder), failure);
}

static void release_picture(void *opaque, uint8_t *data) {
  (void)data;
  cff_lent_picture *picture = opaque;
  picture->release(picture->owner);
  av_free(picture);
}

/// A reference-counted view of the caller's planes; on failure the frame has been released.
static AVBufferRef *reference(const cff_lent_picture *picture) {
  cff_lent_picture *kept = av_memdup(picture, sizeof *picture);
  // Only the first plane's address matters for reference counting; planes are found through the frame.
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

static void describe_picture(cff_encoder *encoder, const cff_lent_picture *picture) {
  AVFrame *frame = encoder->frame;
  const AVCodecContext *context = encoder->context;
  for (int plane = 0; plane < picture->plane_count; plane++) {
    frame->data[plane] = picture->planes[plane];
    frame->linesize[plane] = (int)picture->strides[plane];
  }
  frame->width = context->width;
  frame->height = context->height;
  frame->format = encoder->graph ? AV_PIX_FMT_BGRA : context->hw_frames_ctx ? context->sw_pix_fmt : context->pix_fmt;
  frame->sample_aspect_ratio = context->sample_aspect_ratio;
  frame->color_primaries = context->color_primaries;
  frame->color_trc = context->color_trc;
  frame->colorspace = context->colorspace;
  frame->color_range = context->color_range;
  frame->chroma_location = context->chroma_sample_location;
  frame->pts = picture->time;
  FRAME_DURATION(frame) = picture->duration;
}

static int send_picture(cff_encoder *encoder, const cff_lent_picture *picture) {
  AVBufferRef *buffer = reference(picture);
  if (!buffer) return AVERROR(ENOMEM);
  av_frame_unref(encoder->frame);
  encoder->frame->buf[0] = buffer;
  describe_picture(encoder, picture);
  int error = remember(encoder, picture->time, picture->duration);
  if (error >= 0 && encoder->context->hw_frames_ctx) error = cff_hardware_upload(encoder, encoder->frame);
  if (error >= 0) {
    error = encoder->graph ? av_buffersrc_add_frame(encoder->source, encoder->frame)
                           : avcodec_send_frame(encoder->context, encoder->frame);
  }
  av_frame_unref(encoder->frame);
  return error;
}

cff_status cff_video_encoder_send(cff_encoder *encoder, const cff_lent_picture *picture, cff_failure *failure) {
  return cff_encoding(send_picture(encoder, picture), failure);
}
