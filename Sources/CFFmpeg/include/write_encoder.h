#pragma once
#include <stddef.h>
#include <stdint.h>

#include "write_hardware.h"
#include "write_muxer.h"
#include "write_palette.h"

// Encoders: frames and samples in, packets out. Not thread-safe: one owner. Options are `key=value` lines; an unknown option is an error.

/// Settings of a video encoder. Color fields are ITU-T H.273 code points.
typedef struct cff_video_encoding {
  const char *encoder;
  const char *pixel_format;
  int width, height;
  int aspect_num, aspect_den;
  int time_base_num, time_base_den;
  int rate_num, rate_den;
  int primaries, transfer, matrix;
  bool full_range;
  /// H.273 chroma sample location type 0 … 3, or -1 for none.
  int chroma_location;
  int64_t bit_rate;
  /// Constant quantizer scale if > 0 (ProRes); 0 leaves it to the options.
  double quality_scale;
  int key_interval;
  int threads;
  const char *options;
  /// The pass: 1 measures, 2 encodes with the measurements; 0 for a single pass.
  int pass;
  /// The statistics file of encoders that write and read it themselves (libx264); else NULL.
  const char *statistics_path;
  /// The statistics of a first pass, for encoders that return them (libvpx, libaom); else NULL.
  const char *statistics;
  /// Conversion of R, G, B, A frames to a palette; NULL for encoders that need none.
  const cff_palette_use *palette;
  /// Whether frames may be transparent, which a WebP has to state.
  bool has_alpha;
  /// The encoding device; NULL for the processor, and for encoders that find their device themselves.
  const cff_hardware_device *device;
  /// Only for AV1, whose encoders have no options for it.
  cff_mastering_metadata mastering;
} cff_video_encoding;

/// Settings of an audio encoder.
typedef struct cff_audio_encoding {
  const char *encoder;
  int sample_rate;
  int channel_count;
  int64_t bit_rate;
  /// Significant bits of integers, 16 or 24; 0 for lossy codecs, and for codecs whose encoder's name implies it.
  int bit_depth;
  int threads;
} cff_audio_encoding;

/// A frame lent to an encoder. `release(owner)` is called once, on any thread, when the encoder is done with the memory.
typedef struct cff_lent_picture {
  uint8_t *planes[4];
  ptrdiff_t strides[4];
  int plane_count;
  int64_t time, duration;
  void (*release)(void *owner);
  void *owner;
} cff_lent_picture;

/// Whether libavcodec has an encoder of this name.
bool cff_encoder_exists(const char *name);
/// Whether an audio encoder supports a sample rate in Hz; false if it is unknown.
bool cff_audio_encoder_takes_rate(const char *name, int rate);
/// Whether an audio encoder supports a number of channels in their usual order; false if it is unknown.
bool cff_audio_encoder_takes_channels(const char *name, int count);
/// Whether an encoder supports a pixel format; false if either is unknown.
bool cff_encoder_accepts(const char *name, const char *pixel_format);

/// Opens an encoder that sends its packets to a muxer; NULL for none.
cff_status cff_video_encoder_open(
    const cff_video_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure);
cff_status cff_audio_encoder_open(
    const cff_audio_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure);

/// Number of samples per packet that an audio encoder requires; 0 for any number.
int cff_audio_encoder_frame_size(const cff_encoder *encoder);
/// Number of samples in its output before the first input sample.
int cff_audio_encoder_priming(const cff_encoder *encoder);

/// Sends a frame. `release` is called in every case, also on failure.
cff_status cff_video_encoder_send(cff_encoder *encoder, const cff_lent_picture *picture, cff_failure *failure);

/// Sends `count` samples per channel, starting at sample `position`, as planar float of −1 … 1. For integer formats, they are rounded to nearest and clipped.
cff_status cff_audio_encoder_send(
    cff_encoder *encoder, const float *const *channels, int count, int64_t position, cff_failure *failure);

/// Signals the end of the input.
cff_status cff_encoder_send_end(cff_encoder *encoder, cff_failure *failure);

/// Requests the next packet. `is_ready` tells whether there is one to write; if not, the encoder needs more input, or has ended.
cff_status cff_encoder_receive(cff_encoder *encoder, bool *is_ready, cff_failure *failure);

/// The statistics of a first pass after the last packet; NULL if the encoder wrote them to a file or has none.
const char *cff_encoder_statistics(const cff_encoder *encoder);

/// Frees everything. Accepts a pointer to null.
void cff_encoder_destroy(cff_encoder **encoder);
