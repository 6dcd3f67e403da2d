#include "write_hardware.h"

#include <libavutil/hwcontext.h>

#include "Common/common_internal.h"
#include "Writing/write_internal.h"

// VA-API devices. NVENC encoders find their device themselves and take frames in memory.

struct cff_hardware_device {
  AVBufferRef *reference;
};

/// Number of frames that the encoder holds, including those on their way to it.
enum { pool_size = 32 };

cff_status cff_hardware_device_open(const char *node, cff_hardware_device **result, cff_failure *failure) {
  cff_prepare();
  *result = NULL;
  cff_hardware_device *device = av_mallocz(sizeof *device);
  if (!device) return cff_encoding(AVERROR(ENOMEM), failure);
  int error = av_hwdevice_ctx_create(&device->reference, AV_HWDEVICE_TYPE_VAAPI, node, NULL, 0);
  if (error < 0) cff_hardware_device_close(&device);
  *result = device;
  return cff_encoding(error, failure);
}

void cff_hardware_device_close(cff_hardware_device **reference) {
  cff_hardware_device *device = *reference;
  if (!device) return;
  av_buffer_unref(&device->reference);
  av_freep(reference);
}

int cff_hardware_attach(cff_encoder *encoder, const cff_hardware_device *device) {
  AVCodecContext *context = encoder->context;
  AVBufferRef *reference = av_hwframe_ctx_alloc(device->reference);
  if (!reference) return AVERROR(ENOMEM);
  AVHWFramesContext *frames = (AVHWFramesContext *)reference->data;
  frames->format = AV_PIX_FMT_VAAPI;
  frames->sw_format = context->pix_fmt;
  frames->width = context->width;
  frames->height = context->height;
  frames->initial_pool_size = pool_size;
  int error = av_hwframe_ctx_init(reference);
  if (error < 0) {
    av_buffer_unref(&reference);
    return error;
  }
  context->sw_pix_fmt = context->pix_fmt;
  context->pix_fmt = AV_PIX_FMT_VAAPI;
  context->hw_frames_ctx = reference;
  return 0;
}

int cff_hardware_upload(cff_encoder *encoder, AVFrame *frame) {
  AVFrame *moved = av_frame_alloc();
  if (!moved) return AVERROR(ENOMEM);
  int error = av_hwframe_get_buffer(encoder->context->hw_frames_ctx, moved, 0);
  if (error >= 0) error = av_hwframe_transfer_data(moved, frame, 0);
  if (error >= 0) error = av_frame_copy_props(moved, frame);
  av_frame_unref(frame);
  if (error >= 0) av_frame_move_ref(frame, moved);
  av_frame_free(&moved);
  return error;
}
