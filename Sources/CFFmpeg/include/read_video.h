// Decoding one video stream, picture by picture, from any key picture on.
#pragma once
#include "common.h"
#include "read_probe.h"

/// Where decoded pictures are to lie, other than on the heap.
typedef struct cff_picture_memory {
  /// Given to `allocate`; must outlive the decoder.
  void *context;
  /// Gives at least `byte_count` bytes, aligned to 64, and what keeps them; false where there are none: the heap serves then.
  /// Any thread. NULL: the heap serves always.
  bool (*allocate)(void *context, size_t byte_count, uint8_t **base, void **owner);
  /// Lets go of an owner and with it of its bytes. Any thread, also after the decoder is gone.
  void (*release)(void *owner);
} cff_picture_memory;

/// How a video stream is decoded.
typedef struct cff_video_options {
  int32_t thread_count;
  /// Pictures with more pixels are refused.
  int64_t maximum_pixels;
  /// 0 no deinterlacing, 1 a picture a frame, 2 a picture a field.
  int32_t deinterlacing;
  /// Used for pictures that are handed on as the decoder made them.
  cff_picture_memory memory;
} cff_video_options;

/// A decoded picture: the decoder's own memory, held until it is released.
typedef struct cff_picture {
  /// What to give to cff_picture_release; never NULL in a picture.
  void *reference;
  /// Presentation time in ticks of the reader, media origin subtracted; CFF_NO_TIME where unknown.
  int64_t time;
  /// Ticks; 0 where unknown.
  int64_t duration;
  int32_t width, height;
  /// Name of the pixel format, as PixelFormat spells it.
  const char *format;
  int32_t plane_count;
  uint8_t *planes[4];
  /// What keeps the planes where they came from cff_picture_memory, as long as the reference is held; NULL elsewhere.
  void *owner;
  ptrdiff_t strides[4];
  /// What the bitstream says; range 2 also where the decoder's format implies it.
  cff_color color;
  /// What the bitstream says; 0:1 where it says nothing.
  int32_t aspect_numerator, aspect_denominator;
  cff_hdr hdr;
  /// Metadata that changes from picture to picture: Dolby Vision, HDR10+ (SMPTE ST 2094-40).
  bool has_dolby_vision, has_hdr10_plus;
  bool is_interlaced, is_top_first;
  /// Whether the coded components are R, G, B (or were, before a conversion).
  bool is_rgb;
  /// Whether alpha was coded; where it was not, a format with alpha holds 1 everywhere.
  bool has_alpha;
} cff_picture;

/// Lets go of a picture's memory. Any thread.
void cff_picture_release(void *reference);

/// A decoder of one stream of a demuxer. The demuxer must outlive it and serve nobody else meanwhile.
typedef struct cff_video cff_video;

cff_status cff_video_open(
    cff_demuxer *demuxer, int stream_index, const cff_video_options *options, cff_video **video, cff_failure *failure);
void cff_video_close(cff_video *video);

/// Length of a tick in seconds, as a ratio.
void cff_video_tick(const cff_video *video, int32_t *numerator, int32_t *denominator);

/// The next picture in order of presentation. CFF_END after the last. Packets that give none are passed over: they are losses.
cff_status cff_video_next(cff_video *video, cff_picture *picture, cff_failure *failure);

/// Goes to the key picture that serves `time` as far as the demuxer knows, and gives its presentation time. Pictures before
/// it in time are not given out afterwards, since they may refer to what was not decoded. CFF_END where no key picture was
/// found; then cff_video_rewind is the way.
cff_status cff_video_seek(cff_video *video, int64_t time, int64_t *key_time, cff_failure *failure);

/// Goes to the start of the stream: everything is decoded as it comes.
cff_status cff_video_rewind(cff_video *video, cff_failure *failure);

/// An answer that a container may not have.
typedef enum cff_answer {
  CFF_NO = 0,
  CFF_YES,
  CFF_UNKNOWN,
} cff_answer;

/// Whether a key picture lies after the last packet that was read and not after `time`.
cff_answer cff_video_has_key_before(const cff_video *video, int64_t time);

/// From here on pictures before `time` that no other picture refers to are passed over, where codec and container tell which these are:
/// what is given out is the same without them. CFF_NO_TIME ends it. False where it cannot be done.
bool cff_video_skip_before(cff_video *video, int64_t time);

/// The time of the last picture that was passed over since the last call of cff_video_skip_before; CFF_NO_TIME if none was.
int64_t cff_video_skipped_last(const cff_video *video);

/// A packet that gave no picture, though the container promised one.
typedef struct cff_loss {
  /// When its picture would have been shown, in ticks of the reader, media origin subtracted.
  int64_t time;
  /// Why there is none, without a full stop.
  char reason[72];
} cff_loss;

/// Why there is none, as a C string.
const char *cff_loss_reason(const cff_loss *loss);

/// Takes the next loss that was found since the last call; false if there is none. What is decoded again is found again.
bool cff_video_take_loss(cff_video *video, cff_loss *loss);

/// Pictures that came of damaged packets so far, and why the last of these was damaged.
int64_t cff_video_concealed_count(const cff_video *video);
const char *cff_video_concealed_reason(cff_video *video);

/// Why the packets ended before the end of the file; NULL if they did not.
const char *cff_video_early_end(const cff_video *video);

/// The name our formats have for a libav pixel format's nearest equivalent; NULL where there is none.
const char *cff_format_name(int libav_format);
