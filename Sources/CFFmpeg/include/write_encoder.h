#pragma once
#include <stddef.h>
#include <stdint.h>

#include "write_hardware.h"
#include "write_muxer.h"
#include "write_palette.h"

// Encoders: pictures and samples in, packets out. Not thread-safe: one owner. Options are `key=value` lines; an unknown option is
// an error.

/// What a picture encoder is opened with. Color fields are ITU-T H.273 code points.
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
  /// Constant quantiser scale where > 0 (ProRes); 0 leaves it to the options.
  double quality_scale;
  int key_interval;
  int threads;
  const char *options;
  /// Which of two passes: 1 measures, 2 encodes by what was measured; 0 for the only one.
  int pass;
  /// The file of what a first pass measured, of encoders that write and read it themselves (libx264); else NULL.
  const char *statistics_path;
  /// What a first pass measured, of encoders that hand it out (libvpx, libaom); else NULL.
  const char *statistics;
  /// How frames of R, G, B, A become those of a palette; NULL for encoders that need none.
  const cff_palette_use *palette;
  /// Whether frames may be transparent, which a WebP has to say.
  bool has_alpha;
  /// The device that encodes; NULL for the processor, and for encoders that find theirs themselves.
  const cff_hardware_device *device;
  /// For AV1, whose encoders have no options for it.
  cff_mastering_metadata mastering;
} cff_video_encoding;

/// What a sound encoder is opened with.
typedef struct cff_audio_encoding {
  const char *encoder;
  int sample_rate;
  int channel_count;
  int64_t bit_rate;
  /// Significant bits of whole numbers, 16 or 24; 0 for codecs of which the encoder's name says it, and for lossy ones.
  int bit_depth;
  int threads;
} cff_audio_encoding;

/// A picture lent to an encoder. `release(owner)` runs once, on any thread, when the encoder is done with the memory.
typedef struct cff_lent_picture {
  uint8_t *planes[4];
  ptrdiff_t strides[4];
  int plane_count;
  int64_t time, duration;
  void (*release)(void *owner);
  void *owner;
} cff_lent_picture;

/// Whether this machine has AVX-512.
bool cff_cpu_has_avx512(void);
/// Whether libavcodec has an encoder of this name.
bool cff_encoder_exists(const char *name);
/// Whether a sound encoder takes so many samples a second; false if it is unknown.
bool cff_audio_encoder_takes_rate(const char *name, int rate);
/// Whether a sound encoder takes so many channels in their usual order; false if it is unknown.
bool cff_audio_encoder_takes_channels(const char *name, int count);
/// Whether the encoder takes the pixel format; false if either is unknown.
bool cff_encoder_accepts(const char *name, const char *pixel_format);

/// Opens an encoder whose packets go to a muxer; NULL for none.
cff_status cff_video_encoder_open(
    const cff_video_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure);
cff_status cff_audio_encoder_open(
    const cff_audio_encoding *settings, const cff_muxer *muxer, cff_encoder **encoder, cff_failure *failure);

/// Samples per packet that a sound encoder asks for; 0 takes any number.
int cff_audio_encoder_frame_size(const cff_encoder *encoder);

/// Hands a picture over. `release` runs in every case, also on failure.
cff_status cff_video_encoder_send(cff_encoder *encoder, const cff_lent_picture *picture, cff_failure *failure);

/// Hands over `count` samples per channel that start at sample `position`, from planar float, −1 … 1. Whole-number formats
/// are rounded to nearest and clipped.
cff_status cff_audio_encoder_send(
    cff_encoder *encoder, const float *const *channels, int count, int64_t position, cff_failure *failure);

/// Says that nothing more comes.
cff_status cff_encoder_send_end(cff_encoder *encoder, cff_failure *failure);

/// Asks for the next packet. `is_ready` tells whether there is one to be written; if not, more input (or nothing more) is needed.
cff_status cff_encoder_receive(cff_encoder *encoder, bool *is_ready, cff_failure *failure);

/// What a first pass measured, once everything has been received; NULL if the encoder has written it to a file, or has nothing.
const char *cff_encoder_statistics(const cff_encoder *encoder);

/// Frees everything. Accepts a pointer to null.
void cff_encoder_destroy(cff_encoder **encoder);
