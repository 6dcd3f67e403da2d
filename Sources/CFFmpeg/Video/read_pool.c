#include "Video/read_video_internal.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <string.h>

enum {
  /// Bytes before the first plane and after each, which decoders and kernels may read and vectorized code may write.
  SLACK = 256,
  /// Maximum number of a decoder's frames in the program's memory, as each may cost it a descriptor. Others are on the heap.
  MOST_PICTURES = 48,
};

/// The positions of a frame's planes in its single buffer.
typedef struct picture_layout {
  size_t offsets[4];
  int strides[4];
  size_t byte_count;
} picture_layout;

/// The owner of a buffer's bytes.
typedef struct buffer_hold {
  void *owner;
  void (*release)(void *owner);
} buffer_hold;

/// Attached to a frame of the pool. If its other properties are copied to another frame, `base` is not that frame's.
typedef struct picture_mark {
  const uint8_t *base;
  void *owner;
} picture_mark;

/// The layout that the decoder needs; false if there is none.
static bool lay_out(AVCodecContext *decoder, const AVFrame *frame, picture_layout *layout) {
  int width = frame->width, height = frame->height, alignment[AV_NUM_DATA_POINTERS];
  avcodec_align_dimensions2(decoder, &width, &height, alignment);
  // Rows of every plane start aligned. Chroma rows follow from luma's, so luma's are extended until all are aligned.
  for (bool is_aligned = false; !is_aligned; width += width & ~(width - 1)) {
    if (width <= 0 || av_image_fill_linesizes(layout->strides, frame->format, width) < 0) return false;
    is_aligned = true;
    for (int i = 0; i < 4; i++) is_aligned = is_aligned && layout->strides[i] % FFMAX(64, alignment[i]) == 0;
  }
  ptrdiff_t strides[4];
  for (int i = 0; i < 4; i++) strides[i] = layout->strides[i];
  size_t sizes[4];
  if (av_image_fill_plane_sizes(sizes, frame->format, height, strides) < 0) return false;
  layout->byte_count = SLACK;
  for (int i = 0; i < 4; i++) {
    layout->offsets[i] = layout->byte_count;
    if (sizes[i] > (size_t)INT32_MAX) return false;
    if (sizes[i] > 0) layout->byte_count += (sizes[i] + 63) / 64 * 64 + SLACK;
  }
  return true;
}

// MARK: buffers

static void free_buffer(void *opaque, uint8_t *data) {
  (void)data;
  buffer_hold *hold = opaque;
  hold->release(hold->owner);
  av_free(hold);
}

/// Called by the buffer pool, by one thread at a time.
static AVBufferRef *make_buffer(void *opaque, size_t byte_count) {
  cff_picture_pool *pool = opaque;
  buffer_hold *hold = pool->made < MOST_PICTURES ? av_mallocz(sizeof *hold) : NULL;
  uint8_t *base = NULL;
  if (!hold || !pool->memory.allocate(pool->memory.context, byte_count, &base, &hold->owner)) {
    av_free(hold);
    return av_buffer_allocz(byte_count);
  }
  hold->release = pool->memory.release;
  AVBufferRef *buffer = av_buffer_create(base, byte_count, free_buffer, hold, 0);
  if (!buffer) free_buffer(hold, base);
  if (buffer) pool->made++;
  return buffer;
}

/// An unused buffer; NULL if memory runs out.
static AVBufferRef *take_buffer(cff_picture_pool *pool, size_t byte_count) {
  pthread_mutex_lock(&pool->lock);
  if (pool->byte_count != byte_count) {
    av_buffer_pool_uninit(&pool->buffers);
    pool->byte_count = pool->made = 0;
    pool->buffers = av_buffer_pool_init2(byte_count, pool, make_buffer, NULL);
    if (pool->buffers) pool->byte_count = byte_count;
  }
  AVBufferRef *buffer = pool->buffers ? av_buffer_pool_get(pool->buffers) : NULL;
  pthread_mutex_unlock(&pool->lock);
  return buffer;
}

static int mark(AVFrame *frame) {
  const buffer_hold *hold = av_buffer_pool_buffer_get_opaque(frame->buf[0]);
  av_buffer_unref(&frame->opaque_ref);
  if (!hold) return 0;
  frame->opaque_ref = av_buffer_alloc(sizeof(picture_mark));
  if (!frame->opaque_ref) return AVERROR(ENOMEM);
  *(picture_mark *)frame->opaque_ref->data = (picture_mark){frame->buf[0]->data, hold->owner};
  return 0;
}

// MARK: frames

/// Called on the decoder's threads.
static int take_picture(AVCodecContext *decoder, AVFrame *frame, int flags) {
  const cff_format_rule *rule = cff_rule_for(frame->format);
  picture_layout layout;
  // Frames to be converted are not passed on. The layout depends on nothing that changes from frame to frame.
  if (!rule || rule->from != rule->to || !lay_out(decoder, frame, &layout)) {
    return avcodec_default_get_buffer2(decoder, frame, flags);
  }
  frame->buf[0] = take_buffer(decoder->opaque, layout.byte_count);
  if (!frame->buf[0]) return AVERROR(ENOMEM);
  const int planes = av_pix_fmt_count_planes(frame->format);
  for (int i = 0; i < AV_NUM_DATA_POINTERS; i++) {
    frame->data[i] = i < planes ? frame->buf[0]->data + layout.offsets[i] : NULL;
    frame->linesize[i] = i < planes ? layout.strides[i] : 0;
  }
  frame->extended_data = frame->data;
  int result = mark(frame);
  if (result < 0) av_buffer_unref(&frame->buf[0]);
  return result;
}

void cff_use_pool(cff_picture_pool *pool, AVCodecContext *decoder) {
  if (!(decoder->codec->capabilities & AV_CODEC_CAP_DR1)) return;
  decoder->opaque = pool;
  decoder->get_buffer2 = take_picture;
#if LIBAVCODEC_VERSION_MAJOR < 60
  // Without it, threads would wait for each other. It is deprecated because later versions always behave so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  decoder->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

void *cff_pool_owner(const AVFrame *frame) {
  if (!frame->opaque_ref || frame->opaque_ref->size != sizeof(picture_mark) || !frame->buf[0]) return NULL;
  const picture_mark *mark = (const picture_mark *)frame->opaque_ref->data;
  return mark->base == frame->buf[0]->data ? mark->owner : NULL;
}

void cff_pool_close(cff_picture_pool *pool) {
  av_buffer_pool_uninit(&pool->buffers);
  pthread_mutex_destroy(&pool->lock);
}
