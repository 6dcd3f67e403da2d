#pragma once
#include "common.h"
#include <stdbool.h>
#include <stdint.h>

// Writes a container through our own file descriptor, so that every failure of write, seek, fsync and close is detected. Not thread-safe: one owner.

typedef struct cff_muxer cff_muxer;
typedef struct cff_encoder cff_encoder;

/// Mastering display (ST 2086) and light levels (CTA-861.3). Chromaticities in 1/50000, luminances in 1/10000 cd/m².
typedef struct cff_mastering_metadata {
  bool has_display;
  int32_t red[2], green[2], blue[2], white[2];
  int64_t maximum_luminance, minimum_luminance;
  bool has_light_level;
  uint32_t maximum_content, maximum_average;
} cff_mastering_metadata;

/// Creates or truncates `path` and makes an empty container of libavformat's muxer `format`.
cff_status cff_muxer_create(const char *format, const char *path, cff_muxer **muxer, cff_failure *failure);
/// Prepares the file for about this many bytes, which makes writing a large file faster. Only a hint.
void cff_muxer_expect(cff_muxer *muxer, int64_t byte_count);

/// A descriptor to which a container is written as it is made, and a way to stop writing.
typedef struct cff_stream_target {
  /// A pipe, a socket, a device or a file, open for writing. It belongs to the caller and keeps its flags.
  int descriptor;
  /// Called often on the writing thread, also while the reader takes nothing; true ends the call. NULL for never.
  bool (*should_stop)(void *owner);
  void *owner;
} cff_stream_target;

/// Makes an empty container of libavformat's muxer `format` that is written to a descriptor in order. Written bytes are never changed.
cff_status cff_muxer_create_stream(
    const char *format, const cff_stream_target *target, cff_muxer **muxer, cff_failure *failure);

/// Adds a track fed by `encoder`, in time units of 1/`timescale`. `rate` is the nominal frame rate, 0/1 for audio. `tag` is a sample entry such as "hvc1", or
/// NULL for the muxer's choice.
cff_status cff_muxer_add_track(
    cff_muxer *muxer, cff_encoder *encoder, int timescale, int rate_num, int rate_den, const char *tag,
    const cff_mastering_metadata *mastering, int *track, cff_failure *failure);

/// Sets a metadata entry of a track, including "language" and "title", with the container's own key; before the header.
cff_status cff_muxer_set_track_metadata(
    cff_muxer *muxer, int track, const char *key, const char *value, cff_failure *failure);

/// Sets metadata of a video track that states its color in libavutil's names ("color_range", "color_space", …); before the header.
cff_status cff_muxer_tell_color(cff_muxer *muxer, int track, cff_failure *failure);

/// States whether players choose a track by default; before the header.
void cff_muxer_set_default(cff_muxer *muxer, int track, bool is_default);

/// Sets a video track's display matrix: a, b, u, c, d, v, x, y, w of ISO/IEC 14496-12, in 16.16 fixed point (u, v, w in 2.30).
cff_status cff_muxer_set_display_matrix(
    cff_muxer *muxer, int track, const int32_t elements[9], cff_failure *failure);

/// Sets a metadata entry of the whole file; before the header.
cff_status cff_muxer_set_metadata(cff_muxer *muxer, const char *key, const char *value, cff_failure *failure);

/// Sets the file's creation time, in seconds since 1970; before the header. Otherwise the file has none.
cff_status cff_muxer_set_creation_time(cff_muxer *muxer, int64_t seconds, cff_failure *failure);

/// Writes the header. `options` are the muxer's, as `key=value` lines. An unknown option is an error.
cff_status cff_muxer_write_header(cff_muxer *muxer, const char *options, cff_failure *failure);

/// Writes the packet that `encoder` holds (see cff_encoder_receive), in its order among the tracks.
cff_status cff_muxer_write(cff_muxer *muxer, int track, cff_encoder *encoder, cff_failure *failure);

/// Writes the trailer, then flushes, syncs and closes the file; a stream is flushed. Afterwards, only `destroy` may be called.
cff_status cff_muxer_finish(cff_muxer *muxer, int64_t *byte_count, cff_failure *failure);

/// Closes the file and frees everything. The file stays as it is. Accepts a pointer to NULL.
void cff_muxer_destroy(cff_muxer **muxer);

/// Removes an unfinished file; anything but a regular file (a device, a folder, a link) is left alone.
void cff_remove_regular_file(const char *path);
