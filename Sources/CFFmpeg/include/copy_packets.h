// Reading coded packets, and writing them into another container without decoding them.
#pragma once
#include "common.h"
#include "write_encoder.h"

/// How a video packet can begin a sequence of frames.
typedef enum cff_entry {
  /// It refers to earlier frames.
  CFF_ENTRY_NONE = 0,
  /// Frames shown after it can be decoded from here on. Frames that follow it but are shown before it cannot.
  CFF_ENTRY_OPEN,
  /// No later frame refers to anything before it: an IDR frame, or a codec without references.
  CFF_ENTRY_CLOSED,
} cff_entry;

/// A coded packet, valid until it is released.
typedef struct cff_packet {
  /// The handle for other functions.
  void *reference;
  int32_t stream;
  /// Ticks of the stream, media origin subtracted; CFF_NO_TIME if unknown.
  int64_t time, decode_time;
  /// Ticks; 0 if unknown.
  int64_t duration;
  /// Samples per channel; 0 for video and if unknown.
  int64_t sample_count;
  /// Positions of its first sample and behind its last one, counted at the track's rate from media time 0, where its decoder places them, if they are counted;
  /// CFF_NO_TIME for the first if unknown.
  int64_t first_sample, end_sample;
  int64_t byte_count;
  cff_entry entry;
  /// Whether it is decoded only as a reference and never shown.
  bool is_hidden;
} cff_packet;

/// Releases a packet. NULL is allowed.
void cff_packet_release(void *reference);

/// The bytes of a packet, valid until it is released.
const uint8_t *cff_packet_bytes(const void *reference);

/// Prepares reading the packets of some streams; those of others are skipped.
cff_status cff_packets_select(cff_demuxer *demuxer, const int32_t *streams, int count, cff_failure *failure);

/// Counts the samples of a stream's packets from now on, which must be called at the start. After a seek, the first packet's time says where it is.
cff_status cff_packets_count_samples(cff_demuxer *demuxer, int stream, cff_failure *failure);

/// Returns the next packet of a selected stream in file order; CFF_END after the last.
cff_status cff_packets_next(cff_demuxer *demuxer, cff_packet *packet, cff_failure *failure);

/// Seeks to a packet at or before a time of a stream, media origin subtracted. The packet may be a later one.
cff_status cff_packets_seek(cff_demuxer *demuxer, int stream, int64_t time, cff_failure *failure);

/// Parameters that two streams must share so that their packets can share one track.
typedef struct cff_parameters {
  int32_t width, height;
  int32_t aspect_numerator, aspect_denominator;
  int32_t profile, level;
  int32_t primaries, transfer, matrix, range, location;
  int32_t field_order;
  int32_t sample_rate, channel_count, frame_size;
  /// Reordering delay in frames: how far decoding runs ahead of presentation.
  int32_t reordering;
  /// Name of the pixel or sample format; NULL if unknown.
  const char *format;
  /// The decoder's initialization data.
  const uint8_t *extradata;
  int32_t extradata_size;
  /// Number of bytes of the length before each NAL unit; 0 for start codes and for other codecs.
  int32_t length_size;
  /// Whether each frame is coded independently.
  bool is_intra_only;
} cff_parameters;

/// The parameters of a stream. Pointers are valid until the demuxer is rewound or closed.
cff_parameters cff_copy_parameters(const cff_demuxer *demuxer, int stream);

/// Whether a container can hold a stream as it is coded: whether libavformat writes a header for it.
bool cff_container_holds(const char *format, const cff_demuxer *demuxer, int stream);

/// Whether libavformat writes a track's display matrix to a container.
bool cff_container_holds_rotation(const char *format);

/// Whether a container holds layers of alpha beside the packets of VP8 and VP9.
bool cff_container_holds_alpha_layer(const char *format);

/// Adds a track for the packets of a stream, with the container's description of that stream. `extradata` replaces the stream's own if `extradata_size` is
/// above 0; `tag` as in cff_muxer_add_track.
cff_status cff_muxer_add_copied_track(
    cff_muxer *muxer, const cff_demuxer *source, int stream, int timescale, const uint8_t *extradata, int extradata_size,
    const char *tag, int *track, cff_failure *failure);

/// Writes a packet with times in 1/`timescale` s. The packet is not modified.
cff_status cff_muxer_write_copied(
    cff_muxer *muxer, int track, const void *packet, int64_t time, int64_t decode_time, int64_t duration, int timescale,
    cff_failure *failure);

/// An encoder's properties of a track that the file of its packets does not state.
typedef struct cff_part_track {
  /// Units of times per second.
  int32_t timescale;
  /// Nominal frame rate of video.
  int32_t rate_numerator, rate_denominator;
  /// Shape of a pixel of video.
  int32_t aspect_numerator, aspect_denominator;
  /// Requested bit rate in bits per second; 0 for none.
  int64_t bit_rate;
  /// For audio: number of samples before the first one that the encoder was given, and number of samples in a packet (0 if they vary).
  int32_t priming, frame_size;
} cff_part_track;

/// Adds a track for the packets of files that were encoded with the same settings, with the description that the encoder itself would give. `stream` is that of
/// one of the files.
cff_status cff_muxer_add_part_track(
    cff_muxer *muxer, const cff_demuxer *source, int stream, const cff_part_track *part, int *track, cff_failure *failure);

/// Presentation and decoding times of a packet in ticks, and the number of samples to discard at its end. Ticks of audio are samples.
typedef struct cff_part_stamp {
  int64_t time, decode_time, duration;
  int64_t discarded;
  int32_t tick_numerator, tick_denominator;
} cff_part_stamp;

/// Writes a packet of a part with other times, like an encoder's packet. The packet is not modified.
cff_status cff_muxer_write_part(
    cff_muxer *muxer, int track, const void *packet, const cff_part_stamp *stamp, cff_failure *failure);

/// Opens an encoder whose frames can share a track with the packets of a stream. `options` are the encoder's, as `key=value` lines.
cff_status cff_copy_encoder_open(
    const cff_demuxer *source, int stream, const char *encoder, const char *pixel_format, const char *options,
    cff_encoder **result, cff_failure *failure);

/// Initialization data for decoders of the encoder's packets.
const uint8_t *cff_copy_encoder_extradata(const cff_encoder *encoder, int *size);

/// Takes the packet that the encoder holds. `length_size` as in cff_parameters: NAL units are written with such lengths, and parameter sets are omitted if they
/// are in the track's header.
cff_status cff_copy_encoder_take(cff_encoder *encoder, int length_size, cff_packet *packet, cff_failure *failure);
