// Decodes one video stream, frame by frame, from any key frame.
#pragma once
#include "common.h"
#include "read_probe.h"

/// Memory for decoded frames, in place of the heap.
typedef struct cff_picture_memory {
  /// Passed to `allocate`; must outlive the decoder.
  void *context;
  /// Returns at least `byte_count` bytes, aligned to 64, and their owner; false to use the heap instead. Called on any thread. NULL: always use the heap.
  bool (*allocate)(void *context, size_t byte_count, uint8_t **base, void **owner);
  /// Releases an owner and its bytes. Called on any thread, also after the decoder was closed.
  void (*release)(void *owner);
} cff_picture_memory;

/// Whether the decoder of a codec, by its short name, shares each frame among its threads, and every frame stands alone (ProRes, DNxHR). Threads then
/// cost no additional frames.
bool cff_decodes_in_slices(const char *codec);

/// Options for decoding a video stream.
typedef struct cff_video_options {
  int32_t thread_count;
  /// Maximum number of pixels; larger frames are rejected.
  int64_t maximum_pixels;
  /// 0 no deinterlacing, 1 one frame per frame, 2 one frame per field.
  int32_t deinterlacing;
  /// Used for frames that are passed on unconverted.
  cff_picture_memory memory;
} cff_video_options;

/// A decoded frame in the decoder's own memory, valid until it is released.
typedef struct cff_picture {
  /// The argument for cff_picture_release; never NULL in a frame.
  void *reference;
  /// Presentation time in ticks of the reader, media origin subtracted; CFF_NO_TIME if unknown.
  int64_t time;
  /// Ticks; 0 if unknown.
  int64_t duration;
  int32_t width, height;
  /// PixelFormat's name of the format.
  const char *format;
  int32_t plane_count;
  uint8_t *planes[4];
  /// The owner of the planes if they are in cff_picture_memory, as long as the reference is held; otherwise NULL.
  void *owner;
  ptrdiff_t strides[4];
  /// The bitstream's color; range 2 also if the decoder's format implies it.
  cff_color color;
  /// The bitstream's aspect ratio; 0:1 if it states none.
  int32_t aspect_numerator, aspect_denominator;
  /// Whether this aspect ratio differs from the one that the bitstream began with, so that the container's is not for this frame.
  bool has_own_aspect;
  /// The same for the color.
  bool has_own_color;
  cff_hdr hdr;
  /// Metadata that changes from frame to frame: Dolby Vision, HDR10+ (SMPTE ST 2094-40).
  bool has_dolby_vision, has_hdr10_plus;
  /// Whether the frame carries closed captions (CEA-608, CEA-708; ATSC A/53, 6.2.3), which may be empty.
  bool has_closed_captions;
  bool is_interlaced, is_top_first;
  /// Whether the coded components are R, G, B (or were, before a conversion).
  bool is_rgb;
  /// Whether alpha was coded; if not, a format with alpha is opaque.
  bool has_alpha;
} cff_picture;

/// Releases a frame's memory. Can be called on any thread.
void cff_picture_release(void *reference);

/// A decoder of one stream of a demuxer, which it uses exclusively and which must outlive it.
typedef struct cff_video cff_video;

cff_status cff_video_open(
    cff_demuxer *demuxer, int stream_index, const cff_video_options *options, cff_video **video, cff_failure *failure);
void cff_video_close(cff_video *video);

/// Duration of a tick in seconds, as a ratio.
void cff_video_tick(const cff_video *video, int32_t *numerator, int32_t *denominator);

/// Returns the next frame in presentation order; CFF_END after the last. Packets without a frame are skipped and are losses.
cff_status cff_video_next(cff_video *video, cff_picture *picture, cff_failure *failure);

/// The place of a frame inside the size of its track, in pixels. Offsets are multiples of a chroma sample.
typedef struct cff_fit {
  int32_t width, height;
  int32_t left, top, inner_width, inner_height;
} cff_fit;

/// Scales a frame to its place; the rest becomes black, or transparent if the frame has alpha. On failure, the frame stays as it was.
cff_status cff_video_fit(cff_video *video, const cff_fit *fit, cff_picture *picture, cff_failure *failure);

/// Seeks to the key frame to decode from for `time`, as far as the demuxer knows, and returns its presentation time. Frames that precede it in presentation
/// order are not returned afterward, because they may refer to frames that were not decoded. CFF_END if no key frame was found; use cff_video_rewind then.
cff_status cff_video_seek(cff_video *video, int64_t time, int64_t *key_time, cff_failure *failure);

/// Seeks to the start of the stream, from where everything is decoded in order.
cff_status cff_video_rewind(cff_video *video, cff_failure *failure);

/// An answer that a container may be unable to give.
typedef enum cff_answer {
  CFF_NO = 0,
  CFF_YES,
  CFF_UNKNOWN,
} cff_answer;

/// Whether there is a key frame after the last packet read and not after `time`.
cff_answer cff_video_has_key_before(const cff_video *video, int64_t time);

/// From now on, skips unreferenced frames before `time` if codec and container identify them. The frames returned are the same without them. CFF_NO_TIME stops
/// skipping. Returns false if skipping is not possible.
bool cff_video_skip_before(cff_video *video, int64_t time);

/// The time of the last frame skipped since the last call of cff_video_skip_before; CFF_NO_TIME if none was.
int64_t cff_video_skipped_last(const cff_video *video);

/// A packet without a frame although the container promised one.
typedef struct cff_loss {
  /// Presentation time of the missing frame in ticks of the reader, media origin subtracted.
  int64_t time;
  /// The reason, without a full stop.
  char reason[72];
} cff_loss;

/// The reason as a C string.
const char *cff_loss_reason(const cff_loss *loss);

/// Takes the next loss found since the last call; false if there is none. Losses are found again if their packets are decoded again.
bool cff_video_take_loss(cff_video *video, cff_loss *loss);

/// Number of frames from damaged packets so far, and the reason of the last one's damage.
int64_t cff_video_concealed_count(const cff_video *video);
const char *cff_video_concealed_reason(cff_video *video);

/// The reason why packets ended before the end of the file; NULL if they did not.
const char *cff_video_early_end(const cff_video *video);
