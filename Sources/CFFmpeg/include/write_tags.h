#pragma once
#include "common.h"
#include "write_muxer.h"
#include <stdbool.h>
#include <stdint.h>

// Chapters and the cover of a file. They are added before the header is written, except for the cover's packet.

/// Adds a chapter with times in ns. `title` is UTF-8.
cff_status cff_muxer_add_chapter(cff_muxer *muxer, int64_t start, int64_t end, const char *title, cff_failure *failure);

/// A cover: the bytes of a JPEG or PNG file, which are copied.
typedef struct cff_cover {
  bool is_png;
  int32_t width, height;
  const uint8_t *bytes;
  int32_t count;
} cff_cover;

/// Adds a cover in the container's form: an attached picture (MP4, MP3, FLAC), an attachment (Matroska), a comment (Ogg). `track` becomes the track for
/// cff_muxer_write_cover after the header, or -1 if nothing is left to write.
cff_status cff_muxer_add_cover(cff_muxer *muxer, const cff_cover *cover, int *track, cff_failure *failure);

/// Writes the cover's packet, right after the header.
cff_status cff_muxer_write_cover(cff_muxer *muxer, int track, const cff_cover *cover, cff_failure *failure);
