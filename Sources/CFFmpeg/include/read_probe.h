// The streams of an open file, and their extents in time.
#pragma once
#include "audio_decoder.h"
#include "common.h"

/// The type of a stream.
typedef enum cff_stream_kind {
  CFF_STREAM_VIDEO = 0,
  CFF_STREAM_AUDIO,
  CFF_STREAM_SUBTITLE,
  CFF_STREAM_TIMECODE,
  CFF_STREAM_DATA,
  CFF_STREAM_ATTACHMENT,
  CFF_STREAM_COVER,
} cff_stream_kind;

/// Color as H.273 code points; 2 for unspecified primaries, transfer or matrix.
typedef struct cff_color {
  uint8_t primaries;
  uint8_t transfer;
  uint8_t matrix;
  /// 0 unspecified, 1 limited, 2 full.
  uint8_t range;
  /// 0 unspecified, else 1 + the H.273 chroma sample location type.
  uint8_t location;
} cff_color;

/// ST 2086 and CTA-861.3 values.
typedef struct cff_hdr {
  bool has_mastering;
  /// Whether a mastering display has primaries but no luminance: libavcodec 61 and later omit an impossible one.
  bool lacks_luminance;
  /// x, y of red, green, blue and white; then maximum and minimum luminance in cd/m².
  double mastering[10];
  bool has_light;
  int32_t maximum_content_light;
  int32_t maximum_average_light;
} cff_hdr;

/// A Dolby Vision configuration box (dvcC, dvvC).
typedef struct cff_dolby_vision {
  bool is_present;
  int32_t profile, level;
  /// Base layer compatibility: 0 none, 1 HDR10, 2 BT.709 SDR, 4 HLG, 6 HDR10 of a disc.
  int32_t base_compatibility;
  bool has_enhancement_layer;
} cff_dolby_vision;

/// The container's description of a stream.
typedef struct cff_stream {
  cff_stream_kind kind;
  int32_t time_base_numerator, time_base_denominator;
  int32_t width, height;
  int32_t aspect_numerator, aspect_denominator;
  int32_t rate_numerator, rate_denominator;
  /// libav's estimate of a rate that fits all timestamps.
  int32_t guessed_rate_numerator, guessed_rate_denominator;
  /// 0 progressive or unspecified, 1 top field first, 2 bottom field first.
  int32_t field_order;
  /// Whether nothing says if frames are progressive or interlaced: neither the container, nor frames of the codec.
  bool lacks_field_order;
  cff_color container_color;
  cff_hdr hdr;
  cff_dolby_vision dolby_vision;
  bool has_matrix;
  /// Display matrix: a, b, u, c, d, v, x, y, w as in ISO/IEC 14496-12, 16.16 fixed point.
  int32_t matrix[9];
  /// Whether a second coded picture carries alpha (VP8, VP9 in Matroska).
  bool has_alpha_layer;
  int32_t sample_rate, channel_count;
  /// Whether more than two channels have no positions, and the layout that is assumed then; empty if there is none for so many.
  bool lacks_positions;
  char assumed_layout[32];
} cff_stream;

/// Describes a stream.
cff_status cff_stream_describe(const cff_demuxer *demuxer, int stream_index, cff_stream *stream);

/// How a container stores a stream.
typedef struct cff_storage {
  /// The container's own number of the stream; -1 if it has none that libavformat tells.
  int64_t number;
  /// The four-character code of the codec, its first character in the lowest byte; 0 if there is none.
  uint32_t tag;
  /// Whether an MP4 or QuickTime file enables the track; -1 for other containers.
  int32_t is_enabled;
  /// The decoder's initialization data; valid until the demuxer is rewound or closed.
  const uint8_t *extradata;
  int32_t extradata_size;
} cff_storage;

/// Describes how a stream is stored.
cff_storage cff_stream_storage(const cff_demuxer *demuxer, int stream_index);

/// Short name of a stream's codec; the container's four-character code if libav doesn't know the codec, "unknown" if there is none. Valid until the next call
/// in the same thread.
const char *cff_stream_codec(const cff_demuxer *demuxer, int stream_index);

/// Why the decoder of an audio stream cannot be opened, as a sentence part; NULL if it can. Valid until the next call in the same thread.
const char *cff_audio_refusal(const cff_demuxer *demuxer, int stream_index);

/// Whether the header marks a stream as encrypted for copy protection.
bool cff_stream_is_encrypted(const cff_demuxer *demuxer, int stream_index);

