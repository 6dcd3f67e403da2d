// Opening a local file as media, and what every other part of the shim shares.
#pragma once
#include "libav_required.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// How a call ended.
typedef enum cff_status {
  CFF_OK = 0,
  /// Nothing more will come.
  CFF_END,
  /// No such file.
  CFF_NOT_FOUND,
  /// Not a regular file, or not a plain path.
  CFF_REFUSED,
  /// Not media, damaged beyond use, or a format outside the allow-list.
  CFF_UNREADABLE,
  /// Reading stopped at a damaged place or before the end the header promises.
  CFF_TRUNCATED,
  /// No decoder for the codec.
  CFF_NO_DECODER,
  /// The decoder failed.
  CFF_DECODE_FAILED,
  /// A picture above the pixel cap.
  CFF_TOO_LARGE,
  /// No such stream.
  CFF_NO_STREAM,
  /// A pixel format that nothing here can turn into one of ours.
  CFF_NO_FORMAT,
  /// Memory or another resource ran out.
  CFF_NO_RESOURCE,
  /// The operating system could not read or write.
  CFF_IO_FAILED,
  /// A value is out of range.
  CFF_INVALID,
  /// No encoder for the codec.
  CFF_NO_ENCODER,
  /// The encoder refused its settings or failed.
  CFF_ENCODE_FAILED,
  /// The container cannot hold the stream.
  CFF_NO_CONTAINER,
  /// The file is not the one that was opened first, or was written to since.
  CFF_CHANGED,
} cff_status;

/// Why a call failed: a status and a sentence without a full stop. Every function that can fail returns a status and, unless that
/// is CFF_OK or CFF_END, fills this.
typedef struct cff_failure {
  cff_status status;
  /// The errno of the operating system while a file is written; 0 if it was not the system that refused.
  int system_error;
  char message[240];
} cff_failure;

/// The sentence of a failure, as a C string.
const char *cff_failure_message(const cff_failure *failure);

/// Major version of the libavcodec in use.
int cff_codec_version_major(void);

/// A time that is not known.
#define CFF_NO_TIME INT64_MIN

/// A media file that was opened; one thread at a time.
typedef struct cff_demuxer cff_demuxer;

/// Opens a regular local file with an allowed demuxer. Nothing else is ever opened: no URL, no playlist, no second file.
cff_status cff_demuxer_open(const char *path, cff_demuxer **demuxer, cff_failure *failure);

/// Closes a file; NULL is allowed.
void cff_demuxer_close(cff_demuxer *demuxer);

/// Starts over: the container is opened again on the same file. After a failure only closing is left to do.
cff_status cff_demuxer_rewind(cff_demuxer *demuxer, cff_failure *failure);

/// Number of streams of all kinds.
int cff_demuxer_stream_count(const cff_demuxer *demuxer);

/// Short names of the container, comma separated (`mov,mp4,m4a,3gp,3g2,mj2`).
const char *cff_demuxer_format_name(const cff_demuxer *demuxer);

/// Bytes in the file.
int64_t cff_demuxer_file_size(const cff_demuxer *demuxer);

/// What tells whether a file is still what it was: written to, cut off, or replaced by another one of the same name.
typedef struct cff_file_identity {
  uint64_t device, inode;
  int64_t byte_count;
  /// Time of the last write.
  int64_t modified_seconds, modified_nanoseconds;
} cff_file_identity;

/// The identity the file had when it was opened.
cff_file_identity cff_demuxer_identity(const cff_demuxer *demuxer);

/// Whether two identities are the same.
bool cff_same_identity(const cff_file_identity *left, const cff_file_identity *right);

/// The identity of the regular file at a path; false if there is none.
bool cff_identify_file(const char *path, cff_file_identity *identity);

/// From now on, reading fails with CFF_CHANGED once the file is no longer what it was when it was opened. By default a change is
/// not looked for.
void cff_demuxer_forbid_change(cff_demuxer *demuxer);

/// A part of a file whose timestamps count on from its first one, in ticks of 90 kHz. A transport or program stream has one,
/// and one more for each stream that was appended to it, or for each restart of its clock.
typedef struct cff_clock_section {
  /// Position of the first byte.
  int64_t position;
  /// Stamps lie in `base` ..< `base` + 2^33; added to a stamp modulo 2^33 they rise through the wrap of the 33-bit counter.
  int64_t base;
  /// What is to be added so that the section follows the one before it.
  int64_t offset;
  /// First presentation time and end, offset added.
  int64_t start, end;
} cff_clock_section;

/// Whether the container counts time in 33 bits and may be cut and put together at any place: MPEG transport and program streams.
bool cff_demuxer_has_sections(const cff_demuxer *demuxer);

/// Reads the whole file once for its sections, where the container has such; returns to the start.
cff_status cff_demuxer_find_sections(cff_demuxer *demuxer, cff_failure *failure);

/// Number of sections, ≥ 1 once they were found or given.
int cff_demuxer_section_count(const cff_demuxer *demuxer);
cff_clock_section cff_demuxer_section(const cff_demuxer *demuxer, int index);

/// Takes the sections that another reader of the same file found.
cff_status cff_demuxer_use_sections(
    cff_demuxer *demuxer, const cff_clock_section *sections, int count, cff_failure *failure);

/// Stream time of media time 0, in the stream's time base: 0 for MP4 and MOV, whose edit lists say it all; the decoder's
/// reordering delay for AVI, which has none; for others the earliest start of any stream, where that is positive.
int64_t cff_demuxer_origin(const cff_demuxer *demuxer, int stream_index);

/// Index of the `ordinal`-th video or audio stream (cover pictures do not count); -1 where there is none.
int cff_demuxer_video_stream(const cff_demuxer *demuxer, int ordinal);
int cff_demuxer_audio_stream(const cff_demuxer *demuxer, int ordinal);
