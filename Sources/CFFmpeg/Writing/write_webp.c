#include "write_webp.h"
#include "Common/common_internal.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>

static AVFrame *copied(const uint8_t *pixels, ptrdiff_t stride, int width, int height) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = AV_PIX_FMT_BGRA;
  frame->width = width;
  frame->height = height;
  if (av_frame_get_buffer(frame, 0) < 0) {
    av_frame_free(&frame);
    return NULL;
  }
  av_image_copy_plane(frame->data[0], frame->linesize[0], pixels, (int)stride, width * 4, height);
  frame->pts = 0;
  return frame;
}

static int open_encoder(AVCodecContext *encoder, int width, int height, bool is_lossless, double quality) {
  encoder->pix_fmt = AV_PIX_FMT_BGRA;
  encoder->width = width;
  encoder->height = height;
  encoder->time_base = (AVRational){1, 25};
  int result = av_opt_set_int(encoder->priv_data, "lossless", is_lossless, 0);
  if (result >= 0) result = av_opt_set_double(encoder->priv_data, "quality", quality, 0);
  return result < 0 ? result : avcodec_open2(encoder, NULL, NULL);
}

static int encode(AVCodecContext *encoder, const AVFrame *frame, AVPacket *packet) {
  int result = avcodec_send_frame(encoder, frame);
  if (result >= 0) result = avcodec_send_frame(encoder, NULL);
  return result < 0 ? result : avcodec_receive_packet(encoder, packet);
}

cff_status cff_webp_encode(
    const uint8_t *pixels, ptrdiff_t stride, int width, int height, bool is_lossless, double quality, uint8_t **bytes,
    size_t *count, cff_failure *failure) {
  *bytes = NULL;
  *count = 0;
  const AVCodec *codec = avcodec_find_encoder_by_name("libwebp");
  if (!codec) return cff_fail(failure, CFF_NO_ENCODER, "libavcodec has no encoder libwebp");
  AVCodecContext *encoder = avcodec_alloc_context3(codec);
  AVFrame *frame = copied(pixels, stride, width, height);
  AVPacket *packet = av_packet_alloc();
  int result = encoder && frame && packet ? open_encoder(encoder, width, height, is_lossless, quality) : AVERROR(ENOMEM);
  if (result >= 0) result = encode(encoder, frame, packet);
  if (result >= 0) *bytes = av_memdup(packet->data, (size_t)packet->size);
  if (result >= 0 && *bytes) *count = (size_t)packet->size;
  if (result >= 0 && !*bytes) result = AVERROR(ENOMEM);
  av_packet_free(&packet);
  av_frame_free(&frame);
  avcodec_free_context(&encoder);
  return result < 0 ? cff_fail_av(failure, result, CFF_ENCODE_FAILED, "the WebP encoder") : CFF_OK;
}

void cff_webp_free(uint8_t *bytes) { av_free(bytes); }
