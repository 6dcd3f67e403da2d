#pragma once
#include "write_encoder.h"

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <stdbool.h>

/// Time and duration of a picture on its way through an encoder, which does not keep the duration in older versions.
typedef struct cff_pending_time {
  int64_t time, duration;
} cff_pending_time;

/// Room for both of AV1's metadata units.
#define CFF_AV1_METADATA_CAPACITY 64

struct cff_encoder {
  AVCodecContext *context;
  AVFrame *frame;
  AVPacket *packet;
  cff_pending_time *pending;
  int pending_count, pending_capacity;
  /// Whether the container derives a track's length from decode times alone (MP4, MOV).
  bool length_from_decode_times;
  /// The packet before `packet`, held back because the last one of all is treated differently; see `close_track`.
  AVPacket *held;
  /// Of sound, the packet before that one, and whether the last two were closed; see `close_samples`.
  AVPacket *before;
  bool is_closed, has_given;
  int64_t first_time, first_decode_time, end_time;
  /// AV1 only: what corrects the sequence headers, and what goes behind them.
  AVBSFContext *filter;
  uint8_t metadata[CFF_AV1_METADATA_CAPACITY];
  int metadata_size;
  /// What frames go through before they are encoded; NULL for most.
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  /// Whether frames may be transparent.
  bool has_alpha;
  /// Whether the graph was told that nothing more comes, and the encoder too.
  bool graph_is_ended, is_ended;
};

/// Puts a palette between the frames of an encoder that is configured and not open yet. Returns a libav error.
int cff_palette_attach(cff_encoder *encoder, const cff_palette_use *use);
/// Hands the next frame of the graph to the encoder, or its end. Returns AVERROR(EAGAIN) if there is none yet.
int cff_palette_forward(cff_encoder *encoder);

/// Gives an encoder that is configured and not open yet the device's own frames. Returns a libav error.
int cff_hardware_attach(cff_encoder *encoder, const cff_hardware_device *device);
/// Moves a frame in memory to the device; the frame given becomes the device's. Returns a libav error.
int cff_hardware_upload(cff_encoder *encoder, AVFrame *frame);

/// Writes mastering display and light levels as AV1 metadata units; their size in bytes.
int cff_av1_metadata(const cff_mastering_metadata *metadata, uint8_t bytes[CFF_AV1_METADATA_CAPACITY]);
/// Prepares an open AV1 encoder to state its chroma siting (H.273 type, or -1). Returns a libav error.
int cff_av1_open(cff_encoder *encoder, int chroma_location);
/// Puts siting and metadata into a packet. Returns a libav error.
int cff_av1_finish_packet(cff_encoder *encoder, AVPacket *packet);

/// Tracks of one file, at most; Matroska's muxer takes 126.
#define CFF_MAXIMUM_TRACKS 64

/// The priming of one Matroska track, which the header states.
typedef struct cff_codec_delay {
  /// Whether a place is kept for it in the header.
  bool is_reserved;
  /// Whether the place was filled.
  bool is_written;
  /// Whether we write the packets later by it, because libavformat doesn't.
  bool moves_packets;
  /// Bytes of the track's title before the place.
  size_t title_length;
  int64_t samples, nanoseconds;
} cff_codec_delay;

/// The priming of all tracks of a Matroska file.
typedef struct cff_codec_delays {
  cff_codec_delay tracks[CFF_MAXIMUM_TRACKS];
  /// The end of all tracks in ms, without priming.
  int64_t end;
} cff_codec_delays;

/// Keeps a place for the priming of an audio track, whose title is known by now. Returns a libav error.
int cff_delay_reserve(cff_codec_delays *delays, AVStream *stream);
/// Whether a place is kept for any track.
bool cff_delay_any_reserved(const cff_codec_delays *delays);
/// Whether every place that is kept was filled.
bool cff_delay_all_written(const cff_codec_delays *delays);
/// Fills the places that these bytes of the file have, and corrects the duration, which libavformat counts from the priming on.
void cff_delay_write(cff_codec_delays *delays, uint8_t *bytes, size_t count);

/// How a descriptor is written to without waiting for longer than it takes to be told to stop.
typedef enum cff_stream_kind {
  /// A pipe, through a description of our own that never waits.
  CFF_STREAM_OWN_PIPE,
  CFF_STREAM_SOCKET,
  /// A pipe or a device whose flags others share: in portions that it has room for.
  CFF_STREAM_SHARED,
  /// A regular file: no reader holds it up.
  CFF_STREAM_FILE,
} cff_stream_kind;

/// A descriptor that bytes go to in order.
typedef struct cff_stream {
  /// Ours: the caller's stays open.
  int descriptor;
  cff_stream_kind kind;
  cff_stream_target target;
  int64_t byte_count;
} cff_stream;

/// Opens a stream to a descriptor. Returns a libav error.
int cff_stream_open(cff_stream *stream, const cff_stream_target *target);
/// Writes everything, or returns a libav error: AVERROR(EPIPE) if the reader is gone, AVERROR(ECANCELED) if it was told to stop.
int cff_stream_write(cff_stream *stream, const uint8_t *bytes, int count);
/// Closes it; more than once does no harm. Returns a libav error.
int cff_stream_close(cff_stream *stream);

// Inside of the shim, libav's own errors are handed on; they become a failure where they leave it.

/// The status of a libav error while something is written, with libav's words for it.
cff_status cff_fail_writing(cff_failure *failure, int error, cff_status fallback);
/// The same for an encoder.
cff_status cff_encoding(int error, cff_failure *failure);

/// Makes an encoder that is not open yet. Returns a libav error.
int cff_encoder_allocate(const char *name, const cff_muxer *muxer, cff_encoder **result);
/// Opens it with options as `key=value` lines. Returns a libav error.
int cff_encoder_open_with(cff_encoder *encoder, const char *lines);

/// Whether the container wants codec headers beside the packets.
bool cff_muxer_wants_global_header(const cff_muxer *muxer);

/// Whether the muxer wants pictures themselves instead of their bytes.
bool cff_muxer_takes_pictures(const cff_muxer *muxer);

/// Parses `key=value` lines. Returns a libav error.
int cff_parse_options(const char *lines, AVDictionary **options);

/// The container of a muxer, and the place of a track's subtitle encoder, which the muxer frees.
AVFormatContext *cff_muxer_context(cff_muxer *muxer);
AVCodecContext **cff_muxer_subtitle_encoder(cff_muxer *muxer, int track);

/// Writes a packet whose times are in ticks, in its order among the tracks. Returns a libav error.
int cff_muxer_write_raw(cff_muxer *muxer, AVPacket *packet, AVRational tick);
