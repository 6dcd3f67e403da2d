// The parts of a video decoder: decoding, deinterlacing, conversion of pixel formats.
#pragma once
#include "Reading/read_internal.h"
#include "Video/read_losses.h"
#include "read_video.h"
#include <libavcodec/avcodec.h>
#include <libavfilter/avfilter.h>
#include <libavutil/fifo.h>
#include <libswscale/swscale.h>
#include <pthread.h>

/// The conversion from a libav format to one of ours.
typedef struct cff_format_rule {
  enum AVPixelFormat from;
  /// Same as `from` if memory is passed on unchanged.
  enum AVPixelFormat to;
  const char *name;
  bool is_full_range;
} cff_format_rule;

/// The rule for a format; NULL if there is none.
const cff_format_rule *cff_rule_for(enum AVPixelFormat format);

/// The rule for a frame of an image file: gray becomes R, G, B, and samples of the other byte order are accepted too.
const cff_format_rule *cff_image_rule_for(enum AVPixelFormat format);

/// Converts frames that need it. Keeps its scaler and its memory between frames.
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

/// Scales frames of another size to that of their track. Keeps its scaler and its memory between frames.
typedef struct cff_fitter {
  struct SwsContext *scaler;
  /// What the scaler was made for.
  int width, height, inner_width, inner_height;
  enum AVPixelFormat format;
  enum AVChromaLocation location;
  /// The scaled frame before it is placed between bars.
  AVFrame *inner;
  AVBufferPool *pool;
  int pool_size;
} cff_fitter;

void cff_fitter_close(cff_fitter *fitter);

/// Describes a frame, converts it by its rule (NULL: none) and moves it into `picture`, without its time. Empties `frame`.
/// Whether a codec's frames may have samples above their depth: those of codecs without loss, which keep whatever was written.
bool cff_may_exceed_depth(enum AVCodecID codec);

/// Lowers samples above a frame's depth to the greatest one that it allows. Returns a libav error.
int cff_clamp_to_depth(AVFrame *frame);

cff_status cff_picture_take(
    AVFrame *frame, const cff_format_rule *rule, cff_converter *converter, cff_picture *picture, cff_failure *failure);

/// A bwdif filter that is rebuilt if the frames' format or size changes.
typedef struct cff_deinterlacer {
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  int width, height;
  enum AVPixelFormat format;
  AVRational time_base;
  bool by_field;
} cff_deinterlacer;

/// Gives a frame the field order that the container of its stream states, if its codec doesn't tell whether a frame is interlaced.
void cff_take_stated_fields(const AVStream *stream, AVFrame *frame);
/// Sends a frame to the filter (NULL: the end). Returns a libav error.
int cff_deinterlacer_send(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Receives a frame with times in half units of the stream's time base; AVERROR(EAGAIN) if the filter needs more.
int cff_deinterlacer_receive(cff_deinterlacer *deinterlacer, AVFrame *frame);
/// Resets the filter.
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

/// Frames in the program's memory, created once and reused by one decoder after the other.
typedef struct cff_picture_pool {
  cff_picture_memory memory;
  /// Decoders take frames on several threads.
  pthread_mutex_t lock;
  AVBufferPool *buffers;
  size_t byte_count;
  /// Number of frames created in the program's memory.
  int made;
} cff_picture_pool;

/// Makes a decoder that is not open yet take its frames from the pool, if its codec can.
void cff_use_pool(cff_picture_pool *pool, AVCodecContext *decoder);
/// The owner of a decoder's frame; NULL if it is in other memory.
void *cff_pool_owner(const AVFrame *frame);
/// Frames in use stay valid until they are released.
void cff_pool_close(cff_picture_pool *pool);

struct cff_video {
  cff_demuxer *demuxer;
  int stream_index;
  AVCodecContext *decoder;
  AVPacket *packet;
  AVFrame *frame;
  /// A frame of another format or size, which waits until the deinterlacer has returned the previous ones.
  AVFrame *waiting;
  /// Decoded frames that wait until it is known whether one before them is lost; NULL if there never were any.
  AVFifo *held;
  cff_picture_pool pool;
  cff_converter converter;
  cff_fitter fitter;
  cff_deinterlacer deinterlacer;
  int deinterlacing;
  /// The decoder's number of threads; one after the first damage.
  int thread_count;
  int64_t maximum_pixels;
  AVRational stream_tick, tick;
  /// Stream time of media time 0.
  int64_t origin;
  /// See `cff_numbered_step`.
  int64_t numbered_step;

  /// Whether `packet` holds one that was read and not yet decoded.
  bool has_packet;
  /// How many packets ago, from 1, one was sent of which parts were lost; 0 for none that matters.
  int incomplete_age;
  bool packets_ended;
  /// Decoding time of the last packet read.
  int64_t packet_time;
  /// Stream time of the key frame after a seek; earlier frames are unreliable. AV_NOPTS_VALUE: all are reliable.
  int64_t trusted_from;
  /// If packets have no presentation times: frames before the key frame are skipped, whatever their times.
  bool awaits_key;
  /// Whether a frame came that is whole; before it, the decoder may return others.
  bool has_recovered;
  int64_t frame_time;
  /// Number of fields decoded since the start, in a bitstream without times.
  int64_t field_count;
  /// Time of the last frame decoded, and its value when the decoder was replaced.
  int64_t given_out, skip_through;

  /// Stream time before which unreferenced frames are skipped, and the time of the last one skipped; AV_NOPTS_VALUE: none.
  int64_t skip_before, skipped_last;

  // The deinterlacer looks one frame back, so its first frame after a seek differs from what it would have been.
  bool filter_is_ending, filter_runs_in;
  int frames_filtered;
  int64_t filter_trusted_from;

  cff_ledger ledger;
  /// Number of times that the decoder rejected a packet or returned a damaged frame.
  int64_t error_count;
  bool ended_early;
  char reason[AV_ERROR_MAX_STRING_SIZE];
};

/// Whether the current packet can be skipped; if so, records its time.
bool cff_passes_over(cff_video *v);
/// Opens the decoder for the stream with the options in `v`.
cff_status cff_open_decoder(cff_video *v, cff_failure *failure);
/// Makes the demuxer return packets of this stream only.
void cff_select_stream(cff_video *v);
/// Forgets packets and frames in progress in the decoder.
void cff_forget_decoding(cff_video *v);
/// Seeks to the demuxer's key frame for a stream time, and reads its packet; false if there is none.
bool cff_find_key(cff_video *v, int64_t time);
/// Seeks to the start of the file.
cff_status cff_start_over(cff_video *v, cff_failure *failure);
/// Keeps the current frame until it is its turn, and empties it. Returns a libav error.
int cff_hold_frame(cff_video *v);
bool cff_holds_frames(const cff_video *v);
/// Moves the first frame held into the current one; false if there is none.
bool cff_take_held(cff_video *v);
/// Drops all frames held.
void cff_forget_held(cff_video *v);
/// Decodes the next reliable frame into `v->frame`. Returns AVERROR_EOF at the end.
int cff_decode(cff_video *v);
