// Reading packets as they are coded, and writing them into another container without decoding them.
#pragma once
#include "common.h"
#include "write_encoder.h"

/// How a packet of video can begin a stretch of pictures.
typedef enum cff_entry {
  /// It refers to pictures before it.
  CFF_ENTRY_NONE = 0,
  /// Pictures that are shown after it can be decoded from here on; some that are shown before it follow it and cannot.
  CFF_ENTRY_OPEN,
  /// No later picture refers to anything before it, whatever was decoded before: an IDR picture, or a codec without references.
  CFF_ENTRY_CLOSED,
} cff_entry;

/// A coded packet, held until it is released.
typedef struct cff_packet {
  /// What the other functions take.
  void *reference;
  int32_t stream;
  /// Ticks of the stream, media origin subtracted; CFF_NO_TIME where unknown.
  int64_t time, decode_time;
  /// Ticks; 0 where unknown.
  int64_t duration;
  /// Samples of a channel; 0 for video and where unknown.
  int64_t sample_count;
  int64_t byte_count;
  cff_entry entry;
  /// Whether it is decoded for the sake of others and never shown.
  bool is_hidden;
} cff_packet;

/// Lets go of a packet. NULL is allowed.
void cff_packet_release(void *reference);

/// Prepares reading the packets of some streams; those of others are passed over.
cff_status cff_packets_select(cff_demuxer *demuxer, const int32_t *streams, int count, cff_failure *failure);

/// The next packet of a selected stream in the order of the file. CFF_END after the last.
cff_status cff_packets_next(cff_demuxer *demuxer, cff_packet *packet, cff_failure *failure);

/// Goes to a packet at or before a time of a stream, media origin subtracted; it may be a later one.
cff_status cff_packets_seek(cff_demuxer *demuxer, int stream, int64_t time, cff_failure *failure);

/// What two streams must share so that the packets of both can stand in one track.
typedef struct cff_parameters {
  int32_t width, height;
  int32_t aspect_numerator, aspect_denominator;
  int32_t profile, level;
  int32_t primaries, transfer, matrix, range, location;
  int32_t field_order;
  int32_t sample_rate, channel_count, frame_size;
  /// Pictures that decoding runs ahead of showing.
  int32_t reordering;
  /// Name of the pixel or sample format; NULL where unknown.
  const char *format;
  /// What decoders are started with.
  const uint8_t *extradata;
  int32_t extradata_size;
  /// Bytes of the lengths before NAL units; 0 for start codes and for other codecs.
  int32_t length_size;
  /// Whether each picture is coded by itself.
  bool is_intra_only;
} cff_parameters;

/// The parameters of a stream. Pointers are valid until the demuxer is rewound or closed.
cff_parameters cff_copy_parameters(const cff_demuxer *demuxer, int stream);

/// Whether a container can hold a stream's codec.
bool cff_container_holds(const char *format, const cff_demuxer *demuxer, int stream);

/// Adds a track for the packets of a stream, with all that the stream's container says about it. `extradata` replaces the stream's
/// own where `extradata_size` is above 0; `tag` as in cff_muxer_add_track.
cff_status cff_muxer_add_copied_track(
    cff_muxer *muxer, const cff_demuxer *source, int stream, int timescale, const uint8_t *extradata, int extradata_size,
    const char *tag, int *track, cff_failure *failure);

/// Writes a packet with times in 1/`timescale` s. The packet is left as it is.
cff_status cff_muxer_write_copied(
    cff_muxer *muxer, int track, const void *packet, int64_t time, int64_t decode_time, int64_t duration, int timescale,
    cff_failure *failure);

/// Opens an encoder whose pictures can stand in one track with the packets of a stream. `options` are its own, as `key=value` lines.
cff_status cff_copy_encoder_open(
    const cff_demuxer *source, int stream, const char *encoder, const char *pixel_format, const char *options,
    cff_encoder **result, cff_failure *failure);

/// What decoders of the encoder's packets are started with.
const uint8_t *cff_copy_encoder_extradata(const cff_encoder *encoder, int *size);

/// Takes the packet that the encoder holds. `length_size` as in cff_parameters: NAL units are written with such lengths, parameter sets
/// left out where they stand in the track's header.
cff_status cff_copy_encoder_take(cff_encoder *encoder, int length_size, cff_packet *packet, cff_failure *failure);