/// Whether a file is shorter than its outermost elements state, or lacks the index without which it cannot be read: a copy or a recording that was interrupted.
/// False for formats that state no length, and for files that cannot be opened.
bool cff_file_ends_early(const char *path);

/// A stream's metadata entry, such as "language"; NULL if it has none.
const char *cff_stream_metadata(const cff_demuxer *demuxer, int stream_index, const char *key);

/// What a container states about the frames of a stream that is not part of the media.
typedef struct cff_marks {
  bool spherical, stereo, dolby_vision;
} cff_marks;

cff_marks cff_stream_marks(const cff_demuxer *demuxer, int stream_index);

/// The file of an attached picture, such as a cover, and its size in bytes; NULL for other streams. Valid as long as the demuxer.
const uint8_t *cff_stream_picture(const cff_demuxer *demuxer, int stream_index, int *size);

/// libav's name of the `index`-th flag that is set for a stream, such as "default" or "hearing_impaired"; NULL after the last.
const char *cff_stream_flag(const cff_demuxer *demuxer, int stream_index, int index);

/// Key or value of the `index`-th entry of the file's metadata; NULL after the end.
const char *cff_metadata_key(const cff_demuxer *demuxer, int index);
const char *cff_metadata_value(const cff_demuxer *demuxer, int index);

/// A chapter, with the file's times in units of `numerator`/`denominator` s.
typedef struct cff_chapter {
  int64_t start, end;
  int32_t numerator, denominator;
  /// The title in UTF-8, or NULL; valid as long as the demuxer is open.
  const char *title;
} cff_chapter;

/// Describes the `index`-th chapter; returns false after the end.
bool cff_demuxer_chapter(const cff_demuxer *demuxer, int index, cff_chapter *chapter);

/// The extent of a stream's packets in its time base, media origin subtracted.
typedef struct cff_extent {
  /// Smallest presentation time; CFF_NO_TIME if the stream has no packets.
  int64_t start;
  /// Largest presentation time plus duration of the packets that are completely in the file.
  int64_t end;
  /// The same without the time for which the last one of several frames of a Matroska file is held.
  int64_t own_end;
  /// The end that the header states; CFF_NO_TIME if it states none.
  int64_t promised_end;
  /// For video: the end that an MP4, QuickTime or Matroska file, a GIF or an APNG states for the frame that is shown last; CFF_NO_TIME if that is not known.
  int64_t slide_end;
  /// Whether each frame states how long it is shown, so that `slide_end` is meant at any frame rate: GIF and APNG.
  bool states_durations;
  /// Whether some packets have decoding times only. Frames are then later than these times by the reordering delay.
  bool lacks_presentation_times;
  /// Whether the packets state that delay, which is then in `end` and in the timestamps already.
  bool states_delay;
  /// Whether packets are missing at the end of the file.
  bool is_truncated;
  /// Whether packets are encrypted for copy protection.
  bool is_encrypted;
  /// Number of samples that a decoder drops at the beginning of an audio stream (an encoder's priming) and at its end (its padding).
  int64_t dropped_first, dropped_last;
  /// For audio: position of the first sample and the end, counted at the track's rate, without an encoder's delay and padding as far as the container states
  /// them; CFF_NO_TIME if they cannot be counted, or if times count samples anyway.
  int64_t first_sample, end_sample;
  /// For audio: by how many samples a packet's time differs most from the samples before it, without being taken for a gap; negative if it is early.
  int64_t wander;
  /// For audio: the largest number of channels of packets with another one than the first packet, by their own headers, and the position in samples of the
  /// first of them; 0 if there are none.
  int other_channels;
  int64_t other_position;
  /// Number of packets of which parts were lost when they were sent, as a demuxer of transport streams finds them, without one that the end of the file cuts
  /// off, and without those before key frames; and the presentation time of the first of them. Of audio, places where a frame is too short or a gap follows.
  int incomplete_count;
  int64_t first_incomplete;
  /// For an AVI that was read completely: the number of packets that its index lists and that are not where it says, and the first one's time.
  int lost_count;
  int64_t first_lost;
  /// For MP3: the numbers of frames that its encoder states and that are missing, 0 if none is; the samples that are missing; and their position, where it
  /// is silent, or CFF_NO_TIME if their place is unknown: what follows is then heard earlier.
  int64_t stated_frames, missing_frames, missing_samples, missing_position;
  /// Number of bytes of the packets that an edit list doesn't leave out; -1 if unknown, because a large file without an index was not read completely.
  int64_t byte_count;
  /// Whether the end of the file consists of zeros, as after a copy that failed, which no element of its container does.
  bool ends_in_zeros;
  /// Whether the header promises more than there is, and the last frame is whole: a program cut the file by copying its frames.
  bool was_cut;
} cff_extent;

