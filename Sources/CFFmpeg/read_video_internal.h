// The decoder's parts: decoding, deinterlacing, conversion of pixel formats.
#pragma once
#include "read_internal.h"
#include "read_losses.h"
#include "read_video.h"
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libswscale/swscale.h>
#include <pthread.h>

/// How pictures of one libav format become pictures of one of ours.
typedef struct cff_format_rule {
  enum AVPixelFormat from;
  /// Same as `from` where memory is handed on untouched.
  enum AVPixelFormat to;
  const char *name;
  bool is_full_range;
} cff_format_rule;

/// The rule for a format; NULL where there is none.
const cff_format_rule *cff_rule_for(enum AVPixelFormat format);

/// The rule for a picture of an image file: gray becomes R, G, B, and samples of the other byte order are taken too.
const cff_format_rule *cff_image_rule_for(enum AVPixelFormat format);

/// Converts pictures that need it; keeps its scaler and its memory from picture to picture.
typedef struct cff_converter {
  struct SwsContext *scaler;
  int width, height;
  enum AVPixelFormat from, to;
  AVBufferPool *pool;
  int pool_size;
} cff_converter;

/// Replaces `frame` by its converted copy. Returns a libav error.
int cff_convert(cff_converter *converter, AVFrame *frame, const cff_format_rule *rule);
void cff_converter_close(cff_converter *converter);

/// Describes a frame, converts it by its rule (NULL: there is none) and moves it into `picture`, without its time. Empties `frame`.
cff_status cff_picture_take(
    AVFrame *frame, const cff_format_rule *rule, cff_converter *converter, cff_picture *picture, cff_failure *failure);

/// A bwdif filter that is rebuilt where the pictures change their shape.
typedef struct cff_deinterlacer {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  int width, height;
  enum AVPixelFormat format;
  AVRational time_base;
  bool by_field;
} cff_deinterlacer;

/// Gives a frame to the filter (NULL: no more will come). Returns a libav error.
int cff_deinterlacer_send(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Takes a frame from it, times in half units of the stream's time base. AVERROR(EAGAIN) where it needs more.
int cff_deinterlacer_receive(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Forgets everything.
void cff_deinterlacer_reset(cff_deinterlacer *deinterlacer);

static inline bool cff_frame_is_key(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_KEY;
#else
  return frame->key_frame;
#endif
}

static inline bool cff_frame_is_interlaced(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_INTERLACED;
#else
  return frame->interlaced_frame;
#endif
}

static inline bool cff_frame_is_top_first(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
  return frame->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
  return frame->top_field_first;
#endif
}

static inline int64_t cff_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}

/// Pictures in memory that the program gives: made once, then used again by one decoder after the other.
typedef struct cff_picture_pool {
  cff_picture_memory memory;
  /// Decoders take pictures from several threads.
  pthread_mutex_t lock;
  AVBufferPool *buffers;
  size_t byte_count;
  /// How many pictures in memory of the program were made.
  int made;
} cff_picture_pool;

/// Has a decoder that is not open yet take its pictures from the pool, where its codec can.
void cff_use_pool(cff_picture_pool *pool, AVCodecContext *decoder);
/// What keeps a picture that a decoder gave; NULL where it lies elsewhere.
void *cff_pool_owner(const AVFrame *frame);
/// Pictures that are out stay until they are let go of.
void cff_pool_close(cff_picture_pool *pool);

struct cff_video {
  cff_demuxer *demuxer;
  int stream_index;
  AVCodecContext *decoder;
  AVPacket *packet;
  AVFrame *frame;
  /// A picture of another shape that waits until the deinterlacer has given out the ones before it.
  AVFrame *waiting;
  cff_picture_pool pool;
  cff_converter converter;
  cff_deinterlacer deinterlacer;
  int deinterlacing;
  /// What the decoder was opened with; one thread after the first damage.
  int thread_count;
  int64_t maximum_pixels;
  AVRational stream_tick, tick;
  /// Stream time of media time 0.
  int64_t origin;

  /// `packet` holds one that was read and not yet decoded.
  bool has_packet;
  bool packets_ended;
  /// Decoding time of the last packet that was read.
  int64_t packet_time;
  /// Stream time of the key picture after a seek; earlier pictures are not to be trusted. AV_NOPTS_VALUE: all are.
  int64_t trusted_from;
  /// Where packets have no presentation times: pictures before the key picture are passed over, whatever their times.
  bool awaits_key;
  int64_t frame_time;
  /// Time of the last picture that decoding gave, and what it was when the decoder was replaced.
  int64_t given_out, skip_through;

  /// Stream time before which pictures that no other refers to are passed over, and the last one that was; AV_NOPTS_VALUE: none.
  int64_t skip_before, skipped_last;

  // The deinterlacer looks one picture back, so after a seek its first picture differs from what it would have been.
  bool filter_is_ending, filter_runs_in;
  int frames_filtered;
  int64_t filter_trusted_from;

  cff_ledger ledger;
  /// Times the decoder refused a packet or gave a damaged picture.
  int64_t error_count;
  bool ended_early;
  char reason[AV_ERROR_MAX_STRING_SIZE];
};

/// Whether the packet at hand need not be decoded; notes its time then.
bool cff_passes_over(cff_video *v);
/// Opens the decoder for the stream, with the options kept in `v`.
cff_status cff_open_decoder(cff_video *v, cff_failure *failure);
/// Has the demuxer give out packets of the stream only.
void cff_select_stream(cff_video *v);
/// Forgets packets and pictures on their way through the decoder.
void cff_forget_decoding(cff_video *v);
/// Goes to the key picture that the demuxer has for a stream time, and reads its packet; false where there is none.
bool cff_find_key(cff_video *v, int64_t time);
/// Goes to the start of the file.
cff_status cff_start_over(cff_video *v, cff_failure *failure);
/// Decodes the next trustworthy picture into `v->frame`. Returns AVERROR_EOF at the end.
int cff_decode(cff_video *v);
