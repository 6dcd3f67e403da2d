#pragma once
#include "write_encoder.h"

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <stdbool.h>
#include <sys/types.h>

#include "Writing/write_traits.h"

/// Time and duration of a frame in progress in an encoder, which does not keep the duration in older versions.
typedef struct cff_pending_time {
  int64_t time, duration;
} cff_pending_time;

/// Capacity for both of AV1's metadata units.
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
  /// For audio, the packet before that one, and whether the last two were closed; see `close_samples`.
  AVPacket *before;
  bool is_closed, has_given;
  int64_t first_time, first_decode_time, end_time;
  /// AV1 only: the filter that corrects the sequence headers, and the metadata inserted after them.
  AVBSFContext *filter;
  uint8_t metadata[CFF_AV1_METADATA_CAPACITY];
  int metadata_size;
  /// A graph for frames before they are encoded; NULL for most encoders.
  AVFilterGraph *graph;
  AVFilterContext *source, *sink;
  /// Whether frames may be transparent.
  bool has_alpha;
  /// Whether the end was signaled to the graph, and to the encoder.
  bool graph_is_ended, is_ended;
  /// Whether every frame was sent, and whether they were too few for the encoder to tell decode times; see `mend_decode_time`.
  bool is_drained, lacks_decode_times;
};

/// Inserts a palette before an encoder that is configured and not open yet. Returns a libav error.
int cff_palette_attach(cff_encoder *encoder, const cff_palette_use *use);
/// Passes the next frame of the graph to the encoder, or its end. Returns AVERROR(EAGAIN) if there is none yet.
int cff_palette_forward(cff_encoder *encoder);

/// Makes an encoder that is configured and not open yet take the device's own frames. Returns a libav error.
int cff_hardware_attach(cff_encoder *encoder, const cff_hardware_device *device);
/// Uploads a frame to the device; `frame` becomes the device's. Returns a libav error.
int cff_hardware_upload(cff_encoder *encoder, AVFrame *frame);

/// Writes mastering display and light levels as AV1 metadata units; returns their size in bytes.
int cff_av1_metadata(const cff_mastering_metadata *metadata, uint8_t bytes[CFF_AV1_METADATA_CAPACITY]);
/// Prepares an open AV1 encoder to state its chroma siting (H.273 type, or -1). Returns a libav error.
int cff_av1_open(cff_encoder *encoder, int chroma_location);
/// Inserts siting and metadata into a packet. Returns a libav error.
int cff_av1_finish_packet(cff_encoder *encoder, AVPacket *packet);

/// Adds side data of a size in bytes to a track; NULL without memory.
uint8_t *cff_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size);

/// Maximum number of tracks in a file; Matroska's muxer supports 126.
#define CFF_MAXIMUM_TRACKS 64

/// The priming of one Matroska track, which the header states.
typedef struct cff_codec_delay {
  /// Whether the header has a placeholder for it.
  bool is_reserved;
  /// Whether the placeholder was filled.
  bool is_written;
  /// Whether packets are delayed by it here, because libavformat doesn't do so.
  bool moves_packets;
  /// Number of bytes of the track's title before the placeholder.
  size_t title_length;
  int64_t samples, nanoseconds;
} cff_codec_delay;

/// The priming of all tracks of a Matroska file.
typedef struct cff_codec_delays {
  cff_codec_delay tracks[CFF_MAXIMUM_TRACKS];
  /// The end of all tracks in ms, without priming.
  int64_t end;
} cff_codec_delays;

/// Reserves a placeholder for the priming of an audio track, whose title must be set. Returns a libav error.
int cff_delay_reserve(cff_codec_delays *delays, AVStream *stream);
/// Whether any track has a placeholder.
bool cff_delay_any_reserved(const cff_codec_delays *delays);
/// Whether every placeholder was filled.
bool cff_delay_all_written(const cff_codec_delays *delays);
/// Fills the placeholders in these bytes of the file, and corrects the duration, which libavformat counts from the priming.
void cff_delay_write(cff_codec_delays *delays, uint8_t *bytes, size_t count);

