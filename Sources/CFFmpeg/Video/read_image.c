#include "read_image.h"
#include "Video/read_video_internal.h"

#include <limits.h>
#include <string.h>

static cff_status open_decoder(const cff_image_options *options, AVCodecContext **result, cff_failure *failure) {
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get_by_name(options->codec);
  const AVCodec *codec = descriptor ? avcodec_find_decoder(descriptor->id) : NULL;
  if (!codec) return cff_fail(failure, CFF_NO_DECODER, "no decoder for %s", options->codec);
  AVCodecContext *decoder = *result = avcodec_alloc_context3(codec);
  if (!decoder) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  decoder->thread_count = 1;
  decoder->max_pixels = options->maximum_pixels;
  decoder->flags |= AV_CODEC_FLAG_UNALIGNED;
  int error = avcodec_open2(decoder, codec, NULL);
  return error < 0 ? cff_fail_av(failure, error, CFF_DECODE_FAILED, "the decoder does not start") : CFF_OK;
}

/// Decodes the file as one packet. Returns a libav error.
static int decode(AVCodecContext *decoder, const uint8_t *bytes, size_t size, AVFrame *frame) {
  if (size > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR(EFBIG);
  AVPacket *packet = av_packet_alloc();
  int error = packet ? av_new_packet(packet, (int)size) : AVERROR(ENOMEM);
  if (error >= 0) {
    memcpy(packet->data, bytes, size);
    packet->flags |= AV_PKT_FLAG_KEY;
    packet->pts = packet->dts = 0;
    error = avcodec_send_packet(decoder, packet);
  }
  if (error >= 0) error = avcodec_send_packet(decoder, NULL);
  if (error >= 0) error = avcodec_receive_frame(decoder, frame);
  av_packet_free(&packet);
  // The end without a frame.
  return error == AVERROR_EOF || error == AVERROR(EAGAIN) ? AVERROR_INVALIDDATA : error;
}

/// Makes a conversion to R, G, B follow the container rather than the frame.
static void take_container_color(const cff_color *color, AVFrame *frame) {
  if (color->matrix != AVCOL_SPC_UNSPECIFIED) frame->colorspace = (enum AVColorSpace)color->matrix;
  if (color->range) frame->color_range = color->range == 2 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
}

cff_status cff_image_decode(
    const uint8_t *bytes, size_t size, const cff_image_options *options, cff_picture *picture, cff_failure *failure) {
  cff_prepare();
  *picture = (cff_picture){0};
  AVCodecContext *decoder = NULL;
  cff_converter converter = {0};
  AVFrame *frame = av_frame_alloc();
  cff_status status =
      frame ? open_decoder(options, &decoder, failure) : cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  if (status == CFF_OK) {
    int error = decode(decoder, bytes, size, frame);
    if (error < 0) status = cff_fail_av(failure, error, CFF_UNREADABLE, "the frame cannot be decoded");
  }
  if (status == CFF_OK) {
    bool is_deep = options->rgba_depth > 8;
    cff_format_rule packed = {
        frame->format, is_deep ? AV_PIX_FMT_RGBA64 : AV_PIX_FMT_RGBA, is_deep ? "rgba64" : "rgba", true};
    if (options->rgba_depth) take_container_color(&options->container_color, frame);
    // AV1 states the range of its gray itself; alpha planes are such gray.
    bool is_video = decoder->codec_id == AV_CODEC_ID_AV1;
    const cff_format_rule *rule =
        options->rgba_depth ? &packed : is_video ? cff_rule_for(frame->format) : cff_image_rule_for(frame->format);
    status = cff_picture_take(frame, rule, &converter, picture, failure);
  }
  cff_converter_close(&converter);
  av_frame_free(&frame);
  avcodec_free_context(&decoder);
  return status;
}

const uint8_t *cff_picture_profile(const cff_picture *picture, size_t *size) {
  const AVFrame *frame = picture->reference;
  const AVFrameSideData *side = av_frame_get_side_data(frame, AV_FRAME_DATA_ICC_PROFILE);
  *size = side ? side->size : 0;
  return side ? side->data : NULL;
}

bool cff_demuxer_exists(const char *name) { return av_find_input_format(name) != NULL; }

cff_status cff_demuxer_has_one_packet(cff_demuxer *demuxer, int stream_index, bool *has_one, cff_failure *failure) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int count = 0;
  while (count < 2 && av_read_frame(demuxer->format, packet) >= 0) {
    if (packet->stream_index == stream_index) count++;
    av_packet_unref(packet);
  }
  av_packet_free(&packet);
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  *has_one = count == 1;
  return cff_demuxer_rewind(demuxer, failure);
}
