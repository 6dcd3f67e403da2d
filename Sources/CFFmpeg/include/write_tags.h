#pragma once
#include "common.h"
#include "write_muxer.h"
#include <stdbool.h>
#include <stdint.h>

// What a file says beside its tracks: chapters and a cover. All of it before the header is written, but the cover's packet.

/// Adds a chapter; its times in ns. `title` is UTF-8.
cff_status cff_muxer_add_chapter(cff_muxer *muxer, int64_t start, int64_t end, const char *title, cff_failure *failure);

/// A cover: the bytes of a JPEG or PNG file, which are copied.
typedef struct cff_cover {
  bool is_png;
  int32_t width, height;
  const uint8_t *bytes;
  int32_t count;
} cff_cover;

/// Adds a cover in the way of the container: an attached picture (MP4, MP3, FLAC), an attachment (Matroska), a comment (Ogg).
/// `track` becomes the track that cff_muxer_write_cover has to feed after the header, -1 where there is nothing left to write.
cff_status cff_muxer_add_cover(cff_muxer *muxer, const cff_cover *cover, int *track, cff_failure *failure);

/// Writes the cover's packet, right after the header.
cff_status cff_muxer_write_cover(cff_muxer *muxer, int track, const cff_cover *cover, cff_failure *failure);
