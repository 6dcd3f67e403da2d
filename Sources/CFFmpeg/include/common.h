// Opening a local file as media, and definitions shared by all parts of the shim.
#pragma once
#include "libav_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The result of a call.
typedef enum cff_status {
  CFF_OK = 0,
  /// There is nothing more to return.
  CFF_END,
  /// No such file.
  CFF_NOT_FOUND,
  /// Not a regular file, or not a plain path.
  CFF_REFUSED,
  /// Not media, damaged beyond use, or a format outside the allow-list.
  CFF_UNREADABLE,
  /// Reading stopped at a damaged position, or before the end that the header states.
  CFF_TRUNCATED,
  /// No decoder for the codec.
  CFF_NO_DECODER,
  /// The decoder failed.
  CFF_DECODE_FAILED,
  /// A frame exceeds the maximum number of pixels.
  CFF_TOO_LARGE,
  /// No such stream.
  CFF_NO_STREAM,
  /// A pixel format that cannot be converted to one of ours.
  CFF_NO_FORMAT,
  /// Memory or another resource ran out.
  CFF_NO_RESOURCE,
  /// The operating system could not read or write.
  CFF_IO_FAILED,
  /// A value is out of range.
  CFF_INVALID,
  /// No encoder for the codec.
  CFF_NO_ENCODER,
  /// The encoder rejected its settings or failed.
  CFF_ENCODE_FAILED,
  /// The container cannot hold the stream.
  CFF_NO_CONTAINER,
  /// The file is not the one opened first, or was modified since.
  CFF_CHANGED,
} cff_status;

/// Why a call failed: a status and a message without a full stop. Every function that can fail returns a status and fills this, unless the status is CFF_OK or
/// CFF_END.
typedef struct cff_failure {
  cff_status status;
  /// The operating system's errno while a file is written; 0 if the failure has another cause.
  int system_error;
  char message[240];
} cff_failure;

/// The message of a failure as a C string.
const char *cff_failure_message(const cff_failure *failure);

/// An unknown time.
#define CFF_NO_TIME INT64_MIN

/// An open media file; used by one thread at a time.
typedef struct cff_demuxer cff_demuxer;

/// Opens a regular local file with an allowed demuxer. Nothing else is ever opened: no URL, no playlist, no second file.
cff_status cff_demuxer_open(const char *path, cff_demuxer **demuxer, cff_failure *failure);
/// The same without examining the media at its beginning, which takes as long as decoding it: streams are described as far as the header does, and
/// packets are passed on as the container has them. For files of known contents.
cff_status cff_demuxer_open_header(const char *path, cff_demuxer **demuxer, cff_failure *failure);

/// Closes a file; NULL is allowed.
void cff_demuxer_close(cff_demuxer *demuxer);

/// Starts over by reopening the container on the same file. After a failure, the demuxer can only be closed.
cff_status cff_demuxer_rewind(cff_demuxer *demuxer, cff_failure *failure);

/// Number of streams of all kinds.
int cff_demuxer_stream_count(const cff_demuxer *demuxer);

/// Short names of the container, comma separated (`mov,mp4,m4a,3gp,3g2,mj2`).
const char *cff_demuxer_format_name(const cff_demuxer *demuxer);

/// Size of the file in bytes.
int64_t cff_demuxer_file_size(const cff_demuxer *demuxer);

/// Identifies a state of a file, to detect that it was modified, truncated, or replaced by another one of the same name.
typedef struct cff_file_identity {
  uint64_t device, inode;
  int64_t byte_count;
  /// Time of the last write.
  int64_t modified_seconds, modified_nanoseconds;
} cff_file_identity;

/// The file's identity when it was opened.
cff_file_identity cff_demuxer_identity(const cff_demuxer *demuxer);

/// Whether two identities are equal.
bool cff_same_identity(const cff_file_identity *left, const cff_file_identity *right);

/// The identity of the regular file at a path; false if there is none.
bool cff_identify_file(const char *path, cff_file_identity *identity);

/// From now on, reading fails with CFF_CHANGED if the file has changed since it was opened. By default, changes are not detected.
void cff_demuxer_forbid_change(cff_demuxer *demuxer);

/// Times of a video that two recordings of one file contain, first and last included: the later one begins with a key frame at `first`, and the earlier one's
/// last frame is shown at `last`. In order, the earlier recording's frames are shown there.
typedef struct cff_overlap {
  int64_t first, last;
} cff_overlap;