/// A jump of an audio stream's times: the samples at `position`, counted at the track's rate, are followed by `length` samples of silence. If `length` is negative,
/// that many samples overlap with earlier ones and are left out.
typedef struct cff_audio_gap {
  int64_t position, length;
} cff_audio_gap;

/// Whether the file is a bitstream without a container whose frame rate may only be libavformat's default, 25 per second.
bool cff_demuxer_assumes_rate(const cff_demuxer *demuxer);

/// The extent of a stream that is neither video nor audio as the index of an MP4 or QuickTime file states it, for files that are not read completely. Returns false
/// for other containers.
bool cff_stream_stated_extent(const cff_demuxer *demuxer, int stream_index, int64_t *start, int64_t *end);

/// Finds the extents of all streams from their packets. `extents` has an element for each stream. Small files are read completely, and the beginning and the
/// end of large ones. Leaves the demuxer at the start.
cff_status cff_demuxer_measure(cff_demuxer *demuxer, cff_extent *extents, cff_failure *failure);

/// The streams, one bit each, whose presentation times `cff_demuxer_measure` found to be only their decoding times; frames then follow one another in the decoder's order.
uint64_t cff_demuxer_decoding_times(const cff_demuxer *demuxer);
/// States them for a file that was measured before.
void cff_demuxer_use_decoding_times(cff_demuxer *demuxer, uint64_t streams);
/// The audio streams, one bit each, whose times `cff_demuxer_measure` found not to say where their samples are.
cff_sample_times cff_demuxer_sample_times(const cff_demuxer *demuxer);
/// States them for a file that was measured before.
void cff_demuxer_use_sample_times(cff_demuxer *demuxer, cff_sample_times times);
/// Whether `cff_demuxer_measure` reads every packet of the file.
bool cff_demuxer_is_small(const cff_demuxer *demuxer);

/// Timestamps of a video stream's packets in its time base, media origin subtracted, in packet order and without packets that are never shown. For a large
/// file, only those at the beginning and the end are known.
///
/// Returns their number, 0 before `cff_demuxer_measure`, and writes at most `capacity` of them.
int cff_demuxer_stamps(const cff_demuxer *demuxer, int stream_index, int64_t *stamps, int capacity);

/// The overlaps of a video stream in its time base, media origin subtracted, in packet order, as far as packets were measured. Returns their number, and writes at
/// most `capacity` of them.
int cff_demuxer_overlaps(const cff_demuxer *demuxer, int stream_index, cff_overlap *overlaps, int capacity);

/// A size that frames of a stream have.
typedef struct cff_frame_size {
  int32_t width, height;
  /// Number of frames of this size among the packets that were read.
  int64_t frame_count;
  /// The least time of one of them in the stream's time base, media origin subtracted.
  int64_t first_time;
} cff_frame_size;

/// The sizes of a video stream's frames in order of appearance, as far as `cff_demuxer_measure` read packets and their headers state a size (VP8, VP9, AV1, H.264,
/// HEVC, JPEG). For a large file, only the beginning and the end are known.
///
/// Returns their number, 0 if unknown, and writes at most `capacity` of them.
int cff_demuxer_frame_sizes(const cff_demuxer *demuxer, int stream_index, cff_frame_size *sizes, int capacity);

/// Packets of an audio stream at which decoding can start, in rising order; none for containers whose times count samples, and for large files.
///
/// Returns their number, 0 before `cff_demuxer_measure`, and writes at most `capacity` of them.
int cff_demuxer_marks(const cff_demuxer *demuxer, int stream_index, cff_audio_mark *marks, int capacity);

/// The jumps of an audio stream's times in rising order, as far as `cff_demuxer_measure` read packets; none for large files.
///
/// Returns their number, 0 before `cff_demuxer_measure`, and writes at most `capacity` of them.
int cff_demuxer_audio_gaps(const cff_demuxer *demuxer, int stream_index, cff_audio_gap *gaps, int capacity);