/// A regular file being written.
typedef struct cff_file {
  /// -1 if it is not open.
  int descriptor;
  /// Number of bytes written that the disk was not told to begin with.
  off_t unsent;
  /// Whether blocks were reserved, perhaps too many, and whether only the end of the file stays in memory.
  bool is_reserved, is_large;
} cff_file;

/// Creates or truncates a file. Returns a libav error.
int cff_file_open(cff_file *file, const char *path);
/// Prepares for about this many bytes.
void cff_file_expect(cff_file *file, int64_t byte_count);
/// Writes everything, or returns a libav error.
int cff_file_write(cff_file *file, const uint8_t *bytes, int count);
/// Seeks like `avio_seek`, or returns a libav error.
int64_t cff_file_seek(cff_file *file, int64_t offset, int whence);
/// Makes the file durable and closes it. Returns a libav error.
int cff_file_close(cff_file *file, int64_t *byte_count);

/// How a descriptor is written to so that a request to stop takes effect soon.
typedef enum cff_stream_kind {
  /// A pipe, through our own non-blocking description.
  CFF_STREAM_OWN_PIPE,
  CFF_STREAM_SOCKET,
  /// A pipe or a device whose flags are shared with others: written in portions that fit.
  CFF_STREAM_SHARED,
  /// A regular file, which doesn't block.
  CFF_STREAM_FILE,
} cff_stream_kind;

/// A descriptor to which bytes are written in order.
typedef struct cff_stream {
  /// A duplicate of ours: the caller's stays open.
  int descriptor;
  cff_stream_kind kind;
  cff_stream_target target;
  int64_t byte_count;
} cff_stream;

/// Opens a stream to a descriptor. Returns a libav error.
int cff_stream_open(cff_stream *stream, const cff_stream_target *target);
/// Writes everything, or returns a libav error: AVERROR(EPIPE) if the reader is gone, AVERROR(ECANCELED) if asked to stop.
int cff_stream_write(cff_stream *stream, const uint8_t *bytes, int count);
/// Closes it; can be called more than once. Returns a libav error.
int cff_stream_close(cff_stream *stream);

// Inside the shim, functions return libav's own errors, which become a failure where they leave it.

/// Sets the number of samples to discard at a packet's end. Returns a libav error.
int cff_packet_discard(AVPacket *packet, int64_t count);

/// The status of a libav error while writing, with libav's message for it.
cff_status cff_fail_writing(cff_failure *failure, int error, cff_status fallback);
/// The same for an encoder.
cff_status cff_encoding(int error, cff_failure *failure);

/// Makes an encoder that is not open yet. Returns a libav error.
int cff_encoder_allocate(const char *name, const cff_muxer *muxer, cff_encoder **result);
/// Opens it with options as `key=value` lines. Returns a libav error.
int cff_encoder_open_with(cff_encoder *encoder, const char *lines);

/// Whether the container needs codec headers outside the packets.
bool cff_muxer_wants_global_header(const cff_muxer *muxer);

/// Whether the muxer takes frames themselves instead of their bytes.
bool cff_muxer_takes_pictures(const cff_muxer *muxer);

/// What the container does unlike others.
cff_output_traits cff_muxer_traits(const cff_muxer *muxer);

/// Parses `key=value` lines. Returns a libav error.
int cff_parse_options(const char *lines, AVDictionary **options);

/// The container of a muxer, and the location of a track's subtitle encoder, which the muxer frees.
AVFormatContext *cff_muxer_context(cff_muxer *muxer);
AVCodecContext **cff_muxer_subtitle_encoder(cff_muxer *muxer, int track);

/// Writes a packet from an encoder, with times in ticks (for audio, samples), delayed by the priming if the container counts from there. Returns a libav error.
int cff_muxer_write_encoded(cff_muxer *muxer, AVPacket *packet, AVRational tick);

/// Writes a packet with times in ticks, interleaved among the tracks. Returns a libav error.
int cff_muxer_write_raw(cff_muxer *muxer, AVPacket *packet, AVRational tick);