/// Audio streams, one bit each, whose times don't say where their samples are: packets follow one another.
typedef struct cff_sample_times {
  /// Times in ticks of samples that waver around the samples.
  uint64_t wavering;
  /// Those of them that waver by more than half a packet, so that half a packet more does not mean that one is missing.
  uint64_t wide;
  /// Times that cannot be right.
  uint64_t wrong;
} cff_sample_times;

/// A section of a file with continuous timestamps, in ticks of 90 kHz. A transport or program stream has one section, and another one for each stream that was
/// appended to it and for each restart of its clock.
typedef struct cff_clock_section {
  /// Position of the first byte.
  int64_t position;
  /// Timestamps are in `base` ..< `base` + 2^33. Added to a timestamp modulo 2^33, they rise through the wrap of the 33-bit counter.
  int64_t base;
  /// Offset to add so that the section follows the previous one.
  int64_t offset;
  /// First presentation time and end, with the offset added.
  int64_t start, end;
} cff_clock_section;

/// Whether the container counts time in 33 bits and may be cut and concatenated anywhere: MPEG transport and program streams.
bool cff_demuxer_has_sections(const cff_demuxer *demuxer);

/// Reads the whole file once to find its sections, if the container can have any; returns to the start.
cff_status cff_demuxer_find_sections(cff_demuxer *demuxer, cff_failure *failure);

/// Number of sections, ≥ 1 once they were found or set.
int cff_demuxer_section_count(const cff_demuxer *demuxer);
cff_clock_section cff_demuxer_section(const cff_demuxer *demuxer, int index);

/// Sets the sections that another reader of the same file found.
cff_status cff_demuxer_use_sections(
    cff_demuxer *demuxer, const cff_clock_section *sections, int count, cff_failure *failure);

/// A place in an Ogg file before which pages of a stream are missing, because they were lost or damaged. Times are in ticks of the stream.
typedef struct cff_page_gap {
  int32_t stream;
  /// The pages in which the packets after the gap begin; INT64_MAX if there are none, because the last pages are missing.
  int64_t place, last_place;
  /// The times at which these packets begin and end, without an encoder's padding; how long that is; and their number.
  int64_t start, end, padding;
  int32_t packets;
  /// Whether the first pages of the stream are missing.
  bool is_beginning;
} cff_page_gap;

/// Frames that are missing in an MP3, by what its encoder states.
typedef struct cff_frame_gap {
  /// The numbers of frames that are stated, and that are missing; 0 if none is.
  int64_t stated, missing;
  /// The samples of the missing frames, and those after the last audible one, as stated.
  int64_t samples, padding;
  /// A byte of the frame after the gap; INT64_MAX if the gap is at the end, -1 if its place is unknown.
  int64_t place;
} cff_frame_gap;

/// Reads the whole file once to find missing pages or frames, if it states what there should be and is measured by all of its packets; returns to the start.
cff_status cff_demuxer_find_gaps(cff_demuxer *demuxer, cff_failure *failure);

/// The missing frames that were found or set.
cff_frame_gap cff_demuxer_frame_gap(const cff_demuxer *demuxer);
void cff_demuxer_use_frame_gap(cff_demuxer *demuxer, cff_frame_gap gap);

/// Number of the gaps between pages that were found or set, and these gaps.
int cff_demuxer_page_gap_count(const cff_demuxer *demuxer);
cff_page_gap cff_demuxer_page_gap(const cff_demuxer *demuxer, int index);

/// Sets the gaps between pages that another reader of the same file found, and returns to the start.
cff_status cff_demuxer_use_page_gaps(cff_demuxer *demuxer, const cff_page_gap *gaps, int count, cff_failure *failure);

/// Stream time of media time 0, in the stream's time base: 0 for MP4 and MOV, whose edit lists are complete; the decoder's reordering delay for AVI, which has
/// no edit lists; for others the earliest start of any stream, if that is positive.
int64_t cff_demuxer_origin(const cff_demuxer *demuxer, int stream_index);

/// Index of the `ordinal`-th video or audio stream (cover pictures do not count); -1 if there is none.
int cff_demuxer_video_stream(const cff_demuxer *demuxer, int ordinal);
int cff_demuxer_audio_stream(const cff_demuxer *demuxer, int ordinal);
